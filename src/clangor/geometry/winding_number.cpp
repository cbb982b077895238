#include <clangor/geometry/winding_number.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace clangor::geometry {
namespace {

constexpr int leaf_faces = 8;
constexpr double far_radii = 3;  // a group counts as one dipole from here on: within 0.02

Vec3 middle_of(const std::array<Vec3, 3>& x) { return (x[0] + x[1] + x[2]) / 3; }

// [VanOosterom1983, Eq. 8]: tan(Ω/2) = a·(b × c)/(abc + (a·b)c + (b·c)a + (c·a)b).
double solid_angle(const std::array<Vec3, 3>& corners, const Vec3& x) {
    const Vec3 a = corners[0] - x, b = corners[1] - x, c = corners[2] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    return 2 * std::atan2(a.dot(b.cross(c)), below);
}

}  // namespace

WindingNumber::WindingNumber(const Surface& surface) {
    for (int f = 0; f < surface.faces.rows(); ++f)
        corners_.push_back({surface.vertices.row(surface.faces(f, 0)), surface.vertices.row(surface.faces(f, 1)),
                            surface.vertices.row(surface.faces(f, 2))});
    groups_.push_back({.end = static_cast<int>(corners_.size())});
    for (int group = 0; group < std::ssize(groups_); ++group) divide(group);
}

void WindingNumber::divide(int index) {
    Group group = groups_[index];
    const auto first = corners_.begin() + group.begin, last = corners_.begin() + group.end;
    double total = 0;
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::max()), high = -low;
    for (auto face = first; face != last; ++face) {
        const Vec3 area = ((*face)[1] - (*face)[0]).cross((*face)[2] - (*face)[0]) / 2, middle = middle_of(*face);
        group.area += area;
        group.centre += area.norm() * middle;
        total += area.norm();
        low = low.cwiseMin(middle);
        high = high.cwiseMax(middle);
    }
    group.centre = total > 0 ? Vec3(group.centre / total) : Vec3((low + high) / 2);
    for (auto face = first; face != last; ++face)
        for (const Vec3& corner : *face) group.radius = std::max(group.radius, (corner - group.centre).norm());
    if (group.end - group.begin > leaf_faces) {
        int axis = 0;
        (high - low).maxCoeff(&axis);
        const int half = (group.begin + group.end) / 2;
        std::nth_element(first, corners_.begin() + half, last,
                         [&](const auto& a, const auto& b) { return middle_of(a)[axis] < middle_of(b)[axis]; });
        group.children = static_cast<int>(groups_.size());
        groups_.push_back({.begin = group.begin, .end = half});
        groups_.push_back({.begin = half, .end = group.end});
    }
    groups_[index] = group;
}

double WindingNumber::operator()(const Vec3& x) const {
    double angle = 0;
    std::array<int, 128> stack;
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const Group& group = groups_[stack[--depth]];
        const Vec3 to = group.centre - x;
        const double distance_sq = to.squaredNorm();
        if (distance_sq > square(far_radii * group.radius)) {
            angle += group.area.dot(to) / (distance_sq * std::sqrt(distance_sq));
        } else if (group.children >= 0) {
            stack[depth++] = group.children;
            stack[depth++] = group.children + 1;
        } else {
            for (int face = group.begin; face < group.end; ++face) angle += solid_angle(corners_[face], x);
        }
    }
    return angle / (4 * pi);
}

}  // namespace clangor::geometry
