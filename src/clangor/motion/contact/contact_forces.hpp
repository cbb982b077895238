// The forces of a step at all places of contact. Internal to motion/contact.
#pragma once

#include <clangor/motion/contact/elastic_impact.hpp>

namespace clangor {

/// A number for each contact, without memory from the heap: a step takes less time than asking for it.
constexpr int most_contacts = 16;
using PerContact = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_contacts, 1>;
using PerContacts = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_contacts, most_contacts>;

/// With their part that is lost.
struct StepForces {
    PerContact force, lost;
};

/// δ' = δ_free − C F(δ, δ') for steps of length h; `expected` is about F. F grows with δ' and C is positive, so that
/// there is one solution   docs/theory/contact.md, Eq. 10.
StepForces forces_of(const std::vector<ElasticContact>& contacts, const PerContacts& compliance, double h,
                     const PerContact& before, const PerContact& free, const PerContact& expected);

}  // namespace clangor
