// How the pressure at a point is read from the cells around it.
#pragma once

#include <clangor/radiation/wave/advance.hpp>
#include <clangor/radiation/wave/air_cells.hpp>
#include <clangor/radiation/wave/sight.hpp>

#include <vector>

namespace clangor::wave {

/// Taps of all points. Cubic in each axis (64 cells); where some of these are not free air, a
/// quadratic fitted to the air that the point can see. Points in a cavity have no taps. Throws for points in the body.
std::vector<Tap> point_taps(const Grid& grid, const Points& points, const AirCells& air, const Sight& sight);

}  // namespace clangor::wave
