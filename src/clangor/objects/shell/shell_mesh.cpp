#include <clangor/objects/shell/shell_mesh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Remeshing leaves edges of up to so many times the length that is asked for.
constexpr double longest_of_mesh = 1.3;
// The first ten modes of a square are within 1 % with 8 × 8 cells (docs/theory/shell.md); its sound wants more: flat
// triangles of a bowl with 18 cells each way are 1.5 dB too quiet, with 38 less than 0.5 dB.
constexpr double least_cells = 30;
// Given triangles stay where they are no worse than this, and no more than needed by so much.
constexpr double least_angle_deg = 20, most_faces = 3;
// Next to creases of fine meshes a few faces are turned.
constexpr double most_turned = 0.1;

struct Triangulation {
    double longest = 0, least_angle = pi;
};

Triangulation measured(const Surface& surface) {
    Triangulation result;
    for (long f = 0; f < surface.faces.rows(); ++f) {
        const auto at = [&](int k) { return Vec3(surface.vertices.row(surface.faces(f, k % 3))); };
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = at(k + 1) - at(k), b = at(k + 2) - at(k);
            result.longest = std::max(result.longest, a.norm());
            result.least_angle = std::min(result.least_angle, std::atan2(a.cross(b).norm(), a.dot(b)));
        }
    }
    return result;
}

bool serves(const Surface& surface, double edge) {
    const Triangulation given = measured(surface);
    const double needed = area_of(surface) / (std::sqrt(3.0) / 4 * square(edge));
    return given.longest <= longest_of_mesh * edge && given.least_angle >= least_angle_deg * pi / 180 &&
           double(surface.faces.rows()) <= most_faces * std::max(needed, 100.0);
}

// Of faces that look the other way on the inner side of a curve that is sharper than the wall is thick.
double turned_area(const Surface& surface, double thickness) {
    const Surface wall = two_sided(surface, thickness);
    const long faces = surface.faces.rows();
    double turned = 0;
    for (long f = 0; f < 2 * faces; ++f) {
        const auto normal = [](const Surface& of, long face) {
            const auto at = [&](int k) { return Vec3(of.vertices.row(of.faces(face, k))); };
            return Vec3((at(1) - at(0)).cross(at(2) - at(0)));
        };
        const Vec3 middle = (f < faces ? 0.5 : -0.5) * normal(surface, f % faces);
        if (middle.dot(normal(wall, f)) <= 0) turned += middle.norm();
    }
    return turned;
}

bool is_shell(const Surface& surface, double thickness) {
    return problems_of(ThinShell{surface, Eigen::VectorXd::Constant(1, thickness)}).empty();
}

// Stricter until it is sound, and has the area that it should.
Surface remeshed_shell(const Surface& surface, double thickness, double edge) {
    const double area = area_of(surface);
    for (const double strictness : {1.0, 2.0, 4.0}) {
        Surface mesh = remeshing::remeshed(surface, remeshing::original_of(surface, edge, strictness), edge);
        if (is_shell(mesh, thickness) && std::abs(area_of(mesh) - area) < 5e-3 * area) return mesh;
    }
    return remeshing::refined(surface, edge);
}

bool follows_curvature(const Surface& surface, double thickness, const Material& material) {
    return resolution_problems({surface, Eigen::VectorXd::Constant(1, thickness)}, material, 0).empty();
}

// Where on the edge from a to b the border is, as a part of it; the ends are on different sides.
double crossing(const Vec3& a, const Vec3& b, const PatchDistance& distance) {
    const bool first_is_inside = distance(a) < 0;
    double low = 0, high = 1;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        ((distance(a + middle * (b - a)) < 0) == first_is_inside ? low : high) = middle;
    }
    return (low + high) / 2;
}

class BorderCut {
public:
    BorderCut(const Surface& surface, const PatchDistance& distance)
        : net_(remeshing::net_of(surface)), distance_(distance) {
        for (const Vec3& x : net_.x) side_.push_back(side_of(x));
    }

    void refine(double longest) {
        for (int pass = 0; pass < most_refinements; ++pass) {
            double length = longest * (1 + 1e-9);
            std::array<int, 2> chosen = {-1, -1};
            for (const auto& [a, b] : remeshing::edges_of(net_))
                if (const double l = remeshing::length(net_, a, b); l > length && touches(a, b)) {
                    length = l;
                    chosen = {a, b};
                }
            if (chosen[0] < 0) return;
            split(chosen[0], chosen[1], 0.5);
        }
    }

    Surface run() {
        for (const auto& [a, b] : remeshing::edges_of(net_)) {
            if (side_[size_t(a)] * side_[size_t(b)] >= 0) continue;
            const double t = crossing(net_.x[size_t(a)], net_.x[size_t(b)], distance_);
            const Vec3 x = net_.x[size_t(a)] + t * (net_.x[size_t(b)] - net_.x[size_t(a)]);
            if (t < near_end && may_move(a, b))
                move(a, x);
            else if (t > 1 - near_end && may_move(b, a))
                move(b, x);
        }
        for (const auto& [a, b] : remeshing::edges_of(net_))
            if (side_[size_t(a)] * side_[size_t(b)] < 0)
                side_[size_t(split(a, b, crossing(net_.x[size_t(a)], net_.x[size_t(b)], distance_)))] = 0;
        return remeshing::surface_from(net_);
    }

private:
    static constexpr int most_refinements = 4000;
    static constexpr double near_end = 0.3;

    int side_of(const Vec3& x) const {
        const double d = distance_(x);
        return d < 0 ? -1 : d > 0 ? 1 : 0;
    }
    bool touches(int a, int b) const {
        return side_[size_t(a)] <= 0 || side_[size_t(b)] <= 0 ||
               distance_((net_.x[size_t(a)] + net_.x[size_t(b)]) / 2) < 0;
    }
    int split(int a, int b, double share) {
        const Vec3 x = net_.x[size_t(a)] + share * (net_.x[size_t(b)] - net_.x[size_t(a)]);
        const int added = remeshing::split(net_, a, b, x);
        side_.push_back(side_of(x));
        return added;
    }
    // Vertices of creases and rims slide along them only.
    bool may_move(int a, int b) const {
        if (net_.fixed[size_t(a)]) return false;
        return net_.lines[size_t(a)].empty() || remeshing::on_line(net_, a, b);
    }
    void move(int v, const Vec3& x) {
        net_.x[size_t(v)] = x;
        side_[size_t(v)] = 0;
    }

    remeshing::SurfaceNet net_;
    const PatchDistance& distance_;
    std::vector<int> side_;  // of each vertex: −1 within, 0 on the border
};

}  // namespace

void check_shell(const Surface& surface, double thickness) {
    const std::vector<std::string> problems = problems_of(ThinShell{surface, Eigen::VectorXd::Constant(1, thickness)});
    if (!problems.empty()) throw Error(problems.front());
    const int pieces = topology_of(surface).pieces;
    if (pieces > 1)
        throw Error(
            fmt::format("the shell is in {} pieces, which nothing joins; make each an object of its own", pieces));
    if (turned_area(surface, thickness) > most_turned * area_of(surface))
        throw Error(
            fmt::format("a wall of {:.3g} mm is too thick for the curves of the surface, where its sides meet; "
                        "make it thinner, or a solid",
                        1e3 * thickness));
}

double shell_edge(const Surface& surface, double thickness, const Material& material,
                  const scene::SolidOptions& options, double max_hz) {
    if (options.edge_length > 0) return options.edge_length / longest_of_mesh;
    const double needed = longest_edge(material, thickness, max_hz) / longest_of_mesh;
    return std::min(needed, std::sqrt(area_of(surface)) / least_cells) / options.refinement;
}

Surface shell_mesh(const Surface& surface, double thickness, const Material& material,
                   const scene::SolidOptions& options, double max_hz) {
    double edge = shell_edge(surface, thickness, material, options, max_hz);
    Surface mesh = surface;
    for (int attempt = 0; attempt < 4; ++attempt, edge *= 0.7) {
        mesh = serves(surface, edge) ? surface : remeshed_shell(surface, thickness, edge);
        if (options.edge_length > 0 || follows_curvature(mesh, thickness, material)) break;
    }
    check_shell(mesh, thickness);
    return mesh;
}

Surface cut_along_border(const Surface& surface, const PatchDistance& distance, double longest) {
    BorderCut cut(surface, distance);
    if (longest > 0) cut.refine(longest);
    return cut.run();
}

}  // namespace clangor
