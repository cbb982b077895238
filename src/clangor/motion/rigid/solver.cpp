// Projected Gauss–Seidel over contacts and strings.
#include <clangor/motion/rigid/solver.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace clangor::rigid {
namespace {

// Impulses at rest start from the last step's, and go on converging over the next ones.
constexpr int sweeps_of_impacts = 50, sweeps_at_rest = 20;
constexpr double converged = 1e-6;  ///< change of velocity in a sweep, of the largest that the step brings
constexpr int position_sweeps = 12;

Mat3 cross_matrix(const Vec3& r) {
    Mat3 m;
    m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    return m;
}

// How the velocity of a body's point answers to an impulse there.
Mat3 mobility(const MovingBody& body, const Vec3& r) {
    const Mat3 x = cross_matrix(r);
    return body.inverse_mass * Mat3::Identity() - x * body.inverse_inertia * x;
}

/// What the sweeps change, close together in memory.
struct Speeds {
    Vec3 velocity, angular_velocity;
};

/// A contact along its normal and two tangents.
struct Prepared {
    Vec3 ra, rb;
    struct Direction {
        Vec3 along, arm_a, arm_b, turn_a, turn_b;  ///< r × along, I⁻¹(r × along)
        double mass;
    } directions[3];
    double friction[2];  ///< along the tangents [N·s]
};

Prepared prepared(const std::vector<MovingBody>& bodies, const ConstraintRow& row) {
    const MovingBody &a = bodies[row.a], &b = bodies[row.b];
    Prepared p;
    p.ra = row.contact.on_a - a.centre;
    p.rb = row.contact.on_b - b.centre;
    const Vec3& n = row.contact.normal;
    // Slip first, so that what slides straight on needs one direction only.
    Vec3 slip = a.velocity_at(row.contact.on_a) - b.velocity_at(row.contact.on_b);
    slip -= slip.dot(n) * n;
    const Vec3 any = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
    p.directions[0].along = n;
    p.directions[1].along = slip.norm() > 1e-9 ? Vec3(slip.normalized()) : Vec3(n.cross(any).normalized());
    p.directions[2].along = n.cross(p.directions[1].along);
    for (Prepared::Direction& d : p.directions) {
        d.arm_a = p.ra.cross(d.along);
        d.arm_b = p.rb.cross(d.along);
        d.turn_a = a.inverse_inertia * d.arm_a;
        d.turn_b = b.inverse_inertia * d.arm_b;
        d.mass = 1 / (a.inverse_mass + b.inverse_mass + d.arm_a.dot(d.turn_a) + d.arm_b.dot(d.turn_b));
    }
    for (int k = 0; k < 2; ++k) p.friction[k] = row.friction_impulse.dot(p.directions[k + 1].along);
    return p;
}

inline double speed_along(const Speeds& a, const Speeds& b, const Prepared::Direction& d) {
    return d.along.dot(a.velocity - b.velocity) + d.arm_a.dot(a.angular_velocity) - d.arm_b.dot(b.angular_velocity);
}

inline void apply(Speeds& a, Speeds& b, double inverse_mass_a, double inverse_mass_b, const Prepared::Direction& d,
                  double impulse) {
    a.velocity += inverse_mass_a * impulse * d.along;
    a.angular_velocity += impulse * d.turn_a;
    b.velocity -= inverse_mass_b * impulse * d.along;
    b.angular_velocity -= impulse * d.turn_b;
}

// Normal first, then friction within Coulomb's cone. Returns the largest change of velocity.
double sweep_contact(Speeds& a, Speeds& b, double inverse_mass_a, double inverse_mass_b, ConstraintRow& row,
                     Prepared& p) {
    const Prepared::Direction& normal = p.directions[0];
    const double wanted = row.normal_impulse + normal.mass * (row.target - speed_along(a, b, normal));
    const double normal_change = std::max(0.0, wanted) - row.normal_impulse;
    row.normal_impulse += normal_change;
    apply(a, b, inverse_mass_a, inverse_mass_b, normal, normal_change);
    double change = std::abs(normal_change) / normal.mass;
    const double limit = row.friction * row.normal_impulse;
    if (limit == 0 && p.friction[0] == 0 && p.friction[1] == 0) return change;

    double tangential[2];
    for (int k = 0; k < 2; ++k)
        tangential[k] = p.friction[k] - p.directions[k + 1].mass * speed_along(a, b, p.directions[k + 1]);
    const double size = std::sqrt(square(tangential[0]) + square(tangential[1]));
    const double part = size > limit ? limit / size : 1;
    for (int k = 0; k < 2; ++k) {
        const double along = part * tangential[k] - p.friction[k];
        p.friction[k] += along;
        apply(a, b, inverse_mass_a, inverse_mass_b, p.directions[k + 1], along);
        change = std::max(change, std::abs(along) / p.directions[k + 1].mass);
    }
    return change;
}

struct PreparedString {
    Vec3 r;
    Mat3 mass;
};

double sweep_string(Speeds& speeds, const MovingBody& body, StringRow& row, const PreparedString& p) {
    const Vec3 velocity = speeds.velocity + speeds.angular_velocity.cross(p.r);
    const Vec3 change = -p.mass * velocity;
    row.impulse += change;
    speeds.velocity += body.inverse_mass * change;
    speeds.angular_velocity += body.inverse_inertia * p.r.cross(change);
    return velocity.norm();
}

// How far ahead of its middle a contact bears while it rolls, and how far around it rubs while it spins on the spot.
// Typical of hard things on hard floors; without them a spun coin goes on for ever [m].
constexpr double rolling_lever = 5e-5, spinning_lever = 2e-4;

// Couples against rolling and spinning: they carry no impulse, and never turn a motion round.
void resist_turning(std::vector<MovingBody>& bodies, const std::vector<ConstraintRow>& contacts) {
    for (const ConstraintRow& row : contacts) {
        if (row.normal_impulse <= 0 || row.friction == 0) continue;
        MovingBody &a = bodies[row.a], &b = bodies[row.b];
        const Vec3& n = row.contact.normal;
        const Vec3 turning = a.angular_velocity - b.angular_velocity;
        const Vec3 spinning = turning.dot(n) * n, rolling = turning - spinning;
        for (const auto& [part, most] : {std::pair(rolling, rolling_lever * row.normal_impulse),
                                         std::pair(spinning, row.friction * spinning_lever * row.normal_impulse)}) {
            const double speed = part.norm();
            if (speed < 1e-9) continue;
            const Vec3 axis = part / speed;
            const double stops = speed / axis.dot((a.inverse_inertia + b.inverse_inertia) * axis);
            const Vec3 couple = -std::min(most, stops) * axis;
            for (const auto& [body, sign] : {std::pair(&a, 1.0), std::pair(&b, -1.0)}) {
                if (!body->simulated()) continue;
                body->angular_momentum += sign * couple;
                body->angular_velocity += sign * (body->inverse_inertia * couple);
            }
        }
    }
}

}  // namespace

void solve_velocities(std::vector<MovingBody>& bodies, std::vector<ConstraintRow>& contacts,
                      std::vector<StringRow>& strings, double h) {
    if (contacts.empty() && strings.empty()) return;
    double scale = 1e-2;  // what gravity brings in a step of 1 ms [m/s]
    bool impacts = false;
    std::vector<Prepared> rows;
    for (ConstraintRow& row : contacts) {
        row.friction_impulse -= row.friction_impulse.dot(row.contact.normal) * row.contact.normal;
        if (const double limit = row.friction * row.normal_impulse, size = row.friction_impulse.norm(); size > limit)
            row.friction_impulse *= limit / size;
        rows.push_back(prepared(bodies, row));
        impacts = impacts || row.bounces;
        if (row.bounces) scale = std::max(scale, row.touch_approach);
    }
    std::vector<PreparedString> string_rows;
    for (const StringRow& row : strings) {
        const MovingBody& body = bodies[row.body];
        // Half way through the turn: the string's pull is then along its mean direction.
        const Vec3 now = body.world_from_body * row.point_body - body.centre;
        const Vec3 r = now + h / 2 * body.angular_velocity.cross(now);
        string_rows.push_back({r, mobility(body, r).inverse()});
    }

    std::vector<Speeds> speeds;
    for (const MovingBody& body : bodies) speeds.push_back({body.velocity, body.angular_velocity});
    const auto give = [&](int i, const Vec3& r, const Vec3& impulse) {
        speeds[i].velocity += bodies[i].inverse_mass * impulse;
        speeds[i].angular_velocity += bodies[i].inverse_inertia * r.cross(impulse);
    };
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        give(contacts[i].a, rows[i].ra, contacts[i].impulse());
        give(contacts[i].b, rows[i].rb, -contacts[i].impulse());
    }
    for (std::size_t i = 0; i < strings.size(); ++i) give(strings[i].body, string_rows[i].r, strings[i].impulse);

    for (int sweep = 0; sweep < (impacts ? sweeps_of_impacts : sweeps_at_rest); ++sweep) {
        double change = 0;
        for (std::size_t i = 0; i < strings.size(); ++i) {
            const int body = strings[i].body;
            change = std::max(change, sweep_string(speeds[body], bodies[body], strings[i], string_rows[i]));
        }
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const int a = contacts[i].a, b = contacts[i].b;
            change = std::max(change, sweep_contact(speeds[a], speeds[b], bodies[a].inverse_mass,
                                                    bodies[b].inverse_mass, contacts[i], rows[i]));
        }
        if (change < converged * scale) break;
    }

    // The bodies get the totals that the rows record, so that no rounding of the sweeps comes between.
    const auto receive = [](MovingBody& body, const Vec3& r, const Vec3& impulse) {
        if (!body.simulated()) return;
        body.velocity += body.inverse_mass * impulse;
        body.angular_momentum += r.cross(impulse);
        body.angular_velocity += body.inverse_inertia * r.cross(impulse);
    };
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        contacts[i].friction_impulse =
            rows[i].friction[0] * rows[i].directions[1].along + rows[i].friction[1] * rows[i].directions[2].along;
        receive(bodies[contacts[i].a], rows[i].ra, contacts[i].impulse());
        receive(bodies[contacts[i].b], rows[i].rb, -contacts[i].impulse());
    }
    for (std::size_t i = 0; i < strings.size(); ++i)
        receive(bodies[strings[i].body], string_rows[i].r, strings[i].impulse);
    resist_turning(bodies, contacts);
}

std::vector<Displacement> solve_positions(const std::vector<MovingBody>& bodies, const std::vector<Before>& before,
                                          const std::vector<ConstraintRow>& contacts, const Vec3& gravity, double h) {
    std::vector<Displacement> moved(bodies.size());
    struct Row {
        const ConstraintRow* of;
        Vec3 ra, rb, turn_a, turn_b;
        double mass, needed, given;
    };
    std::vector<Row> rows;
    for (const ConstraintRow& row : contacts) {
        const MovingBody &a = bodies[row.a], &b = bodies[row.b];
        const Vec3& n = row.contact.normal;
        Row r{&row, row.contact.on_a - a.centre, row.contact.on_b - b.centre, {}, {}, 0, 0, 0};
        const double depth = std::max(0.0, -row.contact.gap);
        if (row.bounces) {
            r.needed = depth + row.push;
        } else {
            const Vec3 va = mean_velocity(a, before[row.a], gravity, h) + a.angular_velocity.cross(r.ra);
            const Vec3 vb = mean_velocity(b, before[row.b], gravity, h) + b.angular_velocity.cross(r.rb);
            // Old overlaps part over a few steps: at once, a stack would jump.
            const double left = depth - std::min(depth, std::max(0.2 * depth, 2e-5));
            r.needed = -left - (row.contact.gap + h * n.dot(va - vb));
        }
        r.turn_a = a.inverse_inertia * r.ra.cross(n);
        r.turn_b = b.inverse_inertia * r.rb.cross(n);
        r.mass = 1 / (a.inverse_mass + b.inverse_mass + r.ra.cross(n).dot(r.turn_a) + r.rb.cross(n).dot(r.turn_b));
        rows.push_back(r);
    }
    if (std::none_of(rows.begin(), rows.end(), [](const Row& r) { return r.needed > 0; })) return moved;
    for (int sweep = 0; sweep < position_sweeps; ++sweep)
        for (Row& r : rows) {
            const int ia = r.of->a, ib = r.of->b;
            const Vec3& n = r.of->contact.normal;
            const double parted =
                n.dot(moved[ia].shift + moved[ia].turn.cross(r.ra) - moved[ib].shift - moved[ib].turn.cross(r.rb));
            const double total = std::max(0.0, r.given + r.mass * (r.needed - parted));
            const double change = total - r.given;
            r.given = total;
            moved[ia].shift += bodies[ia].inverse_mass * change * n;
            moved[ia].turn += change * r.turn_a;
            moved[ib].shift -= bodies[ib].inverse_mass * change * n;
            moved[ib].turn -= change * r.turn_b;
        }
    return moved;
}

void pull_to_anchors(std::vector<MovingBody>& bodies, const std::vector<StringRow>& strings) {
    for (const StringRow& row : strings) {
        MovingBody& body = bodies[row.body];
        for (int round = 0; round < 2; ++round) {
            const Vec3 point = body.world_from_body * row.point_body;
            const Vec3 r = point - body.centre;
            const Vec3 pull = mobility(body, r).inverse() * (row.anchor - point);
            displace(body, body.inverse_mass * pull, body.inverse_inertia * r.cross(pull));
        }
    }
}

}  // namespace clangor::rigid
