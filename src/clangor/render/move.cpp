// How a scene moves: what the simulation needs of its objects, or what was imported.
#include <clangor/render/move.hpp>
#include <clangor/render/render.hpp>

#include <clangor/motion/imported/imported.hpp>
#include <clangor/motion/rigid/rigid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

namespace clangor {
namespace {

double stated_or(double stated, double otherwise) { return std::isnan(stated) ? otherwise : stated; }

// The closed surface that a solid collides with: its own, or the skin of its mesh where its own is open.
Surface collision_surface(const scene::Solid& solid, const BakedObject& baked) {
    const Surface surface = clean(surface_of_source(solid.mesh, solid.scale)).surface;
    return topology_of(surface).closed() || !baked.model ? surface : flat(baked.model->skin);
}

CollisionShapePtr shape_of(const scene::Solid& solid, const Surface& surface) {
    return std::visit(overloaded{
                          [&](const std::filesystem::path&) { return collision_shape(surface); },
                          [&](const Shape& shape) { return collision_shape(shape, solid.scale); },
                      },
                      solid.mesh);
}

Drive drive_of(const scene::Solid& solid) {
    if (!solid.trajectory.empty()) return Drive::Driven;
    return solid.moves == scene::Moves::Fixed ? Drive::Fixed : Drive::Simulated;
}

double compliance(const Material& material) { return (1 - square(material.poisson)) / material.young; }

// Two objects of one shape and material share their collision shape and their mass.
struct SharedShapes {
    std::map<std::string, std::pair<CollisionShapePtr, MassProperties>> known;
};

RigidBody rigid_solid(const scene::Solid& solid, const BakedObject& baked, SharedShapes& shared) {
    RigidBody body;
    body.name = solid.name;
    body.drive = drive_of(solid);
    body.path = path_of(solid);
    body.velocity = solid.velocity;
    body.angular_velocity = solid.spin_deg * (pi / 180);
    body.friction = stated_or(solid.friction, solid.material.friction);
    body.restitution = stated_or(solid.restitution, solid.material.restitution);
    body.compliance = compliance(solid.material);
    body.hangs_at = solid.hangs_at;
    const Surface surface = collision_surface(solid, baked);
    const std::string key = io::Fingerprint().add("vertices", surface.vertices).add("faces", surface.faces).hex();
    auto found = shared.known.find(key);
    if (found == shared.known.end())
        found = shared.known.try_emplace(key, shape_of(solid, surface), mass_properties(surface)).first;
    const auto& [shape, mass] = found->second;
    body.shape = shape;
    body.mass = mass.volume * solid.material.density;
    body.centre = mass.centre;
    body.inertia = mass.inertia * solid.material.density;
    return body;
}

RigidBody rigid_ground(const scene::Ground& ground) {
    RigidBody body;
    body.name = ground.name;
    body.drive = Drive::Fixed;
    body.shape = half_space();
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation().y() = ground.height;
    body.path = at_rest(pose);
    body.friction = stated_or(ground.friction, ground.material.friction);
    body.restitution = stated_or(ground.restitution, ground.material.restitution);
    body.compliance = compliance(ground.material);
    return body;
}

std::vector<RigidPair> pairs_of(const Scene& scene) {
    const auto index_of = [&](const std::string& name) {
        const auto found = std::ranges::find(scene.objects, name, scene::name_of);
        if (found == scene.objects.end())
            throw Error(fmt::format("motion: contacts name \"{}\", but no object is called so", name));
        return int(found - scene.objects.begin());
    };
    std::vector<RigidPair> pairs;
    for (const scene::ContactPair& contact : scene.motion.contacts) {
        RigidPair pair{.first = index_of(contact.object), .second = index_of(contact.other)};
        if (!std::isnan(contact.friction)) pair.friction = contact.friction;
        if (!std::isnan(contact.restitution)) pair.restitution = contact.restitution;
        pairs.push_back(pair);
    }
    return pairs;
}

RigidWorld world_of(const Scene& scene, const Baked& baked, const Progress& progress) {
    RigidWorld world{.pairs = pairs_of(scene), .gravity = scene.motion.gravity};
    SharedShapes shared;
    for (size_t i = 0; i < scene.objects.size(); ++i) {
        progress("collision shapes", double(i) / double(scene.objects.size()));
        std::visit(overloaded{
                       [&](const scene::Solid& solid) {
                           try {
                               world.bodies.push_back(rigid_solid(solid, baked.objects[i], shared));
                           } catch (const Error& error) {
                               throw Error(fmt::format("object \"{}\": {}", solid.name, error.what()), error.blame());
                           }
                       },
                       [&](const scene::Ground& ground) { world.bodies.push_back(rigid_ground(ground)); },
                   },
                   scene.objects[i]);
    }
    return world;
}

Motion motion_of_file(const Scene& scene, const Baked& baked) {
    std::vector<std::shared_ptr<const Surface>> surfaces;
    for (size_t i = 0; i < scene.objects.size(); ++i) {
        const scene::Solid* const solid = std::get_if<scene::Solid>(&scene.objects[i]);
        surfaces.push_back(solid ? std::make_shared<const Surface>(collision_surface(*solid, baked.objects[i]))
                                 : nullptr);
    }
    return imported_motion(scene, surfaces);
}

Motion untimed_motion_of(const Scene& scene, const Baked& baked, const Progress& progress) {
    if (scene::is_still(scene)) return motion_at_rest(scene);
    if (!scene.motion.impacts.empty()) return motion_of_file(scene, baked);
    const RigidWorld world = world_of(scene, baked, progress);
    const RigidOptions options{.duration = scene.duration + lookahead,
                               .step_hz = scene.motion.step_hz,
                               .min_approach_speed = scene.motion.min_approach_speed};
    const bool simulated =
        std::ranges::any_of(world.bodies, [](const RigidBody& body) { return body.drive == Drive::Simulated; });
    return simulated ? simulate(world, options, progress) : collisions_of(world, options, progress);
}

}  // namespace

long impacts_until(const Motion& motion, double time) {
    return std::ranges::count_if(motion.impacts, [&](const Impact& impact) { return impact.time < time; });
}

Trajectory path_of(const scene::Solid& solid) {
    return solid.trajectory.empty() ? at_rest(scene::world_from_body(solid))
                                    : io::read_trajectory(solid.trajectory, solid.name);
}

Motion motion_at_rest(const Scene& scene) {
    Motion motion;
    for (const scene::Object& object : scene.objects)
        motion.bodies.push_back(
            std::visit(overloaded{
                           [](const scene::Solid& solid) { return at_rest(scene::world_from_body(solid)); },
                           [](const scene::Ground& ground) { return rigid_ground(ground).path; },
                       },
                       object));
    return motion;
}

void refuse_simulated(const scene::Solid& solid, const Scene& scene) {
    if (solid.moves != scene::Moves::Simulated || scene.motion.impacts.empty()) return;
    throw Error(
        fmt::format("object \"{}\" is simulated, but the impacts come from {}: give it a trajectory, set \"motion\": "
                    "\"fixed\", or leave out the file of impacts",
                    solid.name, scene.motion.impacts.string()));
}

Motion imported_motion(const Scene& scene, const std::vector<std::shared_ptr<const Surface>>& surfaces) {
    Motion motion = motion_at_rest(scene);
    std::vector<ImportedBody> bodies;
    for (size_t i = 0; i < scene.objects.size(); ++i)
        std::visit(overloaded{
                       [&](const scene::Solid& solid) {
                           refuse_simulated(solid, scene);
                           motion.bodies[i] = path_of(solid);
                           bodies.push_back({.name = solid.name, .surface = surfaces[i], .path = motion.bodies[i]});
                       },
                       [&](const scene::Ground& ground) {
                           bodies.push_back({.name = ground.name, .path = motion.bodies[i], .ground = true});
                       },
                   },
                   scene.objects[i]);
    CompletedImpacts done =
        complete_impacts(io::read_impacts(scene.motion.impacts), bodies, {.duration = scene.duration + lookahead});
    motion.impacts = std::move(done.impacts);
    motion.warnings = std::move(done.warnings);
    return motion;
}

Motion motion_of(const Scene& scene, const Baked& baked, const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    Motion motion = untimed_motion_of(scene, baked, progress);
    motion.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return motion;
}

}  // namespace clangor
