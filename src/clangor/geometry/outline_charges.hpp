// Laplace's equation in the plane, outside and inside of a closed polygon: charges on the outline that make a given
// potential there. The flow around a long body, and the torsion of a rod, both follow from such charges.
#pragma once

#include <clangor/core/core.hpp>

#include <vector>

namespace clangor {

/// Corners of a closed polygon, counter-clockwise; the last is followed by the first [m].
using Outline = std::vector<Eigen::Vector2d>;

/// The polygon's sides, cut into pieces that are short near corners and where the polygon is thin.
struct OutlineElements {
    Eigen::Matrix2Xd begin;  ///< [m]
    Eigen::Matrix2Xd end;    ///< [m]

    long size() const { return begin.cols(); }
    Eigen::Vector2d middle(long e) const { return (begin.col(e) + end.col(e)) / 2; }
    double length(long e) const { return (end.col(e) - begin.col(e)).norm(); }
};

/// How finely; the defaults are right to 1e-4 or better (docs/theory/section.md).
struct GradingOptions {
    double part = 0.35;     ///< elements are at most so long, as a part of the distance to other sides
    double longest = 0.02;  ///< as a part of the perimeter
    double shortest = 1e-4;
    long most = 2000;  ///< where there would be more, they are longer, as far as that is good enough
};

/// The polygon may not cut itself. Some hundreds of elements for a rectangle. Throws Error where it is too thin, or too
/// finely detailed.
OutlineElements graded_elements(const Outline& outline, const GradingOptions& options = {});

/// The charge λ_e of each element, spread evenly over it, one column per problem:
///     −(1/2π) Σ_e λ_e ⟨ln|x − y|⟩_e + c = u(x) at the middles x of the elements,   Σ λ_e = total
/// Time grows with the cube of the elements: 0.01 s for 300, 0.15 s for 1100 on one core.
Eigen::MatrixXd outline_charges(const OutlineElements& elements, const Eigen::MatrixXd& potentials,
                                const Eigen::RowVectorXd& totals);

/// At the middles of the elements: the potential −(1/2π) ∫ ln|x − y| dA of the polygon filled with a charge of one per
/// area, up to a constant [m²].
Eigen::VectorXd filled_potential(const OutlineElements& elements);

}  // namespace clangor
