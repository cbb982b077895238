// What filling a surface would take, told before it is done.
#pragma once

#include <clangor/geometry/tetrahedra.hpp>

#include <optional>

namespace clangor {

struct TetEstimate {
    double elements = 0;     ///< within about 30 %
    double edge_length = 0;  ///< of them, on average [m]
    double body_size = 0;    ///< longest side of the bounding box [m]
};

/// Of a clean surface, in a tenth of a second. Nothing where it is not closed: it would have to be wrapped first.
/// Throws as tetrahedralize does, if too many elements would be needed.
std::optional<TetEstimate> estimate_of(const Surface& surface, const TetOptions& options);

}  // namespace clangor
