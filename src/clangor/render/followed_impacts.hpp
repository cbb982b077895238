// Impacts with the bodies in the loop: what forces they make, and what the modes get. Internal to render.
#pragma once

#include <clangor/render/local_contact.hpp>
#include <clangor/render/ringing.hpp>

#include <span>

namespace clangor {

/// What came of one impact.
struct FollowedImpact {
    /// In the motion's time, along the normal; none where an impact that came at the same place has them all.
    std::vector<ForcePulse> pulses = {};
    std::array<Eigen::VectorXd, 2> shapes = {};  ///< per side with modes: what a unit of such pulses drives
    /// Per side with modes that move together: what a unit of the force itself drives. The pulses have histories then.
    std::array<Eigen::VectorXd, 2> moved = {};
    /// That each side's body got, this impact's part; a body that rings may give some back [J].
    std::array<double, 2> modal_energy = {0, 0};
    double separation_speed = 0;  ///< [m/s]
    HertzContact hertz = {};      ///< what force the bodies' approach makes; modulus 0: not known
    bool is_followed = false;     ///< false: nothing could give way, and the force is a pulse of a hard mallet
};

/// All at once, in the order given. Impacts of one body that last at the same time are followed together, up to a
/// number of them, and those at one place as one contact; `cut` counts those beyond that number, which were followed
/// apart. `ringing` is how the bodies ring before, and is brought up to date: one for each body.
std::vector<FollowedImpact> followed(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies,
                                     const ExciteOptions& options, RingingBodies& ringing, long& cut);

/// How fast the bodies part at each of the impacts, which need not be in order of time. Of `ringing` only the bodies
/// that can move are read and brought up to date: calls for others of those may run at the same time.
std::vector<double> separation_speeds(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies,
                                      const ExciteOptions& options, RingingBodies& ringing);

/// One impact by itself, as a bump of a rough surface makes it: where the bodies touch, and how fast they meet.
FollowedImpact followed(const std::array<ContactSide, 2>& sides, const LocalContact& contact, double approach_speed,
                        const std::vector<ContactBody>& bodies, const ExciteOptions& options);

/// How long a pulse of PulseShape::Hertz lasts that is as wide as this one, and when it starts [s].
double shaped_duration(const ForcePulse& pulse);
double shaped_start(const ForcePulse& pulse);

}  // namespace clangor
