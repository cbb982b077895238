// What would be heard of struck rods without delays, with a circle for a section, or of one point alone.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/free_bar.hpp>
#include <clangor/validation/spectrogram.hpp>

#include <clangor/radiation/dipole/dipole.hpp>
#include <clangor/vibration/rod/rod.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <complex>

namespace clangor::validation {
namespace {

using Complex = std::complex<double>;

constexpr double rod_step_hz = 96e3, heard_hz = 48e3;
constexpr long heard_samples = 1L << 14;
constexpr double strike_place = 0.2;  // of the length

/// A free straight rod about the origin, along z.
struct StruckRod {
    double length;
    long points;
    RodSection section;
    Material material;
    Vec3 impulse;     ///< [N s]
    double duration;  ///< of the blow [s]
};

struct RodEar {
    RadiatingRod rod;
    Vec3 receiver;
};

/// From 30 ms after the blow on.
struct HeardRod {
    std::vector<Eigen::VectorXd> pressures;   ///< at each ear [Pa]
    Eigen::VectorXd undelayed;                ///< at the first, if sound took no time [Pa]
    std::vector<Eigen::VectorXd> velocities;  ///< along x, of each point that was asked for [m/s]
};

// Σ r̂·Ḟ/4πcR + r̂·F/4πR² of forces at two instants.
double undelayed_pressure(const PointSources& before, const PointSources& now, double seconds, const Vec3& receiver) {
    double sum = 0;
    for (long i = 0; i < now.positions.rows(); ++i) {
        const Vec3 arm = receiver - now.positions.row(i).transpose(), F = now.forces.row(i);
        const Vec3 change = F - before.forces.row(i).transpose();
        const double R = arm.norm();
        sum += arm.dot(change) / (seconds * Air{}.speed_of_sound * R * R) + arm.dot(F) / (R * R * R);
    }
    return sum / (4 * pi);
}

HeardRod heard_rod(const StruckRod& struck, const std::vector<RodEar>& ears, const std::vector<long>& points) {
    const RodShape shape{
        .points = straight_points({0, 0, -struck.length / 2}, {0, 0, struck.length / 2}, struck.points),
        .section = struck.section,
        .first_direction = Vec3::UnitX()};
    const RodPlan plan = rod_plan(shape, struck.material);
    RodStepper stepper(plan, {.damping = {.alpha = 0, .beta = 1e-7}});
    stepper.strike(
        {.at = strike_place * struck.length, .impulse = struck.impulse, .start = 0, .duration = struck.duration});

    std::vector<DipoleSum> sums;
    for (size_t e = 0; e < ears.size(); ++e)
        sums.emplace_back(DipoleSumOptions{.source_rate = rod_step_hz, .sample_rate = heard_hz, .reach = struck.length},
                          Air{});
    RodInstant instant{.positions = {},
                       .accelerations = {},
                       .d_1 = Vec3::UnitX().transpose().replicate(plan.points, 1),
                       .d_2 = Vec3::UnitY().transpose().replicate(plan.points, 1)};
    const long first = std::lround(0.03 * heard_hz);
    HeardRod heard{{},
                   Eigen::VectorXd::Zero(heard_samples),
                   std::vector<Eigen::VectorXd>(points.size(), Eigen::VectorXd::Zero(heard_samples))};
    PointSources before;
    for (long k = 0; sums.front().ready() < first + heard_samples; ++k) {
        stepper.step(1 / rod_step_hz);
        instant.positions = stepper.state().place.topRows(3).transpose();
        instant.accelerations = stepper.state().heard.topRows(3).transpose();
        for (size_t e = 0; e < ears.size(); ++e)
            sums[e].add(sources_of(ears[e].rod, instant, Air{}), {.receiver = ears[e].receiver});
        const PointSources now = sources_of(ears[0].rod, instant, Air{});
        const long sample = k / 2 - first;
        if (k % 2 == 0 && sample >= 0 && sample < heard_samples) {
            heard.undelayed[sample] = undelayed_pressure(before, now, 1 / rod_step_hz, ears[0].receiver);
            for (size_t p = 0; p < points.size(); ++p)
                heard.velocities[p][sample] = stepper.state().velocity(0, points[p]);
        }
        before = now;
    }
    for (DipoleSum& sum : sums) {
        std::vector<float> samples(size_t(first + heard_samples));
        sum.take(samples);
        heard.pressures.push_back(
            Eigen::Map<const Eigen::VectorXf>(samples.data() + first, heard_samples).cast<double>());
    }
    return heard;
}

double bar_hz(const StruckRod& rod, double second_moment, size_t mode) {
    return square(bar_roots[mode] / rod.length) / (2 * pi) *
           std::sqrt(rod.material.young * second_moment / (rod.material.density * rod.section.area));
}

// Pressure of a mode that moves along x, per velocity of its end [Pa s/m]:
//     (ρ0 D/4π) iω ∫ w(z) (x/R) (ik/R + 1/R²) e^{−ikR} dz
double bar_pressure(const RodEar& ear, double length, size_t mode, double hz) {
    const Air air;
    const double omega = 2 * pi * hz, k = omega / air.speed_of_sound;
    constexpr int pieces = 2000;
    Complex sum = 0;
    for (int i = 0; i < pieces; ++i) {
        const double z = (i + 0.5) / pieces - 0.5;
        const double R = (ear.receiver - Vec3(0, 0, z * length)).norm();
        sum += bar_shape(mode, z) * ear.receiver.x() / R * Complex(1 / (R * R), k / R) * std::polar(1.0, -k * R);
    }
    return air.density * ear.rod.dipole(0, 0) / (4 * pi) * omega * std::abs(sum) * length / pieces;
}

double bin_of(double hz) { return hz / heard_hz * double(heard_samples); }

/// The loudest bin within 4 % of a frequency.
long peak_near(const Eigen::VectorXd& power, double hz) {
    const long low = long(bin_of(0.96 * hz)), count = long(bin_of(1.04 * hz)) - low + 1;
    long at = 0;
    power.segment(low, count).maxCoeff(&at);
    return low + at;
}

double level_db(const Eigen::VectorXd& samples, double hz) {
    const Eigen::VectorXd power = power_spectrum(samples);
    return 10 * std::log10(power[peak_near(power, hz)]);
}

// The loudest of every two bins, against the loudest of all of another.
Curve spectrum_curve(const std::string& label, const Eigen::VectorXd& samples, const Eigen::VectorXd& reference) {
    const Eigen::VectorXd power = power_spectrum(samples);
    const double loudest = power_spectrum(reference).maxCoeff();
    Curve curve{.label = label};
    for (long bin = 8; double(bin) < bin_of(6000); bin += 2) {
        curve.x.push_back(double(bin + 1) * heard_hz / double(heard_samples));
        curve.y.push_back(std::max(-100.0, 10 * std::log10(power.segment(bin, 2).maxCoeff() / loudest)));
    }
    return curve;
}

Plot spectra_plot(const std::string& title, std::vector<Curve> curves) {
    return {.title = title, .x_label = "frequency [Hz]", .y_label = "level [dB]", .curves = std::move(curves)};
}

// A round rod of 2 feet, struck along x, heard at 45° to its axis.
void add_round_rod(Case& result) {
    constexpr double radius = 0.00635;
    const StruckRod rod{.length = 0.6096,
                        .points = 61,
                        .section = round_wire(radius),
                        .material = {.name = "aluminium", .density = 2700, .young = 70.7e9, .poisson = 0.33},
                        .impulse = {1e-3, 0, 0},
                        .duration = 2e-4};
    Eigen::VectorXd lengths = Eigen::VectorXd::Constant(rod.points, rod.length / double(rod.points - 1));
    lengths[0] = lengths[rod.points - 1] = lengths[0] / 2;
    const RodEar ear{.rod = radiating_rod(CircleSection{radius}, lengths), .receiver = {1, 0, 1}};
    const HeardRod heard = heard_rod(rod, {ear}, {0, rod.points / 2});
    const Eigen::VectorXd pressure = power_spectrum(heard.pressures[0]), end = power_spectrum(heard.velocities[0]);
    double most_left = -300;
    Curve expected{.label = "Euler and Bernoulli", .style = CurveStyle::Band},
        found{.label = "struck rod", .style = CurveStyle::Marks};
    for (size_t mode = 0; mode < bar_roots.size(); ++mode) {
        const double hz = bar_hz(rod, rod.section.bending_1, mode);
        const long peak = peak_near(pressure, hz);
        const double found_hz = double(peak) * heard_hz / double(heard_samples);
        const Row row{fmt::format("round rod, mode {}: pressure per velocity of its end", mode + 1),
                      1e3 * bar_pressure(ear, rod.length, mode, found_hz), 1e3 * std::sqrt(pressure[peak] / end[peak]),
                      0.03, "mPa s/m"};
        for (Curve* curve : {&expected, &found}) curve->x.push_back(found_hz);
        expected.y.push_back(row.expected);
        found.y.push_back(row.found);
        result.rows.push_back(row);
        most_left = worse(most_left, level_db(heard.undelayed, hz) - level_db(heard.pressures[0], hz));
    }
    const auto second_over_first = [&](const Eigen::VectorXd& samples) {
        return level_db(samples, bar_hz(rod, rod.section.bending_1, 1)) -
               level_db(samples, bar_hz(rod, rod.section.bending_1, 0));
    };
    result.bounds.push_back({"round rod without delays: the mode that keeps most of its level [dB]", most_left, -6});
    result.bounds.push_back(
        {"round rod: level of mode 2 over mode 1, as heard [dB]", second_over_first(heard.pressures[0]), 0, true});
    result.bounds.push_back(
        {"the same, of the velocity of its middle point alone [dB]", second_over_first(heard.velocities[1]), -40});
    result.plots.push_back({.title = "a round rod at 45°: pressure of its modes, per velocity of its end",
                            .x_label = "frequency [Hz]",
                            .y_label = "[mPa s/m]",
                            .log_y = true,
                            .curves = {std::move(expected), std::move(found)}});
    result.plots.push_back(spectra_plot("the same: with each point's own delay, and without",
                                        {spectrum_curve("own delays", heard.pressures[0], heard.pressures[0]),
                                         spectrum_curve("no delays", heard.undelayed, heard.pressures[0])}));
    result.plots.push_back(
        spectra_plot("the same: heard, and one point's velocity; each against its loudest",
                     {spectrum_curve("pressure", heard.pressures[0], heard.pressures[0]),
                      spectrum_curve("velocity of the middle", heard.velocities[1], heard.velocities[1]),
                      spectrum_curve("velocity of the end", heard.velocities[0], heard.velocities[0])}));
}

// An oak ruler, struck along x and y at once; it is 33 mm wide along x.
void add_ruler(Case& result) {
    const StruckRod rod{.length = 0.381,
                        .points = 61,
                        .section = flat_bar(0.033, 0.007),
                        .material = {.name = "oak", .density = 700, .young = 6.3e9, .poisson = 0.3},
                        .impulse = {1e-3, 1e-3, 0},
                        .duration = 2e-4};
    Eigen::VectorXd lengths = Eigen::VectorXd::Constant(rod.points, rod.length / double(rod.points - 1));
    lengths[0] = lengths[rod.points - 1] = lengths[0] / 2;
    const RadiatingRod flat = radiating_rod(RectangleSection{0.033, 0.007}, lengths);
    // As loud broadside.
    const RadiatingRod round = radiating_rod(CircleSection{std::sqrt(flat.dipole(1, 1) / (2 * pi))}, lengths);
    const HeardRod heard =
        heard_rod(rod, {{flat, {1, 0, 0}}, {round, {1, 0, 0}}, {flat, {0.7, 0.7, 0.3}}, {round, {0.7, 0.7, 0.3}}}, {});
    const double edgewise_hz = bar_hz(rod, rod.section.bending_1, 0);
    // D of 33 × 7 over its area: 1.326662 and 5.534911.
    result.rows.push_back({"ruler with a round section: what its first edgewise mode is too loud by",
                           20 * std::log10(5.534911 / 1.326662),
                           level_db(heard.pressures[1], edgewise_hz) - level_db(heard.pressures[0], edgewise_hz), 0.005,
                           "dB"});
    result.plots.push_back(spectra_plot("a ruler of 33 × 7 mm: as it is, and with a circle as loud broadside",
                                        {spectrum_curve("circle", heard.pressures[3], heard.pressures[2]),
                                         spectrum_curve("rectangle", heard.pressures[2], heard.pressures[2])}));
}

}  // namespace

Case rod_listening_case(const Progress& progress) {
    Case result{.name = "rod-listening",
                .title = "Struck rods, heard at 1 to 1.4 m: with and without delays, other sections, single points",
                .source =
                    "modes of Euler's and Bernoulli's bar and the field of a line of dipoles; conformal maps of "
                    "the ruler's section",
                .settings = "61 points, steps at 96 kHz, pressure at 48 kHz, blows of 0.2 ms at a fifth of the length",
                .remark =
                    "Without delays the parts of a mode that move against each other are not told apart, and modes "
                    "are lost. A circle for the section of a ruler makes its edgewise modes 12 dB too loud. One "
                    "point has no part in modes that leave it at rest"};
    add_round_rod(result);
    progress("rod-listening", 0.5);
    add_ruler(result);
    return result;
}

}  // namespace clangor::validation
