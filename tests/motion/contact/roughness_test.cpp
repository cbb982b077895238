#include <clangor/motion/contact/contact.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace roughness_test {

using namespace clangor;
using clangor::test::Approx;

namespace {
const RoughContact sliding{.time = 2, .duration = 20, .travel_speed = 0.5, .normal_impulse = 1e9, .inverse_mass = 200};
}

TEST_CASE("bumps come one a half millimetre on average, at random: the count of a distance is Poisson's") {
    const std::vector<Asperity> impacts = asperities(sliding, 1);
    const double expected = 0.5 * 20 / 5e-4;
    CHECK(double(impacts.size()) == Approx(expected).epsilon(4 / std::sqrt(expected)));  // four standard deviations
    // Counts of 100 equal stretches: variance = mean. The dispersion index of n stretches scatters by √(2/n).
    std::vector<double> counts(100);
    for (const Asperity& impact : impacts) counts[size_t((impact.time - 2) / 0.2)] += 1;
    double mean = 0, variance = 0;
    for (const double count : counts) mean += count / 100;
    for (const double count : counts) variance += square(count - mean) / 99;
    CHECK(variance / mean == Approx(1).epsilon(4 * std::sqrt(2.0 / 100)));
}

TEST_CASE("impacts grow with the speed, and come more often: the power of sliding grows with its cube") {
    const auto power = [](double speed) {
        RoughContact contact = sliding;
        contact.travel_speed = speed;
        double sum = 0;
        for (const Asperity& impact : asperities(contact, 7)) sum += square(impact.impulse);
        return sum;
    };
    CHECK(power(1.0) / power(0.5) == Approx(8).epsilon(0.05));  // 20 000 squares of Rayleigh: 1/√20 000 each
}

TEST_CASE("impacts carry no more than what presses the bodies together, and none without motion") {
    RoughContact heavy = sliding;
    heavy.normal_impulse = 1e-3;
    double carried = 0;
    for (const Asperity& impact : asperities(heavy, 3)) carried += impact.impulse;
    CHECK(carried == Approx(1e-3));
    heavy.travel_speed = 0;
    CHECK(asperities(heavy, 3).empty());
    heavy = sliding;
    heavy.roughness = 0;
    CHECK(asperities(heavy, 3).empty());
}

TEST_CASE("the same seed gives the same impacts, another gives others, all in order and within the stretch") {
    const std::vector<Asperity> one = asperities(sliding, 5), again = asperities(sliding, 5),
                                other = asperities(sliding, 6);
    REQUIRE(one.size() == again.size());
    for (size_t i = 0; i < one.size(); ++i) CHECK(one[i].time == again[i].time);
    CHECK(one.front().time != other.front().time);
    for (size_t i = 1; i < one.size(); ++i) CHECK(one[i - 1].time <= one[i].time);
    CHECK(one.front().time > 2);
    CHECK(one.back().time < 22);
}

}  // namespace roughness_test
