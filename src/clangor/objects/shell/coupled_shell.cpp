#include <clangor/objects/shell/coupled_shell.hpp>

#include <fmt/format.h>

#include <numeric>

namespace clangor {
namespace {

// Some of a plan's modes: the others stay at rest.
ShellPlan part_of(const ShellPlan& plan, const std::vector<long>& modes) {
    if (long(modes.size()) == plan.modes()) return plan;
    ShellPlan part = plan;
    part.kept.clear();
    for (const long mode : modes) part.kept.push_back(plan.kept[size_t(mode)]);
    part.omega = plan.omega(modes);
    part.coupling = plan.coupling(Eigen::all, modes);
    part.edges = plan.edges(Eigen::all, modes);
    part.probes = plan.probes(Eigen::all, modes);
    return part;
}

SubspacePlan part_of(const SubspacePlan& plan, const std::vector<long>& modes) {
    if (long(modes.size()) == plan.modes()) return plan;
    SubspacePlan part = plan;
    part.omega = plan.omega(modes);
    part.rows = plan.rows(Eigen::all, modes);
    part.probes = plan.probes(Eigen::all, modes);
    return part;
}

SoundAccount account_of(const std::string& name, const ShellReport& report, double rate_hz) {
    const auto seconds = [&](long samples) { return double(samples) / rate_hz; };
    SoundAccount account{.figures = {{"largest_thicknesses", report.largest},
                                     {"beyond_validity_s", seconds(report.beyond_validity)},
                                     {"shorter_steps_s", seconds(report.refined)},
                                     {"unresolved_s", seconds(report.unresolved)}}};
    if (report.beyond_validity > 0)
        account.warnings.push_back(fmt::format(
            "{}: for {:.2g} s it moved by more than five times its thickness, at most {:.2g}, beyond which its model "
            "is not checked; what hits it may be too heavy or too fast",
            object_named(name), seconds(report.beyond_validity), report.largest));
    if (report.unresolved > 0)
        account.warnings.push_back(
            fmt::format("{}: for {:.2g} s its motion was too violent for the shortest steps: what is heard then is "
                        "finite, but not accurate; hit it less hard, or let fewer of its modes couple",
                        object_named(name), seconds(report.unresolved)));
    return account;
}

// A plan must outlive its stepper.
template <class Plan, class Stepper>
struct Moving {
    Plan plan;
    Stepper stepper;
    template <class Options>
    Moving(Plan of, const Options& options) : plan(std::move(of)), stepper(plan, options) {}
};

template <class Plan, class Stepper>
CoupledMotion motion_of(const std::string& name, const std::shared_ptr<Moving<Plan, Stepper>>& moving, double rate) {
    return {.advance = [moving](const Eigen::MatrixXd& forces) { return moving->stepper.advance(forces); },
            .set_damping = [moving](const Eigen::VectorXd& xi) { moving->stepper.set_damping(xi); },
            .energy = [moving] { return moving->stepper.energy(); },
            .account = [moving, name, rate] { return account_of(name, moving->stepper.report(), rate); }};
}

template <class Stepper, class Plan, class Options>
CoupledMotion motion_of(const std::string& name, Plan plan, const Options& options) {
    return motion_of(name, std::make_shared<Moving<Plan, Stepper>>(std::move(plan), options), options.sample_rate_hz);
}

// How often a bulge has gone over to the other side: counted when it is half of its rest beyond the middle.
struct Snaps {
    Eigen::VectorXd rest;
    double side = 1;
    long count = 0;

    void follow(const Eigen::MatrixXd& q) {
        const Eigen::VectorXd along = q.transpose() * rest / rest.squaredNorm();
        for (const double x : along) {
            if (x * side > -0.5) continue;
            side = -side;
            ++count;
        }
    }
};

// From the side where it bulges along its normals.
CoupledMotion bulged(const std::string& name, ShellPlan plan, const ShellStepperOptions& options) {
    const Eigen::VectorXd rest = rest_state(plan, 1), other = rest_state(plan, -1);
    const auto energy_at = [&](const Eigen::VectorXd& q) {
        return 0.5 * (plan.omega.cwiseProduct(q)).squaredNorm() + nonlinear_force(plan, q).potential;
    };
    const double lowest = std::min(energy_at(rest), energy_at(other));
    const auto moving = std::make_shared<Moving<ShellPlan, ShellStepper>>(std::move(plan), options);
    moving->stepper.set_state(rest, Eigen::VectorXd::Zero(rest.size()));
    CoupledMotion motion = motion_of(name, moving, options.sample_rate_hz);
    motion.energy = [moving, lowest] { return moving->stepper.energy() - lowest; };
    if (rest.isZero()) return motion;
    const auto snaps = std::make_shared<Snaps>(Snaps{.rest = rest});
    motion.advance = [snaps, advance = motion.advance](const Eigen::MatrixXd& forces) {
        Eigen::MatrixXd q = advance(forces);
        snaps->follow(q);
        return q;
    };
    motion.account = [snaps, account = motion.account] {
        SoundAccount all = account();
        all.figures.emplace_back("snaps", double(snaps->count));
        return all;
    };
    motion.rest = rest;
    return motion;
}

}  // namespace

std::shared_ptr<const CoupledModes> coupled_modes(const std::string& name, std::shared_ptr<const ShellPlan> plan,
                                                  double prestress) {
    CoupledModes coupled{.mechanism = "nonlinear", .modes = {plan->kept.begin(), plan->kept.end()}, .start = {}};
    coupled.start = [name, plan, prestress](const std::vector<long>& places, const Eigen::VectorXd& xi,
                                            double rate_hz) {
        ShellPlan part = part_of(*plan, places);
        part.prestress *= prestress;
        const auto options = ShellStepperOptions{.sample_rate_hz = rate_hz, .xi = xi};
        return part.prestress > 0 ? bulged(name, std::move(part), options)
                                  : motion_of<ShellStepper>(name, std::move(part), options);
    };
    return std::make_shared<const CoupledModes>(std::move(coupled));
}

std::shared_ptr<const CoupledModes> coupled_modes(const std::string& name, std::shared_ptr<const SubspacePlan> plan,
                                                  double most_energy) {
    CoupledModes coupled{.mechanism = "nonlinear", .modes = std::vector<long>(size_t(plan->modes())), .start = {}};
    std::iota(coupled.modes.begin(), coupled.modes.end(), 0L);
    coupled.start = [name, plan, most_energy](const std::vector<long>& places, const Eigen::VectorXd& xi,
                                              double rate_hz) {
        return motion_of<SubspaceStepper>(
            name, part_of(*plan, places),
            SubspaceStepperOptions{.sample_rate_hz = rate_hz, .xi = xi, .most_energy = most_energy});
    };
    return std::make_shared<const CoupledModes>(std::move(coupled));
}

}  // namespace clangor
