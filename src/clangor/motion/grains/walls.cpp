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

WallPart placed(WallPart part, const Eigen::Isometry3d& pose) {
    part.a = pose * part.a;
    part.b = pose * part.b;
    part.c = pose * part.c;
    part.n = pose.linear() * part.n;
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

// The most from a time on, for `until` at the most, which is set to where that ends.
MovingWall::Bound bound_from(const MovingWall& wall, double time, double& until) {
    const Eigen::VectorXd& times = wall.path.times;
    const long n = times.size();
    if (n < 2 || time >= times[n - 1]) return {};
    if (time < times[0]) {
        until = std::min(until, times[0]);
        return {};
    }
    const long i = std::upper_bound(times.data(), times.data() + n, time) - times.data() - 1;
    const long last = std::min(i + 4, n - 1);
    MovingWall::Bound most;
    for (long k = i; k < last; ++k) {
        const MovingWall::Bound& bound = wall.bounds[std::size_t(k)];
        most.spin = std::max(most.spin, bound.spin);
        most.acceleration = std::max(most.acceleration, bound.acceleration);
        most.spin_change = std::max(most.spin_change, bound.spin_change);
    }
    if (last < n - 1) until = std::min(until, times[last]);
    return most;
}

// How long s + v t − ½ a t² stays above 0, for s ≥ 0.
double stays_positive(double s, double v, double a) {
    const double root = std::sqrt(v * v + 2 * a * s);
    if (v >= 0) return a > 0 ? (v + root) / a : never;
    return 2 * s / (root - v);
}

// A ball in the frame of a wall.
struct Approach {
    Vec3 x, u;           // where it is and how fast it moves there
    double r, a, slack;  // its radius, and what its acceleration there is at most
};

// How long it takes at least to touch a part; negative: it touches it now, and comes nearer.
double least_time(const WallPart& part, const Approach& ball) {
    const double speed = ball.u.norm();
    if (const std::optional<Nearest> nearest = nearest_of(part, ball.x)) {
        const double gap = nearest->distance - ball.r, away = ball.u.dot(nearest->normal);
        if (gap <= ball.slack) return away < 0 ? -1 : stays_positive(0, away, ball.a);
        return stays_positive(gap, away, ball.a);
    }
    // Beside it: its plane or line must be reached, and so must its border.
    if (part.kind == WallPart::Kind::Face) {
        const double height = part.n.dot(ball.x - part.a), side = height < 0 ? -1 : 1;
        double beside = 0;
        for (const auto& [from, to] : {std::pair{part.a, part.b}, {part.b, part.c}, {part.c, part.a}})
            beside = std::max(beside, -part.n.dot((to - from).normalized().cross(ball.x - from)));
        const double across = stays_positive(beside, -speed, ball.a);
        if (side * height <= ball.r) return across;
        return std::max(across, stays_positive(side * height - ball.r, side * ball.u.dot(part.n), ball.a));
    }
    const double along = (ball.x - part.a).dot(part.n);
    const double beside = std::max(-along, along - (part.b - part.a).dot(part.n));
    return stays_positive(std::max(beside, 0.0), -speed, ball.a);
}

}  // namespace

MovingWall moving_wall(const GrainWall& wall, std::int32_t index, double largest_radius) {
    MovingWall moving;
    moving.wall = index;
    moving.parts = parts_of(wall, index);
    moving.is_plane = std::holds_alternative<GrainPlane>(wall.shape);
    moving.reach = 3 * largest_radius;
    if (!moving.is_plane) {
        moving.low = Vec3::Constant(never);
        moving.high = -moving.low;
        for (const WallPart& part : moving.parts) {
            moving.low = moving.low.cwiseMin(part.a).cwiseMin(part.b).cwiseMin(part.c);
            moving.high = moving.high.cwiseMax(part.a).cwiseMax(part.b).cwiseMax(part.c);
        }
        moving.size = moving.low.cwiseAbs().cwiseMax(moving.high.cwiseAbs()).norm();
        double cell = 2 * largest_radius;
        while (cells_of(moving.parts, cell) > most_wall_cells) cell *= 2;
        moving.grid = WallGrid(moving.parts, moving.low, Vec3::Constant(cell), moving.reach);
    }
    set_path(moving, wall.path);
    return moving;
}

void set_path(MovingWall& wall, const Trajectory& path) {
    wall.path = path;
    wall.rests_after = moves(path) ? last_motion(path) : -never;
    wall.bounds.assign(std::size_t(path.times.size()), {});
    for (long i = 0; i + 1 < path.times.size(); ++i) {
        // Cubics: eight parts of an interval miss little of their extremes.
        MovingWall::Bound& bound = wall.bounds[std::size_t(i)];
        const double h = path.times[i + 1] - path.times[i];
        Twist before;
        for (int k = 0; k <= 8; ++k) {
            const Twist twist = twist_at(path, path.times[i] + h * std::clamp(k / 8.0, 1e-9, 1 - 1e-9));
            bound.spin = std::max(bound.spin, 1.1 * twist.angular.norm());
            if (k > 0) {
                bound.acceleration =
                    std::max(bound.acceleration, 1.3 * (twist.linear - before.linear).norm() / (h / 8));
                bound.spin_change =
                    std::max(bound.spin_change, 1.3 * (twist.angular - before.angular).norm() / (h / 8));
            }
            before = twist;
        }
    }
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
        for (const std::int32_t i : wall.grid.at(inside)) consider(wall.parts[std::size_t(i)]);
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
        for (const std::int32_t i : wall.grid.at(inside)) consider(wall.parts[std::size_t(i)]);
}

// Steps that cannot reach the wall, however it moves (conservative advancement), until the gap is as good as closed. In
// the frame of the wall, x″ = g − a − ω̇×x − ω×(ω×x) − 2 ω×x′   docs/theory/grains.md, section 4.
Look look_for_touch(const MovingWall& wall, const Fall& fall, double radius, double time, double end) {
    double t = time;
    const double slack = touch_slack * radius;
    for (int i = 0; i < looks_at_once && t < end; ++i) {
        const Eigen::Isometry3d pose = pose_at(wall.path, t);
        const Twist twist = twist_at(wall.path, t);
        const Mat3 back = pose.linear().transpose();
        const Vec3 arm = fall.at(t - time) - pose.translation();
        Approach ball{back * arm, back * (fall.velocity(t - time) - twist.linear - twist.angular.cross(arm)), radius, 0,
                      slack};
        double until = end;
        const MovingWall::Bound bound = bound_from(wall, t, until);
        const double speed = ball.u.norm();
        ball.a = fall.a.norm() + bound.acceleration + (bound.spin_change + square(bound.spin)) * (arm.norm() + radius) +
                 2 * bound.spin * speed;
        ball.a *= 1.1;  // what these grow by on the way
        double dt = never;
        if (wall.is_plane) {
            dt = least_time(wall.parts[0], ball);
        } else {
            const double outside = (ball.x - ball.x.cwiseMax(wall.low).cwiseMin(wall.high)).norm() - radius;
            const std::span<const std::int32_t> near = wall.grid.at(ball.x);
            dt = stays_positive(std::max(outside, wall.reach - radius), -speed, ball.a);
            for (const std::int32_t part : near) dt = std::min(dt, least_time(wall.parts[std::size_t(part)], ball));
        }
        if (dt < 0) return {t, true};
        t = std::min({t + std::max(dt, 0.5 * slack / std::max(speed, 1e-3)), until, end});
    }
    return {t, false};
}

}  // namespace clangor::grains
