// Numbers that agree to a part of themselves. doctest's own Approx allows epsilon·(1 + |x|): a check of something small
// against 1, such as a contact time, could not fail.
#pragma once

#include <doctest/doctest.h>

namespace clangor::test {

inline doctest::Approx Approx(double value) { return doctest::Approx(value).scale(1e-300); }

}  // namespace clangor::test
