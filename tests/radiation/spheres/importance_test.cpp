#include "poured_beads.hpp"

#include <doctest/doctest.h>

#include <functional>

namespace importance_test {

using namespace clangor;
using namespace clangor::test;

namespace {

using Change = std::function<void(Encounter&, Random&)>;

// Anywhere in its cell.
Change elsewhere(double cell) {
    return [cell](Encounter& e, Random& random) {
        for (long axis = 0; axis < 3; ++axis)
            e.point[axis] = (std::floor(e.point[axis] / cell) + random.uniform()) * cell;
    };
}

// Any way, if it is slower.
Change anyhow(double speed_limit) {
    return [speed_limit](Encounter& e, Random& random) {
        if (e.speed >= speed_limit) return;
        const double rub = e.friction.norm();
        e.normal = drawn_direction(random);
        e.friction = rub * e.normal.unitOrthogonal();
    };
}

// Level at a listener after the change over that before [dB].
double level_change(const std::vector<std::vector<Encounter>>& runs, const Vec3& listener, const Change& change) {
    const SphereSoundOptions options{.listener = listener, .threshold = 0, .radii = {bead_radius}};
    double before = 0, after = 0;
    Random random(1);
    for (const std::vector<Encounter>& run : runs) {
        std::vector<Encounter> changed = run;
        for (Encounter& e : changed) change(e, random);
        for (const float p : sphere_sound(collisions_of(run), options, 0.3).pressure) before += square(double(p));
        for (const float p : sphere_sound(collisions_of(changed), options, 0.3).pressure) after += square(double(p));
    }
    return 10 * std::log10(after / before);
}

}  // namespace

TEST_CASE("what is heard of a collision: hardly its place, but the direction of the few that are fast") {
    std::vector<std::vector<Encounter>> runs;
    double all = 0, slow = 0;
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
        runs.push_back(recorded_run(falling_beads(512, seed), 0.3));
        for (const Encounter& e : runs.back()) {
            ++all;
            slow += e.speed < 0.5;
        }
    }
    CHECK(slow / all > 0.8);
    const Vec3 above(0, 0.4, 0), beside(0.4, 0.01, 0);
    for (const Vec3& listener : {above, beside}) {
        CHECK(std::abs(level_change(runs, listener, elsewhere(0.01))) < 0.2);
        CHECK(std::abs(level_change(runs, listener, elsewhere(0.02))) < 0.2);
        CHECK(std::abs(level_change(runs, listener, anyhow(0.5))) < 0.2);
    }
    // What falls meets what lies from above, and is heard along its normal.
    constexpr double any_speed = 1e9;
    CHECK(level_change(runs, above, anyhow(any_speed)) < -2);
    CHECK(level_change(runs, beside, anyhow(any_speed)) > 1);
}

}  // namespace importance_test
