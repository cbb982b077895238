#include <clangor/vibration/rod/rod.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <complex>

namespace rod_stepper_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};

RodShape bar(long points) {
    return {.points = straight_points({0, 0, 0}, {0.3, 0, 0}, points), .section = flat_bar(0.02, 0.004)};
}

void check_swing(const RodPlan& plan) {
    const ConstrainedBody body = small_motion(plan, plan.rest);
    const Modes modes = vibration_modes(body.body, {.min_hz = 1, .max_count = 6});
    const double dt = 1.0 / 44100, alpha = 3, beta = 2e-7;
    for (const long mode : {0L, 4L}) {
        const double omega = modes.omega[mode], size = 1e-6;
        const Eigen::VectorXd shape = body.expansion * modes.shapes.col(mode);
        RodStepper rod(plan, {.damping = {.alpha = alpha, .beta = beta}, .tolerance = 1e-12});
        RodState state = plan.rest;
        state.place += size * shape.reshaped(plan.per_point, plan.points);
        rod.set_state(state);
        rod.balance();
        // (q, q̇) turn by the warped angle in each step and shrink by the damping: both from two steps of a free decay,
        // q_{k+1} − 2 r cos φ q_k + r² q_{k−1} = 0.
        std::vector<double> q;
        for (int k = 0; k < 400; ++k) {
            q.push_back((rod.state().place - plan.rest.place).reshaped().dot(shape));
            rod.step(dt);
        }
        Eigen::MatrixXd A(398, 2);
        Eigen::VectorXd b(398);
        for (int k = 0; k < 398; ++k) {
            A.row(k) << q[size_t(k + 1)], q[size_t(k)];
            b[k] = q[size_t(k + 2)];
        }
        const Eigen::Vector2d c = (A.transpose() * A).inverse() * (A.transpose() * b);
        const double r = std::sqrt(-c[1]), phi = std::acos(c[0] / (2 * r));
        // Trapezoids map s to (1 + sΔt/2)/(1 − sΔt/2), s = −ξω ± iω√(1 − ξ²)
        const double xi = (alpha / omega + beta * omega) / 2;
        const std::complex<double> s(-xi * omega, omega * std::sqrt(1 - xi * xi));
        const std::complex<double> z = (1.0 + s * dt / 2.0) / (1.0 - s * dt / 2.0);
        CHECK(phi == Approx(std::arg(z)).epsilon(1e-7));
        CHECK(r - 1 == Approx(std::abs(z) - 1).epsilon(1e-4));
        const std::complex<double> undamped(1, omega * dt / 2);
        CHECK(warped_hz(omega / (2 * pi), dt) == Approx(2 * std::arg(undamped) / (2 * pi * dt)).epsilon(1e-12));
        CHECK(unwarped_hz(warped_hz(omega / (2 * pi), dt), dt) == Approx(omega / (2 * pi)).epsilon(1e-12));
    }
}

}  // namespace

TEST_CASE("a mode that is let go swings at its frequency as trapezoids warp it, and decays as Rayleigh says") {
    RodShape ring = bar(30);
    ring.closed = true;
    for (long i = 0; i < 30; ++i)
        ring.points.row(i) << 0.05 * std::cos(2 * pi * double(i) / 30), 0, 0.05 * std::sin(2 * pi * double(i) / 30);
    check_swing(rod_plan(bar(30), steel));
    check_swing(rod_plan(bar(30), steel, {.mass = RodMass::AlongEdges}));
    check_swing(rod_plan(bar(30), steel, {.supports = {.edges = {0}}}));
    check_swing(rod_plan(bar(30), steel, {.mass = RodMass::AlongEdges, .shear = true}));
    check_swing(rod_plan(ring, steel));
    check_swing(rod_plan(ring, steel, {.shear = true}));
}

TEST_CASE("a bar of 305×25.4×12.7 mm is struck: peaks of what is heard, unwarped, are those of theory") {
    // Three-dimensional elasticity by Ritz's method to 1e-6, and Euler and Bernoulli; 200 Hz to 8 kHz, both directions.
    const Material aluminium{"aluminium", 2700, 68.9e9, 0.33, {}, ""};
    const std::vector<double> thin{705.56, 1923.83, 3713.61, 6018.77}, thick{1385.58, 3663.43, 6804.24};
    const std::vector<double> ideal_thin{709.84, 1956.70, 3835.92, 6340.97}, ideal_thick{1419.68, 3913.41, 7671.84};
    RodSection section = flat_bar(0.0127, 0.0254);
    section.shear_1 = section.shear_2 = 0.8509;
    const RodShape shape{
        .points = straight_points({0, 0, 0}, {0.3048, 0, 0}, 30), .section = section, .first_direction = Vec3::UnitY()};
    const double dt = 1.0 / 44100;
    for (const bool shear : {false, true}) {
        const RodPlan plan = rod_plan(shape, aluminium, {.mass = RodMass::AlongEdges, .shear = shear});
        RodStepper rod(plan, {});
        rod.strike({.at = 0, .impulse = {0, 1e-3, 1e-3}, .duration = 5e-5});
        const int count = 6000;
        std::vector<double> heard[2];
        for (int k = 0; k < count; ++k) {
            rod.step(dt);
            for (int axis = 0; axis < 2; ++axis) heard[axis].push_back(rod.state().heard(1 + axis, 0));
        }
        const auto strength = [&](int axis, double hz) {
            std::complex<double> sum = 0;
            for (int k = 0; k < count; ++k)
                sum +=
                    heard[axis][size_t(k)] * square(std::sin(pi * k / count)) * std::polar(1.0, -2 * pi * hz * k * dt);
            return std::abs(sum);
        };
        for (int axis = 0; axis < 2; ++axis) {
            const std::vector<double>& exact =
                shear ? (axis == 0 ? thin : thick) : (axis == 0 ? ideal_thin : ideal_thick);
            for (const double hz : exact) {
                CAPTURE(hz);
                double best = 0, peak = 0;
                for (double f = 0.97; f < 1.03; f += 2e-4)
                    if (const double s = strength(axis, warped_hz(f * hz, dt)); s > best) best = s, peak = f;
                CHECK(peak == Approx(1).epsilon(0.005));  // Timoshenko's own: 0.3 % low
            }
        }
    }
}

TEST_CASE("a strike gives a free rod its whole impulse, and its moment") {
    const RodPlan plan = rod_plan(bar(31), steel);
    RodStepper rod(plan, {.damping = {.beta = 1e-6}});
    const Vec3 impulse(1e-3, 2e-2, -1e-2);
    rod.strike({.at = 0.123, .impulse = impulse, .duration = 3.3e-4});
    for (int k = 0; k < 100; ++k) rod.step(1.0 / 44100);
    const RodRows& v = rod.state().velocity;
    Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
    for (long i = 0; i < plan.points; ++i) {
        const Vec3 p = plan.mass(0, i) * v.col(i).head<3>();
        momentum += p;
        moment += Vec3(rod.state().place.col(i).head<3>()).cross(p);
    }
    CHECK((momentum - impulse).norm() < 1e-9 * impulse.norm());
    const Vec3 expected = Vec3(0.123, 0, 0).cross(impulse);
    CHECK((moment - expected).norm() < 2e-3 * expected.norm());  // it has moved while it was pushed
}

TEST_CASE("a bar that flies, tumbles and rings for a second keeps its energy") {
    for (const RodPlanOptions& options :
         {RodPlanOptions{}, RodPlanOptions{.mass = RodMass::AlongEdges, .shear = true}}) {
        const RodPlan plan = rod_plan(bar(40), steel, options);
        const ConstrainedBody body = small_motion(plan, plan.rest);
        const Modes modes = vibration_modes(body.body, {.min_hz = 1, .max_count = 1});
        RodState state = plan.rest;
        const Vec3 spin(5, 0.3, 20);  // three turns a second, sections turning too
        for (long i = 0; i < plan.points; ++i)
            state.velocity.col(i).head<3>() =
                Vec3(1, 2, 3) + spin.cross(Vec3(state.place.col(i).head<3>()) - Vec3(0.15, 0, 0));
        state.velocity.row(3).head(plan.edges).setConstant(spin[0]);
        const double v = 0.3, vibration = 0.5 * v * v;  // of its first mode
        state.velocity += v * (body.expansion * modes.shapes.col(0)).reshaped(plan.per_point, plan.points);
        RodStepper rod(plan, {});
        rod.set_state(state);
        rod.balance();
        const double before = rod.energy();
        double worst = 0;
        for (int k = 0; k < 44100; ++k) {
            rod.step(1.0 / 44100);
            if (k % 441 == 0) worst = std::max(worst, std::abs(rod.energy() - before));
        }
        CHECK(worst < 0.005 * vibration);
        CHECK(worst < 1e-5 * before);  // 3e-6 and 4e-7
        CHECK(rod.report().halved == 0);
    }
}

}  // namespace rod_stepper_test
