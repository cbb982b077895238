#include <clangor/motion/contact/swinging_modes.hpp>

#include <array>
#include <cmath>
#include <cstring>

namespace clangor {
namespace {

// Two registers of the widest kind: sums are always taken over as many lanes, so that every machine gets the same bits.
constexpr long lanes = 16;
typedef double Eight __attribute__((vector_size(64)));

// Σ a b over a multiple of `lanes`.
double dot(const Eigen::ArrayXd& a, const Eigen::ArrayXd& b) {
    Eight even{}, odd{};
    for (long k = 0; k < a.size(); k += lanes) {
        Eight x, y;
        std::memcpy(&x, a.data() + k, sizeof x);
        std::memcpy(&y, b.data() + k, sizeof y);
        even += x * y;
        std::memcpy(&x, a.data() + k + 8, sizeof x);
        std::memcpy(&y, b.data() + k + 8, sizeof y);
        odd += x * y;
    }
    even += odd;
    return ((even[0] + even[4]) + (even[2] + even[6])) + ((even[1] + even[5]) + (even[3] + even[7]));
}

// sin x and cos x for 0 ≤ x ≤ π/4 by their series, whose next terms are below 3e-17.
struct SineCosine {
    double sine, cosine;
};
inline SineCosine series(double x) {
    const double y = x * x;
    double sine = 1.0 / 355687428096000, cosine = 1.0 / 20922789888000;
    sine = sine * y - 1.0 / 1307674368000, cosine = cosine * y - 1.0 / 87178291200;
    sine = sine * y + 1.0 / 6227020800, cosine = cosine * y + 1.0 / 479001600;
    sine = sine * y - 1.0 / 39916800, cosine = cosine * y - 1.0 / 3628800;
    sine = sine * y + 1.0 / 362880, cosine = cosine * y + 1.0 / 40320;
    sine = sine * y - 1.0 / 5040, cosine = cosine * y - 1.0 / 720;
    sine = sine * y + 1.0 / 120, cosine = cosine * y + 1.0 / 24;
    sine = sine * y - 1.0 / 6, cosine = cosine * y - 0.5;
    return {x + x * (sine * y), 1 + cosine * y};
}

// q̇ of a mode.
Eigen::ArrayXd speeds(const SwingingModes& modes) {
    return modes.damped / modes.omega * (modes.w - modes.lag * modes.p);
}

std::vector<Eigen::VectorXd> by_body(const SwingingModes& modes, const Eigen::ArrayXd& all) {
    std::vector<Eigen::VectorXd> parts;
    for (std::size_t b = 0; b + 1 < modes.first_of.size(); ++b)
        parts.emplace_back(all.segment(modes.first_of[b], modes.first_of[b + 1] - modes.first_of[b]));
    return parts;
}

}  // namespace

SwingingModes swinging(const ElasticImpact& impact) {
    SwingingModes modes;
    modes.first_of = {0};
    for (const ImpactModes& body : impact.bodies) modes.first_of.push_back(modes.first_of.back() + body.omega.size());
    const long count = (modes.first_of.back() + lanes - 1) / lanes * lanes;
    modes.omega = modes.damped = Eigen::ArrayXd::Ones(count);
    modes.lag = modes.p = modes.w = Eigen::ArrayXd::Zero(count);
    modes.reach.assign(impact.contacts.size(), modes.p);
    for (std::size_t b = 0; b < impact.bodies.size(); ++b) {
        const ImpactModes& body = impact.bodies[b];
        const auto own = Eigen::seqN(modes.first_of[b], body.omega.size());
        modes.omega(own) = body.omega.array();
        if (!body.xi.isZero(0)) {
            modes.is_damped = true;
            const Eigen::ArrayXd free = (1 - body.xi.array().square()).sqrt();
            modes.damped(own) = body.omega.array() * free;
            modes.lag(own) = body.xi.array() / free;
        } else {
            modes.damped(own) = body.omega.array();
        }
        for (std::size_t i = 0; i < modes.reach.size(); ++i)
            modes.reach[i](own) = body.shapes.row(long(i)).transpose().array() / body.omega.array();
        if (body.q.size() == 0) continue;
        modes.p(own) = body.omega.array() * body.q.array();
        modes.w(own) = modes.omega(own) / modes.damped(own) * body.q_dot.array() + modes.lag(own) * modes.p(own);
    }
    return modes;
}

Turns turns(const SwingingModes& modes, double h) {
    const long count = modes.omega.size();
    Turns out{.h = h, .doubled = {{Eigen::ArrayXd(count), Eigen::ArrayXd(count)}}};
    out.given_to_p.resize(count);
    out.given_to_w.resize(count);
    Eigen::ArrayXd left = Eigen::ArrayXd::Ones(count), lost = Eigen::ArrayXd::Zero(count);
    if (modes.is_damped)
        for (long k = 0; k < count; ++k) {
            const double exponent = -modes.lag[k] * modes.damped[k] * h;
            left[k] = std::exp(exponent);
            lost[k] = -std::expm1(exponent);
        }
    const double *const damped = modes.damped.data(), *const lag = modes.lag.data();
    const double *const kept = left.data(), *const gone = lost.data();
    double *const c = out.doubled[0].cosine.data(), *const s = out.doubled[0].sine.data();
    double *const to_p = out.given_to_p.data(), *const to_w = out.given_to_w.data();
#pragma omp simd
    for (long k = 0; k < count; ++k) {
        const SineCosine half = series(damped[k] * h / 2);
        const double turned = kept[k] * (2 * half.sine * half.cosine);
        const double rest = gone[k] + kept[k] * (2 * half.sine * half.sine);
        c[k] = 1 - rest;
        s[k] = turned;
        // (1 − E) of where the force would hold the mode at rest
        to_p[k] = rest - lag[k] * turned;
        to_w[k] = turned + lag[k] * rest;
    }
    return out;
}

void swing(SwingingModes& modes, Turns& turns, int doublings) {
    while (std::ssize(turns.doubled) <= doublings) {
        const Turns::Turn& half = turns.doubled.back();
        turns.doubled.push_back({half.cosine.square() - half.sine.square(), 2 * half.cosine * half.sine});
    }
    const Turns::Turn& turn = turns.doubled[std::size_t(doublings)];
    const double *const c = turn.cosine.data(), *const s = turn.sine.data();
    double *const p = modes.p.data(), *const w = modes.w.data();
#pragma omp simd
    for (long k = 0; k < modes.p.size(); ++k) {
        const double at = p[k], speed = w[k];
        p[k] = c[k] * at + s[k] * speed;
        w[k] = c[k] * speed - s[k] * at;
    }
}

void push(SwingingModes& modes, const Turns& turns, const double* forces) {
    const double *const to_p = turns.given_to_p.data(), *const to_w = turns.given_to_w.data();
    double *const p = modes.p.data(), *const w = modes.w.data();
    for (std::size_t i = 0; i < modes.reach.size(); ++i) {
        if (forces[i] == 0) continue;
        const double *const reach = modes.reach[i].data(), force = forces[i];
#pragma omp simd
        for (long k = 0; k < modes.p.size(); ++k) {
            const double given = reach[k] * force;
            p[k] += to_p[k] * given;
            w[k] += to_w[k] * given;
        }
    }
}

double moved(const SwingingModes& modes, std::size_t contact) { return dot(modes.reach[contact], modes.p); }

double compliance(const SwingingModes& modes, const Turns& turns, std::size_t first, std::size_t second) {
    return dot(modes.reach[first] * modes.reach[second], turns.given_to_p);
}

SwingLimits swing_limits(const SwingingModes& modes, std::size_t contact) {
    const Eigen::ArrayXd swing = (modes.p.square() + (modes.is_damped ? speeds(modes) : modes.w).square()).sqrt();
    const Eigen::ArrayXd reach = modes.reach[contact].abs();
    return {.distance = dot(reach, swing), .speed = dot(reach * modes.omega, swing)};
}

SwingingModes set_back(const SwingingModes& modes, double seconds) {
    SwingingModes out = modes;
    const Eigen::ArrayXd cosine = (modes.omega * seconds).cos(), sine = (modes.omega * seconds).sin();
    const Eigen::ArrayXd speed = speeds(modes);
    out.p = cosine * modes.p - sine * speed;
    out.w = modes.omega / modes.damped * (cosine * speed + sine * modes.p) + modes.lag * out.p;
    return out;
}

std::vector<Eigen::VectorXd> coordinates(const SwingingModes& modes) { return by_body(modes, modes.p / modes.omega); }

std::vector<Eigen::VectorXd> velocities(const SwingingModes& modes) { return by_body(modes, speeds(modes)); }

std::vector<double> energies(const SwingingModes& modes) {
    std::vector<double> sums;
    for (const Eigen::VectorXd& part : by_body(modes, modes.p.square() + speeds(modes).square()))
        sums.push_back(0.5 * part.sum());
    return sums;
}

}  // namespace clangor
