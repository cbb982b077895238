// All contacts of a group at once, where going through them one by one does not end.
#pragma once

#include <clangor/motion/friction/friction.hpp>

#include <span>
#include <vector>

namespace clangor::friction {

/// Impulses nearer to the laws of the group's contacts, beginning with those given; not always the solution. Dense: the
/// cube of the group's size.
Eigen::VectorXd newton_impulses(const FrictionProblem& problem, const std::vector<int>& group,
                                const Eigen::VectorXd& start);

}  // namespace clangor::friction
