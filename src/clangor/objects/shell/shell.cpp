#include <clangor/objects/shell/shell.hpp>

#include <clangor/objects/shell/shell_mesh.hpp>

#include <fmt/format.h>

namespace clangor {
namespace {

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

SoundingObject sounding(const scene::Shell& shell, const MovingShell& baked, const BakeContext& context) {
    const ModalModel& model = baked.model;
    const scene::Solid& body = shell.body;
    SoundingObject object = moving(body);
    const auto mesh = context.meshes(body.mesh, scale_of(body, context.meshes));
    if (!model.modes) check_shell(mesh->clean.surface, shell.thickness);
    Body seen = model.modes ? ringing_body(body, model.modes, context) : meshed_body(shell, *mesh, context);
    seen.collision = collision_surface(mesh, seen);
    object.body = std::make_shared<const Body>(std::move(seen));
    add_collisions(object, body, context);
    add_sound(object, body, model, baked.coupled);
    return object;
}

namespace scene {

std::string bakes_after(const Shell& shell, const BakeContext& context) {
    return "shell" + context.meshes.hash(shell.body.mesh) + shell.body.material.name;
}

SoundingObject sounding(const Shell& shell, BakeContext& context) {
    if (context.check_only) return checked(shell, context);
    return clangor::sounding(shell, moving_shell(shell, context), context);
}

}  // namespace scene
}  // namespace clangor
