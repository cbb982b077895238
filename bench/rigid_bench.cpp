// One step of a heap: dice on a floor, coins in a bowl.
#include <clangor/motion/rigid/rigid.hpp>

#include <benchmark/benchmark.h>

#include <cmath>

using namespace clangor;

namespace {

RigidBody body_of(const Shape& shape, const CollisionShapePtr& collision, const Vec3& at, double turn, double density) {
    const MassProperties solid = mass_properties(surface_of(shape));
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = at;
    pose.linear() = Eigen::AngleAxisd(turn, Vec3(1, 0.3 * turn, 2).normalized()).toRotationMatrix();
    return {.shape = collision,
            .path = at_rest(pose),
            .mass = density * solid.volume,
            .centre = solid.centre,
            .inertia = density * solid.inertia};
}

RigidWorld heap(const Shape& shape, int count, bool in_bowl) {
    RigidWorld world;
    if (in_bowl) world.bodies.push_back(body_of(Bowl{}, collision_shape(Bowl{}), {0, 0.004, 0}, 0, 2500));
    const CollisionShapePtr collision = collision_shape(shape);
    for (int i = 0; i < count; ++i)
        world.bodies.push_back(
            body_of(shape, collision, {0.01 * std::sin(1.7 * i), 0.08 + 0.03 * i, 0.01 * std::cos(2.3 * i)}, i, 5000));
    world.bodies.push_back(
        {.shape = half_space(), .movement = Movement::Fixed, .path = at_rest(Eigen::Isometry3d::Identity())});
    return world;
}

void run(benchmark::State& state, const RigidWorld& world) {
    double steps = 0;
    for (auto _ : state) steps += simulate(world, {.duration = 1}).step_hz;
    state.counters["us_per_step"] =
        benchmark::Counter(steps / 1e6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void dice(benchmark::State& state) { run(state, heap(Box{Vec3::Constant(0.02)}, int(state.range(0)), false)); }
void coins(benchmark::State& state) {
    run(state, heap(Cylinder{.radius = 0.012, .height = 0.002}, int(state.range(0)), true));
}
void bowl_field(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(collision_shape(Bowl{}));
}

}  // namespace

BENCHMARK(dice)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(coins)->Arg(5)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(bowl_field)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
