// Contacts a second: heaps of balls between two walls, solved from nothing and from impulses that are 1 % off, as those
// of the step before are. Run:  taskset -c 0 build/release/bin/friction_bench
#include "../tests/motion/friction/bodies.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

using namespace clangor;

namespace {

constexpr double tolerance = 1e-6;

// Balls of 1 cm, each in its hollow, after a millisecond of falling.
FrictionProblem heap_of(int columns, int rows) {
    const double radius = 0.01, mass = 0.01;
    std::vector<testing::FreeBody> balls;
    std::vector<testing::BodyContact> contacts;
    std::vector<Vec3> centres;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            centres.push_back(radius * Vec3(2 * column + row % 2, 1 + std::sqrt(3.0) * row, 0));
    const auto touch = [&](int first, int second, const Vec3& normal) {
        contacts.push_back({.first = first,
                            .second = second,
                            .frame = contact_frame(normal),
                            .arm_first = -radius * normal,
                            .arm_second = radius * normal,
                            .law = {.friction = 0.3}});
    };
    for (size_t i = 0; i < centres.size(); ++i) {
        balls.push_back({1 / mass, 1 / (0.4 * mass * square(radius)), {0, -9.81e-3, 0}});
        if (centres[i].y() < 1.01 * radius) touch(int(i), -1, Vec3::UnitY());
        if (centres[i].x() < 0.01 * radius) touch(int(i), -1, Vec3::UnitX());
        if (centres[i].x() > radius * (2 * columns - 1.01)) touch(int(i), -1, -Vec3::UnitX());
        for (size_t j = 0; j < i; ++j) {
            const Vec3 between = centres[i] - centres[j];
            if (between.norm() < 2.01 * radius) touch(int(i), int(j), between.normalized());
        }
    }
    return testing::problem_of(balls, contacts);
}

void report(benchmark::State& state, const FrictionProblem& problem, const FrictionSolution& solution) {
    using benchmark::Counter;
    state.counters["contacts"] = double(problem.contacts.size());
    state.counters["sweeps"] = solution.sweeps;
    state.counters["residual"] = solution.residual;
    state.counters["contacts_per_s"] =
        Counter(double(problem.contacts.size()) * double(state.iterations()), Counter::kIsRate);
}

void heap_from_nothing(benchmark::State& state) {
    const FrictionProblem problem = heap_of(int(state.range(0)), int(state.range(1)));
    FrictionSolution solution;
    for (auto _ : state) solution = solve_friction(problem, {.tolerance = tolerance});
    report(state, problem, solution);
}

void heap_from_the_step_before(benchmark::State& state) {
    const FrictionProblem problem = heap_of(int(state.range(0)), int(state.range(1)));
    std::vector<Vec3> start = solve_friction(problem, {.tolerance = tolerance}).impulses;
    for (size_t i = 0; i < start.size(); ++i) start[i] *= i % 2 ? 1.01 : 0.99;
    FrictionSolution solution;
    for (auto _ : state) solution = solve_friction(problem, {.tolerance = tolerance}, start);
    report(state, problem, solution);
}

}  // namespace

BENCHMARK(heap_from_nothing)->Args({5, 4})->Args({20, 10})->Args({40, 25})->Unit(benchmark::kMillisecond);
BENCHMARK(heap_from_the_step_before)->Args({5, 4})->Args({20, 10})->Args({40, 25})->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
