#include <clangor/core/core.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <map>

namespace random_test {

using namespace clangor;

TEST_CASE("Poisson's numbers have his probabilities, and a spread as large as their mean") {
    Random random(3);
    for (const double mean : {0.5, 3.0, 20.0}) {
        constexpr int draws = 20000;
        std::map<long, double> seen;
        double sum = 0, sum_sq = 0;
        for (int i = 0; i < draws; ++i) {
            const long k = random.poisson(mean);
            seen[k] += 1.0 / draws;
            sum += double(k);
            sum_sq += double(k * k);
        }
        const double average = sum / draws, variance = sum_sq / draws - average * average;
        CHECK(std::abs(average - mean) < 4 * std::sqrt(mean / draws));
        CHECK(std::abs(variance / mean - 1) < 4 * std::sqrt((2 + 1 / mean) / draws));
        double probability = std::exp(-mean);
        for (long k = 0; k <= 10; ++k) {
            CHECK(std::abs(seen[k] - probability) < 4.5 * std::sqrt(probability / draws) + 1e-9);
            probability *= mean / double(k + 1);
        }
    }
    CHECK(random.poisson(0) == 0);
}

TEST_CASE("children of a generator are the same whenever they are asked for, and differ") {
    const Random parent(9);
    Random one = parent.child(3), again = parent.child(3), other = parent.child(4);
    const std::uint64_t first = one.bits();
    CHECK(first == again.bits());
    CHECK(first != other.bits());
    double sum = 0;  // of the first numbers of many: even among siblings
    for (std::uint64_t i = 0; i < 10000; ++i) sum += Random(parent.child(i)).uniform() / 10000;
    CHECK(std::abs(sum - 0.5) < 4 * std::sqrt(1.0 / 12 / 10000));
}

}  // namespace random_test
