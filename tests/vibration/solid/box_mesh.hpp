// A box of regular tetrahedra, six to a cell, for tests that must not depend on the mesher.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace clangor::test {

inline TetMesh with_mid_nodes(const TetMesh& linear) {
    constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    TetMesh mesh{linear.nodes, Cells(linear.cells.rows(), 10)};
    std::map<std::pair<int, int>, int> middle;
    std::vector<Vec3> added;
    for (long e = 0; e < linear.cells.rows(); ++e) {
        mesh.cells.row(e).head<4>() = linear.cells.row(e);
        for (int i = 0; i < 6; ++i) {
            const auto [a, b] = std::minmax(linear.cells(e, edges[i][0]), linear.cells(e, edges[i][1]));
            const auto [it, is_new] = middle.try_emplace({a, b}, int(linear.nodes.rows() + long(added.size())));
            if (is_new) added.push_back(0.5 * (linear.nodes.row(a) + linear.nodes.row(b)).transpose());
            mesh.cells(e, 4 + i) = it->second;
        }
    }
    mesh.nodes.conservativeResize(linear.nodes.rows() + long(added.size()), 3);
    for (size_t i = 0; i < added.size(); ++i) mesh.nodes.row(linear.nodes.rows() + long(i)) = added[i].transpose();
    return mesh;
}

/// 4-node tetrahedra filling a box centred at the origin.
inline TetMesh box_mesh(const Vec3& size, const std::array<int, 3>& cells) {
    const auto id = [&](int i, int j, int k) { return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k; };
    TetMesh mesh{Points((cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1), 3),
                 Cells(6 * cells[0] * cells[1] * cells[2], 4)};
    for (int i = 0; i <= cells[0]; ++i)
        for (int j = 0; j <= cells[1]; ++j)
            for (int k = 0; k <= cells[2]; ++k)
                mesh.nodes.row(id(i, j, k)) << size[0] * (double(i) / cells[0] - 0.5),
                    size[1] * (double(j) / cells[1] - 0.5), size[2] * (double(k) / cells[2] - 0.5);
    // One tetrahedron for each order in which the three axes can be walked from corner to corner; odd orders are
    // mirrored.
    constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    long e = 0;
    for (int i = 0; i < cells[0]; ++i)
        for (int j = 0; j < cells[1]; ++j)
            for (int k = 0; k < cells[2]; ++k)
                for (int o = 0; o < 6; ++o, ++e) {
                    std::array<int, 3> corner = {i, j, k};
                    mesh.cells(e, 0) = id(i, j, k);
                    for (int step = 0; step < 3; ++step) {
                        ++corner[orders[o][step]];
                        mesh.cells(e, step + 1) = id(corner[0], corner[1], corner[2]);
                    }
                    if (o >= 3) std::swap(mesh.cells(e, 2), mesh.cells(e, 3));
                }
    return mesh;
}

}  // namespace clangor::test
