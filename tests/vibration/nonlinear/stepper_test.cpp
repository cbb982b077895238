#include "../shell/shell_meshes.hpp"

#include <clangor/vibration/nonlinear/nonlinear.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <complex>

namespace nonlinear_stepper_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Grid;
using clangor::test::of_thickness;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};
constexpr double rate = 44100;

// A plate of 0.4 m and 1 mm, and a cymbal-like cap.
const ShellPlan& plate() {
    static const ShellPlan plan = [] {
        Surface square = clangor::test::unit_square(10, Grid::Alternating);
        square.vertices *= 0.4;
        const ThinShell shell = of_thickness(square, 0.001);
        return shell_plan(shell, steel, vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_count = 40}));
    }();
    return plan;
}

const ShellPlan& cap() {
    static const ShellPlan plan = [] {
        const ThinShell shell = of_thickness(clangor::test::spherical_cap(8, 0.8, 0.25), 0.001);
        return shell_plan(shell, steel, vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_count = 40}));
    }();
    return plan;
}

// The modal amplitude at which mode p moves its liveliest place by one thickness.
double thickness_in(const ShellPlan& plan, long p) { return 1 / double(plan.probes.col(p).cwiseAbs().maxCoeff()); }

Eigen::VectorXd no_damping(const ShellPlan& plan) { return Eigen::VectorXd::Zero(plan.modes()); }

// A push of 1 ms at the first probe.
Eigen::MatrixXd push(const ShellPlan& plan, double size, long samples) {
    const Eigen::VectorXd shape = plan.probes.row(0).cast<double>();
    Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(plan.modes(), samples);
    for (long s = 0; s < 44; ++s) forces.col(s) = size * std::sin(pi * double(s) / 44) * shape;
    return forces;
}

// So that the first milliseconds reach about that many thicknesses.
double push_for(const ShellPlan& plan, double thicknesses) {
    ShellStepper trial(plan, {.sample_rate_hz = rate, .xi = no_damping(plan)});
    trial.advance(push(plan, 1e-9, 2000));
    return 1e-9 * thicknesses / trial.report().largest;
}

}  // namespace

TEST_CASE("quiet motion is that of exact damped oscillators, mode by mode") {
    for (const ShellPlan* plan : {&plate(), &cap()}) {
        const long r = plan->modes(), samples = 4000;
        const Eigen::VectorXd xi = Eigen::VectorXd::LinSpaced(r, 1e-4, 5e-3);
        ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = xi});
        const Eigen::MatrixXd q = stepper.advance(push(*plan, push_for(*plan, 1e-3), samples));
        const Eigen::MatrixXd forces = push(*plan, push_for(*plan, 1e-3), 44);
        const double most = q.rowwise().squaredNorm().maxCoeff();
        int driven = 0;
        for (long p = 0; p < r; ++p) {
            // After the push: Σ_s J_s exp((−ξω + iω_d)(t − t_s))/ω_d, of impulses J_s = f_s/rate.
            const double omega_d = plan->omega[p] * std::sqrt(1 - square(xi[p]));
            const std::complex<double> pole(-xi[p] * plan->omega[p], omega_d);
            double error = 0, size = 0;
            for (long s = 100; s < samples; ++s) {
                std::complex<double> expected = 0;
                for (long k = 0; k < 44; ++k) expected += forces(p, k) / rate * std::exp(pole * (double(s - k) / rate));
                error += square(q(p, s) - expected.imag() / omega_d), size += square(expected.imag() / omega_d);
            }
            CAPTURE(p);
            // 0.1 dB is 1.2 %; sums of squares. Modes with a node there hear what others couple to them, −100 dB.
            CHECK(error < square(0.012) * size + 1e-10 * most);
            driven += size > 1e-8 * most;
        }
        CHECK(driven > r / 2);
        CHECK(stepper.report().largest == Approx(1e-3).epsilon(0.3));
    }
}

TEST_CASE("pitch of the highest modes is right at any rate") {
    // Leapfrog steps without ψ would be sharp by 10 % at a quarter of the sample rate.
    ShellPlan plan = plate();
    plan.omega *= 0.45 * rate * 2 * pi / plan.omega.maxCoeff();
    const long last = plan.modes() - 1, samples = 200;
    ShellStepper stepper(plan, {.sample_rate_hz = rate, .xi = no_damping(plan)});
    const double amplitude = 1e-5 * thickness_in(plan, last);
    stepper.set_state(amplitude * Eigen::VectorXd::Unit(plan.modes(), last), no_damping(plan));
    const Eigen::MatrixXd q = stepper.advance(samples);
    for (long s = 0; s < samples; ++s)
        CHECK(std::abs(q(last, s) - amplitude * std::cos(plan.omega[last] * double(s) / rate)) < 1e-6 * amplitude);
}

TEST_CASE("without damping, energy stays to 1e-10 over a second of motion of two thicknesses") {
    for (const ShellPlan* plan : {&plate(), &cap()}) {
        ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = no_damping(*plan)});
        Eigen::VectorXd q = Eigen::VectorXd::Zero(plan->modes());
        q[0] = 1.5 * thickness_in(*plan, 0), q[2] = 0.7 * thickness_in(*plan, 2);
        stepper.set_state(q, no_damping(*plan));
        const double before = stepper.energy();
        stepper.advance(long(rate));
        CHECK(stepper.report().largest > 1.8);
        CHECK(stepper.energy() == Approx(before).epsilon(1e-10));
    }
}

TEST_CASE("the energy of the steps is that of the model") {
    // At rest in its largest swing E is ½qᵀΛq + V; the steps' own differs by O(k²) and what s has drifted.
    for (const ShellPlan* plan : {&plate(), &cap()}) {
        Eigen::VectorXd q = Eigen::VectorXd::Zero(plan->modes());
        q[0] = 1.5 * thickness_in(*plan, 0), q[2] = 0.7 * thickness_in(*plan, 2);
        ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = no_damping(*plan)});
        stepper.set_state(q, no_damping(*plan));
        const double E = 0.5 * plan->omega.cwiseProduct(q).squaredNorm() + nonlinear_force(*plan, q).potential;
        CHECK(stepper.energy() == Approx(E).epsilon(5e-3));
        // Velocities by central differences, some of them along the second.
        const Eigen::MatrixXd path = stepper.advance(long(rate));
        for (long s = 2000; s < path.cols() - 1; s += 4000) {
            const Eigen::VectorXd at = path.col(s);
            // Of each mode's own sine: q̇ = (q⁺ − q⁻)ω/(2 sin ωk).
            const Eigen::ArrayXd qdot = (path.col(s + 1) - path.col(s - 1)).array() * plan->omega.array() /
                                        (2 * (plan->omega.array() / rate).sin());
            const double now = 0.5 * plan->omega.cwiseProduct(at).squaredNorm() + nonlinear_force(*plan, at).potential +
                               0.5 * qdot.square().sum();
            CHECK(now == Approx(E).epsilon(0.02));
        }
    }
}

TEST_CASE("a hit that throws the shell five thicknesses and more stays finite, and loses energy by damping alone") {
    for (const ShellPlan* plan : {&plate(), &cap()})
        for (const double thicknesses : {10.0, 100.0, 1e4}) {
            CAPTURE(thicknesses);
            ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = Eigen::VectorXd::Constant(plan->modes(), 1e-3)});
            Eigen::MatrixXd q = stepper.advance(push(*plan, push_for(*plan, thicknesses), 64));
            CHECK(q.allFinite());
            double before = stepper.energy();
            CHECK(before > 0);
            for (int block = 0; block < 20; ++block) {
                q = stepper.advance(512);
                CHECK(q.allFinite());
                const double after = stepper.energy();
                // A change of rate may cost or give a little.
                CHECK(after < before * (1 + 1e-3));
                before = after;
            }
            CHECK(stepper.report().largest > 5);
            CHECK(stepper.report().beyond_validity > 0);
        }
}

TEST_CASE(
    "a violent motion takes shorter steps, which bring it to that of a higher sample rate; a quiet one does not") {
    const ShellPlan& plan = plate();
    const double low_rate = 4410;  // the highest mode is at a tenth of it
    REQUIRE(plan.omega.maxCoeff() < pi * low_rate);
    const auto motion = [&](double sample_rate, int substeps, double size, ShellReport& report) {
        ShellStepper stepper(plan, {.sample_rate_hz = sample_rate, .xi = no_damping(plan), .most_substeps = substeps});
        Eigen::VectorXd qdot = no_damping(plan);
        for (long p = 0; p < 6; ++p) qdot[p] = size * plan.omega[p] * thickness_in(plan, p);
        stepper.set_state(no_damping(plan), qdot);
        const long times = std::lround(sample_rate / low_rate);
        const Eigen::MatrixXd all = stepper.advance(50 * times);
        report = stepper.report();
        return Eigen::MatrixXd(all(Eigen::all, Eigen::seqN(0, 50, times)));
    };
    ShellReport fine, one, four;
    const Eigen::MatrixXd reference = motion(16 * low_rate, 1, 12.0, fine);
    const Eigen::MatrixXd coarse = motion(low_rate, 1, 12.0, one), refined = motion(low_rate, 4, 12.0, four);
    CHECK(one.unresolved > 0);
    CHECK(four.refined > 0);
    CHECK((refined - reference).norm() < 0.3 * (coarse - reference).norm());
    motion(low_rate, 4, 1e-2, four);
    CHECK(four.refined == 0);
    CHECK(four.unresolved == 0);
}

TEST_CASE("after a loud hit has decayed, pitch is the linear one again") {
    // s that has drifted while the motion was loud would be a stiffness for ever: 5e-4 on the plate.
    for (const ShellPlan* plan : {&plate(), &cap()}) {
        const Eigen::VectorXd xi = Eigen::VectorXd::Constant(plan->modes(), 1e-2);
        ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = xi});
        stepper.advance(push(*plan, push_for(*plan, 8), 2000));
        CHECK(stepper.report().largest > 4);
        // Mode 1 loses 45 dB.
        stepper.advance(long(rate * 5.2 / (xi[0] * plan->omega[0])));
        const Eigen::MatrixXd q = stepper.advance(long(rate));
        CHECK(q.row(0).cwiseAbs().maxCoeff() < 0.05 * thickness_in(*plan, 0));
        // Of what rings longest, a mode that was hit.
        long p = 0;
        while (q.row(p).norm() < 1e-3 * q.norm()) ++p;
        std::vector<double> zeros;
        for (long s = 1; s < q.cols(); ++s)
            if (q(p, s - 1) < 0 && q(p, s) >= 0) zeros.push_back(double(s - 1) + q(p, s - 1) / (q(p, s - 1) - q(p, s)));
        REQUIRE(zeros.size() > 4);
        const double hz = double(zeros.size() - 1) * rate / (zeros.back() - zeros.front());
        CHECK(hz == Approx(plan->omega[p] * std::sqrt(1 - square(xi[p])) / (2 * pi)).epsilon(2e-4));
    }
}

TEST_CASE("two pushes at once are their sum, and blocks of any length give the same motion") {
    const ShellPlan& plan = cap();
    const ShellStepperOptions options{.sample_rate_hz = rate, .xi = Eigen::VectorXd::Constant(plan.modes(), 1e-3)};
    const Eigen::MatrixXd forces = push(plan, push_for(plan, 1), 640);
    ShellStepper whole(plan, options), parts(plan, options);
    const Eigen::MatrixXd q = whole.advance(forces);
    Eigen::MatrixXd joined(q.rows(), q.cols());
    for (long s = 0; s < q.cols(); s += 128) joined.middleCols(s, 128) = parts.advance(forces.middleCols(s, 128));
    CHECK(q == joined);
}

TEST_CASE("new damping from one sample on: modes go on from where they are, and decay by it at their pitch") {
    for (const ShellPlan* plan : {&plate(), &cap()}) {
        const long r = plan->modes(), samples = 300;
        const Eigen::VectorXd more = Eigen::VectorXd::LinSpaced(r, 0.3, 1e-3), less = more / 100;
        ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = less});
        // So little that nothing couples.
        Eigen::VectorXd q(r), qdot(r);
        for (long p = 0; p < r; ++p) q[p] = 1e-10 * thickness_in(*plan, p), qdot[p] = -0.3 * plan->omega[p] * q[p];
        stepper.set_state(q, qdot);
        for (const Eigen::VectorXd* xi : {&less, &more, &less}) {
            stepper.set_damping(*xi);
            const Eigen::MatrixXd path = stepper.advance(samples);
            for (long p = 0; p < r; ++p) {
                // q = Re a e^((−ξω + iω_d)t), a = q₀ − i(q̇₀ + ξωq₀)/ω_d
                const double decay = (*xi)[p] * plan->omega[p];
                const double omega_d = plan->omega[p] * std::sqrt(1 - square((*xi)[p]));
                const std::complex<double> pole(-decay, omega_d), a(q[p], -(qdot[p] + decay * q[p]) / omega_d);
                const auto at = [&](long s) { return a * std::exp(pole * (double(s) / rate)); };
                double error = 0;
                for (long s = 0; s < samples; ++s) error = std::max(error, std::abs(path(p, s) - at(s).real()));
                CHECK(error < 1e-7 * std::abs(a));
                q[p] = at(samples).real(), qdot[p] = (pole * at(samples)).real();
            }
        }
    }
}

TEST_CASE("new damping in loud motion: no jump in place, velocity and energy, as often as it may change") {
    for (const ShellPlan* plan : {&plate(), &cap()}) {
        const Eigen::VectorXd none = no_damping(*plan), some = Eigen::VectorXd::Constant(plan->modes(), 0.02);
        Eigen::VectorXd q = none;
        q[0] = 1.0 * thickness_in(*plan, 0), q[2] = 0.5 * thickness_in(*plan, 2);
        // Damped from sample 300 to 600.
        const auto motion = [&](int times, const Eigen::VectorXd& damped) {
            ShellStepper stepper(*plan, {.sample_rate_hz = rate * times, .xi = none});
            stepper.set_state(q, none);
            Eigen::MatrixXd path(plan->modes(), 900 * times);
            for (long part = 0; part < 3; ++part) {
                const double before = stepper.energy();
                stepper.set_damping(part == 1 ? damped : none);
                // The energy of a step is that of half a step earlier: 2ξωk of it at most lies between, in low modes.
                CHECK(stepper.energy() == Approx(before).epsilon(2 * 0.02 * plan->omega[9] / rate));
                path.middleCols(300 * times * part, 300 * times) = stepper.advance(300L * times);
            }
            return Eigen::MatrixXd(path(Eigen::all, Eigen::seqN(0, 900, times)));
        };
        // No further from fine steps than motion without damping is.
        const double error = (motion(1, some) - motion(16, some)).norm();
        CHECK(error < 1.1 * (motion(1, none) - motion(16, none)).norm());
        ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = none});
        stepper.set_state(q, none);
        stepper.advance(300);
        const double before = stepper.energy();
        for (int i = 0; i < 1000; ++i) stepper.set_damping(i % 2 == 0 ? some : none);
        CHECK(stepper.energy() == Approx(before).epsilon(1e-9));
    }
}

}  // namespace nonlinear_stepper_test
