#include <clangor/motion/grains/walls.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

// More cells than that take coarser ones: 30 bytes each.
constexpr double most_wall_cells = 2e6;

// A touch of a moving wall is found to this part of a radius, and no sooner after the last than the time in which the
// two move by it.
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

// The fastest that it moves and turns from a time on, for `until` at the most, which is set to where that ends.
struct Speeds {
    double linear = 0, angular = 0;
};
Speeds fastest(const MovingWall& wall, double time, double& until) {
    const Eigen::VectorXd& times = wall.path.times;
    const long n = times.size();
    if (n < 2 || time >= times[n - 1]) return {};
    if (time < times[0]) {
        until = std::min(until, times[0]);
        return {};
    }
    const long i = std::upper_bound(times.data(), times.data() + n, time) - times.data() - 1;
    const long last = std::min(i + 8, n - 1);
    Speeds speeds;
    for (long k = i; k < last; ++k) {
        speeds.linear = std::max(speeds.linear, wall.linear[std::size_t(k)]);
        speeds.angular = std::max(speeds.angular, wall.angular[std::size_t(k)]);
    }
    if (last < n - 1) until = std::min(until, times[last]);
    return speeds;
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
    wall.linear.assign(std::size_t(path.times.size()), 0);
    wall.angular.assign(std::size_t(path.times.size()), 0);
    for (long i = 0; i + 1 < path.times.size(); ++i)
        for (int k = 0; k <= 8; ++k) {  // cubics: eight parts of an interval miss little of their extremes
            const double h = path.times[i + 1] - path.times[i];
            const Twist twist = twist_at(path, path.times[i] + h * std::clamp(k / 8.0, 1e-9, 1 - 1e-9));
            double& linear = wall.linear[std::size_t(i)];
            double& angular = wall.angular[std::size_t(i)];
            linear = std::max(linear, 1.1 * twist.linear.norm());
            angular = std::max(angular, 1.1 * twist.angular.norm());
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

// Steps that cannot reach the wall, however it moves (conservative advancement), until the gap is as good as closed.
Look look_for_touch(const MovingWall& wall, const Fall& fall, double radius, double time, double end) {
    double t = time;
    const double slack = touch_slack * radius;
    for (int i = 0; i < looks_at_once && t < end; ++i) {
        const Vec3 x = fall.at(t - time), v = fall.velocity(t - time);
        const std::optional<WallContact> contact = nearest_contact(wall, x, radius, t);
        double gap = wall.reach - radius;
        if (contact) {
            gap = contact->gap;
        } else {
            const Vec3 inside = pose_at(wall.path, t).inverse(Eigen::Isometry) * x;
            gap = std::max(gap, (inside - inside.cwiseMax(wall.low).cwiseMin(wall.high)).norm() - radius);
        }
        double until = never;
        const Speeds speeds = fastest(wall, t, until);
        const double arm = wall.is_plane ? (x - pose_at(wall.path, t).translation()).norm() + radius : wall.size;
        const double speed = v.norm() + speeds.linear + speeds.angular * arm;
        if (contact && gap <= slack) {
            if (contact->normal.dot(v - contact->velocity) < 0) return {t, true};
            t += slack / std::max(speed, 1e-3);  // they part
            continue;
        }
        // gap = speed·dt + ½|g|dt²
        const double g = fall.a.norm();
        const double root = std::sqrt(square(speed) + 2 * g * gap);
        const double dt = speed + root > 0 ? 2 * gap / (speed + root) : never;
        t = std::min({t + std::max(dt, 0.5 * slack / std::max(speed, 1e-3)), until, end});
    }
    return {t, false};
}

}  // namespace clangor::grains
