// Projected Gauss–Seidel over contacts and strings.
#include <clangor/motion/rigid/solver.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

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

/// A velocity and a spin, or what belongs to them, as one vector: (v, 0, ω, 0).
using Screw = Eigen::Matrix<double, 8, 1>;

Screw screw(const Vec3& linear, const Vec3& angular) {
    Screw s;
    s << linear, 0, angular, 0;
    return s;
}

// Number by number: a negation of the whole would have to wait until all of them have been written.
void set_screw(Screw& s, double sign, const Vec3& linear, const Vec3& angular) {
    for (int k = 0; k < 3; ++k) {
        s[k] = sign * linear[k];
        s[k + 4] = sign * angular[k];
    }
    s[3] = s[7] = 0;
}

/// The bodies that the rows of an island move, each with a slot; what cannot move has none. A body that moves is in one
/// island only, so that islands may be solved side by side.
class Movers {
public:
    Movers(std::vector<MovingBody>& bodies, std::vector<int>& used) : bodies_(bodies), used_(used) { used_.clear(); }
    int slot_of(int i) {
        MovingBody& body = bodies_[i];
        if (!body.moves()) return -1;
        if (body.slot >= used_.size() || used_[body.slot] != i) {
            body.slot = used_.size();
            used_.push_back(i);
        }
        return int(body.slot);
    }
    const std::vector<int>& all() const { return used_; }

private:
    std::vector<MovingBody>& bodies_;
    std::vector<int>& used_;
};

/// A contact along its normal and two tangents.
struct Prepared {
    int a, b;  ///< slots
    Vec3 ra, rb;
    Screw along_a[3], along_b[3];    ///< their products with the screws of a and b add up to the speeds along them
    Screw answer_a[3], answer_b[3];  ///< of the bodies to an impulse of 1
    double of_fixed[3];              ///< speeds of what cannot move
    double mass[3];                  ///< effective
    double tangential_answer[2];     ///< of the speeds along the tangents to an impulse of 1 along the normal
    double friction[2];              ///< along the tangents [N·s]
};

void prepare(Prepared& p, const std::vector<MovingBody>& bodies, const ConstraintRow& row, Movers& movers) {
    const MovingBody &a = bodies[row.a], &b = bodies[row.b];
    p.a = movers.slot_of(row.a);
    p.b = movers.slot_of(row.b);
    p.ra = row.contact.on_a - a.centre;
    p.rb = row.contact.on_b - b.centre;
    const Vec3& n = row.contact.normal;
    // Slip first, so that what slides straight on needs one direction only.
    Vec3 slip = a.velocity_at(row.contact.on_a) - b.velocity_at(row.contact.on_b);
    slip -= slip.dot(n) * n;
    const Vec3 any = std::abs(n.x()) < 0.6 ? Vec3::UnitX() : Vec3::UnitY();
    const Vec3 tangent = slip.norm() > 1e-9 ? Vec3(slip.normalized()) : Vec3(n.cross(any).normalized());
    const Vec3 along[3] = {n, tangent, n.cross(tangent)};
    for (int k = 0; k < 3; ++k) {
        const Vec3 arm_a = p.ra.cross(along[k]), arm_b = p.rb.cross(along[k]);
        const Vec3 turn_a = a.inverse_inertia * arm_a, turn_b = b.inverse_inertia * arm_b;
        set_screw(p.along_a[k], 1, along[k], arm_a);
        set_screw(p.along_b[k], -1, along[k], arm_b);
        set_screw(p.answer_a[k], 1, a.inverse_mass * along[k], turn_a);
        set_screw(p.answer_b[k], -1, b.inverse_mass * along[k], turn_b);
        p.of_fixed[k] = 0;
        if (p.a < 0) p.of_fixed[k] += p.along_a[k].dot(screw(a.velocity, a.angular_velocity));
        if (p.b < 0) p.of_fixed[k] += p.along_b[k].dot(screw(b.velocity, b.angular_velocity));
        p.mass[k] = 1 / (a.inverse_mass + b.inverse_mass + arm_a.dot(turn_a) + arm_b.dot(turn_b));
    }
    for (int k = 0; k < 2; ++k) {
        p.tangential_answer[k] = p.along_a[k + 1].dot(p.answer_a[0]) + p.along_b[k + 1].dot(p.answer_b[0]);
        p.friction[k] = row.friction_impulse.dot(along[k + 1]);
    }
}

// Normal first, then friction within Coulomb's cone. Returns the largest change of velocity. What the normal impulse
// does to the slip is known beforehand: all speeds are read at once, and each body is written to once.
double sweep_contact(std::vector<Screw>& speeds, ConstraintRow& row, Prepared& p) {
    double speed[3] = {p.of_fixed[0], p.of_fixed[1], p.of_fixed[2]};
    if (p.a >= 0) {
        const Screw a = speeds[p.a];
        for (int k = 0; k < 3; ++k) speed[k] += p.along_a[k].dot(a);
    }
    if (p.b >= 0) {
        const Screw b = speeds[p.b];
        for (int k = 0; k < 3; ++k) speed[k] += p.along_b[k].dot(b);
    }
    const double wanted = row.normal_impulse + p.mass[0] * (row.target - speed[0]);
    double given[3] = {std::max(0.0, wanted) - row.normal_impulse, 0, 0};
    row.normal_impulse += given[0];
    double change = std::abs(given[0]) / p.mass[0];
    const double limit = row.friction * row.normal_impulse;
    if (limit != 0 || p.friction[0] != 0 || p.friction[1] != 0) {
        double tangential[2];
        for (int k = 0; k < 2; ++k)
            tangential[k] = p.friction[k] - p.mass[k + 1] * (speed[k + 1] + given[0] * p.tangential_answer[k]);
        const double size_sq = square(tangential[0]) + square(tangential[1]);
        const double part = size_sq > square(limit) ? limit / std::sqrt(size_sq) : 1;
        for (int k = 0; k < 2; ++k) {
            given[k + 1] = part * tangential[k] - p.friction[k];
            p.friction[k] += given[k + 1];
            change = std::max(change, std::abs(given[k + 1]) / p.mass[k + 1]);
        }
    }
    if (p.a >= 0) speeds[p.a] += given[0] * p.answer_a[0] + given[1] * p.answer_a[1] + given[2] * p.answer_a[2];
    if (p.b >= 0) speeds[p.b] += given[0] * p.answer_b[0] + given[1] * p.answer_b[1] + given[2] * p.answer_b[2];
    return change;
}

/// All impulses of a solve, and the speeds that they lead to.
struct Outcome {
    std::vector<std::array<double, 3>> impulses;  ///< of each contact, along normal and tangents
    std::vector<Vec3> pulls;                      ///< of each string
    std::vector<Screw> speeds;
};

std::array<double, 3> contact_speeds(const Prepared& p, const std::vector<Screw>& speeds) {
    std::array<double, 3> out = {p.of_fixed[0], p.of_fixed[1], p.of_fixed[2]};
    for (int k = 0; k < 3; ++k) {
        if (p.a >= 0) out[k] += p.along_a[k].dot(speeds[p.a]);
        if (p.b >= 0) out[k] += p.along_b[k].dot(speeds[p.b]);
    }
    return out;
}

/// What part of the way from `soft`, in which nothing bounces, to `hard` contacts may go without making energy.
/// Impulses J and speeds u lie on straight lines between the two, so that the work ½ΣJ(u_before + u_after), and what
/// lifts bodies out of each other, are a square function of that part   docs/theory/rigid-motion.md, Eq. (7).
double part_without_gain(const std::vector<ConstraintRow>& contacts, const std::vector<Prepared>& rows,
                         const std::vector<Screw>& before, const Outcome& soft, const Outcome& hard, double h) {
    double square_term = 0, linear = 0, constant = 0, size = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto first = contact_speeds(rows[i], before), low = contact_speeds(rows[i], soft.speeds),
                   high = contact_speeds(rows[i], hard.speeds);
        for (int k = 0; k < 3; ++k) {
            const double J = soft.impulses[i][k], more = hard.impulses[i][k] - J, rise = high[k] - low[k];
            square_term += more * rise / 2;
            linear += (more * (first[k] + low[k]) + J * rise) / 2;
            constant += J * (first[k] + low[k]) / 2;
            size += std::abs(hard.impulses[i][k] * first[k]);
        }
        const double J = soft.impulses[i][0], more = hard.impulses[i][0] - J;
        if (!contacts[i].bounces) continue;
        constant += contacts[i].pull * (h * J - rows[i].mass[0] * contacts[i].contact.gap);
        linear += contacts[i].pull * (h * more + rows[i].mass[0] * contacts[i].push);
    }
    if (square_term + linear + constant <= 1e-6 * size) return 1;
    // Above 0 at 1, and not at 0: one root lies between.
    constant = std::min(constant, 0.0);
    const double root = std::sqrt(std::max(0.0, square(linear) - 4 * square_term * constant));
    const double part = linear + root > 0 ? -2 * constant / (linear + root) : 0;
    return std::clamp(part, 0.0, 1.0);
}

struct PreparedString {
    int slot;
    Vec3 r;
    Mat3 mass;
};

/// The memory of a solve, which the next one on the same thread uses again.
struct Scratch {
    std::vector<int> used;
    std::vector<Prepared> rows;
    std::vector<PreparedString> strings;
    std::vector<Screw> speeds;
};

double sweep_string(Screw& speeds, const MovingBody& body, StringRow& row, const PreparedString& p) {
    const Vec3 velocity = speeds.head<3>() + Vec3(speeds.segment<3>(4)).cross(p.r);
    const Vec3 change = -p.mass * velocity;
    row.impulse += change;
    speeds += screw(body.inverse_mass * change, body.inverse_inertia * p.r.cross(change));
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
                if (!body->moves()) continue;
                body->angular_momentum += sign * couple;
                body->angular_velocity += sign * (body->inverse_inertia * couple);
            }
        }
    }
}

Outcome outcome_of(const std::vector<ConstraintRow>& contacts, const std::vector<StringRow>& strings,
                   const Scratch& scratch) {
    Outcome out{{}, {}, scratch.speeds};
    for (std::size_t i = 0; i < contacts.size(); ++i)
        out.impulses.push_back({contacts[i].normal_impulse, scratch.rows[i].friction[0], scratch.rows[i].friction[1]});
    for (const StringRow& row : strings) out.pulls.push_back(row.impulse);
    return out;
}

// Speeds of parting that are given and friction, together, may ask for more energy than there is: what lands on a
// corner and is turned there by friction. Then bodies part as fast as energy allows.
void keep_from_gaining(const std::vector<MovingBody>& bodies, std::vector<ConstraintRow>& contacts,
                       std::vector<StringRow>& strings, const Movers& movers, Scratch& scratch, double h,
                       const std::function<void()>& sweep_all) {
    if (std::none_of(contacts.begin(), contacts.end(), [](const ConstraintRow& row) { return row.friction > 0; }))
        return;
    std::vector<Screw> before;
    for (const int i : movers.all()) before.push_back(screw(bodies[i].velocity, bodies[i].angular_velocity));
    const Outcome hard = outcome_of(contacts, strings, scratch);
    Outcome none{std::vector<std::array<double, 3>>(contacts.size(), {0, 0, 0}), {}, before};
    if (part_without_gain(contacts, scratch.rows, before, none, hard, h) == 1) return;
    std::vector<double> targets;
    for (ConstraintRow& row : contacts) {
        targets.push_back(row.target);
        row.target = std::min(row.target, 0.0);
    }
    sweep_all();
    const Outcome soft = outcome_of(contacts, strings, scratch);
    const double part = part_without_gain(contacts, scratch.rows, before, soft, hard, h);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const auto mixed = [&](int k) { return std::lerp(soft.impulses[i][k], hard.impulses[i][k], part); };
        contacts[i].target = targets[i];
        contacts[i].push *= part;
        contacts[i].normal_impulse = mixed(0);
        for (int k = 0; k < 2; ++k) scratch.rows[i].friction[k] = mixed(k + 1);
    }
    for (std::size_t i = 0; i < strings.size(); ++i)
        strings[i].impulse = soft.pulls[i] + part * (hard.pulls[i] - soft.pulls[i]);
}

}  // namespace

void solve_velocities(std::vector<MovingBody>& bodies, std::vector<ConstraintRow>& contacts,
                      std::vector<StringRow>& strings, double h) {
    if (contacts.empty() && strings.empty()) return;
    double scale = 1e-2;  // what gravity brings in a step of 1 ms [m/s]
    bool impacts = false;
    thread_local Scratch scratch;
    Movers movers(bodies, scratch.used);
    std::vector<Prepared>& rows = scratch.rows;
    rows.clear();
    for (ConstraintRow& row : contacts) {
        row.friction_impulse -= row.friction_impulse.dot(row.contact.normal) * row.contact.normal;
        if (const double limit = row.friction * row.normal_impulse, size = row.friction_impulse.norm(); size > limit)
            row.friction_impulse *= limit / size;
        prepare(rows.emplace_back(), bodies, row, movers);
        impacts = impacts || row.bounces;
        if (row.bounces) scale = std::max(scale, row.touch_approach);
    }
    std::vector<PreparedString>& string_rows = scratch.strings;
    string_rows.clear();
    for (const StringRow& row : strings) {
        const MovingBody& body = bodies[row.body];
        // Half way through the turn: the string's pull is then along its mean direction.
        const Vec3 now = body.world_from_body * row.point_body - body.centre;
        const Vec3 r = now + h / 2 * body.angular_velocity.cross(now);
        string_rows.push_back({movers.slot_of(row.body), r, mobility(body, r).inverse()});
    }

    std::vector<Screw>& speeds = scratch.speeds;
    speeds.clear();
    for (const int i : movers.all()) speeds.push_back(screw(bodies[i].velocity, bodies[i].angular_velocity));
    const auto give = [&](int slot, int i, const Vec3& r, const Vec3& impulse) {
        if (slot >= 0)
            speeds[slot] += screw(bodies[i].inverse_mass * impulse, bodies[i].inverse_inertia * r.cross(impulse));
    };
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        give(rows[i].a, contacts[i].a, rows[i].ra, contacts[i].impulse());
        give(rows[i].b, contacts[i].b, rows[i].rb, -contacts[i].impulse());
    }
    for (std::size_t i = 0; i < strings.size(); ++i)
        give(string_rows[i].slot, strings[i].body, string_rows[i].r, strings[i].impulse);

    const auto sweep_all = [&] {
        for (int sweep = 0; sweep < (impacts ? sweeps_of_impacts : sweeps_at_rest); ++sweep) {
            double change = 0;
            for (std::size_t i = 0; i < strings.size(); ++i)
                change = std::max(change, sweep_string(speeds[string_rows[i].slot], bodies[strings[i].body], strings[i],
                                                       string_rows[i]));
            for (std::size_t i = 0; i < contacts.size(); ++i)
                change = std::max(change, sweep_contact(speeds, contacts[i], rows[i]));
            if (change < converged * scale) break;
        }
    };
    sweep_all();
    if (impacts) keep_from_gaining(bodies, contacts, strings, movers, scratch, h, sweep_all);

    // The bodies get the totals that the rows record, so that no rounding of the sweeps comes between.
    const auto receive = [](MovingBody& body, const Vec3& r, const Vec3& impulse) {
        if (!body.moves()) return;
        body.velocity += body.inverse_mass * impulse;
        body.angular_momentum += r.cross(impulse);
        body.angular_velocity += body.inverse_inertia * r.cross(impulse);
    };
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        contacts[i].friction_impulse =
            rows[i].friction[0] * rows[i].along_a[1].head<3>() + rows[i].friction[1] * rows[i].along_a[2].head<3>();
        receive(bodies[contacts[i].a], rows[i].ra, contacts[i].impulse());
        receive(bodies[contacts[i].b], rows[i].rb, -contacts[i].impulse());
    }
    for (std::size_t i = 0; i < strings.size(); ++i)
        receive(bodies[strings[i].body], string_rows[i].r, strings[i].impulse);
    resist_turning(bodies, contacts);
}

std::vector<Displacement> solve_positions(std::vector<MovingBody>& bodies, const std::vector<Before>& before,
                                          const std::vector<ConstraintRow>& contacts, const Vec3& gravity, double h) {
    struct Row {
        int a, b;  ///< slots
        Screw along_a, along_b, answer_a, answer_b;
        double mass, needed, given;
    };
    thread_local std::vector<int> used;
    thread_local std::vector<Row> rows;
    thread_local std::vector<Screw> moved;
    Movers movers(bodies, used);
    rows.clear();
    bool any = false;
    for (const ConstraintRow& row : contacts) {
        const MovingBody &a = bodies[row.a], &b = bodies[row.b];
        const Vec3& n = row.contact.normal;
        const Vec3 ra = row.contact.on_a - a.centre, rb = row.contact.on_b - b.centre;
        const double depth = std::max(0.0, -row.contact.gap);
        Row& r = rows.emplace_back();
        r.a = movers.slot_of(row.a);
        r.b = movers.slot_of(row.b);
        if (row.bounces) {
            r.needed = depth + row.push;
        } else {
            const Vec3 va = mean_velocity(a, before[row.a], gravity, h) + a.angular_velocity.cross(ra);
            const Vec3 vb = mean_velocity(b, before[row.b], gravity, h) + b.angular_velocity.cross(rb);
            // Old overlaps part over a few steps: at once, a stack would jump.
            const double left = depth - std::min(depth, std::max(0.2 * depth, 2e-5));
            r.needed = -left - (row.contact.gap + h * n.dot(va - vb));
        }
        any = any || r.needed > 0;
        const Vec3 arm_a = ra.cross(n), arm_b = rb.cross(n);
        const Vec3 turn_a = a.inverse_inertia * arm_a, turn_b = b.inverse_inertia * arm_b;
        set_screw(r.along_a, 1, n, arm_a);
        set_screw(r.along_b, -1, n, arm_b);
        set_screw(r.answer_a, 1, a.inverse_mass * n, turn_a);
        set_screw(r.answer_b, -1, b.inverse_mass * n, turn_b);
        r.mass = 1 / (a.inverse_mass + b.inverse_mass + arm_a.dot(turn_a) + arm_b.dot(turn_b));
        r.given = 0;
    }
    if (!any) return {};
    moved.assign(movers.all().size(), Screw::Zero());
    for (int sweep = 0; sweep < position_sweeps; ++sweep)
        for (Row& r : rows) {
            double parted = 0;
            if (r.a >= 0) parted += r.along_a.dot(moved[r.a]);
            if (r.b >= 0) parted += r.along_b.dot(moved[r.b]);
            const double total = std::max(0.0, r.given + r.mass * (r.needed - parted));
            const double change = total - r.given;
            r.given = total;
            if (r.a >= 0) moved[r.a] += change * r.answer_a;
            if (r.b >= 0) moved[r.b] += change * r.answer_b;
        }
    std::vector<Displacement> displacements;
    for (std::size_t k = 0; k < moved.size(); ++k)
        displacements.push_back({movers.all()[k], moved[k].head<3>(), moved[k].segment<3>(4)});
    return displacements;
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
