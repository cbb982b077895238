#include <clangor/motion/grains/course.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

// Something that touches a ball.
struct Support {
    Vec3 normal;  // towards the ball
    double friction;
    std::int32_t ball;  // −1: a wall
    double gap;         // [m]
};

// How far apart two may be and still touch, for what hops between collisions: over the distance in which it may stay.
constexpr double touching = 0.4;

// How long it has stayed where it is, in contact times; Memory counts it in parts of one.
constexpr double calm_for = 4, calm_unit = 4096;

double slack_of(const Course& course, std::int32_t ball) {
    return touching * course.options.rest_distance * course.balls[std::size_t(ball)].r;
}

bool is_calm(const Course& course, std::int32_t ball, double time) {
    const Memory& memory = course.memories[std::size_t(ball)];
    if (course.statuses[std::size_t(ball)] != Status::Awake) return false;
    const double r = course.balls[std::size_t(ball)].r;
    return memory.calm >= calm_for * calm_unit && time - memory.last < longest_hop(course, ball) &&
           fall_from(course, ball, time).v.norm() < lasting_speed(course, parting_speed(course, ball, time), r);
}

void add_walls(const Course& course, std::int32_t ball, double time, std::vector<Support>& supports) {
    const Vec3 x = vec(course.balls[std::size_t(ball)].x);
    const double radius = course.balls[std::size_t(ball)].r, slack = slack_of(course, ball);
    const std::uint8_t kind = course.memories[std::size_t(ball)].kind;
    std::vector<WallContact> contacts;
    const auto consider = [&](const WallPart& part) {
        const std::optional<WallContact> contact = contact_with(part, x, radius);
        if (contact && contact->gap < slack) contacts.push_back(*contact);
    };
    for (const WallPart& plane : course.walls.planes) consider(plane);
    const CellIndex at = course.cells.of_ball[std::size_t(ball)];
    const int shift = course.walls.coarser;
    for (const std::int32_t i : course.walls.grid.in_cell(at[0] >> shift, at[1] >> shift, at[2] >> shift))
        consider(course.walls.parts[std::size_t(i)]);
    for (const MovingWall& wall : course.walls.moving)
        if (stands_until(wall, time) > time) add_contacts(wall, x, radius, time, slack, contacts);
    for (const WallContact& contact : contacts)
        supports.push_back({contact.normal, law_with_wall(course, kind, contact.wall).friction, -1, contact.gap});
}

template <class May>
void add_balls(const Course& course, std::int32_t ball, std::vector<Support>& supports, const May& may) {
    const Cells& cells = course.cells;
    const CellIndex at = cells.of_ball[std::size_t(ball)];
    const Ball& own = course.balls[std::size_t(ball)];
    const std::uint8_t kind = course.memories[std::size_t(ball)].kind;
    for (int x = at[0] - 1; x <= at[0] + 1; ++x)
        for (int y = at[1] - 1; y <= at[1] + 1; ++y)
            for (int z = at[2] - 1; z <= at[2] + 1; ++z)
                for (std::int32_t i = cells.first[cells.list(x, y, z)]; i >= 0; i = cells.next[std::size_t(i)]) {
                    if (i == ball) continue;
                    const Ball& other = course.balls[std::size_t(i)];
                    const Vec3 between = vec(own.x) - vec(other.x);
                    const double distance = between.norm();
                    if (distance > own.r + other.r + slack_of(course, ball) || !may(i)) continue;
                    const PairLaw law = law_between(course, kind, course.memories[std::size_t(i)].kind);
                    supports.push_back({between / distance, law.friction, i, distance - own.r - other.r});
                }
}

// Whether forces within the cones of friction carry a ball of unit weight without turning it: the least squares of what
// is missing of both, contact by contact   docs/theory/grains.md, section 6. `forces`: of each support.
bool is_held(const std::vector<Support>& supports, const Vec3& down, double rolling_friction,
             std::vector<Vec3>& forces) {
    forces.assign(supports.size(), Vec3::Zero());
    const double missing = 0.01 + rolling_friction;
    Vec3 force = down, torque = Vec3::Zero();  // torque over the radius
    for (int sweep = 0; sweep < 100; ++sweep) {
        for (std::size_t i = 0; i < supports.size(); ++i) {
            const Vec3& n = supports[i].normal;
            const Vec3 pull = force + torque.cross(n), old = forces[i];
            const double normal = std::max(old.dot(n) - pull.dot(n), 0.0);
            Vec3 along = (old - old.dot(n) * n) - 0.5 * (pull - pull.dot(n) * n);
            const double most = supports[i].friction * normal, size = along.norm();
            if (size > most) along *= size > 0 ? most / size : 0;
            forces[i] = normal * n + along;
            force += forces[i] - old;
            torque += n.cross(forces[i] - old);
        }
        if (force.squaredNorm() + torque.squaredNorm() < square(missing)) return true;
    }
    return false;
}

// By walls and those balls of which this is true.
template <class May>
bool is_held_by(const Course& course, std::int32_t ball, double time, const May& may) {
    std::vector<Support> supports;
    std::vector<Vec3> forces;
    add_walls(course, ball, time, supports);
    add_balls(course, ball, supports, may);
    const double rolling = course.kinds[course.memories[std::size_t(ball)].kind].surface.rolling_friction;
    return is_held(supports, course.gravity.normalized(), rolling, forces);
}

void lay_still(Course& course, std::int32_t ball, double time, Status status) {
    Memory& memory = course.memories[std::size_t(ball)];
    bring_to(course, ball, time);
    course.statuses[std::size_t(ball)] = status;
    memory.spin = {};
    ++memory.turns;
    course.balls[std::size_t(ball)].v = {};
    ++course.still;
    course.report.asleep += status == Status::Asleep;
    set_passage(course, ball, never, 0);
}

}  // namespace

// docs/theory/grains.md, section 6.
double longest_hop(const Course& course, std::int32_t ball) {
    return std::sqrt(8 * course.options.rest_distance * course.balls[std::size_t(ball)].r / course.gravity.norm());
}

void watch_calm(Course& course, std::int32_t ball, double time) {
    Memory& memory = course.memories[std::size_t(ball)];
    if (course.statuses[std::size_t(ball)] != Status::Awake || !course.falls) return;
    const std::array<double, 3>& x = course.balls[std::size_t(ball)].x;
    const double most = course.options.rest_distance * course.balls[std::size_t(ball)].r;
    double moved = 0;
    for (std::size_t k = 0; k < 3; ++k) moved = std::max(moved, std::abs(x[k] - double(memory.anchor[k])));
    const double since = time - memory.last;
    if (moved > most || since > 1.5 * course.contact_time) {
        for (std::size_t k = 0; k < 3; ++k) memory.anchor[k] = float(x[k]);
        memory.calm = 0;
    } else {
        const double calm = memory.calm + calm_unit * since / course.contact_time;
        memory.calm = std::uint16_t(std::min(calm, 65535.0));
    }
}

// What lies on one wall alone does not end in the middle of a hop.
void lay_on_wall(Course& course, std::int32_t ball, double time) {
    std::vector<Support> supports;
    add_walls(course, ball, time, supports);
    const std::size_t walls = supports.size();
    add_balls(course, ball, supports, [](std::int32_t) { return true; });
    Ball& b = course.balls[std::size_t(ball)];
    if (walls == 1 && supports.size() == 1) put(b.x, vec(b.x) - supports[0].gap * supports[0].normal);
}

// Of these those remain that are held by walls, by what sleeps and by each other; all that hold nobody up are taken out
// first, and so on.
std::vector<std::int32_t> held_together(const Course& course, std::vector<std::int32_t> balls, double time) {
    std::vector<char> stays(course.balls.size(), 0);
    for (const std::int32_t ball : balls) stays[std::size_t(ball)] = 1;
    std::vector<std::int32_t> to_ask = balls;
    const auto remains = [&](std::int32_t i) { return stays[std::size_t(i)] == 1; };
    std::vector<char> was_asked(course.balls.size(), 0);
    for (const std::int32_t ball : balls) was_asked[std::size_t(ball)] = 1;
    const auto holds = [&](std::int32_t i) {
        return was_asked[std::size_t(i)] == 1 ? remains(i) : course.statuses[std::size_t(i)] == Status::Asleep;
    };
    while (!to_ask.empty()) {
        const std::int32_t ball = to_ask.back();
        to_ask.pop_back();
        if (!remains(ball) || is_held_by(course, ball, time, holds)) continue;
        stays[std::size_t(ball)] = 0;
        std::vector<Support> above;
        add_balls(course, ball, above, remains);
        for (const Support& one : above) to_ask.push_back(one.ball);
    }
    std::erase_if(balls, [&](std::int32_t ball) { return !remains(ball); });
    return balls;
}

void let_sleep(Course& course, double time) {
    std::vector<std::int32_t> calm;
    for (std::int32_t i = 0; i < std::int32_t(course.balls.size()); ++i)
        if (is_calm(course, i, time)) calm.push_back(i);
    if (calm.empty()) return;
    for (const std::int32_t i : calm) bring_to(course, i, time);
    const std::vector<std::int32_t> held = held_together(course, calm, time);
    for (const std::int32_t i : held) {
        lay_on_wall(course, i, time);
        lay_still(course, i, time, Status::Asleep);
    }
    for (const std::int32_t i : held) look_ahead(course, i, time);
}

void lay_down(Course& course) {
    if (!course.falls || course.options.rest_distance <= 0) return;
    std::vector<std::int32_t> slow;
    for (std::int32_t i = 0; i < std::int32_t(course.balls.size()); ++i)
        if (vec(course.balls[std::size_t(i)].v).norm() == 0 && vec(course.memories[std::size_t(i)].spin).norm() == 0)
            slow.push_back(i);
    for (const std::int32_t i : slow) {
        std::vector<Support> supports;
        add_walls(course, i, 0, supports);
        add_balls(course, i, supports, [](std::int32_t) { return true; });
        Memory& memory = course.memories[std::size_t(i)];
        memory.lasted = !supports.empty();
        if (memory.lasted) memory.last = 0;
    }
    for (const std::int32_t i : held_together(course, slow, 0)) {
        course.statuses[std::size_t(i)] = Status::Asleep;
        ++course.still;
        ++course.report.asleep;
    }
}

void wake(Course& course, std::int32_t ball, double time) {
    Memory& memory = course.memories[std::size_t(ball)];
    course.balls[std::size_t(ball)].t = time;
    if (course.statuses[std::size_t(ball)] == Status::Asleep) --course.report.asleep;
    --course.still;
    course.statuses[std::size_t(ball)] = Status::Awake;
    memory.calm = 0;
    memory.last = time;
    ++memory.turns;
    course.to_wake.push_back(ball);
}

void wake_those_above(Course& course, double time) {
    const auto sleeps = [&](std::int32_t i) { return course.statuses[std::size_t(i)] == Status::Asleep; };
    while (!course.to_wake.empty()) {
        const std::int32_t woken = course.to_wake.back();
        course.to_wake.pop_back();
        std::vector<Support> above;
        add_balls(course, woken, above, sleeps);
        for (const Support& one : above) {
            if (!sleeps(one.ball) || is_held_by(course, one.ball, time, sleeps)) continue;
            wake(course, one.ball, time);
            look_ahead(course, one.ball, time);
        }
    }
}

void wake_unheld(Course& course, double time) {
    const auto touches_what_moves = [&](std::int32_t ball) {
        const Ball& b = course.balls[std::size_t(ball)];
        std::vector<WallContact> contacts;
        for (const MovingWall& wall : course.walls.moving)
            if (stands_until(wall, time) < time)
                add_contacts(wall, vec(b.x), b.r, time, slack_of(course, ball), contacts);
        return !contacts.empty();
    };
    std::vector<std::int32_t> asleep;
    for (std::int32_t i = 0; i < std::int32_t(course.balls.size()); ++i) {
        if (course.statuses[std::size_t(i)] != Status::Asleep) continue;
        if (touches_what_moves(i))
            wake(course, i, time);
        else
            asleep.push_back(i);
    }
    std::vector<char> stays(course.balls.size(), 0);
    for (const std::int32_t i : held_together(course, asleep, time)) stays[std::size_t(i)] = 1;
    for (const std::int32_t i : asleep)
        if (stays[std::size_t(i)] == 0) wake(course, i, time);
    course.to_wake.clear();
    for (std::int32_t i = 0; i < std::int32_t(course.balls.size()); ++i)
        if (course.statuses[std::size_t(i)] != Status::Gone) look_ahead(course, i, time);
}

double earliest_start(const Course& course, double time) {
    double first = never;
    for (const MovingWall& wall : course.walls.moving) first = std::min(first, next_start(wall, time));
    return first;
}

void stop(Course& course, std::int32_t ball, double time) {
    lay_still(course, ball, time, Status::Stopped);
    ++course.report.stopped;
    set_passage(course, ball, time + course.window, Passing::resume);
    look_ahead(course, ball, time);
}

}  // namespace clangor::grains
