// Impulses that keep bodies out of each other, make them bounce, and rub.
#pragma once

#include <clangor/motion/rigid/bodies.hpp>

#include <vector>

namespace clangor::rigid {

/// One contact over one step.
struct ConstraintRow {
    int a = -1, b = -1;
    Contact contact = {};
    double friction = 0;

    double approach = 0;  ///< speed of the points towards each other when the step begins [m/s]
    bool bounces = false;
    double touch_approach = 0;  ///< of an impact: at the moment of touching [m/s]
    double since_touch = 0;     ///< of an impact: how long ago that was [s]
    double target = 0;          ///< normal velocity that the step must not end below [m/s]
    double travel_speed = -1;   ///< of the place over the faster surface, since the last step; −1: unknown [m/s]
    double pull = 0;            ///< of an impact: gravity, towards each other [m/s²]
    double push = 0;            ///< of an impact: by how much to part the bodies beyond what they overlap by [m]

    double normal_impulse = 0;             ///< on a along the normal; starts from the last step's [N·s]
    Vec3 friction_impulse = Vec3::Zero();  ///< on a, across the normal [N·s]

    Vec3 impulse() const { return normal_impulse * contact.normal + friction_impulse; }
};

/// A point of a body that a string holds.
struct StringRow {
    int body = -1;
    Vec3 anchor = Vec3::Zero();      ///< in the world [m]
    Vec3 point_body = Vec3::Zero();  ///< [m]
    Vec3 impulse = Vec3::Zero();     ///< starts from the last step's [N·s]
};

/// Finds the impulses of an island, or of several, by projected Gauss–Seidel, and gives the bodies their velocities
/// after them. The velocities on entry include gravity. What the rows hold afterwards is exactly what the bodies
/// received.
void solve_velocities(std::vector<MovingBody>& bodies, std::vector<ConstraintRow>& contacts,
                      std::vector<StringRow>& strings, double h);

/// Shifts and turns that part what would overlap at the end of the step; they carry no momentum. None where nothing
/// overlaps.
struct Displacement {
    int body = -1;
    Vec3 shift = Vec3::Zero();
    Vec3 turn = Vec3::Zero();
};
std::vector<Displacement> solve_positions(std::vector<MovingBody>& bodies, const std::vector<Before>& before,
                                          const std::vector<ConstraintRow>& contacts, const Vec3& gravity, double h);

/// Pulls bodies back to their strings after a step.
void pull_to_anchors(std::vector<MovingBody>& bodies, const std::vector<StringRow>& strings);

}  // namespace clangor::rigid
