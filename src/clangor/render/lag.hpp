// How far behind motion bodies are after their impacts. Internal to render.
#pragma once

#include <clangor/render/impact_groups.hpp>
#include <clangor/render/ringing.hpp>

namespace clangor {

/// By how much a contact is farther from closing than motion has it, for one of its bodies [m].
double opened_by_lag(const Lag& lag, const ContactBody& of, const ContactSide& side, double time);

/// After impacts with these pulses, whose times count from the first of them until they were over at `end`.
void bring_lags_up_to_date(std::span<const Met> met, const std::vector<std::vector<ForcePulse>>& pulses, double end,
                           const std::vector<ContactBody>& bodies, RingingBodies& ringing);

}  // namespace clangor
