#include <clangor/geometry/self_intersection.hpp>

#include <CGAL/Bbox_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/box_intersection_d.h>

#include <algorithm>
#include <set>

namespace clangor {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Box = CGAL::Box_intersection_d::Box_with_info_d<double, 3, int>;

Point point_of(const Surface& surface, int vertex) {
    return {surface.vertices(vertex, 0), surface.vertices(vertex, 1), surface.vertices(vertex, 2)};
}

/// The corners of a face, those that it shares with another face first.
struct SplitFace {
    std::vector<Point> shared, own;
};

SplitFace split(const Surface& surface, int face, int other) {
    SplitFace corners;
    for (int k = 0; k < 3; ++k) {
        const int vertex = surface.faces(face, k);
        const bool is_shared = (surface.faces.row(other).array() == vertex).any();
        (is_shared ? corners.shared : corners.own).push_back(point_of(surface, vertex));
    }
    return corners;
}

Kernel::Triangle_3 triangle_of(const Surface& surface, int face) {
    return {point_of(surface, surface.faces(face, 0)), point_of(surface, surface.faces(face, 1)),
            point_of(surface, surface.faces(face, 2))};
}

/// Exact. Faces that share a vertex or an edge touch there, and cut each other if they touch elsewhere too.
bool cut_each_other(const Surface& surface, int face_a, int face_b) {
    const SplitFace a = split(surface, face_a, face_b);
    const SplitFace b = split(surface, face_b, face_a);
    switch (a.shared.size()) {
        case 0:
            return CGAL::do_intersect(triangle_of(surface, face_a), triangle_of(surface, face_b));
        case 1:
            return CGAL::do_intersect(triangle_of(surface, face_a), Kernel::Segment_3(b.own[0], b.own[1])) ||
                   CGAL::do_intersect(triangle_of(surface, face_b), Kernel::Segment_3(a.own[0], a.own[1]));
        case 2:  // folded flat onto each other
            return CGAL::coplanar(a.shared[0], a.shared[1], a.own[0], b.own[0]) &&
                   CGAL::coplanar_orientation(a.shared[0], a.shared[1], a.own[0], b.own[0]) == CGAL::POSITIVE;
        default:
            return true;
    }
}

std::vector<Box> boxes_of(const Surface& surface) {
    std::vector<Box> boxes;
    boxes.reserve(surface.faces.rows());
    for (int face = 0; face < surface.faces.rows(); ++face) boxes.emplace_back(triangle_of(surface, face).bbox(), face);
    return boxes;
}

}  // namespace

bool self_intersects(const Surface& surface) {
    std::vector<Box> boxes = boxes_of(surface);
    struct Found {};  // leaves the search at the first pair
    try {
        CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Box& a, const Box& b) {
            if (cut_each_other(surface, a.info(), b.info())) throw Found{};
        });
    } catch (const Found&) {
        return true;
    }
    return false;
}

namespace geometry {

std::vector<std::array<int, 2>> groups_that_cut(const Surface& surface, const std::vector<int>& of_face) {
    std::set<std::array<int, 2>> pairs;
    std::vector<Box> boxes = boxes_of(surface);
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), [&](const Box& a, const Box& b) {
        const auto [low, high] = std::minmax(of_face[a.info()], of_face[b.info()]);
        const std::array pair = {low, high};
        if (pair[0] == pair[1] || pairs.contains(pair)) return;
        if (cut_each_other(surface, a.info(), b.info())) pairs.insert(pair);
    });
    return {pairs.begin(), pairs.end()};
}

}  // namespace geometry
}  // namespace clangor
