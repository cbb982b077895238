#include <clangor/motion/grains/walls.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

// More cells than that take coarser ones: 30 bytes each.
constexpr double most_wall_cells = 2e6;

// A touch of a moving wall is found to this part of a radius.
constexpr double touch_slack = 1e-7;

constexpr int looks_at_once = 24;

// What moves more slowly stands: rounding of a path that has not changed [m/s], [rad/s].
constexpr double slowest_motion = 1e-12;

// A wall that moves has cells of this size, and a ball sees it so far from its centre, over the largest radius: smaller
// cells hold fewer faces of a fine mesh, and what is seen late is looked for often.
constexpr double moving_cell = 1, moving_reach = 1.5;

WallPart placed(WallPart part, const Eigen::Isometry3d& pose) {
    part.a = pose * part.a;
    part.b = pose * part.b;
    part.c = pose * part.c;
    part.n = pose.linear() * part.n;
    for (Vec3& way : part.ways) way = pose.linear() * way;
    return part;
}

double cells_of(const std::vector<WallPart>& parts, double cell) {
    double cells = 0;
    for (const WallPart& part : parts)
        if (part.kind == WallPart::Kind::Face) {
            const double area = 0.5 * (part.b - part.a).cross(part.c - part.a).norm();
            const double around = (part.b - part.a).norm() + (part.c - part.b).norm() + (part.a - part.c).norm();
            cells += 3 * area / square(cell) + 3 * around / cell + 8;
        }
    return cells;
}

// How long s + v t − ½ a t² stays above 0, for s, a ≥ 0.
double stays_positive(double s, double v, double a) {
    const double root = std::sqrt(v * v + 2 * a * s);
    if (v >= 0) return a > 0 ? (v + root) / a : never;
    return 2 * s / (root - v);
}

// A ball in the frame of a wall. Its acceleration there is `pull`, and so many times `jerk` more or less after a time.
struct Approach {
    Vec3 x, u = Vec3::Zero(), pull = Vec3::Zero();
    double r = 0, speed = 0, acceleration = 0, jerk = 0;  // its radius, and the sizes of the others
    double longest = 0, slack = 0;                        // how long the bound of the jerk holds [s]

    // How long s + v t + ½ a t² − jerk t³/6 stays above 0 at least: the last part is below ½ b t², b = jerk T/3, up to
    // a T at which the others have reached 0.
    double stays(double s, double v, double a) const {
        const double most = std::min(a < 0 || v < 0 ? falls_below_zero(s, v, a) : never, longest);
        return jerk > 0 ? std::min(falls_below_zero(s, v, a - jerk * most / 3), longest) : most;
    }
    // The same whatever the direction.
    double stays_away(double s) const {
        const double most = std::min(stays_positive(s, -speed, acceleration), longest);
        return jerk > 0 ? stays_positive(s, -speed, acceleration + jerk * most / 3) : most;
    }
    double way_in(double t) const { return t * (speed + t * (acceleration / 2 + t * jerk / 6)); }
};

// How long it takes at least to touch a part; negative: it touches it now, and comes nearer. What is longer than
// `enough` may be anything that is.
double least_time(const WallPart& part, const Approach& ball, double enough) {
    double least = 0;
    const Vec3 from = ball.x - part.a;
    if (part.kind == WallPart::Kind::Face) {
        const double height = part.n.dot(from), side = height < 0 ? -1 : 1, gap = side * height - ball.r;
        const double away = side * ball.u.dot(part.n);
        if (gap > 0) least = ball.stays(gap, away, side * ball.pull.dot(part.n));
        if (least >= enough) return least;
    } else {
        for (const Vec3& way : part.ways) {
            const double ahead = way.dot(from);
            if (ahead > 0) least = std::max(least, ball.stays(ahead, way.dot(ball.u), way.dot(ball.pull)));
            if (least >= enough) return least;
        }
    }
    if (const std::optional<Nearest> nearest = nearest_of(part, ball.x)) {
        const double gap = nearest->distance - ball.r, away = ball.u.dot(nearest->normal);
        if (gap <= ball.slack && away < 0 && !(least > 0 && part.kind != WallPart::Kind::Face)) return -1;
        return std::max(least, ball.stays(std::max(gap, 0.0), away, ball.pull.dot(nearest->normal)));
    }
    // Beside it: its border must be reached, too.
    if (part.kind == WallPart::Kind::Face) {
        double beside = 0;
        for (const auto& [at, to] : {std::pair{part.a, part.b}, {part.b, part.c}, {part.c, part.a}})
            beside = std::max(beside, -part.n.dot((to - at).normalized().cross(ball.x - at)));
        return std::max(least, ball.stays_away(beside));
    }
    const double along = from.dot(part.n);
    return std::max(least, ball.stays_away(std::max({-along, along - (part.b - part.a).dot(part.n), 0.0})));
}

// Of all parts of a mesh. That which seems nearest comes first, so that most others are seen to be too far away.
double least_time(const MovingWall& wall, const Approach& ball) {
    const std::span<const std::int32_t> near = wall.grid.at(ball.x);
    const double outside = (ball.x - ball.x.cwiseMax(wall.low).cwiseMin(wall.high)).norm() - ball.r;
    double dt = ball.stays_away(std::max(outside, wall.reach - ball.r)), seen = 0;
    const auto consider = [&](std::int32_t part) {
        dt = std::min(dt, least_time(wall.parts[std::size_t(part)], ball, dt));
        seen = ball.r + ball.way_in(std::max(dt, 0.0)) + 2 * ball.slack;
    };
    const auto seems = [&](std::int32_t part) {
        const Around& around = wall.around[std::size_t(part)];
        return (ball.x - around.centre).squaredNorm();
    };
    if (near.empty()) return dt;
    const std::int32_t first = *std::min_element(near.begin(), near.end(),
                                                 [&](std::int32_t a, std::int32_t b) { return seems(a) < seems(b); });
    consider(first);
    for (const std::int32_t part : near) {
        if (dt < 0) return dt;
        if (part != first && !is_farther(wall.around[std::size_t(part)], ball.x, seen)) consider(part);
    }
    return dt;
}

// Where a ball is that falls since `time`, seen from a wall at the time t: x″ = g − a − ω̇×x − ω×(ω×x) − 2 ω×x′
// docs/theory/grains.md, section 4. Until the path's interval ends, or `end`.
Approach approach(const MovingWall& wall, const Fall& fall, double radius, double time, double t, double end) {
    const Eigen::Isometry3d pose = pose_at(wall.path, t);
    const Mat3 back = pose.linear().transpose();
    const Vec3 arm = fall.at(t - time) - pose.translation(), v = fall.velocity(t - time);
    Approach ball{.x = back * arm, .r = radius, .longest = end - t, .slack = touch_slack * radius};
    const double stands = stands_until(wall, t);
    if (stands > t) {
        ball.u = back * v;
        ball.pull = back * fall.a;
        ball.longest = std::min(ball.longest, stands - t);
    } else {
        const Eigen::VectorXd& times = wall.path.times;
        const long i = std::upper_bound(times.data(), times.data() + times.size(), t) - times.data() - 1;
        const MovingWall::Bound& most = wall.bounds[std::size_t(i)];
        ball.longest = std::min(ball.longest, times[i + 1] - t);
        const double h = 1e-4 * (times[i + 1] - t);
        const Twist now = twist_at(wall.path, t), next = twist_at(wall.path, t + h);
        const Vec3 a = (next.linear - now.linear) / h, change = (next.angular - now.angular) / h, &spin = now.angular;
        const Vec3 u = v - now.linear - spin.cross(arm);
        ball.u = back * u;
        ball.pull = back * (fall.a - a - change.cross(arm) - spin.cross(spin.cross(arm)) - 2 * spin.cross(u));
        // Each part of x″ changes by its own rate, and by ω as seen from what turns.
        const double rho = arm.norm() + radius, T = std::max(ball.longest, 0.0);
        const double A = fall.a.norm() + most.acceleration + (most.spin_change + square(most.spin)) * rho;
        const double fastest = u.norm() + (A + 2 * most.spin * u.norm()) * T;
        ball.jerk = most.jerk + most.spin * (fall.a.norm() + most.acceleration + 2 * A) +
                    (most.spin_jerk + 4 * most.spin * most.spin_change + cube(most.spin)) * rho +
                    (3 * most.spin_change + 7 * square(most.spin)) * fastest;
    }
    ball.speed = ball.u.norm();
    ball.acceleration = ball.pull.norm();
    return ball;
}

}  // namespace

MovingWall moving_wall(const GrainWall& wall, std::int32_t index, double largest_radius) {
    MovingWall moving;
    moving.wall = index;
    moving.parts = parts_of(wall, index);
    moving.is_plane = std::holds_alternative<GrainPlane>(wall.shape);
    moving.reach = moving_reach * largest_radius;
    for (const WallPart& part : moving.parts) moving.around.push_back(around(part));
    if (!moving.is_plane) {
        moving.low = Vec3::Constant(never);
        moving.high = -moving.low;
        for (const WallPart& part : moving.parts) {
            moving.low = moving.low.cwiseMin(part.a).cwiseMin(part.b).cwiseMin(part.c);
            moving.high = moving.high.cwiseMax(part.a).cwiseMax(part.b).cwiseMax(part.c);
        }
        moving.size = moving.low.cwiseAbs().cwiseMax(moving.high.cwiseAbs()).norm();
        double cell = moving_cell * largest_radius;
        while (cells_of(moving.parts, cell) > most_wall_cells) cell *= 2;
        moving.grid = WallGrid(moving.parts, moving.low, Vec3::Constant(cell), moving.reach);
    }
    set_path(moving, wall.path);
    return moving;
}

void set_path(MovingWall& wall, const Trajectory& path) {
    wall.path = path;
    wall.bounds.assign(std::size_t(path.times.size()), {});
    for (long i = path.times.size() - 2; i >= 0; --i) {
        // Cubics: eight parts of an interval miss little of their extremes.
        MovingWall::Bound& bound = wall.bounds[std::size_t(i)];
        const double h = path.times[i + 1] - path.times[i];
        bound.stands_until = wall.bounds[std::size_t(i) + 1].stands_until;
        if (bound.stands_until < 0) bound.stands_until = path.times[i + 1];
        Twist before;
        Vec3 a = Vec3::Zero(), change = Vec3::Zero();
        for (int k = 0; k <= 8; ++k) {
            const Twist twist = twist_at(path, path.times[i] + h * std::clamp(k / 8.0, 1e-9, 1 - 1e-9));
            if (twist.linear.norm() > slowest_motion || twist.angular.norm() > slowest_motion)
                bound.stands_until = -never;
            bound.spin = std::max(bound.spin, 1.1 * twist.angular.norm());
            if (k > 0) {
                const Vec3 a_now = (twist.linear - before.linear) / (h / 8);
                const Vec3 change_now = (twist.angular - before.angular) / (h / 8);
                bound.acceleration = std::max(bound.acceleration, 1.3 * a_now.norm());
                bound.spin_change = std::max(bound.spin_change, 1.3 * change_now.norm());
                if (k > 1) {
                    bound.jerk = std::max(bound.jerk, 1.3 * (a_now - a).norm() / (h / 8));
                    bound.spin_jerk = std::max(bound.spin_jerk, 1.3 * (change_now - change).norm() / (h / 8));
                }
                a = a_now;
                change = change_now;
            }
            before = twist;
        }
    }
}

double stands_until(const MovingWall& wall, double time) {
    const Eigen::VectorXd& times = wall.path.times;
    const long n = times.size();
    if (n < 2 || time >= times[n - 1]) return never;
    if (time < times[0]) return std::max(times[0], wall.bounds[0].stands_until);
    const long i = std::upper_bound(times.data(), times.data() + n, time) - times.data() - 1;
    return wall.bounds[std::size_t(i)].stands_until;
}

double next_start(const MovingWall& wall, double time) {
    const Eigen::VectorXd& times = wall.path.times;
    for (long i = 0; i + 1 < times.size(); ++i) {
        const bool moves = wall.bounds[std::size_t(i)].stands_until < 0;
        const bool moved = i > 0 && wall.bounds[std::size_t(i) - 1].stands_until < 0;
        if (moves && !moved && times[i] > time) return times[i];
    }
    return never;
}

Walls walls_of(const GrainWorld& world, const Cells& cells, double largest_radius, const std::vector<char>& has_path) {
    Walls walls;
    for (std::size_t i = 0; i < world.walls.size(); ++i) {
        const GrainWall& wall = world.walls[i];
        if (moves(wall.path) || has_path[i]) {
            walls.moving.push_back(moving_wall(wall, std::int32_t(i), largest_radius));
            continue;
        }
        const Eigen::Isometry3d pose = pose_at(wall.path, 0);
        for (const WallPart& part : parts_of(wall, std::int32_t(i)))
            (part.kind == WallPart::Kind::Plane ? walls.planes : walls.parts).push_back(placed(part, pose));
    }
    for (const WallPart& part : walls.parts) walls.around.push_back(around(part));
    double cell = cells.size.minCoeff();
    while (cells_of(walls.parts, cell) > most_wall_cells) {
        cell *= 2;
        ++walls.coarser;
    }
    walls.grid = WallGrid(walls.parts, cells.origin, cells.size * (1 << walls.coarser), largest_radius);
    return walls;
}

std::optional<WallContact> contact_with(const WallPart& part, const Vec3& x, double radius) {
    const std::optional<Nearest> nearest = nearest_of(part, x);
    if (!nearest) return {};
    return WallContact{nearest->normal, Vec3::Zero(), nearest->distance - radius, part.wall, part.face};
}

std::optional<WallContact> nearest_contact(const MovingWall& wall, const Vec3& x, double radius, double time) {
    const Eigen::Isometry3d pose = pose_at(wall.path, time);
    const Vec3 inside = pose.inverse(Eigen::Isometry) * x;
    std::optional<WallContact> found;
    const auto consider = [&](const WallPart& part) {
        const std::optional<WallContact> contact = contact_with(part, inside, radius);
        if (contact && (!found || contact->gap < found->gap)) found = contact;
    };
    if (wall.is_plane)
        consider(wall.parts[0]);
    else
        for (const std::int32_t i : wall.grid.at(inside))
            if (!is_farther(wall.around[std::size_t(i)], inside, found ? found->gap + radius : wall.reach))
                consider(wall.parts[std::size_t(i)]);
    if (!found || (!wall.is_plane && found->gap + radius > wall.reach)) return {};
    const Vec3 point = inside - (found->gap + radius) * found->normal;
    found->velocity = point_velocity(pose, twist_at(wall.path, time), point);
    found->normal = pose.linear() * found->normal;
    return found;
}

void add_contacts(const MovingWall& wall, const Vec3& x, double radius, double time, double gap,
                  std::vector<WallContact>& contacts) {
    const Eigen::Isometry3d pose = pose_at(wall.path, time);
    const Vec3 inside = pose.inverse(Eigen::Isometry) * x;
    const auto consider = [&](const WallPart& part) {
        std::optional<WallContact> contact = contact_with(part, inside, radius);
        if (!contact || contact->gap > gap) return;
        contact->normal = pose.linear() * contact->normal;
        contacts.push_back(*contact);
    };
    if (wall.is_plane)
        consider(wall.parts[0]);
    else
        for (const std::int32_t i : wall.grid.at(inside))
            if (!is_farther(wall.around[std::size_t(i)], inside, radius + gap)) consider(wall.parts[std::size_t(i)]);
}

std::optional<WallContact> touched(const MovingWall& wall, const Vec3& x, const Vec3& v, double radius, double time) {
    std::vector<WallContact> contacts;
    add_contacts(wall, x, radius, time, 4 * touch_slack * radius, contacts);
    const Eigen::Isometry3d pose = pose_at(wall.path, time);
    const Twist twist = twist_at(wall.path, time);
    const WallContact* fastest = nullptr;
    double speed = 0;
    for (WallContact& contact : contacts) {
        const Vec3 point = x - (contact.gap + radius) * contact.normal;
        contact.velocity = point_velocity(pose, twist, pose.inverse(Eigen::Isometry) * point);
        const double closing = (contact.velocity - v).dot(contact.normal);
        if (closing <= speed) continue;
        speed = closing;
        fastest = &contact;
    }
    return fastest ? std::optional(*fastest) : nearest_contact(wall, x, radius, time);
}

// Steps that cannot reach the wall, however it moves (conservative advancement), until the gap is as good as closed.
Look look_for_touch(const MovingWall& wall, const Fall& fall, double radius, double time, double end) {
    double t = time;
    for (int i = 0; i < looks_at_once && t < end; ++i) {
        const Approach ball = approach(wall, fall, radius, time, t, end);
        const double dt = wall.is_plane ? least_time(wall.parts[0], ball, never) : least_time(wall, ball);
        if (dt < 0) return {t, true};
        const double least = std::min(0.5 * ball.slack / std::max(ball.speed, 1e-3), ball.longest);
        t += std::clamp(dt, least, std::max(ball.longest, least));
    }
    return {t, false};
}

}  // namespace clangor::grains
