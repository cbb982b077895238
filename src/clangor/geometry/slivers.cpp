#include <clangor/geometry/slivers.hpp>

#include <clangor/geometry/edges.hpp>

#include <algorithm>

namespace clangor {
namespace {

/// The corner where the longest edge starts if the face is a sliver, else −1.
int sliver_corner(const Surface& surface, int face, double height) {
    const Vec3 x[3] = {surface.vertices.row(surface.faces(face, 0)), surface.vertices.row(surface.faces(face, 1)),
                       surface.vertices.row(surface.faces(face, 2))};
    const double length_sq[3] = {(x[1] - x[0]).squaredNorm(), (x[2] - x[1]).squaredNorm(), (x[0] - x[2]).squaredNorm()};
    const int longest = static_cast<int>(std::max_element(length_sq, length_sq + 3) - length_sq);
    const double doubled_area_sq = (x[1] - x[0]).cross(x[2] - x[0]).squaredNorm();
    return doubled_area_sq <= height * height * length_sq[longest] ? longest : -1;
}

std::vector<int> sliver_corners(const Surface& surface, double height) {
    std::vector<int> corners;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const int k = sliver_corner(surface, f, height);
        if (k >= 0) corners.push_back(3 * f + k);
    }
    return corners;
}

/// The corner of the one other face along the edge of `corner`, or −1.
int across(const Triangles& faces, const EdgeTable& edges, int corner) {
    const int low = std::min(edge_begin(faces, corner), edge_end(faces, corner));
    const int high = std::max(edge_begin(faces, corner), edge_end(faces, corner));
    int found = -1, uses = 0;
    for (int u = edges.start[low]; u < edges.start[low + 1]; ++u) {
        if (edges.uses[u].other != high) continue;
        ++uses;
        if (edges.uses[u].corner != corner) found = edges.uses[u].corner;
    }
    return uses == 2 ? found : -1;
}

/// Swaps the long edge between a sliver and its neighbour for the one from the sliver's tip to the neighbour's.
void cut_neighbour(Triangles& faces, int corner, int neighbour_corner) {
    const int tip = faces(corner / 3, (corner % 3 + 2) % 3);
    const int a = edge_begin(faces, neighbour_corner), b = edge_end(faces, neighbour_corner);
    const int opposite = faces(neighbour_corner / 3, (neighbour_corner % 3 + 2) % 3);
    faces.row(corner / 3) << a, tip, opposite;
    faces.row(neighbour_corner / 3) << tip, b, opposite;
}

}  // namespace

Unslivered without_slivers(const Surface& surface, double height) {
    Surface work = surface;
    std::vector<int> slivers = sliver_corners(work, height);
    Unslivered result{{}, std::vector<char>(surface.faces.rows(), 0), static_cast<int>(slivers.size())};
    // Slivers in a row are cut away one a round. Real files need two or three rounds; what is left after 32 is noise.
    for (int round = 0; round < 32 && !slivers.empty(); ++round) {
        const EdgeTable edges = edge_table(work.faces, static_cast<int>(work.vertices.rows()));
        const Triangles before = work.faces;
        std::vector<char> touched(before.rows(), 0);
        bool progress = false;
        for (const int corner : slivers) {
            const int neighbour = across(before, edges, corner);
            if (neighbour < 0 || neighbour / 3 == corner / 3 || touched[corner / 3] || touched[neighbour / 3]) continue;
            touched[corner / 3] = touched[neighbour / 3] = 1;
            cut_neighbour(work.faces, corner, neighbour);
            progress = true;
        }
        slivers = sliver_corners(work, height);
        if (!progress) break;
    }
    for (const int corner : slivers) result.drop[corner / 3] = 1;
    result.faces = std::move(work.faces);
    return result;
}

}  // namespace clangor
