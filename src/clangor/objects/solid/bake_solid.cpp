// From a surface to a model that can ring.
#include <clangor/objects/solid/solid.hpp>

#include <clangor/objects/solid/heard_band.hpp>

#include <clangor/vibration/solid/solid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace clangor {
namespace {

// The rows of the skin's nodes, out of shapes on all nodes.
Eigen::MatrixXd on_skin(const Eigen::MatrixXd& shapes, const Skin& skin) {
    Eigen::MatrixXd result(3 * skin.nodes.rows(), shapes.cols());
    for (long i = 0; i < skin.nodes.rows(); ++i)
        result.middleRows<3>(3 * i) = shapes.middleRows<3>(3 * skin.mesh_nodes[i]);
    return result;
}

// Fractions of one object's bake, by measurement on a bowl: meshing, modes and sources take about this share of the
// time.
Progress part_of(const Progress& whole, const std::string& stage, double from, double to) {
    return {
        [&whole, stage, from, to](std::string_view, double fraction) { whole(stage, from + (to - from) * fraction); }};
}

// Of a mesh: 10-node elements bring two nodes each, counted on bodies with few elements across their walls; 4-node ones
// a quarter.
double unknowns_of(double elements, scene::Elements kind) {
    return 3 * elements * (kind == scene::Elements::Linear ? 0.25 : 2);
}

// How many modes there are is not known before; so many are found at once.
constexpr int modes_at_least = 128;

[[noreturn]] void refuse(const Surface& surface, const std::string& what, double memory) {
    throw Error(
        fmt::format("it is {} large, and {}, but {:.3g} GB may be used. Ask for longer elements (edge_length, "
                    "--edge) or fewer modes (max_modes, --count), or allow more (--memory)",
                    size_text(surface), what, 1e-9 * memory));
}

// Refuses what would not fit before anything is meshed.
void check_memory(const Surface& surface, const scene::SolidOptions& options, double memory) {
    const std::optional<TetEstimate> estimate =
        estimate_of(surface, {.edge_length = options.edge_length, .refinement = options.refinement});
    if (!estimate) return;
    const double unknowns = unknowns_of(estimate->elements, options.elements);
    const double across = unknowns * std::min(1.0, estimate->edge_length / estimate->body_size);
    const int modes = options.max_modes > 0 ? options.max_modes : modes_at_least;
    const double needed = mode_bytes(unknowns, estimated_factor_entries(unknowns, across), modes);
    if (needed <= memory) return;
    refuse(surface,
           fmt::format("its modes would take about {:.2g} GB of memory for {:.0f} thousand elements", 1e-9 * needed,
                       1e-3 * estimate->elements),
           memory);
}

void add_damping_messages(ModalBody& model, const Modes& modes, const HeardBand& band, double max_hz) {
    if (band.max_hz < max_hz)
        model.messages.push_back(
            fmt::format("modes above {:.3g} kHz were not sought: the material damps them so much that they die "
                        "within three periods",
                        1e-3 * band.max_hz));
    if (modes.dull > 0)
        model.messages.push_back(fmt::format(
            "only the {} lowest modes, up to {:.3g} kHz, were sought: the {} above overlap and die within twenty "
            "periods, so that no pitch is heard of them; max_modes (--count) asks for more",
            modes.omega.size(), 1e-3 * modes.omega[modes.omega.size() - 1] / (2 * pi), modes.dull));
}

}  // namespace

ModalBody bake_solid(const std::string& name, const CleanSurface& cleaned, const Material& material,
                     const scene::SolidOptions& options, const Progress& progress, double memory) {
    const double allowed = allowed_memory(memory);
    check_memory(cleaned.surface, options, allowed);
    const HeardBand band = heard_band(material.damping, options);
    const Tetrahedralization tets =
        tetrahedralize(cleaned.surface, {.edge_length = options.edge_length, .refinement = options.refinement},
                       part_of(progress, name + ": mesh", 0, 0.25));
    const TetMesh mesh =
        options.elements == scene::Elements::Linear ? tets.mesh : quadratic(tets.mesh, cleaned.surface);
    progress(name + ": modes", 0.25);
    const Modes modes = vibration_modes(assemble(mesh, material),
                                        {.min_hz = options.min_hz,
                                         .max_hz = band.max_hz,
                                         .max_count = options.max_modes,
                                         .dull_hz = band.dull_hz,
                                         .memory_limit = allowed},
                                        part_of(progress, name + ": modes", 0.25, 0.9));
    ModalBody model;
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
    model.max_hz = band.max_hz;
    model.degrees_of_freedom = int(3 * mesh.nodes.rows());
    model.elements = int(mesh.cells.rows());
    model.messages = cleaned.repairs.messages();
    model.messages.insert(model.messages.end(), tets.messages.begin(), tets.messages.end());
    if (modes.below > 0)
        model.messages.push_back(fmt::format("{} modes below {} Hz were left out", modes.below, options.min_hz));
    add_damping_messages(model, modes, band, options.max_hz);
    progress(name, 1);
    return model;
}

}  // namespace clangor
