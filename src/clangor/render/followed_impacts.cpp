#include <clangor/render/followed_impacts.hpp>

#include <clangor/render/floor_mobility.hpp>
#include <clangor/render/impact_groups.hpp>
#include <clangor/render/sine_cosine.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace clangor {

/// Of one body with things that neither move nor ring.
struct Unfinished {
    std::vector<Met> met;
    std::vector<size_t> numbers;  ///< among all impacts
    Ringing before;               ///< how the body rang when they began
    double end = 0;               ///< from then on they are over [s]
};

namespace {

// Contacts of a course that goes on with the next impact, at most: each makes the course be followed anew.
constexpr size_t most_going_on = 8;

// Periods of the lowest mode that an impact is followed for, and no longer than this [s].
constexpr double most_periods = 3, longest_course = 0.03;

// Of the contact time: Zener's restitution is then right to a thousandth.
constexpr double steps_per_contact = 40;

// Walls thicker than this part of the body's radius are no plates, which could take energy as one without an end.
constexpr double thick_wall = 0.2;

// What rings is left out of an impact where all of it together moves the place by less than this part of the approach.
constexpr double least_ringing = 0.01;

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
    std::vector<int> ringing;     ///< bodies, in the order of impact.bodies
    std::vector<Ringing> before;  ///< how they ring at the first contact; some of it may be left out of the impact
};

// Whether the places of contact feel how the body rings.
bool is_felt(const ImpactModes& modes, const Ringing& ringing, const std::vector<ElasticContact>& contacts) {
    if (ringing.q.size() == 0) return false;
    const Eigen::ArrayXd swing =
        (ringing.q_dot.array().square() + (modes.omega.array() * ringing.q.array()).square()).sqrt();
    const Eigen::VectorXd speeds = modes.shapes.cwiseAbs() * swing.matrix();
    for (long i = 0; i < speeds.size(); ++i)
        if (speeds[i] > least_ringing * contacts[i].approach) return true;
    return false;
}

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

// `ringing`: of all bodies; empty: none rings.
Group group_of(std::span<const Met> met, const std::vector<ContactBody>& bodies, const ExciteOptions& options,
               const RingingBodies& ringing) {
    const long count = std::ssize(met);
    const double first = first_time(met);
    Group group;
    group.impact.earlier = std::numeric_limits<double>::infinity();
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
        Ringing& before = group.before.emplace_back(ringing.empty() ? Ringing{} : ringing[body]);
        if (before.q.size() > 0) {
            group.impact.earlier = std::min(group.impact.earlier, std::max(0.0, first - before.time));
            before = ringing_at(before, *mobility, first);
        }
        if (is_felt(own_modes, before, group.impact.contacts)) {
            own_modes.q = before.q;
            own_modes.q_dot = before.q_dot;
        }
        group.impact.bodies.push_back(std::move(own_modes));
        group.ringing.push_back(body);
    }
    // Who came in a later step of the motion had been turned by those before: that is undone.
    for (long i = 0; i < count; ++i) {
        ElasticContact& contact = group.impact.contacts[i];
        contact.gap = met[i].approach_speed * (met[i].time - first);
        for (long j = 0; j < count; ++j) {
            if (met[j].seen >= met[i].seen) continue;
            const double turned = group.impact.inverse_mass(i, j) * met[j].impulse;
            contact.approach += turned;
            contact.gap += turned * (std::min(met[i].time, met[j].time) - first);
        }
        contact.gap = std::max(0.0, contact.gap);
    }
    group.impact.longest = 0;
    for (long i = 0; i < count; ++i)
        group.impact.longest = std::max(
            group.impact.longest, met[i].time - first + 20 * contact_time(met[i].contact.hertz, met[i].approach_speed));
    if (std::isfinite(lowest))
        group.impact.longest = std::max(group.impact.longest, std::min(longest_course, most_periods * 2 * pi / lowest));
    return group;
}

/// What an impact has left in the modes of a body, without what had rung before.
struct Left {
    Eigen::VectorXd q, q_dot;
};

Left left_by(const ImpactModes& modes, const ElasticResult& result, size_t b) {
    Left left{result.q[b], result.q_dot[b]};
    if (modes.q.size() == 0) return left;
    const Ringing undisturbed = ringing_at({0, modes.q, modes.q_dot}, {modes.omega, {}}, result.duration);
    left.q -= undisturbed.q;
    left.q_dot -= undisturbed.q_dot;
    return left;
}

// By how much each mode's share must be changed for pulses of Hertz's shape to leave in it what the impact left.
Eigen::VectorXd corrections(const ImpactModes& modes, const ElasticResult& result, const Left& left) {
    const Eigen::ArrayXd omega = modes.omega.array();
    Eigen::ArrayXd real = Eigen::ArrayXd::Zero(omega.size()), imaginary = real;
    for (size_t i = 0; i < result.pulses.size(); ++i)
        for (const ForcePulse& pulse : result.pulses[i]) {
            const double cycles = shaped_duration(pulse) / (2 * pi);
            const auto [sine, cosine] = sine_cosine(omega * pulse.centre);
            for (long k = 0; k < omega.size(); ++k) {
                const double given = modes.shapes(long(i), k) * pulse.impulse * hertz_spectrum(omega[k] * cycles);
                real[k] += given * cosine[k];
                imaginary[k] -= given * sine[k];
            }
        }
    const Eigen::ArrayXd size = (real.square() + imaginary.square()).sqrt();
    const Eigen::ArrayXd wanted = (left.q_dot.array().square() + (omega * left.q.array()).square()).sqrt();
    return (size * largest_correction > wanted).select(wanted / size, largest_correction).matrix();
}

// By how much an animator's impulses are larger than those that were followed.
double scale_of(std::span<const Met> met, const ElasticResult& result) {
    double given = 0;
    for (const Met& one : met) given += one.impulse;
    const double all = result.impulses.sum();
    return met.front().is_given && all > 0 ? given / all : 1;
}

enum class Whose { AllBodies, MovableBodies };

void bring_up_to_date(std::span<const Met> met, const Group& group, const ElasticResult& result,
                      const std::vector<ContactBody>& bodies, Whose whose, RingingBodies& ringing) {
    const double scale = scale_of(met, result), end = first_time(met) + result.duration;
    for (size_t b = 0; b < group.ringing.size(); ++b) {
        if (whose == Whose::MovableBodies && !bodies[group.ringing[b]].is_movable) continue;
        const Left left = left_by(group.impact.bodies[b], result, b);
        Ringing& now = ringing[group.ringing[b]];
        now = ringing_at(group.before[b], *bodies[group.ringing[b]].mobility, end);
        if (now.q.size() == 0) now.q = now.q_dot = Eigen::VectorXd::Zero(left.q.size());
        now.q += scale * left.q;
        now.q_dot += scale * left.q_dot;
    }
}

std::vector<FollowedImpact> as_followed(std::span<const Met> met, const Group& group, const ElasticResult& result) {
    const double first = first_time(met);
    std::vector<FollowedImpact> out(met.size());
    for (size_t b = 0; b < group.ringing.size(); ++b) {
        const ImpactModes& modes = group.impact.bodies[b];
        const Left left = left_by(modes, result, b);
        const Eigen::VectorXd correction = corrections(modes, result, left);
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

/// Impacts as they were followed, those that went on from before first.
struct Course {
    std::vector<Met> met;
    std::vector<size_t> numbers;
    Group group;
    ElasticResult result;
};

// The body, if there is but one that moves or rings; otherwise, and where an animator gave the impulses, −1.
int only_body(std::span<const Met> met, const std::vector<ContactBody>& bodies) {
    int only = -1;
    for (const Met& one : met)
        for (const ContactSide& side : one.sides) {
            if (one.is_given) return -1;
            if (side.body < 0 || (!bodies[side.body].is_movable && !bodies[side.body].mobility)) continue;
            if (only >= 0 && side.body != only) return -1;
            only = side.body;
        }
    return only >= 0 && bodies[only].mobility ? only : -1;
}

Course course_of(std::vector<Met> met, std::vector<size_t> numbers, const std::vector<ContactBody>& bodies,
                 const ExciteOptions& options, Whose whose, RingingBodies& ringing) {
    const int only = only_body(met, bodies);
    const std::shared_ptr<const Unfinished> last = only >= 0 ? ringing[only].unfinished : nullptr;
    if (last && first_time(met) < last->end && last->met.size() + met.size() <= most_going_on) {
        met.insert(met.begin(), last->met.begin(), last->met.end());
        numbers.insert(numbers.begin(), last->numbers.begin(), last->numbers.end());
        ringing[only] = last->before;
    }
    Course course{std::move(met), std::move(numbers), {}, {}};
    course.group = group_of(course.met, bodies, options, ringing);
    course.result = follow(course.group.impact);
    const Ringing before = only >= 0 ? ringing[only] : Ringing{};
    bring_up_to_date(course.met, course.group, course.result, bodies, whose, ringing);
    if (only < 0 || (whose == Whose::MovableBodies && !bodies[only].is_movable)) return course;
    Unfinished unfinished{course.met, course.numbers, before, first_time(course.met) + course.result.duration};
    unfinished.before.unfinished.reset();
    // Motion, which does not know its impulses yet, will make about these.
    for (size_t k = 0; k < unfinished.met.size(); ++k)
        if (unfinished.met[k].impulse == 0) unfinished.met[k].impulse = course.result.impulses[long(k)];
    ringing[only].unfinished = std::make_shared<const Unfinished>(std::move(unfinished));
    return course;
}

}  // namespace

double shaped_duration(const ForcePulse& pulse) { return pulse.width / hertz_width(); }

double shaped_start(const ForcePulse& pulse) { return pulse.centre - shaped_duration(pulse) / 2; }

std::vector<FollowedImpact> followed(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies,
                                     const ExciteOptions& options, RingingBodies& ringing, long& cut) {
    for (Ringing& one : ringing) one.unfinished.reset();  // of other impacts
    const std::vector<Met> met = met_at(impacts, bodies);
    const std::vector<Together> groups = grouped(met, bodies, cut);
    std::vector<FollowedImpact> out(impacts.size());
    for (const std::span<const Together> round : rounds_of(groups))
        parallel_for(std::ssize(round), [&](long g) {
            const std::vector<size_t>& own = round[g].impacts;
            if (!can_follow(met[own.front()])) {
                const ContactSide& side = impacts[own.front()].sides[0];
                out[own.front()] = not_followed(met[own.front()], std::abs(side.impulse.dot(side.normal)), bodies);
                return;
            }
            const Course course = course_of(picked(met, own), own, bodies, options, Whose::AllBodies, ringing);
            std::vector<FollowedImpact> results = as_followed(course.met, course.group, course.result);
            for (size_t k = 0; k < results.size(); ++k) out[course.numbers[k]] = std::move(results[k]);
        });
    return out;
}

std::vector<double> separation_speeds(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies,
                                      const ExciteOptions& options, RingingBodies& ringing) {
    const std::vector<Met> met = met_at(impacts, bodies);
    long cut = 0;
    std::vector<double> speeds(impacts.size());
    for (const Together& one : grouped(met, bodies, cut)) {
        const std::vector<size_t>& own = one.impacts;
        if (!can_follow(met[own.front()])) {
            speeds[own.front()] = restitution_of(met[own.front()], bodies, options) * met[own.front()].approach_speed;
            continue;
        }
        const Course course = course_of(picked(met, own), own, bodies, options, Whose::MovableBodies, ringing);
        const long older = std::ssize(course.met) - std::ssize(own);
        for (size_t k = 0; k < own.size(); ++k) speeds[own[k]] = course.result.separation[older + long(k)];
    }
    return speeds;
}

FollowedImpact followed(const std::array<ContactSide, 2>& sides, const LocalContact& contact, double approach_speed,
                        const std::vector<ContactBody>& bodies, const ExciteOptions& options) {
    const Met met{sides, contact, 0, 0, approach_speed};
    if (!can_follow(met)) return not_followed(met, 1, bodies);
    // One contact, and no more: the next bump comes anyway.
    Group group = group_of({&met, 1}, bodies, options, {});
    group.impact.steps_per_contact = 30;
    group.impact.longest = 3 * contact_time(contact.hertz, approach_speed);
    return as_followed({&met, 1}, group, follow(group.impact)).front();
}

}  // namespace clangor
