#include <clangor/motion/grain_runs/grain_runs.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace clangor {
namespace {

// Into the box that repeats.
Vec3 folded(Vec3 point, const Vec3& box) {
    for (long axis = 0; axis < 3; ++axis) point[axis] -= box[axis] * std::floor(point[axis] / box[axis]);
    return point;
}

}  // namespace

std::vector<Encounter> encounters_of(std::span<const GrainCollision> collisions, const GrainWorld& world) {
    std::vector<Encounter> encounters;
    const auto kind_of = [&](std::int32_t grain) { return world.grains[static_cast<std::size_t>(grain)].kind; };
    for (const GrainCollision& c : collisions) {
        const double along = c.impulse.dot(c.normal);
        if (c.second < 0 || !(along > 0) || !(c.normal_speed > 0)) continue;
        encounters.push_back({.time = c.time,
                              .point = world.periodic ? folded(c.point, *world.periodic) : c.point,
                              .normal = c.normal,
                              .speed = c.normal_speed,
                              .friction = c.impulse / along - c.normal,
                              .kind = kind_of(c.first) * static_cast<int>(world.kinds.size()) + kind_of(c.second)});
    }
    return encounters;
}

GrainFlow flow_of(const GrainFrame& frame, const FlowOptions& options) {
    const long count = std::ssize(frame.grains);
    Points positions(count, 3), velocities(count, 3);
    for (long i = 0; i < count; ++i) {
        positions.row(i) = frame.grains[static_cast<std::size_t>(i)].position;
        velocities.row(i) = frame.grains[static_cast<std::size_t>(i)].velocity;
    }
    return flow_of(positions, velocities, options);
}

// A frame stands for half the time to the one before and half of that to the next: it is learnt from when the
// collisions up to there are known, with the next frame.
GrainDatabank taught(GrainDatabank databank, const GrainWorld& world, const LessonOptions& options,
                     const Progress& progress) {
    CLANGOR_ASSERT(options.duration > 0 && options.frame_hz > 0 && !world.grains.empty(), "a run of grains");
    const double radius = world.grains.front().radius, half = 0.5 / options.frame_hz;
    std::vector<Encounter> encounters;
    GrainFlow flow{.sheared = databank.traits.sheared};  // none before the first frame
    FlowWindow window;
    const auto learn = [&] {
        databank = learnt(std::move(databank), flow, window, encounters);
        std::erase_if(encounters, [&](const Encounter& encounter) { return encounter.time < window.end; });
    };
    simulate(world, {.duration = options.duration, .frame_hz = options.frame_hz},
             {.collisions =
                  [&](std::span<const GrainCollision> block) {
                      const std::vector<Encounter> more = encounters_of(block, world);
                      encounters.insert(encounters.end(), more.begin(), more.end());
                  },
              .frame =
                  [&](const GrainFrame& frame) {
                      learn();
                      flow = flow_of(frame, {.radius = radius, .edge = options.edge});
                      if (databank.traits.sheared)
                          flow = with_shear_variance(std::move(flow), databank.traits.restitution);
                      window = {frame.time, frame.time - half, frame.time + half};
                      progress("learning how grains meet", std::min(1.0, frame.time / options.duration));
                  }});
    learn();
    return databank;
}

}  // namespace clangor
