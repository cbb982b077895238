// Impacts and touches of bodies whose motion is given.
#include <clangor/motion/rigid/collision_shape.hpp>
#include <clangor/motion/rigid/frames.hpp>
#include <clangor/motion/rigid/ledger.hpp>
#include <clangor/motion/rigid/pairs.hpp>
#include <clangor/motion/rigid/retrace.hpp>
#include <clangor/motion/rigid/solver.hpp>
#include <clangor/motion/rigid/step_rate.hpp>
#include <clangor/motion/rigid/warnings.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace clangor {
namespace rigid {
namespace {

// Frames of other programs seldom touch exactly: a turn this near to a contact is taken for an impact.
constexpr double least_tolerance = 1.5e-3;  // [m]
constexpr double size_tolerance = 0.01;     // of the smaller body

// What has no mass cannot be retraced; nor what is carried: where nothing is near, it does not fall.
bool moves_freely(const RigidWorld& world, std::size_t i) {
    const RigidBody& body = world.bodies[i];
    if (body.movement == Movement::Fixed || !(body.mass > 0) || !moves(body.path)) return false;
    if (!body.inertia.allFinite() || !(body.inertia.determinant() > 0) || body.path.times.size() < 3) return false;
    const auto alone = [&](const Eigen::Isometry3d& pose, double time) {
        const Vec3 at = pose * body.centre;
        for (std::size_t j = 0; j < world.bodies.size(); ++j) {
            if (j == i) continue;
            const RigidBody& other = world.bodies[j];
            if (distance_bound(*other.shape, pose_at(other.path, time).inverse() * at) < body.shape->size) return false;
        }
        return true;
    };
    long falls = 0, floats = 0;
    const Eigen::VectorXd& t = body.path.times;
    const double g = world.gravity.norm();
    for (long k = 1; k + 1 < t.size(); ++k) {
        const Eigen::Isometry3d now = pose_at(body.path, t[k]);
        const auto centre = [&](long n) -> Vec3 { return pose_at(body.path, t[n]) * body.centre; };
        const Vec3 acceleration = 2 *
                                  ((centre(k + 1) - now * body.centre) / (t[k + 1] - t[k]) -
                                   (now * body.centre - centre(k - 1)) / (t[k] - t[k - 1])) /
                                  (t[k + 1] - t[k - 1]);
        // Tables are rounded, mostly to 10 µm.
        const double rounding = 2e-5 / square(std::min(t[k + 1] - t[k], t[k] - t[k - 1]));
        if (alone(now, t[k])) ++((acceleration - world.gravity).norm() < 0.3 * g + rounding ? falls : floats);
    }
    return falls >= floats;
}

// Those of the bodies that are sampled most coarsely, at most a thousand in a second.
std::vector<double> common_frames(const RigidWorld& world, const std::vector<char>& free, double duration) {
    const auto step_of = [](const Trajectory& path) {
        return (path.times[path.times.size() - 1] - path.times[0]) / double(path.times.size() - 1);
    };
    double slowest = 0;
    for (std::size_t i = 0; i < free.size(); ++i)
        if (free[i]) slowest = std::max(slowest, step_of(world.bodies[i].path));
    std::vector<double> all;
    for (std::size_t i = 0; i < free.size(); ++i)
        if (free[i] && step_of(world.bodies[i].path) > 0.9 * slowest)
            for (const double t : world.bodies[i].path.times)
                if (t >= 0 && t <= duration) all.push_back(t);
    std::ranges::sort(all);
    std::vector<double> frames;
    for (const double t : all)
        if (frames.empty() || t - frames.back() > 0.95e-3) frames.push_back(t);
    return frames;
}

class Followed {
public:
    Followed(const RigidWorld& world, const RigidOptions& options);
    Motion run(const Progress& progress);

private:
    struct Hit {
        double time = 0;
        std::vector<Contact> contacts;
        std::vector<MovingBody> bodies;  ///< the two, as they come
    };
    std::vector<double> frames_of(int a, int b) const;
    MovingBody body_at(int i, const Course& course) const;
    std::vector<Contact> contacts_at(int a, int b, const MovingBody& body_a, const MovingBody& body_b,
                                     double margin) const;
    bool far_apart(int a, int b, double from, double to) const;
    std::optional<Hit> hit_between(int a, int b, double from, double to, double clean) const;
    void follow_pair(int a, int b, bool retraced);
    bool strike(int a, int b, const Hit& hit, double to);
    void touch(int a, int b, double from, double to);

    const RigidWorld& world_;
    RigidOptions options_;
    PairMaterials materials_;
    Retraced retraced_ = {};
    double substep_ = 0;  ///< [s]
    Ledger ledger_;
    Warnings warnings_;
};

Followed::Followed(const RigidWorld& world, const RigidOptions& options)
    : world_(world), options_(options), materials_(world) {
    if (!(options.duration > 0)) throw Error(fmt::format("the motion must last longer than {:g} s", options.duration));
    for (const RigidBody& body : world.bodies) {
        if (!body.shape) throw Error(fmt::format("\"{}\" has no collision shape", body.name));
        if (body.path.times.size() == 0) throw Error(fmt::format("\"{}\" has no path to follow", body.name));
        if (!body.path.times.allFinite() || !body.path.positions.allFinite() || !body.path.rotations.allFinite())
            throw Error(fmt::format("the path of \"{}\" holds poses that are not numbers", body.name));
    }
    substep_ = 1 / (options.step_hz > 0 ? options.step_hz : step_rate(world));
}

std::vector<double> Followed::frames_of(int a, int b) const {
    std::vector<double> frames = {0, options_.duration};
    for (const int i : {a, b})
        for (const double t : world_.bodies[i].path.times)
            if (t > 0 && t < options_.duration) frames.push_back(t);
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end(), [](double x, double y) { return y - x < 1e-7; }),
                 frames.end());
    return frames;
}

MovingBody Followed::body_at(int i, const Course& course) const {
    const RigidBody& of = world_.bodies[i];
    MovingBody body;
    body.centre_body = of.centre;
    body.world_from_body = course.pose;
    body.rotation = Eigen::Quaterniond(course.pose.linear());
    body.centre = course.pose * of.centre;
    body.velocity = point_velocity(course.pose, course.twist, of.centre);
    body.angular_velocity = course.twist.angular;
    if (of.movement != Movement::Fixed && of.mass > 0) {
        body.inverse_mass = 1 / of.mass;
        const Mat3 R = course.pose.linear();
        // A path needs no inertia; without one, the body is taken not to turn.
        if (of.inertia.allFinite() && of.inertia.determinant() > 0) body.inverse_inertia_body = of.inertia.inverse();
        body.inverse_inertia = R * body.inverse_inertia_body * R.transpose();
    }
    return body;
}

std::vector<Contact> Followed::contacts_at(int a, int b, const MovingBody& body_a, const MovingBody& body_b,
                                           double margin) const {
    return contacts_between({*world_.bodies[a].shape, body_a.world_from_body},
                            {*world_.bodies[b].shape, body_b.world_from_body}, margin);
}

// By the balls around them, over a whole frame; twice as far as they went, for what went on without an impact.
bool Followed::far_apart(int a, int b, double from, double to) const {
    double reach = 2 * least_tolerance;
    Vec3 middle[2];
    for (int side = 0; side < 2; ++side) {
        const RigidBody& of = world_.bodies[side == 0 ? a : b];
        const Bounds& bounds = of.shape->bounds;
        const Vec3 centre = (bounds.low + bounds.high) / 2;
        const Course before = continued(of.path, from, -1e300, from), after = continued(of.path, from, -1e300, to);
        middle[side] = before.pose * centre;
        reach += (1 + size_tolerance) * bounds.diagonal() / 2 + 2 * (after.pose * centre - middle[side]).norm() +
                 (pose_at(of.path, to) * centre - middle[side]).norm();
    }
    const auto* plane_a = as<HalfSpace>(*world_.bodies[a].shape);
    const auto* plane_b = as<HalfSpace>(*world_.bodies[b].shape);
    if (plane_a && plane_b) return true;
    if (plane_a) return (pose_at(world_.bodies[a].path, 0).inverse() * middle[1]).y() > reach;
    if (plane_b) return (pose_at(world_.bodies[b].path, 0).inverse() * middle[0]).y() > reach;
    return (middle[0] - middle[1]).norm() > reach;
}

// Where the motion of the frames before would have led to a contact within this frame.
std::optional<Followed::Hit> Followed::hit_between(int a, int b, double from, double to, double clean) const {
    const CollisionShape &shape_a = *world_.bodies[a].shape, &shape_b = *world_.bodies[b].shape;
    const double tolerance = std::max(least_tolerance, size_tolerance * std::min(shape_a.size, shape_b.size));
    const auto hit_at = [&](double time) {
        Hit hit{.time = time, .contacts = {}, .bodies = {}};
        hit.bodies = {body_at(a, continued(world_.bodies[a].path, from, clean, time)),
                      body_at(b, continued(world_.bodies[b].path, from, clean, time))};
        hit.contacts = contacts_at(a, b, hit.bodies[0], hit.bodies[1], tolerance);
        std::erase_if(hit.contacts, [&](const Contact& contact) {
            const Vec3 relative = hit.bodies[0].velocity_at(contact.on_a) - hit.bodies[1].velocity_at(contact.on_b);
            return -contact.normal.dot(relative) <= options_.min_approach_speed;
        });
        return hit;
    };
    const auto deepest = [](const Hit& hit) {
        double gap = std::numeric_limits<double>::infinity();
        for (const Contact& contact : hit.contacts) gap = std::min(gap, contact.gap);
        return gap;
    };
    const int parts = std::clamp(static_cast<int>(std::ceil((to - from) / substep_)), 1, 1000);
    double before = from;
    Hit hit;
    for (int i = 0; i <= parts; ++i) {
        const double time = from + (to - from) * i / parts;
        hit = hit_at(time);
        if (deepest(hit) <= 0) {
            double low = before, high = time;  // to the moment of touching
            for (int round = 0; round < 30 && i > 0; ++round) {
                const double middle = (low + high) / 2;
                (deepest(hit_at(middle)) <= 0 ? high : low) = middle;
            }
            return hit_at(high);
        }
        before = time;
    }
    if (deepest(hit) <= tolerance) return hit;
    return std::nullopt;
}

// One impact, if the bodies do not go on approaching after it. The impulse is what a free collision would give.
bool Followed::strike(int a, int b, const Hit& hit, double to) {
    std::vector<MovingBody> bodies = hit.bodies;
    const MovingBody after_a = body_at(a, traced_back(world_.bodies[a].path, to, hit.time));
    const MovingBody after_b = body_at(b, traced_back(world_.bodies[b].path, to, hit.time));
    const PairMaterial material = materials_(a, b);
    std::vector<ConstraintRow> rows;
    for (const Contact& contact : hit.contacts) {
        const auto approach = [&](const MovingBody& x, const MovingBody& y) {
            return -contact.normal.dot(x.velocity_at(contact.on_a) - y.velocity_at(contact.on_b));
        };
        ConstraintRow row{.a = 0, .b = 1, .contact = contact, .friction = material.friction};
        row.approach = row.touch_approach = approach(bodies[0], bodies[1]);
        if (approach(after_a, after_b) > 0.5 * row.approach) continue;
        row.target = material.restitution * row.approach;
        rows.push_back(row);
    }
    if (rows.empty()) return false;
    if (!bodies[0].simulated() && !bodies[1].simulated()) {
        warnings_.add(fmt::format("\"{}\" and \"{}\" collide, but neither has a mass: no impulse is known",
                                  world_.bodies[a].name, world_.bodies[b].name));
        return true;
    }
    std::vector<StringRow> none;
    solve_velocities(bodies, rows, none, 0);
    for (const ConstraintRow& row : rows) {
        Exchange exchange{.a = a, .b = b, .time = hit.time, .duration = 0};
        exchange.on_a_body = hit.bodies[0].world_from_body.inverse() * row.contact.on_a;
        exchange.on_b_body = hit.bodies[1].world_from_body.inverse() * row.contact.on_b;
        exchange.place = row.contact.on_a;
        exchange.normal = row.contact.normal;
        exchange.impulse = row.impulse();
        exchange.approach_speed = row.touch_approach;
        exchange.near = std::max(1e-3, 0.15 * std::min(world_.bodies[a].shape->size, world_.bodies[b].shape->size));
        ledger_.enter(exchange);
    }
    return true;
}

// Bodies that stay together: the force along the normal that the lighter one's motion and weight ask for, and friction
// against the slip.
void Followed::touch(int a, int b, double from, double to) {
    const double time = (from + to) / 2;
    const MovingBody body_a = body_at(a, {pose_at(world_.bodies[a].path, time), twist_at(world_.bodies[a].path, time)});
    const MovingBody body_b = body_at(b, {pose_at(world_.bodies[b].path, time), twist_at(world_.bodies[b].path, time)});
    if (!body_a.simulated() && !body_b.simulated()) return;
    const double tolerance = std::max(
        least_tolerance, size_tolerance * std::min(world_.bodies[a].shape->size, world_.bodies[b].shape->size));
    std::vector<Contact> contacts = contacts_at(a, b, body_a, body_b, tolerance);
    std::erase_if(contacts, [&](const Contact& contact) {
        const double closing = -contact.normal.dot(body_a.velocity_at(contact.on_a) - body_b.velocity_at(contact.on_b));
        return std::abs(closing) > options_.min_approach_speed;
    });
    if (contacts.empty()) return;
    const bool of_a = body_a.inverse_mass >= body_b.inverse_mass;
    const int lighter = of_a ? a : b;
    const double h = to - from;
    const Course start = traced_back(world_.bodies[lighter].path, to, to),
                 end = continued(world_.bodies[lighter].path, from, -1e300, from);
    const Vec3 acceleration = (start.twist.linear - end.twist.linear) / h;
    const Vec3 needed = world_.bodies[lighter].mass * (acceleration - world_.gravity) * (of_a ? 1 : -1);
    const double friction = materials_(a, b).friction;
    for (const Contact& contact : contacts) {
        const double normal_impulse = std::max(0.0, needed.dot(contact.normal)) * h / double(contacts.size());
        const Vec3 relative = body_a.velocity_at(contact.on_a) - body_b.velocity_at(contact.on_b);
        const Vec3 slip = relative - relative.dot(contact.normal) * contact.normal;
        Exchange exchange{.a = a, .b = b, .time = from, .duration = h};
        exchange.on_a_body = body_a.world_from_body.inverse() * contact.on_a;
        exchange.on_b_body = body_b.world_from_body.inverse() * contact.on_b;
        exchange.place = contact.on_a;
        exchange.normal = contact.normal;
        exchange.slip_speed = slip.norm();
        exchange.impulse = normal_impulse * contact.normal;
        if (slip.norm() > 1e-4) exchange.impulse -= friction * normal_impulse * slip.normalized();
        ledger_.enter(exchange);
    }
}

void Followed::follow_pair(int a, int b, bool retraced) {
    const std::vector<double> frames = frames_of(a, b);
    const auto hit_within = [&](double from, double to) {
        return std::ranges::any_of(retraced_.impacts, [&](const Impact& impact) {
            return impact.sides[0].body == a && impact.sides[1].body == b && impact.time >= from && impact.time < to;
        });
    };
    double clean =
        -std::numeric_limits<double>::infinity();  // frames before it belong to motion before the last impact
    for (std::size_t j = 0; j + 1 < frames.size(); ++j) {
        const double from = frames[j], to = frames[j + 1];
        if (far_apart(a, b, from, to)) continue;
        if (retraced && hit_within(from, to)) continue;
        const std::optional<Hit> hit = retraced ? std::nullopt : hit_between(a, b, from, to, clean);
        if (hit && strike(a, b, *hit, to)) {
            clean = to;
            continue;
        }
        // Of equal lengths, so that they do not depend on where the scene ends.
        constexpr double longest = 5e-3;
        for (double begin = from; begin < to - 1e-9; begin += longest)
            touch(a, b, begin, std::min(begin + longest, to));
        ledger_.close_until(to);
    }
    ledger_.close_until(std::numeric_limits<double>::infinity());
}

Motion Followed::run(const Progress& progress) {
    const int count = static_cast<int>(world_.bodies.size());
    Motion motion;
    for (const RigidBody& body : world_.bodies)
        motion.bodies.push_back(body.movement == Movement::Fixed ? at_rest(pose_at(body.path, body.path.times[0]))
                                                                 : body.path);
    std::vector<char> free;
    for (std::size_t i = 0; i < world_.bodies.size(); ++i) free.push_back(moves_freely(world_, i));
    retraced_ = retraced_impacts(world_, options_, free, common_frames(world_, free, options_.duration), progress);
    for (int a = 0; a < count; ++a) {
        progress("collisions", double(a) / count);
        for (int b = a + 1; b < count; ++b)
            if (moves(motion.bodies[a]) || moves(motion.bodies[b])) follow_pair(a, b, free[a] || free[b]);
    }
    ledger_.finish(motion);
    motion.impacts.insert(motion.impacts.end(), retraced_.impacts.begin(), retraced_.impacts.end());
    std::ranges::stable_sort(motion.impacts, {}, &Impact::time);
    if (std::ranges::find(free, 1) != free.end()) motion.ignored = retraced_.ignored;
    motion.warnings = warnings_.lines();
    progress("collisions", 1);
    return motion;
}

}  // namespace
}  // namespace rigid

Motion collisions_of(const RigidWorld& world, const RigidOptions& options, const Progress& progress) {
    return rigid::Followed(world, options).run(progress);
}

}  // namespace clangor
