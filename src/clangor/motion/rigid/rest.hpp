// Bodies that have come to rest: how that is noticed, and what holds them up while they lie.
#pragma once

#include <clangor/motion/rigid/solver.hpp>

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

/// Within so long no point of it has moved by more than `slow_distance`, and the same holds for all that it touches: it
/// is no longer stepped [s].
constexpr double asleep_after = 0.2;

/// 2 mm/s over that time: what slides or rolls more slowly is not heard, rolling resistance stops it within 0.05 mm,
/// and the contacts of a heap give way by as much, because the sweeps of the solver do not end. A fiftieth of the size
/// where that is less [m].
constexpr double slow_distance = 4e-4;

/// Since when a body has been where it is.
struct Stillness {
    Vec3 centre = Vec3::Zero();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    double since = 0;  ///< [s]
};

/// The same, or beginning anew where a point of the body has moved by more than it may.
Stillness stillness_of(const MovingBody& body, const Stillness& last, double size, double may_move, double time);

/// A body, and the row along which it leans most on what cannot move, or on a body that leans on that.
struct Leaning {
    int body = -1;
    std::size_t row = 0;
};

/// How bodies (ascending) lean on one another, those farthest from what cannot move first. All others in the rows
/// cannot move. Those that lean on nothing are left out.
std::vector<Leaning> leaning_of(const std::vector<int>& bodies, const std::vector<ConstraintRow>& rows);

/// Gives each body a total impulse, by changing the contacts along which it leans: what the sweeps of the solver left
/// over is a millionth of the weight, but the accounts of momentum are to hold for hours. `wanted` is by the body's
/// place in `bodies`.
void balance(const std::vector<int>& bodies, const std::vector<Leaning>& leaning, const std::vector<Vec3>& wanted,
             std::vector<ConstraintRow>& rows);

/// The same where much has to change: each body hands it on to all that it leans on, as they bear it already.
void share_out(const std::vector<int>& bodies, const std::vector<Leaning>& leaning, const std::vector<Vec3>& wanted,
               std::vector<ConstraintRow>& rows);

}  // namespace clangor::rigid
