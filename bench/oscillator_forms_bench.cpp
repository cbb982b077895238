// Ways to step a decaying mode in float: their speed, and their largest error over one block that starts from exact
// values, as a part of the amplitude. docs/theory/oscillator.md quotes the results.
#include <clangor/vibration/oscillator/oscillator.hpp>
#include <clangor/vibration/oscillator/registers.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <complex>

using namespace clangor;
using oscillator::fused;
using oscillator::load;

namespace {

using Complex = std::complex<double>;
using Register = oscillator::Register<float>;
constexpr double rate = 48000;
constexpr int block = Resonators::block_samples;
constexpr int lanes = oscillator::register_lanes<float>;

// Each form keeps y = Im ζ and a second value; `set` takes E = e^{λh} and ζ.
template <class Value>
struct TwoTap {  // y ← 2C y − ε² y₋
    Value y, before, a1, a2;
    void set(Complex E, Complex zeta, auto put) {
        put(y, zeta.imag()), put(before, (zeta / E).imag()), put(a1, 2 * E.real()), put(a2, -std::norm(E));
    }
    void step() {
        const Value next = fused(a1, y, a2 * before);
        before = y;
        y = next;
    }
};

template <class Value>
struct Rotation {  // (y, x) ← E (y, x)
    Value y, x, c, s, minus_s;
    void set(Complex E, Complex zeta, auto put) {
        put(y, zeta.imag()), put(x, zeta.real()), put(c, E.real()), put(s, E.imag()), put(minus_s, -E.imag());
    }
    void step() {
        const Value next = fused(c, y, s * x);
        x = fused(c, x, minus_s * y);
        y = next;
    }
};

template <class Value>
struct Increment {  // d ← ε²d − κy, y ← y + d
    Value y, d, decay, minus_kappa;
    void set(Complex E, Complex zeta, auto put) {
        put(y, zeta.imag()), put(d, (zeta - zeta / E).imag()), put(decay, std::norm(E));
        put(minus_kappa, -std::norm(1.0 - E));
    }
    void step() {
        d = fused(minus_kappa, y, decay * d);
        y += d;
    }
};

template <class Value>
struct DampedIncrement {  // v ← v − κy, y ← ε²y + v: the one that the bank uses
    Value y, v, decay, minus_kappa;
    void set(Complex E, Complex zeta, auto put) {
        put(y, zeta.imag()), put(v, ((1.0 - std::conj(E)) * zeta).imag()), put(decay, std::norm(E));
        put(minus_kappa, -std::norm(1.0 - E));
    }
    void step() {
        v = fused(minus_kappa, y, v);
        y = fused(decay, y, v);
    }
};

template <template <class> class Form>
double error_at(double hz) {
    const Complex z = Complex(-1e-4, std::sqrt(1 - 1e-8)) * (2 * pi * hz / rate);
    double worst = 0;
    for (int phase = 0; phase < 64; ++phase) {
        Form<Register> form;
        const Complex zeta = std::polar(1.0, 0.1 * phase);
        form.set(std::exp(z), zeta, [](Register& r, double value) { r = Register{} + float(value); });
        for (int k = 0; k < block; ++k, form.step()) {
            worst = std::max(worst, std::abs(double(form.y[0]) - (zeta * std::exp(double(k) * z)).imag()));
        }
    }
    return worst;
}

template <template <class> class Form>
void form(benchmark::State& state) {
    constexpr int flight = 5;
    alignas(64) float sums[block][lanes] = {};
    const Complex E = std::exp(Complex(-1e-6, 0.3));
    for (auto _ : state) {
        Form<Register> modes[flight];
        for (int i = 0; i < flight; ++i) {
            modes[i].set(E, 1.0, [](Register& r, double value) {
                r = Register{} + float(value);
                benchmark::DoNotOptimize(r);
            });
        }
        for (int k = 0; k < block * 64; ++k) {
            Register sum = load(sums[k % block]);
#pragma GCC unroll 8
            for (int i = 0; i < flight; ++i) {
                sum += modes[i].y;
                modes[i].step();
            }
            oscillator::store(sums[k % block], sum);
        }
        benchmark::DoNotOptimize(sums);
    }
    const double total = double(state.iterations()) * block * 64 * flight * lanes;
    state.counters["modes_realtime"] = benchmark::Counter(total / rate, benchmark::Counter::kIsRate);
    state.counters["error_20Hz"] = error_at<Form>(20);
    state.counters["error_1kHz"] = error_at<Form>(1000);
    state.counters["error_20kHz"] = error_at<Form>(20000);
}

}  // namespace

BENCHMARK(form<TwoTap>);
BENCHMARK(form<Rotation>);
BENCHMARK(form<Increment>);
BENCHMARK(form<DampedIncrement>);
BENCHMARK_MAIN();
