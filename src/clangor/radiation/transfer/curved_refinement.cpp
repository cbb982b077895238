#include <clangor/radiation/transfer/curved_refinement.hpp>

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor::modal_transfer {
namespace {

using remeshing::SurfaceNet;

// As where bodies are meshed: what turns by more is an edge, and not a wall that was cut coarsely.
const double cos_smooth = std::cos(25 * pi / 180);

// Of QR, against the largest: neighbours on two lines or so tell no curvature.
constexpr double least_pivot = 0.01;

// Of an edge: a wall that turns by 25° bulges by 0.054 of it.
constexpr double most_bulge = 0.1;

// The body may grow by that much: what the chords of 25° leave out of a ball.
constexpr double most_volume_change = 0.06;

/// By how much f at the middle of an edge exceeds the mean of its ends, as one end has it: Σ weight (f_w − f_v).
struct Bulge {
    std::vector<int> at = {};
    Eigen::VectorXd weight = {};
};

/// f − f_v as a polynomial without constant in the tangent plane, by least squares over its neighbours.
struct LocalPolynomial {
    Vec3 u = Vec3::Zero(), v = Vec3::Zero();  ///< of the tangent plane
    double size = 0;                          ///< unit of lengths in it: rounding is that of numbers around 1 [m]
    int degree = 0;
    std::vector<int> at = {};           ///< neighbours
    Eigen::MatrixXd coefficients = {};  ///< one row per term, for f_w − f_v = 1, one column per neighbour

    Bulge along(const Vec3& edge) const {
        const double a = u.dot(edge) / size, b = v.dot(edge) / size;
        return {at, coefficients.transpose() * (terms(a / 2, b / 2, degree) - terms(a, b, degree) / 2)};
    }

    // s, t, s², st, t², s³, …
    static Eigen::VectorXd terms(double s, double t, int degree) {
        Eigen::VectorXd all(degree * (degree + 3) / 2);
        int at = 0;
        for (int d = 1; d <= degree; ++d)
            for (int i = d; i >= 0; --i) all[at++] = std::pow(s, i) * std::pow(t, d - i);
        return all;
    }
};

/// A wall is what its faces join without an edge. Each vertex has a polynomial in every wall that it belongs to.
class CurvedEdges {
public:
    explicit CurvedEdges(const Surface& surface)
        : net_(remeshing::net_of(surface)), normals_(remeshing::unit_normals(surface)), fits_(net_.x.size()) {
        find_walls();
        parallel_for(static_cast<long>(fits_.size()), [&](long v) {
            for (const int f : net_.around[v]) {
                const bool known = std::ranges::any_of(fits_[v], [&](const Fit& fit) { return fit.wall == wall_[f]; });
                if (!known) fits_[v].push_back({wall_[f], fit_at(static_cast<int>(v), wall_[f])});
            }
        });
    }

    const SurfaceNet& net() const { return net_; }

    /// f at the middle of the edge a–b less the mean of its ends: the mean of what its two ends tell.
    std::vector<std::pair<int, double>> bulge(int a, int b) const {
        const bool line = remeshing::on_line(net_, a, b);
        const std::optional<Bulge> at_a = line ? along_line(a, b) : along_wall(a, b),
                                   at_b = line ? along_line(b, a) : along_wall(b, a);
        const double part = 1.0 / std::max(1, int(at_a.has_value()) + int(at_b.has_value()));
        std::vector<std::pair<int, double>> terms;
        Vec3 shift = Vec3::Zero();
        for (const auto& [end, found] : {std::pair(a, &at_a), std::pair(b, &at_b)}) {
            if (!*found) continue;
            const Bulge& known = **found;
            for (std::size_t i = 0; i < known.at.size(); ++i) {
                const double w = part * known.weight[static_cast<long>(i)];
                terms.emplace_back(known.at[i], w);
                terms.emplace_back(end, -w);
                shift += w * (net_.x[known.at[i]] - net_.x[end]);
            }
        }
        if (shift.norm() > most_bulge * remeshing::length(net_, a, b)) terms.clear();
        return terms;
    }

private:
    struct Fit {
        int wall = 0;
        std::optional<LocalPolynomial> polynomial = {};
    };

    // Of each face: the lowest face of its wall.
    void find_walls() {
        wall_.assign(net_.faces.size(), -1);
        for (std::size_t first = 0; first < wall_.size(); ++first) {
            if (wall_[first] >= 0) continue;
            wall_[first] = static_cast<int>(first);
            std::vector<int> open = {static_cast<int>(first)};
            while (!open.empty()) {
                const int f = open.back();
                open.pop_back();
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::vector<int> sides =
                        remeshing::faces_at_edge(net_, net_.faces[f][k], net_.faces[f][(k + 1) % 3]);
                    if (sides.size() != 2 || normals_.row(sides[0]).dot(normals_.row(sides[1])) < cos_smooth) continue;
                    for (const int g : sides)
                        if (wall_[g] < 0) {
                            wall_[g] = static_cast<int>(first);
                            open.push_back(g);
                        }
                }
            }
        }
    }

    // Nothing where the wall has a tip.
    std::optional<Vec3> normal_at(int v, int wall) const {
        Vec3 sum = Vec3::Zero();
        for (const int f : net_.around[v]) {
            if (wall_[f] != wall) continue;
            const remeshing::Face& face = net_.faces[f];
            const std::size_t k = std::find(face.begin(), face.end(), v) - face.begin();
            const Vec3 a = net_.x[face[(k + 1) % 3]] - net_.x[v], b = net_.x[face[(k + 2) % 3]] - net_.x[v];
            sum += std::atan2(a.cross(b).norm(), a.dot(b)) * normals_.row(f).transpose();
        }
        sum.normalize();
        for (const int f : net_.around[v])
            if (wall_[f] == wall && !(normals_.row(f).dot(sum.transpose()) > cos_smooth)) return {};
        return sum;
    }

    // Rings of neighbours within a wall; tips do not hand on to theirs.
    std::vector<int> around(int v, int wall, int rings) const {
        std::vector<int> all = {v};
        for (int ring = 0; ring < rings; ++ring) {
            std::vector<int> wider = all;
            for (const int w : all)
                if (normal_at(w, wall))
                    for (const int f : net_.around[w])
                        if (wall_[f] == wall)
                            for (const int further : net_.faces[f]) wider.push_back(further);
            std::sort(wider.begin(), wider.end());
            wider.erase(std::unique(wider.begin(), wider.end()), wider.end());
            all = std::move(wider);
        }
        std::erase(all, v);
        return all;
    }

    // Of the highest degree that the neighbours determine: the fifth by three rings of them, less by two.
    std::optional<LocalPolynomial> fit_at(int v, int wall) const {
        const std::optional<Vec3> normal = normal_at(v, wall);
        if (!normal) return {};
        const std::vector<int> near = around(v, wall, 2);
        if (std::optional<LocalPolynomial> fit = fit_at(v, *normal, 5, around(v, wall, 3))) return fit;
        for (int degree = 4; degree >= 2; --degree)
            if (std::optional<LocalPolynomial> fit = fit_at(v, *normal, degree, near)) return fit;
        return {};
    }

    std::optional<LocalPolynomial> fit_at(int v, const Vec3& n, int degree, const std::vector<int>& others) const {
        LocalPolynomial fit{.u = n.unitOrthogonal(), .v = n.cross(n.unitOrthogonal()), .degree = degree, .at = others};
        const long count = static_cast<long>(others.size()), unknowns = degree * (degree + 3) / 2;
        if (count < unknowns) return {};
        fit.size = 0;
        for (const int w : others) fit.size += (net_.x[w] - net_.x[v]).norm() / static_cast<double>(count);
        if (!(fit.size > 0)) return {};
        Eigen::MatrixXd weighted(count, unknowns), weights = Eigen::MatrixXd::Zero(count, count);
        for (long i = 0; i < count; ++i) {
            const Vec3 d = (net_.x[others[static_cast<std::size_t>(i)]] - net_.x[v]) / fit.size;
            weights(i, i) = 1 / std::max(d.squaredNorm(), 1e-4);
            weighted.row(i) = weights(i, i) * LocalPolynomial::terms(fit.u.dot(d), fit.v.dot(d), degree).transpose();
        }
        const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(weighted);
        const auto pivots = solver.matrixQR().diagonal().cwiseAbs();
        if (!(pivots.minCoeff() > least_pivot * pivots.maxCoeff())) return {};
        fit.coefficients = solver.solve(weights);
        return fit;
    }

    std::optional<Bulge> along_wall(int v, int to) const {
        const std::vector<int> sides = remeshing::faces_at_edge(net_, v, to);
        if (sides.size() != 2 || wall_[sides[0]] != wall_[sides[1]]) return {};
        for (const Fit& fit : fits_[v])
            if (fit.wall == wall_[sides[0]] && fit.polynomial) return fit.polynomial->along(net_.x[to] - net_.x[v]);
        return {};
    }

    // The parabola through three points of a line, at the distances −m, 0 and l: its bulge is −f″l²/8,
    // f″ = 2 [(f₊ − f)/l + (f₋ − f)/m]/(l + m).
    std::optional<Bulge> along_line(int v, int to) const {
        if (net_.fixed[v] || net_.lines[v].size() != 2) return {};
        const int before = net_.lines[v][net_.lines[v][0] == to ? 1 : 0];
        const Vec3 forth = net_.x[to] - net_.x[v], back = net_.x[v] - net_.x[before];
        const double l = forth.norm(), m = back.norm();
        if (!(m > 0) || forth.dot(back) < cos_smooth * l * m) return {};
        return Bulge{{to, before}, -l / (4 * (l + m)) * Eigen::Vector2d(1, l / m)};
    }

    SurfaceNet net_;
    Points normals_;
    std::vector<int> wall_;               ///< by face
    std::vector<std::vector<Fit>> fits_;  ///< by vertex, of the walls that it belongs to
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
