#include <clangor/motion/contact/contact_forces.hpp>
#include <clangor/motion/contact/swinging_modes.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor {
namespace {

// Per impact, before it is left as it is: for bodies that chatter on each other without an end.
constexpr long most_steps = 40'000;

/// A step's length and all that follows from it, but for the modes.
struct StepRule {
    double h = 0;
    PerContact decay, further;  ///< of the springs and resistances: e^{−ah}, and (1 − e^{−ah})Y/a
};

StepRule step_rule(const ElasticImpact& impact, double h) {
    const long count = std::ssize(impact.contacts);
    StepRule rule{h, PerContact(count), PerContact(count)};
    for (long i = 0; i < count; ++i) {
        const ElasticContact& contact = impact.contacts[i];
        const double a = pi / 2 * contact.corner;
        rule.decay[i] = std::exp(-a * h);
        rule.further[i] = contact.mobility * (a > 0 ? -std::expm1(-a * h) / a : h);
    }
    return rule;
}

// Closing lost at the end of a step per constant force [m/N].
PerContacts compliance_of(const ElasticImpact& impact, const StepRule& rule, const SwingingModes& modes,
                          const Turns& turns) {
    const long count = std::ssize(impact.contacts);
    PerContacts sum = square(rule.h) / 2 * impact.inverse_mass;
    sum.diagonal() += rule.further;
    if (impact.floor_mobility.size() > 0) sum += rule.h * impact.floor_mobility;
    for (long i = 0; i < count; ++i)
        for (long j = 0; j < count; ++j) sum(i, j) += compliance(modes, turns, std::size_t(i), std::size_t(j));
    return sum;
}

/// Where the bodies are as rigid ones, and what gives way beside their modes: per contact.
struct Rigid {
    PerContact closing, speed;
    PerContact further,
        spring;        ///< of the modes that are not listed: what they give way by, the force in their springs
    PerContact floor;  ///< how far the floor has given way
};

/// Where an impact is.
struct State {
    double time = 0;
    Rigid rigid;
    SwingingModes modes;
    PerContact depth;  ///< δ per contact, negative where there is a gap
};

void find_depth(State& state) {
    for (long i = 0; i < state.depth.size(); ++i)
        state.depth[i] =
            state.rigid.closing[i] - state.rigid.further[i] - state.rigid.floor[i] - moved(state.modes, std::size_t(i));
}

State start_of(const ElasticImpact& impact) {
    const long count = std::ssize(impact.contacts);
    const PerContact none = PerContact::Zero(count);
    State state{.rigid = {none, none, none, none, none}, .modes = swinging(impact), .depth = none};
    for (long i = 0; i < count; ++i) {
        state.rigid.closing[i] = -impact.contacts[i].gap;
        state.rigid.speed[i] = impact.contacts[i].approach;
    }
    find_depth(state);
    return state;
}

// A step of h · 2^doublings on which nothing pushes.
void glide(const ElasticImpact& impact, const StepRule& rule, Turns& turns, int doublings, State& state) {
    Rigid& rigid = state.rigid;
    rigid.closing += rule.h * rigid.speed;
    for (long i = 0; i < rigid.spring.size(); ++i) {
        rigid.further[i] -= rule.further[i] * rigid.spring[i];
        if (impact.contacts[i].corner > 0) rigid.spring[i] *= rule.decay[i];
    }
    swing(state.modes, turns, doublings);
    state.time += rule.h;
    find_depth(state);
}

// What constant forces add to the step that has just been made.
void add_forces(const ElasticImpact& impact, const StepRule& rule, const Turns& turns, const PerContacts& compliance,
                const PerContact& force, State& state) {
    Rigid& rigid = state.rigid;
    for (long i = 0; i < force.size(); ++i) {
        double slowing = 0, lost = 0, floor = 0;
        for (long j = 0; j < force.size(); ++j) {
            slowing += impact.inverse_mass(i, j) * force[j];
            lost += compliance(i, j) * force[j];
            if (impact.floor_mobility.size() > 0) floor += impact.floor_mobility(i, j) * force[j];
        }
        rigid.closing[i] -= square(rule.h) / 2 * slowing;
        rigid.speed[i] -= rule.h * slowing;
        rigid.further[i] += rule.further[i] * force[i];
        rigid.floor[i] += rule.h * floor;
        if (impact.contacts[i].corner > 0) rigid.spring[i] += force[i] * (1 - rule.decay[i]);
        state.depth[i] -= lost;
    }
    push(state.modes, turns, force.data());
}

// The same impact so much earlier: as rigid bodies fly and modes swing without loss.
State set_back(const State& from, double seconds) {
    State state = from;
    state.time -= seconds;
    state.rigid.closing -= seconds * state.rigid.speed;
    state.modes = set_back(from.modes, seconds);
    find_depth(state);
    return state;
}

// A beginning at which no contact stores energy.
State parted_start(const ElasticImpact& impact) {
    constexpr int most_tries = 24;
    State asked = start_of(impact);
    if (asked.depth.maxCoeff() <= 0) return asked;
    State state = asked;
    double seconds = 0;
    for (int round = 0; round < most_tries && state.depth.maxCoeff() > 0; ++round) {
        double more = 0;
        for (long i = 0; i < state.depth.size(); ++i)
            if (state.depth[i] > 0) more = std::max(more, state.depth[i] / std::max(state.rigid.speed[i], 1e-3));
        seconds += more;
        if (seconds > impact.earlier) break;
        state = set_back(asked, seconds);
    }
    if (state.depth.maxCoeff() <= 0) return state;
    asked.rigid.closing -= asked.depth.cwiseMax(0);
    find_depth(asked);
    return asked;
}

/// What can come of bodies that are apart, whatever the phases of their modes, as long as nothing touches.
struct Apart {
    PerContact speed;  ///< the depths grow no faster [m/s]
    PerContact reach;  ///< the modes close no larger gap [m]
};

Apart apart(const State& state) {
    const long count = state.depth.size();
    Apart limits{PerContact(count), PerContact(count)};
    for (long i = 0; i < count; ++i) {
        const SwingLimits by_modes = swing_limits(state.modes, std::size_t(i));
        limits.speed[i] = by_modes.speed;
        limits.reach[i] = by_modes.distance;
    }
    return limits;
}

// How fast a depth can grow at most.
double closing_bound(const ElasticImpact& impact, const State& state, const Apart& limits, long i) {
    return state.rigid.speed[i] + impact.contacts[i].mobility * state.rigid.spring[i] + limits.speed[i];
}

// Whether no mode can close any gap again.
bool has_parted(const ElasticImpact& impact, const State& state, const Apart& limits) {
    bool none_closes = true, none_reaches = state.rigid.speed.maxCoeff() <= 0;
    for (long i = 0; i < state.depth.size(); ++i) {
        none_closes = none_closes && closing_bound(impact, state, limits, i) <= 0;
        double reach = state.rigid.closing[i] - state.rigid.floor[i] + limits.reach[i];
        if (impact.contacts[i].corner == 0) reach -= state.rigid.further[i];  // others spring back to nothing
        none_reaches = none_reaches && reach <= 0;
    }
    return none_closes || none_reaches;
}

/// What is asked of a state after a step.
struct Place {
    double time = 0;
    PerContact closing, floor, further, depth;
};

Place place_of(const State& state) {
    return {state.time, state.rigid.closing, state.rigid.floor, state.rigid.further, state.depth};
}

/// A pulse that is being recorded.
struct OpenPulse {
    bool is_open = false;
    ForcePulse pulse = {};
    double first = 0, second = 0;  ///< ∫ (t − start) F dt and ∫ (t − start)² F dt
};

void close_pulse(OpenPulse& open, double end, std::vector<ForcePulse>& pulses) {
    ForcePulse& pulse = open.pulse;
    pulse.end = end;
    if (pulse.impulse > 0) {
        const double mean = open.first / pulse.impulse;
        pulse.centre = pulse.start + mean;
        pulse.width = std::sqrt(std::max(0.0, open.second / pulse.impulse - mean * mean));
        pulses.push_back(pulse);
    }
    open = {};
}

// Where between 0 and 1 a depth that goes from a to b is zero.
double crossing(double a, double b) { return std::clamp(a / (a - b), 0.0, 1.0); }

void record(const Place& before, const State& after, const PerContact& force, const ElasticImpact& impact,
            std::vector<OpenPulse>& open, std::vector<std::vector<ForcePulse>>& pulses) {
    const double h = after.time - before.time;
    for (long i = 0; i < force.size(); ++i) {
        const double a = before.depth[i], b = after.depth[i];
        if (!open[i].is_open && b > 0) {
            open[i].is_open = true;
            open[i].pulse.start = before.time + (a < 0 ? crossing(a, b) * h : 0);
        }
        if (!open[i].is_open) continue;
        ForcePulse& pulse = open[i].pulse;
        const double middle = before.time + h / 2 - pulse.start, push = force[i] * h;
        pulse.impulse += push;
        open[i].first += push * middle;
        open[i].second += push * (square(middle) + square(h) / 12);
        if (impact.keeps_histories) {
            if (pulse.history.forces.empty()) pulse.history = {.start = before.time, .step = h};
            pulse.history.forces.push_back(force[i]);
        }
        const double deepest = std::max({a, b, 0.0});
        pulse.peak = std::max({pulse.peak, impact.contacts[i].stiffness * deepest * std::sqrt(deepest)});
        if (b <= 0) close_pulse(open[i], before.time + crossing(a, b) * h, pulses[i]);
    }
}

// Of the contact that would be over first if the bodies were rigid.
double shortest_contact_time(const ElasticImpact& impact) {
    double shortest = impact.longest;
    for (long i = 0; i < std::ssize(impact.contacts); ++i) {
        const ElasticContact& contact = impact.contacts[i];
        const double mass = 1 / impact.inverse_mass(i, i);
        if (!(contact.approach > 0)) continue;
        const double deepest = std::pow(1.25 * mass * square(contact.approach) / contact.stiffness, 0.4);
        shortest = std::min(shortest, 2.9432751843247043 * deepest / contact.approach);
    }
    return shortest;
}

void check(const ElasticImpact& impact) {
    const long count = std::ssize(impact.contacts);
    CLANGOR_ASSERT(count <= most_contacts, "few contacts at once");
    CLANGOR_ASSERT(count > 0 && impact.inverse_mass.rows() == count && impact.inverse_mass.cols() == count,
                   "an inverse mass for each pair of contacts");
    CLANGOR_ASSERT(impact.floor_mobility.size() == 0 || impact.floor_mobility.rows() == count,
                   "a mobility for each pair of contacts");
    for (long i = 0; i < count; ++i)
        CLANGOR_ASSERT(impact.contacts[i].stiffness > 0 && impact.inverse_mass(i, i) > 0, "something gives way");
    for ([[maybe_unused]] const ImpactModes& body : impact.bodies)
        CLANGOR_ASSERT(body.shapes.rows() == count && body.shapes.cols() == body.omega.size(), "contacts × modes");
}

/// An impact that is being followed.
struct Course {
    const ElasticImpact& impact;
    StepRule rule;                      ///< of a step with forces
    std::vector<StepRule> longer = {};  ///< for 2, 4, 8 … steps, made when they are first asked for
    State state = {};
    Turns turns = {};
    PerContacts compliance = {};
    PerContact last = {}, before_last = {};  ///< forces
    std::vector<OpenPulse> open = {};
    ElasticResult result = {};
};

double step_length(const ElasticImpact& impact) {
    double h = shortest_contact_time(impact) / impact.steps_per_contact;
    // Forces are constant over a step, and ring with its frequency: that must lie above all modes.
    for (const ImpactModes& body : impact.bodies)
        if (body.omega.size() > 0) h = std::min(h, pi / 2 / body.omega.maxCoeff());
    return h;
}

Course course_of(const ElasticImpact& impact) {
    const long count = std::ssize(impact.contacts);
    Course course{.impact = impact, .rule = step_rule(impact, step_length(impact)), .state = parted_start(impact)};
    course.turns = turns(course.state.modes, course.rule.h);
    course.compliance = compliance_of(impact, course.rule, course.state.modes, course.turns);
    course.last = course.before_last = PerContact::Zero(count);
    course.open.resize(std::size_t(count));
    course.result.pulses.resize(std::size_t(count));
    course.result.impulses = Eigen::VectorXd::Zero(count);
    return course;
}

// The longest step of h · 2^n within a time of more than 2h.
void glide_for(Course& course, double time) {
    const int doublings = std::max(1, std::ilogb(time / course.rule.h));
    while (std::ssize(course.longer) < doublings)
        course.longer.push_back(
            step_rule(course.impact, 2 * (course.longer.empty() ? course.rule.h : course.longer.back().h)));
    glide(course.impact, course.longer[std::size_t(doublings) - 1], course.turns, doublings, course.state);
}

void step(Course& course) {
    const ElasticImpact& impact = course.impact;
    State& state = course.state;
    ElasticResult& result = course.result;
    const Place before = place_of(state);
    glide(impact, course.rule, course.turns, 0, state);
    const PerContact expected = (2 * course.last - course.before_last).cwiseMax(0);
    const StepForces forces =
        forces_of(impact.contacts, course.compliance, course.rule.h, before.depth, state.depth, expected);
    if (forces.force.maxCoeff() > 0) {
        add_forces(impact, course.rule, course.turns, course.compliance, forces.force, state);
        for (long i = 0; i < forces.force.size(); ++i) {
            const double force = forces.force[i];
            result.impulses[i] += course.rule.h * force;
            result.rigid_change -= force * (state.rigid.closing[i] - before.closing[i]);
            result.contact_loss += forces.lost[i] * (state.depth[i] - before.depth[i]);
            result.further_energy += force * (state.rigid.further[i] - before.further[i]);
            result.floor_energy += force * (state.rigid.floor[i] - before.floor[i]);
        }
    }
    course.before_last = course.last;
    course.last = forces.force;
    record(before, state, forces.force, impact, course.open, result.pulses);
}

// Bodies that are apart fly on for as long as nothing can close; false where they may touch at once.
bool fly_on(Course& course, std::optional<Apart>& limits) {
    State& state = course.state;
    if (!limits || state.modes.is_damped) limits = apart(state);
    course.result.has_parted = has_parted(course.impact, state, *limits);
    if (course.result.has_parted) return true;
    double wait = course.impact.longest - state.time;
    for (long i = 0; i < state.depth.size(); ++i)
        if (const double bound = closing_bound(course.impact, state, *limits, i); bound > 0)
            wait = std::min(wait, -state.depth[i] / bound);
    if (!(wait > 2 * course.rule.h)) return false;
    glide_for(course, wait);
    return true;
}

}  // namespace

ElasticResult follow(const ElasticImpact& impact) {
    check(impact);
    Course course = course_of(impact);
    State& state = course.state;
    ElasticResult& result = course.result;
    const std::vector<double> before = energies(state.modes);
    std::optional<Apart> limits;  // while nothing touches
    for (long i = 0; i < most_steps && (state.time < impact.longest || state.depth.maxCoeff() > 0); ++i) {
        if (state.depth.maxCoeff() <= 0 && fly_on(course, limits)) {
            if (result.has_parted) break;
            continue;
        }
        step(course);
        if (course.last.maxCoeff() > 0) limits.reset();
    }
    for (std::size_t i = 0; i < course.open.size(); ++i)
        if (course.open[i].is_open) close_pulse(course.open[i], state.time, result.pulses[i]);
    result.separation = -state.rigid.speed;
    result.q = coordinates(state.modes);
    result.q_dot = velocities(state.modes);
    result.modal_energy = energies(state.modes);
    for (std::size_t b = 0; b < before.size(); ++b) result.modal_energy[b] -= before[b];
    result.duration = state.time;
    return result;
}

}  // namespace clangor
