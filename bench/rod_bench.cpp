// What a rod costs: nanoseconds per control point and step, beside what the core could do.
// Run:  taskset -c 0 build/release/bin/rod_bench
//
// All figures are times of the process: other load does not count. Per point, forces are 530 flops, their matrix 880
// more, a factorisation 640 and a solve 160 (counted in the compiled loops; 690, 1280, 2100 and 360 with shear);
// `fma_fraction` is what they make of the peak of fused multiply-adds in double. Without shear an iteration reads and
// writes 960 bytes a point and a step 290 more: `gigabytes` are those a second, beside what one core moves of as much
// memory as 15 000 points take, where it does nothing else.
#include <clangor/vibration/rod/rod.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>

using namespace clangor;

namespace {

constexpr double rate = 88200;
const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};

// Sixteen chains of multiply-adds that never leave their registers; the best of some runs, in flops a second.
double fma_peak() {
    using Packet = Eigen::internal::packet_traits<double>::type;
    constexpr int chains = 16, steps = 1 << 22, lanes = Eigen::internal::packet_traits<double>::size;
    static const double peak = [] {
        double best = 0;
        for (int run = 0; run < 8; ++run) {
            double by = 0.999, plus = 1e-3;
            benchmark::DoNotOptimize(by);
            benchmark::DoNotOptimize(plus);
            const Packet a = Eigen::internal::pset1<Packet>(by), b = Eigen::internal::pset1<Packet>(plus);
            Packet p[chains];
            for (int i = 0; i < chains; ++i) p[i] = Eigen::internal::pset1<Packet>(double(i));
            const std::clock_t begin = std::clock();
            for (int k = 0; k < steps; ++k) {
#pragma GCC unroll 16
                for (int i = 0; i < chains; ++i) p[i] = Eigen::internal::pmadd(a, p[i], b);
            }
            const double taken = double(std::clock() - begin) / CLOCKS_PER_SEC;
            for (int i = 0; i < chains; ++i) benchmark::DoNotOptimize(p[i]);
            best = std::max(best, 2.0 * steps * chains * lanes / taken);
        }
        return best;
    }();
    return peak;
}

// A helical spring of flat wire, 48 points a turn.
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

// It falls, turns and rings, so that all of its points move and turn all the time.
void step(benchmark::State& state) {
    const bool shear = state.range(1) != 0;
    const RodPlan plan = rod_plan(spring(state.range(0)), steel, {.shear = shear});
    RodStepper rod(plan, {.damping = {.beta = 1e-7}, .gravity = {0, -9.81, 0}});
    rod.strike({.at = 0.1, .impulse = {0, 0, 1e-3}, .duration = 5e-4});
    for (int k = 0; k < 500; ++k) rod.step(1 / rate);
    const RodReport before = rod.report();
    for (auto _ : state) rod.step(1 / rate);
    using benchmark::Counter;
    const double steps = double(state.iterations());
    const double iterations = double(rod.report().iterations - before.iterations);
    const double factorizations = double(rod.report().factorizations - before.factorizations);
    const double flops = shear ? 1050 * iterations + 3380 * factorizations : 690 * iterations + 1520 * factorizations;
    state.counters["ns_per_point"] = Counter(steps * double(plan.points) * 1e-9, Counter::kIsRate | Counter::kInvert);
    state.counters["iterations"] = iterations / steps;
    state.counters["factorizations"] = factorizations / steps;
    state.counters["fma_fraction"] = Counter(flops * double(plan.points) / fma_peak(), Counter::kIsRate);
    if (!shear)
        state.counters["gigabytes"] =
            Counter((960 * iterations + 290 * steps) * double(plan.points) * 1e-9, Counter::kIsRate);
    state.counters["times_realtime"] = Counter(steps / rate, Counter::kIsRate);
}

void fused_peak(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(fma_peak());
    state.counters["gigaflops"] = fma_peak() / 1e9;
}

// Three of four numbers are read, one is written, of 14 MB.
void moved_memory(benchmark::State& state) {
    constexpr long size = 14'000'000 / 4 / 8;
    Eigen::VectorXd a = Eigen::VectorXd::Ones(size), b = a, c = a, d = a;
    for (auto _ : state) {
        a.noalias() = b + c.cwiseProduct(d);
        benchmark::DoNotOptimize(a.data());
        benchmark::ClobberMemory();
    }
    state.counters["gigabytes"] =
        benchmark::Counter(double(state.iterations()) * size * 32e-9, benchmark::Counter::kIsRate);
}

BENCHMARK(fused_peak)->Iterations(1);
BENCHMARK(moved_memory);
BENCHMARK(step)
    ->ArgNames({"points", "shear"})
    ->Args({30, 0})
    ->Args({50, 0})
    ->Args({500, 0})
    ->Args({3888, 0})
    ->Args({15000, 0})
    ->Args({50, 1})
    ->Args({500, 1});

}  // namespace

BENCHMARK_MAIN();
