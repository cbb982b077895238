// The cross-section of a rod: how large it is, how it bends and twists.
#pragma once

#include <clangor/geometry/outline_charges.hpp>

#include <variant>

namespace clangor {

// Sections lie in a plane, x along the first director of the rod's material frame and y along the second.

struct CircleSection {
    double radius = 0.005;  ///< [m]
};
struct TubeSection {
    double radius = 0.005;        ///< outer [m]
    double inner_radius = 0.004;  ///< [m]
};
struct RectangleSection {
    double width = 0.01;   ///< along x [m]
    double height = 0.01;  ///< along y [m]
};
struct EllipseSection {
    double x_radius = 0.005;  ///< [m]
    double y_radius = 0.005;  ///< [m]
};
/// Without holes. It may be given in either direction, and with its first corner once more at the end.
struct PolygonSection {
    std::vector<Eigen::Vector2d> corners;  ///< [m]
};
using Section = std::variant<CircleSection, TubeSection, RectangleSection, EllipseSection, PolygonSection>;

/// What a rod needs to know. About the centroid, along the principal axes: those by which ∫ xy dA = 0.
struct SectionProperties {
    double area = 0;                                           ///< [m²]
    Eigen::Vector2d second_moments = Eigen::Vector2d::Zero();  ///< ∫ x² dA, ∫ y² dA: against bending along x, y [m⁴]
    double torsion_constant = 0;                               ///< J: torque = G J · twist per length [m⁴]
    Outline outline = {};                                      ///< from outside; curves by 64 corners
    double radius = 0;                                         ///< of the circle about the centroid that holds it [m]
    Eigen::Vector2d centroid = Eigen::Vector2d::Zero();        ///< of a polygon, where its corners are given [m]
    double angle = 0;  ///< from a polygon's x to the principal axis next to it, within ±π/4 [rad]
};

/// Throws Error if there is no such section: nothing inside, or sides that cross. Any polygon takes up to a second, all
/// others no time.
SectionProperties properties_of(const Section& section);

/// The same section with a polygon turned counter-clockwise, moved to its centroid and along its principal axes. Throws
/// Error as properties_of does.
Section principal(const Section& section);

}  // namespace clangor
