#include <clangor/geometry/tet_complex.hpp>
#include <clangor/geometry/tet_faces.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace clangor::geometry {
namespace {

template <std::size_t n>
std::array<int, n> sorted(std::array<int, n> nodes) {
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

void add(TetComplex& complex, const Cell& cell) {
    const int index = static_cast<int>(complex.cells.size());
    complex.cells.push_back(cell);
    for (const int node : cell) {
        if (node == complex.ghost) continue;
        complex.star[node].push_back(index);
        complex.edited[node] = complex.edits;
    }
}

void remove(TetComplex& complex, int index) {
    for (const int node : complex.cells[index]) {
        if (node == complex.ghost) continue;
        auto& star = complex.star[node];
        star.erase(std::find(star.begin(), star.end(), index));
        complex.edited[node] = complex.edits;
    }
    complex.cells[index] = removed_cell;
}

const std::vector<int>& star_of(const TetComplex& complex, int node) { return complex.star[node]; }
const Cell& cell_at(const TetComplex& complex, int index) { return complex.cells[index]; }

template <class T>
void make_unique(std::vector<T>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// What the link condition looks at, kept from edge to edge: most of the time went into making room for it.
struct LinkScratch {
    std::vector<int> ring;                         ///< nodes around the edge, ascending
    std::vector<std::array<int, 2>> ring_edges;    ///< between them, across the edge
    std::vector<int> around;                       ///< neighbours of an end
    std::vector<std::array<int, 2>> edges[2];      ///< between ring nodes, in the link of one end
    std::vector<std::array<int, 3>> triangles[2];  ///< the same
};

template <class T>
bool disjoint(const std::vector<T>& a, const std::vector<T>& b) {
    return std::none_of(a.begin(), a.end(), [&](const T& x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}

bool in_ring(const LinkScratch& scratch, int node) {
    return std::find(scratch.ring.begin(), scratch.ring.end(), node) != scratch.ring.end();
}

/// How many nodes of the ring are neighbours of both ends, beside those that the edge makes so: all must be.
bool shares_only_ring(const TetComplex& complex, LinkScratch& scratch, int a, int b) {
    scratch.around.clear();
    for (const int index : star_of(complex, a))
        for (const int other : cell_at(complex, index))
            if (other != a && other != b && !in_ring(scratch, other)) scratch.around.push_back(other);
    make_unique(scratch.around);
    for (const int index : star_of(complex, b))
        for (const int other : cell_at(complex, index))
            if (std::binary_search(scratch.around.begin(), scratch.around.end(), other)) return false;
    return true;
}

/// Lk(a) ∩ Lk(b) = Lk(ab). Once the two links share no vertex beside the ring, only edges and triangles between nodes
/// of the ring can be in both.
bool link_condition(const TetComplex& complex, int a, int b) {
    thread_local LinkScratch scratch;
    scratch.ring.clear();
    scratch.ring_edges.clear();
    for (const int index : star_of(complex, a)) {
        if (!has(cell_at(complex, index), b)) continue;
        std::array<int, 2> others{};
        int count = 0;
        for (const int other : cell_at(complex, index))
            if (other != a && other != b) others[count++] = other;
        scratch.ring_edges.push_back(sorted(others));
        scratch.ring.insert(scratch.ring.end(), others.begin(), others.end());
    }
    make_unique(scratch.ring);
    if (!shares_only_ring(complex, scratch, a, b)) return false;
    for (const auto& [side, end, other_end] : {std::tuple{0, a, b}, {1, b, a}}) {
        scratch.edges[side].clear();
        scratch.triangles[side].clear();
        for (const int index : star_of(complex, end)) {
            const Cell& cell = cell_at(complex, index);
            if (has(cell, other_end)) continue;
            std::array<int, 3> nodes{};
            int count = 0;
            for (const int node : cell)
                if (node != end && in_ring(scratch, node)) nodes[count++] = node;
            if (count == 3) scratch.triangles[side].push_back(sorted(nodes));
            for (int i = 0; i < count; ++i)
                for (int j = i + 1; j < count; ++j) {
                    const std::array<int, 2> edge = sorted(std::array{nodes[i], nodes[j]});
                    if (std::find(scratch.ring_edges.begin(), scratch.ring_edges.end(), edge) ==
                        scratch.ring_edges.end())
                        scratch.edges[side].push_back(edge);
                }
        }
    }
    return disjoint(scratch.edges[0], scratch.edges[1]) && disjoint(scratch.triangles[0], scratch.triangles[1]);
}

bool contains(const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

bool on_boundary(const TetComplex& complex, int a, int b) {
    return std::any_of(star_of(complex, a).begin(), star_of(complex, a).end(), [&](int index) {
        return is_ghost(complex, cell_at(complex, index)) && has(cell_at(complex, index), b);
    });
}

long boundary_degree(const TetComplex& complex, int node) {
    return std::count_if(star_of(complex, node).begin(), star_of(complex, node).end(),
                         [&](int index) { return is_ghost(complex, cell_at(complex, index)); });
}

/// The ghosts that share a face with a cell.
std::vector<int> ghosts_behind(const TetComplex& complex, const Cell& cell) {
    std::vector<int> ghosts;
    for (std::size_t k = 0; k < 4; ++k) {
        for (const int index : star_of(complex, cell[(k + 1) % 4])) {
            const Cell& ghost = cell_at(complex, index);
            if (is_ghost(complex, ghost) && has(ghost, cell[(k + 2) % 4]) && has(ghost, cell[(k + 3) % 4]))
                ghosts.push_back(index);
        }
    }
    return ghosts;
}

}  // namespace

/// A node of a sharp line slides along that line only, one of the boundary along the boundary only.
bool may_slide(const TetComplex& complex, int from, int into) {
    const auto& lines = complex.sharp[from];
    switch (complex.freedom[from]) {
        case Freedom::None:
            return false;
        case Freedom::Line: {
            if (lines.size() != 2 || !contains(lines, into)) return false;
            const int beyond = lines[0] == into ? lines[1] : lines[0];
            return !contains(complex.sharp[into], beyond);
        }
        case Freedom::Surface:
            return on_boundary(complex, from, into);
        case Freedom::Volume:
            return true;
    }
    return false;
}

TetComplex complex_of(const FeaturedMesh& input) {
    TetComplex complex;
    const std::size_t count = input.mesh.nodes.rows();
    for (std::size_t i = 0; i < count; ++i) complex.points.emplace_back(input.mesh.nodes.row(static_cast<int>(i)));
    complex.ghost = static_cast<int>(count);
    complex.star.resize(count);
    complex.edited.resize(count);
    complex.sharp.resize(count);
    complex.freedom = input.freedom;
    std::map<std::array<int, 3>, std::array<int, 3>> open;  // faces seen once, as wound
    for (int row = 0; row < input.mesh.cells.rows(); ++row) {
        const Cell cell = {input.mesh.cells(row, 0), input.mesh.cells(row, 1), input.mesh.cells(row, 2),
                           input.mesh.cells(row, 3)};
        add(complex, cell);
        for (const auto& f : face_nodes) {
            const auto corner = [&](int k) { return cell[f[k]]; };
            const std::array<int, 3> face = {corner(0), corner(1), corner(2)};
            if (!open.try_emplace(sorted(face), face).second) open.erase(sorted(face));
        }
    }
    for (const auto& [key, face] : open) add(complex, {face[0], face[1], face[2], complex.ghost});
    for (const auto& [a, b] : input.sharp_edges) {
        complex.sharp[a].push_back(b);
        complex.sharp[b].push_back(a);
    }
    return complex;
}

TetMesh mesh_of(const TetComplex& complex) {
    std::vector<int> number(complex.points.size(), -1);
    TetMesh mesh;
    int nodes = 0;
    for (std::size_t i = 0; i < number.size(); ++i)
        if (!complex.star[i].empty()) number[i] = nodes++;
    mesh.nodes.resize(nodes, 3);
    for (std::size_t i = 0; i < number.size(); ++i)
        if (number[i] >= 0) mesh.nodes.row(number[i]) = complex.points[i];
    const auto is_real = [&](const Cell& cell) { return cell != removed_cell && !is_ghost(complex, cell); };
    mesh.cells.resize(std::count_if(complex.cells.begin(), complex.cells.end(), is_real), 4);
    int row = 0;
    for (const Cell& cell : complex.cells) {
        if (!is_real(cell)) continue;
        for (int k = 0; k < 4; ++k) mesh.cells(row, k) = number[cell[k]];
        ++row;
    }
    return mesh;
}

std::vector<int> neighbours(const TetComplex& complex, int node) {
    std::vector<int> others;
    for (const int index : star_of(complex, node))
        for (const int other : cell_at(complex, index))
            if (other != node) others.push_back(other);
    make_unique(others);
    return others;
}

bool keeps_topology(const TetComplex& complex, int from, int into) {
    return may_slide(complex, from, into) && link_condition(complex, from, into);
}

void move_node(TetComplex& complex, int node, const Vec3& to) {
    ++complex.edits;
    complex.points[node] = to;
    for (const int index : star_of(complex, node))
        for (const int near : cell_at(complex, index))
            if (near != complex.ghost) complex.edited[near] = complex.edits;
}

void collapse(TetComplex& complex, int from, int into) {
    ++complex.edits;
    const std::vector<int> around = star_of(complex, from);
    for (const int index : around) {
        for (const int near : cell_at(complex, index))
            if (near != complex.ghost) complex.edited[near] = complex.edits;
        Cell cell = cell_at(complex, index);
        if (has(cell, into)) {
            remove(complex, index);
            continue;
        }
        std::replace(cell.begin(), cell.end(), from, into);
        complex.cells[index] = cell;
        complex.star[into].push_back(index);
    }
    complex.star[from].clear();
    auto& lines = complex.sharp[from];
    for (const int end : lines) {
        auto& back = complex.sharp[end];
        if (end == into)
            back.erase(std::find(back.begin(), back.end(), from));
        else {
            std::replace(back.begin(), back.end(), from, into);
            complex.sharp[into].push_back(end);
        }
    }
    lines.clear();
}

void replace_cells(TetComplex& complex, const std::vector<int>& old_cells, const std::vector<Cell>& new_cells) {
    ++complex.edits;
    for (const int index : old_cells) remove(complex, index);
    for (const Cell& cell : new_cells) add(complex, cell);
}

std::vector<Cell> faces_after_peeling(const TetComplex& complex, int index) {
    const Cell& cell = cell_at(complex, index);
    const std::vector<int> ghosts = ghosts_behind(complex, cell);
    if (ghosts.size() != 2) return {};
    std::vector<int> hinge, bare;  // nodes of both boundary faces, and of one: the edge between the latter gets bare
    for (const int node : cell) {
        const bool in_both = has(cell_at(complex, ghosts[0]), node) && has(cell_at(complex, ghosts[1]), node);
        (in_both ? hinge : bare).push_back(node);
    }
    if (contains(complex.sharp[hinge[0]], hinge[1])) return {};
    if (on_boundary(complex, bare[0], bare[1])) return {};
    for (const int end : hinge)  // each loses two boundary faces and gains one; with three it would be pinched
        if (boundary_degree(complex, end) < 4) return {};
    std::vector<Cell> fresh;
    for (const auto& f : face_nodes) {
        const auto corner = [&](int k) { return cell[f[k]]; };
        // Outward for the cell that stays is inward for the one that goes.
        const Cell ghost = {corner(0), corner(2), corner(1), complex.ghost};
        if (has(ghost, bare[0]) && has(ghost, bare[1])) fresh.push_back(ghost);
    }
    return fresh;
}

void peel(TetComplex& complex, int index) {
    const std::vector<Cell> fresh = faces_after_peeling(complex, index);
    CLANGOR_ASSERT(fresh.size() == 2, "only a cell with two free boundary faces can be peeled off");
    std::vector<int> old_cells = ghosts_behind(complex, cell_at(complex, index));
    old_cells.push_back(index);
    replace_cells(complex, old_cells, fresh);
}

}  // namespace clangor::geometry
