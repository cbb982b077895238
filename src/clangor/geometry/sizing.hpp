// How long element edges should be, and what that costs.
#pragma once

#include <clangor/geometry/graded_field.hpp>
#include <clangor/geometry/tetrahedra.hpp>
#include <clangor/geometry/thickness.hpp>

#include <algorithm>

namespace clangor::geometry {

/// Lengths that follow from the local thickness t of a body, all in [m]. docs/howto/meshing.md gives the reasons.
struct Sizing {
    /// A part of the body, seen from its surface.
    struct Part {
        double thickness = 0;  ///< [m]
        double volume = 0;     ///< [m³]
    };
    std::vector<Part> parts;  ///< together the whole body
    GradedField thickness;
    double edge_length = 0;             ///< asked for by the user, everywhere; 0: chosen
    double body_size = 0;               ///< longest side of the bounding box
    double max_hz = 20e3;               ///< the waves up to it are followed
    double scale = 1;                   ///< of chosen lengths
    double roughness = 0;               ///< of the surface: faces need not follow it closer
    std::vector<std::string> messages;  ///< what the user should know about the choice

    double wanted(double t) const;   ///< edge length, at most
    double refined(double t) const;  ///< edge length that Delaunay refinement can reach: its
                                     ///< empty balls must not span the wall
    /// of faces from the surface, at most
    double deviation(double t) const { return std::max(0.04 * t, roughness); }
    double longest() const;  ///< the largest wanted length
};

/// Chosen lengths grow, and a message says so, where they would make a mesh too large for its modes to be found. Throws
/// if the mesh would have more elements than memory could bear, naming a length that would fit.
Sizing sizing_of(const Surface& surface, const TetOptions& options);

/// What users are told where chosen lengths are so many times as long as waves up to max_hz would have them; nothing
/// where waves up to told_hz are followed all the same.
std::vector<std::string> too_long(double scale, const TetOptions& options);

// The most at chosen lengths, without refinement: about 150 thousand degrees of freedom, half a minute and a gigabyte
// for some hundred modes.
inline constexpr double max_chosen_elements = 25e3;

inline constexpr double max_elements = 5e6;  // CGAL takes about 1 kB for each

/// Elements that the body takes at the wanted lengths, and at the refined ones. Within about 30 %.
double estimated_elements(const Sizing& sizing);
double refined_elements(const Sizing& sizing);

}  // namespace clangor::geometry
