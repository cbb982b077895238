#include <clangor/geometry/nesting.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

// From the vertex of each piece that reaches furthest along x, a ray runs along +x. It never meets its own piece, and
// crosses each other piece an odd number of times exactly if that one encloses it: so the parity of all crossings is
// the parity of the depth. All rays being parallel, they are points in the yz-plane, which a grid of them serves.
namespace clangor {
namespace {

struct Probe {
    int piece;
    Vec3 from;
};

struct PieceBoxes {
    std::vector<Bounds> box;
    std::vector<Probe> probes;  ///< of closed pieces only

    bool encloses(int outer, int inner) const {
        return (box[outer].low.array() < box[inner].low.array()).all() &&
               (box[inner].high.array() < box[outer].high.array()).all();
    }
};

PieceBoxes boxes_of(const Surface& surface, const Pieces& pieces, const std::vector<char>& closed) {
    const Vec3 huge = Vec3::Constant(std::numeric_limits<double>::infinity());
    PieceBoxes boxes{std::vector<Bounds>(pieces.count, {huge, -huge}), {}};
    std::vector<Vec3> furthest(pieces.count, -huge);
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const int piece = pieces.of_face[f];
        for (int k = 0; k < 3; ++k) {
            const Vec3 x = surface.vertices.row(surface.faces(f, k));
            boxes.box[piece].low = boxes.box[piece].low.cwiseMin(x);
            boxes.box[piece].high = boxes.box[piece].high.cwiseMax(x);
            if (x.x() > furthest[piece].x()) furthest[piece] = x;
        }
    }
    for (int piece = 0; piece < pieces.count; ++piece) {
        if (closed[piece]) boxes.probes.push_back({piece, furthest[piece]});
    }
    return boxes;
}

/// Probes sorted into square cells of the yz-plane, about one per cell.
class ProbeGrid {
public:
    explicit ProbeGrid(std::vector<Probe> probes) : side_(std::ceil(std::sqrt(static_cast<double>(probes.size())))) {
        low_ = high_ = probes.front().from;
        for (const Probe& probe : probes) {
            low_ = low_.cwiseMin(probe.from);
            high_ = high_.cwiseMax(probe.from);
        }
        start_.assign(side_ * side_ + 1, 0);
        for (const Probe& probe : probes) ++start_[cell_of(probe) + 1];
        for (std::size_t c = 0; c + 1 < start_.size(); ++c) start_[c + 1] += start_[c];
        std::vector<int> next(start_.begin(), start_.end() - 1);
        sorted_.resize(probes.size());
        for (const Probe& probe : probes) sorted_[next[cell_of(probe)]++] = probe;
    }

    template <class Visit>
    void for_each_in(const Vec3& low, const Vec3& high, const Visit& visit) const {
        if ((low.array() > high_.array()).tail<2>().any() || (high.array() < low_.array()).tail<2>().any()) return;
        for (int i = index(low, 1); i <= index(high, 1); ++i) {
            const int row = i * side_;
            for (int p = start_[row + index(low, 2)]; p < start_[row + index(high, 2) + 1]; ++p) visit(sorted_[p]);
        }
    }

private:
    int index(const Vec3& x, int axis) const {
        const double extent = high_[axis] - low_[axis];
        if (!(extent > 0)) return 0;
        return static_cast<int>(std::clamp((x[axis] - low_[axis]) / extent * side_, 0.0, side_ - 1.0));
    }
    int cell_of(const Probe& probe) const { return index(probe.from, 1) * side_ + index(probe.from, 2); }

    int side_;
    Vec3 low_, high_;
    std::vector<int> start_;
    std::vector<Probe> sorted_;
};

/// Whether the edge passes the point (y, z) on its +y side. The ends are taken in the order of their numbers, so that
/// both faces of an edge agree to the last bit, and no ray slips between two faces.
bool edge_passes(const Points& vertices, int a, int b, const Vec3& from) {
    if (a > b) std::swap(a, b);
    const double za = vertices(a, 2), zb = vertices(b, 2);
    if ((za > from.z()) == (zb > from.z())) return false;
    const double y = vertices(a, 1) + (from.z() - za) * (vertices(b, 1) - vertices(a, 1)) / (zb - za);
    return from.y() < y;
}

bool ray_crosses(const Surface& surface, int face, const Vec3& from) {
    const int a = surface.faces(face, 0), b = surface.faces(face, 1), c = surface.faces(face, 2);
    const Points& x = surface.vertices;
    const bool in_shadow = edge_passes(x, a, b, from) ^ edge_passes(x, b, c, from) ^ edge_passes(x, c, a, from);
    if (!in_shadow) return false;

    const double low = std::min({x(a, 0), x(b, 0), x(c, 0)}), high = std::max({x(a, 0), x(b, 0), x(c, 0)});
    if (high <= from.x() || low > from.x()) return low > from.x();
    const Vec3 A = x.row(a), B = x.row(b), C = x.row(c);
    const Vec3 normal = (B - A).cross(C - A);
    if (normal.x() == 0) return high > from.x();
    const Vec3 offset = from - A;
    return A.x() - (normal.y() * offset.y() + normal.z() * offset.z()) / normal.x() > from.x();
}

}  // namespace

std::vector<char> void_walls(const Surface& surface, const Pieces& pieces, const std::vector<char>& closed) {
    std::vector<char> odd(pieces.count, 0);
    if (std::count(closed.begin(), closed.end(), 1) < 2) return odd;

    const PieceBoxes boxes = boxes_of(surface, pieces, closed);
    const ProbeGrid grid(boxes.probes);
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const int outer = pieces.of_face[f];
        if (!closed[outer]) continue;
        const Vec3 a = surface.vertices.row(surface.faces(f, 0)), b = surface.vertices.row(surface.faces(f, 1)),
                   c = surface.vertices.row(surface.faces(f, 2));
        grid.for_each_in(a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c), [&](const Probe& probe) {
            // Pieces that merely overlap cannot be nested: their boxes would have to be.
            if (boxes.encloses(outer, probe.piece) && ray_crosses(surface, f, probe.from)) odd[probe.piece] ^= 1;
        });
    }
    return odd;
}

}  // namespace clangor
