#include <clangor/objects/shell/held_shell.hpp>

#include <fmt/format.h>

#include <numeric>

namespace clangor {
namespace {

Skin skin_of_middle(const Surface& middle) {
    Skin skin{middle.vertices, middle.faces, std::vector<int>(size_t(middle.vertices.rows()))};
    std::iota(skin.mesh_nodes.begin(), skin.mesh_nodes.end(), 0);
    return skin;
}

bool has_face_in(const Surface& middle, const PatchDistance& distance, double reach) {
    for (long f = 0; f < middle.faces.rows(); ++f) {
        const auto is_in = [&](int k) {
            return distance(middle.vertices.row(middle.faces(f, k)).transpose()) <= reach;
        };
        if (is_in(0) && is_in(1) && is_in(2)) return true;
    }
    return false;
}

}  // namespace

HeldSolid held_shell(StiffnessMass body, const Surface& middle, const std::vector<PlacedSupport>& supports) {
    const int count = int(middle.vertices.rows());
    // Cut meshes have vertices on the border, but for rounding.
    const double reach = 1e-6 * bounds_of(middle.vertices).diagonal();
    std::vector<LinearConstraint> constraints;
    std::vector<SolidSupport> areas;
    std::vector<size_t> whose;
    for (size_t i = 0; i < supports.size(); ++i) {
        const SolidSupport& support = supports[i].support;
        const bool is_line = support.hold == PatchHold::Hinged && !supports[i].wants_area &&
                             !has_face_in(middle, support.distance, reach);
        if (support.hold != PatchHold::Clamped && !is_line) {
            areas.push_back(support);
            whose.push_back(i);
            continue;
        }
        bool holds = false;
        for (int v = 0; v < count; ++v) {
            if (support.distance(middle.vertices.row(v).transpose()) > reach) continue;
            holds = true;
            for (int d = 0; d < 3; ++d) {
                constraints.push_back({{3 * v + d}, {1.0}});
                if (support.hold == PatchHold::Clamped) constraints.push_back({{3 * count + 3 * v + d}, {1.0}});
            }
        }
        if (!holds)
            throw Error(fmt::format("supports: support {} holds nothing of the shell; give it a larger radius or depth",
                                    i + 1));
    }
    HeldSolid result = held(std::move(body), skin_of_middle(middle), areas, std::move(constraints));
    for (size_t i = 0; i < whose.size(); ++i)
        if (!(result.areas[i] > 0))
            throw Error(fmt::format("supports: support {} holds nothing of the shell; give it a larger radius or depth",
                                    whose[i] + 1));
    return result;
}

}  // namespace clangor
