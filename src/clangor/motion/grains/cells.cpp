#include <clangor/motion/grains/cells.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace clangor::grains {
namespace {

// So that what touches is in neighbouring cells whatever is rounded.
constexpr double room = 1 + 1e-6;

constexpr std::size_t fewest_lists = 64;

void make_lists(Cells& cells, std::size_t balls, std::size_t lists) {
    cells.first.assign(lists, -1);
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

Cells cells_for(double diameter, const Vec3& origin, std::size_t balls) {
    Cells cells{.size = Vec3::Constant(diameter * room), .origin = origin};
    make_lists(cells, balls, std::bit_floor(std::max(4 * balls, fewest_lists)));
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
    make_lists(cells, balls, std::size_t(cells.count[0]) * std::size_t(cells.count[1]) * std::size_t(cells.count[2]));
    return cells;
}

}  // namespace clangor::grains
