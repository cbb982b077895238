// Energy of shells in large motion that nothing damps.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/shell_meshes.hpp>
#include <clangor/validation/struck_shells.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor::validation {
namespace {

// Some motion in the first eight modes, so far that the shell moves by so many thicknesses.
Eigen::VectorXd displaced(const StruckShell& body, double thicknesses) {
    Noise noise;
    Eigen::VectorXd q = Eigen::VectorXd::Zero(body.plan.modes());
    for (long p = 0; p < 8; ++p) q[p] = noise() / body.plan.omega[p];
    return q * (thicknesses / body.thicknesses(q));
}

constexpr long block = 480;  // 10 ms

// |E/E₀ − 1| of what steps conserve, over a second; no lower than doubles resolve.
template <class Stepper>
Curve energy_drift(Stepper& stepper, const std::string& label) {
    Curve curve{.label = label};
    const double before = stepper.energy();
    for (int i = 1; i <= 100; ++i) {
        stepper.advance(block);
        curve.x.push_back(double(i * block) / shell_rate_hz);
        curve.y.push_back(std::max(std::abs(stepper.energy() / before - 1), 1e-15));
    }
    return curve;
}

// The same of ½q̇² + ½qᵀΛq + V, from the motion alone.
Curve motion_drift(const StruckShell& body, const Eigen::VectorXd& start, const std::string& label) {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(body.plan.modes());
    ShellStepper stepper(body.plan, {.sample_rate_hz = shell_rate_hz, .xi = none});
    stepper.set_state(start, none);
    const double before =
        0.5 * body.plan.omega.cwiseProduct(start).squaredNorm() + nonlinear_force(body.plan, start).potential;
    Curve curve{.label = label};
    for (int i = 1; i <= 100; ++i) {
        const Eigen::MatrixXd q = stepper.advance(block).rightCols(3);
        const double now =
            modal_energies(body.plan.omega, q, shell_rate_hz).sum() + nonlinear_force(body.plan, q.col(1)).potential;
        curve.x.push_back(double(i * block) / shell_rate_hz);
        curve.y.push_back(std::abs(now / before - 1));
    }
    return curve;
}

double largest_of(const Curve& curve) {
    double largest = 0;
    for (const double y : curve.y) largest = worse(largest, y);
    return largest;
}

}  // namespace

Case shell_energy_case(const Progress& progress) {
    Case result{.name = "shell-energy",
                .title = "Energy of a plate and a cymbal in large motion without damping, one second",
                .source = "energy is conserved",
                .settings = "40 modes, 240 edges, 40 stresses, 48 kHz; let go from rest, 2 and 5 thicknesses away",
                .remark =
                    "What steps conserve is one energy, that of the motion (½q̇² + ½qᵀΛq + V) another, which it "
                    "follows to second order in the step. Explicit steps, of shells in their linear modes alone, "
                    "conserve neither exactly"};
    for (const StruckShell& body : {struck_plate(40), struck_cymbal(40)}) {
        const Eigen::VectorXd none = Eigen::VectorXd::Zero(body.plan.modes());
        Plot plot{.title = body.name, .x_label = "time [s]", .y_label = "|E/E₀ − 1|", .log_y = true};
        for (const double w : {2.0, 5.0}) {
            const Eigen::VectorXd start = displaced(body, w);
            ShellStepper stepper(body.plan, {.sample_rate_hz = shell_rate_hz, .xi = none});
            stepper.set_state(start, none);
            const std::string label = fmt::format("w = {:g} h", w), what = fmt::format("{}, {}", body.name, label);
            const Curve of_steps = energy_drift(stepper, label + ", of the steps"),
                        of_motion = motion_drift(body, start, label + ", of the motion");
            result.bounds.push_back({what + ": drift of energy", largest_of(of_steps), 1e-6});
            result.bounds.push_back({what + ": error of the motion's energy", largest_of(of_motion), 1e-3});
            plot.curves.push_back(of_steps);
            plot.curves.push_back(of_motion);
        }
        const SubspacePlan linear_modes =
            subspace_plan(body.shell, body.material, body.modes, {.triangles = 120, .poses = 40});
        Eigen::VectorXd q = Eigen::VectorXd::Zero(linear_modes.modes()), rest = q;
        q(body.plan.kept) = displaced(body, 2);
        SubspaceStepper stepper(linear_modes, {.sample_rate_hz = shell_rate_hz, .xi = rest});
        stepper.set_state(q, rest);
        plot.curves.push_back(energy_drift(stepper, "w = 2 h, linear modes alone"));
        result.plots.push_back(std::move(plot));
        progress("shell-energy", 0.5);
    }
    return result;
}

}  // namespace clangor::validation
