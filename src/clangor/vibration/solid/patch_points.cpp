#include <clangor/vibration/solid/patch_points.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

constexpr int deepest = 6;

using Local = Eigen::Vector2d;  // (ξ, η) of the reference triangle
using LocalTriangle = std::array<Local, 3>;

struct RulePoint {
    double a, b, c, weight;  // barycentric; the weights sum to 1
};

// Exact for polynomials of degree 5 [Dunavant1985, n = 7].
constexpr double b1 = 0.470142064105115, w1 = 0.132394152788506, b2 = 0.101286507323456, w2 = 0.125939180544827;
constexpr std::array<RulePoint, 7> seven_points = {{{1.0 / 3, 1.0 / 3, 1.0 / 3, 0.225},
                                                    {1 - 2 * b1, b1, b1, w1},
                                                    {b1, 1 - 2 * b1, b1, w1},
                                                    {b1, b1, 1 - 2 * b1, w1},
                                                    {1 - 2 * b2, b2, b2, w2},
                                                    {b2, 1 - 2 * b2, b2, w2},
                                                    {b2, b2, 1 - 2 * b2, w2}}};

class FacePatch {
public:
    FacePatch(const Skin& skin, int face, const PatchDistance& distance, std::vector<PatchPoint>& points)
        : face_(face), nodes_(skin.faces.cols()), distance_(distance), points_(points) {
        for (long k = 0; k < nodes_; ++k) x_[size_t(k)] = skin.nodes.row(skin.faces(face, k));
    }

    void collect(const LocalTriangle& part = {Local(0, 0), Local(1, 0), Local(0, 1)}, int depth = 0) const {
        const Local middle = (part[0] + part[1] + part[2]) / 3;
        const Vec3 centre = point_at(middle).position;
        double radius = 0, farthest = 0;
        for (const Local& corner : part) {
            const Vec3 x = point_at(corner).position;
            radius = std::max(radius, (x - centre).norm());
            farthest = std::max(farthest, std::abs(distance_(x)));
        }
        const double d = distance_(centre);
        if (d > 1.2 * radius) return;  // curved faces bulge a little
        const bool lies_on_border = std::max(farthest, std::abs(d)) < 1e-3 * radius;
        if (d < -1.2 * radius || (lies_on_border && d <= 0)) return add(part, seven_points);
        if (lies_on_border) return;
        if (depth == deepest) {
            if (d <= 0) add(part, std::array<RulePoint, 1>{{{1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0}}});
            return;
        }
        const std::array<Local, 3> mid = {(part[0] + part[1]) / 2, (part[1] + part[2]) / 2, (part[2] + part[0]) / 2};
        collect({part[0], mid[0], mid[2]}, depth + 1);
        collect({mid[0], part[1], mid[1]}, depth + 1);
        collect({mid[2], mid[1], part[2]}, depth + 1);
        collect({mid[0], mid[1], mid[2]}, depth + 1);
    }

private:
    // Its area is that of the reference triangle's unit square there: twice the face's, if that is straight.
    PatchPoint point_at(const Local& at) const {
        PatchPoint point{.face = face_};
        const double L1 = at[0], L2 = at[1], L0 = 1 - L1 - L2;
        std::array<double, 6> by_xi{}, by_eta{};
        if (nodes_ == 3) {
            point.shape = {L0, L1, L2};
            by_xi = {-1, 1, 0};
            by_eta = {-1, 0, 1};
        } else {
            point.shape = {L0 * (2 * L0 - 1), L1 * (2 * L1 - 1), L2 * (2 * L2 - 1),
                           4 * L0 * L1,       4 * L1 * L2,       4 * L2 * L0};
            by_xi = {1 - 4 * L0, 4 * L1 - 1, 0, 4 * (L0 - L1), 4 * L2, -4 * L2};
            by_eta = {1 - 4 * L0, 0, 4 * L2 - 1, -4 * L1, 4 * L1, 4 * (L0 - L2)};
        }
        Vec3 along_xi = Vec3::Zero(), along_eta = Vec3::Zero();
        for (size_t k = 0; k < size_t(nodes_); ++k) {
            point.position += point.shape[k] * x_[k];
            along_xi += by_xi[k] * x_[k];
            along_eta += by_eta[k] * x_[k];
        }
        point.normal = along_xi.cross(along_eta);
        point.area = point.normal.norm();
        if (point.area > 0) point.normal /= point.area;
        return point;
    }

    template <size_t count>
    void add(const LocalTriangle& part, const std::array<RulePoint, count>& rule) const {
        const Local u = part[1] - part[0], v = part[2] - part[0];
        const double local_area = std::abs(u[0] * v[1] - u[1] * v[0]) / 2;
        for (const RulePoint& of_rule : rule) {
            PatchPoint point = point_at(of_rule.a * part[0] + of_rule.b * part[1] + of_rule.c * part[2]);
            point.area *= local_area * of_rule.weight;
            points_.push_back(point);
        }
    }

    int face_;
    long nodes_;
    std::array<Vec3, 6> x_;
    const PatchDistance& distance_;
    std::vector<PatchPoint>& points_;
};

}  // namespace

std::vector<PatchPoint> patch_points(const Skin& skin, const PatchDistance& distance) {
    std::vector<PatchPoint> points;
    for (int f = 0; f < skin.faces.rows(); ++f) FacePatch(skin, f, distance, points).collect();
    return points;
}

}  // namespace clangor
