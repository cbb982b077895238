#include <clangor/motion/grains/course.hpp>
#include <clangor/motion/grains/restitution.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grains {
namespace {

// A grain lies on three others or so: each hop by its own weight has as many collisions. Pressed so many times harder,
// grains part no faster.
constexpr double collisions_a_hop = 3, most_pressed = 30;

// Collisions of what is pressed are of a lasting contact up to so many times the speed at which it parts.
constexpr double rattle = 3;

// One side of a collision. What nothing moves has no inverse mass.
struct Side {
    double inverse_mass = 0, radius = 0;
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();

    double inverse_inertia() const { return inverse_mass > 0 ? 2.5 * inverse_mass / square(radius) : 0; }
};

// Of walls the radius is 0: their velocity is that of the point that is touched.
struct Impulses {
    double approach = 0, slip = 0;  ///< speeds [m/s]
    Vec3 impulse = Vec3::Zero();    ///< on the first [N·s]
};

// docs/theory/grains.md, Eqs. 6 to 9  [Walton1986]. `least`: where the contact lasts, the speed at which they part
// [m/s].
Impulses meet_sides(Side& a, Side& b, const Vec3& n, const PairLaw& pair, std::optional<double> least) {
    const double inverse_mass = a.inverse_mass + b.inverse_mass;
    const Vec3 arms = a.radius * a.spin + b.radius * b.spin;
    const Vec3 u = a.velocity - b.velocity - arms.cross(n);
    const double closing = std::max(-u.dot(n), 0.0);
    const Vec3 slip = u - u.dot(n) * n;
    Impulses result{closing, slip.norm()};
    double parting = restitution_of(pair, closing) * closing;
    if (least) parting = parting < closing ? *least : std::max(closing, *least);
    const double j = (closing + parting) / inverse_mass;
    Vec3 impulse = j * n;
    if (pair.friction > 0 && result.slip > 0) {
        const double sticking = (1 + pair.tangential_restitution) * result.slip * (2.0 / 7.0) / inverse_mass;
        impulse -= std::min(sticking, pair.friction * j) / result.slip * slip;
    }
    const Vec3 turn = n.cross(impulse);
    a.velocity += a.inverse_mass * impulse;
    b.velocity -= b.inverse_mass * impulse;
    a.spin -= a.radius * a.inverse_inertia() * turn;
    b.spin -= b.radius * b.inverse_inertia() * turn;
    const Vec3 rolling = a.spin - b.spin;
    const double both = a.inverse_inertia() + b.inverse_inertia();
    const double rate = rolling.norm();
    if (pair.rolling_friction > 0 && rate > 0) {
        const double arm = a.radius * b.radius > 0 ? a.radius * b.radius / (a.radius + b.radius) : a.radius + b.radius;
        const Vec3 brake = std::min(pair.rolling_friction * arm * j, rate / both) / rate * rolling;
        a.spin -= a.inverse_inertia() * brake;
        b.spin += b.inverse_inertia() * brake;
    }
    result.impulse = impulse;
    return result;
}

Side side_of(const Course& course, std::int32_t ball) {
    const Ball& b = course.balls[std::size_t(ball)];
    const bool moves = is_awake(course, ball);
    return {moves ? 1 / mass_of(course, ball) : 0, b.r, vec(b.v), vec(course.memories[std::size_t(ball)].spin)};
}

void take_side(Course& course, std::int32_t ball, const Side& side) {
    put(course.balls[std::size_t(ball)].v, side.velocity);
    put(course.memories[std::size_t(ball)].spin, side.spin);
}

// Stretches of a contact time, counted from the start, modulo 256.
std::uint8_t window_at(const Course& course, double time) { return std::uint8_t(std::fmod(time / course.window, 256)); }

// A grain that had too many collisions within a contact time is stopped until it is over.
void count_collision(Course& course, std::int32_t ball, double time, bool lasts) {
    watch_calm(course, ball, time);
    Memory& memory = course.memories[std::size_t(ball)];
    memory.last = time;
    memory.lasted = lasts;
    ++memory.turns;
    const std::uint8_t window = window_at(course, time);
    if (window != memory.window) {
        memory.crowd_before =
            std::uint8_t(memory.window + 1) == window ? std::min<int>(memory.crowd, 32767) & 32767 : 0;
        memory.window = window;
        memory.crowd = 0;
    }
    ++memory.crowd;
}

// Whether a ball is in lasting contact with something: it was just now, or hops on it no higher than it may.
bool is_in_contact(const Course& course, std::int32_t ball, double time) {
    const Memory& memory = course.memories[std::size_t(ball)];
    const double since = time - memory.last;
    return since < course.contact_time || (memory.lasted == 1 && since < longest_hop(course, ball));
}

}  // namespace

double parting_speed(const Course& course, std::int32_t ball, double time) {
    const std::uint8_t window = window_at(course, time);
    const Memory& memory = course.memories[std::size_t(ball)];
    int crowd = 0;
    if (memory.window == window)
        crowd = std::max<int>(memory.crowd, memory.crowd_before);
    else if (std::uint8_t(memory.window + 1) == window)
        crowd = memory.crowd;
    const double hops = std::clamp(crowd / collisions_a_hop, 1.0, most_pressed);
    return 0.5 * course.gravity.norm() * course.contact_time * hops;
}

double lasting_speed(const Course& course, double parting, double radius) {
    return std::max(std::sqrt(2 * course.gravity.norm() * course.options.rest_distance * radius), rattle * parting);
}

void collide(Course& course, std::int32_t first, std::int32_t second, double time) {
    const Vec3 between = [&] {
        Vec3 d = vec(course.balls[std::size_t(first)].x) - vec(course.balls[std::size_t(second)].x);
        if (course.cells.periodic)
            for (int k = 0; k < 3; ++k) d[k] -= course.box[k] * std::rint(d[k] / course.box[k]);
        return d;
    }();
    const Vec3 n = between.normalized();
    Side a = side_of(course, first), b = side_of(course, second);
    const double speed = -(a.velocity - b.velocity).dot(n);
    const double since =
        time - std::max(course.memories[std::size_t(first)].last, course.memories[std::size_t(second)].last);
    const double parting = std::max(parting_speed(course, first, time), parting_speed(course, second, time));
    const bool lasts = (is_in_contact(course, first, time) || is_in_contact(course, second, time)) &&
                       speed < lasting_speed(course, parting, std::min(a.radius, b.radius));
    const auto wake_if_it_moves = [&](std::int32_t ball, Side& side, std::int32_t other) {
        if (lasts || course.statuses[std::size_t(ball)] != Status::Asleep) return;
        const double mass = mass_of(course, ball), hitting = mass_of(course, other);
        const double gained = 2 * hitting / (mass + hitting) * speed;
        if (square(gained) < 2 * course.gravity.norm() * course.options.rest_distance * side.radius) return;
        wake(course, ball, time);
        side = side_of(course, ball);
    };
    wake_if_it_moves(first, a, second);
    wake_if_it_moves(second, b, first);
    const PairLaw pair =
        law_between(course, course.memories[std::size_t(first)].kind, course.memories[std::size_t(second)].kind);
    const Impulses result = meet_sides(a, b, n, pair, lasts ? std::optional(parting) : std::nullopt);
    take_side(course, first, a);
    take_side(course, second, b);
    count_collision(course, first, time, lasts);
    count_collision(course, second, time, lasts);
    ++course.report.between_grains;
    course.report.lasting += lasts;
    course.block.push_back({.time = time,
                            .point = vec(course.balls[std::size_t(first)].x) - course.balls[std::size_t(first)].r * n,
                            .normal = n,
                            .impulse = result.impulse,
                            .normal_speed = result.approach,
                            .tangential_speed = result.slip,
                            .since = since,
                            .first = first,
                            .second = second,
                            .lasts = lasts});
}

void collide_with_wall(Course& course, std::int32_t ball, const WallContact& contact, double time) {
    Ball& b = course.balls[std::size_t(ball)];
    put(b.x, vec(b.x) - contact.gap * contact.normal);  // what rounding has left
    Side a = side_of(course, ball), wall{.velocity = contact.velocity};
    Memory& memory = course.memories[std::size_t(ball)];
    const double since = time - memory.last;
    const double speed = -(a.velocity - contact.velocity).dot(contact.normal);
    const double parting = parting_speed(course, ball, time);
    const bool lasts = is_in_contact(course, ball, time) && speed < lasting_speed(course, parting, b.r);
    const PairLaw pair = law_with_wall(course, memory.kind, contact.wall);
    const Impulses result = meet_sides(a, wall, contact.normal, pair, lasts ? std::optional(parting) : std::nullopt);
    take_side(course, ball, a);
    count_collision(course, ball, time, lasts);
    ++course.report.with_walls;
    course.report.lasting += lasts;
    course.block.push_back({.time = time,
                            .point = vec(b.x) - b.r * contact.normal,
                            .normal = contact.normal,
                            .impulse = result.impulse,
                            .normal_speed = result.approach,
                            .tangential_speed = result.slip,
                            .since = since,
                            .first = ball,
                            .wall = contact.wall,
                            .face = contact.face,
                            .lasts = lasts});
}

}  // namespace clangor::grains
