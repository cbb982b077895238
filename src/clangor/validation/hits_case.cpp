// Soft and hard hits on shells: which frequencies they make.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/spectrogram.hpp>
#include <clangor/validation/struck_shells.hpp>

#include <fmt/format.h>

#include <complex>

namespace clangor::validation {
namespace {

constexpr double hit_seconds = 0.002;
constexpr long hit_samples = 1L << 15;  // 0.7 s are heard
constexpr double hit_damping = 1e-3;    // ξ of every mode

// Where it is hit: near a corner of the plate, at the rim of the cymbal.
struct HitShell {
    StruckShell body;
    int vertex;
};

Eigen::MatrixXd hit_motion(const HitShell& shell, double impulse, int steps) {
    return motion_after(shell.body, shell.body.hit(shell.vertex, impulse, hit_seconds),
                        {.xi = hit_damping, .samples = hit_samples, .steps = steps})
        .q;
}

// Oscillators that nothing couples: q = Im Σ J/ω_d exp((−ξω + iω_d)(t − t_s)), of impulses J at t_s.
Eigen::MatrixXd linear_motion_after(const HitShell& shell, double impulse) {
    const Eigen::MatrixXd pulse = shell.body.hit(shell.vertex, impulse, hit_seconds);
    Eigen::MatrixXd q(pulse.rows(), hit_samples);
    for (long p = 0; p < q.rows(); ++p) {
        const double omega = shell.body.plan.omega[p], omega_d = omega * std::sqrt(1 - square(hit_damping));
        const std::complex<double> step = std::exp(std::complex<double>(-hit_damping * omega, omega_d) / shell_rate_hz);
        std::complex<double> z = 0;
        for (long s = 0; s < q.cols(); ++s) {
            q(p, s) = z.imag();
            if (s < pulse.cols()) z += pulse(p, s) / shell_rate_hz / omega_d;
            z *= step;
        }
    }
    return q;
}

double largest_motion(const HitShell& shell, const Eigen::MatrixXd& q) {
    double largest = 0;
    for (long s = 0; s < 4800; s += 4) largest = std::max(largest, shell.body.thicknesses(q.col(s)));
    return largest;
}

double bin_hz(long bin) { return double(bin) * shell_rate_hz / double(hit_samples); }

// Velocity where it is hit, per newton second, the loudest of every four bins.
Curve velocity_spectrum(const HitShell& shell, const Eigen::MatrixXd& q, double impulse, const std::string& label) {
    const Eigen::VectorXd power = power_spectrum(q.transpose() * shell.body.across(shell.vertex)) / square(impulse);
    Curve curve{.label = label};
    for (long bin = 4; bin_hz(bin) < 1.3 * shell.body.plan.omega.maxCoeff() / (2 * pi); bin += 4) {
        double most = 0;
        for (long b = bin; b < bin + 4; ++b) most = std::max(most, power[b] * square(2 * pi * bin_hz(b)));
        curve.x.push_back(bin_hz(bin + 2));
        curve.y.push_back(10 * std::log10(most));
    }
    return curve;
}

// Of each mode, its spectrum below its own loudest frequency.
Plot modes_map(const HitShell& shell, const Eigen::MatrixXd& q, const std::string& title) {
    Plot plot{.title = title, .x_label = "mode", .y_label = "frequency [Hz]", .map = LevelMap{}};
    constexpr long step = 16;
    const long bins = long(1.3 * shell.body.plan.omega.maxCoeff() / (2 * pi) / bin_hz(step));
    plot.map->db.resize(bins, q.rows());
    for (long p = 0; p < q.rows(); ++p) {
        const Eigen::VectorXd power = power_spectrum(q.row(p));
        plot.map->x.push_back(double(p + 1));
        for (long b = 0; b < bins; ++b)
            plot.map->db(b, p) = 10 * std::log10(power.segment(b * step, step).maxCoeff() / power.maxCoeff() + 1e-12);
    }
    for (long b = 0; b < bins; ++b) plot.map->y.push_back(bin_hz(b * step + step / 2));
    return plot;
}

// Energy of each mode, summed over time.
Eigen::VectorXd energies_of(const HitShell& shell, const Eigen::MatrixXd& q) {
    return shell.body.plan.omega.cwiseAbs2().cwiseProduct(q.rowwise().squaredNorm());
}

// The worst difference between the levels of modes that are not more than so far below the loudest [dB].
double worst_difference_db(const Eigen::VectorXd& found, const Eigen::VectorXd& expected, double below_db) {
    const double least = std::pow(10.0, -0.1 * below_db) * expected.maxCoeff();
    double worst = 0;
    for (long p = 0; p < found.size(); ++p)
        if (expected[p] > least) worst = worse(worst, std::abs(10 * std::log10(found[p] / expected[p])));
    return worst;
}

// The same of quarters of all modes.
double worst_quarter_db(const Eigen::VectorXd& found, const Eigen::VectorXd& expected) {
    double worst = 0;
    for (int part = 0; part < 4; ++part) {
        const long from = part * found.size() / 4, count = (part + 1) * found.size() / 4 - from;
        worst = worse(
            worst, std::abs(10 * std::log10(found.segment(from, count).sum() / expected.segment(from, count).sum())));
    }
    return worst;
}

std::string named(const HitShell& shell, const Eigen::MatrixXd& q) {
    return fmt::format("hit to {:.2g} h", largest_motion(shell, q));
}

// Spectra where it is hit, and of each mode: what was found in soft and in hard hits.
struct HitPlots {
    Plot spectra = {}, soft_modes = {}, hard_modes = {};
};

HitPlots add_hits(Case& result, const HitShell& shell) {
    const std::string& name = shell.body.name;
    const double per_impulse = largest_motion(shell, linear_motion_after(shell, 1));
    HitPlots plots{.spectra = {.title = name + ", where it is hit",
                               .x_label = "frequency [Hz]",
                               .y_label = "velocity per newton second [dB]"}};
    // What a weak mode of a curved shell gets from others grows in proportion to the hit, whatever the cubature.
    for (const double w : {1e-3, 1e-2}) {
        const double impulse = w / per_impulse, below_db = w < 5e-3 ? 60 : 20;
        const Eigen::MatrixXd q = hit_motion(shell, impulse, 1), linear = linear_motion_after(shell, impulse);
        result.bounds.push_back({fmt::format("{}, {}: level of a mode against linear ones, worst down to −{:g} dB [dB]",
                                             name, named(shell, q), below_db),
                                 worst_difference_db(energies_of(shell, q), energies_of(shell, linear), below_db),
                                 0.1});
        if (w > 5e-3) continue;
        plots.soft_modes = modes_map(shell, q, fmt::format("{}, {}: each mode's spectrum", name, named(shell, q)));
        plots.spectra.curves.push_back(velocity_spectrum(shell, linear, impulse, "linear"));
        plots.spectra.curves.back().style = CurveStyle::Band;
        plots.spectra.curves.push_back(velocity_spectrum(shell, q, impulse, named(shell, q)));
    }
    const double impulse = 3 / per_impulse;
    const Eigen::MatrixXd q = hit_motion(shell, impulse, 1), fine = hit_motion(shell, impulse, 2);
    result.bounds.push_back(
        {fmt::format("{}, {}: level of a quarter of all modes against steps half as long, worst [dB]", name,
                     named(shell, q)),
         worst_quarter_db(energies_of(shell, q), energies_of(shell, fine)), 0.1});
    plots.hard_modes = modes_map(shell, q, fmt::format("{}, {}: each mode's spectrum", name, named(shell, q)));
    plots.spectra.curves.push_back(velocity_spectrum(shell, q, impulse, named(shell, q)));
    return plots;
}

}  // namespace

Case hits_case(const Progress& progress) {
    Case result{.name = "hits",
                .title = "A plate and a cymbal, hit softly and hard",
                .source = "oscillators that nothing couples, in closed form",
                .settings =
                    "Hertzian pulses of 2 ms, all modes with ξ = 0.001, 0.7 s at 48 kHz; 50 and 100 modes, six "
                    "edges per mode",
                .remark =
                    "In a soft hit each mode keeps to its own frequency; in a hard one low modes drive high ones "
                    "over a wide band, as [Chadwick2009, Fig. 8] has it for a cymbal"};
    const HitPlots plate = add_hits(result, {struck_plate(50), 3 * 25 + 2});
    progress("hits", 0.4);
    const HitPlots cymbal = add_hits(result, {struck_cymbal(100), 1200});
    result.plots = {plate.spectra, cymbal.spectra, cymbal.soft_modes, cymbal.hard_modes};
    return result;
}

}  // namespace clangor::validation
