#include "closed_forms.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <doctest/doctest.h>

#include <utility>

namespace recurrence_test {

using namespace clangor;
using namespace clangor::test;

namespace {

using Matrix4 = Eigen::Matrix<Long, 4, 4>;

// Taylor series of a matrix small enough to need no scaling, then squared up again.
Matrix4 exponential(const Matrix4& Z) {
    const int squarings = std::max(0, int(std::ceil(std::log2(Z.cwiseAbs().maxCoeff()))) + 4);
    const Matrix4 small = Z / std::pow(2.0L, squarings);
    Matrix4 sum = Matrix4::Identity(), term = Matrix4::Identity();
    for (int n = 1; n < 24; ++n) {
        term = term * small / Long(n);
        sum += term;
    }
    for (int i = 0; i < squarings; ++i) sum = sum * sum;
    return sum;
}

// Van Loan: the exponential of (x, ωv…, force, its slope) holds the exact step for a force that is linear in time.
// By Cayley–Hamilton, s_k = Φs_{k−1} + P g_{k−1} + Q g_k becomes two taps for x.
Recurrence from_matrix_exponential(double omega, double xi, double step, Hold hold) {
    const Long w = omega, h = step;  // time in steps, speed in units of length a step
    Matrix4 Z = Matrix4::Zero();
    Z(0, 1) = 1;
    Z(1, 0) = -w * w * h * h;
    Z(1, 1) = -2 * Long(xi) * w * h;
    Z(1, 2) = h * h;
    Z(2, 3) = 1;
    const Matrix4 S = exponential(Z);
    const Eigen::Matrix<Long, 2, 2> Phi = S.topLeftCorner<2, 2>();
    Eigen::Matrix<Long, 2, 1> P = S.block<2, 1>(0, 2), Q = Eigen::Matrix<Long, 2, 1>::Zero();
    if (hold == Hold::Linear) {
        Q = S.block<2, 1>(0, 3);
        P -= Q;
    }
    if (hold == Hold::Impulse) P = Phi.col(1) * h * h;
    const Long trace = Phi.trace();
    return {.a1 = double(trace),
            .a2 = -double(Phi.determinant()),
            .b0 = double(Q[0]),
            .b1 = double(P[0] + (Phi * Q)[0] - trace * Q[0]),
            .b2 = double((Phi * P)[0] - trace * P[0])};
}

double relative(double value, double expected) {
    return expected == 0 ? std::abs(value) : std::abs(value / expected - 1);
}

}  // namespace

TEST_CASE("recurrences agree with published coefficients of an oscillator of mass m") {
    struct Row {
        double m, xi, hz, rate, a1, a2, impulse, constant[2], linear[3];
    };
    // Computed from the closed forms in high precision, good to 1e-10.
    const Row rows[] = {
        {1,
         0.001,
         440,
         44100,
         1.9959462042441827,
         -0.9998746291051588,
         5.138201109539156e-10,
         {2.569995966728521e-10, 2.569888547270519e-10},
         {8.567865111012099e-11, 3.426365205043366e-10, 8.567327978542114e-11}},
        {1,
         0.01,
         5000,
         44100,
         1.5029195136731615,
         -0.9858534308027082,
         4.68443988910422e-10,
         {2.4524814964252504e-10, 2.440662114034383e-10},
         {8.32555177311687e-11, 3.2339932954499793e-10, 8.265951376979657e-11}},
        {0.002,
         0.0005,
         15000,
         44100,
         -1.0719502385512236,
         -0.9978651441935538,
         1.0140787091083121e-07,
         {8.643561769113518e-08, 8.636289794395205e-08},
         {3.4046361106426684e-08, 1.0474510837786175e-07, 3.400704615079879e-08}},
        {1,
         0.1,
         100,
         44100,
         1.996951837546697,
         -0.9971545388743888,
         5.13439775595623e-10,
         {2.568461547526379e-10, 2.5660230643735986e-10},
         {8.563629065930943e-11, 3.422978044511071e-10, 8.551436607938415e-11}},
        {1,
         0.001,
         9940,
         88200,
         1.5181165570545396,
         -0.9985847923305584,
         1.1798728580446476e-10,
         {6.160364654277935e-11, 6.157407749944042e-11},
         {2.0886451515669455e-11, 8.141972997369916e-11, 2.0871542552851103e-11}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.hz);
        const double omega = 2 * pi * row.hz, h = 1 / row.rate;
        const Recurrence impulse = recurrence(omega, row.xi, h, Hold::Impulse);
        const Recurrence constant = recurrence(omega, row.xi, h, Hold::Constant);
        const Recurrence linear = recurrence(omega, row.xi, h, Hold::Linear);
        CHECK(relative(impulse.a1, row.a1) < 1e-13);
        CHECK(relative(impulse.a2, row.a2) < 1e-13);
        CHECK(relative(impulse.b1 / row.m, row.impulse) < 1e-10);
        CHECK(impulse.b0 == 0);
        CHECK(impulse.b2 == 0);
        CHECK(constant.b0 == 0);
        CHECK(relative(constant.b1 / row.m, row.constant[0]) < 1e-10);
        CHECK(relative(constant.b2 / row.m, row.constant[1]) < 1e-10);
        // 1e-6: the printed values for a linear force lose digits by cancellation at small ωh.
        CHECK(relative(linear.b0 / row.m, row.linear[0]) < 1e-6);
        CHECK(relative(linear.b1 / row.m, row.linear[1]) < 1e-6);
        CHECK(relative(linear.b2 / row.m, row.linear[2]) < 1e-6);
    }
}

TEST_CASE("recurrences agree with the matrix exponential, from ωh = 1e-6 to Nyquist") {
    for (const double theta : {1e-6, 1e-4, 2.6e-3, 0.05, 0.5, 0.999, 1.001, 2.7, 3.1}) {
        for (const double xi : {0.0, 1e-3, 0.1, 0.9, 0.999}) {
            for (const Hold hold : {Hold::Impulse, Hold::Constant, Hold::Linear}) {
                CAPTURE(theta);
                CAPTURE(xi);
                const double h = 1.0 / 48000;
                const Recurrence ours = recurrence(theta / h, xi, h, hold);
                const Recurrence exact = from_matrix_exponential(theta / h, xi, h, hold);
                // Coefficients are sums of terms of order h²: a hundred roundings of that.
                const double tolerance = 100 * 2.2e-16 * h * h;
                CHECK(std::abs(ours.a1 - exact.a1) < 1e-15 * 4);
                CHECK(std::abs(ours.a2 - exact.a2) < 1e-15 * 4);
                CHECK(std::abs(ours.b0 - exact.b0) < tolerance);
                CHECK(std::abs(ours.b1 - exact.b1) < tolerance);
                CHECK(std::abs(ours.b2 - exact.b2) < tolerance);
            }
        }
    }
}

TEST_CASE("a force that stays bends the oscillator by g/ω²") {
    for (const Hold hold : {Hold::Constant, Hold::Linear}) {
        const double omega = 2 * pi * 700;
        const Recurrence r = recurrence(omega, 0.02, 1.0 / 48000, hold);
        const double static_gain = (r.b0 + r.b1 + r.b2) / (1 - r.a1 - r.a2);
        // 1 − a1 − a2 is 0.008, so that roundings of 2e-16 grow a hundredfold.
        CHECK(relative(static_gain, 1 / (omega * omega)) < 1e-12);
    }
}

TEST_CASE("impulse recurrence rings as the closed form") {
    const Mode mode{2 * pi * 5000, 0.01};
    const double rate = 44100;
    const Recurrence r = recurrence(mode.omega, mode.xi, 1 / rate, Hold::Impulse);
    double before = 0, now = r.b1 * rate;  // a unit impulse at sample 0: g_0/rate = 1
    for (int k = 1; k < 200; ++k) {
        // Errors of 1e-16 a step add up over 200 steps.
        CHECK(std::abs(now - double(after_impulse(mode, k / Long(rate)).imag())) < 1e-13 / mode.omega);
        before = std::exchange(now, r.a1 * now + r.a2 * before);
    }
}

}  // namespace recurrence_test
