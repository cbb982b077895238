#include <clangor/geometry/edges.hpp>
#include <clangor/geometry/sharp_lines.hpp>

#include <array>
#include <cmath>

namespace clangor::geometry {

Surface sharp_lines(const Surface& surface) {
    const auto normal = [&](int corner) -> Vec3 {
        const auto x = [&](int k) { return Vec3(surface.vertices.row(surface.faces(corner / 3, k))); };
        return (x(1) - x(0)).cross(x(2) - x(0)).normalized();
    };
    const double cos_sharp = std::cos(sharp_angle_deg * pi / 180);
    std::vector<std::array<int, 2>> edges;
    const EdgeTable table = edge_table(surface.faces, static_cast<int>(surface.vertices.rows()));
    for_each_edge(table, [&](int low, std::span<const EdgeUse> uses) {
        if (uses.size() == 2 && normal(uses[0].corner).dot(normal(uses[1].corner)) >= cos_sharp) return;
        edges.push_back({low, uses[0].other});
    });
    Surface lines{surface.vertices, Triangles(static_cast<int>(edges.size()), 3)};
    for (std::size_t i = 0; i < edges.size(); ++i)
        lines.faces.row(static_cast<int>(i)) << edges[i][0], edges[i][1], edges[i][1];
    return lines;
}

}  // namespace clangor::geometry
