// What a contact asks of the solver: to last, or to bounce as it touched.
#pragma once

#include <clangor/motion/rigid/neighbours.hpp>

#include <vector>

namespace clangor::rigid {

struct RowRules {
    Vec3 gravity = Vec3::Zero();  ///< [m/s²]
    double step = 0;              ///< [s]
    double slow = 0;              ///< approaches up to it are no impacts [m/s]
};

/// The row of one contact, which goes on from the nearest one of the last step. `size` is that of the smaller body [m].
ConstraintRow row_of(Neighbours& pair, const Contact& contact, const std::vector<MovingBody>& bodies, double size,
                     const RowRules& rules);

/// Has the rule say at what speeds the impacts among an island's rows part, if they come faster than this.
void ask_bounces(const BounceRule& rule, const std::vector<MovingBody>& bodies, std::vector<ConstraintRow>& rows,
                 double faster_than, double time, double step);

}  // namespace clangor::rigid
