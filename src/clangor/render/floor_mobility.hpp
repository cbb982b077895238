// How a floor that is a plate without an end gives way under several contacts. Internal to render.
#pragma once

#include <clangor/objects/objects.hpp>

#include <vector>

namespace clangor {

/// One contact of several at a time.
struct FloorContact {
    Vec3 place = Vec3::Zero();  ///< in the floor's frame [m]
    bool stands = false;        ///< on the floor
    double duration = 0;        ///< about; of a rigid pair [s]
};

/// Speed of the floor at contact i per force at contact j, along its normal: Y J₀(k_B |x_i − x_j|)
/// docs/theory/floor.md, Eq. 3. Symmetric, no negative eigenvalue; empty: it is thick, or nothing stands on it
/// [m/(N·s)].
Eigen::MatrixXd floor_mobility(const Body& floor, const std::vector<FloorContact>& contacts);

}  // namespace clangor
