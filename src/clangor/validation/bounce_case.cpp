// A ball that bounces for ever, and a heap that tumbles off a plate: heights and momentum.
#include <clangor/validation/cases.hpp>

#include <clangor/motion/rigid/rigid.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor::validation {
namespace {

constexpr double gravity = 9.81, ball_radius = 0.02;
const double bounce_period = 2 * std::sqrt(2 / gravity);  // from bounce to bounce, for a height of 1 m

Eigen::Isometry3d placed(const Vec3& at, double angle = 0, const Vec3& axis = Vec3::UnitX()) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = at;
    pose.linear() = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
    return pose;
}

RigidBody body_of(const char* name, const Shape& shape, double density, const Eigen::Isometry3d& pose) {
    const MassProperties solid = mass_properties(surface_of(shape));
    return {.name = name,
            .shape = collision_shape(shape),
            .path = at_rest(pose),
            .mass = density * solid.volume,
            .centre = solid.centre,
            .inertia = density * solid.inertia};
}

// The height after `time` of a ball that was dropped from 1 m at time 0.
double exact_height(double time) { return 1 - gravity / 2 * square(std::remainder(time, bounce_period)); }

void add_heights(Case& result) {
    RigidWorld world{.bodies = {body_of("ball", Sphere{ball_radius}, 7850, placed({0, 1 + ball_radius, 0})),
                                {.name = "floor",
                                 .shape = half_space(),
                                 .movement = Movement::Fixed,
                                 .path = at_rest(placed(Vec3::Zero()))}}};
    world.pairs = {{.first = 0, .second = 1, .friction = 0.0, .restitution = 1.0}};
    const double duration = 10.5 * bounce_period;
    const Motion motion = simulate(world, {.duration = duration});
    const auto height = [&](double time) { return pose_at(motion.bodies[0], time).translation().y() - ball_radius; };
    for (int n = 0; n < 10; ++n) {
        double highest = 0;
        for (double t = (n + 0.5) * bounce_period; t < (n + 1.5) * bounce_period && t <= duration; t += 1e-3)
            highest = std::max(highest, height(t));
        result.rows.push_back({fmt::format("height after a bounce ({} of 10)", n + 1), 1, highest, 0.02, "m"});
    }
    Curve exact{"exact", {}, {}, CurveStyle::Band}, found{"found", {}, {}};
    for (double t = 0; t < duration; t += 0.02) {
        exact.x.push_back(t);
        exact.y.push_back(exact_height(t));
        found.x.push_back(t);
        found.y.push_back(height(t));
    }
    result.plots = {{.x_label = "time [s]", .y_label = "height [m]", .curves = {exact, found}}};
    result.bounds.push_back({"bounces", double(motion.impacts.size()), 10, true});
}

// Two dice and a coin fall on a tilted plate, collide, slide over its edge and fall: at the end nothing touches them.
RigidWorld heap() {
    RigidWorld world{
        .bodies = {body_of("die", Box{Vec3::Constant(0.02)}, 2500, placed({0, 0.06, 0}, 0.6, {1, 2, 3})),
                   body_of("second die", Box{Vec3::Constant(0.02)}, 2500, placed({0.004, 0.1, 0.003}, 1.1, {3, 0, 1})),
                   body_of("coin", Cylinder{.radius = 0.012, .height = 0.002}, 8000,
                           placed({-0.004, 0.14, -0.003}, 0.9, {0.2, 0, 1})),
                   body_of("plate", Plate{.width = 0.1, .depth = 0.3}, 2500, placed(Vec3::Zero(), -0.5, {0, 0, 1}))}};
    world.bodies[0].angular_velocity = {10, -20, 5};
    world.bodies[3].movement = Movement::Fixed;
    for (RigidBody& body : world.bodies) body.restitution = 0.3;
    return world;
}

// What impacts and touches gave a body, in the world.
Vec3 received(const Motion& motion, int body) {
    Vec3 sum = Vec3::Zero();
    const auto add = [&](const auto& event) {
        if (event.sides[0].body == body) sum += event.impulse;
        if (event.sides[1].body == body) sum -= event.impulse;
    };
    std::for_each(motion.impacts.begin(), motion.impacts.end(), add);
    std::for_each(motion.touches.begin(), motion.touches.end(), add);
    return sum;
}

// |Σ m Δv| that the two bodies of an impact get, over the impulse between them.
double imbalance(const Motion& motion, const Impact& impact) {
    Vec3 sum = Vec3::Zero();
    for (const ContactSide& side : impact.sides)
        sum += pose_at(motion.bodies[side.body], impact.time).linear() * side.impulse;
    return sum.norm() / impact.impulse.norm();
}

// |what a body received − its change of momentum|, over what contacts gave it. NaN while something still touches it.
double unaccounted(const RigidWorld& world, const Motion& motion, int i) {
    const RigidBody& body = world.bodies[i];
    const Trajectory& path = motion.bodies[i];
    const long last = path.times.size() - 1;
    if (path.positions(last, 1) > -0.1) return std::nan("");
    const double h = path.times[last] - path.times[last - 1];
    const auto centre = [&](long k) { return Vec3(pose_at(path, path.times[k]) * body.centre); };
    const Vec3 end = (centre(last) - centre(last - 1)) / h + h / 2 * world.gravity;  // of a parabola
    const Vec3 given = received(motion, i);
    return (body.mass * (end - body.velocity - path.times[last] * world.gravity) - given).norm() / given.norm();
}

}  // namespace

Case bounce_case(const Progress&) {
    Case result{.name = "bounce",
                .title = "A ball dropped from 1 m, elastic and without friction, and a heap that tumbles",
                .source = "free fall; Newton's laws"};
    add_heights(result);
    const RigidWorld world = heap();
    const Motion motion = simulate(world, {.duration = 0.6, .pose_hz = 1e6});
    double worst_impact = 0, worst_body = 0;
    long among_free = 0;
    for (const Impact& impact : motion.impacts) {
        worst_impact = worse(worst_impact, imbalance(motion, impact));
        among_free += impact.sides[0].body < 3 && impact.sides[1].body < 3;
    }
    for (int i = 0; i < 3; ++i) worst_body = worse(worst_body, unaccounted(world, motion, i));
    result.bounds.push_back({"heap: impacts", double(motion.impacts.size()), 10, true});
    result.bounds.push_back({"heap: impacts between two free bodies", double(among_free), 1, true});
    result.bounds.push_back({"heap: touches, sliding or resting", double(motion.touches.size()), 1, true});
    result.bounds.push_back({"heap: momentum that an impact makes or loses, over its impulse", worst_impact, 1e-6});
    result.bounds.push_back(
        {"heap: change of momentum that contacts do not account for, over theirs", worst_body, 1e-6});
    return result;
}

}  // namespace clangor::validation
