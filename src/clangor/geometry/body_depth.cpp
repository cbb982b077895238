#include <clangor/geometry/body_depth.hpp>

#include <clangor/geometry/surface_pieces.hpp>
#include <clangor/geometry/thickness.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor::geometry {
namespace {

constexpr int most_bridged_pieces = 64;
constexpr double no_wall = 1e-4;       // of the longest side: thinner walls are none
constexpr double flat_winding = 0.15;  // faces with less are of a sheet, whatever else their piece is
constexpr int samples_of_surface = 20000;

double area_of_face(const Surface& surface, int f, Vec3& normal, Vec3& middle) {
    const Vec3 a = surface.vertices.row(surface.faces(f, 0)), b = surface.vertices.row(surface.faces(f, 1)),
               c = surface.vertices.row(surface.faces(f, 2));
    normal = (b - a).cross(c - a);
    const double area = normal.norm() / 2;
    if (area > 0) normal /= 2 * area;
    middle = (a + b + c) / 3;
    return area;
}

/// How far the surface winds around each face's middle, half way between its two sides: a half on a closed body.
std::vector<double> winding_on_faces(const Surface& surface) {
    const WindingNumber winding(surface);
    const long count = surface.faces.rows(), every = std::max(1L, count / samples_of_surface);
    std::vector<double> found(count, 0.5);
    parallel_for((count + every - 1) / every, [&](long i) {
        Vec3 normal, middle;
        const double area = area_of_face(surface, static_cast<int>(i * every), normal, middle);
        const Vec3 aside = 1e-3 * std::sqrt(area) * normal;
        const double half = (winding(middle + aside) + winding(middle - aside)) / 2;
        for (long f = i * every; f < std::min(count, (i + 1) * every); ++f) found[f] = std::abs(half);
    });
    return found;
}

/// Whether each face is of a sheet, with nothing behind it. Pieces are judged as wholes, flat parts by themselves.
std::vector<char> open_sheets(const Surface& surface, double least_winding) {
    std::vector<char> is_sheet(surface.faces.rows(), 0);
    if (topology_of(surface).closed()) return is_sheet;
    const std::vector<double> winding = winding_on_faces(surface);
    const std::vector<int> piece = piece_of_faces(surface);
    std::vector<double> area(1 + *std::max_element(piece.begin(), piece.end()), 0), weighted = area;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        Vec3 normal, middle;
        const double of_face = area_of_face(surface, f, normal, middle);
        area[piece[f]] += of_face;
        weighted[piece[f]] += of_face * winding[f];
    }
    for (int f = 0; f < surface.faces.rows(); ++f)
        is_sheet[f] = weighted[piece[f]] < least_winding * area[piece[f]] || winding[f] < flat_winding;
    return is_sheet;
}

/// The mean thickness behind each face, as far as samples tell.
std::vector<double> thickness_of_faces(const Surface& surface) {
    std::vector<double> sum(surface.faces.rows(), 0), weight = sum;
    for (const ThicknessSample& sample : thickness_samples(surface, samples_of_surface)) {
        sum[sample.face] += sample.area * sample.thickness;
        weight[sample.face] += sample.area;
    }
    double last = 0;
    for (long f = surface.faces.rows() - 1; f >= 0; --f) {
        if (weight[f] > 0) last = sum[f] / weight[f];
        sum[f] = last;
    }
    return sum;
}

}  // namespace

bool is_sheet(const Surface& surface, double least_winding) {
    const std::vector<char> open = open_sheets(surface, least_winding);
    return std::count(open.begin(), open.end(), 1) == std::ssize(open);
}

WallGrowth wall_growth(const Surface& surface, double sheet_thickness, double least_wall, double least_winding) {
    const Bounds bounds = bounds_of(surface.vertices);
    const double size = (bounds.high - bounds.low).maxCoeff();
    const std::vector<char> is_open = open_sheets(surface, least_winding);
    const std::vector<double> thickness = thickness_of_faces(surface);
    WallGrowth growth{.of_face = std::vector<double>(surface.faces.rows(), 0), .thinnest = size};
    growth.sheet_thickness = std::max(sheet_thickness, least_wall);
    for (int f = 0; f < surface.faces.rows(); ++f) {
        Vec3 normal, middle;
        const double area = area_of_face(surface, f, normal, middle);
        const bool is_double = !is_open[f] && thickness[f] < no_wall * size;  // both of its sides are faces
        if (is_open[f] || is_double) {
            growth.of_face[f] = growth.sheet_thickness / 2;
            growth.sheet_area += is_double ? area / 2 : area;
        } else if (thickness[f] < least_wall) {
            growth.of_face[f] = (least_wall - thickness[f]) / 2;
            growth.thin_area += area / 2;
            growth.mean_thin += area / 2 * thickness[f];
            growth.thinnest = std::min(growth.thinnest, thickness[f]);
        } else {
            growth.other_area += area / 2;
        }
    }
    if (growth.thin_area > 0) growth.mean_thin /= growth.thin_area;
    return growth;
}

BodyDepth::BodyDepth(const Surface& surface, const WallGrowth& growth) : winding_(surface), closest_(surface) {
    if (mass_properties(surface).volume < 0) facing_ = -1;
    std::vector<int> rows;
    for (int f = 0; f < surface.faces.rows(); ++f)
        if (growth.of_face[f] > 0) {
            rows.push_back(f);
            growth_.push_back(growth.of_face[f]);
        }
    if (!rows.empty()) growing_.emplace(Surface{surface.vertices, surface.faces(rows, Eigen::all)});
    add_bridges(surface);
}

/// The shortest ways that join all pieces: from those that are joined to the nearest other one, again and again.
void BodyDepth::add_bridges(const Surface& surface) {
    const std::vector<SurfacePiece> pieces = geometry::pieces_of(surface);
    const int count = static_cast<int>(pieces.size());
    if (count == 1 || count > most_bridged_pieces) return;
    const PieceDistances distance(pieces);
    const double infinite = std::numeric_limits<double>::infinity();
    std::vector<double> gap(count, infinite);
    std::vector<int> nearest(count, 0);
    std::vector<char> is_joined(count, 0);
    for (int joined = 0, step = 1; step < count; ++step) {
        is_joined[joined] = 1;
        int next = -1;
        for (int i = 0; i < count; ++i) {
            if (is_joined[i]) continue;
            const double d = distance(joined, i, gap[i]);
            if (d < gap[i]) {
                gap[i] = d;
                nearest[i] = joined;
            }
            if (next < 0 || gap[i] < gap[next]) next = i;
        }
        if (gap[next] > 0) {
            const double wall = std::min(pieces[next].wall, pieces[nearest[next]].wall);
            bridges_.push_back({nearest[next], next, gap[next], gap[next] + 0.1 * wall});
        }
        joined = next;
    }
    if (bridges_.empty()) return;
    for (const SurfacePiece& piece : pieces) pieces_.emplace_back(piece.surface);
}

double BodyDepth::longest_bridge() const {
    double longest = 0;
    for (const Bridge& bridge : bridges_) longest = std::max(longest, bridge.gap);
    return longest;
}

double BodyDepth::operator()(const Vec3& x) const {
    // Across a gap the boundary is where the surface winds half around, far from any face.
    const double distance = closest_(x).distance;
    double depth = -distance;
    if (growing_) {
        const ClosestPoint near = (*growing_)(x);
        depth = std::max(depth, growth_[near.face] - near.distance);
    }
    if (depth < distance) depth = std::max(depth, distance * std::clamp(4 * facing_ * winding_(x) - 2, -1.0, 1.0));
    for (const Bridge& bridge : bridges_) {
        if (bridge.reach < 2 * distance) continue;
        depth = std::max(depth, (bridge.reach - pieces_[bridge.a](x).distance - pieces_[bridge.b](x).distance) / 2);
    }
    return depth;
}

}  // namespace clangor::geometry
