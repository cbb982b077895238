// What a rod costs: nanoseconds per control point and step, beside what the core could do.
// Run:  taskset -c 0 build/release/bin/rod_bench
#include <clangor/vibration/rod/rod.hpp>

#include <benchmark/benchmark.h>

#include <cmath>

using namespace clangor;

namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};

// A helical spring that falls, turns and rings: all of its points move and turn all the time.
RodShape spring(long points) {
    RodShape shape;
    shape.points.resize(points, 3);
    for (long i = 0; i < points; ++i) {
        const double a = 2 * pi * double(i) / 48;
        shape.points.row(i) << 0.03 * std::cos(a), 0.03 * std::sin(a), 0.001 * a;
    }
    shape.section = flat_bar(0.0025, 0.001);
    return shape;
}

RodStepper struck(const RodPlan& plan, bool damped) {
    RodStepper rod(plan, {.damping = {.beta = damped ? 1e-7 : 0.0}, .gravity = {0, -9.81, 0}});
    rod.strike({.at = 0.1, .impulse = {0, 0, 1e-3}, .start = 0, .duration = 5e-4});
    return rod;
}

void step(benchmark::State& state) {
    const RodPlan plan = rod_plan(spring(state.range(0)), steel, {.shear = state.range(1) != 0});
    RodStepper rod = struck(plan, true);
    const double dt = 1.0 / 88200;
    for (int k = 0; k < 50; ++k) rod.step(dt);
    const RodReport before = rod.report();
    for (auto _ : state) rod.step(dt);
    using benchmark::Counter;
    const double steps = double(state.iterations());
    state.counters["ns_per_point"] = Counter(steps * double(plan.points) * 1e-9, Counter::kIsRate | Counter::kInvert);
    state.counters["iterations"] = double(rod.report().iterations - before.iterations) / steps;
    state.counters["factorizations"] = double(rod.report().factorizations - before.factorizations) / steps;
}

BENCHMARK(step)
    ->ArgNames({"points", "shear"})
    ->Args({50, 0})
    ->Args({500, 0})
    ->Args({3888, 0})
    ->Args({15000, 0})
    ->Args({500, 1});

}  // namespace

BENCHMARK_MAIN();
