// The meshes of the validation cases, for tests.
#pragma once

#include <clangor/validation/shell_meshes.hpp>

namespace clangor::test {

using validation::cylinder;
using validation::disc;
using validation::Grid;
using validation::Noise;
using validation::of_rings;
using validation::of_thickness;
using validation::rectangle;
using validation::spherical_cap;
using validation::unit_square;

}  // namespace clangor::test
