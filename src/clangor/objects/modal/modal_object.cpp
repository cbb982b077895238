// Bodies with modes as the rest of the program sees them.
#include <clangor/objects/modal/modal.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace clangor {
namespace {

std::shared_ptr<const ContactFinder> finder_of(const std::shared_ptr<const Surface>& surface, const std::string& key,
                                               const Shared& shared) {
    return shared.get<ContactFinder>(key, [&] { return std::make_shared<const ContactFinder>(*surface); });
}

double radius_of(const Points& points, const Vec3& centre) {
    return (points.rowwise() - centre.transpose()).rowwise().norm().maxCoeff();
}

Movement movement_of(const scene::Solid& body) {
    if (!body.trajectory.empty()) return Movement::Driven;
    return scene::is_fixed(body) ? Movement::Fixed : Movement::Simulated;
}

RigidBody rigid_body(const scene::Solid& body, const Body& seen) {
    const MassProperties& mass = seen.mass;  // that of the elastic model, which contacts and clicks have too
    return {.name = body.name,
            .movement = movement_of(body),
            .velocity = body.velocity,
            .angular_velocity = body.spin_deg * (pi / 180),
            .mass = mass.volume * body.material.density,
            .centre = mass.centre,
            .inertia = mass.inertia * body.material.density,
            .friction = scene::stated_or(body.friction, body.material.friction),
            .restitution = scene::stated_or(body.restitution, body.material.restitution),
            .compliance = contact_compliance(body.material),
            .hangs_at = body.hangs_at};
}

void report(nlohmann::json& entry, const scene::Solid& body, const ModalModel& model) {
    entry["material"] = body.material.name;
    if (!model.modes) {
        entry["silent"] = true;
        return;
    }
    entry["mass_kg"] = model.modes->mass.volume * body.material.density;
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

}  // namespace

SoundingObject moving(const scene::Solid& body) {
    SoundingObject object;
    object.name = body.name;
    object.is_movable = !scene::is_fixed(body);
    object.must_be_simulated = body.moves == scene::Moves::Simulated;
    object.path = [body]() -> io::ImportedPath {
        if (body.trajectory.empty()) return {at_rest(scene::world_from_body(body)), {}};
        return io::read_trajectory(body.trajectory, body.name);
    };
    return object;
}

Body ringing_body(const scene::Solid& body, const std::shared_ptr<const ModalBody>& modes, const BakeContext& context) {
    Body seen;
    const std::string key = fmt::format("{}", fmt::ptr(modes.get()));
    seen.surface =
        context.shared.get<Surface>("skin " + key, [&] { return std::make_shared<const Surface>(flat(modes->skin)); });
    seen.finder = finder_of(seen.surface, key, context.shared);
    seen.wall = context.shared.get<Eigen::VectorXd>(
        "wall " + key, [&] { return std::make_shared<const Eigen::VectorXd>(wall_thicknesses(*seen.surface)); });
    seen.mass = modes->mass;
    seen.material = body.material;
    seen.radius = radius_of(modes->skin.nodes, modes->mass.centre);
    return seen;
}

Body silent_body(const scene::Solid& body, const std::shared_ptr<const Surface>& surface, const std::string& key,
                 const BakeContext& context) {
    Body seen;
    seen.surface = surface;
    seen.collision = surface;
    seen.is_closed = topology_of(*surface).closed();
    seen.material = body.material;
    seen.mass = mass_properties(*surface);
    if (surface->faces.rows() == 0) return seen;
    seen.finder = finder_of(surface, key, context.shared);
    seen.radius = radius_of(surface->vertices, seen.mass.centre);
    return seen;
}

std::shared_ptr<const Surface> collision_surface(const std::shared_ptr<const SceneMesh>& mesh, const Body& seen) {
    return bounds_all_of(*mesh, seen.mass.volume) ? std::shared_ptr<const Surface>(mesh, &mesh->clean.surface)
                                                  : seen.surface;
}

void add_collisions(SoundingObject& object, const scene::Solid& body, const BakeContext& context) {
    object.rigid = rigid_body(body, *object.body);
    const bool is_formula = std::holds_alternative<Shape>(body.mesh) && is_closed(std::get<Shape>(body.mesh));
    object.shape_source = is_formula ? "formula" : "mesh";
    object.shape = [source = body.mesh, is_formula, scale = scale_of(body, context.meshes),
                    surface = object.body->collision, how = object.shape_source, shared = context.shared] {
        return *shared.get<CollisionShapePtr>(how + hash_of(*surface), [&] {
            return std::make_shared<const CollisionShapePtr>(
                is_formula ? collision_shape(std::get<Shape>(source), scale) : collision_shape(*surface));
        });
    };
}

void add_sound(SoundingObject& object, const scene::Solid& body, const ModalModel& model,
               const std::shared_ptr<const CoupledModes>& coupled) {
    object.from_cache = model.from_cache;
    object.seconds = model.seconds;
    object.warnings = model.warnings;
    object.transfer = model.transfer;
    object.report = [body, model](nlohmann::json& entry) { report(entry, body, model); };
    if (!model.modes) return;

    object.mobility = mobility_of(model.modes, object.body->material);
    object.mobility->is_coupled = coupled != nullptr;
    object.hears_pulses = model.noise != nullptr && object.is_movable;
    if (object.hears_pulses) object.near_limit = click_limit(*object.body->surface);
    object.emitters = [source = ModalSource{.name = body.name,
                                            .body = object.body,
                                            .model = model.modes,
                                            .transfer = model.transfer,
                                            .noise = object.hears_pulses ? model.noise : nullptr,
                                            .magnitude_only = body.radiation_phase == scene::RadiationPhase::Magnitude,
                                            .coupled = coupled}](Excitation excitation, const EmissionContext& emission,
                                                                 std::vector<std::string>& warnings) {
        return emitters_of(source, std::move(excitation), emission, warnings);
    };
}

}  // namespace clangor
