// Bodies for the tests.
#pragma once

#include <clangor/motion/rigid/rigid.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace clangor::testing {

inline Eigen::Isometry3d placed(const Vec3& at, const Eigen::Quaterniond& turn = Eigen::Quaterniond::Identity()) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = at;
    pose.linear() = turn.toRotationMatrix();
    return pose;
}

inline RigidBody floor_body() {
    return {.name = "floor", .shape = half_space(), .movement = Movement::Fixed, .path = at_rest(placed(Vec3::Zero()))};
}

inline RigidBody ball_body(const Vec3& at, double radius = 0.02, double mass = 0.26) {
    return {.name = "ball",
            .shape = collision_shape(Sphere{radius}),
            .path = at_rest(placed(at)),
            .mass = mass,
            .inertia = Mat3::Identity() * (0.4 * mass * radius * radius)};
}

/// Of even density, from the surface of its shape.
inline RigidBody shaped_body(const Shape& shape, const Eigen::Isometry3d& pose, double density = 2500) {
    const MassProperties solid = mass_properties(surface_of(shape));
    return {.name = "body",
            .shape = collision_shape(shape),
            .path = at_rest(pose),
            .mass = density * solid.volume,
            .centre = solid.centre,
            .inertia = density * solid.inertia};
}

/// A bowl of the usual size; its field is built once.
inline RigidBody bowl_body(const Eigen::Isometry3d& pose) {
    static const RigidBody bowl = shaped_body(Bowl{}, Eigen::Isometry3d::Identity());
    RigidBody body = bowl;
    body.path = at_rest(pose);
    return body;
}

/// What impacts, touches and strings gave a body, in the world.
inline Vec3 received(const Motion& motion, int body) {
    Vec3 sum = motion.supports.empty() ? Vec3(Vec3::Zero()) : motion.supports[body];
    const auto add = [&](const auto& event) {
        if (event.sides[0].body == body) sum += event.impulse;
        if (event.sides[1].body == body) sum -= event.impulse;
    };
    for (const Impact& impact : motion.impacts) add(impact);
    for (const Touch& touch : motion.touches) add(touch);
    return sum;
}

}  // namespace clangor::testing
