#include <clangor/geometry/parts.hpp>

#include <clangor/geometry/pieces.hpp>
#include <clangor/geometry/surface_pieces.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace clangor {
namespace {

using geometry::SurfacePiece;

constexpr int most_pieces = 400;  // that are looked at one by one; more of them are taken for a soup of triangles
constexpr int most_parts = 32;
constexpr double least_share = 1e-3;  // of the volume, for a part that rings by itself

/// Pieces that lie closer than their wall, in groups.
Pieces near_groups(const std::vector<SurfacePiece>& pieces) {
    const int count = static_cast<int>(pieces.size());
    const geometry::PieceDistances distance(pieces);
    FaceForest forest(count);
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b) {
            if (forest.root_of(a).face == forest.root_of(b).face) continue;
            const double wall = std::min(pieces[a].wall, pieces[b].wall);
            if (distance(a, b, wall) <= wall) forest.join(a, b, false);
        }
    return pieces_of(forest, count);
}

struct Part {
    std::vector<const Surface*> pieces;
    double volume = 0;
};

std::vector<Part> parts_by_volume(const std::vector<SurfacePiece>& pieces) {
    const Pieces groups = near_groups(pieces);
    std::vector<Part> parts(groups.count);
    for (int i = 0; i < std::ssize(pieces); ++i) {
        parts[groups.of_face[i]].pieces.push_back(&pieces[i].surface);
        parts[groups.of_face[i]].volume += pieces[i].volume;
    }
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.volume > b.volume; });
    return parts;
}

}  // namespace

BodyParts parts_of(const Surface& surface, Parts wanted) {
    if (surface.faces.rows() == 0) return {{surface}, {}};
    const std::vector<SurfacePiece> pieces = geometry::pieces_of(surface);
    if (pieces.size() == 1) return {{surface}, {}};
    if (std::ssize(pieces) > most_pieces)
        return {{surface}, {fmt::format("the mesh is in {} pieces, and was taken as one body", pieces.size())}};
    std::vector<Part> parts = parts_by_volume(pieces);
    BodyParts result;
    if (parts.size() < pieces.size())
        result.messages.push_back(
            fmt::format("{} of the {} pieces of the mesh cut or touch others, or lie closer to them than "
                        "their wall is thick: those were fused",
                        pieces.size() - parts.size() + 1, pieces.size()));
    if (parts.size() == 1 || wanted == Parts::Fuse) {
        if (parts.size() > 1)
            result.messages.push_back(
                fmt::format("{} parts that lie apart were joined by bridges, as asked", parts.size()));
        result.surfaces = {surface};
        return result;
    }

    const auto volume_of = [](double sum, const Part& part) { return sum + part.volume; };
    const double whole = std::accumulate(parts.begin(), parts.end(), 0.0, volume_of);
    const auto too_small = [&](const Part& part) { return part.volume < least_share * whole; };
    auto end = wanted == Parts::Largest ? parts.begin() + 1 : std::find_if(parts.begin(), parts.end(), too_small);
    if (end - parts.begin() > most_parts) end = parts.begin() + most_parts;
    const double left_out = std::accumulate(end, parts.end(), 0.0, volume_of);
    for (auto part = parts.begin(); part != end; ++part) result.surfaces.push_back(geometry::joined(part->pieces));
    if (result.surfaces.size() > 1)
        result.messages.push_back(
            fmt::format("the mesh has {} parts that lie apart: each rings by itself, and they move as one (parts: "
                        "\"fuse\" joins them, \"largest\" keeps one; --parts)",
                        result.surfaces.size()));
    if (end != parts.end())
        result.messages.push_back(fmt::format("{} of {} parts that lie apart, {:.2g} % of the volume, were left out",
                                              parts.end() - end, parts.size(), 100 * left_out / whole));
    return result;
}

}  // namespace clangor
