#include <clangor/geometry/surface_pieces.hpp>

#include <clangor/geometry/edges.hpp>
#include <clangor/geometry/nesting.hpp>
#include <clangor/geometry/pieces.hpp>
#include <clangor/geometry/self_intersection.hpp>
#include <clangor/geometry/thickness.hpp>
#include <clangor/geometry/winding_number.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

namespace clangor::geometry {
namespace {

constexpr int samples_of_piece = 400;
constexpr double infinite = std::numeric_limits<double>::infinity();

double longest_side(const Surface& surface) {
    const Bounds bounds = bounds_of(surface.vertices);
    return (bounds.high - bounds.low).maxCoeff();
}

/// The faces of each group, with their own vertices.
std::vector<Surface> taken_apart(const Surface& surface, const Pieces& groups) {
    std::vector<std::vector<int>> faces(groups.count);
    for (int f = 0; f < surface.faces.rows(); ++f) faces[groups.of_face[f]].push_back(f);
    std::vector<int> number(surface.vertices.rows(), -1);
    std::vector<Surface> result;
    for (const std::vector<int>& rows : faces) {
        Surface part{{}, surface.faces(rows, Eigen::all)};
        std::vector<int> used(part.faces.data(), part.faces.data() + part.faces.size());
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        for (int i = 0; i < std::ssize(used); ++i) number[used[i]] = i;  // in their old order
        part.faces = part.faces.unaryExpr([&](int v) { return number[v]; }).eval();
        part.vertices = surface.vertices(used, Eigen::all);
        result.push_back(std::move(part));
    }
    return result;
}

std::vector<char> closed_pieces(const Surface& surface, const Pieces& pieces) {
    std::vector<char> closed(pieces.count, 1);
    const EdgeTable edges = edge_table(surface.faces, static_cast<int>(surface.vertices.rows()));
    for_each_edge(edges, [&](int, std::span<const EdgeUse> uses) {
        if (uses.size() != 2 || wound_alike(surface.faces, uses[0].corner, uses[1].corner))
            closed[pieces.of_face[uses[0].corner / 3]] = 0;
    });
    return closed;
}

/// The smallest closed piece around a void's wall.
int body_around(const Surface& wall, const std::vector<Surface>& parts, const std::vector<char>& closed,
                const std::vector<char>& is_void) {
    const Vec3 x = wall.vertices.row(0);
    int found = -1;
    double least = infinite;
    for (int i = 0; i < std::ssize(parts); ++i) {
        if (!closed[i] || is_void[i]) continue;
        const double volume = mass_properties(parts[i]).volume;
        if (!(volume < least)) continue;
        const Bounds box = bounds_of(parts[i].vertices);
        if ((x.array() < box.low.array()).any() || (x.array() > box.high.array()).any()) continue;
        if (WindingNumber(parts[i])(x) < 0.5) continue;
        found = i;
        least = volume;
    }
    return found;
}

SurfacePiece measured(Surface surface) {
    const double hundredth = longest_side(surface) / 100;
    SurfacePiece piece{std::move(surface), 0, hundredth};
    piece.volume = std::max(std::abs(mass_properties(piece.surface).volume), hundredth * area_of(piece.surface));
    std::vector<ThicknessSample> samples = thickness_samples(piece.surface, samples_of_piece);
    if (samples.empty()) return piece;
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end(),
                     [](const auto& a, const auto& b) { return a.thickness < b.thickness; });
    if (middle->thickness > 0.1 * hundredth) piece.wall = middle->thickness;
    return piece;
}

FaceForest joined_over_vertices(const Surface& surface) {
    FaceForest forest(static_cast<int>(surface.faces.rows()));
    std::vector<int> first_of_vertex(surface.vertices.rows(), -1);
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) {
            int& first = first_of_vertex[surface.faces(f, k)];
            if (first < 0) first = f;
            forest.join(first, f, false);
        }
    return forest;
}

}  // namespace

Surface joined(const std::vector<const Surface*>& pieces) {
    long vertices = 0, faces = 0;
    for (const Surface* piece : pieces) {
        vertices += piece->vertices.rows();
        faces += piece->faces.rows();
    }
    Surface all{Points(vertices, 3), Triangles(faces, 3)};
    vertices = faces = 0;
    for (const Surface* piece : pieces) {
        all.vertices.middleRows(vertices, piece->vertices.rows()) = piece->vertices;
        all.faces.middleRows(faces, piece->faces.rows()) = piece->faces.array() + static_cast<int>(vertices);
        vertices += piece->vertices.rows();
        faces += piece->faces.rows();
    }
    return all;
}

std::vector<int> piece_of_faces(const Surface& surface) {
    FaceForest forest = joined_over_vertices(surface);
    return clangor::pieces_of(forest, static_cast<int>(surface.faces.rows())).of_face;
}

std::vector<SurfacePiece> pieces_of(const Surface& surface) {
    const int face_count = static_cast<int>(surface.faces.rows());
    FaceForest forest = joined_over_vertices(surface);
    Pieces pieces = clangor::pieces_of(forest, face_count);
    std::vector<Surface> parts = taken_apart(surface, pieces);
    const std::vector<char> closed = closed_pieces(surface, pieces);
    const std::vector<char> is_void = void_walls(surface, pieces, closed);
    if (std::count(is_void.begin(), is_void.end(), 1) > 0) {
        std::vector<int> first_face(pieces.count, -1);
        for (int f = face_count - 1; f >= 0; --f) first_face[pieces.of_face[f]] = f;
        for (int i = 0; i < pieces.count; ++i) {
            const int body = is_void[i] ? body_around(parts[i], parts, closed, is_void) : -1;
            if (body >= 0) forest.join(first_face[i], first_face[body], false);
        }
        pieces = clangor::pieces_of(forest, face_count);
        parts = taken_apart(surface, pieces);
    }
    std::vector<SurfacePiece> result;
    for (Surface& part : parts) result.push_back(measured(std::move(part)));
    std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.volume > b.volume; });
    return result;
}

PieceDistances::PieceDistances(const std::vector<SurfacePiece>& pieces) : pieces_(pieces), cut_by_(pieces.size()) {
    std::vector<const Surface*> surfaces;
    std::vector<int> of_face;
    for (int i = 0; i < std::ssize(pieces); ++i) {
        const Surface& piece = pieces[i].surface;
        surfaces.push_back(&piece);
        of_face.resize(of_face.size() + piece.faces.rows(), i);
        boxes_.push_back(bounds_of(piece.vertices));
        closest_.emplace_back(piece);
        std::vector<Vec3>& samples = samples_.emplace_back();
        for (const ThicknessSample& sample : thickness_samples(piece, samples_of_piece))
            samples.push_back(sample.point);
        const long every = std::max<long>(1, piece.vertices.rows() / samples_of_piece);
        for (long v = 0; v < piece.vertices.rows(); v += every) samples.emplace_back(piece.vertices.row(v));
    }
    for (const auto& [a, b] : groups_that_cut(joined(surfaces), of_face)) {
        cut_by_[a].push_back(b);
        cut_by_[b].push_back(a);
    }
}

double PieceDistances::operator()(int a, int b, double most) const {
    if (std::find(cut_by_[a].begin(), cut_by_[a].end(), b) != cut_by_[a].end()) return 0;
    const Vec3 apart = (boxes_[a].low - boxes_[b].high).cwiseMax(boxes_[b].low - boxes_[a].high).cwiseMax(0);
    if (apart.norm() > most) return infinite;
    double least = infinite;
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
        for (const Vec3& x : samples_[from]) least = std::min(least, closest_[to](x).distance);
    return least;
}

}  // namespace clangor::geometry
