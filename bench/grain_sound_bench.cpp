// How long a million collisions of glass beads take to become five seconds of sound at one listener. Run:
//     build/release/bin/grain_sound_bench
#include <clangor/radiation/spheres/spheres.hpp>

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

using namespace clangor;

namespace {

const Material glass{.name = "glass", .density = 2520, .young = 72e9, .poisson = 0.22};
constexpr double seconds = 5;

// Beads of 2 mm that meet at up to some metres per second within 10 cm, and are heard from half a metre.
std::vector<SphereCollision> rain(long count, double least_radius, double largest_radius) {
    std::mt19937_64 random(1);
    const auto uniform = [&] { return double(random() >> 11) * 0x1p-53; };
    const auto centred = [&] { return 2 * uniform() - 1; };
    std::vector<SphereCollision> collisions;
    for (long i = 0; i < count; ++i) {
        const double time = seconds * double(i) / double(count);
        const SpherePair pair = sphere_pair({least_radius + (largest_radius - least_radius) * uniform(), glass},
                                            {least_radius + (largest_radius - least_radius) * uniform(), glass});
        collisions.push_back(collision_of(pair, {.time = time,
                                                 .point = 0.05 * Vec3(centred(), centred(), centred()),
                                                 .normal = Vec3(centred(), centred(), centred()).normalized(),
                                                 .speed = 0.01 + 2 * square(uniform()),
                                                 .restitution = 0.9}));
    }
    return collisions;
}

void report(benchmark::State& state, const std::vector<SphereCollision>& collisions,
            const SphereSoundOptions& options) {
    set_thread_count(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        SphereSound sound(options);
        constexpr std::size_t block = 1 << 16;  // as a simulator hands them over
        for (std::size_t i = 0; i < collisions.size(); i += block) {
            const auto some = std::span(collisions).subspan(i, std::min(block, collisions.size() - i));
            benchmark::DoNotOptimize(sound.take_before(some.front().time));
            sound.add(some);
        }
        benchmark::DoNotOptimize(sound.take_until(std::lround(seconds * options.sample_rate_hz)));
        state.counters["heard"] = static_cast<double>(sound.count().heard);
    }
    state.counters["collisions"] =
        benchmark::Counter(double(collisions.size()) * double(state.iterations()), benchmark::Counter::kIsRate);
    set_thread_count(0);
}

void beads_of_one_size(benchmark::State& state) {
    static const std::vector<SphereCollision> collisions = rain(1'000'000, 0.001, 0.001);
    report(state, collisions, {.sample_rate_hz = 48000, .listener = {0.3, 0.4, 0}, .threshold = 0, .radii = {0.001}});
}
BENCHMARK(beads_of_one_size)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void sand_of_all_sizes(benchmark::State& state) {
    static const std::vector<SphereCollision> collisions = rain(1'000'000, 0.0005, 0.002);
    std::vector<double> radii;
    for (int i = 0; i <= 16; ++i) radii.push_back(0.0005 + 0.0015 * i / 16);
    report(state, collisions, {.sample_rate_hz = 48000, .listener = {0.3, 0.4, 0}, .threshold = 0, .radii = radii});
}
BENCHMARK(sand_of_all_sizes)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// What one would write first: closed waveforms (half-sines) at 1 MHz, to be decimated afterwards.
void closed_form_at_a_megahertz(benchmark::State& state) {
    static const std::vector<SphereCollision> collisions = rain(10'000, 0.001, 0.001);
    const Vec3 listener(0.3, 0.4, 0);
    std::vector<double> sum(static_cast<std::size_t>(seconds * 1e6) + 10000);
    for (auto _ : state) {
        for (const SphereCollision& collision : collisions) {
            const double begin = std::floor((collision.time + (collision.point - listener).norm() / 343.2) * 1e6) - 10;
            const std::vector<double> pressure =
                collision_pressure(collision, listener, Air{}, PulseShape::HalfSine, {begin / 1e6, 1e-6, 60});
            for (std::size_t k = 0; k < pressure.size(); ++k) sum[static_cast<std::size_t>(begin) + k] += pressure[k];
        }
        benchmark::DoNotOptimize(sum.data());
    }
    state.counters["collisions"] =
        benchmark::Counter(double(collisions.size()) * double(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(closed_form_at_a_megahertz)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
