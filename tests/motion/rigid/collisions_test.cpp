#include "worlds.hpp"

namespace collisions_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

constexpr double g = 9.81;

Trajectory resampled(const Trajectory& path, double rate, double duration) {
    const long frames = std::lround(duration * rate) + 1;
    Trajectory sampled{Eigen::VectorXd(frames), Points(frames, 3), Rotations(frames, 4)};
    for (long i = 0; i < frames; ++i) {
        const double t = double(i) / rate;
        const Eigen::Isometry3d pose = pose_at(path, t);
        sampled.times[i] = t;
        sampled.positions.row(i) = pose.translation().transpose();
        sampled.rotations.row(i) = Eigen::Quaterniond(pose.linear()).coeffs().transpose();
    }
    return sampled;
}

void check_recovered(double rate, double time_error, double speed_error) {
    const double duration = 1.6;
    RigidWorld world{.bodies = {ball_body({0, 1, 0}), floor_body()}};
    world.bodies[0].velocity = {0.5, 0, 0};
    world.pairs = {{.first = 0, .second = 1, .friction = 0.3, .restitution = 0.7}};
    const Motion exact = simulate(world, {.duration = duration});
    world.bodies[0].path = resampled(exact.bodies[0], rate, duration);
    world.bodies[0].movement = Movement::Driven;
    const Motion found = collisions_of(world, {.duration = duration});
    REQUIRE(exact.impacts.size() >= 3);
    REQUIRE(found.impacts.size() == exact.impacts.size());
    for (std::size_t i = 0; i < found.impacts.size(); ++i) {
        CHECK(std::abs(found.impacts[i].time - exact.impacts[i].time) < time_error);
        CHECK(found.impacts[i].approach_speed ==
              clangor::test::Approx(exact.impacts[i].approach_speed).epsilon(speed_error));
        CHECK(found.impacts[i].impulse.y() == clangor::test::Approx(exact.impacts[i].impulse.y()).epsilon(speed_error));
    }
}

}  // namespace

TEST_CASE("impacts are found again in the frames of a bouncing ball") {
    check_recovered(60, 2e-3, 0.15);
    check_recovered(240, 5e-4, 0.05);
    check_recovered(1000, 5e-4, 0.05);
}

TEST_CASE("the frames of a ball at rest are touches that carry its weight, and no impacts") {
    const double duration = 0.5;
    RigidWorld world{.bodies = {ball_body({0, 0.0205, 0}), floor_body()}};  // half a millimetre above, as exports are
    world.bodies[0].movement = Movement::Driven;
    Trajectory path{Eigen::VectorXd::LinSpaced(31, 0, duration), Points::Zero(31, 3), Rotations::Zero(31, 4)};
    path.positions.col(1).setConstant(0.0205);
    path.positions.col(0) = 0.2 * path.times;
    path.rotations.col(3).setOnes();
    world.bodies[0].path = path;
    const Motion motion = collisions_of(world, {.duration = duration});
    CHECK(motion.impacts.empty());
    REQUIRE(!motion.touches.empty());
    CHECK(received(motion, 0).y() == clangor::test::Approx(0.26 * g * duration).epsilon(1e-6));
    CHECK(motion.touches[3].slip_speed == clangor::test::Approx(0.2).epsilon(0.01));
}

}  // namespace collisions_test
