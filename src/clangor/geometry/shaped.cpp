#include <clangor/geometry/shaped.hpp>

#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/curved_cell.hpp>
#include <clangor/geometry/mesh_improvement.hpp>
#include <clangor/geometry/sharp_lines.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor::geometry {
namespace {

constexpr double volume_tolerance = 0.02;

/// V − E + F over the vertices that faces name, where E = 3F/2, the surface being closed.
int euler_characteristic(const Surface& surface) {
    std::vector<char> used(surface.vertices.rows(), 0);
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) used[surface.faces(f, k)] = 1;
    const auto vertices = std::count(used.begin(), used.end(), 1);
    return static_cast<int>(vertices) - static_cast<int>(surface.faces.rows()) / 2;
}

}  // namespace

TetMesh shaped(TetComplex complex, const Surface& surface, bool with_lines, const Sizing& sizing,
               const Progress& progress) {
    if (complex.cells.empty()) return {};
    const ClosestPointQuery closest(surface);
    std::optional<ClosestPointQuery> closest_on_line;
    const Surface lines = with_lines ? sharp_lines(surface) : Surface{};
    if (lines.faces.rows() > 0) closest_on_line.emplace(lines);
    ImprovementRules rules;
    rules.surface = &closest;
    rules.lines = closest_on_line ? &*closest_on_line : nullptr;
    for (const Vec3& point : complex.points) {
        const double t = sizing.thickness(point);
        rules.edge_length.push_back(sizing.wanted(t));
        rules.deviation.push_back(sizing.deviation(t));
    }
    improve(complex, rules, part_of(progress, 0, 0.2));
    coarsen(complex, rules, part_of(progress, 0.2, 0.6));
    improve(complex, rules, part_of(progress, 0.6, 0.7));
    coarsen(complex, rules, part_of(progress, 0.7, 0.9));  // better elements let more edges go
    improve(complex, rules, part_of(progress, 0.9, 1));
    return mesh_of(complex);
}

std::string mismatch(const TetMesh& mesh, const Surface& surface) {
    if (mesh.cells.rows() == 0) return "the mesher found no body inside the surface";
    const Surface boundary = flat(skin_of(mesh));
    const Topology topology = topology_of(boundary);
    if (!topology.closed()) return "the boundary of the elements touches itself";
    if (topology.pieces != topology_of(surface).pieces ||
        euler_characteristic(boundary) != euler_characteristic(surface))
        return "the elements pierce a wall, or close a hole";
    const double wanted = mass_properties(surface).volume;
    const double filled = volume_of(quadratic(mesh, surface));
    if (std::abs(filled - wanted) > volume_tolerance * wanted)
        return fmt::format("the elements fill {:.1f} % of the volume", filled / wanted * 100);
    return {};
}

}  // namespace clangor::geometry
