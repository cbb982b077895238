// How validation finds Γ, for tests.
#pragma once

#include <clangor/validation/gamma.hpp>

namespace clangor::test {

using validation::gamma_of_mesh;
using validation::gamma_of_plan;
using validation::largest_displacement;

}  // namespace clangor::test
