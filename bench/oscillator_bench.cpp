// How many modes ring in real time at 48 kHz on one core, beside the loop that one would write first and the peak of
// the core. Run:  taskset -c 0 build/release/bin/oscillator_bench
//
// Flops: the bank spends two fused multiply-adds (4 flops) and one addition a mode and sample. Only the 4 are counted,
// as additions have units of their own on many machines: fma_fraction is the part of the core's multiply-add slots in
// use.
#include <clangor/vibration/oscillator/oscillator.hpp>
#include <clangor/vibration/oscillator/registers.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>
#include <random>

using namespace clangor;

namespace {

constexpr double rate = 48000;
constexpr int call_samples = 512;

OscillatorBank bank_of(long modes, double xi) {
    return {.omega = Eigen::VectorXd::LinSpaced(modes, 2 * pi * 20, 2 * pi * 20e3),
            .xi = Eigen::VectorXd::Constant(modes, xi),
            .sample_rate_hz = rate};
}

// Sixteen chains of multiply-adds that never leave their registers; the best of some runs, in flops a second.
double fma_peak() {
    using oscillator::fused;
    using Register = oscillator::Register<float>;
    constexpr int chains = 16, steps = 1 << 22;
    static const double peak = [] {
        double best = 0;
        for (int run = 0; run < 8; ++run) {
            Register x[chains];
            for (int i = 0; i < chains; ++i) x[i] = Register{} + float(i);
            Register a = Register{} + 0.999f, b = Register{} + 1e-3f;
            benchmark::DoNotOptimize(a);
            benchmark::DoNotOptimize(b);
            const std::clock_t begin =
                std::clock();  // of this process: other load does not count, as in the rates below
            for (int k = 0; k < steps; ++k) {
#pragma GCC unroll 16
                for (int i = 0; i < chains; ++i) x[i] = fused(a, x[i], b);
            }
            const double taken = double(std::clock() - begin) / CLOCKS_PER_SEC;
            for (int i = 0; i < chains; ++i) benchmark::DoNotOptimize(x[i]);
            best = std::max(best, 2.0 * steps * chains * oscillator::register_lanes<float> / taken);
        }
        return best;
    }();
    return peak;
}

void report(benchmark::State& state, double modes, double samples, double flops) {
    using benchmark::Counter;
    const double total = modes * samples * double(state.iterations());
    state.counters["modes_realtime"] = Counter(total / rate, Counter::kIsRate);
    state.counters["fma_fraction"] = Counter(total * flops / fma_peak(), Counter::kIsRate);
}

void bank_in_float(benchmark::State& state) {
    const long modes = state.range(0);
    Resonators resonators(bank_of(modes, 0), Eigen::VectorXcd::Constant(modes, {0, -1}), 1);
    const std::vector<double> impulse(size_t(modes), 1.0);
    resonators.strike(0, 0, PulseShape::Hertz, impulse);
    std::vector<float> out(call_samples);
    resonators.render_block(out);
    for (auto _ : state) {
        resonators.render_block(out);
        benchmark::DoNotOptimize(out.data());
    }
    report(state, double(modes), call_samples, 4);
}

// What one would write first: x_k = a1 x_{k−1} + a2 x_{k−2} in double, mode after mode: 3 flops and one addition.
void plain_two_tap(benchmark::State& state) {
    const size_t modes = size_t(state.range(0));
    std::vector<double> a1(modes), a2(modes), now(modes), before(modes);
    for (size_t m = 0; m < modes; ++m) {
        const double hz = 20 + 19980 * double(m) / double(modes);
        const Recurrence r = recurrence(2 * pi * hz, 1e-7, 1 / rate, Hold::Impulse);
        a1[m] = r.a1, a2[m] = r.a2, now[m] = r.b1;
    }
    std::vector<float> out(call_samples);
    for (auto _ : state) {
        for (float& sample : out) {
            double sum = 0;
            for (size_t m = 0; m < modes; ++m) {
                const double next = a1[m] * now[m] + a2[m] * before[m];
                before[m] = now[m];
                now[m] = next;
                sum += next;
            }
            sample += float(sum);
        }
        benchmark::DoNotOptimize(out.data());
    }
    report(state, double(modes), call_samples, 3);
}

// 50 bodies of 60 modes, 20 000 contacts of 50 to 500 µs in 5 s, on one core.
void crowded_scene(benchmark::State& state) {
    const int bodies = 50, strikes_each = 400;
    const long modes = 60, samples = long(5 * rate);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<ModalImpulse> strikes;
    for (int i = 0; i < strikes_each; ++i) {
        strikes.push_back({.start = 5 * uniform(random),
                           .duration = 5e-5 * std::pow(10, uniform(random)),
                           .shape = PulseShape::Hertz,
                           .impulse = Eigen::VectorXd::NullaryExpr(modes, [&] { return uniform(random); })});
    }
    const OscillatorBank bank = bank_of(modes, 1e-3);
    const Eigen::VectorXcd weights = Eigen::VectorXcd::Constant(modes, {0, -1});
    for (auto _ : state) {
        for (int body = 0; body < bodies; ++body)
            benchmark::DoNotOptimize(ring(bank, strikes, weights, samples).data());
    }
    state.counters["times_realtime"] = benchmark::Counter(5 * double(state.iterations()), benchmark::Counter::kIsRate);
}

void fused_peak(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(fma_peak());
    state.counters["gigaflops"] = fma_peak() / 1e9;
}

}  // namespace

BENCHMARK(fused_peak)->Iterations(1);
BENCHMARK(bank_in_float)->Arg(1000)->Arg(10000)->Arg(100000)->Arg(400000)->Unit(benchmark::kMicrosecond);
BENCHMARK(plain_two_tap)->Arg(1000)->Arg(10000)->Arg(100000)->Arg(400000)->Unit(benchmark::kMicrosecond);
BENCHMARK(crowded_scene)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
