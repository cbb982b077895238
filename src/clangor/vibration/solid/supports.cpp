// Supports: patches of a solid's surface that are held, as constraints and as springs.
#include <clangor/vibration/solid/solid.hpp>

#include <clangor/vibration/solid/patch_points.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace clangor {
namespace {

// A corner no farther outside than this, against the longest edge of its face, lies on the border: see cut_along.
constexpr double border_share = 0.025;

// All nodes of the faces that lie in the patch.
std::set<int> nodes_within(const Skin& skin, const PatchDistance& distance) {
    std::set<int> nodes;
    for (long f = 0; f < skin.faces.rows(); ++f) {
        const auto x = [&](long k) { return Vec3(skin.nodes.row(skin.faces(f, k))); };
        const double size = std::max({(x(1) - x(0)).norm(), (x(2) - x(1)).norm(), (x(0) - x(2)).norm()});
        const double reach = border_share * size;
        const bool is_inside = distance(x(0)) <= reach && distance(x(1)) <= reach && distance(x(2)) <= reach &&
                               distance((x(0) + x(1) + x(2)) / 3) <= reach;
        for (long k = 0; is_inside && k < skin.faces.cols(); ++k) nodes.insert(skin.faces(f, k));
    }
    return nodes;
}

// Whether there is anything to hold.
bool clamp(const Skin& skin, const PatchDistance& distance, std::vector<LinearConstraint>& constraints) {
    const std::set<int> nodes = nodes_within(skin, distance);
    for (const int node : nodes)
        for (int d = 0; d < 3; ++d) constraints.push_back({{3 * skin.mesh_nodes[size_t(node)] + d}, {1.0}});
    return !nodes.empty();
}

// The mean displacement of these points vanishes: ∫ u dA = 0, one constraint per axis.
void hold_mean(const Skin& skin, const std::vector<PatchPoint>& points, std::vector<LinearConstraint>& constraints) {
    std::map<int, double> weights;
    double area = 0;
    for (const PatchPoint& point : points) {
        for (long k = 0; k < skin.faces.cols(); ++k)
            weights[skin.mesh_nodes[size_t(skin.faces(point.face, k))]] += point.area * point.shape[k];
        area += point.area;
    }
    for (int d = 0; d < 3; ++d) {
        LinearConstraint constraint;
        for (const auto& [node, weight] : weights) {
            if (std::abs(weight) <= 1e-12 * area) continue;  // corners of straight 6-node faces have none
            constraint.rows.push_back(3 * node + d);
            constraint.weights.push_back(weight / area);
        }
        constraints.push_back(std::move(constraint));
    }
}

// The patch cut across its longest direction into pieces that are as long as they are wide, or as two elements are.
std::vector<std::vector<PatchPoint>> along_hinge(const Skin& skin, const std::vector<PatchPoint>& points) {
    Vec3 centre = Vec3::Zero();
    double area = 0, edge_sum = 0;
    for (const PatchPoint& point : points) centre += point.area * point.position, area += point.area;
    centre /= area;
    Mat3 spread = Mat3::Zero();
    std::set<int> touched;
    for (const PatchPoint& point : points) {
        spread += point.area * (point.position - centre) * (point.position - centre).transpose();
        touched.insert(point.face);
    }
    for (const int f : touched) {
        const auto x = [&](long k) { return Vec3(skin.nodes.row(skin.faces(f, k))); };
        edge_sum += std::max({(x(1) - x(0)).norm(), (x(2) - x(1)).norm(), (x(0) - x(2)).norm()});
    }
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread);
    // A uniform strip of length ℓ has the variance ℓ²/12.
    const double length = std::sqrt(12 * axes.eigenvalues()[2] / area);
    const double width = std::sqrt(12 * axes.eigenvalues()[1] / area);
    const double element = edge_sum / double(touched.size());
    // Pieces of less than two elements leave these too little to turn by: a pinned plate would be 6 % too high.
    const long fitting = std::min(long(length / std::max(width, 2 * element)), 1000L);
    const long pieces = std::max(fitting, length > 1.9 * width ? 2L : 1L);
    std::vector<std::vector<PatchPoint>> strips(static_cast<size_t>(pieces));
    for (const PatchPoint& point : points) {
        const double along = axes.eigenvectors().col(2).dot(point.position - centre) / length + 0.5;
        strips[size_t(std::clamp(long(std::floor(along * double(pieces))), 0L, pieces - 1))].push_back(point);
    }
    std::erase_if(strips, [](const auto& strip) { return strip.empty(); });
    return strips;
}

// K_ab = ∫ k N_a N_b (½ I + ½ n nᵀ) dA                                         docs/theory/supports.md, Eq. 4
void add_felt(const Skin& skin, const std::vector<PatchPoint>& points, double stiffness,
              std::vector<Eigen::Triplet<double>>& entries) {
    for (const PatchPoint& point : points) {
        const Mat3 spring = 0.5 * stiffness * point.area * (Mat3::Identity() + point.normal * point.normal.transpose());
        for (long a = 0; a < skin.faces.cols(); ++a)
            for (long b = 0; b < skin.faces.cols(); ++b) {
                const Mat3 block = point.shape[a] * point.shape[b] * spring;
                const int row = 3 * skin.mesh_nodes[size_t(skin.faces(point.face, a))];
                const int column = 3 * skin.mesh_nodes[size_t(skin.faces(point.face, b))];
                for (int c = 0; c < 3; ++c)
                    for (int d = 0; d < 3; ++d) entries.emplace_back(row + c, column + d, block(c, d));
            }
    }
}

SparseMatrix matrix_of(long size, const std::vector<Eigen::Triplet<double>>& entries) {
    SparseMatrix matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

}  // namespace

HeldSolid held(StiffnessMass body, const Skin& skin, const std::vector<SolidSupport>& supports,
               std::vector<LinearConstraint> constraints) {
    HeldSolid result;
    const long size = body.mass.cols();
    result.felt.resize(size, size);
    result.felt_loss.resize(size, size);
    for (const SolidSupport& support : supports) {
        const std::vector<PatchPoint> points = patch_points(skin, support.distance);
        double area = 0;
        for (const PatchPoint& point : points) area += point.area;
        result.areas.push_back(area);
        if (points.empty()) continue;
        switch (support.hold) {
            case PatchHold::Clamped:
                if (!clamp(skin, support.distance, constraints)) result.areas.back() = 0;
                break;
            case PatchHold::Pinned:
                hold_mean(skin, points, constraints);
                break;
            case PatchHold::Hinged:
                for (const std::vector<PatchPoint>& strip : along_hinge(skin, points))
                    hold_mean(skin, strip, constraints);
                break;
            case PatchHold::Felt: {
                std::vector<Eigen::Triplet<double>> entries;
                add_felt(skin, points, support.stiffness, entries);
                const SparseMatrix springs = matrix_of(size, entries);
                result.felt += springs;
                result.felt_loss += support.loss_factor * springs;
                body.rigid.resize(size, 0);  // felt resists every motion
                break;
            }
        }
    }
    body.stiffness += result.felt;
    result.constrained = constrained(body, constraints);
    return result;
}

}  // namespace clangor
