#include <clangor/radiation/transfer/chords.hpp>
#include <clangor/radiation/transfer/demodulate.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace chords_test {

using namespace clangor;
using namespace clangor::modal_transfer;
using clangor::test::Approx;

namespace {

std::vector<double> random_modes(int count, double low, double high) {
    std::mt19937 random(7);
    std::vector<double> hz;
    for (int i = 0; i < count; ++i) hz.push_back(low + (high - low) * static_cast<double>(random()) / 4294967296.0);
    std::sort(hz.begin(), hz.end());
    return hz;
}

// Tones f, f + Δf, … with amplitudes 1, and the demodulator of a window of `spacings`/Δf.
Demodulator even_tones(int count, double spacings) {
    Eigen::VectorXd omega(count);
    for (int j = 0; j < count; ++j) omega[j] = 2 * pi * 100 * (j + 5);
    const double step = 1.0 / (6 * 100 * (count + 5));
    return Demodulator(omega, 0.01, step, std::lround(spacings / 100 / step));
}

}  // namespace

TEST_CASE("there are as many chords as the fullest interval of the spacing holds modes") {
    const std::vector<double> hz = random_modes(300, 200, 12000);
    for (const double spacing : {5.0, 60.0, 400.0, 3000.0}) {
        const std::vector<Chord> chords = chords_of(hz, spacing);
        // No fewer can do: modes within an interval [f, f + Δf) must all be apart.
        long most = 0;
        for (const double low : hz)
            most = std::max(most, static_cast<long>(std::count_if(
                                      hz.begin(), hz.end(), [&](double f) { return f >= low && f - low < spacing; })));
        CHECK(static_cast<long>(chords.size()) == most);
        CHECK(chord_count(hz, spacing) == most);
        std::vector<int> seen;
        for (const Chord& chord : chords) {
            seen.insert(seen.end(), chord.begin(), chord.end());
            for (std::size_t i = 1; i < chord.size(); ++i) CHECK(hz[chord[i]] - hz[chord[i - 1]] >= spacing);
        }
        std::sort(seen.begin(), seen.end());
        REQUIRE(seen.size() == hz.size());
        for (int i = 0; i < static_cast<int>(seen.size()); ++i) CHECK(seen[i] == i);
    }
}

TEST_CASE("modes of equal frequency fall into different chords") {
    // Pairs, as every body of revolution has them.
    const std::vector<Chord> chords = chords_of({440, 440, 1200, 1200, 1200.01}, 100);
    REQUIRE(chords.size() == 3);
    CHECK(chords[0] == Chord{0, 2});
    CHECK(chords[1] == Chord{1, 3});
    CHECK(chords[2] == Chord{4});
}

TEST_CASE("bands hold each mode once, and dividing is never dearer than one band for all") {
    const std::vector<double> hz = random_modes(120, 100, 16000);
    // Cells and steps both grow with the frequency: f³·f.
    const BandCosts costs{[](double top_hz) { return 1e9 * std::pow(top_hz / 1000, 4); }, 1e-3};
    const std::vector<Band> bands = cheapest_bands(hz, costs);
    CHECK(bands.size() > 1);
    double cost = 0;
    int next = 0;
    for (const Band& band : bands) {
        CHECK(band.first == next);
        next = band.last;
        cost += band.cost + costs.setup;
        CHECK(band.window * band.spacing_hz == Approx(window_spacings));
        CHECK(band.spacing_hz <= 2 * hz[band.first]);
        std::size_t modes = 0;
        for (const Chord& chord : band.chords) modes += chord.size();
        CHECK(modes == static_cast<std::size_t>(band.last - band.first));
    }
    CHECK(next == static_cast<int>(hz.size()));
    CHECK(cost <= cheapest_spacing(hz, costs).cost + costs.setup);
    CHECK(cheapest_bands({}, costs).empty());
}

TEST_CASE("tones one and a half window widths apart are told apart, however many they are") {
    // Normal equations: 1 on the diagonal, and beside it Hann's transform, sin(πx)/(πx(1 − x²)) = 0.170 at x = 1.5, 0
    // at 3, 0.011 at 4.5; by Gershgorin's theorem the condition is below √((1 + 2·0.18)/(1 − 2·0.18)) = 1.46, but for
    // samples and the mirror images at −f.
    for (const int count : {1, 8, 40}) CHECK(even_tones(count, window_spacings).condition() < 1.6);
    // Three times closer they are not, and rounding would be heard.
    CHECK(even_tones(20, 0.5).condition() > 1e4);
}

TEST_CASE("demodulation finds amplitude and phase of every tone") {
    // p = Re{p̂ e^{iωt}} with p̂ = j − 2i at one point and −p̂ at another.
    const int tones = 6;
    Eigen::VectorXd omega(tones);
    for (int j = 0; j < tones; ++j) omega[j] = 2 * pi * (700 + 150 * j);
    const double start = 0.0123, step = 1e-4;
    const long count = std::lround(window_spacings / 150 / step);
    Eigen::MatrixXf samples(count, 2);
    for (long n = 0; n < count; ++n) {
        double p = 0;
        for (int j = 0; j < tones; ++j)
            p += std::real(std::complex<double>(j, -2) * std::polar(1.0, omega[j] * (start + step * double(n))));
        samples.row(n) << static_cast<float>(p), static_cast<float>(-p);
    }
    const Eigen::MatrixXcd found = Demodulator(omega, start, step, count)(samples);
    for (int j = 0; j < tones; ++j) {
        CHECK(std::abs(found(0, j) - std::complex<double>(j, -2)) < 1e-5);  // floats
        CHECK(std::abs(found(1, j) + std::complex<double>(j, -2)) < 1e-5);
    }
}

TEST_CASE("an onset begins and ends without a corner") {
    CHECK(onset(-1, 2) == 0.0);
    CHECK(onset(0, 2) == 0.0);
    CHECK(onset(1, 2) == Approx(0.5));
    CHECK(onset(2, 2) == Approx(1));
    CHECK(onset(9, 2) == Approx(1));
    // x − sin(2πx)/2π = (2π)²x³/6 for small x
    CHECK(onset(2e-3, 2) == Approx(4 * pi * pi * 1e-9 / 6).epsilon(1e-4));
}

}  // namespace chords_test
