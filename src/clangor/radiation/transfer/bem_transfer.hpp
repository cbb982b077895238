// Acoustic transfer by boundary elements: one solution per mode, the reference.
#pragma once

#include <clangor/radiation/transfer/transfer.hpp>

namespace clangor::modal_transfer {

/// Ranges, sizes and finiteness are the caller's business (bake_transfer checks them).
TransferBake bem_transfer(const VibratingSurface& body, const TransferOptions& options, const TransferResume& resume,
                          const Progress& progress);

/// The body as air outside meets it: walls of voids inside it, from which no sound comes out, are left out. Faces keep
/// their order.
VibratingSurface without_voids(const VibratingSurface& body);

/// Length of the waves that a mode draws on the surface, Λ = 2π √(∫|u|² dS/∫|∇u|² dS); infinite if it has none [m]. Of
/// u and not of n·u: where hardly anything moves along the normals, the facets of the mesh would be taken for waves.
double surface_wavelength(const Surface& surface, const Points& shape);

/// Edges of the mesh for a mode: as many a wavelength as the options ask for, in the air and along the surface, and
/// twice as many along the surface where its waves are shorter than half of those in the air.
struct EdgePlan {
    double longest = 0;   ///< the shape asks for no longer ones [m]
    double shortest = 0;  ///< shorter ones would make more faces than can be solved for [m]
    /// mean edge of the given surface, whose waves are no shorter than a few; elements are no shorter than that, or
    /// than half of it for modes that are slower on the surface than in the air [m]
    double given = 0;
    double slow_shortest = 0;  ///< the same as `shortest` for modes that are slower on the surface than in the air [m]
};
EdgePlan edge_plan(const Surface& surface, double radius);
double edge_length(const EdgePlan& plan, double wavelength, double surface_wavelength, double elements_per_wavelength);

}  // namespace clangor::modal_transfer
