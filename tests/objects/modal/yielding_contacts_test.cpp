// The force of a contact whose wall moves otherwise than it was followed with, against its equation of motion.
#include <approx.hpp>

#include <clangor/objects/modal/sampled_pulses.hpp>
#include <clangor/objects/modal/yielding_contacts.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

namespace yielding_contacts_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double rate = 48000, mass = 0.01, speed = 1, stiffness = 2e5;

// m δ̈ = −k δ^{3/2} − m a, from δ = 0 at that speed, by steps of 10 ns: the impulse until the bodies part.
double impulse_of(double acceleration) {
    const double step = 1e-8;
    double delta = 0, closing = speed, sum = 0;
    for (bool touches = true; touches; touches = delta > 0) {
        const double force = stiffness * std::pow(delta, 1.5);
        closing -= step * (force / mass + acceleration);
        delta += step * closing;
        sum += step * force;
    }
    return sum;
}

// How long Hertz's contact with a wall at rest lasts: 2.9432 δ_max/v, ½mv² = ⅖ k δ_max^{5/2}  [Johnson1985, §11.4].
double contact_time() { return 2.9432751843247043 * std::pow(1.25 * mass * square(speed) / stiffness, 0.4) / speed; }

constexpr double u = 1e-3;  // of the wall's one mode: it weighs 1/u² = 1000 tonnes

// A contact of that length with a wall at rest, as it is followed: in steps of 10 µs.
ModalImpulse contact_of(double duration) {
    const double J = 2 * mass * speed, step = 1e-5;
    ForceHistory force{.start = 0.0010003, .step = step};
    const long steps = std::lround(duration / step);
    for (long k = 0; k < steps; ++k)
        force.forces.push_back(J / (double(steps) * step) *
                               unit_pulse(PulseShape::Hertz, (double(k) + 0.5) / double(steps)));
    const Eigen::VectorXd shape = Eigen::VectorXd::Constant(1, u);
    return {.start = force.start,
            .duration = duration,
            .shape = PulseShape::Hertz,
            .impulse = J * shape,
            .giving = std::make_shared<const GivingWay>(GivingWay{.stiffness = stiffness,
                                                                  .inverse_mass = 1 / mass,
                                                                  .energy = 0.5 * mass * square(speed),
                                                                  .force = force,
                                                                  .shape = shape,
                                                                  .drive = shape})};
}

// The wall, a mode of 1 Hz, is pushed away at a constant acceleration by nothing that the contact knows.
double corrected_impulse(double acceleration, const ModalImpulse& contact) {
    const OscillatorBank bank{
        .omega = Eigen::VectorXd::Constant(1, 2 * pi), .xi = Eigen::VectorXd::Zero(1), .sample_rate_hz = rate};
    YieldingContacts contacts({&contact, 1}, bank);
    SampledPulses pulses({&contact, 1}, rate);
    const auto q = [&](long sample) {
        const double t = double(sample) / rate - contact.start;
        return Eigen::VectorXd::Constant(1, t > 0 ? 0.5 * acceleration * square(t) / u : 0.0).eval();
    };
    const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(1);
    const Eigen::MatrixXd followed = pulses.next(500);
    double sum = 0;
    for (long k = 0; k < followed.cols(); ++k) {
        const long sample = SampledPulses::first_sample + k;
        Eigen::VectorXd force = followed.col(k);
        if (contacts.act_in(sample, sample + 1)) contacts.correct(sample, q(sample - 2), q(sample - 1), nothing, force);
        sum += force[0] / u / rate;
    }
    return sum;
}

}  // namespace

TEST_CASE("a wall that moves as it was followed takes the force that was followed") {
    CHECK(contact_time() * rate > 80);
    CHECK(corrected_impulse(0, contact_of(contact_time())) == Approx(2 * mass * speed).epsilon(1e-4));
    CHECK(impulse_of(0) == Approx(2 * mass * speed).epsilon(1e-4));
}

TEST_CASE("a wall that recedes at a constant acceleration takes the impulse of the contact's equation of motion") {
    // In parts of what stops the mallet by itself within the contact.
    for (const double part : {0.05, 0.1, 0.2, 0.4}) {
        CAPTURE(part);
        const double acceleration = part * speed / contact_time();
        const double exact = impulse_of(acceleration);
        CHECK(exact < (1 - 0.2 * part) * 2 * mass * speed);
        CHECK(corrected_impulse(acceleration, contact_of(contact_time())) == Approx(exact).epsilon(0.02));
    }
}

TEST_CASE("modes that move together get what a force has at their frequency, however its course is") {
    // Two humps, as of a mallet that the wall throws off and meets again.
    ModalImpulse contact = contact_of(0.0021);
    GivingWay giving = *contact.giving;
    std::vector<double>& forces = giving.force.forces;
    for (size_t k = 0; k < forces.size(); ++k)
        forces[k] = 40 * square(std::sin(3 * pi * double(k) / double(forces.size()))) * (k < 70 || k > 139 ? 1 : 0);
    contact.giving = std::make_shared<const GivingWay>(giving);
    SampledPulses pulses({&contact, 1}, rate);
    const Eigen::MatrixXd laid = pulses.next(1000);
    for (const double hz : {50.0, 700.0, 3000.0, 9000.0}) {
        std::complex<double> exact = 0, got = 0;
        for (size_t k = 0; k < forces.size(); ++k)
            exact += u * forces[k] * giving.force.step *
                     std::polar(1.0, -2 * pi * hz * (giving.force.start + (double(k) + 0.5) * giving.force.step));
        exact *= std::sin(pi * hz * giving.force.step) / (pi * hz * giving.force.step);  // it is constant over steps
        for (long k = 0; k < laid.cols(); ++k)
            got += laid(0, k) / rate * std::polar(1.0, -2 * pi * hz * double(SampledPulses::first_sample + k) / rate);
        CAPTURE(hz);
        CHECK(std::abs(got - exact) < 2e-3 * std::abs(exact) + 1e-6 * u * 40 * 0.0014);
    }
}

TEST_CASE("contacts of less than eight samples, or of a force that is given, stay as they are") {
    ModalImpulse brief = contact_of(7 / rate), given = contact_of(contact_time());
    given.giving = nullptr;
    const OscillatorBank bank{
        .omega = Eigen::VectorXd::Ones(1), .xi = Eigen::VectorXd::Zero(1), .sample_rate_hz = rate};
    CHECK_FALSE(YieldingContacts({&brief, 1}, bank).act_in(0, 1000));
    CHECK_FALSE(YieldingContacts({&given, 1}, bank).act_in(0, 1000));
}

}  // namespace yielding_contacts_test
