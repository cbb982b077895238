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
};

// How far apart two may be and still touch, for what hops between collisions: over the distance in which it may stay.
constexpr double touching = 2;

// More than these do not fall asleep together; larger arches need one that is held by others.
constexpr std::size_t largest_cluster = 16;

double slack_of(const Course& course, std::int32_t ball) {
    return touching * course.options.rest_distance * course.balls[std::size_t(ball)].r;
}

// A hop that takes so long goes as high as a ball may move   docs/theory/grains.md, Eq. 11.
double longest_hop(const Course& course, std::int32_t ball) {
    return std::sqrt(8 * course.options.rest_distance * course.balls[std::size_t(ball)].r / course.gravity.norm());
}
bool is_calm(const Course& course, std::int32_t ball, double time) {
    const Memory& memory = course.memories[std::size_t(ball)];
    const double hop = longest_hop(course, ball);
    return course.statuses[std::size_t(ball)] == Status::Awake && double(memory.calm) >= 2 * hop &&
           time - memory.last < hop;
}

void add_walls(const Course& course, std::int32_t ball, double time, std::vector<Support>& supports) {
    const Vec3 x = vec(course.balls[std::size_t(ball)].x);
    const double radius = course.balls[std::size_t(ball)].r, slack = slack_of(course, ball);
    const SurfaceLaw& own = course.kinds[course.memories[std::size_t(ball)].kind];
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
        if (time >= wall.rests_after) add_contacts(wall, x, radius, time, slack, contacts);
    for (const WallContact& contact : contacts)
        supports.push_back({contact.normal, pair_law(own, course.wall_laws[std::size_t(contact.wall)]).friction, -1});
}

template <class May>
void add_balls(const Course& course, std::int32_t ball, std::vector<Support>& supports, const May& may) {
    const Cells& cells = course.cells;
    const CellIndex at = cells.of_ball[std::size_t(ball)];
    const Ball& own = course.balls[std::size_t(ball)];
    const SurfaceLaw& law = course.kinds[course.memories[std::size_t(ball)].kind];
    for (int x = at[0] - 1; x <= at[0] + 1; ++x)
        for (int y = at[1] - 1; y <= at[1] + 1; ++y)
            for (int z = at[2] - 1; z <= at[2] + 1; ++z)
                for (std::int32_t i = cells.first[cells.list(x, y, z)]; i >= 0; i = cells.next[std::size_t(i)]) {
                    if (i == ball) continue;
                    const Ball& other = course.balls[std::size_t(i)];
                    const Vec3 between = vec(own.x) - vec(other.x);
                    const double distance = between.norm();
                    if (distance > own.r + other.r + slack_of(course, ball) || !may(i)) continue;
                    const SurfaceLaw& its = course.kinds[course.memories[std::size_t(i)].kind];
                    supports.push_back({between / distance, pair_law(law, its).friction, i});
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

void lay_still(Course& course, std::int32_t ball, double time, Status status) {
    Memory& memory = course.memories[std::size_t(ball)];
    bring_to(course, ball, time);
    course.statuses[std::size_t(ball)] = status;
    memory.spin = {};
    ++memory.turns;
    course.balls[std::size_t(ball)].v = {};
    ++course.still;
    find_meeting(course, ball, time);
    set_passage(course, ball, never, 0);
}

}  // namespace

void watch_calm(Course& course, std::int32_t ball, double time) {
    Memory& memory = course.memories[std::size_t(ball)];
    if (course.statuses[std::size_t(ball)] != Status::Awake || !course.falls) return;
    const std::array<double, 3>& x = course.balls[std::size_t(ball)].x;
    const double most = course.options.rest_distance * course.balls[std::size_t(ball)].r;
    double moved = 0;
    for (std::size_t k = 0; k < 3; ++k) moved = std::max(moved, std::abs(x[k] - double(memory.anchor[k])));
    const double since = time - memory.last;
    if (moved > most || since > longest_hop(course, ball)) {
        for (std::size_t k = 0; k < 3; ++k) memory.anchor[k] = float(x[k]);
        memory.calm = 0;
    } else {
        memory.calm += float(since);
    }
}

void consider_sleep(Course& course, std::int32_t ball, double time) {
    if (!is_calm(course, ball, time)) return;
    const Vec3 down = course.gravity.normalized();
    std::vector<std::int32_t> together = {ball};
    const auto is_one = [&](std::int32_t i) {
        return std::find(together.begin(), together.end(), i) != together.end();
    };
    for (std::size_t at = 0; at < together.size(); ++at) {
        const std::int32_t one = together[at];
        if (one != ball) bring_to(course, one, time);
        std::vector<Support> supports;
        std::vector<Vec3> forces;
        add_walls(course, one, time, supports);
        add_balls(course, one, supports, [&](std::int32_t i) {
            return course.statuses[std::size_t(i)] == Status::Asleep || is_one(i) || is_calm(course, i, time);
        });
        const double rolling = course.kinds[course.memories[std::size_t(one)].kind].surface.rolling_friction;
        bool held = is_held(supports, down, rolling, forces);
        for (std::size_t i = 0; held && i < supports.size(); ++i) {
            const std::int32_t other = supports[i].ball;
            if (other < 0 || course.statuses[std::size_t(other)] == Status::Asleep || is_one(other)) continue;
            if (forces[i].squaredNorm() == 0) continue;
            together.push_back(other);
            held = together.size() <= largest_cluster;
        }
        if (!held) {
            course.memories[std::size_t(ball)].calm *= 0.5F;
            return;
        }
    }
    for (const std::int32_t one : together) {
        lay_still(course, one, time, Status::Asleep);
        ++course.report.asleep;
    }
    for (const std::int32_t one : together) schedule(course, one);
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
    const Vec3 down = course.gravity.normalized();
    while (!course.to_wake.empty()) {
        const std::int32_t woken = course.to_wake.back();
        course.to_wake.pop_back();
        std::vector<Support> above;
        add_balls(course, woken, above,
                  [&](std::int32_t i) { return course.statuses[std::size_t(i)] == Status::Asleep; });
        for (const Support& one : above) {
            std::vector<Support> supports;
            std::vector<Vec3> forces;
            add_walls(course, one.ball, time, supports);
            add_balls(course, one.ball, supports,
                      [&](std::int32_t i) { return course.statuses[std::size_t(i)] == Status::Asleep; });
            const double rolling = course.kinds[course.memories[std::size_t(one.ball)].kind].surface.rolling_friction;
            if (is_held(supports, down, rolling, forces)) continue;
            wake(course, one.ball, time);
            look_ahead(course, one.ball, time);
        }
    }
}

void stop(Course& course, std::int32_t ball, double time) {
    lay_still(course, ball, time, Status::Stopped);
    ++course.report.stopped;
    set_passage(course, ball, time + course.window, Passing::resume);
    schedule(course, ball);
}

}  // namespace clangor::grains
