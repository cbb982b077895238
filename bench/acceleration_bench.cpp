// What a click costs: the calls of a scene with thousands of collisions are one small ball's, the dear ones are those
// of bodies that sound for long and in many directions. Run:  taskset -c 0 build/release/bin/acceleration_bench
#include <clangor/radiation/acceleration/acceleration.hpp>

#include <benchmark/benchmark.h>

#include <cmath>

using namespace clangor;

namespace {

void run_clicks(benchmark::State& state, const AccelerationNoise& noise, double duration) {
    const PreparedNoise prepared = prepare(noise, 48000);
    std::vector<float> emitted(48000);
    double phase = 0;
    for (auto _ : state) {
        phase += 0.37;
        const Vec3 listener = Vec3(std::cos(phase), std::sin(phase), std::sin(2 * phase));
        add_click(emitted, prepared,
                  {.time = 0.4 + 1e-3 * std::sin(3 * phase),
                   .duration = duration,
                   .velocity_change = {0.1, 0.2, 0.3},
                   .spin_change = {1, 2, 3},
                   .listener = listener});
    }
    state.counters["block"] = static_cast<double>(prepared.block_samples);
    state.counters["signals"] = static_cast<double>(prepared.motions.size());
    benchmark::DoNotOptimize(emitted.data());
}

// As many signals as the default storage holds, for 13 ms: a mug without any symmetry.
AccelerationNoise large_body(int harmonics) {
    AccelerationNoise noise{
        .radius = 0.06, .reference_radius = 0.09, .pulse_scale = 25e-6, .sample_step = 12e-6, .fields = {}};
    for (NoiseField& field : noise.fields) {
        field.start = -noise.radius / 343.2 - 2 * noise.pulse_scale;
        field.harmonics = Eigen::VectorXi::LinSpaced(harmonics, 0, harmonics - 1);
        field.pressure = Eigen::MatrixXf::Random(1080, harmonics);
    }
    return noise;
}

void ball(benchmark::State& state) { run_clicks(state, sphere_noise(0.0075, 7.34e-6, Air{}), 4e-5); }
void ball_long_pulse(benchmark::State& state) { run_clicks(state, sphere_noise(0.0075, 7.34e-6, Air{}), 5e-3); }
void mug(benchmark::State& state) { run_clicks(state, large_body(static_cast<int>(state.range(0))), 2e-4); }
void prepare_mug(benchmark::State& state) {
    const AccelerationNoise noise = large_body(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(prepare(noise, 48000));
}

BENCHMARK(ball);
BENCHMARK(ball_long_pulse);
BENCHMARK(mug)->Arg(50)->Arg(150);
BENCHMARK(prepare_mug)->Arg(50)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
