#include <clangor/radiation/bem/sounding_faces.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace clangor::bem {
namespace {

Vec3 corner(const Surface& surface, long face, int i) { return surface.vertices.row(surface.faces(face, i)); }

void check_numbers(const Surface& surface) {
    if (surface.faces.rows() == 0) throw Error("the radiating surface has no faces");
    if (!surface.vertices.allFinite()) throw Error("the radiating surface has a vertex that is not finite");
    if (surface.faces.minCoeff() < 0 || surface.faces.maxCoeff() >= surface.vertices.rows())
        throw Error("the radiating surface names a vertex that does not exist");
    for (long f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 a = corner(surface, f, 0), b = corner(surface, f, 1), c = corner(surface, f, 2);
        const double longest_sq = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
        // Thinner slivers lose all digits of their normal in single precision.
        if (!((b - a).cross(c - a).norm() > 1e-6 * longest_sq))
            throw Error(fmt::format("face {} of the radiating surface has no area. Clean the surface or remesh it", f));
    }
}

struct Edge {
    int low, high, face;
    bool forward;
    bool same_as(const Edge& other) const { return low == other.low && high == other.high; }
};

std::vector<Edge> sorted_edges(const Surface& surface) {
    std::vector<Edge> edges;
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int i = 0; i < 3; ++i) {
            const int a = surface.faces(f, i), b = surface.faces(f, (i + 1) % 3);
            edges.push_back({std::min(a, b), std::max(a, b), f, a < b});
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::array{a.low, a.high, a.face} < std::array{b.low, b.high, b.face};
    });
    return edges;
}

int root_of(std::vector<int>& parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// The piece of each face, by the lowest face in it, and which pieces have a rim.
struct Pieces {
    std::vector<int> piece_of;
    std::vector<bool> has_rim;  // by lowest face
    std::vector<bool> on_rim;   // by vertex
};

Pieces pieces_of(const Surface& surface) {
    const std::vector<Edge> edges = sorted_edges(surface);
    std::vector<int> parent(surface.faces.rows());
    std::iota(parent.begin(), parent.end(), 0);
    Pieces out;
    out.on_rim.assign(surface.vertices.rows(), false);
    std::vector<int> rim_faces;
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i + 1;
        while (end < edges.size() && edges[end].same_as(edges[i])) ++end;
        if (end - i > 2 || (end - i == 2 && edges[i].forward == edges[i + 1].forward))
            throw Error(fmt::format(
                "the radiating surface has an edge (vertices {} and {}) with {}. Clean the surface", edges[i].low,
                edges[i].high, end - i > 2 ? "more than two faces" : "two faces that are wound against each other"));
        if (end - i == 1) {
            rim_faces.push_back(edges[i].face);
            out.on_rim[edges[i].low] = out.on_rim[edges[i].high] = true;
        } else {
            const int a = root_of(parent, edges[i].face), b = root_of(parent, edges[i + 1].face);
            parent[std::max(a, b)] = std::min(a, b);
        }
        i = end;
    }
    out.has_rim.assign(parent.size(), false);
    for (const int f : rim_faces) out.has_rim[root_of(parent, f)] = true;
    for (int f = 0; f < surface.faces.rows(); ++f) out.piece_of.push_back(root_of(parent, f));
    return out;
}

double volume_under(const Surface& surface, long f, const Vec3& origin) {
    return (corner(surface, f, 0) - origin)
               .dot((corner(surface, f, 1) - origin).cross(corner(surface, f, 2) - origin)) /
           6;
}

// How often the other pieces wind around the point: 1 inside a body  [VanOosterom1983, Eq. 8].
double winding_of_others(const Surface& surface, const std::vector<int>& piece_of, int own, const Vec3& point) {
    double sum = 0;
    for (long f = 0; f < surface.faces.rows(); ++f) {
        if (piece_of[f] == own) continue;
        const Vec3 a = corner(surface, f, 0) - point, b = corner(surface, f, 1) - point,
                   c = corner(surface, f, 2) - point;
        const double ra = a.norm(), rb = b.norm(), rc = c.norm();
        sum += 2 * std::atan2(a.dot(b.cross(c)), ra * rb * rc + a.dot(b) * rc + b.dot(c) * ra + c.dot(a) * rb);
    }
    return sum / (4 * pi);
}

// Closed pieces that face inward must be the walls of voids.
std::vector<bool> voids_of(const Surface& surface, const std::vector<int>& piece_of) {
    std::vector<double> volume(piece_of.size(), 0.0);
    for (std::size_t f = 0; f < piece_of.size(); ++f) {
        const std::size_t piece = piece_of[f];
        volume[piece] += volume_under(surface, static_cast<long>(f), corner(surface, static_cast<long>(piece), 0));
    }
    std::vector<bool> is_void(piece_of.size(), false);
    for (std::size_t piece = 0; piece < piece_of.size(); ++piece) {
        if (volume[piece] >= 0) continue;
        const Vec3 point = corner(surface, static_cast<long>(piece), 0);
        if (winding_of_others(surface, piece_of, static_cast<int>(piece), point) < 0.5)
            throw Error(fmt::format(
                "the closed piece of the radiating surface that holds face {} faces inward. Clean the surface", piece));
        is_void[piece] = true;
    }
    return is_void;
}

}  // namespace

SoundingFaces sounding_faces(const Surface& surface) {
    check_numbers(surface);
    const Pieces pieces = pieces_of(surface);
    SoundingFaces out;
    out.on_rim = pieces.on_rim;
    long open = 0;
    for (const int piece : pieces.piece_of) open += pieces.has_rim[piece] ? 1 : 0;
    const long faces = surface.faces.rows();
    if (open != 0 && open != faces)
        throw Error(fmt::format(
            "the radiating surface has open sheets ({} faces) beside closed bodies ({} faces), which need different "
            "equations. Close the sheets, or let each sound on its own",
            open, faces - open));
    out.open = open != 0;
    const std::vector<bool> is_void =
        out.open ? std::vector<bool>(pieces.piece_of.size(), false) : voids_of(surface, pieces.piece_of);
    for (int f = 0; f < faces; ++f)
        if (!is_void[pieces.piece_of[f]]) out.faces.push_back(f);
    if (static_cast<long>(out.faces.size()) != faces)
        out.warnings.push_back(fmt::format(
            "{} faces are walls of closed voids inside the body, which are not heard: their pressure is set to 0",
            faces - static_cast<long>(out.faces.size())));
    return out;
}

}  // namespace clangor::bem
