// From one value per face to values that are linear on each.
#pragma once

#include <clangor/radiation/bem/elements.hpp>

#include <array>
#include <complex>
#include <vector>

namespace clangor::bem {

/// Three values an element: at its corners.
using CornerValues = std::vector<std::array<std::complex<double>, 3>>;

/// Linear on each element with the given mean, and the slope that its neighbours suggest; flat towards neighbours
/// around a crease, where the motion of the surface has a step. The values of neighbours need not meet.
CornerValues corner_values(const Elements& elements, const Surface& surface, const Eigen::VectorXcd& means);

}  // namespace clangor::bem
