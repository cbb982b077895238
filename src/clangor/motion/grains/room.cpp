// Fills that are laid: one grain after the other rolls down to its place   docs/theory/grains.md, section 6.
#include <clangor/motion/grains/room.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

// How far a grain sees what it sinks to, over the largest radius: cells are so much larger than a grain.
constexpr double sight = 1;

// Steps, over the radius: the longest, and that at which it has come to rest.
constexpr double longest_step = 0.5, shortest_step = 1e-4;

// What slopes less than that holds a grain, as rolling friction would.
constexpr double level = 0.01;

// What may remain of an overlap, over the radius.
constexpr double rounding = 1e-9;

// What a grain comes near to by less than this part of a step counts as touched, so that it follows a groove and does
// not bounce from side to side.
constexpr double reached = 0.2;

constexpr int most_pushes = 60, most_steps = 100'000;

}  // namespace

Room::Room(const GrainWorld& world, const Vec3& low, const Vec3& high, double largest, std::size_t count)
    : largest_(largest),
      down_(world.gravity.norm() > 0 ? world.gravity.normalized() : Vec3::Zero()),
      cells_(cells_for((2 + sight) * largest, low, count)),
      walls_(walls_of(world, cells_, (1 + sight) * largest, std::vector<char>(world.walls.size(), 0))) {
    lowest_ = std::max(down_.dot(low), down_.dot(high));
    for (const WallPart& part : walls_.parts)
        lowest_ = std::max({lowest_, down_.dot(part.a), down_.dot(part.b), down_.dot(part.c)});
    for (const WallPart& plane : walls_.planes) lowest_ = std::max(lowest_, down_.dot(plane.a));
    for (const Grain& grain : world.grains) {
        add(grain);
        lowest_ = std::max(lowest_, down_.dot(grain.position));
    }
}

CellIndex Room::cell_of(const Vec3& x) const {
    CellIndex at;
    for (std::size_t axis = 0; axis < 3; ++axis)
        at[axis] = std::int16_t(std::clamp(
            std::floor((x[long(axis)] - cells_.origin[long(axis)]) / cells_.size[long(axis)]), -32000.0, 32000.0));
    return at;
}

void Room::look_around(const Vec3& x) {
    const CellIndex at = cell_of(x);
    if (around_ == at) return;
    around_ = at;
    near_grains_.clear();
    near_parts_.clear();
    for (int i = at[0] - 1; i <= at[0] + 1; ++i)
        for (int j = at[1] - 1; j <= at[1] + 1; ++j)
            for (int k = at[2] - 1; k <= at[2] + 1; ++k)
                for (std::int32_t g = cells_.first[cells_.list(i, j, k)]; g >= 0; g = cells_.next[std::size_t(g)])
                    near_grains_.push_back(g);
    for (const WallPart& plane : walls_.planes) near_parts_.push_back(&plane);
    const int shift = walls_.coarser;
    for (const std::int32_t part : walls_.grid.in_cell(at[0] >> shift, at[1] >> shift, at[2] >> shift))
        near_parts_.push_back(&walls_.parts[std::size_t(part)]);
}

void Room::find_touches(const Vec3& x, double radius, double within) {
    look_around(x);
    touches_.clear();
    for (const std::int32_t i : near_grains_) {
        const Grain& other = grains_[std::size_t(i)];
        const Vec3 between = x - other.position;
        const double reach = radius + other.radius;
        if (between.squaredNorm() >= square(reach + within)) continue;
        const double distance = between.norm();
        touches_.push_back({distance > 0 ? Vec3(between / distance) : Vec3(-down_), distance - reach});
    }
    for (const WallPart* const part : near_parts_) {
        if (is_farther(*part, x, radius + within)) continue;
        const std::optional<WallContact> contact = contact_with(*part, x, radius);
        if (contact && contact->gap < within) touches_.push_back({contact->normal, contact->gap});
    }
}

double Room::smallest_gap(const Vec3& x, double radius) {
    find_touches(x, radius, sight * largest_);
    double gap = sight * largest_;
    for (const Touch& touch : touches_) gap = std::min(gap, touch.gap);
    return gap;
}

bool Room::is_free(const Vec3& x, double radius) {
    find_touches(x, radius, 0);
    return touches_.empty();
}

// The deepest overlap first.
std::optional<Vec3> Room::pushed_out(Vec3 x, double radius) {
    for (int push = 0; push < most_pushes; ++push) {
        find_touches(x, radius, 0);
        const auto deepest = std::min_element(touches_.begin(), touches_.end(),
                                              [](const Touch& a, const Touch& b) { return a.gap < b.gap; });
        if (deepest == touches_.end() || deepest->gap > -rounding * radius) return x;
        x += (0.5 * rounding * radius - deepest->gap) * deepest->normal;
    }
    return {};
}

// Of all directions that lead into none of what it touches, that which leads down most: straight, along the plane of
// one touch, or along the line of two.
Vec3 Room::way_down() const {
    const auto is_open = [&](const Vec3& way) {
        for (const Touch& touch : touches_)
            if (touch.normal.dot(way) < -1e-9) return false;
        return true;
    };
    if (is_open(down_)) return down_;
    Vec3 best = Vec3::Zero();
    const auto consider = [&](const Vec3& way) {
        const double size = way.norm();
        if (size > 1e-9 && way.dot(down_) > size * best.dot(down_) && is_open(way / size)) best = way / size;
    };
    for (std::size_t i = 0; i < touches_.size(); ++i) {
        const Vec3& n = touches_[i].normal;
        consider(down_ - down_.dot(n) * n);
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3 along = n.cross(touches_[j].normal);
            consider(along.dot(down_) < 0 ? Vec3(-along) : along);
        }
    }
    return best;
}

std::optional<Vec3> Room::rolled_down(Vec3 x, double radius) {
    double step = longest_step * radius;
    for (int i = 0; i < most_steps && step > shortest_step * radius; ++i) {
        if (down_.dot(x) > lowest_ + 4 * largest_) return {};
        const double free = smallest_gap(x, radius);
        std::erase_if(touches_, [&](const Touch& touch) { return touch.gap > reached * step; });
        const double length = std::max(step, free);
        const std::optional<Vec3> next = pushed_out(x + length * way_down(), radius);
        if (next && down_.dot(*next - x) > level * length) {
            x = *next;
            step = std::min(2 * step, longest_step * radius);
        } else {
            step /= 2;
        }
    }
    return x;
}

void Room::add(const Grain& grain) {
    cells_.of_ball[grains_.size()] = cell_of(grain.position);
    cells_.insert(std::int32_t(grains_.size()));
    grains_.push_back(grain);
    around_.reset();
}

}  // namespace clangor::grains
