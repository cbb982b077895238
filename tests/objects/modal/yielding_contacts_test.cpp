// The force of a contact whose wall moves otherwise than it was followed with, against its equation of motion.
#include <approx.hpp>

#include <clangor/objects/modal/yielding_contacts.hpp>

#include <doctest/doctest.h>

#include <cmath>

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

// A heavy wall, one mode of 1 Hz, which is pushed away at a constant acceleration by nothing that the contact knows.
double corrected_impulse(double acceleration, const ModalImpulse& pulse) {
    const double u = pulse.impulse[0] / pulse.giving.impulse;
    const OscillatorBank bank{
        .omega = Eigen::VectorXd::Constant(1, 2 * pi), .xi = Eigen::VectorXd::Zero(1), .sample_rate_hz = rate};
    YieldingContacts contacts({&pulse, 1}, bank);
    const auto q = [&](long sample) {
        const double t = double(sample) / rate - pulse.start;
        return Eigen::VectorXd::Constant(1, t > 0 ? 0.5 * acceleration * square(t) / u : 0.0).eval();
    };
    const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(1);
    double sum = 0;
    for (long sample = 0; sample < 400; ++sample) {
        if (!contacts.act_in(sample, sample + 1)) continue;
        const double x = (double(sample) / rate - pulse.start) / pulse.duration;
        const double as_followed = pulse.giving.impulse / pulse.duration * unit_pulse(pulse.shape, x);
        Eigen::VectorXd force = Eigen::VectorXd::Constant(1, u * as_followed);
        contacts.correct(sample, q(sample - 2), q(sample - 1), nothing, force);
        sum += force[0] / u / rate;
    }
    return sum;
}

ModalImpulse pulse_of(double duration) {
    const double u = 1e-3;  // the wall weighs 1/u² = 1000 tonnes
    const double J = 2 * mass * speed;
    return {.start = 0.0010003,
            .duration = duration,
            .shape = PulseShape::Hertz,
            .impulse = Eigen::VectorXd::Constant(1, u * J),
            .giving = {.stiffness = stiffness, .inverse_mass = 1 / mass, .impulse = J}};
}

}  // namespace

TEST_CASE("a wall that moves as it was followed takes the force that was followed") {
    CHECK(contact_time() * rate > 80);
    CHECK(corrected_impulse(0, pulse_of(contact_time())) == Approx(2 * mass * speed).epsilon(1e-4));
    CHECK(impulse_of(0) == Approx(2 * mass * speed).epsilon(1e-4));
}

TEST_CASE("a wall that recedes at a constant acceleration takes the impulse of the contact's equation of motion") {
    // In parts of what stops the mallet by itself within the contact.
    for (const double part : {0.05, 0.1, 0.2, 0.4}) {
        CAPTURE(part);
        const double acceleration = part * speed / contact_time();
        const double exact = impulse_of(acceleration);
        CHECK(exact < (1 - 0.2 * part) * 2 * mass * speed);
        CHECK(corrected_impulse(acceleration, pulse_of(contact_time())) == Approx(exact).epsilon(0.02));
    }
}

TEST_CASE("contacts of less than eight samples, or of a force that is given, stay as they are") {
    ModalImpulse brief = pulse_of(7 / rate), given = pulse_of(contact_time());
    given.giving = {};
    const OscillatorBank bank{
        .omega = Eigen::VectorXd::Ones(1), .xi = Eigen::VectorXd::Zero(1), .sample_rate_hz = rate};
    CHECK_FALSE(YieldingContacts({&brief, 1}, bank).act_in(0, 1000));
    CHECK_FALSE(YieldingContacts({&given, 1}, bank).act_in(0, 1000));
}

}  // namespace yielding_contacts_test
