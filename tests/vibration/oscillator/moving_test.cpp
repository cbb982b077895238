// Modes whose weights and damping change while they ring.
#include "closed_forms.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <doctest/doctest.h>

#include <array>
#include <complex>

namespace moving_test {

using namespace clangor;

namespace {

constexpr double rate = 48000;
constexpr long samples = 9000;

const OscillatorBank bank{.omega = Eigen::Vector3d(2 * pi * 440, 2 * pi * 3100, 2 * pi * 9000),
                          .xi = Eigen::Vector3d(1e-3, 2e-3, 1e-3),
                          .sample_rate_hz = rate};
const std::vector<ModalImpulse> impulses = {
    {.start = 0.0101, .duration = 3e-4, .impulse = Eigen::Vector3d(1, 2, -1)},
    {.start = 0.0733, .duration = 2e-3, .impulse = Eigen::Vector3d(-1, 0.5, 2)},
    {.start = 0.0735, .duration = 0, .impulse = Eigen::Vector3d(0.1, 0.5, 0.3)},
};
Eigen::VectorXcd weights(double phase) {
    return Eigen::Vector3cd(std::polar(500.0, phase), std::polar(900.0, 2 * phase), std::polar(2000.0, -phase));
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = 0;
    for (size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
    return worst;
}
double peak(const std::vector<double>& a) { return difference(a, std::vector<double>(a.size())); }

}  // namespace

TEST_CASE("weights that move are, at each sample, the linear mean of those of the two knots") {
    // Σ Re(wζ) is linear in w, so that out = (1 − x) out(w₀) + x out(w₁) exactly, whatever ζ does.
    const std::vector<WeightKnot> knots = {{64 * 10, weights(0.3)}, {64 * 70, weights(1.1)}, {64 * 71, weights(-2)}};
    std::vector<std::vector<double>> still;
    for (const WeightKnot& knot : knots) still.push_back(ring_reference(bank, impulses, knot.weights, samples));
    std::vector<double> expected(samples);
    for (long k = 0; k < samples; ++k) {
        const size_t i = k < knots[1].sample ? 0 : 1;
        const double x =
            std::clamp(double(k - knots[i].sample) / double(knots[i + 1].sample - knots[i].sample), 0.0, 1.0);
        expected[k] = (1 - x) * still[i][k] + x * still[i + 1][k];
    }
    const std::vector<double> moving = ring_reference(bank, impulses, knots, {}, samples);
    CHECK(difference(moving, expected) < 1e-11 * peak(expected));
    const std::vector<float> quick = ring(bank, impulses, knots, {}, samples);
    CHECK(difference({quick.begin(), quick.end()}, expected) < 2e-5 * peak(expected));  // as with weights that rest
}

TEST_CASE("one knot and no change of damping give the bits of weights that rest") {
    const WeightKnot knot{0, weights(0.4)};
    CHECK(ring(bank, impulses, std::span(&knot, 1), {}, samples) == ring(bank, impulses, knot.weights, samples));
}

TEST_CASE("damping that sets in makes a mode decay faster from then on, without a step") {
    const OscillatorBank one{.omega = Eigen::VectorXd::Constant(1, 2 * pi * 1000),
                             .xi = Eigen::VectorXd::Constant(1, 1e-4),
                             .sample_rate_hz = rate};
    const ModalImpulse impact{.start = 0, .duration = 0, .impulse = Eigen::VectorXd::Ones(1)};
    const long change = 64 * 40;
    const DampingKnot damped{change, Eigen::VectorXd::Constant(1, 0.01)};
    const WeightKnot w{0, Eigen::VectorXcd::Constant(1, {0, -1})};
    const std::vector<double> heard =
        ring_reference(one, std::span(&impact, 1), std::span(&w, 1), std::span(&damped, 1), 9600);
    // ζ after the change is ζ there times e^{λ′t}: q = Im ζ/… with λ′ = −ξ′ω + iω√(1 − ξ′²).
    const std::complex<double> before(-1e-4 * one.omega[0], one.omega[0] * std::sqrt(1 - 1e-8));
    const std::complex<double> after(-0.01 * one.omega[0], one.omega[0] * std::sqrt(1 - 1e-4));
    const std::complex<double> at_change = std::exp(before * (double(change) / rate)) / before.imag();
    double worst = 0;
    for (long k = change; k < 9600; ++k)
        worst =
            std::max(worst, std::abs(heard[k] - (at_change * std::exp(after * (double(k - change) / rate))).imag()));
    CHECK(worst < 1e-11 * peak(heard));
}

TEST_CASE("a contact that lasts over a change of damping keeps its impulse") {
    // While the pulse lasts both banks act on its parts; with equal damping before and after nothing may change.
    const DampingKnot same{64 * 55, bank.xi};  // in the middle of the 2 ms contact at 0.0733 s
    const WeightKnot w{0, weights(0.2)};
    const std::vector<double> one = ring_reference(bank, impulses, w.weights, samples);
    const std::vector<double> two = ring_reference(bank, impulses, std::span(&w, 1), std::span(&same, 1), samples);
    CHECK(difference(one, two) < 1e-12 * peak(one));
}

TEST_CASE("a signal made in pieces has the samples of the whole, however it is cut") {
    const long samples = 40'100, modes = 37;
    OscillatorBank bank{Eigen::VectorXd(modes), Eigen::VectorXd(modes), 48000};
    for (long m = 0; m < modes; ++m) {
        bank.omega[m] = 2 * pi * (200 + 431 * double(m));
        bank.xi[m] = 0.01;
    }
    std::vector<ModalImpulse> impulses;  // one before the beginning, some close together, one long, one at a cut
    for (const double start : {-0.003, 0.01, 0.0101, 0.2, 0.3, 64.0 * 200 / 48000, 0.6})
        impulses.push_back({start, start == 0.3 ? 0.02 : 3e-4, PulseShape::Hertz, Eigen::VectorXd::Random(modes)});
    std::vector<WeightKnot> weights;
    for (const long sample : {0L, 64L * 10, 64L * 200, 64L * 201, 64L * 500})
        weights.push_back({sample, Eigen::VectorXcd::Random(modes)});
    const std::vector<DampingKnot> damping = {{64L * 150, 3 * bank.xi}, {64L * 200, bank.xi}};
    const auto joined = [&](long piece, RingingSignal::Precision precision) {
        RingingSignal signal(bank, impulses, damping, samples, precision);
        std::vector<float> all(static_cast<size_t>(samples), 1e9f);
        for (long first = 0; first < samples; first += piece) {
            const long size = std::min(piece, samples - first);
            size_t from = 0, to = weights.size();  // only the knots that are needed
            while (from + 1 < weights.size() && weights[from + 1].sample <= first) ++from;
            while (to > from + 1 && to >= 2 && weights[to - 2].sample >= first + size) --to;
            CHECK_FALSE(signal.over());
            signal.next(std::span(weights).subspan(from, to - from),
                        std::span(all).subspan(size_t(first), size_t(size)));
        }
        return all;
    };
    const std::vector<float> whole = ring(bank, impulses, weights, damping, samples);
    const std::vector<double> exact = ring_reference(bank, impulses, weights, damping, samples);
    for (const long piece : {64L, 64L * 7, 64L * 200, samples}) {
        CHECK(joined(piece, RingingSignal::Precision::Float) == whole);
        CHECK(joined(piece, RingingSignal::Precision::Double) == std::vector<float>(exact.begin(), exact.end()));
    }
}

TEST_CASE("a signal is over when nothing rings and no strike is left") {
    const OscillatorBank bank{Eigen::VectorXd::Constant(1, 2 * pi * 1000), Eigen::VectorXd::Constant(1, 0.05), 48000};
    const std::vector<ModalImpulse> impulses = {{0, 0, PulseShape::Hertz, Eigen::VectorXd::Ones(1)},
                                                {1, 0, PulseShape::Hertz, Eigen::VectorXd::Ones(1)}};
    const std::vector<WeightKnot> weights = {{0, Eigen::VectorXcd::Ones(1)}};
    RingingSignal signal(bank, impulses, {}, 48000 * 2);
    std::vector<float> out(24'000);
    signal.next(weights, out);
    CHECK(out.back() == 0);  // 1e-12 after 0.09 s
    CHECK_FALSE(signal.over());
    for (int half = 1; half < 4; ++half) signal.next(weights, out);
    CHECK(signal.over());
}

}  // namespace moving_test
