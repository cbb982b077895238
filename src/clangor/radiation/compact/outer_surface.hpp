// The part of a skin that touches the air outside.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <vector>

namespace clangor::compact {

/// The skin without the walls of voids, with only the nodes that are left. A void's wall encloses negative volume,
/// since its normals point into the void.
struct OuterSkin {
    Skin skin;
    std::vector<int> nodes;  ///< of the whole skin, by node of this one
};
OuterSkin outer_skin(const Skin& skin);

}  // namespace clangor::compact
