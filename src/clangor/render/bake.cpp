// From a surface to a model that can ring, and the cache around it.
#include <clangor/render/render.hpp>

#include <clangor/vibration/solid/solid.hpp>

#include <fmt/format.h>

#include <chrono>
#include <map>

namespace clangor {
namespace {

// Whatever changes the numbers in a model must change this, or old cache entries would be taken for new ones.
constexpr std::string_view algorithm = "solid 1";

std::string key_of(const Surface& surface, const Material& material, const scene::SolidOptions& options) {
    // Damping and the material's name are applied when rendering: they do not belong here.
    return io::Fingerprint()
        .add("algorithm", algorithm)
        .add("vertices", surface.vertices)
        .add("faces", surface.faces)
        .add("density", material.density)
        .add("young", material.young)
        .add("poisson", material.poisson)
        .add("edge_length", options.edge_length)
        .add("refinement", options.refinement)
        .add("linear", options.elements == scene::Elements::Linear ? 1.0 : 0.0)
        .add("min_hz", options.min_hz)
        .add("max_hz", options.max_hz)
        .add("max_modes", double(options.max_modes))
        .hex();
}

double refinement_of(Quality quality) {
    switch (quality) {
        case Quality::Draft:
            return 0.75;
        case Quality::Standard:
            return 1;
        case Quality::Reference:
            return 1.4;
    }
    return 1;
}

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

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Surface surface_of_source(const scene::MeshSource& source, double scale) {
    Surface surface = std::visit(overloaded{
                                     [](const std::filesystem::path& path) { return io::read_mesh(path); },
                                     [](const Shape& shape) { return surface_of(shape); },
                                 },
                                 source);
    surface.vertices *= scale;
    return surface;
}

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
    if (modes.omega.size() == 0)
        model.messages.push_back(fmt::format("there is no mode between {} and {} Hz: the object will be silent",
                                             options.min_hz, options.max_hz));
    progress(name, 1);
    return model;
}

Baked bake(const Scene& scene, const BakeOptions& options, const Progress& progress) {
    Baked baked;
    std::map<std::string, std::shared_ptr<const io::BakedSolid>> done;
    const auto bake_one = [&](const scene::Solid& solid) {
        const auto start = std::chrono::steady_clock::now();
        const double share = 1.0 / double(scene.objects.size()), from = double(baked.objects.size()) * share;
        const Progress part{[&](std::string_view stage, double fraction) { progress(stage, from + share * fraction); }};
        BakedObject object;
        try {
            const Surface surface = surface_of_source(solid.mesh, solid.scale);
            scene::SolidOptions solid_options = solid.options;
            solid_options.refinement *= refinement_of(options.quality);
            const std::string key = key_of(surface, solid.material, solid_options);
            if (const auto known = done.find(key); known != done.end()) {
                object.model = known->second;
                object.from_cache = true;
            } else {
                io::CacheLookup found = io::load(options.cache, key);
                if (!found.warning.empty()) baked.warnings.push_back(found.warning);
                object.from_cache = found.model.has_value();
                if (!found.model) {
                    found.model = bake_solid(solid.name, surface, solid.material, solid_options, part);
                    found.model->inputs_hash = key;
                    const std::string warning = io::store(options.cache, key, *found.model);
                    if (!warning.empty()) baked.warnings.push_back(warning);
                }
                object.model = done[key] = std::make_shared<const io::BakedSolid>(std::move(*found.model));
            }
        } catch (const Error& error) {
            throw Error(fmt::format("object \"{}\": {}", solid.name, error.what()), error.blame());
        }
        for (const std::string& message : object.model->messages)
            baked.warnings.push_back(fmt::format("object \"{}\": {}", solid.name, message));
        object.seconds = seconds_since(start);
        baked.objects.push_back(std::move(object));
    };
    for (const scene::Object& object : scene.objects)
        std::visit(overloaded{
                       [&](const scene::Solid& solid) {
                           if (solid.silent)
                               baked.objects.emplace_back();
                           else
                               bake_one(solid);
                       },
                       [&](const scene::Ground&) { baked.objects.emplace_back(); },
                   },
                   object);
    return baked;
}

}  // namespace clangor
