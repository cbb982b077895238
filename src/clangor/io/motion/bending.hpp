// A surface that bends, as a few shapes that are mixed: morph targets. Private to its module.
#pragma once

#include <clangor/core/core.hpp>

#include <vector>

namespace clangor::io {

/// places(t) = places(0) + Σ weight(t) · shape, with weights in [0, 1], which is what every tool takes. Where there are
/// any, the first shape has a weight of 1 at all times: it is where all others are at 0.
struct MixedShapes {
    Eigen::MatrixXf shapes;   ///< one a column: x, y, z of each vertex in turn [m]
    Eigen::MatrixXf weights;  ///< a row for each frame
    /// What is added to a column of shapes to blend something else along with the places, as normals: the share of each
    /// frame in each of the shapes (frames × shapes).
    Eigen::MatrixXd frame_shares;
};

/// The fewest shapes of a greedy search that give all places (a column for each frame, x, y, z of each vertex in turn)
/// within `tolerance` [m]. None where nothing moves farther.
MixedShapes mixed_shapes(Eigen::MatrixXf places, float tolerance);

}  // namespace clangor::io
