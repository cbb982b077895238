#include <approx.hpp>

#include <clangor/signal/signal.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace quadrature_test {

using namespace clangor;
using clangor::test::Approx;

TEST_CASE("a cosine becomes a sine of the same level, from the lowest frequency to as far below Nyquist") {
    const double rate = 48000, lowest = 50;
    const Quadrature quadrature(lowest, rate);
    for (const double hz : {lowest, 440.0, 5000.0, 20000.0, rate / 2 - lowest}) {
        CAPTURE(hz);
        const long count = 1000, reach = quadrature.reach();
        std::vector<float> in, out(count);
        const auto phase = [&](long k) { return 2 * pi * hz * double(k) / rate; };
        for (long k = -reach; k < count + reach; ++k) in.push_back(float(std::cos(phase(k))));
        quadrature(in, out);
        double worst = 0;
        for (long k = 0; k < count; ++k) worst = std::max(worst, std::abs(double(out[size_t(k)]) - std::sin(phase(k))));
        CHECK(worst < 0.0012);  // 0.01 dB
    }
}

TEST_CASE("the quadrature of a signal does not depend on how it is cut") {
    const Quadrature quadrature(200, 8000);
    std::vector<float> in;
    for (int k = 0; k < 700; ++k) in.push_back(float(std::sin(0.1 * k * k)));
    const size_t reach = size_t(quadrature.reach()), count = in.size() - 2 * reach, cut = count / 3;
    std::vector<float> whole(count), parts(count);
    quadrature(in, whole);
    quadrature(std::span(in).first(cut + 2 * reach), std::span(parts).first(cut));
    quadrature(std::span(in).subspan(cut), std::span(parts).subspan(cut));
    CHECK(whole == parts);
}

TEST_CASE("an impulse between samples has its sum, its place and its spectrum") {
    std::vector<double> samples(200, 0.0);
    const double position = 100.37, amount = 2.5;
    add_between(samples, position, amount);
    double sum = 0, moment = 0;
    for (size_t k = 0; k < samples.size(); ++k) sum += samples[k], moment += samples[k] * double(k);
    CHECK(sum == Approx(amount).epsilon(1e-12));
    CHECK(moment / sum == Approx(position).epsilon(1e-5));
    // S(f) = amount·e^{−2πi f·position} to 0.42 of the sample rate
    for (const double f : {0.01, 0.2, 0.42}) {
        CAPTURE(f);
        std::complex<double> spectrum = 0;
        for (size_t k = 0; k < samples.size(); ++k) spectrum += samples[k] * std::polar(1.0, -2 * pi * f * double(k));
        CHECK(std::abs(spectrum - std::polar(amount, -2 * pi * f * position)) < 1e-4 * amount);
    }
    std::vector<double> edge(4, 0.0);
    add_between(edge, -1.5, 1);  // only its tail is inside
    CHECK(std::abs(edge[3]) < 0.1);
}

}  // namespace quadrature_test
