// Oversampled scans: as many faces as the shape needs, not as many as the scanner saw.
#pragma once

#include <clangor/geometry/surface.hpp>

namespace clangor {

/// More faces than this, and `decimated` merges some; fewer cost little.
inline constexpr int oversampled_faces = 150'000;

/// Merges vertices of a cleaned surface along edges until some hundred thousand faces are left, or until its vertices
/// would leave the surface by a hundredth of the wall that a twentieth of it is thinner than: frequencies change by
/// 0.1 % at most (docs/howto/meshing.md). Rims and edges with more than two faces stay as they are, and so does the
/// topology. The repairs say what was done. 5 million faces take about 2 s.
CleanSurface decimated(const CleanSurface& given);

}  // namespace clangor
