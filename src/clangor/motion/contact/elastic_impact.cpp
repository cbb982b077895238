#include <clangor/motion/contact/contact.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Newton's iteration ends when forces change by less than this part of the largest.
constexpr double force_tolerance = 1e-13;
constexpr int most_iterations = 60;

// Per impact, before it is left as it is: for bodies that chatter on each other without an end.
constexpr long most_steps = 40'000;

/// A number for each contact, without memory from the heap: a step takes less time than asking for it.
constexpr int most_contacts = 16;
using PerContact = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_contacts, 1>;
using PerContactArray = Eigen::Array<double, Eigen::Dynamic, 1, 0, most_contacts, 1>;

/// The mean of K δ^{3/2} over a step from a to b, which makes the work of the force the change of its potential, and
/// its derivative by b.
struct MeanForce {
    double value = 0, slope = 0;
};

// (2/5) K (b^{5/2} − a^{5/2})/(b − a), in √a and √b, where nothing cancels   docs/theory/contact.md, Eq. 10
MeanForce mean_force(double stiffness, double a, double b) {
    if (a <= 0 && b <= 0) return {};
    if (a > 0 && b > 0) {
        const double s = std::sqrt(a), t = std::sqrt(b);
        const double sum = (((t + s) * t + s * s) * t + s * s * s) * t + s * s * s * s, both = t + s;
        const double slope = ((4 * t + 3 * s) * t + 2 * s * s) * t + s * s * s;
        return {0.4 * stiffness * sum / both, 0.4 * stiffness * (slope * both - sum) / (both * both * 2 * t)};
    }
    const double deep = std::max(a, b), potential = 0.4 * stiffness * deep * deep * std::sqrt(deep);
    const double value = potential / std::abs(b - a);
    const double slope = b > 0 ? (stiffness * b * std::sqrt(b) - value) / (b - a) : value / (a - b);
    return {value, slope};
}

/// What a step of one length does to the modes of a body under a constant force:
/// q ← A q + B q̇ + c f,  q̇ ← −E q + D q̇ + B f,  E = ω² B
struct ModeSteps {
    Eigen::ArrayXd A, B, C, D, E;
};

ModeSteps mode_steps(const ImpactModes& modes, double h) {
    const Eigen::ArrayXd omega = modes.omega.array(), sigma = modes.xi.array() * omega;
    const Eigen::ArrayXd damped = omega * (1 - modes.xi.array().square()).sqrt();
    const Eigen::ArrayXd decay = (-sigma * h).exp(), sine = (damped * h).sin(), half = (damped * h / 2).sin();
    ModeSteps steps;
    steps.B = decay * sine / damped;
    const Eigen::ArrayXd cosine = 1 - 2 * half.square();
    steps.A = decay * cosine + sigma * steps.B;
    steps.D = decay * cosine - sigma * steps.B;
    // 1 − A, of small numbers
    const Eigen::ArrayXd rest =
        -(-sigma * h).unaryExpr([](double x) { return std::expm1(x); }) - sigma * steps.B + 2 * decay * half.square();
    steps.C = rest / omega.square();
    steps.E = omega.square() * steps.B;
    return steps;
}

/// A step's length and all that follows from it.
struct StepRule {
    double h = 0;
    std::vector<ModeSteps> modes;
    Eigen::MatrixXd compliance;      ///< closing lost at the end per constant force; none in a free rule [m/N]
    PerContactArray decay, further;  ///< of the springs and resistances: e^{−ah}, and (1 − e^{−ah})Y/a
};

// Without forces.
StepRule free_rule(const ElasticImpact& impact, double h) {
    StepRule rule;
    rule.h = h;
    const long count = std::ssize(impact.contacts);
    rule.decay.resize(count);
    rule.further.resize(count);
    for (long i = 0; i < count; ++i) {
        const ElasticContact& contact = impact.contacts[i];
        const double a = pi / 2 * contact.corner;
        rule.decay[i] = std::exp(-a * h);
        rule.further[i] = contact.mobility * (a > 0 ? -std::expm1(-a * h) / a : h);
    }
    for (const ImpactModes& body : impact.bodies) rule.modes.push_back(mode_steps(body, h));
    return rule;
}

StepRule step_rule(const ElasticImpact& impact, double h) {
    StepRule rule = free_rule(impact, h);
    rule.compliance = square(h) / 2 * impact.inverse_mass;
    rule.compliance.diagonal() += rule.further.matrix();
    if (impact.floor_mobility.size() > 0) rule.compliance += h * impact.floor_mobility;
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        const Eigen::MatrixXd& shapes = impact.bodies[b].shapes;
        rule.compliance += shapes * rule.modes[b].C.matrix().asDiagonal() * shapes.transpose();
    }
    return rule;
}

/// Where an impact is.
struct State {
    double time = 0;
    PerContact closing, speed;  ///< of the bodies as rigid ones: per contact
    PerContactArray further,
        spring;        ///< what the modes that are not listed give way by, and the force in their springs
    PerContact floor;  ///< how far the floor has given way: per contact
    std::vector<Eigen::ArrayXd> q, q_dot;
    PerContact depth;  ///< δ per contact, negative where there is a gap
};

// φᵀ of the only contact: in one piece, which vectors of the processor like.
Eigen::Map<const Eigen::ArrayXd> only_shape(const ImpactModes& body) {
    return {body.shapes.data(), body.shapes.cols()};
}

void find_depth(const ElasticImpact& impact, State& state) {
    state.depth = state.closing - state.further.matrix() - state.floor;
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        if (state.depth.size() == 1)
            state.depth[0] -= (only_shape(impact.bodies[b]) * state.q[b]).sum();
        else
            state.depth -= impact.bodies[b].shapes * state.q[b].matrix();
    }
}

State start_of(const ElasticImpact& impact) {
    const long count = std::ssize(impact.contacts);
    State state;
    state.closing.resize(count);
    state.speed.resize(count);
    for (long i = 0; i < count; ++i) {
        state.closing[i] = -impact.contacts[i].gap;
        state.speed[i] = impact.contacts[i].approach;
    }
    state.further = state.spring = PerContactArray::Zero(count);
    state.floor = PerContact::Zero(count);
    for (const ImpactModes& body : impact.bodies) {
        const bool rings = body.q.size() > 0;
        state.q.push_back(rings ? Eigen::ArrayXd(body.q) : Eigen::ArrayXd::Zero(body.omega.size()).eval());
        state.q_dot.push_back(rings ? Eigen::ArrayXd(body.q_dot) : Eigen::ArrayXd::Zero(body.omega.size()).eval());
    }
    find_depth(impact, state);
    return state;
}

// A step on which nothing pushes.
void glide(const ElasticImpact& impact, const StepRule& rule, State& state) {
    state.closing += rule.h * state.speed;
    state.further -= rule.further * state.spring;
    for (long i = 0; i < state.spring.size(); ++i)
        if (impact.contacts[i].corner > 0) state.spring[i] *= rule.decay[i];
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        const ModeSteps& step = rule.modes[b];
        double *const q = state.q[b].data(), *const q_dot = state.q_dot[b].data();
        for (long k = 0; k < state.q[b].size(); ++k) {
            const double at = q[k], speed = q_dot[k];
            q[k] = step.A[k] * at + step.B[k] * speed;
            q_dot[k] = step.D[k] * speed - step.E[k] * at;
        }
    }
    state.time += rule.h;
    find_depth(impact, state);
}

// What constant forces add to the step that has just been made.
void push(const ElasticImpact& impact, const StepRule& rule, const PerContact& force, State& state) {
    const PerContact slowing = impact.inverse_mass * force;
    state.closing -= square(rule.h) / 2 * slowing;
    state.speed -= rule.h * slowing;
    state.further += rule.further * force.array();
    if (impact.floor_mobility.size() > 0) state.floor += rule.h * (impact.floor_mobility * force);
    for (long i = 0; i < force.size(); ++i)
        if (impact.contacts[i].corner > 0) state.spring[i] += force[i] * (1 - rule.decay[i]);
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        const ModeSteps& step = rule.modes[b];
        if (force.size() == 1) {
            state.q[b] += step.C * (only_shape(impact.bodies[b]) * force[0]);
            state.q_dot[b] += step.B * (only_shape(impact.bodies[b]) * force[0]);
            continue;
        }
        const Eigen::ArrayXd given = (impact.bodies[b].shapes.transpose() * force).array();
        state.q[b] += step.C * given;
        state.q_dot[b] += step.B * given;
    }
    state.depth -= rule.compliance * force;
}

/// The forces of a step with their part that is lost.
struct StepForces {
    PerContact force, lost;
};

// δ_{n+1} = δ_free − C F(δ_n, δ_{n+1}): F grows with δ and C is positive, so that there is one solution.
StepForces forces_of(const ElasticImpact& impact, const StepRule& rule, const PerContact& before,
                     const PerContact& free) {
    const long count = before.size();
    StepForces out{PerContact::Zero(count), PerContact::Zero(count)};
    if (before.maxCoeff() <= 0 && free.maxCoeff() <= 0) return out;
    PerContact after = free.cwiseMin(before.cwiseMax(0) + (free - before).cwiseAbs()), slope(count);
    const auto forces_at = [&](const PerContact& depth) {
        for (long i = 0; i < count; ++i) {
            const MeanForce mean = mean_force(impact.contacts[i].stiffness, before[i], depth[i]);
            const double rate = (depth[i] - before[i]) / rule.h;
            const double factor = std::max(0.0, 1 + impact.contacts[i].loss * rate);
            out.force[i] = mean.value * factor;
            out.lost[i] = out.force[i] - mean.value;
            slope[i] = mean.slope * factor + (factor > 0 ? mean.value * impact.contacts[i].loss / rule.h : 0);
        }
    };
    forces_at(after);
    PerContact miss = after - free + rule.compliance * out.force;
    for (int round = 0; round < most_iterations; ++round) {
        PerContact change;
        if (count == 1) {
            change = PerContact::Constant(1, -miss[0] / (1 + rule.compliance(0, 0) * slope[0]));
        } else {
            const Eigen::MatrixXd jacobian =
                Eigen::MatrixXd::Identity(count, count) + rule.compliance * slope.asDiagonal();
            change = -jacobian.partialPivLu().solve(miss);
        }
        const double size = miss.norm();
        const PerContact from = after, forces_before = out.force;
        double part = 1;
        for (;; part /= 2) {
            after = from + part * change;
            forces_at(after);
            miss = after - free + rule.compliance * out.force;
            if (miss.norm() <= size * (1 - 1e-4 * part) || part < 1e-3 || size == 0) break;
        }
        const double scale = std::max(out.force.maxCoeff(), forces_before.maxCoeff());
        if ((out.force - forces_before).cwiseAbs().maxCoeff() <= force_tolerance * scale) break;
    }
    return out;
}

// How fast the depths can grow at most, whatever the phases of the modes.
Eigen::ArrayXd closing_bound(const ElasticImpact& impact, const State& state) {
    Eigen::ArrayXd bound = state.speed.array();
    for (long i = 0; i < bound.size(); ++i) bound[i] += impact.contacts[i].mobility * state.spring[i];
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        const Eigen::ArrayXd omega = impact.bodies[b].omega.array();
        const Eigen::ArrayXd swing = (omega.square() * state.q[b].square() + state.q_dot[b].square()).sqrt();
        bound += (impact.bodies[b].shapes.cwiseAbs() * swing.matrix()).array();
    }
    return bound;
}

// The same impact so much earlier: as rigid bodies fly and modes swing without loss.
State set_back(const ElasticImpact& impact, const State& from, double seconds) {
    State state = from;
    state.time -= seconds;
    state.closing -= seconds * state.speed;
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        const Eigen::ArrayXd omega = impact.bodies[b].omega.array();
        const Eigen::ArrayXd cosine = (omega * seconds).cos(), sine = (omega * seconds).sin();
        state.q[b] = cosine * from.q[b] - sine * from.q_dot[b] / omega;
        state.q_dot[b] = cosine * from.q_dot[b] + omega * sine * from.q[b];
    }
    find_depth(impact, state);
    return state;
}

// A beginning at which no contact stores energy.
State parted_start(const ElasticImpact& impact) {
    constexpr int most_tries = 24;
    const State asked = start_of(impact);
    State state = asked;
    double seconds = 0;
    for (int round = 0; round < most_tries && state.depth.maxCoeff() > 0; ++round) {
        double more = 0;
        for (long i = 0; i < state.depth.size(); ++i)
            if (state.depth[i] > 0) more = std::max(more, state.depth[i] / std::max(state.speed[i], 1e-3));
        seconds += more;
        if (seconds > impact.earlier) break;
        state = set_back(impact, asked, seconds);
    }
    if (state.depth.maxCoeff() <= 0) return state;
    state = asked;
    state.closing -= state.depth.cwiseMax(0);
    find_depth(impact, state);
    return state;
}

// Whether no mode can reach across the gaps any more.
bool has_parted(const ElasticImpact& impact, const State& state) {
    if (state.speed.maxCoeff() > 0) return false;
    Eigen::ArrayXd reach = (state.closing - state.floor).array();
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        const Eigen::ArrayXd omega = impact.bodies[b].omega.array();
        const Eigen::ArrayXd swing = (state.q[b].square() + (state.q_dot[b] / omega).square()).sqrt();
        reach += (impact.bodies[b].shapes.cwiseAbs() * swing.matrix()).array();
    }
    for (long i = 0; i < reach.size(); ++i)
        if (impact.contacts[i].corner == 0) reach[i] -= state.further[i];  // others spring back to nothing
    return reach.maxCoeff() <= 0;
}

/// What is asked of a state after a step.
struct Place {
    double time = 0;
    PerContact closing, floor, depth;
    PerContactArray further;
};

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

void record(const Place& before, const State& after, const PerContact& force,
            const std::vector<ElasticContact>& contacts, std::vector<OpenPulse>& open,
            std::vector<std::vector<ForcePulse>>& pulses) {
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
        const double deepest = std::max({a, b, 0.0});
        pulse.peak = std::max({pulse.peak, contacts[i].stiffness * deepest * std::sqrt(deepest)});
        if (b <= 0) close_pulse(open[i], before.time + crossing(a, b) * h, pulses[i]);
    }
}

// ½ vᵀ M v of the change: the forces' work on the bodies as rigid ones.
double rigid_work(const Place& before, const State& after, const PerContact& force) {
    return -force.dot(after.closing - before.closing);
}

double modal_energy(const ImpactModes& body, const Eigen::ArrayXd& q, const Eigen::ArrayXd& q_dot) {
    return 0.5 * (q_dot.square() + body.omega.array().square() * q.square()).sum();
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

}  // namespace

ElasticResult follow(const ElasticImpact& impact) {
    check(impact);
    const long count = std::ssize(impact.contacts);
    double h = shortest_contact_time(impact) / impact.steps_per_contact;
    // Forces are constant over a step, and ring with its frequency: that must lie above all modes.
    for (const ImpactModes& body : impact.bodies)
        if (body.omega.size() > 0) h = std::min(h, pi / 2 / body.omega.maxCoeff());
    const StepRule fine = step_rule(impact, h);
    State state = parted_start(impact);
    const State first = state;
    ElasticResult result;
    result.pulses.resize(count);
    result.impulses = Eigen::VectorXd::Zero(count);
    std::vector<OpenPulse> open(count);
    // Rules for 2, 4, 8 … steps, made when they are first asked for.
    std::vector<StepRule> longer;
    const auto longest_within = [&](double time) -> const StepRule& {
        const int doublings = std::max(1, std::ilogb(time / h));
        while (std::ssize(longer) < doublings)
            longer.push_back(free_rule(impact, 2 * (longer.empty() ? h : longer.back().h)));
        return longer[doublings - 1];
    };
    Place before;
    for (long step = 0; step < most_steps && (state.time < impact.longest || state.depth.maxCoeff() > 0); ++step) {
        if (state.depth.maxCoeff() <= 0) {
            const Eigen::ArrayXd bound = closing_bound(impact, state);
            result.has_parted = bound.maxCoeff() <= 0 || has_parted(impact, state);
            if (result.has_parted) break;
            // Nothing can close within this time.
            double wait = impact.longest - state.time;
            for (long i = 0; i < count; ++i)
                if (bound[i] > 0) wait = std::min(wait, -state.depth[i] / bound[i]);
            if (wait > 2 * h) {
                glide(impact, longest_within(wait), state);
                continue;
            }
        }
        before = {state.time, state.closing, state.floor, state.depth, state.further};
        glide(impact, fine, state);
        const StepForces forces = forces_of(impact, fine, before.depth, state.depth);
        if (forces.force.maxCoeff() > 0) {
            push(impact, fine, forces.force, state);
            result.impulses += h * forces.force;
            result.rigid_change += rigid_work(before, state, forces.force);
            result.contact_loss += forces.lost.dot(state.depth - before.depth);
            result.further_energy += forces.force.dot((state.further - before.further).matrix());
            result.floor_energy += forces.force.dot(state.floor - before.floor);
        }
        record(before, state, forces.force, impact.contacts, open, result.pulses);
    }
    for (long i = 0; i < count; ++i)
        if (open[i].is_open) close_pulse(open[i], state.time, result.pulses[i]);
    result.separation = -state.speed;
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        result.q.push_back(state.q[b].matrix());
        result.q_dot.push_back(state.q_dot[b].matrix());
        result.modal_energy.push_back(modal_energy(impact.bodies[b], state.q[b], state.q_dot[b]) -
                                      modal_energy(impact.bodies[b], first.q[b], first.q_dot[b]));
    }
    result.duration = state.time;
    return result;
}

}  // namespace clangor
