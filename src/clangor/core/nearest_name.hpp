// Which known name a misspelt one was meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clangor {

/// The known name with the fewest edits (insert, drop, replace, swap neighbours), if it is close enough to be worth
/// offering: at most a third of the letters differ, or one of three or fewer. Letter case is free.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known);

/// "did you mean "steel"?", or the known names where none is near.
std::string suggestion(std::string_view name, std::span<const std::string> known);

}  // namespace clangor
