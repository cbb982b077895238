#include <clangor/objects/solid/solid.hpp>

#include <fmt/format.h>

namespace clangor {
namespace {

// What a bake or a simulation would refuse, as far as the mesh alone tells.
std::string problem_of(const SceneMesh& mesh, const scene::Solid& solid, const BakeContext& context) {
    const Surface& surface = mesh.clean.surface;
    const Topology& topology = mesh.topology;
    if (surface.faces.rows() == 0) return "the surface has no faces, so that there is no body; check the mesh";
    if (!topology.closed() && solid.silent && context.simulated)
        return fmt::format(
            "a body that collides needs a closed surface, but this one has {} open and {} "
            "tangled edges; close its holes first",
            topology.open_edges, topology.nonmanifold_edges);
    return {};
}

Body meshed_body(const scene::Solid& solid, const std::shared_ptr<const SceneMesh>& mesh, const BakeContext& context) {
    return silent_body(solid, {mesh, &mesh->clean.surface}, mesh->clean_hash, context);
}

// A check needs no more than a mesh.
SoundingObject checked(const scene::Solid& solid, const BakeContext& context) {
    SoundingObject object = moving(solid);
    const auto mesh = context.meshes(solid.mesh, scale_of(solid, context.meshes));
    object.body = std::make_shared<const Body>(meshed_body(solid, mesh, context));
    if (const std::string problem = problem_of(*mesh, solid, context); !problem.empty())
        object.problems.push_back(problem);
    placed_supports(solid.options.supports, mesh->clean.surface);  // throws where one misses
    if (solid.silent) return object;
    object.mobility.emplace();  // it will ring
    if (clicks(solid, context) && object.body->is_closed && object.body->surface->faces.rows() > 0)
        object.near_limit = click_limit(*object.body->surface);
    return object;
}

}  // namespace

SoundingObject sounding(const scene::Solid& solid, const ModalModel& model, const BakeContext& context) {
    SoundingObject object = moving(solid);
    // A model from a file has no mesh.
    const std::filesystem::path* const file = std::get_if<std::filesystem::path>(&solid.mesh);
    const auto mesh = file && file->empty() ? nullptr : context.meshes(solid.mesh, scale_of(solid, context.meshes));
    Body body = model.modes ? ringing_body(solid, model.modes, context) : meshed_body(solid, mesh, context);
    if (mesh) body.collision = collision_surface(mesh, body);
    object.body = std::make_shared<const Body>(std::move(body));
    if (mesh) add_collisions(object, solid, context);
    add_sound(object, solid, model);
    return object;
}

namespace scene {

std::string bakes_after(const Solid& solid, const BakeContext& context) {
    return context.meshes.hash(solid.mesh) + solid.material.name;
}

SoundingObject sounding(const Solid& solid, BakeContext& context) {
    if (context.check_only) return checked(solid, context);
    return clangor::sounding(solid, solid_model(solid, context), context);
}

}  // namespace scene
}  // namespace clangor
