#include <clangor/geometry/weld.hpp>

#include <bit>
#include <cmath>
#include <cstdint>

namespace clangor {
namespace {

using Cell = Eigen::Array<std::int64_t, 3, 1>;

std::size_t bucket_of(const Cell& cell, std::size_t mask) {
    std::uint64_t hash = static_cast<std::uint64_t>(cell[0]) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ static_cast<std::uint64_t>(cell[1])) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ static_cast<std::uint64_t>(cell[2])) * 0x165667B19E3779F9u;
    return (hash ^ (hash >> 32)) & mask;
}

/// A hash table of the vertices kept so far, by the cell they stand in.
class CellTable {
public:
    CellTable(const Points& vertices, double tolerance)
        : vertices_(vertices),
          tolerance_sq_(tolerance * tolerance),
          heads_(std::bit_ceil(static_cast<std::size_t>(vertices.rows()) + 1), -1),
          next_(vertices.rows(), -1) {}

    /// The first vertex near x among those of one cell, or `best` if that comes before it.
    int first_near(const Vec3& x, const Cell& cell, int best) const {
        for (int v = heads_[bucket_of(cell, heads_.size() - 1)]; v >= 0; v = next_[v]) {
            const Vec3 other = vertices_.row(v);
            if (v < best && (other - x).squaredNorm() <= tolerance_sq_) best = v;
        }
        return best;
    }
    void add(int vertex, const Cell& cell) {
        int& head = heads_[bucket_of(cell, heads_.size() - 1)];
        next_[vertex] = head;
        head = vertex;
    }

private:
    const Points& vertices_;
    double tolerance_sq_;
    std::vector<int> heads_, next_;
};

}  // namespace

std::vector<int> weld(const Points& vertices, const std::vector<char>& used, const Vec3& low, double tolerance) {
    // Cells of 32 tolerances: few enough vertices share one, and a vertex seldom has to look into a second one.
    const double cells_per_metre = tolerance > 0 ? 1 / (32 * tolerance) : 0.0;
    const auto cell_of = [&](const Vec3& x) {
        return Cell(((x - low) * cells_per_metre).array().floor().cast<std::int64_t>());
    };
    CellTable table(vertices, tolerance);
    std::vector<int> first(vertices.rows(), -1);
    for (int v = 0; v < vertices.rows(); ++v) {
        if (!used[v]) continue;
        const Vec3 x = vertices.row(v);
        const Cell from = cell_of(x - Vec3::Constant(tolerance)), to = cell_of(x + Vec3::Constant(tolerance));
        int best = v;
        for (auto i = from[0]; i <= to[0]; ++i) {
            for (auto j = from[1]; j <= to[1]; ++j) {
                for (auto k = from[2]; k <= to[2]; ++k) best = table.first_near(x, Cell(i, j, k), best);
            }
        }
        if (best == v) table.add(v, cell_of(x));
        first[v] = best;
    }
    return first;
}

}  // namespace clangor
