// Impacts as bodies meet them: which belong together, and in what order they can be followed. Internal to render.
#pragma once

#include <clangor/render/local_contact.hpp>

#include <limits>
#include <span>

namespace clangor {

/// Contacts that are followed together, at most: a plate that lands flat has four to eight.
constexpr size_t most_together = 16;

/// What motion gave at one place in one step: there, an impact is over in an instant.
struct Given {
    double time = 0, seen = 0;  ///< [s]
    double impulse = 0;         ///< along the normal [N·s]
};

/// An impact with what is known of its place.
struct Met {
    std::array<ContactSide, 2> sides;
    LocalContact contact;
    double time = 0, seen = 0, approach_speed = 0;
    double impulse = 0;  ///< along the normal, as motion has it in all [N·s]
    bool is_given = false;
    bool is_simulated = false;      ///< here: its bodies bounce in an instant, as it says
    bool is_by_many = false;        ///< of a body that is one of many: a pulse of its impulse
    std::vector<Given> given = {};  ///< by time; together `impulse`, as far as it is known
};

/// The body, if there is but one that moves or rings; otherwise, and where an animator gave the impulses, −1.
int only_body(std::span<const Met> met, const std::vector<ContactBody>& bodies);

std::vector<Met> met_at(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies);
std::vector<Met> picked(std::span<const Met> met, const std::vector<size_t>& which);

/// Whether something gives way.
bool can_follow(const Met& met);

double first_time(std::span<const Met> met);

/// Impacts that are followed together.
struct Together {
    std::vector<size_t> impacts;
    double time = 0;  ///< of the first
    long round = 0;   ///< later than those before it on the same ringing bodies
};

/// Those whose contact times overlap, or that motion found in the same step, if they share a body; by rounds, and by
/// time within each of them. `cut` counts impacts that would have made too many.
std::vector<Together> grouped(std::span<const Met> met, const std::vector<ContactBody>& bodies, long& cut);

/// Those of one round can be followed side by side.
std::vector<std::span<const Together>> rounds_of(std::span<const Together> all);

}  // namespace clangor
