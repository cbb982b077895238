#include "../shell/shell_meshes.hpp"

#include <clangor/vibration/subspace/subspace.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <array>
#include <complex>

namespace subspace_stepper_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Grid;
using clangor::test::of_thickness;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};
constexpr double rate = 44100;

// A plate of 0.4 m and 1 mm, and a cymbal-like cap.
const SubspacePlan& plate() {
    static const SubspacePlan plan = [] {
        Surface square = clangor::test::unit_square(10, Grid::Alternating);
        square.vertices *= 0.4;
        const ThinShell shell = of_thickness(square, 0.001);
        return subspace_plan(shell, steel, vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_count = 20}),
                             {.triangles = 50, .poses = 40});
    }();
    return plan;
}

const SubspacePlan& cap() {
    static const SubspacePlan plan = [] {
        const ThinShell shell = of_thickness(clangor::test::spherical_cap(8, 0.8, 0.25), 0.001);
        return subspace_plan(shell, steel, vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_count = 20}),
                             {.triangles = 50, .poses = 40});
    }();
    return plan;
}

// Oscillators that nothing couples.
SubspacePlan oscillators(const Eigen::VectorXd& omega) {
    const long r = omega.size();
    SubspacePlan plan;
    plan.omega = omega;
    plan.rows.resize(0, r);
    plan.membrane.resize(0, 36), plan.bending.resize(0, 36);
    plan.probes = FloatRows::Ones(3, r);
    return plan;
}

Eigen::VectorXd no_damping(const SubspacePlan& plan) { return Eigen::VectorXd::Zero(plan.modes()); }

// The modal amplitude at which mode p moves its liveliest place by one thickness.
double thickness_in(const SubspacePlan& plan, long p) {
    const Eigen::VectorXf u = plan.probes.col(p);
    return 1 / double(u.reshaped(3, u.size() / 3).colwise().norm().maxCoeff());
}

// A push of 1 ms across the wall at the first probe.
Eigen::MatrixXd push(const SubspacePlan& plan, double size, long samples) {
    const Eigen::VectorXd shape = plan.probes.row(2).cast<double>();
    Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(plan.modes(), samples);
    for (long s = 0; s < 44; ++s) forces.col(s) = size * std::sin(pi * double(s) / 44) * shape;
    return forces;
}

// So that linear motion would reach about that many thicknesses in the first milliseconds.
double push_for(const SubspacePlan& plan, double thicknesses) {
    SubspaceStepper trial(plan, {.sample_rate_hz = rate, .xi = no_damping(plan)});
    trial.advance(push(plan, 1e-9, 2000));
    return 1e-9 * thicknesses / trial.report().largest;
}

double first_zero(const Eigen::VectorXd& y) {
    for (long s = 1; s < y.size(); ++s)
        if (y[s] <= 0) return double(s - 1) + y[s - 1] / (y[s - 1] - y[s]);
    return std::nan("");
}

}  // namespace

TEST_CASE("quiet motion is that of exact damped oscillators, mode by mode") {
    for (const SubspacePlan* plan : {&plate(), &cap()}) {
        const long r = plan->modes(), samples = 3000;
        const Eigen::VectorXd xi = Eigen::VectorXd::LinSpaced(r, 1e-4, 5e-3);
        const double size = push_for(*plan, 1e-4);
        SubspaceStepper stepper(*plan, {.sample_rate_hz = rate, .xi = xi});
        const Eigen::MatrixXd forces = push(*plan, size, samples), q = stepper.advance(forces);
        const double most = q.rowwise().squaredNorm().maxCoeff();
        for (long p = 0; p < r; ++p) {
            // After the push: Σ_s J_s exp((−ξω + iω_d)(t − t_s))/ω_d, of impulses J_s = f_s/rate.
            const double omega_d = plan->omega[p] * std::sqrt(1 - square(xi[p]));
            const std::complex<double> pole(-xi[p] * plan->omega[p], omega_d);
            double error = 0, sum = 0;
            for (long s = 100; s < samples; s += 19) {
                std::complex<double> expected = 0;
                for (long k = 0; k < 44; ++k) expected += forces(p, k) / rate * std::exp(pole * (double(s - k) / rate));
                error += square(q(p, s) - expected.imag() / omega_d), sum += square(expected.imag() / omega_d);
            }
            CAPTURE(p);
            // 0.1 dB is 1.2 %; sums of squares. Modes with a node there hear what others couple to them, −80 dB.
            CHECK(error < square(0.012) * sum + 1e-8 * most);
        }
    }
}

TEST_CASE("plain Newmark steps are sharp as the closed form says, and right where pitch is kept") {
    // (2/ωk) asin(ωk/2)
    struct Row {
        double omega_k, ratio;
    };
    for (const auto& [omega_k, ratio] :
         {Row{0.05, 1.0001041959744454}, Row{0.1, 1.0004171361154002}, Row{0.2, 1.0016742116155979},
          Row{0.5, 1.0107210205683146}, Row{0.7, 1.021631724701458}, Row{1.0, 1.0471975511965979},
          Row{1.3, 1.0885914411159316}, Row{1.5, 1.1307494386419745}, Row{1.9, 1.3191956815825001}}) {
        const SubspacePlan plan = oscillators(Eigen::VectorXd::Constant(1, omega_k * rate));
        for (const bool exact : {false, true}) {
            SubspaceStepper stepper(plan, {.sample_rate_hz = rate, .xi = no_damping(plan), .exact_pitch = exact});
            stepper.set_state(Eigen::VectorXd::Constant(1, 1), Eigen::VectorXd::Constant(1, 0.3 * plan.omega[0]));
            const Eigen::MatrixXd q = stepper.advance(3);
            const double measured = std::acos((q(0, 2) + q(0, 0)) / (2 * q(0, 1))) / omega_k;
            CHECK(measured == Approx(exact ? 1 : ratio).epsilon(1e-9));
        }
    }
    // Where ωk > 2 no Newmark step is stable: half a step is taken.
    const SubspacePlan plan = oscillators(Eigen::VectorXd::Constant(1, 2.5 * rate));
    SubspaceStepper stepper(plan, {.sample_rate_hz = rate, .xi = no_damping(plan), .exact_pitch = false});
    stepper.set_state(Eigen::VectorXd::Constant(1, 1), no_damping(plan));
    const Eigen::MatrixXd q = stepper.advance(64);
    CHECK(q(0, 1) == Approx(std::cos(2 * 2 * std::asin(1.25 / 2))).epsilon(1e-9));
    CHECK(stepper.report().refined == 64);
}

TEST_CASE("plain steps decay as fast as exact ones, to second order") {
    const SubspacePlan plan = oscillators(Eigen::VectorXd::Constant(1, 0.2 * rate));
    const Eigen::VectorXd xi = Eigen::VectorXd::Constant(1, 0.05);
    SubspaceStepper plain(plan, {.sample_rate_hz = rate, .xi = xi, .exact_pitch = false}),
        exact(plan, {.sample_rate_hz = rate, .xi = xi});
    for (SubspaceStepper* stepper : {&plain, &exact})
        stepper->set_state(Eigen::VectorXd::Constant(1, 1), Eigen::VectorXd::Zero(1));
    const double omega_d = 0.2 * std::sqrt(1 - square(0.05));
    const Eigen::RowVectorXd q = exact.advance(100), rough = plain.advance(100);
    for (long s = 0; s < 100; ++s) {
        const double t = double(s), decay = std::exp(-0.05 * 0.2 * t);
        CHECK(std::abs(q[s] - decay * (std::cos(omega_d * t) + 0.01 / omega_d * std::sin(omega_d * t))) < 1e-12);
        // (ωk)²/24 of phase, 0.0017·ωt, which grows to 0.033.
        CHECK(std::abs(rough[s] - q[s]) < (0.003 + 0.0018 * 0.2 * t) * decay);
    }
}

TEST_CASE("large motion is of second order in the step, with exact pitch or without") {
    for (const SubspacePlan* plan : {&plate(), &cap()})
        for (const bool exact : {true, false}) {
            Eigen::VectorXd q = no_damping(*plan), qdot = no_damping(*plan);
            q[0] = 1.0 * thickness_in(*plan, 0), qdot[2] = 0.5 * plan->omega[2] * thickness_in(*plan, 2);
            const auto after = [&](int times) -> Eigen::VectorXd {
                SubspaceStepper stepper(*plan, {.sample_rate_hz = rate * times,
                                                .xi = Eigen::VectorXd::Constant(plan->modes(), 1e-3),
                                                .most_substeps = 1,
                                                .exact_pitch = exact});
                stepper.set_state(q, qdot);
                return stepper.advance(100 * times + 1).rightCols(1);
            };
            const Eigen::VectorXd best = after(16);
            const double coarse = (after(1) - best).norm(), fine = (after(2) - best).norm();
            CHECK(coarse < 0.1 * best.norm());
            CHECK(coarse / fine == Approx(4).epsilon(0.1));
        }
}

TEST_CASE("plate in 20 linear modes: far too stiff, 1.687 times its linear pitch at one thickness and 2.777 at two") {
    // 1.059 and 1.213 of a plate that moves in its plane as well. Another element's 32×32 cells, moved in time.
    Surface square = clangor::test::unit_square(12, Grid::Alternating);
    square.vertices *= 0.4;
    const ThinShell shell = of_thickness(square, 0.002);
    const Modes modes = vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e5, .max_count = 20});
    const SubspacePlan plan = subspace_plan(shell, steel, modes, {.triangles = 1000});
    for (const double times : {1.0, 2.0}) {
        const double steps = 600;  // a linear period
        SubspaceStepper stepper(plan, {.sample_rate_hz = steps * plan.omega[0] / (2 * pi), .xi = no_damping(plan)});
        stepper.set_state(times * thickness_in(plan, 0) * Eigen::VectorXd::Unit(20, 0), no_damping(plan));
        const double ratio = 0.25 * steps / first_zero(stepper.advance(long(steps) / 4).row(0));
        CHECK(ratio == Approx(times < 1.5 ? 1.687 : 2.777).epsilon(0.03));
        CHECK(stepper.report().unresolved == 0);
    }
}

TEST_CASE("without damping, energy stays within what steps of second order leave") {
    for (const SubspacePlan* plan : {&plate(), &cap()}) {
        SubspaceStepper stepper(*plan, {.sample_rate_hz = rate, .xi = no_damping(*plan)});
        Eigen::VectorXd q = no_damping(*plan);
        q[0] = 1.5 * thickness_in(*plan, 0), q[2] = 0.7 * thickness_in(*plan, 2);
        stepper.set_state(q, no_damping(*plan));
        const double E = 0.5 * plan->omega.cwiseProduct(q).squaredNorm() + nonlinear_force(*plan, q).potential;
        CHECK(stepper.energy() == Approx(E).epsilon(0.02));
        for (int block = 0; block < 4; ++block) {
            stepper.advance(500);
            CHECK(stepper.energy() == Approx(E).epsilon(0.02));
        }
        CHECK(stepper.report().largest > 1.4);
        CHECK(stepper.report().unresolved == 0);
    }
}

TEST_CASE("impulse limiter: shares in closed form") {
    // The largest share that keeps |q̇ + sΔq̇|² + potential below the bound.
    struct Row {
        std::array<double, 2> qdot, impulse;
        double potential, most, share, after;
    };
    for (const Row& row :
         {Row{{1, 0}, {2, 0}, 0, 4, 0.5, 4}, Row{{0, 0}, {3, 4}, 1, 5, 0.4, 5}, Row{{2, 0}, {-1, 0}, 0, 3, 1, 1},
          Row{{2, 0}, {1, 0}, 0, 3, 0, 4}, Row{{1, 1}, {-1, 3}, 0.5, 4, 0.23588989435406735, 4}}) {
        const Eigen::Vector2d qdot(row.qdot[0], row.qdot[1]), impulse(row.impulse[0], row.impulse[1]);
        const double s =
            impulse_share(impulse.squaredNorm(), qdot.dot(impulse), qdot.squaredNorm() + row.potential, row.most);
        CHECK(std::abs(s - row.share) < 1e-14);
        CHECK((qdot + s * impulse).squaredNorm() + row.potential == Approx(row.after).epsilon(1e-14));
    }
    CHECK(impulse_share(0, 0, 1, 4) == 1);
}

TEST_CASE("with a limiter no push takes linear energy above its bound, and none is lost where it is not met") {
    const SubspacePlan plan = oscillators(Eigen::VectorXd::LinSpaced(6, 500, 30000));
    clangor::test::Noise noise;
    Eigen::MatrixXd forces = Eigen::MatrixXd::NullaryExpr(6, 640, [&] { return noise(); });
    const double bound = 1e-8;
    SubspaceStepper limited(plan, {.sample_rate_hz = rate, .xi = no_damping(plan), .most_energy = bound}),
        high(plan, {.sample_rate_hz = rate, .xi = no_damping(plan), .most_energy = 1}),
        free(plan, {.sample_rate_hz = rate, .xi = no_damping(plan)});
    double most = 0;
    for (long s = 0; s < forces.cols(); ++s) {
        limited.advance(forces.col(s));
        most = std::max(most, limited.energy());
    }
    CHECK(most <= bound * (1 + 1e-9));
    CHECK(most > (1 - 1e-9) * bound);
    CHECK(free.advance(forces) == high.advance(forces));
    CHECK(free.energy() > 2 * bound);
}

TEST_CASE("where steps make energy they become shorter; where that does not help motion stays finite and is reported") {
    for (const SubspacePlan* plan : {&plate(), &cap()})
        for (const double thicknesses : {1e-2, 10.0, 1e4, 1e12}) {
            CAPTURE(thicknesses);
            const Eigen::VectorXd xi = Eigen::VectorXd::Constant(plan->modes(), 1e-3);
            SubspaceStepper stepper(*plan, {.sample_rate_hz = rate, .xi = xi});
            Eigen::MatrixXd q = stepper.advance(push(*plan, push_for(*plan, thicknesses), 64));
            CHECK(q.allFinite());
            double before = stepper.energy();
            CHECK(before > 0);
            for (int block = 0; block < 4; ++block) {
                q = stepper.advance(64);
                CHECK(q.allFinite());
                const double after = stepper.energy();
                CHECK(after < before * 1.1);
                before = after;
            }
            const ShellReport& report = stepper.report();
            if (thicknesses < 1) CHECK(report.refined == 0);
            if (thicknesses < 1) CHECK(report.unresolved == 0);
            if (thicknesses > 1e3) CHECK(report.refined > 0);
            if (thicknesses > 1e5) CHECK(report.unresolved > 0);
            if (thicknesses > 1e3) CHECK(report.beyond_validity > 0);
        }
}

TEST_CASE("shorter steps bring a violent motion to that of a higher sample rate") {
    const SubspacePlan& plan = plate();
    const auto motion = [&](double sample_rate, int substeps, ShellReport& report) {
        SubspaceStepper stepper(plan,
                                {.sample_rate_hz = sample_rate, .xi = no_damping(plan), .most_substeps = substeps});
        Eigen::VectorXd qdot = no_damping(plan);
        for (long p = 0; p < 6; ++p) qdot[p] = 12 * plan.omega[p] * thickness_in(plan, p);
        stepper.set_state(no_damping(plan), qdot);
        const long times = std::lround(sample_rate / 4410);
        const Eigen::MatrixXd all = stepper.advance(10 * times);
        report = stepper.report();
        return Eigen::MatrixXd(all(Eigen::all, Eigen::seqN(0, 10, times)));
    };
    REQUIRE(plan.omega.maxCoeff() < pi * 4410);
    ShellReport fine, one, four;
    const Eigen::MatrixXd reference = motion(64 * 4410, 1, fine), coarse = motion(4410, 1, one),
                          refined = motion(4410, 4, four);
    CHECK(fine.unresolved == 0);
    CHECK(one.unresolved > 0);
    CHECK(four.refined > 0);
    CHECK((refined - reference).norm() < (coarse - reference).norm());
}

TEST_CASE("blocks of any length give the same motion") {
    const SubspacePlan& plan = cap();
    const SubspaceStepperOptions options{.sample_rate_hz = rate, .xi = Eigen::VectorXd::Constant(plan.modes(), 1e-3)};
    const Eigen::MatrixXd forces = push(plan, push_for(plan, 1), 640);
    SubspaceStepper whole(plan, options), parts(plan, options);
    const Eigen::MatrixXd q = whole.advance(forces);
    Eigen::MatrixXd joined(q.rows(), q.cols());
    for (long s = 0; s < q.cols(); s += 128) joined.middleCols(s, 128) = parts.advance(forces.middleCols(s, 128));
    CHECK(q == joined);
}

TEST_CASE("new damping from one sample on: modes go on from where they are, and decay by it at their pitch") {
    for (const SubspacePlan* plan : {&plate(), &cap()}) {
        const long r = plan->modes(), samples = 300;
        const Eigen::VectorXd more = Eigen::VectorXd::LinSpaced(r, 0.3, 1e-3), less = more / 100;
        SubspaceStepper stepper(*plan, {.sample_rate_hz = rate, .xi = less});
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
    for (const SubspacePlan* plan : {&plate(), &cap()}) {
        const Eigen::VectorXd none = no_damping(*plan), some = Eigen::VectorXd::Constant(plan->modes(), 0.02);
        Eigen::VectorXd q = none;
        q[0] = 1.0 * thickness_in(*plan, 0), q[2] = 0.5 * thickness_in(*plan, 2);
        // Damped from sample 300 to 600.
        const auto motion = [&](int times, const Eigen::VectorXd& damped) {
            SubspaceStepper stepper(*plan, {.sample_rate_hz = rate * times, .xi = none});
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
        SubspaceStepper stepper(*plan, {.sample_rate_hz = rate, .xi = none});
        stepper.set_state(q, none);
        stepper.advance(300);
        const double before = stepper.energy();
        for (int i = 0; i < 1000; ++i) stepper.set_damping(i % 2 == 0 ? some : none);
        CHECK(stepper.energy() == Approx(before).epsilon(1e-9));
    }
}

}  // namespace subspace_stepper_test
