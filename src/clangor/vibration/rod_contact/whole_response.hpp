// W of very many touches without its elements: what impulses do, by solving for whole rods.
#pragma once

#include <clangor/vibration/rod_contact/touch_sides.hpp>

#include <span>
#include <vector>

namespace clangor::rod_contact {

/// Turned about each normal, so that a touch by itself answers to friction along its two directions separately.
class WholeResponse {
public:
    explicit WholeResponse(size_t rods) : edges_(rods) {}

    void prepare(std::span<const TouchSides> touches, std::span<const ContactRod> rods,
                 std::span<const RodObstacle> bodies);

    /// To the contacts' own frames and back.
    Vec3 turned(size_t touch, const Vec3& v) const;
    Vec3 turned_back(size_t touch, const Vec3& v) const;

    /// The diagonal of W, turned: what a touch by itself answers along its three directions [1/kg].
    std::span<const Vec3> own() const { return own_; }

    /// Rods and bodies pushed by turned impulses; then the velocity that a touch has by that, turned.
    void push(std::span<const Vec3> impulses);
    Vec3 velocity(size_t touch) const;

private:
    struct Edges {
        long factorizations = -1;
        double step = 0;
        std::vector<RodStepper::EdgeCompliance> compliances = {};
    };
    struct Turn {
        double cosine = 1, sine = 0;
    };
    std::vector<Edges> edges_;
    std::span<const ContactRod> rods_ = {};
    std::vector<TouchSides> touches_ = {};  // turned
    std::vector<Turn> turns_ = {};
    std::vector<Vec3> own_ = {};
    std::vector<Eigen::Matrix<double, 6, 6>> inverse_masses_ = {};
    std::vector<RodRows> impulses_ = {}, velocities_ = {};  // of rods that something touches
    std::vector<Eigen::Matrix<double, 6, 1>> body_velocities_ = {};
};

}  // namespace clangor::rod_contact
