#include <clangor/radiation/transfer/curved_refinement.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor::modal_transfer {
namespace {

using remeshing::SurfaceNet;

// As where bodies are meshed: what turns by more is an edge, and not a wall that was cut coarsely.
const double cos_smooth = std::cos(25 * pi / 180);

// Fits whose matrix is worse conditioned have their neighbours on two lines or so, and tell no curvature.
constexpr double least_eigenvalue = 1e-3;

// Of an edge: a wall that turns by 25° bulges by 0.054 of it.
constexpr double most_bulge = 0.1;

// The body may grow by that much: what the chords of 25° leave out of a ball.
constexpr double most_volume_change = 0.06;

/// f″ along some direction at a vertex v: Σ weight (f_w − f_v).
struct SecondDerivative {
    std::vector<int> at = {};
    Eigen::VectorXd weight = {};
};

/// f − f_v ≈ g·s + ½ sᵀHs in the tangent plane, by least squares over two rings of neighbours.
struct LocalQuadratic {
    Vec3 u = Vec3::Zero(), v = Vec3::Zero();  ///< of the tangent plane
    std::vector<int> at = {};                 ///< neighbours
    Eigen::Matrix3Xd curvature = {};          ///< H_uu, H_uv, H_vv for f_w − f_v = 1, one column per neighbour

    // e H e for an edge e.
    SecondDerivative along(const Vec3& edge) const {
        const double a = u.dot(edge), b = v.dot(edge);
        return {at, curvature.transpose() * Vec3(a * a, 2 * a * b, b * b)};
    }
};

class CurvedEdges {
public:
    explicit CurvedEdges(const Surface& surface)
        : net_(remeshing::net_of(surface)), normals_(remeshing::unit_normals(surface)), fits_(net_.x.size()) {
        find_smooth();
        parallel_for(static_cast<long>(fits_.size()), [&](long v) {
            if (smooth_[v]) fits_[v] = fit_at(static_cast<int>(v));
        });
    }

    const SurfaceNet& net() const { return net_; }

    /// f at the middle of the edge a–b less the mean of its ends: −f″/8, the mean of what is known at its two ends.
    std::vector<std::pair<int, double>> bulge(int a, int b) const {
        const bool line = remeshing::on_line(net_, a, b);
        const std::optional<SecondDerivative> at_a = line ? along_line(a, b) : along_wall(a, b),
                                              at_b = line ? along_line(b, a) : along_wall(b, a);
        const double part = -1.0 / 8 / std::max(1, int(at_a.has_value()) + int(at_b.has_value()));
        std::vector<std::pair<int, double>> terms;
        Vec3 shift = Vec3::Zero();
        for (const auto& [end, found] : {std::pair(a, &at_a), std::pair(b, &at_b)}) {
            if (!*found) continue;
            const SecondDerivative& f2 = **found;
            for (std::size_t i = 0; i < f2.at.size(); ++i) {
                const double w = part * f2.weight[static_cast<long>(i)];
                terms.emplace_back(f2.at[i], w);
                terms.emplace_back(end, -w);
                shift += w * (net_.x[f2.at[i]] - net_.x[end]);
            }
        }
        if (shift.norm() > most_bulge * remeshing::length(net_, a, b)) terms.clear();
        return terms;
    }

private:
    void find_smooth() {
        smooth_.assign(net_.x.size(), true);
        for (const auto& [a, b] : remeshing::edges_of(net_)) {
            const std::vector<int> sides = remeshing::faces_at_edge(net_, a, b);
            if (sides.size() != 2 || normals_.row(sides[0]).dot(normals_.row(sides[1])) < cos_smooth)
                smooth_[a] = smooth_[b] = false;
        }
        for (std::size_t v = 0; v < smooth_.size(); ++v) {
            if (!smooth_[v] || net_.around[v].empty()) continue;
            const Vec3 n = normal_at(static_cast<int>(v));
            for (const int f : net_.around[v])
                if (normals_.row(f).dot(n.transpose()) < cos_smooth) smooth_[v] = false;  // a tip
        }
    }

    Vec3 normal_at(int v) const {
        Vec3 sum = Vec3::Zero();
        for (const int f : net_.around[v]) {
            const remeshing::Face& face = net_.faces[f];
            const std::size_t k = std::find(face.begin(), face.end(), v) - face.begin();
            const Vec3 a = net_.x[face[(k + 1) % 3]] - net_.x[v], b = net_.x[face[(k + 2) % 3]] - net_.x[v];
            sum += std::atan2(a.cross(b).norm(), a.dot(b)) * normals_.row(f).transpose();
        }
        return sum.normalized();
    }

    // Not beyond an edge: only neighbours that are smooth themselves hand on to theirs.
    std::vector<int> two_rings(int v) const {
        const std::vector<int> ring = remeshing::neighbours(net_, v);
        std::vector<int> all = ring;
        for (const int w : ring)
            if (smooth_[w])
                for (const int further : remeshing::neighbours(net_, w)) all.push_back(further);
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        std::erase(all, v);
        return all;
    }

    std::optional<LocalQuadratic> fit_at(int v) const {
        const Vec3 n = normal_at(v);
        LocalQuadratic fit{.u = n.unitOrthogonal(), .at = two_rings(v)};
        fit.v = n.cross(fit.u);
        const long count = static_cast<long>(fit.at.size());
        double size = 0;  // rounding and conditioning are those of lengths around 1
        for (const int w : fit.at) size += (net_.x[w] - net_.x[v]).norm() / static_cast<double>(count);
        if (count < 5 || !(size > 0)) return {};
        Eigen::Matrix<double, 5, Eigen::Dynamic> weighted(5, count);
        Eigen::Matrix<double, 5, 5> matrix = Eigen::Matrix<double, 5, 5>::Zero();
        for (long i = 0; i < count; ++i) {
            const Vec3 d = (net_.x[fit.at[static_cast<std::size_t>(i)]] - net_.x[v]) / size;
            const double s = fit.u.dot(d), t = fit.v.dot(d);
            const Eigen::Vector<double, 5> terms(s, t, s * s / 2, s * t, t * t / 2);
            weighted.col(i) = terms / std::max(d.squaredNorm(), 1e-6);
            matrix += weighted.col(i) * terms.transpose();
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 5, 5>> solver(matrix);
        if (solver.eigenvalues()[0] < least_eigenvalue * solver.eigenvalues()[4]) return {};
        const Eigen::Matrix<double, 5, 5> inverse = solver.eigenvectors() *
                                                    solver.eigenvalues().cwiseInverse().asDiagonal() *
                                                    solver.eigenvectors().transpose();
        fit.curvature = (inverse * weighted).bottomRows<3>() / square(size);
        return fit;
    }

    std::optional<SecondDerivative> along_wall(int v, int to) const {
        if (!fits_[v]) return {};
        return fits_[v]->along(net_.x[to] - net_.x[v]);
    }

    // Three points of a line:  f″ = 2 [(f₊ − f)/l₊ + (f₋ − f)/l₋]/(l₊ + l₋).
    std::optional<SecondDerivative> along_line(int v, int to) const {
        if (net_.rim[v] || net_.fixed[v] || net_.lines[v].size() != 2) return {};
        const int before = net_.lines[v][net_.lines[v][0] == to ? 1 : 0];
        const Vec3 forth = net_.x[to] - net_.x[v], back = net_.x[v] - net_.x[before];
        const double l = forth.norm(), m = back.norm();
        if (!(m > 0) || forth.dot(back) < cos_smooth * l * m) return {};
        return SecondDerivative{{to, before}, 2 * l / (l + m) * Eigen::Vector2d(1, l / m)};
    }

    SurfaceNet net_;
    Points normals_;
    std::vector<char> smooth_;  ///< by vertex; not bool, which threads could not share
    std::vector<std::optional<LocalQuadratic>> fits_;
};

struct Step {
    Triangles faces;
    SparseMatrix finer_from_coarser;
};

// With all edges straight where `curved` is not asked for.
Step cut_in_four(const Surface& surface, bool curved) {
    const CurvedEdges edges(surface);
    const std::vector<std::array<int, 2>> all = remeshing::edges_of(edges.net());
    const int given = static_cast<int>(surface.vertices.rows());
    std::vector<std::vector<std::pair<int, double>>> bulges(all.size());
    if (curved)
        parallel_for(static_cast<long>(all.size()), [&](long e) { bulges[e] = edges.bulge(all[e][0], all[e][1]); });
    std::vector<Eigen::Triplet<double>> entries;
    for (int v = 0; v < given; ++v) entries.emplace_back(v, v, 1);
    for (std::size_t e = 0; e < all.size(); ++e) {
        const int row = given + static_cast<int>(e);
        for (const int end : all[e]) entries.emplace_back(row, end, 0.5);
        for (const auto& [v, weight] : bulges[e]) entries.emplace_back(row, v, weight);
    }
    const auto middle = [&](int a, int b) {
        const std::array<int, 2> edge = {std::min(a, b), std::max(a, b)};
        return given + static_cast<int>(std::lower_bound(all.begin(), all.end(), edge) - all.begin());
    };
    Step step{Triangles(4 * surface.faces.rows(), 3), SparseMatrix(given + static_cast<int>(all.size()), given)};
    step.finer_from_coarser.setFromTriplets(entries.begin(), entries.end());
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const int a = surface.faces(f, 0), b = surface.faces(f, 1), c = surface.faces(f, 2);
        const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        step.faces.row(4 * f) << a, ab, ca;
        step.faces.row(4 * f + 1) << ab, b, bc;
        step.faces.row(4 * f + 2) << ca, bc, c;
        step.faces.row(4 * f + 3) << ab, bc, ca;
    }
    return step;
}

CurvedRefinement refinement(const Surface& surface, int levels, bool curved) {
    CurvedRefinement result{.surface = surface};
    for (int level = 0; level < levels; ++level) {
        Step step = cut_in_four(result.surface, curved);
        result.surface = {Points(step.finer_from_coarser * result.surface.vertices), std::move(step.faces)};
        result.steps.push_back(std::move(step.finer_from_coarser));
    }
    return result;
}

bool same_body(const Surface& finer, const Surface& given) {
    if (!finer.vertices.allFinite()) return false;
    const bool closed = topology_of(given).closed();
    const double before = closed ? mass_properties(given).volume : area_of(given);
    const double after = closed ? mass_properties(finer).volume : area_of(finer);
    return std::abs(after - before) <= most_volume_change * std::abs(before) &&
           (!self_intersects(finer) || self_intersects(given));
}

}  // namespace

Points CurvedRefinement::operator()(const Points& values) const {
    Points fine = values;
    for (const SparseMatrix& step : steps) fine = step * fine;
    return fine;
}

CurvedRefinement curved_refinement(const Surface& surface, int levels) {
    CurvedRefinement curved = refinement(surface, levels, true);
    return same_body(curved.surface, surface) ? curved : refinement(surface, levels, false);
}

}  // namespace clangor::modal_transfer
