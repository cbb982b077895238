#include <clangor/motion/grains/course.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

// So many neighbours are looked at side by side.
constexpr int most_together = 64;

struct Neighbours {
    std::array<std::int32_t, most_together> balls;
    int count = 0;
};

// Where a ball is now, and how it goes on.
struct Mover {
    std::int32_t ball;
    double time;
    std::array<double, 3> x, v;
    double r;
    Meeting first = {};
};

Mover mover_at(const Course& course, std::int32_t ball, double time) {
    const Ball& b = course.balls[std::size_t(ball)];
    Mover mover{ball, time, b.x, b.v, b.r};
    if (!is_awake(course, ball)) return mover;
    const double dt = time - b.t;
    for (std::size_t k = 0; k < 3; ++k) {
        const double g = course.gravity[long(k)];
        mover.x[k] = b.x[k] + dt * (b.v[k] + 0.5 * dt * g);
        mover.v[k] = b.v[k] + dt * g;
    }
    return mover;
}

void take(const Course& course, Mover& mover, double time, std::int32_t other) {
    if (time < mover.first.time || (time == mover.first.time && other < mover.first.other))
        mover.first = {time, other, course.memories[std::size_t(other)].turns};
}

// Two that fall move straight, seen from each other: |d + u t| = r₁ + r₂   docs/theory/grains.md, Eq. 2.
template <bool is_periodic, bool falls>
void meet(const Course& course, Mover& mover, const Neighbours& others) {
    alignas(64) std::array<double, most_together> b, uu, c;
    const std::array<double, 3> g = {course.gravity[0], course.gravity[1], course.gravity[2]};
    const std::array<double, 3> box = {course.box[0], course.box[1], course.box[2]};
    for (int i = 0; i < others.count; ++i) {
        const Ball& other = course.balls[std::size_t(others.balls[std::size_t(i)])];
        const double dt = mover.time - other.t, reach = mover.r + other.r;
        double bi = 0, ui = 0, ci = -reach * reach;
        for (std::size_t k = 0; k < 3; ++k) {
            double u = mover.v[k] - other.v[k], d = mover.x[k] - other.x[k];
            if constexpr (falls) {
                d -= dt * (other.v[k] + 0.5 * dt * g[k]);
                u -= dt * g[k];
            } else {
                d -= dt * other.v[k];
            }
            if constexpr (is_periodic) d -= box[k] * std::rint(d / box[k]);
            bi += d * u;
            ui += u * u;
            ci += d * d;
        }
        b[std::size_t(i)] = bi;
        uu[std::size_t(i)] = ui;
        c[std::size_t(i)] = ci;
    }
    alignas(64) std::array<double, most_together> when;
#pragma omp simd
    for (int i = 0; i < others.count; ++i) {
        const std::size_t k = std::size_t(i);
        const double rest = b[k] * b[k] - uu[k] * c[k];
        const double t = c[k] / (std::sqrt(rest > 0 ? rest : 0) - b[k]);
        when[k] = b[k] < 0 && rest >= 0 ? (t > 0 ? t : 0) : never;
    }
    for (int i = 0; i < others.count; ++i)
        if (when[std::size_t(i)] < never)
            take(course, mover, mover.time + when[std::size_t(i)], others.balls[std::size_t(i)]);
}

// When a ball that falls leaves the cells around another's: from then on it is not its neighbour.
double leaves_around(const Course& course, const CellIndex& cell, const Fall& fall) {
    double first = never;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const long k = long(axis);
        const double low = course.cells.origin[k] + (cell[axis] - 1.001) * course.cells.size[k];
        const double high = low + 3.002 * course.cells.size[k];
        first = std::min({first, falls_below_zero(fall.x[k] - low, fall.v[k], fall.a[k]),
                          falls_below_zero(high - fall.x[k], -fall.v[k], -fall.a[k])});
    }
    return first;
}

// What lies still is met on a parabola, for as long as the two are neighbours; in a periodic box nothing lies still
// but what was stopped.
void meet_still(const Course& course, Mover& mover, std::int32_t other) {
    const bool mover_falls = is_awake(course, mover.ball);
    if (mover_falls == is_awake(course, other)) return;
    const std::int32_t still = mover_falls ? other : mover.ball;
    const Fall fall =
        mover_falls ? Fall{vec(mover.x), vec(mover.v), course.gravity} : fall_from(course, other, mover.time);
    Vec3 between = fall.x - vec(course.balls[std::size_t(still)].x);
    if (course.cells.periodic)
        for (int k = 0; k < 3; ++k) between[k] -= course.box[k] * std::rint(between[k] / course.box[k]);
    const double reach = mover.r + course.balls[std::size_t(other)].r, speed = fall.v.norm();
    const auto is_too_far = [&](double span) {
        const double most = reach + speed * span + 0.5 * course.gravity.norm() * span * span;
        return between.squaredNorm() > square(most);
    };
    double span = std::min(mover.first.time - mover.time, 1e6);
    if (is_too_far(span)) return;
    span = std::min(span, leaves_around(course, course.cells.of_ball[std::size_t(still)], fall));
    if (!(span > 0) || is_too_far(span)) return;
    const Times times = comes_within({between, fall.v, fall.a}, reach, span);
    if (times.count > 0) take(course, mover, mover.time + times.at[0], other);
}

void meet_all(const Course& course, Mover& mover, const Neighbours& others) {
    if (course.cells.periodic)
        meet<true, false>(course, mover, others);
    else if (course.falls)
        meet<false, true>(course, mover, others);
    else
        meet<false, false>(course, mover, others);
}

// Those that lie still are looked at last, when it is known until when.
void meet_some(const Course& course, Mover& mover, Neighbours& others) {
    if (course.still == 0) return meet_all(course, mover, others);
    Neighbours still;
    int kept = 0;
    const bool falls = is_awake(course, mover.ball);
    for (int i = 0; i < others.count; ++i) {
        const std::int32_t other = others.balls[std::size_t(i)];
        if (falls && is_awake(course, other))
            others.balls[std::size_t(kept++)] = other;
        else
            still.balls[std::size_t(still.count++)] = other;
    }
    others.count = kept;
    meet_all(course, mover, others);
    for (int i = 0; i < still.count; ++i) meet_still(course, mover, still.balls[std::size_t(i)]);
}

// Those of the lists of these cells, per axis.
struct Range {
    int from, to;
};
void meet_in(const Course& course, Mover& mover, const std::array<Range, 3>& range) {
    const Cells& cells = course.cells;
    Neighbours others;
    for (int x = range[0].from; x <= range[0].to; ++x)
        for (int y = range[1].from; y <= range[1].to; ++y) {
            const std::size_t column = cells.column(x, y);
            for (int z = range[2].from; z <= range[2].to; ++z) {
                std::int32_t other = cells.first[cells.in_column(column, z)];
                for (; other >= 0; other = cells.next[std::size_t(other)]) {
                    if (other == mover.ball) continue;
                    __builtin_prefetch(&course.balls[std::size_t(other)]);
                    others.balls[std::size_t(others.count++)] = other;
                    if (others.count == most_together) {
                        meet_some(course, mover, others);
                        others.count = 0;
                    }
                }
            }
        }
    meet_some(course, mover, others);
}

std::array<Range, 3> around(const CellIndex& at) {
    return {Range{at[0] - 1, at[0] + 1}, Range{at[1] - 1, at[1] + 1}, Range{at[2] - 1, at[2] + 1}};
}

}  // namespace

Fall fall_from(const Course& course, std::int32_t ball, double time) {
    const Mover mover = mover_at(course, ball, time);
    return {vec(mover.x), vec(mover.v), course.gravity};
}

void bring_to(Course& course, std::int32_t ball, double time) {
    Ball& b = course.balls[std::size_t(ball)];
    const Mover mover = mover_at(course, ball, time);
    b.x = mover.x;
    b.v = mover.v;
    b.t = time;
}

void find_meeting(Course& course, std::int32_t ball, double time) {
    Mover mover = mover_at(course, ball, time);
    meet_in(course, mover, around(course.cells.of_ball[std::size_t(ball)]));
    course.meetings[std::size_t(ball)] = mover.first;
}

void find_meeting_ahead(Course& course, std::int32_t ball, double time, int passed) {
    Mover mover = mover_at(course, ball, time);
    mover.first = course.meetings[std::size_t(ball)];
    std::array<Range, 3> range = around(course.cells.of_ball[std::size_t(ball)]);
    Range& along = range[std::size_t(passed / 2)];
    (passed % 2 == 0 ? along.to : along.from) = passed % 2 == 0 ? along.from : along.to;
    meet_in(course, mover, range);
    course.meetings[std::size_t(ball)] = mover.first;
}

// What sleeps is not passed by walls that move.
void find_moving_wall(Course& course, std::int32_t ball, double time) {
    const Ball& b = course.balls[std::size_t(ball)];
    const Fall still{vec(b.x), Vec3::Zero(), Vec3::Zero()};
    set_passage(course, ball, never, 0);
    for (std::size_t i = 0; i < course.walls.moving.size(); ++i) {
        const double end = course.passage_times[std::size_t(ball)];
        const Look look = look_for_touch(course.walls.moving[i], still, b.r, time, end);
        if (look.time < end) set_passage(course, ball, look.time, look.touches ? -1 - std::int32_t(i) : Passing::look);
    }
}

// Leaving the cell, or touching a wall, before it would meet another: what comes later need not be known.
void find_passage(Course& course, std::int32_t ball, double time) {
    const double radius = course.balls[std::size_t(ball)].r;
    if (!is_awake(course, ball)) {
        if (course.statuses[std::size_t(ball)] == Status::Asleep) find_moving_wall(course, ball, time);
        return;
    }
    const Fall fall = fall_from(course, ball, time);
    const CellIndex at = course.cells.of_ball[std::size_t(ball)];
    const double meeting = course.meetings[std::size_t(ball)].time;
    double first = meeting - time;
    std::int32_t code = Passing::look;
    const auto take_passage = [&](double t, std::int32_t what) {
        if (t < first) {
            first = t;
            code = what;
        }
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const long k = long(axis);
        const double low = course.cells.origin[k] + at[axis] * course.cells.size[k];
        const double high = low + course.cells.size[k];
        double x = fall.x[k];
        if (course.cells.periodic) x -= course.box[k] * std::rint((x - 0.5 * (low + high)) / course.box[k]);
        const double reach = first * (std::abs(fall.v[k]) + 0.5 * first * std::abs(fall.a[k]));
        if (!(x - low > reach)) take_passage(falls_below_zero(x - low, fall.v[k], fall.a[k]), std::int32_t(2 * axis));
        if (!(high - x > reach))
            take_passage(falls_below_zero(high - x, -fall.v[k], -fall.a[k]), std::int32_t(2 * axis + 1));
    }
    const Walls& walls = course.walls;
    const std::int32_t plane_count = std::int32_t(walls.planes.size());
    for (std::int32_t i = 0; i < plane_count; ++i)
        take_passage(touch_time(walls.planes[std::size_t(i)], fall, radius, first), Passing::wall + i);
    const int shift = walls.coarser;
    const double speed = fall.v.norm(), pull = course.gravity.norm();
    for (const std::int32_t i : walls.grid.in_cell(at[0] >> shift, at[1] >> shift, at[2] >> shift)) {
        const WallPart& part = walls.parts[std::size_t(i)];
        const double reach = radius + first * (speed + 0.5 * first * pull);
        if (is_farther(walls.around[std::size_t(i)], fall.x, reach) || is_farther(part, fall.x, reach)) continue;
        take_passage(touch_time(part, fall, radius, first), Passing::wall + plane_count + i);
    }
    for (std::size_t i = 0; i < walls.moving.size(); ++i) {
        const double end = time + first;
        const Look look = look_for_touch(walls.moving[i], fall, radius, time, end);
        if (look.time < end) take_passage(look.time - time, look.touches ? -1 - std::int32_t(i) : Passing::look);
    }
    set_passage(course, ball, code == Passing::look && first == meeting - time ? meeting : time + first, code);
}

void schedule(Course& course, std::int32_t ball) {
    course.calendar.set(ball,
                        std::min(course.passage_times[std::size_t(ball)], course.meetings[std::size_t(ball)].time));
}

void look_ahead(Course& course, std::int32_t ball, double time) {
    find_meeting(course, ball, time);
    find_passage(course, ball, time);
    schedule(course, ball);
}

}  // namespace clangor::grains
