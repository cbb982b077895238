// What it costs to hear a rod: the sum over its points for one receiver, beside the plain loop that writes each point's
// pressure with linear interpolation, and beside the square root and divisions alone that no loop can do without.
//
//     build/release/bin/dipole_bench
#include <clangor/radiation/dipole/dipole.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

using namespace clangor;

namespace {

const Air air;
constexpr double rate = 48000;
constexpr long instants = 256;

/// A helix of wire, as a toy that walks stairs has it; every instant moves it a little.
RodInstant helix(long points) {
    RodInstant instant{.positions = Eigen::MatrixX3d(points, 3),
                       .accelerations = Eigen::MatrixX3d(points, 3),
                       .d_1 = Eigen::MatrixX3d(points, 3),
                       .d_2 = Eigen::MatrixX3d(points, 3)};
    for (long i = 0; i < points; ++i) {
        const double angle = 2 * pi * double(i) / 48;
        instant.positions.row(i) << 0.0325 * std::cos(angle), 0.0002 * double(i), 0.0325 * std::sin(angle);
        instant.accelerations.row(i) << std::sin(0.3 * double(i)), std::cos(0.2 * double(i)), 1;
        instant.d_1.row(i) << std::cos(angle), 0, std::sin(angle);
        instant.d_2.row(i) << 0, 1, 0;
    }
    return instant;
}

RadiatingRod wire(long points) {
    return radiating_rod(RectangleSection{0.00095, 0.00038}, Eigen::VectorXd::Constant(points, 0.0042));
}

void count(benchmark::State& state) {
    state.counters["per source and sample"] =
        benchmark::Counter(double(state.iterations()) * double(instants) * double(state.range(0)),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void sum_of_dipoles(benchmark::State& state) {
    const RodInstant instant = helix(state.range(0));
    const PointSources sources = sources_of(wire(state.range(0)), instant, air);
    DipoleSum sum({.source_rate = rate, .sample_rate = rate, .reach = 1}, air);
    std::vector<float> out(instants);
    double time = 0;
    for (auto _ : state) {
        for (long k = 0; k < instants; ++k, time += 1 / rate)
            sum.add(sources, {.centre = {0, 0.3, 0}, .receiver = {1 + 0.1 * std::sin(time), 1, 0.5}});
        while (sum.ready() >= instants) sum.take(out);
        benchmark::DoNotOptimize(out.data());
    }
    count(state);
}
BENCHMARK(sum_of_dipoles)->Arg(30)->Arg(400)->Arg(3888)->Arg(15000);

void sources_from_motion(benchmark::State& state) {
    const RodInstant instant = helix(state.range(0));
    const RadiatingRod rod = wire(state.range(0));
    PointSources sources;
    for (auto _ : state)
        for (long k = 0; k < instants; ++k) {
            sources = sources_of(rod, instant, air, std::move(sources));
            benchmark::DoNotOptimize(sources.forces.data());
        }
    count(state);
}
BENCHMARK(sources_from_motion)->Arg(30)->Arg(400)->Arg(3888);

// [Schweickart2017, Eq. 12], point by point as one would write it down: the jerk by differences, the pressure of each
// point shared between the two samples next to its arrival.
void linear_interpolation(benchmark::State& state) {
    const long n = state.range(0);
    const RodInstant instant = helix(n);
    const RadiatingRod rod = wire(n);
    std::vector<Vec3> before(size_t(n), Vec3::Zero());
    std::vector<double> out(size_t(instants) + 4096);
    for (auto _ : state) {
        for (long k = 0; k < instants; ++k)
            for (long i = 0; i < n; ++i) {
                const Vec3 a = instant.accelerations.row(i), jerk = (a - before[size_t(i)]) * rate;
                before[size_t(i)] = a;
                Mat3 frame;
                frame << instant.d_1.row(i).transpose(), instant.d_2.row(i).transpose(),
                    instant.d_1.row(i).cross(instant.d_2.row(i)).transpose();
                Mat3 D = Mat3::Zero();
                D.topLeftCorner<2, 2>() = rod.lengths[i] * rod.dipole;
                const Vec3 arm = Vec3(1, 1, 0.5) - instant.positions.row(i).transpose();
                const double R = arm.norm();
                const double p = air.density / (4 * pi * air.speed_of_sound * R) *
                                 (arm / R).dot(frame * D * frame.transpose() * jerk);
                const double arrival = double(k) + R / air.speed_of_sound * rate;
                const long sample = long(arrival);
                const double part = arrival - double(sample);
                out[size_t(sample)] += (1 - part) * p;
                out[size_t(sample) + 1] += part * p;
            }
        benchmark::DoNotOptimize(out.data());
    }
    count(state);
}
BENCHMARK(linear_interpolation)->Arg(30)->Arg(400)->Arg(3888);

// One square root and two divisions a source, eight at a time: the arithmetic that the distance takes.
void distances_alone(benchmark::State& state) {
    const long n = state.range(0);
    const RodInstant instant = helix(n);
    std::vector<double> later(size_t(n), 0.0);
    const double *x = instant.positions.data(), *y = x + n, *z = y + n;
    for (auto _ : state)
        for (long k = 0; k < instants; ++k) {
#pragma omp simd
            for (long i = 0; i < n; ++i) {
                const double dx = 1 - x[i], dy = 1 - y[i], dz = 0.5 - z[i];
                const double R = std::sqrt(dx * dx + dy * dy + dz * dz), inverse = 1 / R;
                later[size_t(i)] = (R - 1) / (1 - 1e-3 * dx * inverse);
            }
            benchmark::DoNotOptimize(later.data());
            benchmark::ClobberMemory();
        }
    count(state);
}
BENCHMARK(distances_alone)->Arg(30)->Arg(400)->Arg(3888);

}  // namespace

BENCHMARK_MAIN();
