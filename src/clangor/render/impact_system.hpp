// Impacts as one system of bodies and contacts. Internal to render.
#pragma once

#include <clangor/render/impact_groups.hpp>
#include <clangor/render/ringing.hpp>

namespace clangor {

/// Impacts that are followed together, and which of the bodies ring.
struct Group {
    ElasticImpact impact;
    std::vector<int> ringing;     ///< bodies, in the order of impact.bodies
    std::vector<Ringing> before;  ///< how they ring at the first contact; some of it may be left out of the impact
};

/// As it is when the first of them begins. `ringing`: of all bodies; empty: none rings.
Group group_of(std::span<const Met> met, const std::vector<ContactBody>& bodies, const ExciteOptions& options,
               const RingingBodies& ringing);

/// What an impact has left in the modes of a body, without what had rung before.
struct Left {
    Eigen::VectorXd q, q_dot;
};
Left left_by(const ImpactModes& modes, const ElasticResult& result, size_t b);

/// Of two materials, or of the pair.
double restitution_of(const Met& met, const std::vector<ContactBody>& bodies, const ExciteOptions& options);

}  // namespace clangor
