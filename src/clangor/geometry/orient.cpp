#include <clangor/geometry/orient.hpp>

#include <clangor/geometry/edges.hpp>
#include <clangor/geometry/nesting.hpp>
#include <clangor/geometry/pieces.hpp>

namespace clangor {
namespace {

/// Faces joined over edges that have exactly two, each with whether it must be flipped to agree with the others.
struct Agreement {
    Pieces pieces;
    std::vector<char> flipped;  ///< by face
    std::vector<char> closed;   ///< by piece: every edge has two faces, and all of them can agree
};

Agreement agreement_of(const Surface& surface) {
    const Triangles& faces = surface.faces;
    const int count = static_cast<int>(faces.rows());
    const EdgeTable edges = edge_table(faces, static_cast<int>(surface.vertices.rows()));
    FaceForest forest(count);
    for_each_edge(edges, [&](int, std::span<const EdgeUse> uses) {
        if (uses.size() != 2) return;
        const int a = uses[0].corner, b = uses[1].corner;
        forest.join(a / 3, b / 3, wound_alike(faces, a, b));
    });

    Agreement agreement{pieces_of(forest, count), std::vector<char>(count), {}};
    for (int f = 0; f < count; ++f) agreement.flipped[f] = forest.root_of(f).flipped;
    agreement.closed.assign(agreement.pieces.count, 1);
    for_each_edge(edges, [&](int, std::span<const EdgeUse> uses) {
        bool sound = uses.size() == 2;
        if (sound) {  // fails on a Klein bottle
            const int a = uses[0].corner, b = uses[1].corner;
            sound = wound_alike(faces, a, b) == (agreement.flipped[a / 3] != agreement.flipped[b / 3]);
        }
        if (sound) return;
        for (const EdgeUse& use : uses) agreement.closed[agreement.pieces.of_face[use.corner / 3]] = 0;
    });
    return agreement;
}

/// Six times the volume that each piece encloses once it agrees with itself, from its first vertex so that a small
/// piece far away keeps its digits.
std::vector<double> volumes_of(const Surface& surface, const Agreement& agreement) {
    std::vector<double> volumes(agreement.pieces.count, 0.0);
    std::vector<int> origin(agreement.pieces.count, -1);
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const int piece = agreement.pieces.of_face[f];
        if (origin[piece] < 0) origin[piece] = surface.faces(f, 0);
        const Vec3 o = surface.vertices.row(origin[piece]);
        const Vec3 a = surface.vertices.row(surface.faces(f, 0)), b = surface.vertices.row(surface.faces(f, 1)),
                   c = surface.vertices.row(surface.faces(f, 2));
        const double volume = (a - o).dot((b - o).cross(c - o));
        volumes[piece] += agreement.flipped[f] ? -volume : volume;
    }
    return volumes;
}

}  // namespace

Orientation orientation_of(const Surface& surface) {
    const Agreement agreement = agreement_of(surface);
    const int pieces = agreement.pieces.count;
    const std::vector<char> is_void = void_walls(surface, agreement.pieces, agreement.closed);
    const std::vector<double> volumes = volumes_of(surface, agreement);
    std::vector<int> size(pieces, 0), against(pieces, 0);
    for (int f = 0; f < surface.faces.rows(); ++f) {
        ++size[agreement.pieces.of_face[f]];
        against[agreement.pieces.of_face[f]] += agreement.flipped[f];
    }

    Orientation result{surface.faces, 0, 0};
    std::vector<char> turned(pieces, 0);
    for (int p = 0; p < pieces; ++p) {
        const bool has_inside = agreement.closed[p] && volumes[p] != 0;
        const bool wants_negative = is_void[p] != 0;
        // Without an inside, the majority is right.
        turned[p] = has_inside ? (volumes[p] < 0) != wants_negative : 2 * against[p] > size[p];
        const int flips = turned[p] ? size[p] - against[p] : against[p];
        const bool inside_out = has_inside && 2 * flips > size[p];
        result.inside_out_pieces += inside_out;
        result.flipped_faces += inside_out ? size[p] - flips : flips;
    }
    for (int f = 0; f < surface.faces.rows(); ++f) {
        if (agreement.flipped[f] != turned[agreement.pieces.of_face[f]]) {
            std::swap(result.faces(f, 1), result.faces(f, 2));
        }
    }
    return result;
}

}  // namespace clangor
