// Bodies that have come to rest: how that is noticed, and what holds them up while they lie.
#pragma once

#include <clangor/motion/rigid/solver.hpp>

#include <optional>
#include <vector>

namespace clangor::rigid {

/// A body that no longer moves by this has stopped: real things are held there by the play and the creep of their
/// contacts, which the solver does not know, and its own jitter is smaller. A thousandth of the size where that is less
/// [m].
constexpr double rest_distance = 1e-4;

/// An impact no faster than this lifts nothing by more than that: it disturbs no rest. Bodies rock so on the bumps of
/// their collision shapes, which are micrometres high [m/s].
constexpr double rest_speed = 0.04;

/// Still for so long, its contacts neither slide nor roll (2 mm/s) [s].
constexpr double quiet_after = 0.05;

/// Still for so long, together with all that it touches, it is no longer stepped [s].
constexpr double asleep_after = 0.2;

/// Since when a body has been where it is.
struct Stillness {
    Vec3 centre = Vec3::Zero();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    double since = 0;  ///< [s]
};

/// The same, or beginning anew where a point of the body has moved by more than it may.
Stillness stillness_of(const MovingBody& body, const Stillness& last, double size, double time);

/// Bodies that lie on, beside and in one another, by the rows between them; each reaches something that cannot move.
struct Pile {
    std::vector<int> bodies;
    std::vector<std::size_t> rows;
};

/// The piles all of whose bodies may sleep. What touches a body that may not, or floats, is in none.
std::vector<Pile> piles_of(const std::vector<MovingBody>& bodies, const std::vector<ConstraintRow>& rows,
                           const std::vector<bool>& may_sleep);

/// Gives each body of a pile a total impulse, by changing the contacts along which it leans on what cannot move: what
/// the sweeps of the solver left over is a millionth of the weight, but the accounts of momentum are to hold for hours.
void balance(const Pile& pile, const std::vector<MovingBody>& bodies, const std::vector<Vec3>& wanted,
             std::vector<ConstraintRow>& rows);

}  // namespace clangor::rigid
