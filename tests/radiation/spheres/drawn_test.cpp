#include "poured_beads.hpp"

#include <doctest/doctest.h>

#include <map>

namespace drawn_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double rate = 48000, duration = 0.25;
constexpr int runs = 8, more_runs = 32;
constexpr DensityOptions options;

// Sums over runs and listeners: of one of them a band of a burst has a handful of independent bins, and scatters by
// 2 dB; where pairs alone are heard, low bands of eight together still do.
struct Heard {
    std::vector<double> bands = std::vector<double>(23);     ///< energies of thirds of an octave from 100 Hz
    std::vector<double> envelope = std::vector<double>(25);  ///< energies of hundredths of a second
    std::map<int, double> speeds;                            ///< encounters by octaves of speed
    std::vector<double> rates = std::vector<double>(13);     ///< encounters in windows
};

void count(Heard& heard, const std::vector<Encounter>& encounters) {
    for (const Encounter& e : encounters) {
        ++heard.speeds[int(std::floor(std::log2(e.speed)))];
        ++heard.rates[std::size_t(e.time / options.window)];
    }
}

void hear(Heard& heard, const std::vector<Encounter>& encounters) {
    for (const Vec3& listener :
         {Vec3(0.2, 0.25, 0.1), Vec3(-0.3, 0.1, 0.05), Vec3(0, 0.4, 0), Vec3(0.1, 0.02, -0.25)}) {
        const std::vector<float> sound =
            sphere_sound(collisions_of(encounters), {.listener = listener, .threshold = 0, .radii = {bead_radius}},
                         duration)
                .pressure;
        const std::vector<double> levels = third_octaves(sound, rate);
        for (std::size_t i = 0; i < levels.size(); ++i) heard.bands[i] += std::pow(10, levels[i] / 10);
        for (std::size_t k = 0; k < sound.size(); ++k) heard.envelope[k / 480] += square(double(sound[k]));
    }
}

double db(double ratio) { return 10 * std::log10(ratio); }

}  // namespace

TEST_CASE("drawn collisions of falling beads sound as those that were recorded") {
    constexpr DensityOptions as_many{.poisson = false};
    Heard recorded, others;
    for (std::uint64_t seed = 1; seed <= more_runs; ++seed) {
        const std::vector<Encounter> run = recorded_run(falling_beads(256, seed), duration);
        count(recorded, run);
        hear(recorded, run);
        hear(others, drawn(local_densities(run, as_many), as_many, seed));
        count(others, drawn(local_densities(run, options), options, seed));
    }
    for (std::size_t i = 0; i < recorded.bands.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(db(others.bands[i] / recorded.bands[i])) < 2);
    }
    const double peak = *std::ranges::max_element(recorded.envelope);
    int compared = 0;
    for (std::size_t i = 0; i < recorded.envelope.size(); ++i) {
        if (recorded.envelope[i] < peak / 100) continue;
        ++compared;
        CHECK(std::abs(db(others.envelope[i] / recorded.envelope[i])) < 2);
    }
    CHECK(compared >= 8);
    // counts of Poisson about those of the record
    for (std::size_t i = 0; i < recorded.rates.size(); ++i)
        CHECK(std::abs(others.rates[i] - recorded.rates[i]) <= 4 * std::sqrt(recorded.rates[i]));
    for (const auto& [octave, count] : recorded.speeds)
        CHECK(std::abs(others.speeds[octave] - count) <= 4 * std::sqrt(count));
}

// Falling beads come in layers, 280 a second, and hit the floor together; shaken ones do nothing together. Numbers that
// scatter would add as much as is there, below 1/moment (+2.7 dB for the shaken ones).
TEST_CASE(
    "with the walls that they hit, and as many as recorded, drawn beads sound right in every third of an octave") {
    const DensityOptions with_walls{.moments = 80, .kinds = 2, .poisson = false};
    for (const bool shaken : {false, true}) {
        CAPTURE(shaken);
        Heard recorded, others;
        for (std::uint64_t seed = 1; seed <= runs; ++seed) {
            const std::vector<Encounter> run =
                whole_run(shaken ? shaken_beads(300, seed) : falling_beads(256, seed), duration);
            hear(recorded, run);
            hear(others, drawn(local_densities(run, with_walls), with_walls, seed));
        }
        for (std::size_t i = 0; i < recorded.bands.size(); ++i) {
            CAPTURE(i);
            CHECK(std::abs(db(others.bands[i] / recorded.bands[i])) < 2);
        }
    }
}

}  // namespace drawn_test
