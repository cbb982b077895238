// How the unknowns of rods and bodies move the places where they touch.
#pragma once

#include <clangor/vibration/rod_contact/rod_contact.hpp>

#include <array>

namespace clangor::rod_contact {

/// The velocity of a rod's surface where it is touched, by seven of its unknowns: both points of the segment, and the
/// angle of its section. In the contact's frame, positive where the two part.
struct RodSide {
    int rod = -1;
    std::array<int, 7> unknowns = {};
    Eigen::Matrix<double, 3, 7> J = Eigen::Matrix<double, 3, 7>::Zero();

    Vec3 velocity(const RodRows& rows) const;
    void add(const Vec3& impulse, RodRows& rows) const;
};

/// Likewise of a body, by its velocity and spin.
struct BodySide {
    int body = -1;
    Eigen::Matrix<double, 3, 6> J = Eigen::Matrix<double, 3, 6>::Zero();
};

struct TouchSides {
    Mat3 frame = Mat3::Identity();
    RodSide first, second;  ///< `second.rod` −1: none, but
    BodySide body;          ///< this
};

TouchSides sides_of(const CapsuleTouch& touch, std::span<const ContactRod> rods, std::span<const RodObstacle> bodies);

/// M⁻¹ of a body in the world.
Eigen::Matrix<double, 6, 6> inverse_mass_of(const RodObstacle& body);

}  // namespace clangor::rod_contact
