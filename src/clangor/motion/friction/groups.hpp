// Contacts that feel each other.
#pragma once

#include <clangor/motion/friction/friction.hpp>

#include <vector>

namespace clangor::friction {

/// Each contact in one group, ascending; groups in the order of their first contacts.
std::vector<std::vector<int>> groups_of(const ContactResponse& response);

}  // namespace clangor::friction
