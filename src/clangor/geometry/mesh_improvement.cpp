#include <clangor/geometry/mesh_improvement.hpp>
#include <clangor/geometry/mesh_quality.hpp>
#include <clangor/geometry/tet_flips.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <unordered_map>

namespace clangor::geometry {
namespace {

constexpr double max_turn_cos = 0.7;  // boundary faces turn by less than 45° in one edit: they never fold over

/// The least angle around a node; where it is no larger than `beyond_deg`, any that shows it.
double star_quality(const TetComplex& complex, int node, double beyond_deg = -180) {
    const double limit = sharpness_of(beyond_deg);
    double sharpest = -1;
    for (const int index : complex.star[node]) {
        const Cell& cell = complex.cells[index];
        if (!is_ghost(complex, cell)) sharpest = std::max(sharpest, sharpness(complex, cell));
        if (sharpest >= limit) break;
    }
    return angle_deg_of(sharpest);
}

Vec3 face_normal(const TetComplex& complex, const Cell& ghost) {
    const Vec3& a = complex.points[ghost[0]];
    return (complex.points[ghost[1]] - a).cross(complex.points[ghost[2]] - a);
}

bool turns_little(const Vec3& before, const Vec3& after) {
    return before.dot(after) > max_turn_cos * before.norm() * after.norm();
}

/// True if the boundary face stays near the surface at its centroid and mid-edges.
bool follows(const TetComplex& complex, const ImprovementRules& rules, const Cell& ghost) {
    const Vec3& a = complex.points[ghost[0]];
    const Vec3& b = complex.points[ghost[1]];
    const Vec3& c = complex.points[ghost[2]];
    const double limit = std::min({rules.deviation[ghost[0]], rules.deviation[ghost[1]], rules.deviation[ghost[2]]});
    for (const Vec3& probe : {Vec3((a + b + c) / 3), Vec3((a + b) / 2), Vec3((b + c) / 2), Vec3((c + a) / 2)})
        if ((*rules.surface)(probe).distance > limit) return false;
    return true;
}

/// The smallest angle around `from` once it is merged into `into`, or −1 where that breaks a rule or is below
/// `required_deg`. What is cheap to ask comes first.
double quality_after_collapse(const TetComplex& complex, const ImprovementRules& rules, int from, int into,
                              double required_deg) {
    if (!may_slide(complex, from, into)) return -1;
    for (const int index : complex.star[from])
        for (const int other : complex.cells[index]) {
            if (other == complex.ghost || other == into || other == from) continue;
            const double limit = std::min(rules.edge_length[other], rules.edge_length[into]);
            const double length = (complex.points[other] - complex.points[into]).norm();
            if (length > limit && length > (complex.points[other] - complex.points[from]).norm()) return -1;
        }
    const double limit = sharpness_of(std::max(0.0, required_deg));
    double sharpest = -1;
    for (const int index : complex.star[from]) {
        const Cell& before = complex.cells[index];
        if (has(before, into)) continue;
        Cell after = before;
        std::replace(after.begin(), after.end(), from, into);
        if (!is_ghost(complex, after))
            sharpest = std::max(sharpest, sharpness(complex, after));
        else if (!turns_little(face_normal(complex, before), face_normal(complex, after)))
            return -1;
        if (sharpest >= 1 || sharpest > limit) return -1;
    }
    return keeps_topology(complex, from, into) ? angle_deg_of(sharpest) : -1;
}

bool faces_follow_after(const TetComplex& complex, const ImprovementRules& rules, int from, int into) {
    return std::all_of(complex.star[from].begin(), complex.star[from].end(), [&](int index) {
        Cell cell = complex.cells[index];
        if (!is_ghost(complex, cell) || has(cell, into)) return true;
        std::replace(cell.begin(), cell.end(), from, into);
        return follows(complex, rules, cell);
    });
}

/// Merges a and b one way or the other, whichever leaves better elements, if the rules and `required_deg` allow.
bool try_collapse(TetComplex& complex, const ImprovementRules& rules, int a, int b, double required_deg) {
    const double a_into_b = quality_after_collapse(complex, rules, a, b, required_deg);
    const double b_into_a = quality_after_collapse(complex, rules, b, a, required_deg);
    const bool forward = a_into_b >= b_into_a;
    for (const bool first : {forward, !forward}) {
        if ((first ? a_into_b : b_into_a) < required_deg) continue;
        const int from = first ? a : b, into = first ? b : a;
        if (!faces_follow_after(complex, rules, from, into)) continue;
        collapse(complex, from, into);
        return true;
    }
    return false;
}

/// Element edges shorter than wanted, the relatively shortest first; ties by number, so that the order is one.
std::vector<std::tuple<double, int, int>> short_edges(const TetComplex& complex, const ImprovementRules& rules) {
    std::vector<std::tuple<double, int, int>> edges;
    for (int a = 0; a < complex.ghost; ++a) {
        for (const int b : neighbours(complex, a)) {
            if (b <= a || b == complex.ghost) continue;
            const double length = (complex.points[a] - complex.points[b]).norm();
            const double ratio = length / std::min(rules.edge_length[a], rules.edge_length[b]);
            if (ratio < 0.9) edges.emplace_back(ratio, a, b);
        }
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

bool is_edge(const TetComplex& complex, int a, int b) {
    return std::any_of(complex.star[a].begin(), complex.star[a].end(),
                       [&](int index) { return has(complex.cells[index], b); });
}

/// Where a node could go: towards the middle of its neighbours, and a little way along each axis; then back to the
/// line or surface that it belongs to.
std::vector<Vec3> candidate_positions(const TetComplex& complex, const ImprovementRules& rules, int node) {
    const Vec3& here = complex.points[node];
    const Freedom freedom = complex.freedom[node];
    Vec3 middle = Vec3::Zero();
    double nearest = 1e300;
    int count = 0;
    for (const int other : neighbours(complex, node)) {
        if (other == complex.ghost) continue;
        nearest = std::min(nearest, (complex.points[other] - here).norm());
        if (freedom != Freedom::Volume && complex.freedom[other] == Freedom::Volume) continue;
        middle += complex.points[other];
        ++count;
    }
    std::vector<Vec3> candidates;
    if (count > 0)
        for (const double step : {1.0, 0.5, 0.2}) candidates.push_back(here + step * (middle / count - here));
    for (int axis = 0; axis < 3; ++axis)
        for (const double step : {0.3, -0.3, 0.1, -0.1, 0.03, -0.03})
            candidates.push_back(here + step * nearest * Vec3::Unit(axis));
    const ClosestPointQuery* const home = freedom == Freedom::Line ? rules.lines : rules.surface;
    if (freedom != Freedom::Volume)
        for (Vec3& candidate : candidates) candidate = (*home)(candidate).point;
    return candidates;
}

bool boundary_allows(TetComplex& complex, const ImprovementRules& rules, int node, const Vec3& from, const Vec3& to) {
    for (const int index : complex.star[node]) {
        const Cell& cell = complex.cells[index];
        if (!is_ghost(complex, cell)) continue;
        complex.points[node] = from;
        const Vec3 before = face_normal(complex, cell);
        complex.points[node] = to;
        if (!turns_little(before, face_normal(complex, cell)) || !follows(complex, rules, cell)) return false;
    }
    return true;
}

/// Moves a node to the best of its candidate positions, if one is better than where it is.
bool relocate(TetComplex& complex, const ImprovementRules& rules, int node) {
    const Freedom freedom = complex.freedom[node];
    if (freedom == Freedom::None || (freedom == Freedom::Line && rules.lines == nullptr)) return false;
    const Vec3 here = complex.points[node];
    Vec3 best = here;
    double best_deg = star_quality(complex, node) + 0.1;
    for (const Vec3& candidate : candidate_positions(complex, rules, node)) {
        complex.points[node] = candidate;
        const double angle_deg = star_quality(complex, node, best_deg);
        if (angle_deg <= best_deg) continue;
        if (freedom != Freedom::Volume && !boundary_allows(complex, rules, node, here, candidate)) continue;
        best = candidate;
        best_deg = angle_deg;
    }
    complex.points[node] = here;
    if (best == here) return false;
    move_node(complex, node, best);
    return true;
}

/// Peels a cell off if the boundary behind it still follows the surface: it is then as thin as the wall's own bulge,
/// which curved elements make good.
bool try_peel(TetComplex& complex, const ImprovementRules& rules, int index) {
    const std::vector<Cell> fresh = faces_after_peeling(complex, index);
    if (fresh.empty()) return false;
    if (!turns_little(face_normal(complex, fresh[0]), face_normal(complex, fresh[1]))) return false;
    if (!follows(complex, rules, fresh[0]) || !follows(complex, rules, fresh[1])) return false;
    peel(complex, index);
    return true;
}

bool mend(TetComplex& complex, const ImprovementRules& rules, int index) {
    if (try_peel(complex, rules, index) || flip(complex, index)) return true;
    const Cell cell = complex.cells[index];
    const double before_deg = min_dihedral_deg(complex, cell);
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            if (try_collapse(complex, rules, cell[i], cell[j], before_deg + 1.0)) return true;
    bool moved = false;
    for (const int node : cell) moved = relocate(complex, rules, node) || moved;
    return moved;
}

/// Later rounds find ever less to do: each counts half as much as the one before.
void report(const Progress& progress, int round, std::size_t done, std::size_t of) {
    if (done % 64 == 0)
        progress("tetrahedra",
                 1 - (1 - 0.5 * static_cast<double>(done) / static_cast<double>(of)) * std::ldexp(1, -round));
}

/// The cells whose least angle is not good, the worst first.
std::vector<std::pair<double, int>> bad_cells(const TetComplex& complex, const ImprovementRules& rules) {
    std::vector<std::pair<double, int>> bad;
    for (std::size_t i = 0; i < complex.cells.size(); ++i) {
        const Cell& cell = complex.cells[i];
        if (cell == removed_cell || is_ghost(complex, cell)) continue;
        const double angle_deg = min_dihedral_deg(complex, cell);
        if (angle_deg < rules.good_dihedral_deg) bad.emplace_back(angle_deg, static_cast<int>(i));
    }
    std::sort(bad.begin(), bad.end());
    return bad;
}

}  // namespace

void coarsen(TetComplex& complex, const ImprovementRules& rules, const Progress& progress) {
    std::unordered_map<std::int64_t, long> in_vain;  // edges, and after how many edits they were tried last
    for (int round = 0; round < 12; ++round) {
        int collapsed = 0;
        std::size_t done = 0;
        const auto edges = short_edges(complex, rules);
        for (const auto& [ratio, a, b] : edges) {
            report(progress, round, done++, edges.size());
            const std::int64_t key = static_cast<std::int64_t>(a) * complex.ghost + b;
            const auto tried = in_vain.find(key);
            if (tried != in_vain.end() && std::max(complex.edited[a], complex.edited[b]) <= tried->second) continue;
            if (!is_edge(complex, a, b)) continue;
            if (try_collapse(complex, rules, a, b, rules.coarse_dihedral_deg))
                ++collapsed;
            else
                in_vain[key] = complex.edits;
        }
        if (collapsed == 0) return;
    }
}

void improve(TetComplex& complex, const ImprovementRules& given, const Progress& progress) {
    ImprovementRules rules = given;
    for (double& length : rules.edge_length) length *= 1.25;
    for (double& distance : rules.deviation) distance *= 2;
    std::unordered_map<int, long> in_vain;  // cells, and after how many edits they were tried last
    for (int round = 0; round < 8; ++round) {
        int mended = 0;
        std::size_t done = 0;
        const auto bad = bad_cells(complex, rules);
        for (const auto& [angle_deg, index] : bad) {
            report(progress, round, done++, bad.size());
            const Cell cell = complex.cells[index];
            if (cell == removed_cell) continue;
            const auto tried = in_vain.find(index);
            const bool is_new = tried == in_vain.end() || std::any_of(cell.begin(), cell.end(), [&](int node) {
                                    return complex.edited[node] > tried->second;
                                });
            if (!is_new) continue;
            if (mend(complex, rules, index))
                ++mended;
            else
                in_vain[index] = complex.edits;
        }
        if (mended == 0) return;
    }
}

}  // namespace clangor::geometry
