#include <clangor/objects/grains/grain_run.hpp>

#include <clangor/radiation/spheres/spheres.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace clangor {
namespace {

// What lies against something is a row of touches of this length, and the simulation goes on in such steps [s].
constexpr double touch_time = 0.05;

// A collision is left out if it stays below the threshold of hearing even so near [m], or if it is slower than any
// impact that is told from the jitter of rest [m/s].
constexpr double nearest_ear = 0.05, slowest = 2e-3;

// Each takes half a kilobyte, and as much again for every 60 modes of what it hits.
constexpr long most_impacts = 300'000;

RigidBody as_rigid(const Material& material, double friction, double restitution) {
    return {.friction = scene::stated_or(friction, material.friction),
            .restitution = scene::stated_or(restitution, material.restitution),
            .compliance = contact_compliance(material)};
}

double possible(double restitution) { return std::clamp(restitution, 0.01, 1.0); }

GrainWorld world_of(const scene::Grains& grains, const Surroundings& around) {
    const RigidBody grain = as_rigid(grains.material, grains.friction, grains.restitution);
    GrainWorld world{.kinds = {{.name = grains.name,
                                .density = grains.material.density,
                                .surface = {.restitution = possible(grain.restitution), .friction = grain.friction}}},
                     .gravity = around.gravity};
    for (const Neighbour& neighbour : around.neighbours) {
        const SoundingObject& other = *neighbour.sounding;
        const Material& material = other.body->material;
        const RigidBody rigid =
            other.rigid ? *other.rigid : as_rigid(material, material.friction, material.restitution);
        GrainWall wall{.name = other.name, .path = *neighbour.path};
        // The simulation takes the mean of two; here the softer decides, as between all bodies.
        wall.surface = {.restitution = possible(2 * pair_restitution(grain, rigid) - possible(grain.restitution)),
                        .friction = rigid.friction};
        if (other.body->collision)
            wall.shape = *other.body->collision;
        else if (std::isfinite(other.body->radius))
            wall.shape = *other.body->surface;
        world.walls.push_back(std::move(wall));
    }
    return world;
}

std::vector<Grain> grains_at_start(const scene::Grains& grains, const Surroundings& around, const GrainWorld& world,
                                   const Progress& progress) {
    const scene::GrainRegion& region = grains.fill;
    GrainFill fill{.low = region.position - region.size / 2,
                   .high = region.position + region.size / 2,
                   .is_round = region.round,
                   .count = grains.count,
                   .radius = grains.radius,
                   .spread = grains.spread,
                   .seed = Random(around.seed).child(std::uint64_t(around.self)).bits(),
                   .settle = region.settled};
    if (!std::isnan(region.stopper)) {
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.translation().y() = region.stopper;
        fill.stoppers.push_back({.name = "stopper", .path = at_rest(pose)});
    }
    std::vector<Grain> filled_in = filled(world, fill, progress);
    for (Grain& grain : filled_in) grain.velocity = grains.velocity;
    return filled_in;
}

std::array<float, 3> small(const Vec3& v) { return {float(v[0]), float(v[1]), float(v[2])}; }

/// A grain that is held up by something, over one stretch of time.
struct Held {
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  ///< the last ones, in the world
    Vec3 impulse = Vec3::Zero();                       ///< that the grain received in all [N·s]
};

/// Turns collisions into sound, impacts and touches as they come.
class Listening {
public:
    Listening(const scene::Grains& grains, const Surroundings& around, const GrainWorld& world, const Air& air,
              GrainRun& run, OwnMotion& own)
        : grains_(grains), around_(around), world_(world), air_(air), run_(run), own_(own), still_(world.walls.size()) {
        for (size_t w = 0; w < world.walls.size(); ++w)
            if (!moves(world.walls[w].path)) still_[w] = pose_at(world.walls[w].path, 0);
    }

    // What has settled before time 0 sleeps, and does not say what holds it: whatever it touches. The force is that of
    // what lies above it, as in a liquid of so many grains; its cube root is what damps   docs/theory/grain-sound.md
    void begin_at_rest() {
        constexpr double touching = 1.02, packing = 0.6;
        double top = -std::numeric_limits<double>::infinity();
        const Vec3 up = -around_.gravity.normalized();
        for (const Grain& grain : world_.grains) top = std::max(top, up.dot(grain.position));
        for (size_t w = 0; w < world_.walls.size(); ++w) {
            const Surface* const surface = std::get_if<Surface>(&world_.walls[w].shape);
            if (!surface || !answers(int(w))) continue;
            const ClosestPointQuery closest(*surface);
            const Eigen::Isometry3d pose = pose_of(int(w), 0);
            for (size_t i = 0; i < world_.grains.size(); ++i) {
                const Grain& grain = world_.grains[i];
                const Vec3 point = pose * closest(pose.inverse() * grain.position).point;
                const Vec3 arm = grain.position - point;
                if (arm.norm() > touching * grain.radius) continue;
                const double depth = top - up.dot(grain.position) + grain.radius;
                const double pressure = packing * grains_.material.density * around_.gravity.norm() * depth;
                const Vec3 force = pressure * pi * square(grain.radius) * arm.normalized();
                held_before_[{int(i), int(w)}] = {point, arm.normalized(), force * touch_time};
            }
        }
        for (const Grain& grain : world_.grains) places_.push_back(grain.position);
    }

    void take(std::span<const GrainCollision> block) {
        for (const GrainCollision& one : block) {
            if (one.second < 0 && answers(one.wall)) {
                if (one.lasts)
                    hold(one);
                else if (one.normal_speed > slowest)
                    add_impact(one);
            }
            if (!one.lasts) add_sound(one);
        }
    }

    // What sleeps has no collisions, but is held as it was before it fell asleep.
    void end_stretch(double begin, double end, const std::vector<Grain>& now) {
        for (const auto& [key, before] : held_before_) {
            const size_t grain = size_t(key.first);
            if (places_.empty() || places_[grain] != now[grain].position) continue;
            const auto [held, is_new] = held_.try_emplace(key, before);
            if (!is_new && held->second.impulse.norm() < before.impulse.norm()) held->second = before;
        }
        for (const auto& [key, held] : held_) add_touch(key, held, begin, end);
        places_.resize(now.size());
        for (size_t i = 0; i < now.size(); ++i) places_[i] = now[i].position;
        held_before_ = std::exchange(held_, {});
    }

private:
    using Key = std::pair<int, int>;  // a grain, and what holds it

    double mass_of(double radius) const { return 4 * pi / 3 * grains_.material.density * cube(radius); }
    double radius_of(std::int32_t grain) const { return world_.grains[size_t(grain)].radius; }
    Eigen::Isometry3d pose_of(int wall, double time) const {
        return still_[size_t(wall)] ? *still_[size_t(wall)] : pose_at(world_.walls[size_t(wall)].path, time);
    }

    // Whether what it does to this object makes a difference.
    bool answers(int wall) const {
        const Neighbour& neighbour = around_.neighbours[size_t(wall)];
        return neighbour.sounding->mobility || neighbour.sounding->hears_pulses || neighbour.gives_way;
    }

    void add_sound(const GrainCollision& one) {
        const bool is_wall = one.second < 0;
        SphereCollision collision{.time = one.time, .point = one.point, .normal = one.normal, .impulse = one.impulse};
        collision.radii = {radius_of(one.first), is_wall ? 0 : radius_of(one.second)};
        collision.masses = {mass_of(collision.radii[0]), is_wall ? 0 : mass_of(collision.radii[1])};
        const Material& other =
            is_wall ? around_.neighbours[size_t(one.wall)].sounding->body->material : grains_.material;
        HertzContact hertz{.inverse_mass = 1 / collision.masses[0],
                           .curvature = 1 / collision.radii[0],
                           .modulus = contact_modulus(grains_.material, other)};
        if (!is_wall) {
            hertz.inverse_mass += 1 / collision.masses[1];
            hertz.curvature += 1 / collision.radii[1];
        }
        collision.duration = std::min(hertz_time(hertz, one.normal_speed), longest_sphere_contact);
        const Vec3 ear = one.point + (nearest_ear + collision.radii[0]) * one.impulse.normalized();
        if (!(one.normal_speed > slowest / 10) ||
            loudest_pressure(collision, ear, air_, PulseShape::Hertz) < hearing_threshold) {
            ++run_.quiet;
            return;
        }
        run_.low = run_.record.size() == 0 ? one.point : run_.low.cwiseMin(one.point);
        run_.high = run_.record.size() == 0 ? one.point : run_.high.cwiseMax(one.point);
        run_.record.add({.time = one.time,
                         .point = small(one.point),
                         .normal = small(one.normal),
                         .impulse = small(one.impulse),
                         .radii = {float(collision.radii[0]), float(collision.radii[1])},
                         .duration = float(collision.duration)});
    }

    std::array<ContactSide, 2> sides_of(Key key, const Held& held, double time) const {
        const Eigen::Isometry3d pose = pose_of(key.second, time);
        const Mat3 body_from_world = pose.linear().transpose();
        std::array<ContactSide, 2> sides;
        sides[0] = {.body = around_.neighbours[size_t(key.second)].object,
                    .point = body_from_world * (held.point - pose.translation()),
                    .normal = body_from_world * held.normal,
                    .impulse = -(body_from_world * held.impulse)};
        sides[1] = {.body = around_.self,  // about the centre of the grain
                    .point = -grains_.radius * held.normal,
                    .normal = -held.normal,
                    .impulse = held.impulse};
        return sides;
    }

    void add_impact(const GrainCollision& one) {
        if (run_.wall_impacts++ >= most_impacts) return;
        own_.impacts.push_back(
            {.time = one.time,
             .impulse = -one.impulse,
             .approach_speed = one.normal_speed,
             .sides = sides_of({one.first, one.wall}, {one.point, one.normal, one.impulse}, one.time)});
    }

    void hold(const GrainCollision& one) {
        Held& held = held_[{one.first, one.wall}];
        held.point = one.point;
        held.normal = one.normal;
        held.impulse += one.impulse;
    }

    void add_touch(Key key, const Held& held, double begin, double end) {
        own_.touches.push_back(
            {.time = begin, .duration = end - begin, .impulse = -held.impulse, .sides = sides_of(key, held, begin)});
    }

    static constexpr double hearing_threshold = 2e-5;  // [Pa]

    const scene::Grains& grains_;
    const Surroundings& around_;
    const GrainWorld& world_;
    const Air& air_;
    GrainRun& run_;
    OwnMotion& own_;
    std::vector<std::optional<Eigen::Isometry3d>> still_;
    std::map<Key, Held> held_ = {}, held_before_ = {};
    std::vector<Vec3> places_ = {};
};

}  // namespace

MovedGrains moved(const scene::Grains& grains, const Surroundings& around, const Air& air, const Progress& progress) {
    const Stopwatch watch;
    const auto run = std::make_shared<GrainRun>();
    MovedGrains out;
    GrainWorld world = world_of(grains, around);
    world.grains = grains_at_start(grains, around, world, progress);
    const std::string stage = fmt::format("grains \"{}\"", grains.name);
    Listening listening(grains, around, world, air, *run, out.own);
    if (grains.fill.settled && !around.gravity.isZero(0)) listening.begin_at_rest();
    const GrainSink sink{.collisions = [&](std::span<const GrainCollision> block) { listening.take(block); }};
    GrainSimulator simulator(world, {.duration = around.duration});
    const long stretches = std::max(1L, long(std::ceil(around.duration / touch_time)));
    for (long i = 0; i < stretches; ++i) {
        const double begin = double(i) * touch_time, end = std::min(around.duration, double(i + 1) * touch_time);
        simulator.advance(end, sink);
        listening.end_stretch(begin, end, simulator.grains());
        progress(stage, double(i + 1) / double(stretches));
    }
    run->record.finish();
    run->report = simulator.report();
    run->seconds = watch.seconds();
    for (const std::string& warning : run->report.warnings)
        out.own.warnings.push_back(fmt::format("{}: {}", object_named(grains.name), warning));
    if (run->wall_impacts > most_impacts)
        out.own.warnings.push_back(
            fmt::format("{}: {} impacts on other objects, of which only the first {} make them ring; take fewer or "
                        "larger grains",
                        object_named(grains.name), run->wall_impacts, most_impacts));
    out.run = run;
    return out;
}

}  // namespace clangor
