#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/curved_cell.hpp>
#include <clangor/geometry/mesh_improvement.hpp>
#include <clangor/geometry/mesh_quality.hpp>
#include <clangor/geometry/sharp_lines.hpp>
#include <clangor/geometry/sizing.hpp>
#include <clangor/geometry/solid_surface.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor {
namespace {

using geometry::Sizing;

constexpr int attempts = 4;
constexpr double volume_tolerance = 0.02;

/// V − E + F over the vertices that faces name, where E = 3F/2, the surface being closed.
int euler_characteristic(const Surface& surface) {
    std::vector<char> used(surface.vertices.rows(), 0);
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) used[surface.faces(f, k)] = 1;
    const auto vertices = std::count(used.begin(), used.end(), 1);
    return static_cast<int>(vertices) - static_cast<int>(surface.faces.rows()) / 2;
}

/// What is wrong with the mesh as a copy of the surface's inside; empty if nothing is.
std::string mismatch(const TetMesh& mesh, const Surface& surface) {
    if (mesh.cells.rows() == 0) return "the mesher found no body inside the surface";
    const Surface boundary = flat(skin_of(mesh));
    const Topology topology = topology_of(boundary);
    if (!topology.closed()) return "the boundary of the elements touches itself";
    if (topology.pieces != topology_of(surface).pieces ||
        euler_characteristic(boundary) != euler_characteristic(surface))
        return "the elements pierce a wall, or close a hole";
    const double wanted = mass_properties(surface).volume;
    const double filled = geometry::volume_of(quadratic(mesh, surface));
    if (std::abs(filled - wanted) > volume_tolerance * wanted)
        return fmt::format("the elements fill {:.1f} % of the volume", filled / wanted * 100);
    return {};
}

/// A part of a longer work.
Progress part_of(const Progress& whole, double from, double to) {
    return {[&whole, from, to](std::string_view stage, double done) { whole(stage, from + (to - from) * done); }};
}

geometry::TetComplex refined_complex(const Surface& surface, const Sizing& sizing, double fineness, bool with_lines,
                                     const Progress& progress) {
    const double expected = 30 * geometry::refined_elements(sizing) * cube(fineness);  // questions, measured
    long asked = 0;
    geometry::MesherOptions options;
    options.edge_length = [&](const Vec3& x) {
        if (++asked % 1024 == 0) progress("tetrahedra", asked / (asked + expected));
        return sizing.refined(sizing.thickness(x)) / fineness;
    };
    options.deviation = [&](const Vec3& x) { return sizing.deviation(sizing.thickness(x)); };
    options.sharp_angle_deg = with_lines ? geometry::sharp_angle_deg : 180;
    return complex_of(delaunay_tetrahedra(surface, options));
}

/// Elements of 4 nodes. `fineness` divides the lengths of the Delaunay mesh that all starts from.
TetMesh fill(const geometry::SolidSurface& solid, const Sizing& sizing, double fineness, const Progress& progress) {
    geometry::TetComplex complex =
        refined_complex(solid.surface, sizing, fineness, !solid.wrapped, part_of(progress, 0, 0.5));
    if (complex.cells.empty()) return {};
    const ClosestPointQuery closest(solid.surface);
    std::optional<ClosestPointQuery> closest_on_line;
    const Surface lines = geometry::sharp_lines(solid.surface);
    if (lines.faces.rows() > 0) closest_on_line.emplace(lines);
    geometry::ImprovementRules rules;
    rules.surface = &closest;
    rules.lines = closest_on_line ? &*closest_on_line : nullptr;
    for (const Vec3& point : complex.points) {
        const double t = sizing.thickness(point);
        rules.edge_length.push_back(sizing.wanted(t));
        rules.deviation.push_back(sizing.deviation(t));
    }
    improve(complex, rules, part_of(progress, 0.5, 0.6));
    coarsen(complex, rules, part_of(progress, 0.6, 0.8));
    improve(complex, rules, part_of(progress, 0.8, 0.85));
    coarsen(complex, rules, part_of(progress, 0.85, 0.95));  // better elements let more edges go
    improve(complex, rules, part_of(progress, 0.95, 1));
    return mesh_of(complex);
}

void check(const TetOptions& options) {
    if (!(options.edge_length >= 0) || !std::isfinite(options.edge_length))
        throw Error(fmt::format("the edge length of elements must be positive, but is {} m", options.edge_length));
    if (!(options.refinement > 0) || !std::isfinite(options.refinement))
        throw Error(fmt::format("the refinement of elements must be positive, but is {}", options.refinement));
}

}  // namespace

Tetrahedralization tetrahedralize(const Surface& surface, const TetOptions& options, const Progress& progress) {
    check(options);
    const geometry::SolidSurface solid = geometry::solid_surface_of(surface);
    const Sizing sizing = geometry::sizing_of(solid.surface, options);
    std::string trouble;
    double fineness = 1;
    for (int attempt = 0; attempt < attempts; ++attempt, fineness *= 2) {
        // A thin place that the sizing missed is pierced at first, and whole at half the length.
        if (attempt > 0 && geometry::refined_elements(sizing) * cube(fineness) > geometry::max_elements) break;
        const TetMesh mesh = fill(solid, sizing, fineness, progress);
        trouble = mismatch(mesh, solid.surface);
        if (!trouble.empty()) continue;
        std::vector<std::string> messages = solid.messages;
        messages.insert(messages.end(), sizing.messages.begin(), sizing.messages.end());
        return {mesh, sizing.longest(), geometry::min_dihedral_deg(mesh), solid.wrapped, messages};
    }
    throw Error(
        fmt::format("no tetrahedra fill this body rightly: {}, even at {:.2g} of the usual edge length; thicken its "
                    "thinnest walls, close its narrowest gaps, or remove its smallest details",
                    trouble, 2 / fineness));
}

}  // namespace clangor
