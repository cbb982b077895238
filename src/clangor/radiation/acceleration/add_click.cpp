// One click: a few columns of spectra added up, the pulse multiplied on, one transform back.
#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/acceleration/pulse_spectrum.hpp>
#include <clangor/radiation/spherical/spherical.hpp>
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <mutex>

namespace clangor {
namespace {

using Array = Eigen::ArrayXf;

/// Real and imaginary parts, so that all arithmetic runs over whole registers.
struct Spectrum {
    Array re, im;
};

// Plans are made once a size and never changed.
const RealFourier<float>& plan_of(long size) {
    struct Entry {
        std::once_flag made;
        std::unique_ptr<const RealFourier<float>> plan;
    };
    static std::array<Entry, 40> entries;
    Entry& entry = entries[std::lround(std::log2(static_cast<double>(size)))];
    std::call_once(entry.made, [&] { entry.plan = std::make_unique<const RealFourier<float>>(size); });
    return *entry.plan;
}

Array omega_of(const PreparedNoise& noise) {
    const long bins = noise.steps.rows() / 2;
    Array omega = static_cast<float>(2 * pi * noise.sample_rate_hz / static_cast<double>(noise.block_samples)) *
                  Array::LinSpaced(bins, 0, static_cast<float>(bins - 1));
    omega[0] = 1e-3f * omega[1];
    return omega;
}

// Weight of each column: its harmonic in the listener's direction, in the column of its motion.
Eigen::MatrixXf column_weights(const PreparedNoise& noise, const Vec3& direction) {
    const int degree = static_cast<int>(noise.first_column.size()) - 2;
    const Eigen::VectorXd Y = spherical_harmonics(noise.frame.transpose() * direction, degree);
    Eigen::MatrixXf weights = Eigen::MatrixXf::Zero(static_cast<long>(noise.motions.size()), 6);
    for (std::size_t j = 0; j < noise.motions.size(); ++j)
        weights(static_cast<long>(j), noise.motions[j]) = static_cast<float>(Y[noise.harmonics[j]]);
    return weights;
}

// Where a degree begins to be heard: below kr₀ = l − 4 its field falls as r^{−l−1} and is gone at some radii's
// distance.
long first_bin(int l, double omega_step, const PreparedNoise& noise, double r) {
    if (l <= 4 || r < 2.5 * noise.reference_radius) return 0;
    const double omega = (l - 4) * noise.speed_of_sound / noise.reference_radius;
    return std::min(static_cast<long>(omega / omega_step), noise.steps.rows() / 2);
}

// Σ_l (r₀/r) Π_{j≤l} ρ_j(kr)/ρ_j(kr₀) Σ_m Y_lm b_lm    docs/theory/acceleration-noise.md, Eqs. 5 and 6
Eigen::MatrixXf at_listener(const PreparedNoise& noise, const Eigen::MatrixXf& weights, const Array& omega, double r) {
    const long bins = omega.size();
    const Array inverse_z = static_cast<float>(noise.speed_of_sound / r) / omega;
    Eigen::MatrixXf sum = Eigen::MatrixXf::Zero(2 * bins, 6);
    Spectrum way{Array::Constant(bins, static_cast<float>(noise.reference_radius / r)), Array::Zero(bins)};
    Spectrum rho{Array::Ones(bins), -inverse_z};
    const int degree = static_cast<int>(noise.first_column.size()) - 2;
    for (int l = 0; l <= degree; ++l) {
        if (l > 1) {
            const Array scale = 1 / (rho.re.square() + rho.im.square());
            rho.re *= scale;
            rho.im = -rho.im * scale - static_cast<float>(2 * l - 1) * inverse_z;
        }
        if (l > 0) {
            const auto step_re = noise.steps.col(l - 1).head(bins).array(),
                       step_im = noise.steps.col(l - 1).tail(bins).array();
            const Array re = rho.re * step_re - rho.im * step_im, im = rho.re * step_im + rho.im * step_re;
            const Array way_re = way.re * re - way.im * im;
            way.im = way.re * im + way.im * re;
            way.re = way_re;
        }
        const int first = noise.first_column[l];
        const int count = noise.first_column[l + 1] - first;
        const long from = first_bin(l, static_cast<double>(omega[1]), noise, r), rows = bins - from;
        if (count == 0 || rows == 0) continue;
        const auto part = weights.middleRows(first, count);
        const Eigen::ArrayXXf re = noise.spectra.block(from, first, rows, count) * part,
                              im = noise.spectra.block(bins + from, first, rows, count) * part;
        const auto way_re = way.re.tail(rows), way_im = way.im.tail(rows);
        sum.middleRows(from, rows).array() += re.colwise() * way_re - im.colwise() * way_im;
        sum.bottomRows(rows).array() += im.colwise() * way_re + re.colwise() * way_im;
    }
    return sum;
}

// The spectrum with the pulse on it, `delay` seconds after the block's first sample, as samples.
std::vector<float> block_of(const PreparedNoise& noise, const Spectrum& spectrum, const Array& omega, PulseShape shape,
                            double duration, double delay) {
    const RealFourier<float>& plan = plan_of(noise.block_samples);
    const acceleration::PulseTable& pulse = acceleration::PulseTable::of(shape);
    std::vector<std::complex<float>> bins(plan.bins());
    const double bin_hz = noise.sample_rate_hz / static_cast<double>(noise.block_samples);
    const std::complex<double> turn = std::polar(1.0, -2 * pi * bin_hz * (delay + duration / 2));
    std::complex<double> wave = bin_hz;
    const auto tau = static_cast<float>(duration);
    for (long j = 0; j < omega.size(); ++j) {
        const float gain = pulse(omega[j] * tau);
        const float wr = gain * static_cast<float>(wave.real()), wi = gain * static_cast<float>(wave.imag());
        bins[j] = {spectrum.re[j] * wr - spectrum.im[j] * wi, spectrum.re[j] * wi + spectrum.im[j] * wr};
        wave = {wave.real() * turn.real() - wave.imag() * turn.imag(),
                wave.real() * turn.imag() + wave.imag() * turn.real()};
    }
    bins[0].imag(0);
    std::vector<float> block(noise.block_samples);
    plan.inverse(bins, block);
    return block;
}

void add_at(std::span<float> emitted, long first, std::span<const float> block, float gain) {
    const long size = static_cast<long>(emitted.size()), count = static_cast<long>(block.size());
    for (long k = std::max(0L, -first); k < std::min(count, size - first); ++k) emitted[first + k] += gain * block[k];
}

}  // namespace

DirectedNoise toward(const PreparedNoise& noise, const Vec3& listener) {
    if (noise.motions.empty()) return {};
    const Vec3 arm = listener - noise.centre;
    const Vec3 direction = arm.norm() > 0 ? Vec3(arm.normalized()) : Vec3::UnitZ();
    const double r = std::max(arm.norm(), noise.reference_radius);
    return {at_listener(noise, column_weights(noise, direction), omega_of(noise), r)};
}

void add_click(std::span<float> emitted, const PreparedNoise& noise, const Click& click) {
    add_click(emitted, noise, toward(noise, click.listener), click);
}

void add_click(std::span<float> emitted, const PreparedNoise& noise, const DirectedNoise& directed, const Click& click,
               long origin) {
    CLANGOR_ASSERT(std::isfinite(click.time) && click.duration >= 0 && click.listener.allFinite() &&
                       click.velocity_change.allFinite() && click.spin_change.allFinite(),
                   "a click is finite");
    if (noise.motions.empty()) return;
    const double rate = noise.sample_rate_hz, pulse_samples = click.duration * rate;
    const double begin = std::floor(click.time * rate) - static_cast<double>(noise.lead_samples);
    if (begin >= static_cast<double>(origin) + static_cast<double>(emitted.size())) return;
    if (begin + static_cast<double>(noise.block_samples) + pulse_samples < static_cast<double>(origin)) return;
    const long first = static_cast<long>(begin) - origin;

    Eigen::Matrix<float, 6, 1> amounts;
    amounts << click.velocity_change.cast<float>(), click.spin_change.cast<float>();
    const Eigen::VectorXf both = directed.spectra * amounts;
    const Array omega = omega_of(noise);
    const Spectrum spectrum{both.head(omega.size()).array(), both.tail(omega.size()).array()};
    const double delay = click.time - begin / rate;
    if (pulse_samples <= acceleration::longest_pulse_samples)
        return add_at(emitted, first, block_of(noise, spectrum, omega, click.shape, click.duration, delay), 1);
    // So long a pulse is smooth enough to be sampled.
    const std::vector<float> block = block_of(noise, spectrum, omega, click.shape, 0, delay);
    for (long k = 1; static_cast<double>(k) < pulse_samples; ++k)
        add_at(emitted, first + k, block,
               static_cast<float>(unit_pulse(click.shape, static_cast<double>(k) / pulse_samples) / pulse_samples));
}

}  // namespace clangor
