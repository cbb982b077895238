#include <clangor/objects/grains/grain_run.hpp>

#include <clangor/objects/grains/grain_recorder.hpp>
#include <clangor/objects/grains/known_grains.hpp>
#include <clangor/objects/grains/sampler.hpp>
#include <clangor/objects/grains/wall_surfaces.hpp>

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

GrainsInScene& grains_in(const MovedTogether& one) { return *static_cast<GrainsInScene*>(one.sounding->own.get()); }

/// A grain that is held up by something, over one stretch of time.
struct Held {
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero();  ///< the last ones, in the world
    Vec3 impulse = Vec3::Zero();                       ///< that the grain received in all [N·s]
};

/// Turns collisions into sound, impacts and touches as they come.
class Listening {
public:
    Listening(std::span<const GrainsHere> grains, const Surroundings& around, const GrainWorld& world, const Air& air,
              std::span<const std::shared_ptr<GrainRun>> runs, OwnMotion& own)
        : grains_(grains.begin(), grains.end()),
          around_(around),
          world_(world),
          own_(own),
          surfaces_(around),
          samplers_(grains.size()) {
        for (size_t k = 0; k < grains.size(); ++k) {
            recorders_.emplace_back(grains[k], around, air, *runs[k], own);
            if (grains[k].grains->sampled)
                samplers_[k].emplace(Random(around.seed).child(std::uint64_t(grains[k].object)).bits());
        }
    }

    // What has settled before time 0 sleeps, and does not say what holds it: whatever it touches. The force is that of
    // what lies above it, as in a liquid of so many grains; its cube root is what damps   docs/theory/grain-sound.md
    void begin_at_rest() {
        constexpr double touching = 1.02, packing = 0.6;
        double top = -std::numeric_limits<double>::infinity();
        const Vec3 up = -around_.gravity.normalized();
        for (const Grain& grain : world_.grains)
            if (is_settled(grain)) top = std::max(top, up.dot(grain.position));
        for (size_t w = 0; w < world_.walls.size(); ++w) {
            const Surface* const surface = std::get_if<Surface>(&world_.walls[w].shape);
            if (!surface || !answers(int(w))) continue;
            const ClosestPointQuery closest(*surface);
            const Eigen::Isometry3d pose = pose_of(int(w), 0);
            for (size_t i = 0; i < world_.grains.size(); ++i) {
                const Grain& grain = world_.grains[i];
                if (!is_settled(grain)) continue;
                const Vec3 point = pose * closest(pose.inverse() * grain.position).point;
                const Vec3 arm = grain.position - point;
                if (arm.norm() > touching * grain.radius) continue;
                const double depth = top - up.dot(grain.position) + grain.radius;
                const double pressure = packing * material_of(grain).density * around_.gravity.norm() * depth;
                const Vec3 force = pressure * pi * square(grain.radius) * arm.normalized();
                held_before_[{int(i), int(w)}] = {point, arm.normalized(), force * touch_time};
            }
        }
        for (const Grain& grain : world_.grains) places_.push_back(grain.position);
    }

    void take(std::span<const GrainCollision> block) {
        for (const GrainCollision& one : block) {
            if (one.lasts) {
                if (one.second < 0 && answers(one.wall)) hold(one);
            } else if (samplers_[kind_of(one.first)]) {
                samplers_[kind_of(one.first)]->add(encounter_of(one));
            } else {
                recorders_[kind_of(one.first)].add(meeting_of(one), {.time = one.time,
                                                                     .point = one.point,
                                                                     .normal = one.normal,
                                                                     .impulse = one.impulse,
                                                                     .speed = one.normal_speed});
            }
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
        for (size_t k = 0; k < samplers_.size(); ++k)
            if (samplers_[k]) record(k, samplers_[k]->take_before(end));
    }

    void finish() {
        for (size_t k = 0; k < samplers_.size(); ++k)
            if (samplers_[k]) record(k, samplers_[k]->take_before(std::numeric_limits<double>::infinity()));
    }

private:
    using Key = std::pair<int, int>;  // a grain, and what holds it

    size_t kind_of(std::int32_t grain) const { return size_t(world_.grains[size_t(grain)].kind); }
    bool is_settled(const Grain& grain) const { return grains_[size_t(grain.kind)].grains->fill.settled; }
    const Material& material_of(const Grain& grain) const { return grains_[size_t(grain.kind)].grains->material; }
    const GrainRecorder& recorder() const { return recorders_.front(); }
    bool answers(int wall) const { return recorder().answers(wall); }
    Eigen::Isometry3d pose_of(int wall, double time) const { return recorder().pose_of(wall, time); }

    GrainMeeting meeting_of(const GrainCollision& one) const {
        const Grain& first = world_.grains[size_t(one.first)];
        GrainMeeting meeting{.radii = {first.radius, 0}, .wall = one.second < 0 ? one.wall : -1};
        meeting.materials[0] = &material_of(first);
        if (one.second < 0) {
            meeting.materials[1] = &around_.neighbours[size_t(one.wall)].sounding->body->material;
        } else {
            const Grain& second = world_.grains[size_t(one.second)];
            meeting.radii[1] = second.radius;
            meeting.materials[1] = &material_of(second);
        }
        return meeting;
    }

    // Kinds of encounters: with the grains of each object, then with each neighbour.
    Encounter encounter_of(const GrainCollision& one) const {
        const double along = one.impulse.dot(one.normal);
        return {.time = one.time,
                .point = one.point,
                .normal = one.normal,
                .speed = one.normal_speed,
                .friction = along > 0 ? Vec3(one.impulse / along - one.normal) : Vec3::Zero(),
                .kind = one.second < 0 ? int(grains_.size()) + one.wall : int(kind_of(one.second))};
    }

    void record(size_t kind, const std::vector<DrawnEncounter>& encounters) {
        const GrainsHere& own = grains_[kind];
        for (const DrawnEncounter& drawn : encounters) {
            const int other = drawn.encounter.kind, wall = other - int(grains_.size());
            GrainMeeting meeting{.radii = {radius_in(*own.grains, drawn.random[0]), 0}, .wall = std::max(-1, wall)};
            meeting.materials[0] = &own.grains->material;
            GrainSurface surface;
            if (wall >= 0) {
                meeting.materials[1] = &around_.neighbours[size_t(wall)].sounding->body->material;
                surface = surface_on(own, around_.neighbours[size_t(wall)], around_);
            } else {
                const scene::Grains& others = *grains_[size_t(other)].grains;
                meeting.radii[1] = radius_in(others, drawn.random[1]);
                meeting.materials[1] = &others.material;
                surface = surface_between(own, grains_[size_t(other)], around_);
            }
            GrainContact contact = contact_of(drawn.encounter, meeting, surface);
            if (wall >= 0) contact.point = surfaces_.nearest_in_world(wall, contact.point, contact.time);
            recorders_[kind].add(meeting, contact);
        }
    }

    static double radius_in(const scene::Grains& grains, double part) {
        return grains.radius * (1 + grains.spread * (2 * part - 1));
    }

    void hold(const GrainCollision& one) {
        Held& held = held_[{one.first, one.wall}];
        held.point = one.point;
        held.normal = one.normal;
        held.impulse += one.impulse;
    }

    void add_touch(Key key, const Held& held, double begin, double end) {
        const GrainContact contact{.time = begin, .point = held.point, .normal = held.normal, .impulse = held.impulse};
        own_.touches.push_back({.time = begin,
                                .duration = end - begin,
                                .impulse = -held.impulse,
                                .sides = recorders_[kind_of(key.first)].sides_of(key.second, contact)});
    }

    std::vector<GrainsHere> grains_;
    const Surroundings& around_;
    const GrainWorld& world_;
    OwnMotion& own_;
    WallSurfaces surfaces_;
    std::vector<GrainRecorder> recorders_ = {};
    std::vector<std::optional<Sampler>> samplers_;
    std::map<Key, Held> held_ = {}, held_before_ = {};
    std::vector<Vec3> places_ = {};
};

// Of all objects that are filled in, at once: they meet.
void simulate_together(std::span<const GrainsHere> grains, const Surroundings& around, const Air& air,
                       std::span<const std::shared_ptr<GrainRun>> runs, OwnMotion& own, const Progress& progress) {
    GrainWorld world = world_of(grains, around);
    fill_in(world, grains, around, progress);
    const std::string stage = grains.size() == 1 ? fmt::format("grains \"{}\"", grains.front().grains->name)
                                                 : fmt::format("grains of {} objects", grains.size());
    Listening listening(grains, around, world, air, runs, own);
    if (!around.gravity.isZero(0)) listening.begin_at_rest();
    const GrainSink sink{.collisions = [&](std::span<const GrainCollision> block) { listening.take(block); }};
    GrainSimulator simulator(world, {.duration = around.duration});
    constexpr int parts = 20;  // of a stretch: a million grains take a minute for one
    const long stretches = std::max(1L, long(std::ceil(around.duration / touch_time)));
    for (long i = 0; i < stretches; ++i) {
        const double begin = double(i) * touch_time, end = std::min(around.duration, double(i + 1) * touch_time);
        for (int part = 1; part <= parts; ++part) {
            simulator.advance(part == parts ? end : begin + (end - begin) * part / parts, sink);
            progress(stage, (double(i) + double(part) / parts) / double(stretches));
        }
        listening.end_stretch(begin, end, simulator.grains());
    }
    listening.finish();
    for (const std::shared_ptr<GrainRun>& run : runs) run->report = simulator.report();
    for (const std::string& warning : simulator.report().warnings)
        own.warnings.push_back(fmt::format("{}: {}", object_named(grains.front().grains->name), warning));
}

}  // namespace

std::vector<double> RadiiHeard::values() const {
    if (few_.size() <= most_exact) return {few_.begin(), few_.end()};
    std::vector<double> radii;
    const double low = 0.999 * low_, high = 1.001 * high_;
    for (size_t i = 0; i <= most_exact; ++i) radii.push_back(low + (high - low) * double(i) / double(most_exact));
    return radii;
}

OwnMotion move_grains(const Surroundings& around, const Air& air, const Progress& progress) {
    const Stopwatch watch;
    OwnMotion own;
    std::vector<GrainsHere> grains;
    std::vector<std::shared_ptr<GrainRun>> runs;
    for (const MovedTogether& one : around.together) {
        grains.push_back({&grains_in(one).grains, one.object});
        runs.push_back(std::make_shared<GrainRun>());
    }
    const GrainSource& source = grains_in(around.together.front()).source;
    if (std::holds_alternative<FilledIn>(source))
        simulate_together(grains, around, air, runs, own, progress);
    else
        follow_known(grains.front(), source, around, air, *runs.front(), own, progress);
    for (size_t k = 0; k < grains.size(); ++k) {
        runs[k]->record.finish();
        runs[k]->seconds = watch.seconds();
        if (const std::string warning = warning_of_impacts(*runs[k]); !warning.empty())
            own.warnings.push_back(fmt::format("{}: {}", object_named(grains[k].grains->name), warning));
        grains_in(around.together[k]).last = std::move(runs[k]);
    }
    return own;
}

}  // namespace clangor
