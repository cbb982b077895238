#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/curved_cell.hpp>
#include <clangor/geometry/mesh_improvement.hpp>
#include <clangor/geometry/mesh_quality.hpp>
#include <clangor/geometry/sharp_lines.hpp>
#include <clangor/geometry/sizing.hpp>
#include <clangor/geometry/solid_surface.hpp>
#include <clangor/geometry/stuffing.hpp>
#include <clangor/geometry/winding_number.hpp>

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

/// Elements of the wanted lengths and of good shape, out of those that a mesher left.
TetMesh shaped(geometry::TetComplex complex, const Surface& surface, bool with_lines, const Sizing& sizing,
               const Progress& progress) {
    if (complex.cells.empty()) return {};
    const ClosestPointQuery closest(surface);
    std::optional<ClosestPointQuery> closest_on_line;
    const Surface lines = with_lines ? geometry::sharp_lines(surface) : Surface{};
    if (lines.faces.rows() > 0) closest_on_line.emplace(lines);
    geometry::ImprovementRules rules;
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

void check(const TetOptions& options) {
    if (!(options.edge_length >= 0) || !std::isfinite(options.edge_length))
        throw Error(fmt::format("the edge length of elements must be positive, but is {} m", options.edge_length));
    if (!(options.refinement > 0) || !std::isfinite(options.refinement))
        throw Error(fmt::format("the refinement of elements must be positive, but is {}", options.refinement));
}

constexpr double most_lattice_elements = 300e3;  // before they are made fewer

/// Such that the thinnest twentieth of the walls comes out, if that does not take too many elements.
double lattice_spacing(const Surface& surface, const TetOptions& options) {
    std::vector<geometry::ThicknessSample> samples = geometry::thickness_samples(surface, 5000);
    std::sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.thickness < b.thickness; });
    const Bounds bounds = bounds_of(surface.vertices);
    const Vec3 extent = bounds.high - bounds.low;
    double area = 0, volume = 0, thin = 0;
    for (const auto& sample : samples) {
        area += sample.area;
        volume += sample.area * sample.thickness / 2;  // of walls; more than that of compact bodies
    }
    double passed = 0;
    for (const auto& sample : samples)
        if ((passed += sample.area) >= area / 20 && thin == 0) thin = sample.thickness;
    volume = std::min(volume, extent.prod());
    const double affordable = std::cbrt(12 * volume / most_lattice_elements);
    return std::max({std::min(0.9 * thin, extent.maxCoeff() / 16) / options.refinement, affordable / options.refinement,
                     extent.maxCoeff() / 1500});
}

/// Whatever the surface is like: elements cut from a lattice.
Tetrahedralization from_lattice(const Surface& surface, const TetOptions& options, const std::string& why,
                                const Progress& progress) {
    const geometry::WindingNumber winding(surface);
    const ClosestPointQuery closest(surface);
    const auto depth = [&](const Vec3& x) {
        // Across a gap the boundary is where the surface winds half around, far from any face.
        return closest(x).distance * std::clamp(4 * winding(x) - 2, -1.0, 1.0);
    };
    const double spacing = lattice_spacing(surface, options);
    const geometry::FeaturedMesh all =
        geometry::stuffed(depth, bounds_of(surface.vertices), spacing, part_of(progress, 0, 0.3));
    if (all.mesh.cells.rows() == 0) throw Error(why);
    const geometry::FeaturedMesh raw = geometry::largest_piece(all);
    const Surface boundary = flat(skin_of(raw.mesh));
    const Sizing sizing = geometry::sizing_of(boundary, options);
    TetMesh mesh = shaped(complex_of(raw), boundary, false, sizing, part_of(progress, 0.3, 1));
    if (!mismatch(mesh, boundary).empty()) mesh = raw.mesh;
    const double filled = mass_properties(flat(skin_of(mesh))).volume;
    const double whole = mass_properties(flat(skin_of(all.mesh))).volume;
    std::vector<std::string> messages = {fmt::format(
        "{}; so it was filled from a lattice of {:.2g} mm: edges are rounded, and walls and details thinner than "
        "{:.2g} mm may be lost, {:.1f} % of the volume being apart from the rest; the lowest pitches are right within a few per cent",
        why, spacing * 1e3, 0.7 * spacing * 1e3, (1 - filled / whole) * 100)};
    messages.insert(messages.end(), sizing.messages.begin(), sizing.messages.end());
    return {mesh, sizing.longest(), geometry::min_dihedral_deg(mesh), true, messages};
}

/// The fine way: Delaunay refinement of the inside of a closed surface.
Tetrahedralization from_surface(const Surface& surface, const TetOptions& options, const Progress& progress) {
    const geometry::SolidSurface solid = geometry::solid_surface_of(surface);
    const Sizing sizing = geometry::sizing_of(solid.surface, options);
    std::string trouble;
    double fineness = 1;
    for (int attempt = 0; attempt < attempts; ++attempt, fineness *= 2) {
        // A thin place that the sizing missed is pierced at first, and whole at half the length.
        if (attempt > 0 && geometry::refined_elements(sizing) * cube(fineness) > geometry::max_elements) break;
        const TetMesh mesh =
            shaped(refined_complex(solid.surface, sizing, fineness, !solid.wrapped, part_of(progress, 0, 0.5)),
                   solid.surface, true, sizing, part_of(progress, 0.5, 1));
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

}  // namespace

Tetrahedralization tetrahedralize(const Surface& surface, const TetOptions& options, const Progress& progress) {
    check(options);
    if (std::getenv("CLANGOR_LATTICE")) return from_lattice(surface, options, "forced", progress);
    try {
        return from_surface(surface, options, progress);
    } catch (const Error& error) {
        return from_lattice(surface, options, error.what(), progress);
    }
}

}  // namespace clangor
