#include <clangor/objects/solid/solid.hpp>

#include <clangor/objects/solid/supports.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

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

std::shared_ptr<const ContactFinder> finder_of(const std::shared_ptr<const Surface>& surface, const std::string& key,
                                               const Shared& shared) {
    return shared.get<ContactFinder>(key, [&] { return std::make_shared<const ContactFinder>(*surface); });
}

double radius_of(const Points& points, const Vec3& centre) {
    return (points.rowwise() - centre.transpose()).rowwise().norm().maxCoeff();
}

// Of a solid that rings: contacts see the skin of its elastic model.
Body ringing_body(const scene::Solid& solid, const std::shared_ptr<const ModalBody>& modes,
                  const BakeContext& context) {
    Body body;
    const std::string key = fmt::format("{}", fmt::ptr(modes.get()));
    body.surface =
        context.shared.get<Surface>("skin " + key, [&] { return std::make_shared<const Surface>(flat(modes->skin)); });
    body.finder = finder_of(body.surface, key, context.shared);
    body.wall = context.shared.get<Eigen::VectorXd>(
        "wall " + key, [&] { return std::make_shared<const Eigen::VectorXd>(wall_thicknesses(*body.surface)); });
    body.mass = modes->mass;
    body.material = solid.material;
    body.radius = radius_of(modes->skin.nodes, modes->mass.centre);
    return body;
}

// Of one that does not, or not yet: everybody sees its mesh.
Body silent_body(const scene::Solid& solid, const std::shared_ptr<const SceneMesh>& mesh, const BakeContext& context) {
    Body body;
    body.surface = {mesh, &mesh->clean.surface};
    body.collision = body.surface;
    body.is_closed = mesh->topology.closed();
    body.material = solid.material;
    body.mass = mass_properties(*body.surface);
    if (body.surface->faces.rows() == 0) return body;
    body.finder = finder_of(body.surface, mesh->clean_hash, context.shared);
    body.radius = radius_of(body.surface->vertices, body.mass.centre);
    return body;
}

// The closed surface that a solid collides with: its own, or the skin of its mesh where its own is open, or much
// thinner than the elastic body.
std::shared_ptr<const Surface> collision_surface(const std::shared_ptr<const SceneMesh>& mesh, const Body& body) {
    return bounds_all_of(*mesh, body.mass.volume) ? std::shared_ptr<const Surface>(mesh, &mesh->clean.surface)
                                                  : body.surface;
}

Movement movement_of(const scene::Solid& solid) {
    if (!solid.trajectory.empty()) return Movement::Driven;
    return scene::is_fixed(solid) ? Movement::Fixed : Movement::Simulated;
}

RigidBody rigid_body(const scene::Solid& solid, const Body& body) {
    const MassProperties& mass = body.mass;  // that of the elastic model, which contacts and clicks have too
    return {.name = solid.name,
            .movement = movement_of(solid),
            .velocity = solid.velocity,
            .angular_velocity = solid.spin_deg * (pi / 180),
            .mass = mass.volume * solid.material.density,
            .centre = mass.centre,
            .inertia = mass.inertia * solid.material.density,
            .friction = scene::stated_or(solid.friction, solid.material.friction),
            .restitution = scene::stated_or(solid.restitution, solid.material.restitution),
            .compliance = contact_compliance(solid.material),
            .hangs_at = solid.hangs_at};
}

CollisionShapePtr shape_of(const scene::MeshSource& source, double scale, const Surface& surface) {
    return std::visit(overloaded{
                          [&](const std::filesystem::path&) { return collision_shape(surface); },
                          [&](const Shape& shape) { return collision_shape(shape, scale); },
                      },
                      source);
}

void report(nlohmann::json& entry, const scene::Solid& solid, const SolidModel& model) {
    entry["material"] = solid.material.name;
    if (!model.modes) {
        entry["silent"] = true;
        return;
    }
    entry["mass_kg"] = model.modes->mass.volume * solid.material.density;
    entry["modes"] = model.modes->omega.size();
    if (model.modes->unheard.omega.size() > 0) entry["unheard_modes"] = model.modes->unheard.omega.size();
    entry["radiation"] = model.transfer ? "transfer" : "compact";
    entry["degrees_of_freedom"] = model.modes->degrees_of_freedom;
    entry["from_cache"] = model.from_cache;
    entry["seconds"] = model.seconds;
    // Above it even a body with sound fields has compact sources only.
    if (model.transfer && std::isfinite(model.transfer->solved_hz))
        entry["sound_fields_up_to_hz"] = model.transfer->solved_hz;
}

// How it moves, which needs no model.
SoundingObject moving(const scene::Solid& solid) {
    SoundingObject object;
    object.name = solid.name;
    object.is_movable = !scene::is_fixed(solid);
    object.must_be_simulated = solid.moves == scene::Moves::Simulated;
    object.path = [solid]() -> io::ImportedPath {
        if (solid.trajectory.empty()) return {at_rest(scene::world_from_body(solid)), {}};
        return io::read_trajectory(solid.trajectory, solid.name);
    };
    return object;
}

// Equal surfaces share their shape.
void add_collisions(SoundingObject& object, const scene::Solid& solid, const BakeContext& context) {
    object.rigid = rigid_body(solid, *object.body);
    object.shape_source = std::holds_alternative<Shape>(solid.mesh) ? "formula" : "mesh";
    object.shape = [source = solid.mesh, scale = scale_of(solid, context.meshes), surface = object.body->collision,
                    how = object.shape_source, shared = context.shared] {
        return *shared.get<CollisionShapePtr>(how + hash_of(*surface), [&] {
            return std::make_shared<const CollisionShapePtr>(shape_of(source, scale, *surface));
        });
    };
}

// A check needs no more than a mesh.
SoundingObject checked(const scene::Solid& solid, const BakeContext& context) {
    SoundingObject object = moving(solid);
    const auto mesh = context.meshes(solid.mesh, scale_of(solid, context.meshes));
    object.body = std::make_shared<const Body>(silent_body(solid, mesh, context));
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

SoundingObject sounding(const scene::Solid& solid, const SolidModel& model, const BakeContext& context) {
    SoundingObject object = moving(solid);
    object.from_cache = model.from_cache;
    object.seconds = model.seconds;
    object.warnings = model.warnings;
    object.transfer = model.transfer;
    object.report = [solid, model](nlohmann::json& entry) { report(entry, solid, model); };
    // A model from a file has no mesh.
    const std::filesystem::path* const file = std::get_if<std::filesystem::path>(&solid.mesh);
    const auto mesh = file && file->empty() ? nullptr : context.meshes(solid.mesh, scale_of(solid, context.meshes));
    Body body = model.modes ? ringing_body(solid, model.modes, context) : silent_body(solid, mesh, context);
    if (mesh) body.collision = collision_surface(mesh, body);
    object.body = std::make_shared<const Body>(std::move(body));
    if (mesh) add_collisions(object, solid, context);
    if (!model.modes) return object;

    object.mobility = mobility_of(model.modes, object.body->material);
    object.hears_pulses = model.noise != nullptr && object.is_movable;
    if (object.hears_pulses) object.near_limit = click_limit(*object.body->surface);
    object.emitters = [source =
                           ModalSource{.name = solid.name,
                                       .body = object.body,
                                       .model = model.modes,
                                       .transfer = model.transfer,
                                       .noise = object.hears_pulses ? model.noise : nullptr,
                                       .magnitude_only = solid.radiation_phase == scene::RadiationPhase::Magnitude}](
                          Excitation excitation, const EmissionContext& emission, std::vector<std::string>& warnings) {
        return emitters_of(source, std::move(excitation), emission, warnings);
    };
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
