// What is wrong with a shell before anything is computed of it, and whether its triangles are short enough.
#include <clangor/vibration/shell/shell.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace clangor {
namespace {

// A shell thicker than a fifth of its extent, or thinner than gold leaf on a football pitch, comes of wrong units.
constexpr double thickest = 0.2, thinnest = 1e-7;
// Six edges per wavelength: measured, the first ten modes of a free square plate within 1 % (tests/vibration/shell).
constexpr double longest_wave_step = 2 * pi / 6;
// Edge² / (radius · thickness): what chords instead of arcs cost. 2: within about 1 % on the free cylinder.
constexpr double longest_facet = 2;
// Triangles that meet at a larger angle are a crease, not a coarse curve.
constexpr double crease = 0.7;

Vec3 corner_of(const Surface& surface, long face, int i) { return surface.vertices.row(surface.faces(face, i)); }

double thickness_at(const ThinShell& shell, int vertex) {
    return shell.thickness[shell.thickness.size() == 1 ? 0 : vertex];
}

// Which of the sides of faces belong to each edge; a side starts at corner % 3 of face corner / 3.
using EdgeSides = std::map<std::pair<int, int>, std::vector<long>>;

EdgeSides edge_sides(const Triangles& faces) {
    EdgeSides edges;
    for (long f = 0; f < faces.rows(); ++f)
        for (int i = 0; i < 3; ++i) edges[std::minmax(faces(f, i), faces(f, (i + 1) % 3))].push_back(3 * f + i);
    return edges;
}

std::optional<std::string> index_problem(const Surface& surface) {
    if (surface.faces.rows() == 0) return "the shell has no triangles; check the mesh";
    for (long f = 0; f < surface.faces.rows(); ++f)
        for (int i = 0; i < 3; ++i)
            if (surface.faces(f, i) < 0 || surface.faces(f, i) >= surface.vertices.rows())
                return fmt::format("triangle {} names vertex {}, but there are only {}; export the mesh again", f + 1,
                                   surface.faces(f, i) + 1, surface.vertices.rows());
    for (long v = 0; v < surface.vertices.rows(); ++v)
        if (!surface.vertices.row(v).allFinite())
            return fmt::format("vertex {} is at no finite place; export the mesh again", v + 1);
    return {};
}

std::optional<std::string> thickness_problem(const ThinShell& shell) {
    const long given = shell.thickness.size(), vertices = shell.middle.vertices.rows();
    if (given != 1 && given != vertices)
        return fmt::format("the shell has {} thicknesses, but needs one for all or one for each of its {} vertices",
                           given, vertices);
    const double extent = bounds_of(shell.middle.vertices).diagonal();
    for (long v = 0; v < given; ++v) {
        const double h = shell.thickness[v];
        const std::string where = given == 1 ? std::string() : fmt::format(" at vertex {}", v + 1);
        if (!(h > 0) || !std::isfinite(h))
            return fmt::format("the thickness of the shell{} must be positive, but is {:g} m", where, h);
        if (h > thickest * extent)
            return fmt::format(
                "the thickness of the shell{} is {:g} m, more than a fifth of its extent of {:.3g} m: that is no thin "
                "shell; check the units, or make it a solid",
                where, h, extent);
        if (h < thinnest * extent)
            return fmt::format(
                "the thickness of the shell{} is {:g} m, less than 1e-7 of its extent of {:.3g} m; check the units",
                where, h, extent);
    }
    return {};
}

std::optional<std::string> area_problem(const Surface& surface) {
    for (long f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 a = corner_of(surface, f, 0), b = corner_of(surface, f, 1), c = corner_of(surface, f, 2);
        const double longest_sq = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
        if (!((b - a).cross(c - a).norm() > 1e-8 * longest_sq))
            return fmt::format("triangle {} of the shell has no area; clean the mesh", f + 1);
    }
    return {};
}

std::optional<std::string> edge_problem(const Triangles& faces, const EdgeSides& edges) {
    int crowded = 0, flipped = 0;
    std::string first_crowded, first_flipped;
    for (const auto& [edge, sides] : edges) {
        if (sides.size() > 2 && ++crowded == 1)
            first_crowded = fmt::format("{} and {} has {} triangles", edge.first + 1, edge.second + 1, sides.size());
        const auto starts_at = [&](long side) { return faces(side / 3, side % 3); };
        if (sides.size() == 2 && starts_at(sides[0]) == starts_at(sides[1]) && ++flipped == 1)
            first_flipped = fmt::format("{} and {}", sides[0] / 3 + 1, sides[1] / 3 + 1);
    }
    if (crowded > 0)
        return fmt::format(
            "{} edges of the shell have more than two triangles (that between vertices {}), where a shell has "
            "no sides; take walls that join it apart, or make it a solid",
            crowded, first_crowded);
    if (flipped > 0)
        return fmt::format(
            "the triangles of the shell are not wound alike: at {} edges two neighbours face opposite sides (first "
            "triangles {}); orient the mesh, and cut it where it has only one side",
            flipped, first_flipped);
    return {};
}

// Around each vertex the triangles must hang together by edges: then all of them are reached from one.
std::optional<std::string> vertex_problem(const Surface& surface, const EdgeSides& edges) {
    const long vertices = surface.vertices.rows();
    std::vector<int> triangles(vertices, 0), joints(vertices, 0), rims(vertices, 0);
    for (long k = 0; k < surface.faces.size(); ++k) ++triangles[surface.faces.data()[k]];
    for (const auto& [edge, sides] : edges)
        for (const int v : {edge.first, edge.second}) ++(sides.size() == 2 ? joints : rims)[v];
    for (long v = 0; v < vertices; ++v)
        if (triangles[v] == 0)
            return fmt::format("vertex {} of the shell belongs to no triangle; clean the mesh", v + 1);
    // A fan has one joint less than triangles and two rims, a ring as many joints and no rim: two fans have four rims.
    for (long v = 0; v < vertices; ++v)
        if (rims[v] > 2)
            return fmt::format(
                "the shell hangs together by the single vertex {}, which holds nothing; join the parts along an edge",
                v + 1);
    return {};
}

double bending_stiffness(const Material& material, double thickness) {
    return material.young * cube(thickness) / (12 * (1 - square(material.poisson)));
}

// Where edges are longest against the waves.
struct Coarsest {
    double hz = std::numeric_limits<double>::infinity();
    long face = 0;
    double edge = 0, thickness = 0;
};

Coarsest coarsest_of(const ThinShell& shell, const Material& material) {
    Coarsest coarsest;
    for (long f = 0; f < shell.middle.faces.rows(); ++f) {
        double edge = 0, h = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 3; ++i) {
            edge = std::max(edge, (corner_of(shell.middle, f, i) - corner_of(shell.middle, f, (i + 1) % 3)).norm());
            h = std::min(h, thickness_at(shell, shell.middle.faces(f, i)));
        }
        // ω = k² √(D/ρh)
        const double hz = square(longest_wave_step / edge) / (2 * pi) *
                          std::sqrt(bending_stiffness(material, h) / (material.density * h));
        if (hz < coarsest.hz) coarsest = {hz, f, edge, h};
    }
    return coarsest;
}

// Where chords stand for arcs at the largest cost: edge² / (radius · thickness).
struct Facet {
    double ratio = 0;
    std::pair<int, int> edge;
    double angle = 0, thickness = 0;
};

Facet largest_facet(const ThinShell& shell) {
    const Surface& surface = shell.middle;
    const auto corners = [&](long f) {
        return std::array<Vec3, 3>{corner_of(surface, f, 0), corner_of(surface, f, 1), corner_of(surface, f, 2)};
    };
    Facet largest;
    for (const auto& [edge, sides] : edge_sides(surface.faces)) {
        if (sides.size() != 2) continue;
        const auto [a, b, c] = corners(sides[0] / 3);
        const auto [d, e, f] = corners(sides[1] / 3);
        const Vec3 here = (b - a).cross(c - a), there = (e - d).cross(f - d);
        const double angle = std::atan2(here.cross(there).norm(), here.dot(there));
        if (angle > crease) continue;
        // Across the edge the centres of triangles with edges l are l/√3 apart, on a circle of radius apart/angle.
        const double apart = ((a + b + c) - (d + e + f)).norm() / 3;
        const double h = std::min(thickness_at(shell, edge.first), thickness_at(shell, edge.second));
        if (const double ratio = 3 * apart * angle / h; ratio > largest.ratio) largest = {ratio, edge, angle, h};
    }
    return largest;
}

}  // namespace

std::vector<std::string> problems_of(const ThinShell& shell) {
    std::vector<std::string> problems;
    const auto add = [&](std::optional<std::string> problem) {
        if (problem) problems.push_back(std::move(*problem));
    };
    add(index_problem(shell.middle));
    if (!problems.empty()) return problems;
    add(thickness_problem(shell));
    add(area_problem(shell.middle));
    const EdgeSides edges = edge_sides(shell.middle.faces);
    add(edge_problem(shell.middle.faces, edges));
    add(vertex_problem(shell.middle, edges));
    return problems;
}

double longest_edge(const Material& material, double thickness, double hz) {
    const double k =
        std::sqrt(2 * pi * hz * std::sqrt(material.density * thickness / bending_stiffness(material, thickness)));
    return longest_wave_step / k;
}

double resolved_hz(const ThinShell& shell, const Material& material) { return coarsest_of(shell, material).hz; }

std::vector<std::string> resolution_problems(const ThinShell& shell, const Material& material, double max_hz) {
    std::vector<std::string> problems;
    if (const Coarsest at = coarsest_of(shell, material); at.hz < max_hz)
        problems.push_back(fmt::format(
            "the triangles of the shell follow bending waves up to {:.4g} Hz, but modes up to {:g} Hz are wanted: "
            "triangle {} has an edge of {:.3g} m where a wall of {:.3g} m needs {:.3g} m; refine the mesh, or ask for "
            "lower modes",
            at.hz, max_hz, at.face + 1, at.edge, at.thickness, longest_edge(material, at.thickness, max_hz)));
    if (const Facet at = largest_facet(shell); at.ratio > longest_facet)
        problems.push_back(fmt::format(
            "the triangles of the shell are too coarse for its curvature: at the edge between vertices {} and {} they "
            "meet at {:.2g}°, where a wall of {:.3g} m needs {:.2g}°; refine the mesh along the true surface",
            at.edge.first + 1, at.edge.second + 1, at.angle * 180 / pi, at.thickness,
            at.angle * 180 / pi * std::sqrt(longest_facet / at.ratio)));
    return problems;
}

}  // namespace clangor
