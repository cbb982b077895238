// One frequency and one harmonic at a time: a single unknown, seen on every sphere.
#include <clangor/radiation/acceleration/sphere_fit.hpp>

#include <clangor/radiation/spherical/spherical.hpp>
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

namespace clangor::acceleration {
namespace {

using Complex = std::complex<double>;

// Harmonics are left out while what is lost stays below this part of the energy far away: 0.3 % of the pressure.
constexpr double dropped_energy = 1e-5;

// A motion is left out where its energy, for equal speeds of the outermost point, is below this part of the loudest: a
// ball that turns, which a grid makes whisper at −56 dB.
constexpr double silent_energy = 1e-5;

// A field is cut where both ends hold less than this part of its energy: 0.1 % of the pressure.
constexpr double cut_energy = 1e-6;

struct Harmonics {
    std::vector<int> index;               ///< l² + l + m
    std::vector<double> far_energy;       ///< at four reference radii, beyond which directions hardly change
    std::vector<double> recorded;         ///< energy on all spheres, each times R² …
    std::vector<double> unexplained;      ///< … and what the waves leave of it
    std::vector<Eigen::VectorXd> signal;  ///< b_lm at the new sample step
};

// Everything that depends on frequency and degree only.
class WaveTable {
public:
    WaveTable(const RecordingSpheres& setup, long bins, double omega_step) : radii_(setup.recording_radii) {
        radii_.push_back(4 * setup.recording_radii.front());
        const double c = setup.air.speed_of_sound, r0 = setup.recording_radii.front();
        ratios_.resize(radii_.size() * (setup.degree + 1), Eigen::VectorXcd(bins));
        parallel_for(static_cast<long>(radii_.size()), [&](long sphere) {
            const double r = radii_[sphere];
            for (long j = 0; j < bins; ++j) {
                const double k = std::max(static_cast<double>(j), 1e-3) * omega_step / c;
                const std::vector<Complex> all = outgoing_ratios(setup.degree, k * r, k * r0);
                const Complex delay = std::polar(1.0, -k * (r - r0));
                for (int l = 0; l <= setup.degree; ++l) ratios_[slot(sphere, l)][j] = all[l] * delay;
            }
        });
    }
    /// Pressure on a sphere per pressure on the first one.
    const Eigen::VectorXcd& ratio(std::size_t sphere, int l) const { return ratios_[slot(sphere, l)]; }
    const Eigen::VectorXcd& far(int l) const { return ratios_[slot(radii_.size() - 1, l)]; }

private:
    std::size_t slot(std::size_t sphere, int l) const { return l * radii_.size() + sphere; }
    std::vector<double> radii_;
    std::vector<Eigen::VectorXcd> ratios_;
};

/// Time steps and transforms that all harmonics share.
struct Resampling {
    RealFourier<double> in, out;
    int factor;  ///< old samples per new one

    // New samples of silence in front: what the band limit makes ring before the first arrival must not come out at the
    // end.
    static constexpr int silence = 16;

    Resampling(long samples, double step, double h)
        : in(power_of_two(1.25 * static_cast<double>(samples) + 2 * silence * h / 2 / step)), out(4), factor(1) {
        while (2 * factor * step <= h / 2 && 4 * factor < in.size()) factor *= 2;
        out = RealFourier<double>(in.size() / factor);
    }
    // From 0.8 of the new band's edge on the spectrum fades out; f = 0.8/h or more is never used afterwards.
    double fade(long bin) const {
        const double x = static_cast<double>(bin) / static_cast<double>(out.bins() - 1);
        return x < 0.8 ? 1 : square(std::cos(pi / 2 * (x - 0.8) / 0.2));
    }
};

// min Σ_i R_i² |P_i − A g_i|² over the spheres i: A = Σ R_i² g_i* P_i / Σ R_i² |g_i|², as well conditioned as can be,
// since g = 1 on the first sphere    docs/theory/acceleration-noise.md, Eq. 8
void fit_harmonic(Harmonics& field, std::size_t at, const RecordingSpheres& setup, const WaveTable& waves,
                  const Resampling& resampling, const std::vector<Eigen::MatrixXf>& coefficients) {
    const int harmonic = field.index[at], l = degree_of(harmonic);
    Eigen::VectorXcd above = Eigen::VectorXcd::Zero(resampling.in.bins());
    Eigen::VectorXd below = Eigen::VectorXd::Zero(resampling.in.bins());
    double energy = 0;
    std::vector<double> samples(resampling.in.size());
    std::vector<Complex> spectrum(resampling.in.bins());
    for (std::size_t sphere = 0; sphere < coefficients.size(); ++sphere) {
        const auto column = coefficients[sphere].col(harmonic);
        for (long k = 0; k < column.size(); ++k)
            samples[k + resampling.silence * resampling.factor] = static_cast<double>(column[k]);
        resampling.in.forward(samples, spectrum);
        const Eigen::Map<const Eigen::VectorXcd> P(spectrum.data(), resampling.in.bins());
        const Eigen::VectorXcd& g = waves.ratio(sphere, l);
        above += square(setup.recording_radii[sphere]) * g.conjugate().cwiseProduct(P);
        below += square(setup.recording_radii[sphere]) * g.cwiseAbs2();
        energy += square(setup.recording_radii[sphere]) * P.squaredNorm();
    }
    field.recorded[at] = energy;
    field.unexplained[at] = std::max(0.0, energy - above.cwiseAbs2().cwiseQuotient(below).sum());
    const Eigen::VectorXcd A = above.cwiseQuotient(below.cast<Complex>());
    field.far_energy[at] = A.cwiseProduct(waves.far(l)).squaredNorm();
    std::vector<Complex> kept(resampling.out.bins());
    for (long j = 0; j < resampling.out.bins(); ++j)
        kept[j] = A[j] * (resampling.fade(j) / static_cast<double>(resampling.in.size()));
    kept.back() = kept.back().real();
    Eigen::VectorXd b(resampling.out.size());
    resampling.out.inverse(kept, {b.data(), static_cast<std::size_t>(b.size())});
    field.signal[at] = b;
}

// All harmonics of one field that were heard at all.
Harmonics fit_field(const RecordingSpheres& setup, const WaveTable& waves, const Resampling& resampling,
                    const Eigen::MatrixXf& pressure) {
    std::vector<Eigen::MatrixXf> coefficients(setup.recording_radii.size());
    const long directions = pressure.cols() / static_cast<long>(setup.recording_radii.size());
    parallel_for(static_cast<long>(setup.recording_radii.size()), [&](long sphere) {
        coefficients[sphere] =
            harmonic_coefficients(pressure.middleCols(sphere * directions, directions), setup.degree);
    });
    const Eigen::VectorXd energies = coefficients.front().cast<double>().colwise().squaredNorm();
    Harmonics field;
    for (int harmonic = 0; harmonic < energies.size(); ++harmonic) {
        if (energies[harmonic] > 1e-10 * energies.sum()) field.index.push_back(harmonic);
    }
    field.far_energy.resize(field.index.size());
    field.recorded.resize(field.index.size());
    field.unexplained.resize(field.index.size());
    field.signal.resize(field.index.size());
    parallel_for(static_cast<long>(field.index.size()),
                 [&](long at) { fit_harmonic(field, at, setup, waves, resampling, coefficients); });
    return field;
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// The strongest harmonics: as few as leave out no more than dropped_energy, and at most max_signals. Ascending.
std::vector<std::size_t> strongest(const Harmonics& field, int max_signals) {
    std::vector<std::size_t> order(field.index.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return field.far_energy[a] > field.far_energy[b]; });
    double left = sum_of(field.far_energy);
    const double enough = dropped_energy * left;
    std::size_t kept = 0;
    while (kept < order.size() && kept < static_cast<std::size_t>(max_signals) && left > enough)
        left -= field.far_energy[order[kept++]];
    order.resize(kept);
    std::sort(order.begin(), order.end());
    return order;
}

// The samples between the two cuts. Both ends fade, so that no cut makes a step; the later one slowly, since a
// resonance may not have died out.
NoiseField cut_field(const Eigen::MatrixXd& signals, double start, double step) {
    const Eigen::VectorXd energy = signals.rowwise().squaredNorm();
    const double enough = cut_energy / 2 * energy.sum();
    long first = 0, last = energy.size() - 1;
    for (double lost = energy[first]; lost < enough && first < last; lost += energy[first]) ++first;
    for (double lost = energy[last]; lost < enough && first < last; lost += energy[last]) --last;
    constexpr long margin = 8;
    first = std::max(0L, first - margin);
    last = std::min(energy.size() - 1, last + margin);
    NoiseField field{.harmonics = {}, .start = start + step * static_cast<double>(first), .pressure = {}};
    field.pressure = signals.middleRows(first, last - first + 1).cast<float>();
    const long count = field.pressure.rows(), fade_out = std::max(margin, count / 16);
    const auto fade = [](long k, long length) {
        return static_cast<float>(square(std::sin(pi / 2 * static_cast<double>(k) / static_cast<double>(length))));
    };
    for (long k = 0; k < std::min(margin, count); ++k) field.pressure.row(k) *= fade(k, margin);
    for (long k = 0; k < std::min(fade_out, count); ++k) field.pressure.row(count - 1 - k) *= fade(k, fade_out);
    return field;
}

NoiseField kept_field(const Harmonics& field, int max_signals, double start, double step) {
    const std::vector<std::size_t> kept = strongest(field, max_signals);
    Eigen::MatrixXd signals(field.signal.front().size(), static_cast<long>(kept.size()));
    Eigen::VectorXi harmonics(static_cast<long>(kept.size()));
    for (std::size_t j = 0; j < kept.size(); ++j) {
        signals.col(static_cast<long>(j)) = field.signal[kept[j]];
        harmonics[static_cast<long>(j)] = field.index[kept[j]];
    }
    NoiseField cut = cut_field(signals, start, step);
    cut.harmonics = harmonics;
    return cut;
}

}  // namespace

Points shell_points(const RecordingSpheres& setup) {
    const Points directions = ring_directions(setup.degree) * setup.frame.transpose();
    Points points(directions.rows() * static_cast<long>(setup.recording_radii.size()), 3);
    for (std::size_t sphere = 0; sphere < setup.recording_radii.size(); ++sphere)
        points.middleRows(static_cast<long>(sphere) * directions.rows(), directions.rows()) =
            (setup.recording_radii[sphere] * directions).rowwise() + setup.centre.transpose();
    return points;
}

NoiseMotion fit_motion(const RecordingSpheres& setup, const WaveRecord& record, int motion, int max_signals) {
    CLANGOR_ASSERT(record.pressure.size() == 1 && !setup.recording_radii.empty(), "one motion, recorded on spheres");
    const Resampling resampling(record.samples(), record.sample_step, setup.pulse_scale);
    const double omega_step = 2 * pi / (static_cast<double>(resampling.in.size()) * record.sample_step);
    const Harmonics field =
        fit_field(setup, WaveTable(setup, resampling.in.bins(), omega_step), resampling, record.pressure.front());
    const double recorded = sum_of(field.recorded);
    if (!std::isfinite(recorded))
        throw Error("acceleration noise: the wave solver recorded pressures that are not finite; use smaller cells",
                    Blame::Work);
    NoiseMotion fit{
        .motion = motion,
        .sample_step = record.sample_step * resampling.factor,
        // Parseval: each of the bins stands for itself and its mirror image.
        .far_energy = 2 * sum_of(field.far_energy) / static_cast<double>(resampling.in.size()) * record.sample_step,
        .fit_residual = recorded > 0 ? std::sqrt(sum_of(field.unexplained) / recorded) : 0,
        .died_out = record.died_out,
        .residual_db = record.residual_db,
        .end_time = record.time(record.samples() - 1)};
    const double start = record.start_time - setup.recording_radii.front() / setup.air.speed_of_sound -
                         resampling.silence * fit.sample_step;
    if (fit.far_energy > 0) fit.field = kept_field(field, max_signals, start, fit.sample_step);
    return fit;
}

SphereFit assembled(const RecordingSpheres& setup, const std::vector<NoiseMotion>& motions) {
    const auto loudness = [&](const NoiseMotion& motion) {
        return motion.far_energy / (motion.motion < 3 ? 1 : square(setup.radius));
    };
    double loudest = 0, energy = 0, unexplained = 0;
    for (const NoiseMotion& motion : motions) loudest = std::max(loudest, loudness(motion));
    SphereFit fit;
    fit.noise = {.centre = setup.centre,
                 .frame = setup.frame,
                 .radius = setup.radius,
                 .reference_radius = setup.recording_radii.front(),
                 .pulse_scale = setup.pulse_scale,
                 .sample_step = motions.front().sample_step,
                 .air = setup.air,
                 .fields = {}};
    for (const NoiseMotion& motion : motions) {
        CLANGOR_ASSERT(motion.sample_step == fit.noise.sample_step, "all motions are sampled alike");
        if (!(loudness(motion) > silent_energy * loudest)) continue;
        fit.noise.fields.at(motion.motion) = motion.field;
        fit.heard.push_back(motion.motion);
        energy += loudness(motion);
        unexplained += loudness(motion) * square(motion.fit_residual);
    }
    fit.residual = energy > 0 ? std::sqrt(unexplained / energy) : 0;
    return fit;
}

}  // namespace clangor::acceleration
