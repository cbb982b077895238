#include <clangor/render/followed_impacts.hpp>

#include <clangor/render/floor_mobility.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numeric>

namespace clangor {
namespace {

// Contacts that are followed together, at most: a plate that lands flat has four to eight.
constexpr size_t most_together = 16;

// Periods of the lowest mode that an impact is followed for, and no longer than this [s].
constexpr double most_periods = 3, longest_course = 0.03;

// Of the contact time: Zener's restitution is then right to a thousandth.
constexpr double steps_per_contact = 40;

// Walls thicker than this part of the body's radius are no plates, which could take energy as one without an end.
constexpr double thick_wall = 0.2;

// The most by which a mode's share of a pulse is changed to make its energy exact.
constexpr double largest_correction = 10;

// Standard deviation of the pulse of PulseShape::Hertz with length 1.
double unit_width() {
    constexpr int count = 2000;
    double second = 0;
    for (int i = 0; i < count; ++i) {
        const double x = (i + 0.5) / count;
        second += square(x - 0.5) * unit_pulse(PulseShape::Hertz, x) / count;
    }
    return std::sqrt(second);
}
double hertz_width() {
    static const double width = unit_width();  // when it is asked for: other files' constants are needed
    return width;
}

/// An impact with what is known of its place.
struct Met {
    std::array<ContactSide, 2> sides;
    LocalContact contact;
    double time = 0, seen = 0, approach_speed = 0;
    double impulse = 0;  ///< along the normal, as motion has it
};

bool can_follow(const Met& met) {
    return met.contact.hertz.inverse_mass > 0 && met.approach_speed > 0 && std::isfinite(met.approach_speed);
}

double restitution_of(const Met& met, const std::vector<ContactBody>& bodies, const ExciteOptions& options) {
    const int a = met.sides[0].body, b = met.sides[1].body;
    double sum = 0, weighted = 0;
    for (const int body : {a, b}) {
        if (body < 0) continue;
        const double compliance = contact_compliance(bodies[body].body->material);
        sum += compliance;
        weighted += compliance * bodies[body].restitution;
    }
    for (const RigidPair& pair : options.pairs)
        if (std::minmax(pair.first, pair.second) == std::minmax(a, b) && pair.restitution) return *pair.restitution;
    return sum > 0 ? weighted / sum : 1;
}

ElasticContact elastic_contact(const Met& met, const std::vector<ContactBody>& bodies, const ExciteOptions& options) {
    const HertzContact& hertz = met.contact.hertz;
    ElasticContact contact{.stiffness = 4.0 / 3 * hertz.modulus / std::sqrt(hertz.curvature),
                           .approach = met.approach_speed};
    contact.loss = loss_of_restitution(restitution_of(met, bodies, options)) / met.approach_speed;
    for (size_t s = 0; s < 2; ++s) {
        const ModalMobility* const mobility = mobility_of(met.sides[s], bodies);
        if (!mobility || mobility->omega.size() == 0 || met.contact.at[s].face < 0) continue;
        const Body& body = *bodies[met.sides[s].body].body;
        const double wall = body.wall ? (*body.wall)[met.contact.at[s].face] : 0;
        if (!(wall > 0) || wall > thick_wall * body.radius) continue;
        contact.mobility += plate_mobility(body.material, wall);
        const double highest = mobility->omega.maxCoeff();
        contact.corner = contact.corner > 0 ? std::min(contact.corner, highest) : highest;
    }
    return contact;
}

// Closing acceleration at contact i of a body per force at its contact j.
double inverse_mass_between(const ContactBody& of, const ContactSide& i, const ContactSide& j) {
    const Body& body = *of.body;
    const double density = body.material.density, mass = body.mass.volume * density;
    if (!of.is_movable || !(mass > 0)) return 0;
    const Vec3 lever_i = (i.point - body.mass.centre).cross(i.normal),
               lever_j = (j.point - body.mass.centre).cross(j.normal);
    const Mat3 inertia = body.mass.inertia * density;
    return i.normal.dot(j.normal) / mass + lever_i.dot(inertia.ldlt().solve(lever_j));
}

/// Impacts that are followed together, and which of the bodies ring.
struct Group {
    ElasticImpact impact;
    std::vector<int> ringing;  ///< bodies, in the order of impact.bodies
};

// How a floor that is a plate gives way under them; empty: none of them meets one.
Eigen::MatrixXd floor_under(std::span<const Met> met, const std::vector<ContactBody>& bodies) {
    const Body* floor = nullptr;
    std::vector<FloorContact> contacts(met.size());
    for (size_t i = 0; i < met.size(); ++i)
        for (const ContactSide& side : met[i].sides) {
            if (side.body < 0 || !(bodies[side.body].body->plate > 0)) continue;
            floor = bodies[side.body].body;
            contacts[i] = {side.point, true, contact_time(met[i].contact.hertz, met[i].approach_speed)};
        }
    return floor ? floor_mobility(*floor, contacts) : Eigen::MatrixXd();
}

Group group_of(std::span<const Met> met, const std::vector<ContactBody>& bodies, const ExciteOptions& options) {
    const long count = std::ssize(met);
    const double first = std::ranges::min(met, {}, &Met::time).time;
    Group group;
    group.impact.steps_per_contact = steps_per_contact;
    group.impact.inverse_mass = Eigen::MatrixXd::Zero(count, count);
    std::map<int, std::vector<std::pair<long, size_t>>> places;  // of each body: contact and side
    for (long i = 0; i < count; ++i) {
        group.impact.contacts.push_back(elastic_contact(met[i], bodies, options));
        for (size_t s = 0; s < 2; ++s)
            if (met[i].sides[s].body >= 0) places[met[i].sides[s].body].emplace_back(i, s);
    }
    group.impact.floor_mobility = floor_under(met, bodies);
    double lowest = std::numeric_limits<double>::infinity();
    for (const auto& [body, own] : places) {
        for (const auto& [i, s] : own)
            for (const auto& [j, t] : own)
                group.impact.inverse_mass(i, j) += inverse_mass_between(bodies[body], met[i].sides[s], met[j].sides[t]);
        const ModalMobility* const mobility = bodies[body].mobility;
        if (!mobility || mobility->omega.size() == 0) continue;
        const long modes = mobility->omega.size();
        ImpactModes own_modes{.omega = mobility->omega,
                              .xi = Eigen::VectorXd::Zero(modes),
                              .shapes = Eigen::MatrixXd::Zero(count, modes)};
        for (const auto& [i, s] : own)
            own_modes.shapes.row(i) +=
                mobility->modal_impulse(met[i].contact.at[s], -met[i].sides[s].normal).transpose();
        lowest = std::min(lowest, mobility->omega.minCoeff());
        group.impact.bodies.push_back(std::move(own_modes));
        group.ringing.push_back(body);
    }
    // Who came in a later step of the motion had been turned by those before: that is undone.
    for (long i = 0; i < count; ++i) {
        ElasticContact& contact = group.impact.contacts[i];
        contact.gap = met[i].approach_speed * (met[i].time - first);
        for (long j = 0; j < count; ++j)
            if (met[j].seen < met[i].seen) contact.approach += group.impact.inverse_mass(i, j) * met[j].impulse;
    }
    group.impact.longest = 0;
    for (long i = 0; i < count; ++i)
        group.impact.longest = std::max(
            group.impact.longest, met[i].time - first + 20 * contact_time(met[i].contact.hertz, met[i].approach_speed));
    if (std::isfinite(lowest))
        group.impact.longest = std::max(group.impact.longest, std::min(longest_course, most_periods * 2 * pi / lowest));
    return group;
}

// By how much each mode's share must be changed for pulses of Hertz's shape to leave in it what the impact left.
Eigen::VectorXd corrections(const ImpactModes& modes, const ElasticResult& result, const Eigen::VectorXd& q,
                            const Eigen::VectorXd& q_dot) {
    Eigen::VectorXd correction = Eigen::VectorXd::Ones(modes.omega.size());
    for (long k = 0; k < correction.size(); ++k) {
        const double omega = modes.omega[k];
        std::complex<double> given = 0;
        for (size_t i = 0; i < result.pulses.size(); ++i)
            for (const ForcePulse& pulse : result.pulses[i])
                given += modes.shapes(long(i), k) * pulse.impulse *
                         pulse_spectrum(PulseShape::Hertz, omega * shaped_duration(pulse) / (2 * pi)) *
                         std::polar(1.0, -omega * pulse.centre);
        const double wanted = std::hypot(q_dot[k], omega * q[k]), size = std::abs(given);
        correction[k] = size * largest_correction > wanted ? wanted / size : largest_correction;
    }
    return correction;
}

std::vector<FollowedImpact> followed_together(std::span<const Met> met, const Group& group) {
    const double first = std::ranges::min(met, {}, &Met::time).time;
    const ElasticResult result = follow(group.impact);
    std::vector<FollowedImpact> out(met.size());
    for (size_t b = 0; b < group.ringing.size(); ++b) {
        const ImpactModes& modes = group.impact.bodies[b];
        const Eigen::VectorXd correction = corrections(modes, result, result.q[b], result.q_dot[b]);
        double pushed = 0;  // by all impacts on this body
        for (size_t i = 0; i < met.size(); ++i)
            for (const ContactSide& side : met[i].sides)
                if (side.body == group.ringing[b]) pushed += result.impulses[long(i)];
        for (size_t i = 0; i < met.size(); ++i)
            for (size_t s = 0; s < 2; ++s) {
                if (met[i].sides[s].body != group.ringing[b]) continue;
                out[i].shapes[s] = modes.shapes.row(long(i)).transpose().cwiseProduct(correction);
                if (pushed > 0) out[i].modal_energy[s] = result.modal_energy[b] * result.impulses[long(i)] / pushed;
            }
    }
    for (size_t i = 0; i < met.size(); ++i) {
        out[i].is_followed = true;
        out[i].separation_speed = result.separation[long(i)];
        for (ForcePulse pulse : result.pulses[i]) {
            pulse.start += first;
            pulse.end += first;
            pulse.centre += first;
            out[i].pulses.push_back(pulse);
        }
    }
    return out;
}

// Where nothing can move: the impulse of the motion, as a hard mallet gives it.
FollowedImpact not_followed(const Met& met, double normal_impulse, const std::vector<ContactBody>& bodies) {
    FollowedImpact out;
    const double tau = contact_time(met.contact.hertz, met.approach_speed);
    out.pulses = {{.start = met.time,
                   .end = met.time + tau,
                   .impulse = normal_impulse,
                   .peak = normal_impulse / (tau * pulse_area(PulseShape::Hertz)),
                   .centre = met.time + tau / 2,
                   .width = hertz_width() * tau}};
    for (size_t s = 0; s < 2; ++s)
        if (const ModalMobility* const mobility = mobility_of(met.sides[s], bodies))
            out.shapes[s] = mobility->modal_impulse(met.contact.at[s], -met.sides[s].normal);
    return out;
}

bool share_a_body(const Met& a, const Met& b, const std::vector<ContactBody>& bodies) {
    for (const ContactSide& x : a.sides)
        for (const ContactSide& y : b.sides)
            if (x.body >= 0 && x.body == y.body && (bodies[x.body].is_movable || bodies[x.body].mobility)) return true;
    return false;
}

std::vector<Met> met_at(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies) {
    std::vector<Met> met(impacts.size());
    parallel_for(std::ssize(impacts), [&](long i) {
        const Impact& impact = impacts[i];
        met[i] = {impact.sides,          local_contact(impact.sides, bodies),
                  impact.time,           impact.seen < 0 ? impact.time : impact.seen,
                  impact.approach_speed, std::abs(impact.sides[0].impulse.dot(impact.sides[0].normal))};
    });
    return met;
}

/// Which impacts belong together.
std::vector<std::vector<size_t>> grouped(std::span<const Met> met, const std::vector<ContactBody>& bodies, long& cut) {
    std::vector<size_t> order(met.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::stable_sort(order, {}, [&](size_t i) { return met[i].time; });
    std::vector<size_t> first(met.size()), size(met.size(), 1);
    std::iota(first.begin(), first.end(), size_t(0));
    const auto root = [&](size_t i) {
        while (first[i] != i) i = first[i] = first[first[i]];
        return i;
    };
    double longest = 0;
    for (const Met& one : met)
        longest = std::max({longest, contact_time(one.contact.hertz, one.approach_speed), one.seen - one.time});
    for (size_t place = 0; place < order.size(); ++place) {
        const size_t i = order[place];
        const double tau = contact_time(met[i].contact.hertz, met[i].approach_speed);
        for (size_t before = place; before-- > 0 && met[i].time - met[order[before]].time <= longest;) {
            const size_t j = order[before];
            if (!can_follow(met[i]) || !can_follow(met[j]) || !share_a_body(met[i], met[j], bodies)) continue;
            const double either = std::max(tau, contact_time(met[j].contact.hertz, met[j].approach_speed));
            if (met[i].time - met[j].time > either && met[i].seen != met[j].seen) continue;
            const size_t a = root(i), b = root(j);
            if (a == b) continue;
            if (size[a] + size[b] > most_together) {
                ++cut;
                continue;
            }
            first[std::max(a, b)] = std::min(a, b);
            size[std::min(a, b)] += size[std::max(a, b)];
        }
    }
    std::map<size_t, std::vector<size_t>> members;
    for (size_t i = 0; i < met.size(); ++i) members[root(i)].push_back(i);
    std::vector<std::vector<size_t>> groups;
    for (auto& [start, own] : members) groups.push_back(std::move(own));
    return groups;
}

}  // namespace

double shaped_duration(const ForcePulse& pulse) { return pulse.width / hertz_width(); }

double shaped_start(const ForcePulse& pulse) { return pulse.centre - shaped_duration(pulse) / 2; }

std::vector<FollowedImpact> followed(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies,
                                     const ExciteOptions& options, long& cut) {
    const std::vector<Met> met = met_at(impacts, bodies);
    const std::vector<std::vector<size_t>> groups = grouped(met, bodies, cut);
    std::vector<FollowedImpact> out(impacts.size());
    parallel_for(std::ssize(groups), [&](long g) {
        const std::vector<size_t>& own = groups[g];
        if (!can_follow(met[own.front()])) {
            const ContactSide& side = impacts[own.front()].sides[0];
            out[own.front()] = not_followed(met[own.front()], std::abs(side.impulse.dot(side.normal)), bodies);
            return;
        }
        std::vector<Met> together;
        for (const size_t i : own) together.push_back(met[i]);
        std::vector<FollowedImpact> results = followed_together(together, group_of(together, bodies, options));
        for (size_t k = 0; k < own.size(); ++k) out[own[k]] = std::move(results[k]);
    });
    return out;
}

std::vector<double> separation_speeds(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies,
                                      const ExciteOptions& options) {
    const std::vector<Met> met = met_at(impacts, bodies);
    long cut = 0;
    std::vector<double> speeds(impacts.size());
    for (const std::vector<size_t>& own : grouped(met, bodies, cut)) {
        if (!can_follow(met[own.front()])) {
            speeds[own.front()] = restitution_of(met[own.front()], bodies, options) * met[own.front()].approach_speed;
            continue;
        }
        std::vector<Met> together;
        for (const size_t i : own) together.push_back(met[i]);
        const ElasticResult result = follow(group_of(together, bodies, options).impact);
        for (size_t k = 0; k < own.size(); ++k) speeds[own[k]] = result.separation[long(k)];
    }
    return speeds;
}

FollowedImpact followed(const std::array<ContactSide, 2>& sides, const LocalContact& contact, double approach_speed,
                        const std::vector<ContactBody>& bodies, const ExciteOptions& options) {
    const Met met{sides, contact, 0, 0, approach_speed};
    if (!can_follow(met)) return not_followed(met, 1, bodies);
    // One contact, and no more: the next bump comes anyway.
    Group group = group_of({&met, 1}, bodies, options);
    group.impact.steps_per_contact = 30;
    group.impact.longest = 3 * contact_time(contact.hertz, approach_speed);
    return followed_together({&met, 1}, group).front();
}

}  // namespace clangor
