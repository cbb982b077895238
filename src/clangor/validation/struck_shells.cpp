#include <clangor/validation/gamma.hpp>
#include <clangor/validation/shell_meshes.hpp>
#include <clangor/validation/struck_shells.hpp>

#include <clangor/motion/contact/contact.hpp>

namespace clangor::validation {
namespace {

StruckShell struck(std::string name, const Material& material, const ThinShell& shell, int count) {
    Modes modes = vibration_modes(assemble(shell, material), {.min_hz = 1, .max_count = count});
    ShellPlan plan = shell_plan(shell, material, modes);
    return {std::move(name), material, shell, std::move(modes), std::move(plan)};
}

// The mean of the faces around, weighted by area.
Vec3 normal_at(const Surface& surface, int vertex) {
    Vec3 sum = Vec3::Zero();
    for (const auto& face : surface.faces.rowwise()) {
        if ((face.array() != vertex).all()) continue;
        const Vec3 a = surface.vertices.row(face[0]), b = surface.vertices.row(face[1]),
                   c = surface.vertices.row(face[2]);
        sum += (b - a).cross(c - a);
    }
    return sum.normalized();
}

}  // namespace

double StruckShell::thickness_in(long p) const { return shell.thickness[0] / largest_displacement(shape(p)); }

double StruckShell::thicknesses(const Eigen::VectorXd& q) const {
    return largest_displacement(modes.shapes(Eigen::all, plan.kept) * q) / shell.thickness[0];
}

Eigen::VectorXd StruckShell::across(int vertex) const {
    return modes.shapes(Eigen::all, plan.kept).middleRows<3>(3 * vertex).transpose() * normal_at(shell.middle, vertex);
}

Eigen::MatrixXd StruckShell::hit(int vertex, double impulse, double seconds, double rate_hz) const {
    const long samples = std::lround(seconds * rate_hz);
    Eigen::RowVectorXd pulse(samples);
    for (long s = 0; s < samples; ++s)
        pulse[s] = impulse / seconds * unit_pulse(PulseShape::Hertz, (double(s) + 0.5) / double(samples));
    return across(vertex) * pulse;
}

StruckShell struck_plate(int modes) {
    Surface square = unit_square(24, Grid::Alternating);
    square.vertices *= 0.4;
    return struck("plate", {"steel", 7800, 200e9, 0.3, {}, ""}, of_thickness(square, 0.001), modes);
}

StruckShell struck_cap(std::string name, const BronzeCap& cap, int modes) {
    // r = R sin θ, rise = R (1 − cos θ).
    const double rim = cap.width / 2, radius = (square(rim) + square(cap.rise)) / (2 * cap.rise);
    return struck(std::move(name), {"bronze", 8800, 110e9, 0.34, {}, ""},
                  of_thickness(spherical_cap(cap.rings, radius, std::asin(rim / radius)), cap.thickness), modes);
}

StruckShell struck_cymbal(int modes) { return struck_cap("cymbal", {0.4, 0.025, 0.001, 20}, modes); }

StruckMotion motion_after(const StruckShell& body, const Eigen::MatrixXd& pulse, const StruckOptions& options) {
    const long r = body.plan.modes();
    ShellStepper stepper(
        body.plan, {.sample_rate_hz = shell_rate_hz * options.steps, .xi = Eigen::VectorXd::Constant(r, options.xi)});
    Eigen::MatrixXd q(r, options.samples);
    for (long s = 0; s < q.cols(); ++s) {
        Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(r, options.steps);
        if (s < pulse.cols()) forces.col(0) = options.steps * pulse.col(s);  // a sample acts as an impulse
        q.col(s) = stepper.advance(forces).col(0);
    }
    return {std::move(q), stepper.report()};
}

Eigen::MatrixXd modal_energies(const Eigen::VectorXd& omega, const Eigen::MatrixXd& q, double rate_hz) {
    const long n = q.cols() - 2;
    const Eigen::ArrayXd scale = omega.array() / (2 * (omega.array() / rate_hz).sin());
    const Eigen::ArrayXXd qdot = (q.rightCols(n) - q.leftCols(n)).array().colwise() * scale;
    const Eigen::ArrayXXd spring = q.middleCols(1, n).array().colwise() * omega.array();
    return 0.5 * (qdot.square() + spring.square());
}

}  // namespace clangor::validation
