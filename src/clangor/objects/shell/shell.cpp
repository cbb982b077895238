#include <clangor/objects/shell/shell.hpp>

#include <clangor/objects/shell/shell_mesh.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clangor {
namespace {

// Whatever changes the numbers in a model must change this, or old cache entries would be taken for new ones.
constexpr std::string_view algorithm = "shell 1";

std::string key_of(const Surface& surface, double thickness, const Material& material,
                   const scene::SolidOptions& options) {
    const HeardBand band = heard_band(material.damping, options);
    io::Fingerprint inputs = body_fingerprint(algorithm, surface, material)
                                 .add("thickness", thickness)
                                 .add("edge_length", options.edge_length)
                                 .add("refinement", options.refinement)
                                 .add("min_hz", options.min_hz)
                                 .add("max_hz", band.max_hz)
                                 .add("max_modes", double(options.max_modes));
    if (std::isfinite(band.dull_hz)) inputs.add("dull_hz", band.dull_hz);
    add_supports(inputs, options.supports);
    return inputs.hex();
}

// Both sides of the wall about the mesh as it is given: what does not ring, or not yet, collides with it.
Body meshed_body(const scene::Shell& shell, const SceneMesh& mesh, const BakeContext& context) {
    const std::string key = fmt::format("shell {} {}", mesh.clean_hash, shell.thickness);
    const auto wall = context.shared.get<Surface>(
        key, [&] { return std::make_shared<const Surface>(two_sided(mesh.clean.surface, shell.thickness)); });
    return silent_body(shell.body, wall, key, context);
}

// A check needs no more than a mesh.
SoundingObject checked(const scene::Shell& shell, const BakeContext& context) {
    const scene::Solid& body = shell.body;
    SoundingObject object = moving(body);
    const auto mesh = context.meshes(body.mesh, scale_of(body, context.meshes));
    try {
        check_shell(mesh->clean.surface, shell.thickness);
    } catch (const Error& error) {
        object.problems.push_back(error.what());
        object.body = std::make_shared<const Body>(Body{.material = body.material});
        return object;
    }
    object.body = std::make_shared<const Body>(meshed_body(shell, *mesh, context));
    placed_supports(body.options.supports, mesh->clean.surface);  // throws where one misses
    if (body.silent) return object;
    object.mobility.emplace();  // it will ring
    if (clicks(body, context)) object.near_limit = click_limit(*object.body->surface);
    return object;
}

}  // namespace

ModalModel shell_model(const scene::Shell& shell, const BakeContext& context) {
    const scene::Solid& body = shell.body;
    return modal_model(body, context, [&](const SceneMesh& mesh, const scene::SolidOptions& options) -> ModesBake {
        return {.key = key_of(mesh.raw, shell.thickness, body.material, options),
                .bake =
                    [&, options](const Progress& progress) {
                        return bake_shell(body.name, mesh.clean, shell.thickness, body.material, options, progress,
                                          context.memory);
                    },
                .scales = false};
    });
}

SoundingObject sounding(const scene::Shell& shell, const ModalModel& model, const BakeContext& context) {
    const scene::Solid& body = shell.body;
    SoundingObject object = moving(body);
    const auto mesh = context.meshes(body.mesh, scale_of(body, context.meshes));
    if (!model.modes) check_shell(mesh->clean.surface, shell.thickness);
    Body seen = model.modes ? ringing_body(body, model.modes, context) : meshed_body(shell, *mesh, context);
    seen.collision = collision_surface(mesh, seen);
    object.body = std::make_shared<const Body>(std::move(seen));
    add_collisions(object, body, context);
    add_sound(object, body, model);
    return object;
}

namespace scene {

std::string bakes_after(const Shell& shell, const BakeContext& context) {
    return "shell" + context.meshes.hash(shell.body.mesh) + shell.body.material.name;
}

SoundingObject sounding(const Shell& shell, BakeContext& context) {
    if (context.check_only) return checked(shell, context);
    return clangor::sounding(shell, shell_model(shell, context), context);
}

}  // namespace scene
}  // namespace clangor
