// How often a surface winds around a point: 1 inside of it, 0 outside, in between near its gaps.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <vector>

namespace clangor::geometry {

/// The solid angle that all faces fill seen from a point, over 4π. Where pieces overlap it is 2 and more; where faces
/// are missing it is what it would be with the gap covered, nearly, as long as the gap is small seen from there
/// [Jacobson2013]. Far groups of faces count as one dipole [Barill2018]: O(log n), to about 0.02. May be asked in
/// parallel.
class WindingNumber {
public:
    explicit WindingNumber(const Surface& surface);

    double operator()(const Vec3& x) const;

private:
    struct Group {
        Vec3 centre = Vec3::Zero();  ///< weighted with area [m]
        Vec3 area = Vec3::Zero();    ///< Σ A n [m²]
        double radius = 0;           ///< that all corners lie within [m]
        int begin = 0, end = 0;      ///< faces, in the order of the tree
        int children = -1;           ///< the first of two; −1: a leaf
    };
    void divide(int group);

    std::vector<std::array<Vec3, 3>> corners_;  ///< of the faces, in the order of the tree
    std::vector<Group> groups_;
};

}  // namespace clangor::geometry
