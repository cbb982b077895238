// What must hold for one imported event, whatever it was read from.
#pragma once

#include <clangor/io/motion/units.hpp>
#include <clangor/motion/imported/imported.hpp>

#include <string>
#include <string_view>

namespace clangor::io {

/// Throws Error at event.where for an event that can mean nothing. Turns its vectors so that y is up.
void finish_impact(ImportedImpact& event, const MotionUnits& units);

/// "world" or "body"; throws Error at `where` for anything else.
bool is_body_frame(std::string_view text, const std::string& where);

}  // namespace clangor::io
