// A surface taken apart into its pieces, and how far these are from each other.
#pragma once

#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/surface.hpp>

#include <vector>

namespace clangor::geometry {

/// Faces that hang together over vertices, or that bound the same body: the wall of a cavity comes with the wall
/// around it.
struct SurfacePiece {
    Surface surface;
    double volume = 0;  ///< enclosed, or area times a hundredth of its size where that is more [m³]
    double wall = 0;    ///< median thickness; a hundredth of its size where it has none [m]
};

/// Which piece each face is of, cavities apart from what is around them.
std::vector<int> piece_of_faces(const Surface& surface);

/// One surface of them all, vertices and faces one after another.
Surface joined(const std::vector<const Surface*>& pieces);

/// The largest first.
std::vector<SurfacePiece> pieces_of(const Surface& surface);

/// How far two pieces are from each other at their closest samples; 0 if they cut each other [m].
class PieceDistances {
public:
    explicit PieceDistances(const std::vector<SurfacePiece>& pieces);

    /// Infinite where it is more than `most`, as far as that can be told sooner.
    double operator()(int a, int b, double most) const;

private:
    const std::vector<SurfacePiece>& pieces_;
    std::vector<Bounds> boxes_;
    std::vector<ClosestPointQuery> closest_;
    std::vector<std::vector<Vec3>> samples_;
    std::vector<std::vector<int>> cut_by_;  ///< the pieces that cut each
};

}  // namespace clangor::geometry
