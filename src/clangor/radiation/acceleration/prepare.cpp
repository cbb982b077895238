// A model made ready for a sample rate.
#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/acceleration/pulse_spectrum.hpp>
#include <clangor/signal/signal.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

namespace clangor {
namespace {

// Kaiser's window for 81 dB [Kaiser1974]: with a transition from 0.84 to 1 of the band's edge its half-length is 16
// periods of it.
constexpr double kaiser_beta = 7.9, kaiser_periods = 16;

/// A low-pass filter of finite length: sinc times Kaiser's window.
class LowPass {
public:
    /// Nothing from `edge_hz` on; `half_length` [s].
    LowPass(double edge_hz, double half_length) : edge_hz_(edge_hz), half_length_(half_length) {
        for (int i = -count; i <= count; ++i) {
            const double cut = 2 * 0.92 * edge_hz_ * time_at(i);
            values_[i + count] = (i == 0 ? 1.0 : std::sin(pi * cut) / (pi * cut)) *
                                 std::cyl_bessel_i(0, kaiser_beta * std::sqrt(std::max(0.0, 1 - square(part_at(i)))));
            weight_ += values_[i + count];
        }
    }
    double half_length() const { return half_length_; }
    double edge_hz() const { return edge_hz_; }
    double gain(double hz) const {
        if (hz >= edge_hz_) return 0;
        double sum = 0;
        for (int i = -count; i <= count; ++i) sum += values_[i + count] * std::cos(2 * pi * hz * time_at(i));
        return sum / weight_;
    }

private:
    static constexpr int count = 512;
    static double part_at(int i) { return static_cast<double>(i) / count; }
    double time_at(int i) const { return part_at(i) * half_length_; }

    double edge_hz_, half_length_;
    std::array<double, 2 * count + 1> values_ = {};
    double weight_ = 0;
};

// ψ̂ has its first zero at 1/h; at 0.7/h it is 0.05, still well above what the fit leaves of noise.
LowPass low_pass(const AccelerationNoise& noise, double rate) {
    const double edge = std::min(0.5 * rate, 0.7 / noise.pulse_scale);
    return {edge, kaiser_periods / edge};
}

struct Column {
    int harmonic;
    int motion;
};

std::vector<Column> columns_by_harmonic(const AccelerationNoise& noise) {
    std::vector<Column> columns;
    for (std::size_t motion = 0; motion < noise.fields.size(); ++motion) {
        for (const int harmonic : noise.fields[motion].harmonics)
            columns.push_back({harmonic, static_cast<int>(motion)});
    }
    std::stable_sort(columns.begin(), columns.end(),
                     [](const Column& a, const Column& b) { return a.harmonic < b.harmonic; });
    return columns;
}

// ∫ b(t) e^{−iωt} dt of a field's signals at all frequencies, as two real products.
std::array<Eigen::MatrixXd, 2> spectra_of(const NoiseField& field, double step, const Eigen::VectorXd& omega) {
    const long samples = field.pressure.rows();
    Eigen::MatrixXd cosines(omega.size(), samples), sines(omega.size(), samples);
    // e^{−iω(t+Δt)} from e^{−iωt}: the error of a thousand steps is 1e-13
    const auto wave_at = [&](double t) -> Eigen::ArrayXcd {
        return (std::complex<double>(0, -t) * omega.array()).exp();
    };
    Eigen::ArrayXcd wave = step * wave_at(field.start);
    const Eigen::ArrayXcd turn = wave_at(step);
    for (long k = 0; k < samples; ++k, wave *= turn) cosines.col(k) = wave.real(), sines.col(k) = wave.imag();
    const Eigen::MatrixXd b = field.pressure.cast<double>();
    return {cosines * b, sines * b};
}

Eigen::MatrixXf reference_steps(const AccelerationNoise& noise, const Eigen::VectorXd& omega) {
    const int degree = std::max(0, noise.degree());
    Eigen::MatrixXf steps(2 * omega.size(), degree);
    for (long j = 0; j < omega.size(); ++j) {
        const double z0 = omega[j] * noise.reference_radius / noise.air.speed_of_sound;
        std::complex<double> rho(1, -1 / z0);
        for (int l = 1; l <= degree; ++l) {
            if (l > 1) rho = 1.0 / rho + std::complex<double>(0, -(2 * l - 1) / z0);
            steps(j, l - 1) = static_cast<float>((1.0 / rho).real());
            steps(omega.size() + j, l - 1) = static_cast<float>((1.0 / rho).imag());
        }
    }
    return steps;
}

// Bins below the band's edge. Bin 0 stands a little beside 0, where all limits are smooth.
Eigen::VectorXd frequencies(double rate, long block, double edge_hz) {
    const double step = rate / static_cast<double>(block);
    const long bins = std::min(block / 2, static_cast<long>(std::ceil(edge_hz / step)));
    Eigen::VectorXd omega = 2 * pi * step * Eigen::VectorXd::LinSpaced(bins, 0, static_cast<double>(bins - 1));
    omega[0] = 1e-3 * 2 * pi * step;
    return omega;
}

// Low-pass filter, and from the response to ψ to the one to a unit change of velocity.
Eigen::ArrayXd gains(const AccelerationNoise& noise, const LowPass& filter, const Eigen::VectorXd& omega) {
    Eigen::ArrayXd gain(omega.size());
    for (long j = 0; j < omega.size(); ++j) {
        const double hz = omega[j] / (2 * pi);
        gain[j] = filter.gain(hz) / (noise.pulse_scale * mitchell_spectrum(hz * noise.pulse_scale));
    }
    return gain;
}

void add_columns(PreparedNoise& prepared, const AccelerationNoise& noise, const Eigen::VectorXd& omega,
                 const Eigen::ArrayXd& gain) {
    std::array<std::array<Eigen::MatrixXd, 2>, 6> spectra;
    parallel_for(6, [&](long motion) { spectra[motion] = spectra_of(noise.fields[motion], noise.sample_step, omega); });
    const std::vector<Column> columns = columns_by_harmonic(noise);
    prepared.spectra.resize(2 * omega.size(), static_cast<long>(columns.size()));
    std::array<long, 6> next = {};
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const auto [harmonic, motion] = columns[j];
        while (harmonic >= square(static_cast<double>(prepared.first_column.size())))
            prepared.first_column.push_back(static_cast<int>(j));
        for (long part = 0; part < 2; ++part)
            prepared.spectra.col(static_cast<long>(j)).segment(part * omega.size(), omega.size()) =
                (spectra[motion][part].col(next[motion]).array() * gain).cast<float>().matrix();
        ++next[motion];
        prepared.motions.push_back(motion);
        prepared.harmonics.push_back(harmonic);
    }
    prepared.first_column.push_back(static_cast<int>(columns.size()));
}

}  // namespace

PreparedNoise prepare(const AccelerationNoise& noise, double sample_rate_hz) {
    if (!(sample_rate_hz > 0) || !std::isfinite(sample_rate_hz))
        throw Error(
            fmt::format("acceleration noise: the sample rate must be positive, but is {:g} Hz", sample_rate_hz));
    const LowPass filter = low_pass(noise, sample_rate_hz);
    double start = 0, end = 0;
    for (const NoiseField& field : noise.fields) {
        start = std::min(start, field.start);
        end = std::max(end, field.start + static_cast<double>(field.pressure.rows()) * noise.sample_step);
    }
    const double c = noise.air.speed_of_sound, trail = 4 * noise.reference_radius / c;
    PreparedNoise prepared{.centre = noise.centre,
                           .frame = noise.frame,
                           .reference_radius = noise.reference_radius,
                           .speed_of_sound = c,
                           .sample_rate_hz = sample_rate_hz,
                           .first_column = {0},
                           .motions = {},
                           .harmonics = {},
                           .spectra = {},
                           .steps = {}};
    prepared.lead_samples = static_cast<long>(std::ceil((filter.half_length() - start) * sample_rate_hz)) + 1;
    prepared.block_samples =
        power_of_two(static_cast<double>(prepared.lead_samples) +
                     (end + trail + filter.half_length()) * sample_rate_hz + acceleration::longest_pulse_samples + 2);
    const Eigen::VectorXd omega = frequencies(sample_rate_hz, prepared.block_samples, filter.edge_hz());
    prepared.steps = reference_steps(noise, omega);

    add_columns(prepared, noise, omega, gains(noise, filter, omega));
    return prepared;
}

}  // namespace clangor
