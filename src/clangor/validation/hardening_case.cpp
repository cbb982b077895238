// How the pitch of a mode goes with its amplitude: reduced shells, whole meshes, von Kármán's plates, Marguerre's caps.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/exact_shells.hpp>
#include <clangor/validation/gamma.hpp>
#include <clangor/validation/shell_meshes.hpp>
#include <clangor/validation/whole_shell.hpp>

#include <fmt/format.h>

namespace clangor::validation {
namespace {

const Material hardening_steel{"steel", 7800, 200e9, 0.3, {}, ""};

// One body as it is stepped, as a shell in its linear modes alone, and whole.
struct HardeningBody {
    double h;
    ThinShell shell;
    Modes modes;
    ShellPlan plan;

    HardeningBody(const Surface& middle, double thickness)
        : h(thickness),
          shell(of_thickness(middle, thickness)),
          modes(vibration_modes(assemble(shell, hardening_steel), {.min_hz = 1, .max_hz = 1e5, .max_count = 30})),
          plan(shell_plan(shell, hardening_steel, modes)) {}

    SubspacePlan in_linear_modes(int triangles) const {
        return subspace_plan(shell, hardening_steel, modes, {.triangles = triangles});
    }
    Eigen::VectorXd shape(long p) const { return modes.shapes.col(plan.kept[size_t(p)]); }
    double gamma(long p) const { return gamma_of_plan(plan, p, h, largest_displacement(shape(p))); }
    double mesh_gamma(long p) const { return gamma_of_mesh(shell, hardening_steel, shape(p), plan.omega[p]); }
};

// Γ of von Kármán's plates and Marguerre's caps, ν = 0.3, by an Airy solution from below and one in displacements from
// above, equal to seven digits; `locked`: without motion in the plane, 0 if not known.
struct ExactGamma {
    std::string mode, member;  // member: "(1 of 2)" of a pair
    long p;
    double free, locked;
};

void add_gammas(Case& result, const std::string& name, const HardeningBody& body,
                const std::vector<ExactGamma>& exact) {
    const SubspacePlan linear_modes = body.in_linear_modes(int(body.shell.middle.faces.rows()));
    for (const ExactGamma& mode : exact) {
        const std::string what = fmt::format("{}, mode {}: Γ", name, mode.mode);
        const std::string& member = mode.member;
        const double gamma = body.gamma(mode.p);
        result.rows.push_back({what + ", whole mesh" + member, body.mesh_gamma(mode.p), gamma, 0.02, ""});
        result.rows.push_back({what + ", continuum" + member, mode.free, gamma, 0.03, ""});
        if (mode.locked > 0)
            result.rows.push_back({what + " in linear modes alone, continuum that cannot move in its plane" + member,
                                   mode.locked,
                                   gamma_of_plan(linear_modes, body.plan.kept[size_t(mode.p)], body.h,
                                                 largest_displacement(body.shape(mode.p))),
                                   0.03, ""});
    }
}

// Of a mode that is let go from rest and swings alike both ways, four times as long as it takes to the first zero; else
// from there to the third. In samples.
double period_of(const Eigen::VectorXd& y, bool is_symmetric) {
    std::vector<double> zeros;
    for (long s = 1; s < y.size() && zeros.size() < 3; ++s)
        if ((y[s - 1] > 0) != (y[s] > 0)) zeros.push_back(double(s - 1) + y[s - 1] / (y[s - 1] - y[s]));
    if (is_symmetric) return zeros.empty() ? std::nan("") : 4 * zeros[0];
    return zeros.size() == 3 ? zeros[2] - zeros[0] : std::nan("");
}

struct BackboneLine {
    std::string name;
    long p;
    double direction;   // in which it is let go: 1 or −1 of its shape
    bool is_symmetric;  // it swings alike both ways
    std::vector<BackbonePoint> continuum;
};

// f/f_lin of a plan's mode that is let go at a modal amplitude.
template <class Stepper, class Options, class Plan>
double let_go(const Plan& plan, long p, double amplitude, bool is_symmetric) {
    Options options;
    options.sample_rate_hz = std::max(800 * plan.omega[p], 2.02 * plan.omega.maxCoeff()) / (2 * pi);
    options.xi = Eigen::VectorXd::Zero(plan.modes());
    Stepper stepper(plan, options);
    stepper.set_state(amplitude * Eigen::VectorXd::Unit(plan.modes(), p), Eigen::VectorXd::Zero(plan.modes()));
    const double period = options.sample_rate_hz * 2 * pi / plan.omega[p];
    return period / period_of(stepper.advance(long((is_symmetric ? 0.3 : 1.6) * period)).row(p), is_symmetric);
}

// The same of every vertex of the mesh. What lies outside the modes begins where they relax it to,
// −(K⁺ − UΛ⁻¹Uᵀ)Sᵀn.
double whole_let_go(const HardeningBody& body, const BackboneLine& line, double amplitude) {
    const WallStretch wall(body.shell, hardening_steel);
    const Compliance compliance(assemble(body.shell, hardening_steel), 1e-4 * square(body.modes.omega[0]));
    const Eigen::VectorXd u = body.shape(line.p), f = wall.forces(wall.quadratic(u)).col(0);
    const Eigen::VectorXd in_modes = (body.modes.shapes.transpose() * f).array() / body.modes.omega.array().square();
    const Eigen::VectorXd z = body.modes.shapes * in_modes - compliance(f).col(0);
    // In a linear period; that of the steps is 2/k atan(ωk/2).
    const int steps = line.is_symmetric ? 240 : 64;
    const double omega = body.plan.omega[line.p], k = 2 * pi / omega / steps;
    WholeShell whole(body.shell, hardening_steel, k);
    whole.start(amplitude * u + square(amplitude) * z);
    const Eigen::VectorXd weight = whole.body().mass * u;
    std::vector<double> y;
    double period = std::nan("");
    while (std::isnan(period) && std::ssize(y) < 2 * steps) {
        y.push_back(weight.dot(whole.x()));
        whole.step();
        period = period_of(Eigen::Map<const Eigen::VectorXd>(y.data(), std::ssize(y)), line.is_symmetric);
    }
    return pi / std::atan(omega * k / 2) / period;
}

void add_backbone(Case& result, const HardeningBody& body, const BackboneLine& line) {
    const SubspacePlan linear_modes = body.in_linear_modes(0);
    const double unit = line.direction * body.h / largest_displacement(body.shape(line.p));
    const auto ratio = [&](double w) {
        return let_go<ShellStepper, ShellStepperOptions>(body.plan, line.p, w * unit, line.is_symmetric);
    };
    Curve continuum{.label = "continuum", .style = CurveStyle::Band}, plan{.label = "stress modes"},
        linear{.label = "linear modes alone"}, whole{.label = "whole mesh", .style = CurveStyle::Marks};
    for (const BackbonePoint& point : line.continuum) {
        continuum.x.push_back(point.turning);
        continuum.y.push_back(point.ratio);
    }
    for (int i = 1; i <= 12; ++i) {
        const double w = 0.25 * i;
        plan.x.push_back(w);
        plan.y.push_back(ratio(w));
        linear.x.push_back(w);
        linear.y.push_back(let_go<SubspaceStepper, SubspaceStepperOptions>(linear_modes, body.plan.kept[size_t(line.p)],
                                                                           w * unit, line.is_symmetric));
    }
    for (const double w : {1.0, 2.0}) {
        const double expected = whole_let_go(body, line, w * unit);
        whole.x.push_back(w);
        whole.y.push_back(expected);
        result.rows.push_back(
            {fmt::format("{}: f/f_lin at w = {:g} h, whole mesh", line.name, w), expected, ratio(w), 0.005, ""});
    }
    Plot plot{.title = line.name, .x_label = "w/h", .y_label = "f / f_lin"};
    if (!continuum.x.empty()) plot.curves.push_back(std::move(continuum));
    for (Curve* curve : {&plan, &linear, &whole}) plot.curves.push_back(std::move(*curve));
    result.plots.push_back(std::move(plot));
}

void add_square(Case& result) {
    const HardeningBody plate(unit_square(16, Grid::Alternating), 0.002);
    add_gammas(result, "square", plate,
               {{"1", "", 0, 0.154790, 2.765863}, {"2", "", 1, 0.518272, 9.423001}, {"3", "", 2, 0.186135, 3.435579}});
    add_backbone(result, plate, {"square, mode 1", 0, 1, true, free_square_backbone});
}

void add_disc(Case& result) {
    const HardeningBody plate(disc(8), 0.002);
    add_gammas(result, "disc", plate,
               {{"(2,0)", " (1 of 2)", 0, 0.422477, 5.625082},
                {"(2,0)", " (2 of 2)", 1, 0.422477, 5.625082},
                {"(0,1)", "", 2, 0.890978, 6.914418}});
    add_backbone(result, plate, {"disc, mode (2,0)", 0, 1, true, free_disc_backbone});
}

// Of 1 m radius, rise² such that κ = 4(rise/h)² = 10.
void add_cap(Case& result) {
    const double h = 0.002, radius = 1 / (h * std::sqrt(10.0));
    const HardeningBody cap(spherical_cap(12, radius, 1 / radius), h);
    add_gammas(result, "cap", cap, {{"(0,1)", "", 4, -0.717139, 0}});
    // Its quadratic and cubic terms all but cancel: 5.6 without motion in the plane.
    for (const long p : {0, 1})
        result.bounds.push_back(
            {fmt::format("cap, mode (2,0), {} of 2: |Γ − 0.0506|", p + 1), std::abs(cap.gamma(p) - 0.0506325), 0.002});
    // Inwards, where it swings farthest: the centre is vertex 0, and the pole of the sphere points up.
    add_backbone(result, cap,
                 {"cap, mode (0,1), let go inwards", 4, cap.shape(4)[2] > 0 ? -1.0 : 1.0, false, shallow_cap_backbone});
}

void add_cylinder(Case& result) {
    const HardeningBody tube(cylinder(40, 8, 0.1, 0.1, Grid::Alternating), 0.001);
    for (const long p : {0, 1})
        result.bounds.push_back({fmt::format("cylinder, mode 1, {} of 2: |Γ|", p + 1), std::abs(tube.gamma(p)), 2e-4});
    add_backbone(result, tube, {"cylinder, mode 1", 0, 1, true, {}});
}

}  // namespace

Case hardening_case(const Progress& progress) {
    Case result{
        .name = "hardening",
        .title = "Pitch over amplitude: plates harden, a shallow cap softens, a cylinder does neither",
        .source =
            "von Kármán's plates and Marguerre's caps with free edges: Γ from both sides to seven digits, "
            "backbones by harmonic balance of many modes; the whole mesh, by derivatives of its energy and "
            "moved in time. ω² is ω_lin² (1 + ¾Γ(w/h)²), w the largest displacement, h the thickness",
        .settings =
            "30 modes, 180 edges, 30 stresses; square of 16×16 cells, disc of 8 rings, cap of 12 rings with a "
            "rise of 1.58 h, cylinder R = L = 100 h of 40×8. Linear modes alone: 180 triangles, all of them "
            "for Γ",
        .remark =
            "Linear modes contain no motion in the plane, so that the wall stretches: Γ is 8 to 18 times too "
            "large on plates, a cap that softens hardens, and a cylinder, whose pitch stays, gets as sharp as a "
            "plate would"};
    add_square(result);
    progress("hardening", 0.25);
    add_disc(result);
    progress("hardening", 0.5);
    add_cap(result);
    progress("hardening", 0.75);
    add_cylinder(result);
    return result;
}

}  // namespace clangor::validation
