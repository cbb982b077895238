#include <clangor/motion/grains/cells.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace clangor::grains {
namespace {

// So that what touches is in neighbouring cells whatever is rounded.
constexpr double room = 1 + 1e-6;

void make_lists(Cells& cells, std::size_t balls) {
    cells.first.assign(std::size_t(cells.count[0]) * std::size_t(cells.count[1]) * std::size_t(cells.count[2]), -1);
    cells.next.assign(balls, -1);
    cells.before.assign(balls, -1);
    cells.of_ball.assign(balls, CellIndex{});
}

}  // namespace

void Cells::insert(std::int32_t ball) {
    const CellIndex at = of_ball[std::size_t(ball)];
    std::int32_t& head = first[list(at[0], at[1], at[2])];
    next[std::size_t(ball)] = head;
    before[std::size_t(ball)] = -1;
    if (head >= 0) before[std::size_t(head)] = ball;
    head = ball;
}

void Cells::remove(std::int32_t ball) {
    const std::int32_t a = before[std::size_t(ball)], b = next[std::size_t(ball)];
    const CellIndex at = of_ball[std::size_t(ball)];
    (a >= 0 ? next[std::size_t(a)] : first[list(at[0], at[1], at[2])]) = b;
    if (b >= 0) before[std::size_t(b)] = a;
}

Cells cells_for(double diameter, const Vec3& low, const Vec3& high, std::size_t balls) {
    Cells cells{.size = Vec3::Constant(diameter * room), .origin = low};
    std::array<double, 3> extent;
    for (int axis = 0; axis < 3; ++axis)
        extent[std::size_t(axis)] = std::clamp((high[axis] - low[axis]) / cells.size[axis], 4.0, 1024.0);
    const double most = std::max<double>(64, 2 * double(balls));
    while (extent[0] * extent[1] * extent[2] > most) {
        double& longest = *std::max_element(extent.begin(), extent.end());
        if (longest <= 4) break;
        longest = std::max(4.0, longest / 2);
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
        cells.count[axis] = int(std::bit_floor(static_cast<unsigned>(extent[axis])));
    make_lists(cells, balls);
    return cells;
}

Cells periodic_cells(double diameter, const Vec3& box, std::size_t balls) {
    Cells cells{.periodic = true};
    const double roomy = std::cbrt(box.prod() / std::max(4 * double(balls), 27.0));  // for a few balls in a large box
    for (int axis = 0; axis < 3; ++axis) {
        const int n = std::max(3, int(box[axis] / std::max(diameter * room, roomy)));
        cells.count[std::size_t(axis)] = n;
        cells.size[axis] = box[axis] / n;
    }
    make_lists(cells, balls);
    return cells;
}

}  // namespace clangor::grains
