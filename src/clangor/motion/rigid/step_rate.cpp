// From speeds and sizes to a step.
#include <clangor/motion/rigid/collision_shape.hpp>
#include <clangor/motion/rigid/step_rate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor::rigid {
namespace {

constexpr double part_of_wall = 0.25;

double own_speed(const RigidBody& body) {
    if (body.movement == Movement::Fixed) return 0;
    const double reach =
        std::max((body.shape->bounds.high - body.centre).norm(), (body.shape->bounds.low - body.centre).norm());
    if (body.movement == Movement::Simulated) return body.velocity.norm() + body.angular_velocity.norm() * reach;
    double fastest = 0;
    for (long i = 0; i + 1 < body.path.times.size(); ++i) {
        const Twist twist = twist_at(body.path, (body.path.times[i] + body.path.times[i + 1]) / 2);
        fastest = std::max(fastest, twist.linear.norm() + twist.angular.norm() * reach);
    }
    return fastest;
}

// How far the highest body can fall onto the lowest.
double fall_height(const RigidWorld& world) {
    const Vec3 up = -world.gravity.normalized();
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const RigidBody& body : world.bodies) {
        const double height = up.dot(body.path.positions.row(0).transpose());
        const double size = std::isfinite(body.shape->size) ? body.shape->size : 0;
        low = std::min(low, height - size);
        if (body.movement == Movement::Simulated) high = std::max(high, height + size);
    }
    return std::max(0.0, high - low);
}

}  // namespace

double step_rate(const RigidWorld& world) {
    double speed = 0, wall = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const RigidBody& body = world.bodies[i];
        double own = own_speed(body);
        for (const Push& push : world.pushes)
            if (push.body == int(i) && body.movement == Movement::Simulated) own += push.impulse.norm() / body.mass;
        speed = std::max(speed, own);
        wall = std::min(wall, body.shape->thickness);
    }
    const double g = world.gravity.norm();
    if (g > 0) speed += std::sqrt(2 * g * fall_height(world));
    return std::clamp(speed / (part_of_wall * wall), 1000.0, 10000.0);
}

}  // namespace clangor::rigid
