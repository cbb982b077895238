// How high frequencies build up after hard hits on a gong and a cymbal.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/spectrogram.hpp>
#include <clangor/validation/struck_shells.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor::validation {
namespace {

constexpr double crash_seconds = 0.09;

struct Crash {
    StruckShell body;
    int vertex;
    double duration;    // of the hit [s]
    double soft, hard;  // impulses [N s]
    double top_hz;      // of the picture
};

StruckMotion crash_motion(const Crash& crash, double impulse, int steps) {
    return motion_after(crash.body, crash.body.hit(crash.vertex, impulse, crash.duration),
                        {.xi = 5e-4, .samples = long(crash_seconds * shell_rate_hz), .steps = steps});
}

// How much of all energy is in the upper half of the modes, in every 5 ms from the end of the hit on [dB].
Curve upper_level(const Crash& crash, const Eigen::MatrixXd& q, const std::string& label) {
    const Eigen::MatrixXd energies = modal_energies(crash.body.plan.omega, q, shell_rate_hz);
    const long begin = long(crash.duration * shell_rate_hz), block = long(0.005 * shell_rate_hz);
    Curve curve{.label = label};
    for (long s = begin; s + block <= energies.cols(); s += block) {
        const auto part = energies.middleCols(s, block);
        curve.x.push_back(1e3 * (double(s) + 0.5 * double(block)) / shell_rate_hz);
        curve.y.push_back(10 * std::log10(part.bottomRows(part.rows() / 2).sum() / part.sum()));
    }
    return curve;
}

// From the first 5 ms to those around 50 ms.
double rise_db(const Curve& curve) {
    for (size_t i = 0; i < curve.x.size(); ++i)
        if (curve.x[i] >= 50) return curve.y[i] - curve.y[0];
    return std::nan("");
}

// Velocity where it is hit.
Plot crash_picture(const Crash& crash, const Eigen::MatrixXd& q, const std::string& title) {
    const Eigen::VectorXd u = q.transpose() * crash.body.across(crash.vertex),
                          v = u.tail(u.size() - 1) - u.head(u.size() - 1);
    Plot plot{.title = title, .x_label = "time [ms]", .y_label = "frequency [Hz]"};
    plot.map = spectrogram({v.data(), size_t(v.size())}, {.window = 512, .hop = 48, .max_hz = crash.top_hz});
    for (double& time : plot.map->x) time *= 1e3;
    return plot;
}

void add_crash(Case& result, const Crash& crash) {
    const std::string& name = crash.body.name;
    const StruckMotion soft = crash_motion(crash, crash.soft, 1), hard = crash_motion(crash, crash.hard, 1),
                       fine = crash_motion(crash, crash.hard, 2);
    const std::string softly = fmt::format("hit to {:.1g} h", soft.report.largest),
                      hardly = fmt::format("hit to {:.1f} h", hard.report.largest);
    const Curve of_soft = upper_level(crash, soft.q, softly), of_hard = upper_level(crash, hard.q, hardly),
                of_fine = upper_level(crash, fine.q, hardly + ", steps half as long");
    double worst = 0;
    for (size_t i = 0; i < of_hard.y.size(); ++i) worst = worse(worst, std::abs(of_hard.y[i] - of_fine.y[i]));
    result.bounds.push_back(
        {fmt::format("{}, {}: rise of the upper half of modes in 50 ms [dB]", name, softly), rise_db(of_soft), 0});
    result.bounds.push_back({fmt::format("{}, {}: rise of the upper half of modes in 50 ms [dB]", name, hardly),
                             rise_db(of_hard), 6, true});
    result.bounds.push_back(
        {fmt::format("{}, {}: level against steps half as long, worst [dB]", name, hardly), worst, 0.5});
    result.bounds.push_back(
        {fmt::format("{}, {}: samples beyond five thicknesses", name, hardly), double(hard.report.beyond_validity), 0});
    result.plots.push_back(crash_picture(crash, soft.q, name + ", " + softly));
    result.plots.push_back(crash_picture(crash, hard.q, name + ", " + hardly));
    result.plots.push_back({.title = name + ": upper half of the modes, of all energy",
                            .x_label = "time [ms]",
                            .y_label = "level [dB]",
                            .curves = {of_soft, of_hard, of_fine}});
}

}  // namespace

Case crash_case(const Progress& progress) {
    Case result{.name = "crash",
                .title = "High frequencies that build up after a hard hit on a gong and a cymbal",
                .source =
                    "linear modes do not exchange energy, so that high ones, which decay sooner, only lose; what "
                    "builds up must not depend on the step",
                .settings =
                    "free caps of bronze, 100 modes up to 4 and 5 kHz, 600 edges, ξ = 0.0005, 48 kHz: gong 240 mm "
                    "wide, 1 mm thick, rise 4 mm, hit for 2 ms beside its middle; cymbal 200 mm, 0.8 mm, rise "
                    "12 mm, hit for 1 ms at its rim",
                .remark =
                    "Low modes that were hit feed high ones over some ten milliseconds: the crash comes after the "
                    "hit"};
    {
        const Crash gong{struck_cap("gong", {0.24, 0.004, 0.001, 20}, 100), 250, 0.002, 1e-4, 0.4, 6000};
        add_crash(result, gong);
    }
    progress("crash", 0.5);
    {
        StruckShell body = struck_cap("cymbal", {0.2, 0.012, 0.0008, 20}, 100);
        const int rim = int(body.shell.middle.vertices.rows()) - 1;
        add_crash(result, {std::move(body), rim, 0.001, 1e-5, 0.03, 7000});
    }
    // Maps in pairs, then curves.
    std::swap(result.plots[2], result.plots[3]);
    std::swap(result.plots[3], result.plots[4]);
    return result;
}

}  // namespace clangor::validation
