// A length that varies in space no faster than a given slope.
#pragma once

#include <clangor/core/core.hpp>

#include <Eigen/Geometry>

#include <vector>

namespace clangor::geometry {

/// f(x) = min over samples i of value_i + slope · max(0, |x − point_i| − reach_i), by branch and bound.
class GradedField {
public:
    struct Sample {
        Vec3 point;
        double value = 0;
        double reach = 0;  ///< the sample speaks for all points within this distance
    };
    GradedField(std::vector<Sample> samples, double slope);

    double operator()(const Vec3& x) const;

private:
    struct Node {
        Eigen::AlignedBox3d box;
        double least = 0;                ///< value below this node
        double reach = 0;                ///< largest below this node
        std::size_t begin = 0, end = 0;  ///< samples
        int right = -1;                  ///< second child; the first follows its parent; −1 for a leaf
    };
    int build(std::size_t begin, std::size_t end);
    double bound(const Node& node, const Vec3& x) const;

    std::vector<Sample> samples_;
    std::vector<Node> nodes_;
    double slope_;
};

}  // namespace clangor::geometry
