// When strikes are felt, and what they do to a body.
#pragma once

#include <clangor/motion/rigid/bodies.hpp>

#include <utility>
#include <vector>

namespace clangor::rigid {

/// Pushes of simulated bodies, each at the step whose beginning is nearest.
class Pushes {
public:
    Pushes(const RigidWorld& world, double step);

    /// Those of this step, in the order in which the world has them. Steps must ascend.
    std::vector<Push> due(long step);

private:
    std::vector<std::pair<long, Push>> all_;  ///< by step
    std::size_t next_ = 0;
};

/// Gives a body J and r × J about its centre.
void give(MovingBody& body, const Push& push);

}  // namespace clangor::rigid
