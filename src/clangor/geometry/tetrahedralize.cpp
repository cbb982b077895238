#include <clangor/geometry/lattice_mesh.hpp>
#include <clangor/geometry/mesh_quality.hpp>
#include <clangor/geometry/rounded.hpp>
#include <clangor/geometry/shaped.hpp>
#include <clangor/geometry/sharp_lines.hpp>
#include <clangor/geometry/sizing.hpp>
#include <clangor/geometry/solid_surface.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using geometry::part_of;
using geometry::Sizing;

constexpr int attempts = 4;
constexpr double most_again = 200e3;   // elements of a second or third attempt
constexpr int most_faces = 1'000'000;  // CGAL takes about 1 kB for each; scans of more have detail that nobody hears
// What Delaunay refinement may take, unless an edge length is asked for: some 30 s.
constexpr double most_refined_elements = 400e3;
// Questions for lengths that it asks, per element, and how often more of them than that are borne.
constexpr double questions_per_element = 30, patience = 4;
// Along sharp lines, per ball that should cover them: good bodies place up to 10, and measure up to 26 lengths. Where
// lines meet at small angles or nearly touch, balls shrink without end, and time grows with the square of their number.
constexpr double placed_per_ball = 15, measured_per_ball = 50, spare = 2000;
// Balls that one line takes before the next is measured, of those that should cover all lines.
constexpr double share_of_one_line = 2, spare_of_one_line = 200;

/// How many balls of the wanted size cover the sharp lines.
double balls_on_lines(const Surface& surface, const Sizing& sizing, double fineness) {
    const Surface lines = geometry::sharp_lines(surface);
    double count = 0;
    for (int f = 0; f < lines.faces.rows(); ++f) {
        const Vec3 a = lines.vertices.row(lines.faces(f, 0)), b = lines.vertices.row(lines.faces(f, 1));
        count += (b - a).norm() / (sizing.refined(sizing.thickness((a + b) / 2)) / fineness);
    }
    return count;
}

geometry::TetComplex refined_complex(const Surface& surface, const Sizing& sizing, double fineness, bool with_lines,
                                     const Progress& progress) {
    const double expected = questions_per_element * geometry::refined_elements(sizing) * cube(fineness);
    long asked = 0;
    geometry::MesherOptions options;
    options.edge_length = [&](const Vec3& x) {
        if (++asked % 1024 == 0) progress("tetrahedra", asked / (asked + expected));
        if (asked > patience * expected + 1e6)
            throw geometry::NotThisWay("its details are too fine for the usual elements");
        return sizing.refined(sizing.thickness(x)) / fineness;
    };
    const double balls = with_lines ? balls_on_lines(surface, sizing, fineness) : 0;
    const auto give_up = [] {
        throw geometry::NotThisWay("its sharp lines lie too close to each other for the usual elements");
    };
    long placed = 0, placed_on_line = 0, measured = 0;
    options.ball_placed = [&] {
        if (++placed > placed_per_ball * balls + spare) give_up();
        if (++placed_on_line > share_of_one_line * balls + spare_of_one_line) give_up();
    };
    options.line_measured = [&] {
        placed_on_line = 0;
        if (++measured > measured_per_ball * balls + spare) give_up();
    };
    options.deviation = [&](const Vec3& x) { return sizing.deviation(sizing.thickness(x)); };
    options.sharp_angle_deg = with_lines ? geometry::sharp_angle_deg : 180;
    return complex_of(delaunay_tetrahedra(surface, options));
}

void check(const Surface& surface, const TetOptions& options) {
    if (!(options.edge_length >= 0) || !std::isfinite(options.edge_length))
        throw Error(fmt::format("the edge length of elements must be positive, but is {} m", options.edge_length));
    if (!(options.refinement > 0) || !std::isfinite(options.refinement))
        throw Error(fmt::format("the refinement of elements must be positive, but is {}", options.refinement));
    if (surface.faces.rows() == 0) throw Error("the surface has no faces, so that there is no body; check the mesh");
}

/// The fine way: Delaunay refinement of the inside of a closed surface. Throws NotThisWay where that does not do.
Tetrahedralization from_surface(const Surface& surface, const TetOptions& options, const Progress& progress) {
    if (surface.faces.rows() > most_faces)
        throw geometry::NotThisWay(
            fmt::format("the surface has {} faces, more than the {} that are followed one by one", surface.faces.rows(),
                        most_faces));
    geometry::SolidSurface solid = geometry::solid_surface_of(surface, options);
    bool is_rounded = false;
    if (!solid.wrapped) {
        Surface round = geometry::rounded(solid.surface);
        is_rounded = round.faces.rows() > 0;
        if (is_rounded) solid.surface = std::move(round);
    }
    const Sizing sizing = geometry::sizing_of(solid.surface, options);
    const double most =
        options.edge_length > 0 || options.refinement > 1 ? geometry::max_elements : most_refined_elements;
    std::string trouble = "its walls are too thin for the usual elements";
    double fineness = 1;
    for (int attempt = 0; attempt < attempts; ++attempt, fineness *= 2) {
        // A thin place that the sizing missed is pierced at first, and whole at half the length.
        if (geometry::refined_elements(sizing) * cube(fineness) > (attempt == 0 ? most : std::min(most, most_again)))
            break;
        const TetMesh mesh =
            shaped(refined_complex(solid.surface, sizing, fineness, !solid.wrapped, part_of(progress, 0, 0.5)),
                   solid.surface, true, sizing, part_of(progress, 0.5, 1));
        trouble = geometry::mismatch(mesh, solid.surface);
        if (!trouble.empty()) continue;
        Tetrahedralization result{.mesh = mesh,
                                  .surface = solid.thickened || is_rounded ? solid.surface : surface,
                                  .edge_length = sizing.longest(),
                                  .min_dihedral_deg = geometry::min_dihedral_deg(mesh),
                                  .wrapped = solid.wrapped,
                                  .lattice_spacing = 0,
                                  .messages = solid.messages};
        result.messages.insert(result.messages.end(), sizing.messages.begin(), sizing.messages.end());
        return result;
    }
    throw geometry::NotThisWay(trouble);
}

}  // namespace

Tetrahedralization tetrahedralize(const Surface& surface, const TetOptions& options, const Progress& progress) {
    check(surface, options);
    std::string why;
    if (!options.lattice) try {
            return from_surface(surface, options, progress);
        } catch (const geometry::NotThisWay& error) {
            why = error.what();
        }
    return geometry::lattice_mesh(surface, options, why, progress);
}

}  // namespace clangor
