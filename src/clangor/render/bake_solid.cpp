// From a surface to a model that can ring.
#include <clangor/render/render.hpp>

#include <clangor/vibration/solid/solid.hpp>

#include <fmt/format.h>

namespace clangor {
namespace {

// The rows of the skin's nodes, out of shapes on all nodes.
Eigen::MatrixXd on_skin(const Eigen::MatrixXd& shapes, const Skin& skin) {
    Eigen::MatrixXd result(3 * skin.nodes.rows(), shapes.cols());
    for (long i = 0; i < skin.nodes.rows(); ++i)
        result.middleRows<3>(3 * i) = shapes.middleRows<3>(3 * skin.mesh_nodes[size_t(i)]);
    return result;
}

// Fractions of one object's bake, by measurement on a bowl: meshing, modes and sources take about this share of the time.
Progress part_of(const Progress& whole, const std::string& stage, double from, double to) {
    return {
        [&whole, stage, from, to](std::string_view, double fraction) { whole(stage, from + (to - from) * fraction); }};
}

}  // namespace

io::BakedSolid bake_solid(const std::string& name, const Surface& surface, const Material& material,
                          const scene::SolidOptions& options, const Progress& progress) {
    const CleanSurface cleaned = clean(surface);
    const Tetrahedralization tets =
        tetrahedralize(cleaned.surface, {.edge_length = options.edge_length, .refinement = options.refinement},
                       part_of(progress, name + ": mesh", 0, 0.25));
    const TetMesh mesh =
        options.elements == scene::Elements::Linear ? tets.mesh : quadratic(tets.mesh, cleaned.surface);
    progress(name + ": modes", 0.25);
    const Modes modes = vibration_modes(
        assemble(mesh, material), {.min_hz = options.min_hz, .max_hz = options.max_hz, .max_count = options.max_modes},
        part_of(progress, name + ": modes", 0.25, 0.9));
    io::BakedSolid model;
    model.name = name;
    model.material = material;
    model.skin = skin_of(mesh);
    model.mass = mass_properties(flat(model.skin));
    model.omega = modes.omega;
    model.residuals = modes.residuals;
    progress(name + ": radiation", 0.9);
    const Eigen::MatrixXd shapes = on_skin(modes.shapes, model.skin);
    model.compact = compact_sources(model.skin, shapes);
    model.shapes = shapes.cast<float>();
    model.min_hz = options.min_hz;
    model.max_hz = options.max_hz;
    model.degrees_of_freedom = int(3 * mesh.nodes.rows());
    model.elements = int(mesh.cells.rows());
    model.messages = cleaned.repairs.messages();
    model.messages.insert(model.messages.end(), tets.messages.begin(), tets.messages.end());
    if (modes.below > 0)
        model.messages.push_back(fmt::format("{} modes below {} Hz were left out", modes.below, options.min_hz));
    progress(name, 1);
    return model;
}

}  // namespace clangor
