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
#include <span>

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

Trajectory ground_path(const scene::Ground& ground) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation().y() = ground.height;
    return at_rest(pose);
}

// What each object follows, or where it starts, and what the files had to say.
struct Paths {
    std::vector<Trajectory> of_object;
    std::vector<std::string> messages;
};

Paths paths_of(const Scene& scene) {
    Paths paths;
    const auto path_of_solid = [&](const scene::Solid& solid) {
        try {
            io::ImportedPath imported = path_of(solid);
            for (const std::string& message : imported.messages)
                paths.messages.push_back(fmt::format("object \"{}\": {}", solid.name, message));
            return std::move(imported.path);
        } catch (const Error& error) {
            throw Error(fmt::format("object \"{}\": {}", solid.name, error.what()), error.blame());
        }
    };
    for (const scene::Object& object : scene.objects)
        paths.of_object.push_back(std::visit(overloaded{
                                                 [&](const scene::Solid& solid) { return path_of_solid(solid); },
                                                 [](const scene::Ground& ground) { return ground_path(ground); },
                                             },
                                             object));
    return paths;
}

Drive drive_of(const scene::Solid& solid) {
    if (!solid.trajectory.empty()) return Drive::Driven;
    return solid.moves == scene::Moves::Fixed ? Drive::Fixed : Drive::Simulated;
}

double compliance(const Material& material) { return (1 - square(material.poisson)) / material.young; }

// Everything but the shape, which takes longest to make.
RigidBody rigid_solid(const scene::Solid& solid, const Trajectory& path, const Surface& surface) {
    RigidBody body;
    body.name = solid.name;
    body.drive = drive_of(solid);
    body.path = path;
    body.velocity = solid.velocity;
    body.angular_velocity = solid.spin_deg * (pi / 180);
    body.friction = stated_or(solid.friction, solid.material.friction);
    body.restitution = stated_or(solid.restitution, solid.material.restitution);
    body.compliance = compliance(solid.material);
    body.hangs_at = solid.hangs_at;
    const MassProperties mass = mass_properties(surface);
    body.mass = mass.volume * solid.material.density;
    body.centre = mass.centre;
    body.inertia = mass.inertia * solid.material.density;
    return body;
}

RigidBody rigid_ground(const scene::Ground& ground) {
    RigidBody body;
    body.name = ground.name;
    body.drive = Drive::Fixed;
    body.path = ground_path(ground);
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

[[noreturn]] void blame_object(const scene::Solid& solid, const Error& error) {
    throw Error(fmt::format("object \"{}\": {}", solid.name, error.what()), error.blame());
}

// A world whose bodies have no shapes yet, and the surfaces that these are made from; none for a ground.
struct Unshaped {
    RigidWorld world;
    std::vector<Surface> surfaces;
};

Unshaped bodies_of(const Scene& scene, const Paths& paths, const Baked& baked) {
    Unshaped bodies{.world = {.pairs = pairs_of(scene), .gravity = scene.motion.gravity}, .surfaces = {}};
    const auto add = [&](RigidBody body, Surface surface) {
        bodies.world.bodies.push_back(std::move(body));
        bodies.surfaces.push_back(std::move(surface));
    };
    for (size_t i = 0; i < scene.objects.size(); ++i)
        std::visit(overloaded{
                       [&](const scene::Solid& solid) {
                           try {
                               Surface surface = collision_surface(solid, baked.objects[i]);
                               RigidBody body = rigid_solid(solid, paths.of_object[i], surface);
                               add(std::move(body), std::move(surface));
                           } catch (const Error& error) {
                               blame_object(solid, error);
                           }
                       },
                       [&](const scene::Ground& ground) { add(rigid_ground(ground), {}); },
                   },
                   scene.objects[i]);
    return bodies;
}

io::Fingerprint& add_surface(io::Fingerprint& print, const Surface& surface) {
    return print.add("vertices", surface.vertices).add("faces", surface.faces);
}

// Objects of one surface share their collision shape.
RigidWorld world_of(const Scene& scene, Unshaped bodies, const Progress& progress) {
    std::map<std::string, CollisionShapePtr> known;
    for (size_t i = 0; i < scene.objects.size(); ++i) {
        progress("collision shapes", double(i) / double(scene.objects.size()));
        CollisionShapePtr& shape = bodies.world.bodies[i].shape;
        std::visit(overloaded{
                       [&](const scene::Solid& solid) {
                           io::Fingerprint print;
                           const auto [found, is_new] =
                               known.try_emplace(add_surface(print, bodies.surfaces[i]).hex(), nullptr);
                           try {
                               if (is_new) found->second = shape_of(solid, bodies.surfaces[i]);
                           } catch (const Error& error) {
                               blame_object(solid, error);
                           }
                           shape = found->second;
                       },
                       [&](const scene::Ground&) { shape = half_space(); },
                   },
                   scene.objects[i]);
    }
    return std::move(bodies.world);
}

// Whatever changes the impacts and touches that are found in a motion must change these, or old cache entries would be
// taken for new ones.
constexpr std::string_view collision_algorithm = "collisions 2", completion_algorithm = "completed impacts 1";

io::Fingerprint& add_path(io::Fingerprint& print, const Trajectory& path) {
    const auto flat = [](const auto& matrix) {
        return std::span<const double>(matrix.data(), static_cast<size_t>(matrix.size()));
    };
    return print.add("times", flat(path.times)).add("positions", path.positions).add("rotations", flat(path.rotations));
}

std::string key_of(const Scene& scene, const Unshaped& bodies, const RigidOptions& options) {
    io::Fingerprint print;
    print.add("algorithm", collision_algorithm)
        .add("duration", options.duration)
        .add("step_hz", options.step_hz)
        .add("min_approach_speed", options.min_approach_speed)
        .add("gravity", std::span<const double>(bodies.world.gravity.data(), 3));
    for (size_t i = 0; i < bodies.world.bodies.size(); ++i) {
        const RigidBody& body = bodies.world.bodies[i];
        const scene::Solid* solid = std::get_if<scene::Solid>(&scene.objects[i]);
        const Shape* shape = solid ? std::get_if<Shape>(&solid->mesh) : nullptr;
        print.add("name", body.name)
            .add("drive", double(static_cast<int>(body.drive)))
            .add("shape", !solid  ? "half space"
                          : shape ? "formula"
                                  : "mesh")
            .add("mass", body.mass)
            .add("centre", std::span<const double>(body.centre.data(), 3))
            .add("inertia", std::span<const double>(body.inertia.data(), 9))
            .add("friction", body.friction)
            .add("restitution", body.restitution)
            .add("compliance", body.compliance);
        add_path(add_surface(print, bodies.surfaces[i]), body.path);
    }
    for (const RigidPair& pair : bodies.world.pairs)
        print.add("first", double(pair.first))
            .add("second", double(pair.second))
            .add("pair friction", pair.friction.value_or(-1))
            .add("pair restitution", pair.restitution.value_or(-1));
    return print.hex();
}

// What `find` finds, or found before: kept by what it is found from.
template <class Find>
Motion kept_motion(const Paths& paths, const io::Cache& cache, const std::string& key, const Find& find) {
    io::CollisionsLookup known = io::load_collisions(cache, key);
    Motion motion;
    if (known.collisions) {
        motion = {.bodies = paths.of_object,
                  .impacts = std::move(known.collisions->impacts),
                  .touches = std::move(known.collisions->touches),
                  .warnings = std::move(known.collisions->messages),
                  .from_cache = true};
    } else {
        motion = find();
        const std::string problem = io::store_collisions(cache, key,
                                                         {.name = "the scene",
                                                          .inputs_hash = key,
                                                          .bodies = int(motion.bodies.size()),
                                                          .impacts = motion.impacts,
                                                          .touches = motion.touches,
                                                          .messages = motion.warnings});
        if (!problem.empty()) motion.warnings.push_back(problem);
    }
    if (!known.warning.empty()) motion.warnings.push_back(known.warning);
    return motion;
}

Motion motion_of_file(const Scene& scene, const Paths& paths, const Baked& baked, const io::Cache& cache) {
    const std::vector<std::byte> file = io::read_bytes(scene.motion.impacts);
    io::Fingerprint print;
    print.add("algorithm", completion_algorithm)
        .add("duration", scene.duration + lookahead)
        .add("file", scene.motion.impacts.string())  // warnings name it
        .add("content", std::string_view(reinterpret_cast<const char*>(file.data()), file.size()));
    std::vector<ImportedBody> bodies;
    for (size_t i = 0; i < scene.objects.size(); ++i) {
        ImportedBody body{.name = scene::name_of(scene.objects[i]), .path = paths.of_object[i]};
        std::visit(overloaded{
                       [&](const scene::Solid& solid) {
                           refuse_simulated(solid, scene);
                           body.surface = std::make_shared<const Surface>(collision_surface(solid, baked.objects[i]));
                           add_surface(print, *body.surface);
                       },
                       [&](const scene::Ground&) { body.ground = true; },
                   },
                   scene.objects[i]);
        add_path(print.add("name", body.name), body.path);
        bodies.push_back(std::move(body));
    }
    return kept_motion(paths, cache, print.hex(), [&] { return completed_motion(scene, bodies); });
}

Motion untimed_motion_of(const Scene& scene, const Paths& paths, const Baked& baked, const io::Cache& cache,
                         const Progress& progress) {
    if (scene::is_still(scene)) return {.bodies = paths.of_object, .impacts = {}, .touches = {}};
    if (!scene.motion.impacts.empty()) return motion_of_file(scene, paths, baked, cache);
    Unshaped bodies = bodies_of(scene, paths, baked);
    const RigidOptions options{.duration = scene.duration + lookahead,
                               .step_hz = scene.motion.step_hz,
                               .min_approach_speed = scene.motion.min_approach_speed};
    const bool simulated =
        std::ranges::any_of(bodies.world.bodies, [](const RigidBody& body) { return body.drive == Drive::Simulated; });
    if (simulated) return simulate(world_of(scene, std::move(bodies), progress), options, progress);
    return kept_motion(paths, cache, key_of(scene, bodies, options),
                       [&] { return collisions_of(world_of(scene, std::move(bodies), progress), options, progress); });
}

// Motion that makes no sound is nearly always a mistake: a mesh in another unit than its path, a floor that is missing.
void warn_of_silence(const Scene& scene, Motion& motion) {
    if (!scene.strikes.empty() || !motion.impacts.empty() || !motion.touches.empty()) return;
    std::vector<std::string> moving;
    for (size_t i = 0; i < motion.bodies.size(); ++i)
        if (moves(motion.bodies[i])) moving.push_back(fmt::format("\"{}\"", scene::name_of(scene.objects[i])));
    if (moving.empty()) return;
    const size_t shown = std::min<size_t>(moving.size(), 3);
    motion.warnings.push_back(
        fmt::format("no impact in {:g} s, although {}{} move{}: nothing touches anything, and the sound is silent. "
                    "Check that meshes and trajectories share one unit and one up axis, and that what they should "
                    "hit is in the scene",
                    scene.duration, fmt::join(moving.begin(), moving.begin() + long(shown), ", "),
                    shown < moving.size() ? ", …" : "", moving.size() == 1 ? "s" : ""));
}

}  // namespace

io::ImportedPath path_of(const scene::Solid& solid) {
    if (solid.trajectory.empty()) return {at_rest(scene::world_from_body(solid)), {}};
    return io::read_trajectory(solid.trajectory, solid.name);
}

Motion motion_at_rest(const Scene& scene) {
    Motion motion;
    for (const scene::Object& object : scene.objects)
        motion.bodies.push_back(
            std::visit(overloaded{
                           [](const scene::Solid& solid) { return at_rest(scene::world_from_body(solid)); },
                           [](const scene::Ground& ground) { return ground_path(ground); },
                       },
                       object));
    return motion;
}

void refuse_simulated(const scene::Solid& solid, const Scene& scene) {
    if (solid.moves != scene::Moves::Simulated || scene.motion.impacts.empty()) return;
    throw Error(
        fmt::format("object \"{}\" is simulated, but the impacts come from {}: give it a trajectory, set "
                    "\"motion\": \"fixed\", or leave out the file of impacts",
                    solid.name, scene.motion.impacts.string()));
}

Motion completed_motion(const Scene& scene, const std::vector<ImportedBody>& bodies) {
    CompletedImpacts done =
        complete_impacts(io::read_impacts(scene.motion.impacts), bodies, {.duration = scene.duration + lookahead});
    Motion motion{
        .bodies = {}, .impacts = std::move(done.impacts), .touches = {}, .warnings = std::move(done.warnings)};
    for (const ImportedBody& body : bodies) motion.bodies.push_back(body.path);
    return motion;
}

long impacts_until(const Motion& motion, double time) {
    return std::ranges::count_if(motion.impacts, [&](const Impact& impact) { return impact.time < time; });
}

Motion motion_of(const Scene& scene, const Baked& baked, const io::Cache& cache, const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    const Paths paths = paths_of(scene);
    Motion motion = untimed_motion_of(scene, paths, baked, cache, progress);
    motion.warnings.insert(motion.warnings.begin(), paths.messages.begin(), paths.messages.end());
    warn_of_silence(scene, motion);
    motion.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return motion;
}

}  // namespace clangor
