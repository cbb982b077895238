// How one mode of a plate gives its energy to others.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/struck_shells.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor::validation {
namespace {

constexpr double coupling_rate_hz = 16e3;  // modes lie below 800 Hz
constexpr double coupling_seconds = 1;

template <class Stepper, class Options, class Plan>
Eigen::MatrixXd free_motion(const Plan& plan, const Eigen::VectorXd& q) {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(plan.modes());
    Stepper stepper(plan, Options{.sample_rate_hz = coupling_rate_hz, .xi = none});
    stepper.set_state(q, none);
    return stepper.advance(long(coupling_seconds * coupling_rate_hz) + 2);
}

// Of each mode, the mean of every 10 ms: a row per mode.
Eigen::MatrixXd energies_over_time(const Eigen::VectorXd& omega, const Eigen::MatrixXd& q) {
    const Eigen::MatrixXd each = modal_energies(omega, q, coupling_rate_hz);
    const long block = long(0.01 * coupling_rate_hz), columns = each.cols() / block;
    Eigen::MatrixXd mean(each.rows(), columns);
    for (long c = 0; c < columns; ++c) mean.col(c) = each.middleCols(c * block, block).rowwise().mean();
    return mean;
}

Plot energy_map(const Eigen::MatrixXd& energies, const std::string& title) {
    Plot plot{.title = title, .x_label = "time [s]", .y_label = "mode", .map = LevelMap{}};
    const double all = energies.col(0).sum();
    plot.map->db = 10 * (energies.array() / all + 1e-30).log10();
    for (long c = 0; c < energies.cols(); ++c) plot.map->x.push_back((double(c) + 0.5) * 0.01);
    for (long p = 0; p < energies.rows(); ++p) plot.map->y.push_back(double(p + 1));
    return plot;
}

// How a mode of the square changes where the plate is mirrored in its two middle lines and in a diagonal: 1 or −1, and
// something between for one of a pair.
Vec3 mirrored(const StruckShell& plate, long p) {
    const Eigen::VectorXd u = plate.shape(p);
    const int side = int(std::lround(std::sqrt(double(plate.shell.middle.vertices.rows()))));
    const auto w = [&](int i, int j) { return u[3 * (i * side + j) + 2]; };
    Vec3 sum = Vec3::Zero();
    double all = 0;
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            sum += w(i, j) * Vec3(w(side - 1 - i, j), w(i, side - 1 - j), w(j, i));
            all += square(w(i, j));
        }
    return sum / all;
}

// The most energy that a mode has at any time, of those that are chosen [dB of all energy].
template <class Chosen>
double most_db(const Eigen::MatrixXd& energies, const Chosen& chosen) {
    double most = 0;
    for (long p = 0; p < energies.rows(); ++p)
        if (chosen(p)) most = worse(most, energies.row(p).maxCoeff());
    return 10 * std::log10(most / energies.col(0).sum() + 1e-30);
}

}  // namespace

Case coupling_case(const Progress& progress) {
    Case result{
        .name = "coupling",
        .title = "Energy that one mode of a square plate gives to others",
        .source =
            "symmetry: a motion that a mirror turns into itself, or into its opposite, remains so, and "
            "feeds only modes of its own kind; linear modes feed none",
        .settings =
            "free steel plate of 0.4 m, 1 mm thick, 40 modes, 240 edges, no damping, 16 kHz. Linear modes "
            "alone: 160 triangles. Energies are means of 10 ms",
        .remark =
            "Mode 1 at two thicknesses moves four others of its kind (10, 17, 23, 31). Mode 8 does so at once, then "
            "is not stable, and feeds all. In linear modes alone its energy is spread over all modes within 30 ms"};
    const StruckShell plate = struck_plate(40);
    const Eigen::VectorXd& omega = plate.plan.omega;
    const auto started = [&](long p, double thicknesses) -> Eigen::VectorXd {
        return thicknesses * plate.thickness_in(p) * Eigen::VectorXd::Unit(omega.size(), p);
    };
    const auto in_stress_modes = [&](const Eigen::VectorXd& q) {
        return energies_over_time(omega, free_motion<ShellStepper, ShellStepperOptions>(plate.plan, q));
    };
    const Eigen::MatrixXd first = in_stress_modes(started(0, 2)), quiet = in_stress_modes(started(7, 2e-3)),
                          loud = in_stress_modes(started(7, 2));
    progress("coupling", 0.5);
    const SubspacePlan linear_modes =
        subspace_plan(plate.shell, plate.material, plate.modes, {.triangles = 160, .poses = 40});
    const Eigen::MatrixXd locked =
        energies_over_time(omega, free_motion<SubspaceStepper, SubspaceStepperOptions>(linear_modes, started(7, 2)));
    const Vec3 kind = mirrored(plate, 0);
    const double other_kinds =
        most_db(first, [&](long p) { return (mirrored(plate, p) - kind).cwiseAbs().maxCoeff() > 0.01; });
    result.bounds = {
        {"mode 1 at 2 h: most energy in a mode of another kind [dB]", other_kinds, -50},
        {"mode 1 at 2 h: most energy in another mode [dB]", most_db(first, [](long p) { return p != 0; }), -30, true},
        {"mode 8 at 0.002 h: most energy in another mode [dB]", most_db(quiet, [](long p) { return p != 7; }), -80},
        {"mode 8 at 0.002 h: change of its energy [dB]",
         10 * std::log10(quiet.row(7).maxCoeff() / quiet.row(7).minCoeff()), 0.1}};
    result.plots = {energy_map(first, "mode 1 started at 2 h"), energy_map(quiet, "mode 8 started at 0.002 h"),
                    energy_map(loud, "mode 8 started at 2 h"), energy_map(locked, "the same in linear modes alone")};
    return result;
}

}  // namespace clangor::validation
