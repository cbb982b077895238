#include <clangor/motion/rigid/contact_rows.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::rigid {
namespace {

// An impact whose bodies part at this speed, from the moment of touching on.
void part_at(ConstraintRow& row, double speed, double step) {
    const double t = row.since_touch;
    row.target = std::max(0.0, speed - row.pull * (t + step));
    row.push = row.target > 0 ? std::max(0.0, speed * t - row.pull / 2 * t * t) : 0;
}

// An impact, if it comes faster than a contact that lasts: where the touching was, how fast, and what must follow from
// it.
//     p = v_t t + ½a t², v = v_t + a t ⇒ t = (v − √(v² − 2ap))/a docs/theory/rigid-motion.md, Eq. 5
void classify(ConstraintRow& row, const PairMaterial& material, const Remembered* last,
              const std::vector<MovingBody>& bodies, const RowRules& rules) {
    const MovingBody &a = bodies[row.a], &b = bodies[row.b];
    const Vec3& n = row.contact.normal;
    const bool lasting = last && last->normal_impulse > 0 && !last->bounced;
    const double threshold = lasting ? rules.slow + 2 * std::max(0.0, last->approach) : rules.slow;
    row.target = row.contact.gap > 0 ? -row.contact.gap / rules.step : 0;
    if (row.approach <= threshold || row.contact.gap > 0) return;
    const Vec3 pull =
        (a.simulated() ? rules.gravity : Vec3::Zero().eval()) - (b.simulated() ? rules.gravity : Vec3::Zero().eval());
    const double depth = -row.contact.gap, v = row.approach, g = -n.dot(pull);
    const double root = std::sqrt(std::max(0.0, v * v - 2 * g * depth));
    // Up to two steps: an impact elsewhere on the body, known only at the end of a step, may have turned it this way.
    const double t = std::min(2 * rules.step, 2 * depth / (v + root));
    const double v_touch = v - g * t;
    row.bounces = true;
    row.since_touch = t;
    row.pull = g;
    row.touch_approach = std::max(v_touch, 0.0);
    part_at(row, material.restitution * v_touch, rules.step);
}

}  // namespace

ConstraintRow row_of(Neighbours& pair, const Contact& contact, const std::vector<MovingBody>& bodies, double size,
                     const RowRules& rules) {
    const MovingBody &a = bodies[pair.a], &b = bodies[pair.b];
    ConstraintRow row{.a = pair.a, .b = pair.b, .contact = contact, .friction = pair.material.friction};
    const Vec3 slip = a.velocity_at(contact.on_a) - b.velocity_at(contact.on_b);
    double best = 0.03 * size + 2 * rules.step * slip.norm();
    Remembered* last = nullptr;
    for (Remembered& one : pair.memory)
        if (const double distance = (one.place - contact.on_a).norm(); !one.used && distance < best)
            last = &one, best = distance;
    row.approach = -contact.normal.dot(slip);
    classify(row, pair.material, last, bodies, rules);
    if (!last) return row;
    last->used = true;
    const double away_a = (a.world_from_body.inverse() * contact.on_a - last->on_a_body).norm();
    const double away_b = (b.world_from_body.inverse() * contact.on_b - last->on_b_body).norm();
    // Where many points touch, the place jumps from one to another; what rolls moves on no faster than its turning
    // carries it.
    const double rolls = (a.angular_velocity - b.angular_velocity).norm() * 2 * size;
    row.travel_speed = std::min(std::max(away_a, away_b) / rules.step, slip.norm() + rolls);
    if (!row.bounces && !last->bounced) {
        row.normal_impulse = last->normal_impulse;
        row.friction_impulse = last->friction_impulse;
    }
    return row;
}

void ask_bounces(const BounceRule& rule, const std::vector<MovingBody>& bodies, std::vector<ConstraintRow>& rows,
                 double faster_than, double time, double step) {
    std::vector<Bounce> bounces;
    std::vector<std::size_t> asked;
    const auto side = [&](int body, const Vec3& place, const Vec3& outward) {
        const Eigen::Isometry3d body_from_world = bodies[body].world_from_body.inverse();
        return ContactSide{body, body_from_world * place, body_from_world.linear() * outward, Vec3::Zero()};
    };
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const ConstraintRow& row = rows[k];
        if (!row.bounces || !(row.touch_approach > faster_than)) continue;
        bounces.push_back({.sides = {side(row.a, row.contact.on_a, -row.contact.normal),
                                     side(row.b, row.contact.on_b, row.contact.normal)},
                           .approach_speed = row.touch_approach,
                           .time = time,
                           .since_touch = row.since_touch});
        asked.push_back(k);
    }
    if (bounces.empty()) return;
    const std::vector<double> speeds = rule(bounces);
    for (std::size_t i = 0; i < asked.size(); ++i) part_at(rows[asked[i]], std::max(0.0, speeds[i]), step);
}

}  // namespace clangor::rigid
