#include <clangor/geometry/lattice_mesh.hpp>

#include <clangor/geometry/body_depth.hpp>
#include <clangor/geometry/mesh_quality.hpp>
#include <clangor/geometry/shaped.hpp>
#include <clangor/geometry/sharpen.hpp>
#include <clangor/geometry/sizing.hpp>
#include <clangor/geometry/stuffing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor::geometry {
namespace {

constexpr double most_lattice_elements = 200e3;  // before they are made fewer
constexpr double asked_lattice_elements = 3e6;   // the most where an edge length is asked for
constexpr double easy_lattice_elements = 60e3;   // that cost little: then walls may have up to three layers
constexpr double whole_walls = 1.1;              // walls of so many spacings are never pierced
// Times as many as were estimated: a thin wall cuts nearly all the elements that it takes. With more, sheets by the
// hundred take a coarser lattice.
constexpr double borne_excess = 2;

/// Such that the thinnest twentieth of the walls comes out, if that does not take too many elements, and finer where
/// that takes few: edges are cut off by part of a spacing, which bars of one cell would feel.
double lattice_spacing(const Surface& surface, double size, double sheet_thickness, const TetOptions& options) {
    const WallGrowth sheets = wall_growth(surface, sheet_thickness, 0, least_winding_of_bodies(options.thickness > 0));
    std::vector<ThicknessSample> samples = thickness_samples(surface, 5000);
    for (ThicknessSample& sample : samples) {
        const double grown = 2 * sheets.of_face[sample.face];
        if (grown > 0) sample.thickness = grown;
    }
    std::sort(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.thickness < b.thickness; });
    const Bounds bounds = bounds_of(surface.vertices);
    double area = 0, thin = 0, passed = 0;
    for (const auto& sample : samples) area += sample.area;
    for (const auto& sample : samples)
        if ((passed += sample.area) >= area / 20 && thin == 0) thin = sample.thickness;
    const double most_volume = (bounds.high - bounds.low).prod() + area * sheet_thickness;
    const auto spacing_for = [&](double elements) {
        double spacing = size / 1500;
        for (;; spacing *= 1.05) {
            double volume = 0;  // of walls; more than that of compact bodies
            for (const auto& sample : samples)
                volume += sample.area * std::max(sample.thickness, whole_walls * spacing) / 2;
            if (12 * std::min(volume, most_volume) <= elements * cube(spacing)) return spacing;
        }
    };
    if (options.edge_length > 0) return std::max(0.7 * options.edge_length, spacing_for(asked_lattice_elements));
    const double fine = std::max(thin / 3, spacing_for(easy_lattice_elements));
    const double spacing = std::max(std::min({0.9 * thin, size / 16, fine}), spacing_for(most_lattice_elements));
    return std::max(spacing / options.refinement, size / 1500);
}

/// A body all of whose walls would come out several times too thick does not sound like itself.
void refuse_foil(const WallGrowth& growth, double size, double spacing) {
    const bool is_foil =
        growth.thin_area > growth.other_area + growth.sheet_area && whole_walls * spacing > 2.5 * growth.mean_thin;
    if (!is_foil) return;
    throw Error(fmt::format(
        "the body is {:.3g} m long and about {:.2g} mm thin: solid elements would make it {:.2g} mm thick; give the "
        "surface in the middle of its wall and make it a shell (\"kind\": \"shell\" in a scene, --shell {:.2g}), "
        "thicken its walls, or ask for a shorter edge length, which takes longer",
        size, growth.mean_thin * 1e3, whole_walls * spacing * 1e3, growth.mean_thin));
}

// Times as many elements as a body may have at chosen lengths: bodies from a lattice can exceed their estimate by half.
double excess_of(const TetMesh& mesh, const TetOptions& options) {
    if (options.edge_length > 0) return 1;
    return static_cast<double>(mesh.cells.rows()) / (max_chosen_elements * cube(options.refinement));
}

void lengthen(Sizing& sizing, double ratio, const TetOptions& options) {
    sizing.scale *= ratio;
    const double scale = sizing.scale * options.refinement;
    if (scale > 1) sizing.messages = too_long(scale, options);
}

void add_messages(std::vector<std::string>& messages, const std::string& why, double spacing, const WallGrowth& growth,
                  const BodyDepth& depth, double lost) {
    messages.push_back(fmt::format(
        "{}filled from a lattice of {:.2g} mm, which rounds edges and smears details below that; the lowest pitches "
        "are right within some 3 %, and refinement 2 halves that",
        why.empty() ? "" : why + "; so it was ", spacing * 1e3));
    if (growth.sheet_area > 0)
        messages.push_back(
            fmt::format("sheets without thickness, {:.3g} cm² of them, were made {:.2g} mm thick; "
                        "thickness sets it, and the pitch of sheets goes with it",
                        growth.sheet_area * 1e4, growth.sheet_thickness * 1e3));
    if (growth.thin_area > 0)
        messages.push_back(fmt::format(
            "walls from {:.2g} mm on were thickened to {:.2g} mm, over {:.3g} cm²: what rings there is too "
            "high, by up to the same ratio; refinement makes them thinner, a shell (\"kind\": \"shell\", --shell) "
            "keeps them as they are",
            growth.thinnest * 1e3, whole_walls * spacing * 1e3, growth.thin_area * 1e4));
    if (depth.bridges() > 0 && depth.longest_bridge() > 1e-6 * spacing)
        messages.push_back(
            fmt::format("its parts were joined across gaps of up to {:.2g} mm", depth.longest_bridge() * 1e3));
    if (lost > 1e-4)
        messages.push_back(
            fmt::format("{:.2g} % of the volume hangs on nothing at this fineness, and was left out", 100 * lost));
}

/// Cut from a lattice.
struct Filled {
    double spacing = 0;
    WallGrowth growth;
    BodyDepth depth;
    FeaturedMesh mesh;
};

Filled filled(const Surface& surface, const TetOptions& options, double sheet_thickness, double spacing,
              const Progress& progress) {
    const Bounds bounds = bounds_of(surface.vertices);
    const WallGrowth growth =
        wall_growth(surface, sheet_thickness, whole_walls * spacing, least_winding_of_bodies(options.thickness > 0));
    refuse_foil(growth, (bounds.high - bounds.low).maxCoeff(), spacing);
    progress("tetrahedra", 0);
    BodyDepth depth(surface, growth);
    const double margin = growth.sheet_area > 0 || growth.thin_area > 0
                              ? *std::max_element(growth.of_face.begin(), growth.of_face.end())
                              : 0;
    const Bounds around{bounds.low.array() - margin, bounds.high.array() + margin};
    FeaturedMesh mesh = stuffed([&](const Vec3& x) { return depth(x); }, around, spacing, progress);
    if (mesh.mesh.cells.rows() == 0) throw Error("the surface encloses no volume; give it thickness");
    const double most = borne_excess * most_lattice_elements * cube(std::max(1.0, options.refinement));
    const double excess = static_cast<double>(mesh.mesh.cells.rows()) / most;
    // Elements of walls that are one of them thick number as the square of their fineness.
    if (options.edge_length > 0 || excess <= 1) return {spacing, growth, std::move(depth), std::move(mesh)};
    return filled(surface, options, sheet_thickness, 1.05 * std::sqrt(excess) * spacing, progress);
}

}  // namespace

Tetrahedralization lattice_mesh(const Surface& surface, const TetOptions& options, const std::string& why,
                                const Progress& progress) {
    const Bounds bounds = bounds_of(surface.vertices);
    const double size = (bounds.high - bounds.low).maxCoeff();
    const double sheet_thickness = options.thickness > 0 ? options.thickness : size / 100;
    const auto [spacing, growth, depth, all] =
        filled(surface, options, sheet_thickness, lattice_spacing(surface, size, sheet_thickness, options),
               part_of(progress, 0, 0.3));
    const FeaturedMesh largest = largest_piece(all);
    TetComplex complex = complex_of(largest);
    sharpen(
        complex, surface, [&](const Vec3& x) { return depth(x); }, spacing);
    const TetMesh raw = mesh_of(complex);
    const Surface boundary = flat(skin_of(raw));
    Sizing sizing = sizing_of(boundary, options);
    sizing.roughness = 0.1 * spacing;
    TetMesh mesh = shaped(complex, boundary, false, sizing, part_of(progress, 0.3, 0.8));
    if (const double excess = excess_of(mesh, options); excess > 1) {
        lengthen(sizing, std::sqrt(excess), options);
        mesh = shaped(complex, boundary, false, sizing, part_of(progress, 0.8, 1));
    }
    if (!mismatch(mesh, boundary).empty()) mesh = raw;

    const auto volume = [](const TetMesh& tets) { return mass_properties(flat(skin_of(tets))).volume; };
    Tetrahedralization result{.mesh = mesh,
                              .surface = boundary,
                              .edge_length = sizing.longest(),
                              .min_dihedral_deg = min_dihedral_deg(mesh),
                              .lattice_spacing = spacing,
                              .messages = {}};
    add_messages(result.messages, why, spacing, growth, depth, 1 - volume(largest.mesh) / volume(all.mesh));
    result.messages.insert(result.messages.end(), sizing.messages.begin(), sizing.messages.end());
    return result;
}

}  // namespace clangor::geometry
