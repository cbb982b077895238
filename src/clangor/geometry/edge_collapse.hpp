// A surface whose vertices are merged along edges, the ones that matter least first.
#pragma once

#include <clangor/geometry/quadric.hpp>
#include <clangor/geometry/surface.hpp>

#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace clangor::geometry {

/// Passes over all edges, each with a larger allowance than the one before: millions of faces take seconds, where a
/// queue of all edges takes ten times as long, and no edge is merged long before one that matters less.
class EdgeCollapse {
public:
    explicit EdgeCollapse(const Surface& surface);

    /// Goes on until at most `enough` faces are left, or no merge keeps to `deviation`: the root mean square distance
    /// of the new vertex from the planes of the faces that its place stands for [m].
    void run(double deviation, int enough);

    Surface surface() const;
    double deviation() const { return std::sqrt(largest_sq_); }  ///< of the merge that took most [m]

private:
    using Face = std::array<int, 3>;
    struct Merge {
        Vec3 place;
        Quadric quadric;  ///< about the place
        double deviation_sq;
    };

    void gather();
    void lock_borders();
    double usual_deviation() const;
    void pass(double deviation);
    Merge merge_of(int a, int b) const;
    bool try_merge(int a, int b, const Merge& merge);
    bool keeps_topology(int a, int b);
    bool keeps_shape(int vertex, int other, const Vec3& place) const;
    std::span<const int> faces_at(int vertex) const {
        return {faces_at_.data() + first_[vertex], static_cast<std::size_t>(count_[vertex])};
    }

    std::vector<Vec3> x_;
    std::vector<Face> faces_;  ///< of those that are gone the first corner is −1
    std::vector<Quadric> quadrics_;
    std::vector<int> first_, count_, faces_at_;  ///< the faces at each vertex; may name some that are gone
    std::vector<char> locked_, merged_;          ///< merged: in this pass
    std::vector<int> mark_;
    int marks_ = 0;
    int left_ = 0;  ///< faces
    double largest_sq_ = 0;
};

}  // namespace clangor::geometry
