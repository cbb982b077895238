// Meshes in another unit than metres, told by their size.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <string>

namespace clangor {

/// A length as people say it: "6.1 m", "85 mm".
std::string length_text(double length);

/// "6.1 × 5.3 × 3 m".
std::string size_text(const Surface& surface);

/// Nothing for bodies of 3 mm to 3 m. Otherwise "6.1 m long: if its mesh is in millimetres its scale is 0.001 (6.1 mm),
/// …", with the units that would give it an ordinary size; `scale` is the one it has.
std::string unit_remark(const Surface& surface, double scale);

}  // namespace clangor
