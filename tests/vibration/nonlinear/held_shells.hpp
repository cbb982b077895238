// Shells that are held along lines of their mesh.
#pragma once

#include "../shell/shell_meshes.hpp"

#include <clangor/vibration/nonlinear/nonlinear.hpp>

namespace clangor::test {

/// How the edges of a unit square are held, besides w = 0 along all of them.
enum class Edges {
    Free,      ///< they move in their plane as they like
    Straight,  ///< each moves along its normal as one, without a mean force; free along itself
    Normal,    ///< they do not move along their normal; free along themselves
    Fixed,     ///< they do not move at all
};

inline std::vector<LinearConstraint> supported_square(const Surface& square, Edges edges) {
    std::vector<LinearConstraint> constraints;
    for (int axis = 0; axis < 2; ++axis)
        for (const double side : {0.0, 1.0}) {
            int first = -1;
            for (int v = 0; v < int(square.vertices.rows()); ++v) {
                if (std::abs(square.vertices(v, axis) - side) > 1e-9) continue;
                constraints.push_back({{3 * v + 2}, {1.0}});
                const int normal = 3 * v + axis, along = 3 * v + 1 - axis;
                if (edges == Edges::Normal || edges == Edges::Fixed) constraints.push_back({{normal}, {1.0}});
                if (edges == Edges::Fixed) constraints.push_back({{along}, {1.0}});
                if (edges == Edges::Straight && first >= 0) constraints.push_back({{normal, first}, {1.0, -1.0}});
                if (first < 0) first = normal;
            }
        }
    return constraints;
}

/// The outermost ring of `of_rings`, which neither moves nor turns where it is clamped.
inline std::vector<LinearConstraint> held_rim(const Surface& rings, bool is_clamped) {
    const int count = int(rings.vertices.rows());
    double rim = 0;
    for (int v = 0; v < count; ++v) rim = std::max(rim, rings.vertices.row(v).head<2>().norm());
    std::vector<LinearConstraint> constraints;
    for (int v = 0; v < count; ++v)
        if (rings.vertices.row(v).head<2>().norm() > (1 - 1e-9) * rim)
            for (int d = 0; d < 3; ++d) {
                constraints.push_back({{3 * v + d}, {1.0}});
                if (is_clamped) constraints.push_back({{3 * count + 3 * v + d}, {1.0}});
            }
    return constraints;
}

struct HeldShell {
    ThinShell shell;
    ConstrainedBody held;
    Modes modes;  ///< over all degrees of freedom

    HeldShell(const Surface& middle, double thickness, const Material& material,
              const std::vector<LinearConstraint>& constraints, int count)
        : shell(of_thickness(middle, thickness)),
          held(constrained(assemble(shell, material), constraints)),
          modes(vibration_modes(held.body, {.min_hz = 1, .max_hz = 1e6, .max_count = count})) {
        modes.shapes = (held.expansion * modes.shapes).eval();
    }
};

}  // namespace clangor::test
