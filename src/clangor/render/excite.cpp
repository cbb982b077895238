// From impacts and touches to what drives and damps the modes of each body.
#include <clangor/render/excite.hpp>

#include <clangor/motion/contact/contact.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace clangor {
namespace {

// Longer than this a contact no longer rings anything; shorter than this it is an impulse to everything audible.
constexpr double shortest_contact = 1e-6, longest_contact = 0.05;

// Slower than this two surfaces rest: what is left is the solver's jitter.
constexpr double resting_speed = 2e-3;

// Two bodies where they touch. A side without a body (an imported impact from nowhere) is fixed.
struct LocalContact {
    std::array<ContactPoint, 2> at;
    HertzContact hertz;
};

LocalContact local_contact(const std::array<ContactSide, 2>& sides, const std::vector<ContactBody>& bodies) {
    LocalContact contact;
    double size = std::numeric_limits<double>::infinity(), compliance = 0;
    std::array<double, 2> curvature{};
    for (size_t s = 0; s < 2; ++s) {
        if (sides[s].body < 0) continue;
        const Body& body = *bodies[sides[s].body].body;
        if (body.finder) {
            contact.at[s] = (*body.finder)(sides[s].point);
            curvature[s] = contact.at[s].curvature;
        }
        size = std::min(size, body.radius);
        compliance += contact_compliance(body.material);
        const double density = body.material.density, mass = body.mass.volume * density;
        if (bodies[sides[s].body].is_movable && mass > 0)
            contact.hertz.inverse_mass += inverse_effective_mass(mass, body.mass.inertia * density,
                                                                 sides[s].point - body.mass.centre, sides[s].normal);
    }
    contact.hertz.curvature = contact_curvature(curvature[0], curvature[1], size);
    contact.hertz.modulus = 1 / compliance;
    return contact;
}

double contact_time(const HertzContact& hertz, double speed) {
    if (!(hertz.inverse_mass > 0) || !(speed > 0)) return 2e-4;  // nothing gives way: as a hard mallet
    return std::clamp(hertz_time(hertz, speed), shortest_contact, longest_contact);
}

const ModalMobility* mobility_of(const ContactSide& side, const std::vector<ContactBody>& bodies) {
    return side.body < 0 ? nullptr : bodies[side.body].mobility;
}

// What an impulse leaves in the modes: Σ ½ q̇², with q̇ = uᵀJ times the pulse's spectrum [J].
double modal_energy(const ModalImpulse& impulse, const ModalMobility& mobility) {
    double energy = 0;
    for (long k = 0; k < impulse.impulse.size(); ++k)
        energy += 0.5 * square(impulse.impulse[k] *
                               pulse_spectrum(impulse.shape, mobility.omega[k] * impulse.duration / (2 * pi)));
    return energy;
}

// A rigid body's impulse, given to a thin plate within a Hertz pulse, would make it ring with more energy than the
// impact had: the real plate gives way, and touches several times more softly. The modes get no more than what was
// lost (docs/theory/contact.md, section 5).
void limit_energy(std::array<ModalImpulse, 2>& impulses, const std::array<const ModalMobility*, 2>& mobilities,
                  double available) {
    double energy = 0;
    for (size_t s = 0; s < 2; ++s)
        if (mobilities[s]) energy += modal_energy(impulses[s], *mobilities[s]);
    if (!(available > 0) || energy <= available) return;
    for (size_t s = 0; s < 2; ++s)
        if (mobilities[s]) impulses[s].impulse *= std::sqrt(available / energy);
}

// The impacts [begin, end).
void add_impacts(const Motion& motion, const std::vector<ContactBody>& bodies, long begin, long end,
                 std::vector<Excitation>& excitations) {
    std::vector<std::array<ModalImpulse, 2>> impulses(static_cast<size_t>(end - begin));
    std::vector<double> durations(static_cast<size_t>(end - begin));
    parallel_for(end - begin, [&](long i) {
        const Impact& impact = motion.impacts[begin + i];
        const LocalContact contact = local_contact(impact.sides, bodies);
        const double tau = durations[i] = contact_time(contact.hertz, impact.approach_speed);
        const std::array mobilities = {mobility_of(impact.sides[0], bodies), mobility_of(impact.sides[1], bodies)};
        for (size_t s = 0; s < 2; ++s)
            if (mobilities[s])
                impulses[i][s] = {impact.time, tau, PulseShape::Hertz,
                                  mobilities[s]->modal_impulse(contact.at[s], impact.sides[s].impulse)};
        const double pushed = std::abs(impact.sides[0].impulse.dot(impact.sides[0].normal));
        limit_energy(impulses[i], mobilities, impact_energy(pushed, impact.approach_speed, contact.hertz.inverse_mass));
    });
    for (long i = begin; i < end; ++i)
        for (size_t s = 0; s < 2; ++s) {
            const ContactSide& side = motion.impacts[i].sides[s];
            if (mobility_of(side, bodies)) excitations[side.body].impulses.push_back(std::move(impulses[i - begin][s]));
            if (side.body >= 0 && bodies[side.body].hears_pulses)
                excitations[side.body].pulses.push_back(
                    {motion.impacts[i].time, durations[i - begin], PulseShape::Hertz, side.point, side.impulse});
        }
}

// What the roughness of one touch does: all at one place, so that one projection serves.
void add_roughness(const Touch& touch, const LocalContact& contact, const std::vector<ContactBody>& bodies,
                   const std::vector<Asperity>& asperities, std::vector<Excitation>& excitations) {
    const std::array mobilities = {mobility_of(touch.sides[0], bodies), mobility_of(touch.sides[1], bodies)};
    if (asperities.empty()) return;
    std::array<Eigen::VectorXd, 2> inward;
    for (size_t s = 0; s < 2; ++s)
        if (mobilities[s]) inward[s] = mobilities[s]->modal_impulse(contact.at[s], -touch.sides[s].normal);
    HertzContact bump = contact.hertz;
    bump.curvature = std::max(bump.curvature, asperity_curvature);
    for (const Asperity& asperity : asperities) {
        const double tau = contact_time(bump, asperity.speed);
        std::array<ModalImpulse, 2> impulses;
        for (size_t s = 0; s < 2; ++s)
            if (mobilities[s]) impulses[s] = {asperity.time, tau, PulseShape::Hertz, inward[s] * asperity.impulse};
        limit_energy(impulses, mobilities, impact_energy(asperity.impulse, asperity.speed, contact.hertz.inverse_mass));
        for (size_t s = 0; s < 2; ++s) {
            const ContactSide& side = touch.sides[s];
            if (mobilities[s]) excitations[side.body].impulses.push_back(std::move(impulses[s]));
            if (side.body >= 0 && bodies[side.body].hears_pulses)
                excitations[side.body].pulses.push_back(
                    {asperity.time, tau, PulseShape::Hertz, side.point, -side.normal * asperity.impulse});
        }
    }
}

// Damping in bins of whole blocks of samples.
struct Bins {
    static constexpr long samples = 8L * Resonators::block_samples;
    double seconds = 0;
    std::vector<Eigen::VectorXd> extra = {};  // ξ added, one per bin; empty vectors where nothing touches
};

void add_damping(const Touch& touch, const LocalContact& contact, size_t s, const ModalMobility& mobility,
                 double factor, Bins& bins) {
    const double force = std::abs(touch.sides[s].impulse.dot(touch.sides[s].normal)) / touch.duration;
    const Eigen::VectorXd phi = mobility.modal_impulse(contact.at[s], touch.sides[s].normal);
    const double stiffness = hertz_stiffness(contact.hertz, force);
    Eigen::VectorXd xi(phi.size());
    for (long k = 0; k < xi.size(); ++k)
        xi[k] = factor * contact_decay_rate(stiffness, phi[k], mobility.omega[k]) / mobility.omega[k];
    const long last = long(bins.extra.size()) - 1;
    const long from = std::clamp(long(touch.time / bins.seconds), 0L, last);
    const long to = std::clamp(long((touch.time + touch.duration) / bins.seconds), 0L, last);
    for (long b = from; b <= to; ++b) {
        const double overlap = std::min(touch.time + touch.duration, double(b + 1) * bins.seconds) -
                               std::max(touch.time, double(b) * bins.seconds);
        Eigen::VectorXd& bin = bins.extra[b];
        if (bin.size() == 0) bin = Eigen::VectorXd::Zero(xi.size());
        bin += xi * std::max(0.0, overlap / bins.seconds);
    }
}

// A knot where the damping has changed by more than a fifth of itself in any mode; the solver's flicker from bin to bin
// makes none.
std::vector<DampingKnot> knots_of(const Bins& bins, const ModalMobility& mobility) {
    std::vector<DampingKnot> knots;
    Eigen::VectorXd last = Eigen::VectorXd::Zero(mobility.omega.size());
    for (size_t b = 0; b < bins.extra.size(); ++b) {
        Eigen::VectorXd now = Eigen::VectorXd::Zero(mobility.omega.size());
        for (size_t near = b == 0 ? 0 : b - 1; near <= std::min(b + 1, bins.extra.size() - 1); ++near)
            if (bins.extra[near].size() > 0) now = now.cwiseMax(bins.extra[near]);
        if (((now - last).array().abs() <= 0.2 * last.array() + 1e-6).all()) continue;
        knots.push_back({long(b) * Bins::samples, now});
        last = now;
    }
    return knots;
}

// By who touches and when, so that a touch sounds the same whatever else happens.
std::uint64_t seed_of(const Touch& touch, std::uint64_t seed) {
    for (const std::uint64_t part : {std::bit_cast<std::uint64_t>(touch.time), std::uint64_t(touch.sides[0].body + 1),
                                     std::uint64_t(touch.sides[1].body + 1)})
        seed = (seed ^ part) * 0x9e3779b97f4a7c15u + (seed >> 32);
    return seed;
}

void add_touches(const Motion& motion, const std::vector<ContactBody>& bodies, const ExciteOptions& options,
                 std::vector<Excitation>& excitations) {
    const double bin_seconds = double(Bins::samples) / options.sample_rate;
    const size_t bin_count = size_t(options.duration / bin_seconds) + 1;
    std::map<int, Bins> bins;
    for (const Touch& touch : motion.touches) {
        const auto sounds = [&](const ContactSide& side) {
            return side.body >= 0 && (bodies[side.body].mobility || bodies[side.body].hears_pulses);
        };
        if (!sounds(touch.sides[0]) && !sounds(touch.sides[1])) continue;
        const LocalContact contact = local_contact(touch.sides, bodies);
        const double speed = std::max(touch.slip_speed, rolling_share(contact.hertz.curvature) * touch.travel_speed);
        std::vector<Asperity> met;
        if (speed > resting_speed)
            met = asperities({.time = touch.time,
                              .duration = touch.duration,
                              .travel_speed = speed,
                              .normal_impulse = std::abs(touch.sides[0].impulse.dot(touch.sides[0].normal)),
                              .inverse_mass = contact.hertz.inverse_mass,
                              .roughness = options.roughness},
                             seed_of(touch, options.seed));
        const std::array mobilities = {mobility_of(touch.sides[0], bodies), mobility_of(touch.sides[1], bodies)};
        add_roughness(touch, contact, bodies, met, excitations);
        for (size_t s = 0; s < 2; ++s) {
            if (!mobilities[s] || !(options.contact_damping > 0) || !(touch.duration > 0)) continue;
            const int body = touch.sides[s].body;
            Bins& own = bins[body];
            if (own.extra.empty()) own = {bin_seconds, std::vector<Eigen::VectorXd>(bin_count)};
            add_damping(touch, contact, s, *mobilities[s], options.contact_damping, own);
        }
    }
    for (const auto& [body, own] : bins) excitations[body].damping = knots_of(own, *bodies[body].mobility);
}

}  // namespace

ContactBody contact_body(const SoundingObject& object) {
    return {.body = object.body.get(),
            .mobility = object.mobility ? &*object.mobility : nullptr,
            .is_movable = object.is_movable,
            .hears_pulses = object.hears_pulses};
}

std::vector<Excitation> excite(const Motion& motion, const std::vector<ContactBody>& bodies,
                               const ExciteOptions& options, std::vector<std::string>& warnings) {
    // So many at a time, and dense ones merged in between: a million impulses in one step would not fit into memory.
    constexpr long batch = 50'000;
    std::vector<Excitation> excitations(bodies.size());
    long merged = 0;
    const auto merge = [&] {
        for (Excitation& excitation : excitations) merged += merge_dense(excitation.impulses, options.sample_rate);
    };
    const long impacts = long(motion.impacts.size());
    for (long begin = 0; begin < impacts; begin += batch) {
        add_impacts(motion, bodies, begin, std::min(begin + batch, impacts), excitations);
        merge();
    }
    add_touches(motion, bodies, options, excitations);
    merge();
    for (Excitation& excitation : excitations) std::ranges::stable_sort(excitation.pulses, {}, &ContactPulse::start);
    if (merged > 0)
        warnings.push_back(fmt::format(
            "{} impacts came so densely (over 256 in {} samples on one object) that they were put together with their "
            "neighbours",
            merged, int(Resonators::block_samples)));
    return excitations;
}

long merge_dense(std::vector<ModalImpulse>& impulses, double sample_rate) {
    constexpr long dense = 256;
    const auto block_of = [&](const ModalImpulse& impulse) {
        return long(std::floor(impulse.start * sample_rate / Resonators::block_samples));
    };
    std::map<long, long> counts;
    for (const ModalImpulse& impulse : impulses) ++counts[block_of(impulse)];
    std::map<std::tuple<long, long, PulseShape>, size_t> places;  // start in eighths of a sample, length in tenths
    std::vector<ModalImpulse> kept;
    for (ModalImpulse& impulse : impulses) {
        if (counts[block_of(impulse)] <= dense) {
            kept.push_back(std::move(impulse));
            continue;
        }
        const long start = std::lround(impulse.start * sample_rate * 8);
        const long length = impulse.duration > 0 ? std::lround(10 * std::log(impulse.duration)) : -1'000'000;
        const auto [place, is_new] = places.try_emplace({start, length, impulse.shape}, kept.size());
        if (is_new)
            kept.push_back(std::move(impulse));
        else
            kept[place->second].impulse += impulse.impulse;
    }
    const long merged = long(impulses.size() - kept.size());
    impulses = std::move(kept);
    return merged;
}

}  // namespace clangor
