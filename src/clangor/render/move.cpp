// How a scene moves: what the simulation needs of its objects, or what was imported.
#include <clangor/render/move.hpp>

#include <clangor/render/collisions_file.hpp>
#include <clangor/render/followed_impacts.hpp>
#include <clangor/render/own_motions.hpp>
#include <clangor/render/placed_strikes.hpp>
#include <clangor/render/render.hpp>

#include <clangor/motion/imported/imported.hpp>
#include <clangor/motion/rigid/rigid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace clangor {

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

namespace {

[[noreturn]] void blame_object(const SoundingObject& object, const Error& error) {
    throw Error(fmt::format("{}: {}", object_named(object.name), error.what()), error.blame());
}

// What each object follows, or where it starts, and what the files had to say.
struct Paths {
    std::vector<Trajectory> of_object;
    std::vector<std::string> messages;
};

Paths paths_of(const Baked& baked) {
    Paths paths;
    for (const SoundingObject& object : baked.objects) {
        try {
            io::ImportedPath imported = path_of(object);
            for (const std::string& message : imported.messages)
                paths.messages.push_back(fmt::format("{}: {}", object_named(object.name), message));
            paths.of_object.push_back(std::move(imported.path));
        } catch (const Error& error) {
            blame_object(object, error);
        }
    }
    return paths;
}

// Those that move as one body, without shapes, which take longest to make. `object` tells whose each body is.
struct Unshaped {
    RigidWorld world;
    std::vector<size_t> object;
};

Unshaped bodies_of(const Scene& scene, const Paths& paths, const Baked& baked) {
    Unshaped bodies{.world = {.pairs = pairs_of(scene), .gravity = scene.motion.gravity}, .object = {}};
    for (size_t i = 0; i < baked.objects.size(); ++i) {
        if (!baked.objects[i].rigid) continue;
        bodies.world.bodies.push_back(*baked.objects[i].rigid);
        bodies.world.bodies.back().path = paths.of_object[i];
        bodies.object.push_back(i);
    }
    std::erase_if(bodies.world.pairs, [&](RigidPair& pair) {
        const auto body_of = [&](int object) {
            const auto found = std::ranges::find(bodies.object, size_t(object));
            return found == bodies.object.end() ? -1 : int(found - bodies.object.begin());
        };
        pair.first = body_of(pair.first);
        pair.second = body_of(pair.second);
        return pair.first < 0 || pair.second < 0;
    });
    return bodies;
}

io::Fingerprint& add_surface(io::Fingerprint& print, const SoundingObject& object) {
    static const Surface none;
    const Surface& surface = object.body && object.body->collision ? *object.body->collision : none;
    return print.add("vertices", surface.vertices).add("faces", surface.faces);
}

RigidWorld world_of(const Baked& baked, Unshaped bodies, const Progress& progress) {
    for (size_t k = 0; k < bodies.object.size(); ++k) {
        const SoundingObject& object = baked.objects[bodies.object[k]];
        progress("collision shapes", double(k) / double(bodies.object.size()));
        try {
            bodies.world.bodies[k].shape = object.shape();
        } catch (const Error& error) {
            blame_object(object, error);
        }
    }
    return std::move(bodies.world);
}

// From the bodies of the world back to the objects of the scene.
Motion for_objects(Motion motion, const std::vector<size_t>& object, const Paths& paths) {
    std::vector<Trajectory> bodies = paths.of_object;
    for (size_t k = 0; k < object.size(); ++k) bodies[object[k]] = std::move(motion.bodies[k]);
    motion.bodies = std::move(bodies);
    const auto renumber = [&](auto& contacts) {
        for (auto& contact : contacts)
            for (ContactSide& side : contact.sides)
                if (side.body >= 0) side.body = int(object[size_t(side.body)]);
    };
    renumber(motion.impacts);
    renumber(motion.touches);
    if (motion.supports.empty()) return motion;
    std::vector<Vec3> supports(paths.of_object.size(), Vec3::Zero());
    for (size_t k = 0; k < object.size(); ++k) supports[object[k]] = motion.supports[k];
    motion.supports = std::move(supports);
    return motion;
}

// Whatever changes the impacts and touches that are found in a motion must change these, or old cache entries would be
// taken for new ones.
constexpr std::string_view collision_algorithm = "collisions 3", completion_algorithm = "completed impacts 2";

io::Fingerprint& add_path(io::Fingerprint& print, const Trajectory& path) {
    const auto flat = [](const auto& matrix) {
        return std::span<const double>(matrix.data(), static_cast<size_t>(matrix.size()));
    };
    return print.add("times", flat(path.times)).add("positions", path.positions).add("rotations", flat(path.rotations));
}

std::string key_of(const Baked& baked, const Unshaped& bodies, const RigidOptions& options) {
    io::Fingerprint print;
    print.add("algorithm", collision_algorithm)
        .add("duration", options.duration)
        .add("step_hz", options.step_hz)
        .add("min_approach_speed", options.min_approach_speed)
        .add("gravity", std::span<const double>(bodies.world.gravity.data(), 3));
    for (size_t k = 0; k < bodies.object.size(); ++k) {
        const RigidBody& body = bodies.world.bodies[k];
        const SoundingObject& object = baked.objects[bodies.object[k]];
        print.add("name", body.name)
            .add("drive", double(static_cast<int>(body.movement)))
            .add("shape", object.shape_source)
            .add("mass", body.mass)
            .add("centre", std::span<const double>(body.centre.data(), 3))
            .add("inertia", std::span<const double>(body.inertia.data(), 9))
            .add("friction", body.friction)
            .add("restitution", body.restitution)
            .add("compliance", body.compliance);
        add_path(add_surface(print, object), body.path);
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
    bool is_found = false;
    Motion motion;
    io::Cached<BakedCollisions> kept = io::cached<BakedCollisions>(cache, key, [&] {
        is_found = true;
        motion = find();
        for (Impact& impact : motion.impacts) impact.seen = -1;  // its paths do not follow from how impacts end
        return BakedCollisions{.name = "the scene",
                               .inputs_hash = key,
                               .bodies = int(motion.bodies.size()),
                               .impacts = motion.impacts,
                               .touches = motion.touches,
                               .ignored = motion.ignored,
                               .messages = motion.warnings};
    });
    if (!is_found)
        motion = {.bodies = paths.of_object,
                  .impacts = std::move(kept.value.impacts),
                  .touches = std::move(kept.value.touches),
                  .warnings = std::move(kept.value.messages),
                  .ignored = kept.value.ignored,
                  .from_cache = true};
    motion.warnings.insert(motion.warnings.end(), kept.warnings.begin(), kept.warnings.end());
    return motion;
}

Motion motion_of_file(const Scene& scene, const Paths& paths, const Baked& baked, const io::Cache& cache) {
    const std::vector<std::byte> file = io::read_bytes(scene.motion.impacts);
    io::Fingerprint print;
    print.add("algorithm", completion_algorithm)
        .add("duration", scene.duration + lookahead)
        .add("file", scene.motion.impacts.string())  // warnings name it
        .add("content", std::string_view(reinterpret_cast<const char*>(file.data()), file.size()));
    for (size_t i = 0; i < baked.objects.size(); ++i) {
        const SoundingObject& object = baked.objects[i];
        refuse_simulated(object, scene);
        if (object.body && object.body->collision) add_surface(print, object);
        add_path(print.add("name", object.name), paths.of_object[i]);
    }
    Motion motion = kept_motion(paths, cache, print.hex(), [&] {
        return completed_motion(scene, imported_bodies(baked.objects, paths.of_object));
    });
    for (Impact& impact : motion.impacts) impact.is_given = true;
    return motion;
}

// Bodies part as fast as their contacts, with all modes in the loop, push them.
BounceRule bounce_rule(const Scene& scene, const Baked& baked, const std::vector<size_t>& object) {
    std::vector<ContactBody> bodies;
    for (const SoundingObject& one : baked.objects) bodies.push_back(contact_body(one));
    return [bodies, object, options = ExciteOptions{.pairs = pairs_of(scene)},
            ringing = std::make_shared<RingingBodies>(bodies.size())](std::span<const Bounce> bounces) {
        std::vector<Impact> impacts;
        for (const Bounce& bounce : bounces) {
            Impact& impact = impacts.emplace_back();
            impact.time = bounce.time - bounce.since_touch;
            impact.seen = bounce.time;
            impact.approach_speed = bounce.approach_speed;
            impact.sides = bounce.sides;
            for (ContactSide& side : impact.sides) side.body = int(object[size_t(side.body)]);
        }
        return separation_speeds(impacts, bodies, options, *ringing);
    };
}

std::vector<Push> pushes_of(const Scene& scene, const Baked& baked, const std::vector<size_t>& object) {
    std::vector<Push> pushes;
    for (const PlacedStrike& strike : placed_strikes(scene, baked.objects))
        if (const auto body = std::ranges::find(object, size_t(strike.object)); body != object.end())
            pushes.push_back({.body = int(body - object.begin()),
                              .time = scene.strikes[strike.index].time,
                              .point = strike.at.point,
                              .impulse = strike.impulse});
    return pushes;
}

// `more` pushes objects beside the scene's strikes.
Motion motion_among(const Scene& scene, const Paths& paths, const Baked& baked, const std::vector<Push>& more,
                    const io::Cache& cache, const Progress& progress) {
    if (scene::is_still(scene)) return {.bodies = paths.of_object, .impacts = {}, .touches = {}};
    if (!scene.motion.impacts.empty()) return motion_of_file(scene, paths, baked, cache);
    Unshaped bodies = bodies_of(scene, paths, baked);
    const std::vector<size_t> object = bodies.object;
    const RigidOptions options{.duration = scene.duration + lookahead,
                               .step_hz = scene.motion.step_hz,
                               .min_approach_speed = scene.motion.min_approach_speed};
    const bool simulated = std::ranges::any_of(
        bodies.world.bodies, [](const RigidBody& body) { return body.movement == Movement::Simulated; });
    if (simulated) {
        bodies.world.bounces = bounce_rule(scene, baked, object);
        bodies.world.pushes = pushes_of(scene, baked, object);
        for (Push push : more)
            if (const auto body = std::ranges::find(object, size_t(push.body)); body != object.end()) {
                push.body = int(body - object.begin());
                bodies.world.pushes.push_back(push);
            }
        return for_objects(simulate(world_of(baked, std::move(bodies), progress), options, progress), object, paths);
    }
    return kept_motion(paths, cache, key_of(baked, bodies, options), [&] {
        return for_objects(collisions_of(world_of(baked, std::move(bodies), progress), options, progress), object,
                           paths);
    });
}

bool any_gives_way(const Baked& baked, const std::vector<Push>& pushes) {
    return std::ranges::any_of(pushes, [&](const Push& push) {
        const std::optional<RigidBody>& rigid = baked.objects[size_t(push.body)].rigid;
        return rigid && rigid->movement == Movement::Simulated;
    });
}

// How far any point of a body is from where it was at most, at the poses of its path [m].
double largest_change(const Trajectory& now, const Trajectory& before, double radius) {
    double largest = 0;
    for (long k = 0; k < now.times.size(); ++k) {
        const Eigen::Isometry3d a = pose_at(now, now.times[k]), b = pose_at(before, now.times[k]);
        const double turned = Eigen::AngleAxisd(a.linear().transpose() * b.linear()).angle();
        largest = std::max(largest, (a.translation() - b.translation()).norm() + turned * radius);
    }
    return largest;
}

double largest_change(const Motion& now, const Motion& before, const Baked& baked) {
    double largest = 0;
    for (size_t i = 0; i < baked.objects.size(); ++i)
        if (baked.objects[i].rigid && baked.objects[i].is_movable)
            largest = std::max(largest, largest_change(now.bodies[i], before.bodies[i], baked.objects[i].body->radius));
    return largest;
}

// Objects that move by themselves move among the others, which then move as they were pushed, and so on until nobody
// goes elsewhere than before.
Motion untimed_motion_of(const Scene& scene, const Paths& paths, const Baked& baked, const io::Cache& cache,
                         const Progress& progress) {
    constexpr int most_passes = 4;
    constexpr double settled = 1e-3;  // [m]
    Motion motion = motion_among(scene, paths, baked, {}, cache, progress);
    if (!any_moves_by_itself(baked)) return motion;
    OwnPass pass = own_pass(scene, baked, motion, {}, progress);
    double change = 0;
    for (int passes = 1; passes < most_passes && any_gives_way(baked, pushes_of(pass)); ++passes) {
        Motion pushed = motion_among(scene, paths, baked, pushes_of(pass), cache, progress);
        change = largest_change(pushed, motion, baked);
        motion = std::move(pushed);
        pass = own_pass(scene, baked, motion, pass, progress);
        if (change < settled) break;
    }
    if (change >= settled)
        motion.warnings.push_back(fmt::format(
            "rods or grains and what they push were followed in turns {} times, and bodies still moved by {:.2g} m in "
            "the last: where they rest on each other, that is how well it is known",
            most_passes, change));
    add_own(pass, motion);
    for (size_t i = 0; i < baked.objects.size(); ++i)  // they know by now where they went
        if (baked.objects[i].move) motion.bodies[i] = path_of(baked.objects[i]).path;
    return motion;
}

// Motion that makes no sound is nearly always a mistake: a mesh in another unit than its path, a floor that is missing.
// What moves by itself sounds by itself.
void warn_of_silence(const Scene& scene, const Baked& baked, Motion& motion) {
    if (!scene.strikes.empty() || !motion.impacts.empty() || !motion.touches.empty()) return;
    std::vector<std::string> moving;
    for (size_t i = 0; i < motion.bodies.size(); ++i)
        if (moves(motion.bodies[i]) && !baked.objects[i].move)
            moving.push_back(fmt::format("\"{}\"", scene::name_of(scene.objects[i])));
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

io::ImportedPath path_of(const SoundingObject& object) {
    if (object.path) return object.path();
    return {at_rest(Eigen::Isometry3d::Identity()), {}};
}

void refuse_simulated(const SoundingObject& object, const Scene& scene) {
    if (!object.must_be_simulated || scene.motion.impacts.empty()) return;
    throw Error(
        fmt::format("object \"{}\" is simulated, but the impacts come from {}: give it a trajectory, set "
                    "\"motion\": \"fixed\", or leave out the file of impacts",
                    object.name, scene.motion.impacts.string()));
}

std::vector<ImportedBody> imported_bodies(const std::vector<SoundingObject>& objects,
                                          const std::vector<Trajectory>& paths) {
    std::vector<ImportedBody> bodies;
    for (size_t i = 0; i < objects.size(); ++i)
        bodies.push_back({.name = objects[i].name,
                          .surface = objects[i].body ? objects[i].body->collision : nullptr,
                          .path = paths[i],
                          .ground = objects[i].reflector.has_value()});
    return bodies;
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
    const Stopwatch watch;
    const Paths paths = paths_of(baked);
    Motion motion = untimed_motion_of(scene, paths, baked, cache, progress);
    motion.warnings.insert(motion.warnings.begin(), paths.messages.begin(), paths.messages.end());
    warn_of_silence(scene, baked, motion);
    motion.seconds = watch.seconds();
    return motion;
}

}  // namespace clangor
