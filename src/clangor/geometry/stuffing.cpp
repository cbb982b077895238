#include <clangor/geometry/pieces.hpp>
#include <clangor/geometry/stuffing.hpp>
#include <clangor/geometry/tet_faces.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace clangor::geometry {
namespace {

using Place = Eigen::Vector3i;  // in halves of the spacing: cells' corners are all even, their centres all odd

constexpr int block_halves = 8;  // side of a block, in halves of the spacing
constexpr int block_points = block_halves * block_halves * block_halves / 4;  // corners and centres in it
constexpr double clear_of_surface = 0.2;                        // lattice points keep this distance, in spacings
constexpr double unknown = std::numeric_limits<double>::max();  // deep inside, as deep as it may be

struct LatticePoint {
    Vec3 position = Vec3::Zero();
    double depth = -unknown;
};

/// The points of a body-centred cubic lattice, kept in blocks and only where the surface passes.
class Lattice {
public:
    Lattice(const Depth& depth, const Bounds& bounds, double spacing) : spacing_(spacing) {
        low_ = bounds.low - Vec3::Constant(1.5 * spacing);
        const Vec3 extent = bounds.high - bounds.low + Vec3::Constant(3 * spacing);
        blocks_ = (extent / (spacing * block_halves / 2)).array().ceil().cast<int>();
        state_.assign(blocks_.cast<long>().prod(), outside);
        find_blocks(depth);
        points_.resize(passed_.size());
        parallel_for(std::ssize(passed_), [&](long i) { fill(depth, i); });
    }

    const Place& blocks() const { return blocks_; }
    double spacing() const { return spacing_; }

    /// Whether an element with a corner or centre here may lie in the body: the block, or one that follows it, does.
    bool may_hold_body(const Place& block) const {
        for (int k = 0; k < 8; ++k) {
            const Place next = (block + Place(k & 1, k >> 1 & 1, k >> 2)).cwiseMin(blocks_ - Place::Ones());
            if (state_[number(next)] != outside) return true;
        }
        return false;
    }

    LatticePoint at(const Place& place) const {
        const Place block = place / block_halves;
        if ((place.array() < 0).any() || (block.array() >= blocks_.array()).any()) return {position(place), -unknown};
        const int state = state_[number(block)];
        if (state == outside) return {position(place), -unknown};
        if (state == inside) return {position(place), unknown};
        return points_[state][local(place - block_halves * block)];
    }

    std::int64_t id(const Place& place) const {
        const Place counts = block_halves * blocks_ + Place::Constant(2);
        return (static_cast<std::int64_t>(place.z()) * counts.y() + place.y()) * counts.x() + place.x();
    }

private:
    static constexpr int outside = -1, inside = -2;  // else the number of a block that the surface passes

    struct Box {
        Place low, high;  ///< blocks
    };

    Vec3 position(const Place& place) const { return low_ + spacing_ / 2 * place.cast<double>(); }
    long number(const Place& block) const {
        return (static_cast<long>(block.z()) * blocks_.y() + block.y()) * blocks_.x() + block.x();
    }
    static int local(const Place& within) {
        constexpr int side = block_halves / 2;
        return (((within.x() & 1) * side + within.z() / 2) * side + within.y() / 2) * side + within.x() / 2;
    }

    /// Boxes of blocks that lie deep inside or far outside are settled by one question; others are halved.
    void find_blocks(const Depth& depth) {
        std::vector<Box> boxes{{Place::Zero(), blocks_}};
        while (!boxes.empty()) {
            std::vector<int> verdict(boxes.size());  // a state, or 0: cut by the surface, as far as one can tell
            parallel_for(std::ssize(boxes), [&](long i) {
                const Vec3 a = position(block_halves * boxes[i].low), b = position(block_halves * boxes[i].high);
                const double farthest = (b - a).norm() / 2 + 2 * clear_of_surface * spacing_, d = depth((a + b) / 2);
                verdict[i] = d > farthest ? inside : d < -farthest ? outside : 0;
            });
            std::vector<Box> halves;
            for (std::size_t i = 0; i < boxes.size(); ++i) {
                const Box& box = boxes[i];
                const Place size = box.high - box.low;
                if (verdict[i] == outside) continue;
                if (verdict[i] == inside || size.prod() == 1) {
                    settle(box, verdict[i]);
                    continue;
                }
                int axis = 0;
                size.maxCoeff(&axis);
                Box first = box, second = box;
                first.high[axis] = second.low[axis] = box.low[axis] + size[axis] / 2;
                halves.push_back(first);
                halves.push_back(second);
            }
            boxes = std::move(halves);
        }
    }

    void settle(const Box& box, int verdict) {
        for (int z = box.low.z(); z < box.high.z(); ++z)
            for (int y = box.low.y(); y < box.high.y(); ++y)
                for (int x = box.low.x(); x < box.high.x(); ++x) {
                    state_[number({x, y, z})] = verdict == inside ? inside : static_cast<int>(passed_.size());
                    if (verdict != inside) passed_.push_back({x, y, z});
                }
    }

    void fill(const Depth& depth, long i) {
        std::vector<LatticePoint>& points = points_[i];
        points.resize(block_points);
        const Place first = block_halves * passed_[i];
        for (int z = 0; z < block_halves; ++z)
            for (int y = z & 1; y < block_halves; y += 2)
                for (int x = z & 1; x < block_halves; x += 2)
                    points[local({x, y, z})] = placed(depth, position(first + Place(x, y, z)));
    }

    /// A lattice point that would lie on the surface, or nearly so, moves away from it, to the side on which it is:
    /// then no element has a corner that is cut off to nothing.
    LatticePoint placed(const Depth& depth, const Vec3& x) const {
        LatticePoint point{x, depth(x)};
        const double clear = clear_of_surface * spacing_;
        if (std::abs(point.depth) >= clear) return point;
        const double step = 0.05 * spacing_;
        Vec3 slope;
        for (int k = 0; k < 3; ++k) slope[k] = depth(x + step * Vec3::Unit(k)) - depth(x - step * Vec3::Unit(k));
        const double side = point.depth > 0 ? 1 : -1;
        if (slope.norm() > 0) {
            const Vec3 moved = x + side * (clear - std::abs(point.depth)) * slope.normalized();
            const double there = depth(moved);
            if (side * there > side * point.depth) point = {moved, there};
        }
        if (std::abs(point.depth) < 1e-3 * spacing_) point.depth = side * 1e-3 * spacing_;
        return point;
    }

    double spacing_;
    Vec3 low_;
    Place blocks_;
    std::vector<int> state_;  ///< of all blocks
    std::vector<Place> passed_;
    std::vector<std::vector<LatticePoint>> points_;  ///< of the blocks that the surface passes
};

/// The place where an edge of the lattice leaves the body.
struct Cut {
    LatticePoint in, out;
};

Vec3 cut_point(const Cut& cut, const Depth& depth) {
    double a = cut.in.depth == unknown ? depth(cut.in.position) : cut.in.depth;
    double b = cut.out.depth == -unknown ? depth(cut.out.position) : cut.out.depth;
    double low = 0, high = 1, part = 0.5;
    const double length = (cut.out.position - cut.in.position).norm();
    for (int step = 0; step < 12; ++step) {
        const bool is_bracketed = a > 0 && b < 0;
        part = is_bracketed ? low + (high - low) * a / (a - b) : (low + high) / 2;
        const double there = depth(cut.in.position + part * (cut.out.position - cut.in.position));
        if (std::abs(there) < 1e-3 * length) break;
        // Depth is no line where the other side of the wall is near. The end that stays counts half, so that both ends
        // close in.
        if (there > 0) {
            low = part;
            a = there;
            b /= 2;
        } else {
            high = part;
            b = there;
            a /= 2;
        }
    }
    return cut.in.position + std::clamp(part, 0.05, 0.95) * (cut.out.position - cut.in.position);
}

class Builder {
public:
    Builder(const Lattice& lattice) : lattice_(lattice) {}

    /// An element of the lattice, as far as it lies in the body.
    void add(const std::array<Place, 4>& corners) {
        std::array<LatticePoint, 4> at;
        std::array<int, 4> order{};  // first those inside
        int count = 0;
        for (int k = 0; k < 4; ++k) at[k] = lattice_.at(corners[k]);
        for (int k = 0; k < 4; ++k)
            if (at[k].depth > 0) order[count++] = k;
        if (count == 0) return;
        for (int k = 0, next = count; k < 4; ++k)
            if (!(at[k].depth > 0)) order[next++] = k;
        const auto node = [&](int i) { return lattice_node(corners[order[i]], at[order[i]]); };
        const auto cut = [&](int i, int j) {
            return cut_node(corners[order[i]], corners[order[j]], {at[order[i]], at[order[j]]});
        };
        if (count == 4) cells.push_back({node(0), node(1), node(2), node(3)});
        if (count == 3) add_prism({node(0), node(1), node(2), cut(0, 3), cut(1, 3), cut(2, 3)});
        if (count == 2) add_prism({node(0), cut(0, 2), cut(0, 3), node(1), cut(1, 2), cut(1, 3)});
        if (count == 1) cells.push_back({node(0), cut(0, 1), cut(0, 2), cut(0, 3)});
    }

    std::vector<Vec3> points;      ///< of all nodes; those of cuts are not known yet
    std::vector<int> cut_of_node;  ///< −1: of the lattice
    std::vector<Cut> cuts;
    std::vector<std::array<int, 4>> cells;

private:
    int lattice_node(const Place& place, const LatticePoint& point) {
        const auto [found, is_new] = nodes_.try_emplace(8 * lattice_.id(place) + 7, static_cast<int>(points.size()));
        if (is_new) {
            points.push_back(point.position);
            cut_of_node.push_back(-1);
        }
        return found->second;
    }

    int cut_node(const Place& in, const Place& out, const Cut& cut) {
        Place from = in, to = out;
        if (lattice_.id(from) > lattice_.id(to)) std::swap(from, to);
        const Place way = to - from;  // along an axis, or a diagonal upward
        const int direction = way.x() == 0 || way.y() == 0 ? (way.x()   ? 0
                                                              : way.y() ? 1
                                                                        : 2)
                                                           : 3 + (way.x() < 0) + 2 * (way.y() < 0);
        const auto [found, is_new] =
            nodes_.try_emplace(8 * lattice_.id(from) + direction, static_cast<int>(points.size()));
        if (is_new) {
            cut_of_node.push_back(static_cast<int>(cuts.size()));
            points.push_back(Vec3::Zero());
            cuts.push_back(cut);
        }
        return found->second;
    }

    /// Three elements. Each four-sided face is cut by the diagonal from its lowest node, as its neighbour will cut it
    /// [Dompierre1999].
    void add_prism(const std::array<int, 6>& nodes) {
        static constexpr int turned[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}, {2, 0, 1, 5, 3, 4},
                                             {3, 5, 4, 0, 2, 1}, {4, 3, 5, 1, 0, 2}, {5, 4, 3, 2, 1, 0}};
        const auto lowest = std::min_element(nodes.begin(), nodes.end()) - nodes.begin();
        std::array<int, 6> v;
        for (int k = 0; k < 6; ++k) v[k] = nodes[turned[lowest][k]];
        cells.push_back({v[0], v[4], v[5], v[3]});
        if (std::min(v[1], v[5]) < std::min(v[2], v[4])) {
            cells.push_back({v[0], v[1], v[2], v[5]});
            cells.push_back({v[0], v[1], v[5], v[4]});
        } else {
            cells.push_back({v[0], v[1], v[2], v[4]});
            cells.push_back({v[0], v[4], v[2], v[5]});
        }
    }

    const Lattice& lattice_;
    std::unordered_map<std::int64_t, int> nodes_;
};

/// Four elements between the centre of a cell and that of the next one along an axis, around the edge between them.
void add_between(Builder& builder, const Place& centre, int axis) {
    const Place along = Place::Unit(axis), u = Place::Unit((axis + 1) % 3), v = Place::Unit((axis + 2) % 3);
    const Place middle = centre + along;
    const std::array<Place, 4> around = {middle - u - v, middle + u - v, middle + u + v, middle - u + v};
    for (std::size_t k = 0; k < 4; ++k) builder.add({centre, centre + 2 * along, around[k], around[(k + 1) % 4]});
}

}  // namespace

FeaturedMesh stuffed(const Depth& depth, const Bounds& bounds, double spacing, const Progress& progress) {
    const Lattice lattice(depth, bounds, spacing);
    progress("tetrahedra", 0.5);
    Builder builder(lattice);
    const Place& blocks = lattice.blocks();
    for (int z = 0; z < blocks.z(); ++z)
        for (int y = 0; y < blocks.y(); ++y)
            for (int x = 0; x < blocks.x(); ++x) {
                if (!lattice.may_hold_body({x, y, z})) continue;
                const Place first = block_halves * Place(x, y, z);
                for (int k = 1; k < block_halves; k += 2)
                    for (int j = 1; j < block_halves; j += 2)
                        for (int i = 1; i < block_halves; i += 2)
                            for (int axis = 0; axis < 3; ++axis) add_between(builder, first + Place(i, j, k), axis);
            }
    progress("tetrahedra", 0.8);

    std::vector<Vec3> cut_points(builder.cuts.size());
    constexpr long chunk = 256;
    parallel_for((std::ssize(cut_points) + chunk - 1) / chunk, [&](long c) {
        for (long i = c * chunk; i < std::min(std::ssize(cut_points), (c + 1) * chunk); ++i)
            cut_points[i] = cut_point(builder.cuts[i], depth);
    });

    FeaturedMesh out;
    out.mesh.nodes.resize(std::ssize(builder.points), 3);
    for (std::size_t i = 0; i < builder.points.size(); ++i) {
        const int cut = builder.cut_of_node[i];
        out.mesh.nodes.row(static_cast<long>(i)) = cut < 0 ? builder.points[i] : cut_points[cut];
        out.freedom.push_back(cut < 0 ? Freedom::Volume : Freedom::Surface);
    }
    out.mesh.cells.resize(std::ssize(builder.cells), 4);
    for (std::size_t i = 0; i < builder.cells.size(); ++i) {
        auto [a, b, c, d] = builder.cells[i];
        const auto at = [&](int node) { return Vec3(out.mesh.nodes.row(node)); };
        if ((at(b) - at(a)).cross(at(c) - at(a)).dot(at(d) - at(a)) < 0) std::swap(c, d);
        out.mesh.cells.row(static_cast<long>(i)) << a, b, c, d;
    }
    return out;
}

FeaturedMesh largest_piece(const FeaturedMesh& mesh) {
    const Cells& cells = mesh.mesh.cells;
    const int count = static_cast<int>(cells.rows());
    std::vector<std::pair<std::array<int, 3>, int>>
        faces;  // with their cell: those of two cells come to stand together
    for (int c = 0; c < count; ++c)
        for (const auto& corners : face_nodes) {
            std::array<int, 3> face = {cells(c, corners[0]), cells(c, corners[1]), cells(c, corners[2])};
            std::sort(face.begin(), face.end());
            faces.emplace_back(face, c);
        }
    std::sort(faces.begin(), faces.end());
    FaceForest forest(count);
    for (std::size_t i = 1; i < faces.size(); ++i)
        if (faces[i].first == faces[i - 1].first) forest.join(faces[i].second, faces[i - 1].second, false);
    const Pieces pieces = pieces_of(forest, count);
    if (pieces.count <= 1) return mesh;

    std::vector<double> volume(pieces.count, 0);
    for (int c = 0; c < count; ++c) {
        const auto at = [&](int k) { return Vec3(mesh.mesh.nodes.row(cells(c, k))); };
        volume[pieces.of_face[c]] += (at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)) / 6;
    }
    const auto largest = std::max_element(volume.begin(), volume.end()) - volume.begin();
    FeaturedMesh out;
    std::vector<int> number(mesh.mesh.nodes.rows(), -1), kept;
    std::vector<int> rows;
    for (int c = 0; c < count; ++c) {
        if (pieces.of_face[c] != largest) continue;
        rows.push_back(c);
        for (int k = 0; k < 4; ++k) number[cells(c, k)] = 0;
    }
    for (int node = 0; node < std::ssize(number); ++node) {
        if (number[node] < 0) continue;
        number[node] = static_cast<int>(kept.size());
        kept.push_back(node);
        out.freedom.push_back(mesh.freedom[node]);
    }
    out.mesh.nodes = mesh.mesh.nodes(kept, Eigen::all);
    out.mesh.cells = cells(rows, Eigen::all).unaryExpr([&](int node) { return number[node]; });
    return out;
}

}  // namespace clangor::geometry
