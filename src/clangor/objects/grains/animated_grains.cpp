// Grains of an animation, which knows places and velocities but no collision.
#include <clangor/objects/grains/grain_recorder.hpp>
#include <clangor/objects/grains/known_grains.hpp>
#include <clangor/objects/grains/wall_surfaces.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Denser than grains can lie: what animations of liquids make of it.
constexpr double densest = 0.6;

// Such a storm means other units: ten million grains at rest meet less often.
constexpr std::size_t most_between_frames = 5'000'000;

/// Several grains that move alike, as far as is known.
struct Parcel {
    Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
    double count = 0;
};

GrainFlow flow_of(const io::FlowFrame& frame, const Animated& animated, const scene::Grains& grains) {
    const bool is_grid = frame.fills.size() > 0;
    GrainFlow flow;
    if (!is_grid) {
        flow = clangor::flow_of(frame.positions, frame.velocities,
                                {.radius = grains.radius, .grains_per_particle = grains.grains_per_particle});
    } else {
        const io::FlowGrid& grid = animated.grid;
        flow = {.radius = grains.radius, .edge = grid.edge};
        for (long i = 0; i < frame.positions.rows(); ++i) {
            if (!(frame.fills[i] > 0)) continue;
            FlowCell cell{.fill = frame.fills[i], .velocity = frame.velocities.row(i)};
            for (size_t axis = 0; axis < 3; ++axis)
                cell.cell[axis] =
                    std::lround((frame.positions(i, long(axis)) - grid.corner[long(axis)]) / grid.edge - 0.5);
            if (frame.deviations.size() > 0) cell.variance = square(frame.deviations[i]);
            flow.cells.push_back(cell);
        }
        std::ranges::sort(flow.cells, {}, &FlowCell::cell);
    }
    for (FlowCell& cell : flow.cells) cell.fill = std::min(cell.fill, densest);
    return animated.databank.traits.sheared ? with_shear_variance(std::move(flow), animated.databank.traits.restitution)
                                            : flow;
}

class Animation {
public:
    Animation(const GrainsHere& grains, const Animated& animated, const Surroundings& around, const Air& air,
              GrainRun& run, OwnMotion& own)
        : grains_(grains),
          animated_(animated),
          around_(around),
          run_(run),
          recorder_(grains, around, air, run, own),
          surfaces_(around),
          surface_(surface_within(grains, around)),
          random_(Random(around.seed).child(std::uint64_t(grains.object))) {}

    // What begins between two frames: of both, the nearer the more.
    void follow(const io::FlowFrame& from, const io::FlowFrame& to) {
        if (to.time <= 0 || from.time >= around_.duration) return;
        struct Met {
            GrainMeeting meeting;
            GrainContact contact;
        };
        std::vector<Met> all;
        const auto meet = [&](const Met& met) {
            all.push_back(met);
            if (all.size() > most_between_frames) refuse_storm(from.time, to.time);
        };
        for (const io::FlowFrame* const frame : {&from, &to})
            for (const Encounter& encounter : encounters_of(*frame, from.time, to.time)) {
                const double nearness = 1 - std::abs(encounter.time - frame->time) / (to.time - from.time);
                if (random_.uniform() > nearness || is_outside(encounter.time)) continue;
                const GrainMeeting meeting = meeting_within();
                meet({meeting, contact_of(encounter, meeting, surface_)});
            }
        for (const Parcel& parcel : parcels_of(from)) {
            const std::optional<WallSurfaces::Hit> hit = surfaces_.first_hit(
                {from.time, to.time, parcel.position, parcel.position + (to.time - from.time) * parcel.velocity,
                 grains_.grains->radius});
            if (!hit) continue;
            const GrainMeeting meeting = meeting_with(hit->wall);
            const GrainSurface surface = surface_on(grains_, around_.neighbours[size_t(hit->wall)], around_);
            for (long left = long(parcel.count + 1 - random_.uniform()); left > 0; --left) {
                Encounter encounter = one_of(*hit, parcel, from.time, to.time);
                if (!is_outside(encounter.time)) meet({meeting, contact_of(encounter, meeting, surface)});
            }
        }
        std::ranges::stable_sort(all, {}, [](const Met& met) { return met.contact.time; });
        for (const Met& met : all) {
            (met.meeting.wall < 0 ? run_.report.between_grains : run_.report.with_walls)++;
            recorder_.add(met.meeting, met.contact);
        }
    }

private:
    bool is_outside(double time) const { return time < 0 || time > around_.duration; }

    [[noreturn]] static void refuse_storm(double begin, double end) {
        throw Error(
            fmt::format("between the frames at {:.6g} s and {:.6g} s its grains meet more than {} times; see "
                        "whether units, fills, velocities and the radius are right",
                        begin, end, most_between_frames));
    }

    std::vector<Encounter> encounters_of(const io::FlowFrame& frame, double begin, double end) {
        const GrainFlow flow = flow_of(frame, animated_, *grains_.grains);
        double expected = 0;
        for (const FlowCell& cell : flow.cells)
            expected += encounter_ratio(animated_.databank, cell, flow.radius) * cube(flow.edge) * (end - begin) *
                        gas_encounter_rate({cell.fill, flow.radius, cell.variance});
        if (!(expected < double(most_between_frames))) refuse_storm(begin, end);
        std::vector<Encounter> encounters = drawn(flow, animated_.databank, {frame.time, begin, end}, random_.bits());
        if (animated_.particles.empty())
            for (Encounter& encounter : encounters) encounter.point += animated_.grid.corner;
        return encounters;
    }

    // Particles as they are; of a cell as many grains as are in it, anywhere in it.
    std::vector<Parcel> parcels_of(const io::FlowFrame& frame) {
        constexpr long most = 8;  // of a cell, then they stand for several
        std::vector<Parcel> parcels;
        const double edge = animated_.grid.edge, grain = 4 * pi / 3 * cube(grains_.grains->radius);
        for (long i = 0; i < frame.positions.rows(); ++i) {
            Parcel parcel{frame.positions.row(i), frame.velocities.row(i), grains_.grains->grains_per_particle};
            if (frame.fills.size() == 0) {
                parcels.push_back(parcel);
                continue;
            }
            const double count = std::min(frame.fills[i], densest) * cube(edge) / grain;
            const double deviation = frame.deviations.size() > 0 ? frame.deviations[i] : 0;
            parcel.count = count / most;
            if (!(count > 0)) continue;
            for (long k = 0; k < most; ++k) {
                Parcel some = parcel;
                for (long axis = 0; axis < 3; ++axis) some.position[axis] += edge * (random_.uniform() - 0.5);
                if (deviation > 0) some.velocity += deviation * random_.rayleigh() * drawn_direction(random_);
                parcels.push_back(some);
            }
        }
        return parcels;
    }

    GrainMeeting meeting_within() {
        const Material* const material = &grains_.grains->material;
        return {.radii = {drawn_radius(), drawn_radius()}, .materials = {material, material}};
    }

    GrainMeeting meeting_with(int wall) {
        return {.radii = {drawn_radius(), 0},
                .materials = {&grains_.grains->material, &around_.neighbours[size_t(wall)].sounding->body->material},
                .wall = wall};
    }

    double drawn_radius() {
        return grains_.grains->radius * (1 + grains_.grains->spread * (2 * random_.uniform() - 1));
    }

    // Grains of a parcel are as far apart as they are in it: they come one after the other, here and there.
    Encounter one_of(const WallSurfaces::Hit& hit, const Parcel& parcel, double begin, double end) {
        Encounter encounter{.time = hit.time, .point = hit.point, .normal = hit.normal, .speed = hit.speed};
        if (grains_.grains->grains_per_particle <= 1 && animated_.grid.edge == 0) return encounter;
        const double size =
            animated_.grid.edge > 0 ? animated_.grid.edge / 2 : 2 * grains_.grains->radius * std::cbrt(parcel.count);
        const Vec3 aside = size * (random_.uniform() - 0.5) * drawn_direction(random_);
        encounter.point = surfaces_.nearest_in_world(hit.wall, hit.point + aside, hit.time);
        encounter.time = std::clamp(hit.time + aside.dot(hit.normal) / hit.speed, begin, end);
        return encounter;
    }

    GrainsHere grains_;
    const Animated& animated_;
    const Surroundings& around_;
    GrainRun& run_;
    GrainRecorder recorder_;
    WallSurfaces surfaces_;
    GrainSurface surface_;
    Random random_;
};

}  // namespace

void follow_animation(const GrainsHere& grains, const Animated& animated, const Surroundings& around, const Air& air,
                      GrainRun& run, OwnMotion& own, const Progress& progress) {
    const std::vector<io::FlowFrame>& frames = animated.particles.empty() ? animated.grid.frames : animated.particles;
    Animation animation(grains, animated, around, air, run, own);
    for (size_t i = 0; i + 1 < frames.size(); ++i) {
        animation.follow(frames[i], frames[i + 1]);
        progress(fmt::format("grains \"{}\"", grains.grains->name), double(i + 1) / double(frames.size() - 1));
    }
    if (frames.back().time <= 0 || frames.front().time >= around.duration)
        own.warnings.push_back(fmt::format("{}: all frames are before time 0 or after the end; nothing of it is heard",
                                           object_named(grains.grains->name)));
}

}  // namespace clangor
