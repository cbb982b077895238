#include <clangor/geometry/mesh_quality.hpp>
#include <clangor/geometry/tet_faces.hpp>
#include <clangor/geometry/tet_flips.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace clangor::geometry {
namespace {

constexpr std::size_t max_ring = 7;     // longer rings have never helped
constexpr double least_gain_deg = 0.1;  // so that flips do not undo each other for ever

struct Replacement {
    std::vector<int> old_cells;
    std::vector<Cell> new_cells;
    double gain_deg = 0;
};

double least_angle(const TetComplex& complex, const std::vector<int>& cells) {
    double sharpest = -1;
    for (const int index : cells) sharpest = std::max(sharpest, sharpness(complex, complex.cells[index]));
    return angle_deg_of(sharpest);
}

/// The nodes around the edge a → b, in the sense of a right-hand screw, and the cells between them. Empty for an edge
/// of the boundary.
struct Ring {
    std::vector<int> nodes, cells;
};

Ring ring_around(const TetComplex& complex, int a, int b) {
    Ring ring;
    std::vector<std::pair<int, int>> steps;  // from one node of the ring to the next
    for (const int index : complex.star[a]) {
        const Cell& cell = complex.cells[index];
        if (!has(cell, b)) continue;
        if (is_ghost(complex, cell) || ring.cells.size() == max_ring) return {};
        for (const auto& [i, j, k, l] : even_orders)
            if (cell[i] == a && cell[j] == b) steps.emplace_back(cell[k], cell[l]);
        ring.cells.push_back(index);
    }
    if (steps.empty()) return {};
    ring.nodes.push_back(steps.front().first);
    while (ring.nodes.size() < steps.size()) {
        const auto next =
            std::find_if(steps.begin(), steps.end(), [&](const auto& step) { return step.first == ring.nodes.back(); });
        if (next == steps.end()) return {};
        ring.nodes.push_back(next->second);
    }
    return ring;
}

/// How to cut the polygon of a ring into triangles, whose tetrahedra to both ends of the edge have the largest least
/// angle, by dynamic programming over its parts [Klincsek1980].
struct RingCut {
    double sharpness[max_ring][max_ring] = {};  ///< of the worst over the part between ring nodes i < j
    std::size_t apex[max_ring][max_ring] = {};  ///< third corner of the triangle on the chord from i to j
};

std::array<Cell, 2> cells_on(const Ring& ring, int a, int b, std::size_t i, std::size_t k, std::size_t j) {
    return {Cell{ring.nodes[i], ring.nodes[j], ring.nodes[k], a}, Cell{ring.nodes[i], ring.nodes[k], ring.nodes[j], b}};
}

RingCut best_cut(const TetComplex& complex, const Ring& ring, int a, int b) {
    const std::size_t n = ring.nodes.size();
    RingCut cut;
    for (std::size_t i = 0; i + 1 < n; ++i) cut.sharpness[i][i + 1] = -1;
    for (std::size_t width = 2; width < n; ++width) {
        for (std::size_t i = 0; i + width < n; ++i) {
            const std::size_t j = i + width;
            double& best = cut.sharpness[i][j];
            best = sharpness_of(-180);
            for (std::size_t k = i + 1; k < j; ++k) {
                double worst = std::max(cut.sharpness[i][k], cut.sharpness[k][j]);
                for (const Cell& cell : cells_on(ring, a, b, i, k, j))
                    if (worst < best) worst = std::max(worst, sharpness(complex, cell));
                if (worst >= best) continue;
                best = worst;
                cut.apex[i][j] = k;
            }
        }
    }
    return cut;
}

/// Cells that fill the ring around an edge without that edge.
Replacement without_edge(const TetComplex& complex, int a, int b) {
    const Ring ring = ring_around(complex, a, b);
    const std::size_t n = ring.nodes.size();
    if (n < 3) return {};
    const RingCut cut = best_cut(complex, ring, a, b);
    const double after = angle_deg_of(cut.sharpness[0][n - 1]);
    Replacement result{ring.cells, {}, after - least_angle(complex, ring.cells)};
    if (after <= 0 || result.gain_deg < least_gain_deg) return {};
    std::vector<std::pair<std::size_t, std::size_t>> chords = {{0, n - 1}};
    while (!chords.empty()) {
        const auto [i, j] = chords.back();
        chords.pop_back();
        if (j - i < 2) continue;
        const std::size_t k = cut.apex[i][j];
        for (const Cell& cell : cells_on(ring, a, b, i, k, j)) result.new_cells.push_back(cell);
        chords.insert(chords.end(), {{i, k}, {k, j}});
    }
    return result;
}

/// Three cells around the edge between the two nodes that face each other across a side of this cell.
Replacement without_face(const TetComplex& complex, int index, int side) {
    const Cell& cell = complex.cells[index];
    const auto corner = [&](int k) { return cell[face_nodes[side][k]]; };
    const int a = corner(0), b = corner(1), c = corner(2), below = cell[side];
    for (const int other : complex.star[a]) {
        const Cell& across = complex.cells[other];
        if (other == index || !has(across, b) || !has(across, c)) continue;
        if (is_ghost(complex, across)) return {};
        int above = -1;
        for (const int node : across)
            if (node != a && node != b && node != c) above = node;
        Replacement result{{index, other}, {{a, b, above, below}, {b, c, above, below}, {c, a, above, below}}, 0};
        double sharpest = -1;
        for (Cell& fresh : result.new_cells) {
            std::swap(fresh[2], fresh[3]);  // below, then above: a positive cell, since the face looks up
            sharpest = std::max(sharpest, sharpness(complex, fresh));
        }
        const double after = angle_deg_of(sharpest);
        result.gain_deg = after - least_angle(complex, result.old_cells);
        return after > 0 && result.gain_deg >= least_gain_deg ? result : Replacement{};
    }
    return {};
}

}  // namespace

bool flip(TetComplex& complex, int index) {
    const Cell cell = complex.cells[index];
    Replacement best;
    const auto consider = [&](Replacement candidate) {
        if (candidate.gain_deg > best.gain_deg) best = std::move(candidate);
    };
    for (const auto& [i, j] : edge_nodes) consider(without_edge(complex, cell[i], cell[j]));
    for (int side = 0; side < 4; ++side) consider(without_face(complex, index, side));
    if (best.new_cells.empty()) return false;
    replace_cells(complex, best.old_cells, best.new_cells);
    return true;
}

}  // namespace clangor::geometry
