// Far-field maps: what a listener costs, what maps weigh, and how far they are from the waves they stand for.
// Run:  taskset -c 0 build/release/bin/transfer_bench
// Tables first, unless there are arguments (--benchmark_filter=.): then times only.
//
// Fields are made up, as only degree and spectrum matter here: all harmonics up to kR equally loud on the sphere R that
// holds the body ("white"), or thirty random monopoles within 0.9 R ("sources").
#include <clangor/radiation/transfer/map_fit.hpp>
#include <clangor/radiation/transfer/transfer.hpp>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <random>

using namespace clangor;
using Complex = std::complex<double>;

namespace {

using Random = std::mt19937;

Vec3 random_direction(Random& random) {
    std::normal_distribution<double> normal;
    return Vec3(normal(random), normal(random), normal(random)).normalized();
}

ModalTransfer empty_body(double radius) { return {.radius = radius, .reference_radius = 1.35 * radius}; }

// b_lm white on the sphere R.
ModeTransfer white_mode(const ModalTransfer& body, double kR, int degree, Random& random) {
    std::normal_distribution<float> normal;
    ModeTransfer mode{.omega = kR / body.radius * body.air.speed_of_sound, .degree = degree};
    mode.coefficients.resize((degree + 1) * (degree + 1));
    const std::vector<Complex> G = outgoing_ratios(degree, kR * body.reference_radius / body.radius, kR);
    for (long i = 0; i < mode.coefficients.size(); ++i)
        mode.coefficients[i] = std::complex<float>(normal(random), normal(random)) *
                               std::complex<float>(G[degree_of(static_cast<int>(i))]);
    return mode;
}

// e^{−ik|x−y|}/|x−y| = −ik Σ_lm 4π j_l(k|y|) h_l(k|x|) Y_lm(x) Y_lm(y)
ModeTransfer source_mode(const ModalTransfer& body, double kR, int degree, Random& random) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const double k = kR / body.radius, z0 = k * body.reference_radius;
    Eigen::VectorXcd b = Eigen::VectorXcd::Zero((degree + 1) * (degree + 1));
    std::vector<Complex> h(degree + 1);
    for (int l = 0; l <= degree; ++l)
        h[l] = Complex(std::sph_bessel(static_cast<unsigned>(l), z0), -std::sph_neumann(static_cast<unsigned>(l), z0)) *
               std::polar(1.0, z0);
    for (int source = 0; source < 30; ++source) {
        const double a = 0.9 * body.radius * std::cbrt(uniform(random));
        const Eigen::VectorXd Y = spherical_harmonics(random_direction(random), degree);
        const Complex strength(normal(random), normal(random));
        for (int l = 0; l <= degree; ++l)
            b.segment(l * l, 2 * l + 1) += strength * Complex(0, -k) * 4.0 * pi *
                                           std::sph_bessel(static_cast<unsigned>(l), k * a) * h[l] *
                                           Y.segment(l * l, 2 * l + 1).cast<Complex>();
    }
    return {.omega = k * body.air.speed_of_sound, .degree = degree, .coefficients = b.cast<std::complex<float>>()};
}

struct Errors {
    double complex_mean = 0, magnitude_mean = 0, magnitude_median = 0, energy = 0;  ///< relative
};

// 800 listeners, directions at random, distances from 3 to 20 R at random in their logarithm.
Errors errors_of(const ModalTransfer& body, const MapOptions& options) {
    const TransferMaps maps(body, options);
    Random random(7);
    std::uniform_real_distribution<double> uniform;
    std::vector<std::complex<float>> result(body.modes.size());
    std::vector<double> magnitudes;
    Errors errors;
    double difference = 0, total = 0;
    for (int i = 0; i < 800; ++i) {
        const double r = body.radius * 3 * std::pow(20.0 / 3, uniform(random));
        const Vec3 listener = r * random_direction(random);
        const Eigen::VectorXcd exact = transfer(body, listener);
        maps.pressures(listener, result);
        for (long j = 0; j < exact.size(); ++j) {
            const Complex p(result[j]);
            magnitudes.push_back(std::abs(std::abs(p) - std::abs(exact[j])) / std::abs(exact[j]));
            errors.complex_mean += std::abs(p - exact[j]) / std::abs(exact[j]);
            errors.magnitude_mean += magnitudes.back();
            difference += std::norm(p - exact[j]) * r * r;
            total += std::norm(exact[j]) * r * r;
        }
    }
    const auto count = static_cast<double>(magnitudes.size());
    std::nth_element(magnitudes.begin(), magnitudes.begin() + static_cast<long>(magnitudes.size() / 2),
                     magnitudes.end());
    return {errors.complex_mean / count, errors.magnitude_mean / count, magnitudes[magnitudes.size() / 2],
            std::sqrt(difference / total)};
}

// Fit alone, no maps: rms over all directions at distances from 3 to 20 R, from the energies of the degrees.
double fit_error(const ModalTransfer& body, int terms, const modal_transfer::FitVariant& variant) {
    double difference = 0, total = 0;
    for (const ModeTransfer& mode : body.modes) {
        const modal_transfer::RadialFit fit = modal_transfer::fit_terms(body, mode, {.terms = terms}, variant);
        const double k = mode.omega / body.air.speed_of_sound;
        for (double r = 3 * body.radius; r < 20 * body.radius; r *= 1.05) {
            const double u = body.radius / r;
            const std::vector<Complex> G = outgoing_ratios(mode.degree, k * r, k * body.reference_radius);
            double off = 0, all = 0;
            for (int l = 0; l <= mode.degree; ++l) {
                Complex sum = 0;
                for (int m = 0; m < terms; ++m) sum += fit.terms(m, l) * std::pow(u, m + 1);
                const double energy = static_cast<double>(mode.coefficients.segment(l * l, 2 * l + 1).squaredNorm());
                off += energy * std::norm(sum * std::polar(1.0, -fit.phase * u) - G[l]);
                all += energy * std::norm(G[l]);
            }
            difference += off / all, total += 1;
        }
    }
    return std::sqrt(difference / total);
}

void print_errors() {
    fmt::print(
        "error of maps against waves, 3 to 20 R, 10 fields each; fit: without maps, as [Chadwick2009] and ours\n");
    fmt::print("{:>8} {:>4} {:>2} | {:>9} {:>9} | {:>9} {:>9} {:>9} {:>9}\n", "field", "kR", "M", "fit theirs",
               "fit ours", "p rms", "p mean", "|p| mean", "|p| median");
    for (const bool white : {true, false})
        for (const double kR : {1.0, 5.0, 10.0, 20.0}) {
            ModalTransfer body = empty_body(0.1);
            Random random(3);
            for (int i = 0; i < 10; ++i)
                body.modes.push_back(white ? white_mode(body, kR, static_cast<int>(std::ceil(kR)), random)
                                           : source_mode(body, kR, static_cast<int>(std::ceil(kR)) + 6, random));
            for (int M = 1; M <= 4; ++M) {
                const Errors e = errors_of(body, {.terms = M});
                fmt::print("{:>8} {:>4} {:>2} | {:>8.3f}% {:>8.3f}% | {:>8.3f}% {:>8.3f}% {:>8.3f}% {:>8.3f}%\n",
                           white ? "white" : "sources", kR, M, 100 * fit_error(body, M, {false, false}),
                           100 * fit_error(body, M, {}), 100 * e.energy, 100 * e.complex_mean, 100 * e.magnitude_mean,
                           100 * e.magnitude_median);
            }
        }
}

// What grid points per lobe cost and gain, where splines are worst: all energy in the highest degrees.
void print_samples() {
    ModalTransfer body = empty_body(0.1);
    Random random(3);
    for (int i = 0; i < 10; ++i) body.modes.push_back(white_mode(body, 20, 20, random));
    for (const double samples : {2.5, 3.0, 4.0, 6.0, 8.0}) {
        const MapOptions options{.samples_per_lobe = samples};
        fmt::print("white, kR 20, M = 4, {} samples per lobe: p rms {:.3f} %, {:.0f} kB a mode\n", samples,
                   100 * errors_of(body, options).energy,
                   static_cast<double>(TransferMaps(body, options).bytes()) / 1e4);
    }
}

// Modes evenly spread in frequency up to the largest kR, degrees as a bake keeps them: kR + 6 where kR is 20.
ModalTransfer realistic_body(int modes, double largest_kR) {
    ModalTransfer body = empty_body(0.1);
    Random random(1);
    for (int j = 0; j < modes; ++j) {
        const double kR = 0.5 + (largest_kR - 0.5) * j / std::max(1, modes - 1);
        body.modes.push_back(white_mode(body, kR, static_cast<int>(std::ceil(kR + 2 * std::cbrt(kR))), random));
    }
    return body;
}

// The cymbal of [Chadwick2009], Tables 1 and 2: 500 modes up to kL = 91, L = 2R.
void print_storage() {
    const ModalTransfer cymbal = realistic_body(500, 45.5);
    for (const int terms : {1, 4}) {
        const auto begin = std::chrono::steady_clock::now();
        const TransferMaps maps(cymbal, {.terms = terms});
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        fmt::print(
            "cymbal, 500 modes up to kR 45.5, M = {}: maps {:.1f} MB, made in {:.1f} s; baked waves {:.1f} MB "
            "(paper: 512 MB for M = 1)\n",
            terms, static_cast<double>(maps.bytes()) / 1e6, seconds, static_cast<double>(cymbal.bytes()) / 1e6);
    }
}

// jump: another direction each time; otherwise the listener walks by 0.01° a call.
void listener(benchmark::State& state, bool jump) {
    const ModalTransfer body = realistic_body(200, 20);
    const TransferMaps maps(body, {.terms = static_cast<int>(state.range(0))});
    std::vector<std::complex<float>> result(body.modes.size());
    Random random(2);
    std::vector<Vec3> listeners;
    for (int i = 0; i < 4096; ++i)
        listeners.push_back(jump ? Vec3(random_direction(random)) : Vec3(std::cos(2e-4 * i), 0.5, std::sin(2e-4 * i)));
    std::size_t i = 0;
    for (auto _ : state) {
        maps.pressures(listeners[i++ % listeners.size()], result);
        benchmark::DoNotOptimize(result.data());
    }
    state.counters["megabytes"] = static_cast<double>(maps.bytes()) / 1e6;
}
void walking_listener(benchmark::State& state) { listener(state, false); }
void jumping_listener(benchmark::State& state) { listener(state, true); }

void waves_summed(benchmark::State& state) {
    const ModalTransfer body = realistic_body(200, 20);
    Random random(2);
    for (auto _ : state) benchmark::DoNotOptimize(transfer(body, random_direction(random)));
}

void maps_made(benchmark::State& state) {
    const ModalTransfer body = realistic_body(200, 20);
    for (auto _ : state) benchmark::DoNotOptimize(TransferMaps(body).bytes());
}

BENCHMARK(walking_listener)->DenseRange(1, 4)->Unit(benchmark::kMicrosecond);
BENCHMARK(jumping_listener)->DenseRange(1, 4)->Unit(benchmark::kMicrosecond);
BENCHMARK(waves_summed)->Unit(benchmark::kMicrosecond);
BENCHMARK(maps_made)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
    const bool tables = argc == 1;  // any argument: times only
    benchmark::Initialize(&argc, argv);
    if (tables) {
        print_errors();
        print_samples();
        print_storage();
    }
    benchmark::RunSpecifiedBenchmarks();
}
