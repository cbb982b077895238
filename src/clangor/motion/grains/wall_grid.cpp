// Cells in which triangles of walls are looked up: docs/theory/grains.md.
#include <clangor/motion/grains/walls.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace clangor::grains {
namespace {

std::uint64_t cell_key(int x, int y, int z) {
    constexpr std::uint64_t mask = (1 << 21) - 1;
    return (std::uint64_t(x) & mask) | (std::uint64_t(y) & mask) << 21 | (std::uint64_t(z) & mask) << 42;
}
std::uint64_t scattered(std::uint64_t key) {
    key *= 0x9e3779b97f4a7c15u;
    return key ^ (key >> 29);
}

double distance_to_triangle_or_less(const WallPart& part, const Vec3& p) {
    if (part.kind == WallPart::Kind::Face) {
        const double height = part.n.dot(p - part.a);
        double outside = 0;
        for (const auto& [from, to] : {std::pair{part.a, part.b}, {part.b, part.c}, {part.c, part.a}})
            outside = std::max(outside, -part.n.dot((to - from).normalized().cross(p - from)));
        return std::hypot(height, outside);
    }
    const double length = (part.b - part.a).dot(part.n);
    const double along = std::clamp((p - part.a).dot(part.n), 0.0, std::max(length, 0.0));
    return (p - part.a - along * part.n).norm();
}

}  // namespace

WallGrid::WallGrid(std::span<const WallPart> parts, const Vec3& origin, const Vec3& cell, double reach)
    : origin_(origin), cell_(cell) {
    const double near_enough = reach * (1 + 1e-6) + 0.5 * cell.norm() * (1 + 1e-6);
    std::vector<std::pair<std::uint64_t, std::int32_t>> entries;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const WallPart& part = parts[i];
        const Vec3 low = part.a.cwiseMin(part.b).cwiseMin(part.c), high = part.a.cwiseMax(part.b).cwiseMax(part.c);
        std::array<int, 3> from, to;
        for (int axis = 0; axis < 3; ++axis) {
            from[std::size_t(axis)] = int(std::floor((low[axis] - reach - origin[axis]) / cell[axis] - 1e-6));
            to[std::size_t(axis)] = int(std::floor((high[axis] + reach - origin[axis]) / cell[axis] + 1e-6));
        }
        for (int x = from[0]; x <= to[0]; ++x)
            for (int y = from[1]; y <= to[1]; ++y)
                for (int z = from[2]; z <= to[2]; ++z) {
                    const Vec3 middle = origin + cell.cwiseProduct(Vec3(x + 0.5, y + 0.5, z + 0.5));
                    if (distance_to_triangle_or_less(part, middle) <= near_enough)
                        entries.emplace_back(cell_key(x, y, z), std::int32_t(i));
                }
    }
    std::sort(entries.begin(), entries.end());
    std::size_t cells = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) cells += i == 0 || entries[i].first != entries[i - 1].first;
    slots_.resize(std::bit_ceil(2 * cells + 1));
    parts_.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size();) {
        Slot slot{entries[i].first, std::uint32_t(i), 0};
        while (i < entries.size() && entries[i].first == slot.key) parts_.push_back(entries[i++].second);
        slot.end = std::uint32_t(i);
        std::size_t at = scattered(slot.key) & (slots_.size() - 1);
        while (slots_[at].begin != slots_[at].end) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
    }
}

std::span<const std::int32_t> WallGrid::in_cell(int x, int y, int z) const {
    if (slots_.empty()) return {};
    const std::uint64_t key = cell_key(x, y, z);
    for (std::size_t at = scattered(key) & (slots_.size() - 1); slots_[at].begin != slots_[at].end;
         at = (at + 1) & (slots_.size() - 1))
        if (slots_[at].key == key)
            return std::span(parts_).subspan(slots_[at].begin, slots_[at].end - slots_[at].begin);
    return {};
}

std::span<const std::int32_t> WallGrid::at(const Vec3& x) const {
    const Vec3 place = (x - origin_).cwiseQuotient(cell_);
    if (!(place.cwiseAbs().maxCoeff() < 1e6)) return {};
    return in_cell(int(std::floor(place[0])), int(std::floor(place[1])), int(std::floor(place[2])));
}

}  // namespace clangor::grains
