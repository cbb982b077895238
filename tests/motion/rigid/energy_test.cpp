#include "worlds.hpp"

#include <algorithm>

namespace energy_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

constexpr double g = 9.81;

/// Of body 0, over the height of the floor.
double energy_at(const Motion& motion, const RigidBody& body, double time) {
    const Eigen::Isometry3d pose = pose_at(motion.bodies[0], time);
    const Twist twist = twist_at(motion.bodies[0], time);
    const Vec3 arm = pose.linear() * body.centre, velocity = twist.linear + twist.angular.cross(arm);
    const Mat3 inertia = pose.linear() * body.inertia * pose.linear().transpose();
    return body.mass * g * (pose.translation() + arm).y() + body.mass * velocity.squaredNorm() / 2 +
           twist.angular.dot(inertia * twist.angular) / 2;
}

}  // namespace

TEST_CASE("a body that bounces without loss and rubs never has more energy than it was thrown with") {
    for (const double friction : {0.1, 0.5, 1.0})
        for (const int kind : {0, 1, 2}) {
            CAPTURE(friction);
            CAPTURE(kind);
            RigidWorld world{
                .bodies = {kind == 0   ? ball_body({0, 0.3, 0})
                           : kind == 1 ? shaped_body(Box{{0.05, 0.03, 0.04}}, placed({0, 0.3, 0}))
                                       : shaped_body(Cylinder{.radius = 0.03, .height = 0.004}, placed({0, 0.3, 0})),
                           floor_body()}};
            world.pairs = {{.first = 0, .second = 1, .friction = friction, .restitution = 1.0}};
            world.bodies[0].velocity = {1, 0, 0.3};
            world.bodies[0].angular_velocity = {30, 10, -60};
            const double duration = 3;
            const Motion motion = simulate(world, {.duration = duration});
            REQUIRE(motion.impacts.size() > 3);
            const double thrown = energy_at(motion, world.bodies[0], 0.05);
            double most = 0;
            for (double t = 0.05; t < duration; t += 0.003) {
                // Poses are interpolated: speeds are right away from the kinks that impacts make.
                const bool is_free = std::none_of(motion.impacts.begin(), motion.impacts.end(),
                                                  [&](const Impact& hit) { return std::abs(hit.time - t) < 0.01; });
                if (is_free) most = std::max(most, energy_at(motion, world.bodies[0], t));
            }
            CHECK(most < 1.001 * thrown);
        }
}

}  // namespace energy_test
