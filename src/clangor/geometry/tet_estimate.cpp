#include <clangor/geometry/tet_estimate.hpp>

#include <clangor/geometry/sizing.hpp>

namespace clangor {

std::optional<TetEstimate> estimate_of(const Surface& surface, const TetOptions& options) {
    if (surface.faces.rows() == 0 || !topology_of(surface).closed() || !(mass_properties(surface).volume > 0))
        return {};
    const geometry::Sizing sizing = geometry::sizing_of(surface, options);
    TetEstimate estimate{.elements = geometry::estimated_elements(sizing), .body_size = sizing.body_size};
    // Long edges count for as much of the body as short ones.
    double volume = 0;
    for (const geometry::Sizing::Part& part : sizing.parts) {
        volume += part.volume;
        estimate.edge_length += part.volume * sizing.wanted(part.thickness);
    }
    estimate.edge_length /= volume;
    return estimate;
}

}  // namespace clangor
