// Pitch over time while large motion decays.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/exact_shells.hpp>
#include <clangor/validation/spectrogram.hpp>
#include <clangor/validation/struck_shells.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor::validation {
namespace {

constexpr double glide_seconds = 2.5, glide_rate_hz = 16e3;  // modes lie below 800 Hz

// Pitch of each period, from zero to zero, and how far it went: the mean of both ways.
struct PitchTrack {
    std::vector<double> time, hz, amplitude;
};

PitchTrack pitch_of(const Eigen::VectorXd& y) {
    PitchTrack track;
    double last = -1, up = 0, down = 0;
    for (long s = 1; s < y.size(); ++s) {
        up = std::max(up, y[s]);
        down = std::min(down, y[s]);
        if (!(y[s - 1] < 0 && y[s] >= 0)) continue;
        const double zero = (double(s - 1) + y[s - 1] / (y[s - 1] - y[s])) / glide_rate_hz;
        if (last >= 0) {
            track.time.push_back(0.5 * (last + zero));
            track.hz.push_back(1 / (zero - last));
            track.amplitude.push_back(std::sqrt(-up * down));
        }
        last = zero, up = down = 0;
    }
    return track;
}

// From a place, pushed by a pulse; all modes have one ξ.
struct Start {
    Eigen::VectorXd q;
    Eigen::MatrixXd pulse;
    double xi;
};

template <class Stepper, class Options, class Plan>
Eigen::MatrixXd motion_from(const Plan& plan, const Start& start) {
    const long r = plan.modes();
    Stepper stepper(plan, Options{.sample_rate_hz = glide_rate_hz, .xi = Eigen::VectorXd::Constant(r, start.xi)});
    stepper.set_state(start.q, Eigen::VectorXd::Zero(r));
    Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(r, long(glide_seconds * glide_rate_hz));
    forces.leftCols(start.pulse.cols()) = start.pulse;
    return stepper.advance(forces);
}

// ω/ω_lin of von Kármán's plate; it grows about with the square of the amplitude.
double backbone_ratio(double harmonic) {
    BackbonePoint below{0, 0, 1};
    for (const BackbonePoint& above : free_square_backbone) {
        if (harmonic <= above.harmonic)
            return below.ratio + (above.ratio - below.ratio) * (square(harmonic) - square(below.harmonic)) /
                                     (square(above.harmonic) - square(below.harmonic));
        below = above;
    }
    return std::nan("");
}

// Mode 1 decays from 2.5 thicknesses. On the backbone where that is known, up to two thicknesses.
Plot add_backbone(Case& result, const StruckShell& plate, const SubspacePlan& linear_modes) {
    const double unit = plate.thickness_in(0), linear_hz = plate.plan.omega[0] / (2 * pi);
    const Start start{2.5 * unit * Eigen::VectorXd::Unit(plate.plan.modes(), 0), {}, 0.01};
    const PitchTrack track = pitch_of(motion_from<ShellStepper, ShellStepperOptions>(plate.plan, start).row(0));
    const PitchTrack other = pitch_of(motion_from<SubspaceStepper, SubspaceStepperOptions>(linear_modes, start).row(0));
    Curve backbone{.label = "backbone at its amplitude", .style = CurveStyle::Band};
    double next = 2;
    for (size_t i = 0; i < track.time.size(); ++i) {
        const double w = track.amplitude[i] / unit, expected = linear_hz * backbone_ratio(w);
        if (std::isnan(expected)) continue;
        backbone.x.push_back(track.time[i]);
        backbone.y.push_back(expected);
        if (w > next) continue;
        result.rows.push_back({fmt::format("pitch of mode 1 at {:.2f} h", w), expected, track.hz[i], 0.005, "Hz"});
        next -= 0.25;
    }
    result.rows.push_back({"pitch at the end", linear_hz, track.hz.back(), 0.001, "Hz"});
    return {.title = "let go from 2.5 h in the shape of mode 1",
            .x_label = "time [s]",
            .y_label = "pitch of mode 1 [Hz]",
            .curves = {std::move(backbone),
                       {.label = "stress modes", .x = track.time, .y = track.hz},
                       {.label = "linear modes alone", .x = other.time, .y = other.hz}}};
}

// Velocity where it is hit.
Plot spectrogram_of(const Eigen::MatrixXd& q, const Eigen::VectorXd& across, const std::string& title) {
    const Eigen::VectorXd u = q.transpose() * across, v = u.tail(u.size() - 1) - u.head(u.size() - 1);
    return {.title = title,
            .x_label = "time [s]",
            .y_label = "frequency [Hz]",
            .map = spectrogram({v.data(), size_t(v.size())},
                               {.rate_hz = glide_rate_hz, .window = 4096, .hop = 256, .max_hz = 400})};
}

void add_hit(Case& result, const StruckShell& plate, const SubspacePlan& linear_modes) {
    constexpr int corner = 0;
    const Start start{Eigen::VectorXd::Zero(plate.plan.modes()), plate.hit(corner, 0.03, 0.004, glide_rate_hz), 0.004};
    const Eigen::MatrixXd relaxed = motion_from<ShellStepper, ShellStepperOptions>(plate.plan, start),
                          locked = motion_from<SubspaceStepper, SubspaceStepperOptions>(linear_modes, start);
    const PitchTrack track = pitch_of(relaxed.row(0)), other = pitch_of(locked.row(0));
    double largest = 0;
    for (long s = 0; s < 4000; ++s) largest = std::max(largest, plate.thicknesses(relaxed.col(s)));
    const std::string hit = fmt::format("hit at a corner to {:.2g} h", largest);
    result.plots.push_back({.title = hit,
                            .x_label = "time [s]",
                            .y_label = "pitch of mode 1 [Hz]",
                            .curves = {{.label = "stress modes", .x = track.time, .y = track.hz},
                                       {.label = "linear modes alone", .x = other.time, .y = other.hz}}});
    result.plots.push_back(spectrogram_of(relaxed, plate.across(corner), hit + ", stress modes"));
    result.plots.push_back(spectrogram_of(locked, plate.across(corner), "the same hit, linear modes alone"));
}

}  // namespace

Case glide_case(const Progress& progress) {
    Case result{.name = "glide",
                .title = "Pitch of a plate while large motion decays",
                .source =
                    "the backbone of von Kármán's plate, by harmonic balance of many modes, at the amplitude that "
                    "is left",
                .settings =
                    "free steel plate of 0.4 m, 1 mm thick, 40 modes, 240 edges, 16 kHz; ξ = 0.01 of all modes "
                    "(let go), 0.004 (hit for 4 ms). Linear modes alone: 160 triangles",
                .remark =
                    "Real plates glide: by a quarter from 2.5 thicknesses. In linear modes alone the glide is "
                    "eight times that, an artefact that [Chadwick2009, Fig. 6] shows and limits"};
    const StruckShell plate = struck_plate(40);
    const SubspacePlan linear_modes =
        subspace_plan(plate.shell, plate.material, plate.modes, {.triangles = 160, .poses = 40});
    progress("glide", 0.2);
    result.plots.push_back(add_backbone(result, plate, linear_modes));
    progress("glide", 0.6);
    add_hit(result, plate, linear_modes);
    return result;
}

}  // namespace clangor::validation
