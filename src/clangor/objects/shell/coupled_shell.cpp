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

template <class Stepper, class Plan, class Options>
CoupledMotion motion_of(const std::string& name, Plan plan, const Options& options) {
    const auto moving = std::make_shared<Moving<Plan, Stepper>>(std::move(plan), options);
    return {.advance = [moving](const Eigen::MatrixXd& forces) { return moving->stepper.advance(forces); },
            .set_damping = [moving](const Eigen::VectorXd& xi) { moving->stepper.set_damping(xi); },
            .energy = [moving] { return moving->stepper.energy(); },
            .account = [moving, name,
                        rate = options.sample_rate_hz] { return account_of(name, moving->stepper.report(), rate); }};
}

}  // namespace

std::shared_ptr<const CoupledModes> coupled_modes(const std::string& name, std::shared_ptr<const ShellPlan> plan) {
    CoupledModes coupled{.mechanism = "nonlinear", .modes = {plan->kept.begin(), plan->kept.end()}, .start = {}};
    coupled.start = [name, plan](const std::vector<long>& places, const Eigen::VectorXd& xi, double rate_hz) {
        return motion_of<ShellStepper>(name, part_of(*plan, places),
                                       ShellStepperOptions{.sample_rate_hz = rate_hz, .xi = xi});
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
