#include <fmt/format.h>
#include <clangor/radiation/spheres/gridding.hpp>
#include <clangor/radiation/spheres/spectra.hpp>
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::spheres {
namespace {

// What is heard: interpolation between nodes is made for spectra up to here, and is worse above.
constexpr double audible_hz = 20e3;

// Of the low-pass filter, in parts of the sample rate: an error function between them, down to 3e-6.
constexpr double pass_edge = 0.4535, stop_edge = 0.5, edge_steepness = 3.2;

// Nodes of ν = ω_max τ at ν0((1 + u/k)^{1/p} − 1), u = 0, 1, 2, …: 0.4 apart at first, and wider as ν^0.65 where
// spectra fall. Lagrange's cubic is then off by 1e-4 of the largest value (tests/radiation/spheres).
constexpr double nu_0 = 6, growth = 0.35, first_spacing = 0.4, k_nodes = nu_0 / (growth * first_spacing);

// Of a radius, as ω_max a/c, where there are too many to give each its own.
constexpr double radius_spacing = 0.15;
constexpr std::size_t most_exact_radii = 16;

double largest_omega(const SphereSoundOptions& options) {
    return 2 * pi * std::min(audible_hz, pass_edge * options.sample_rate_hz);
}

}  // namespace

NodeWeights node_weights(float place, int count) {
    const int first = std::clamp(static_cast<int>(place) - 1, 0, count - 4);
    const float x = place - static_cast<float>(first);
    const float a = x, b = x - 1, c = x - 2, d = x - 3;
    return {first, {-b * c * d / 6, a * c * d / 2, -a * b * d / 2, a * b * c / 6}};
}

DurationNodes::DurationNodes(double largest_omega) : largest_omega_(largest_omega) {
    count_ = static_cast<int>(place(longest_sphere_contact)) + 4;
}

float DurationNodes::place(double duration) const {
    const double nu = largest_omega_ * std::min(duration, longest_sphere_contact);
    return static_cast<float>(k_nodes * (std::pow(1 + nu / nu_0, growth) - 1));
}

double DurationNodes::duration(int node) const {
    return nu_0 * (std::pow(1 + node / k_nodes, 1 / growth) - 1) / largest_omega_;
}

RadiusNodes::RadiusNodes(std::vector<double> radii, double omega, double speed_of_sound) : radii_(std::move(radii)) {
    std::ranges::sort(radii_);
    radii_.erase(std::unique(radii_.begin(), radii_.end()), radii_.end());
    if (radii_.empty() || !(radii_.front() > 0) || !std::isfinite(radii_.back()))
        throw Error("the sound of balls needs their radii, and each must be positive");
    exact_ = radii_.size() <= most_exact_radii;
    if (exact_) return;
    const double least = radii_.front(), range = radii_.back() - least;
    const int count = std::max(4, static_cast<int>(range * omega / speed_of_sound / radius_spacing) + 2);
    radii_.resize(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) radii_[static_cast<std::size_t>(i)] = least + range * i / (count - 1);
}

float RadiusNodes::place(double radius) const {
    constexpr double rounding = 1e-9;
    if (exact_) {
        for (std::size_t i = 0; i < radii_.size(); ++i)
            if (std::abs(radius - radii_[i]) <= rounding * radius) return static_cast<float>(i);
    } else if (radius >= radii_.front() * (1 - rounding) && radius <= radii_.back() * (1 + rounding)) {
        return static_cast<float>((radius - radii_.front()) / (radii_[1] - radii_[0]));
    }
    throw Error(fmt::format("a ball of radius {} m collides, which is not among the radii that the sound was made for",
                            radius));
}

NodeWeights RadiusNodes::weights(float place) const {
    return exact_ ? NodeWeights{static_cast<int>(place), {1, 0, 0, 0}} : node_weights(place, count());
}

Bands::Bands(const SphereSoundOptions& options)
    : samples(power_of_two(0.08 * options.sample_rate_hz)),
      margin(samples / 8),
      durations(largest_omega(options)),
      radii(options.radii, largest_omega(options), options.air.speed_of_sound),
      sample_rate_hz_(options.sample_rate_hz),
      speed_of_sound_(options.air.speed_of_sound),
      shape_(options.shape),
      begun_(std::make_unique<std::once_flag[]>(nodes())),
      spectra_(nodes()) {}

const std::vector<std::complex<float>>& Bands::spectrum(std::size_t node) const {
    const auto across = static_cast<std::size_t>(durations.count());
    std::call_once(begun_[node], [&] {
        spectra_[node] =
            made(radii.radius(static_cast<int>(node / across)), durations.duration(static_cast<int>(node % across)));
    });
    return spectra_[node];
}

// docs/theory/grain-sound.md, Eq. 8
std::vector<std::complex<float>> Bands::made(double a, double tau) const {
    using namespace std::complex_literals;
    std::vector<std::complex<float>> bins(static_cast<std::size_t>(samples / 2 + 1));
    for (std::size_t j = 0; j < bins.size(); ++j) {
        const double part = static_cast<double>(j) / static_cast<double>(samples), hz = part * sample_rate_hz_;
        const double x = 2 * pi * hz * a / speed_of_sound_;
        const std::complex<double> ball = 2.0 * std::polar(1.0, x) / (2.0 + 2i * x - x * x);
        const double contact = pulse_spectrum(shape_, hz * tau);
        const double pass =
            0.5 * std::erfc(edge_steepness * (2 * part - pass_edge - stop_edge) / (stop_edge - pass_edge));
        const double kernel = GriddingKernel::spectrum(part / 2);             // the grid is twice as fine
        const double scale = sample_rate_hz_ / static_cast<double>(samples);  // of the inverse transform
        bins[j] = std::complex<float>(ball * (contact * pass / kernel * scale));
    }
    return bins;
}

}  // namespace clangor::spheres
