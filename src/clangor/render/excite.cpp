// From impacts and touches to what drives and damps the modes of each body.
#include <clangor/render/excite.hpp>

#include <clangor/motion/contact/contact.hpp>
#include <clangor/render/followed_impacts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace clangor {
namespace {

// Slower than this two surfaces rest: what is left is the solver's jitter.
constexpr double resting_speed = 2e-3;

// How the bodies go on where this one moves otherwise than its modes by themselves. What is given stays as it is.
std::shared_ptr<const GivingWay> giving_way(const Impact& impact, size_t s, const FollowedImpact& followed,
                                            const ForcePulse& pulse, const Eigen::VectorXd& rubbed, double total) {
    const HertzContact& hertz = followed.hertz;
    if (impact.is_given || pulse.history.forces.empty() || !(hertz.modulus > 0)) return {};
    const double energy = 0.5 * square(impact.approach_speed) / hertz.inverse_mass;
    const Eigen::VectorXd& shape = followed.moved[s];
    return std::make_shared<const GivingWay>(
        GivingWay{.stiffness = hertz_law(hertz),
                  .inverse_mass = hertz.inverse_mass,
                  .energy = energy * pulse.impulse / total,
                  .force = pulse.history,
                  .shape = shape,
                  .drive = rubbed.size() > 0 ? Eigen::VectorXd(shape + rubbed / total) : shape});
}

// What drives one side of an impact: its modes along the normal as they were followed, and along the surface with the
// same pulses; its accelerations with the impulse of the motion.
void add_side(const Impact& impact, size_t s, const FollowedImpact& followed, const std::vector<ContactBody>& bodies,
              std::vector<Excitation>& excitations) {
    const ContactSide& side = impact.sides[s];
    if (side.body < 0) return;
    const ModalMobility* const mobility = mobility_of(side, bodies);
    double total = 0;
    for (const ForcePulse& pulse : followed.pulses) total += pulse.impulse;
    if (!(total > 0)) return;
    const double given = std::abs(side.impulse.dot(side.normal));
    const double scale = impact.is_given || !followed.is_followed ? given / total : 1;
    Eigen::VectorXd rubbed;  // empty: not at all
    if (const Vec3 tangential = side.impulse - side.impulse.dot(side.normal) * side.normal;
        mobility && !tangential.isZero(0)) {
        const ContactPoint at = (*bodies[side.body].body->finder)(side.point);
        rubbed = mobility->modal_impulse(at, tangential);
    }
    for (const ForcePulse& pulse : followed.pulses) {
        const double start = shaped_start(pulse), duration = shaped_duration(pulse), share = pulse.impulse / total;
        if (mobility) {
            ModalImpulse& impulse = excitations[side.body].impulses.emplace_back(
                ModalImpulse{start, duration, PulseShape::Hertz, scale * pulse.impulse * followed.shapes[s],
                             giving_way(impact, s, followed, pulse, rubbed, total)});
            if (rubbed.size() > 0) impulse.impulse += share * rubbed;
        }
        if (bodies[side.body].hears_pulses)
            excitations[side.body].pulses.push_back(
                {start, duration, PulseShape::Hertz, side.point, share * side.impulse});
    }
}

void add_impacts(std::span<const Impact> impacts, const std::vector<ContactBody>& bodies, const ExciteOptions& options,
                 RingingBodies& ringing, std::vector<Excitation>& excitations, long& cut) {
    const std::vector<FollowedImpact> all = followed(impacts, bodies, options, ringing, cut);
    for (size_t i = 0; i < impacts.size(); ++i)
        for (size_t s = 0; s < 2; ++s) add_side(impacts[i], s, all[i], bodies, excitations);
}

/// A touch with the bumps that it meets, all at one place, so that one that is followed serves for all of them.
struct RoughTouch {
    LocalContact contact = {};
    std::vector<Asperity> bumps = {};
    FollowedImpact bump = {};
    double typical_speed = 0;  ///< of the one that was followed [m/s]
};

void add_roughness(const Touch& touch, const RoughTouch& rough, const std::vector<ContactBody>& bodies,
                   std::vector<Excitation>& excitations) {
    if (rough.bump.pulses.empty()) return;
    const double lasting = shaped_duration(rough.bump.pulses.front());
    for (const Asperity& bump : rough.bumps) {
        const double tau = rough.bump.is_followed ? lasting * std::pow(rough.typical_speed / bump.speed, 0.2) : lasting;
        for (size_t s = 0; s < 2; ++s) {
            const ContactSide& side = touch.sides[s];
            if (mobility_of(side, bodies))
                excitations[side.body].impulses.push_back(
                    {bump.time, tau, PulseShape::Hertz, rough.bump.shapes[s] * bump.impulse});
            if (side.body >= 0 && bodies[side.body].hears_pulses)
                excitations[side.body].pulses.push_back(
                    {bump.time, tau, PulseShape::Hertz, side.point, -side.normal * bump.impulse});
        }
    }
}

/// What rests on a body, per mode.
struct Resting {
    Eigen::VectorXd xi = {};     ///< added
    Eigen::VectorXcd load = {};  ///< masses of grains times φ²
};

// In bins of whole blocks of samples.
struct Bins {
    static constexpr long samples = 8L * Resonators::block_samples;
    double seconds = 0;
    std::vector<Resting> extra = {};  // one per bin; empty vectors where nothing touches
};

// A grain moves along with what it lies on, and so do those behind it, as many as press it there; anything else stays
// where it is.
Resting resting(const Touch& touch, const LocalContact& contact, size_t s, const ModalMobility& mobility,
                const std::vector<ContactBody>& bodies, const ExciteOptions& options) {
    const double force = std::abs(touch.sides[s].impulse.dot(touch.sides[s].normal)) / touch.duration;
    const Eigen::VectorXd phi = mobility.modal_impulse(contact.at[s], touch.sides[s].normal);
    const double stiffness = hertz_stiffness(contact.hertz, force);
    Resting resting{Eigen::VectorXd::Zero(phi.size()), Eigen::VectorXcd::Zero(phi.size())};
    const int other = touch.sides[1 - s].body;
    if (other >= 0 && bodies[other].is_one_of_many) {
        const Body& grain = *bodies[other].body;
        GrainColumn column{.stiffness = stiffness, .mass = grain.mass.volume * grain.material.density};
        if (options.gravity > 0) column.count = std::max(1.0, force / (column.mass * options.gravity));
        if (!(stiffness > 0)) return resting;
        for (long k = 0; k < phi.size(); ++k)
            resting.load[k] = options.contact_damping * mode_load(added_mass(column, mobility.omega[k]), phi[k]);
    } else {
        for (long k = 0; k < phi.size(); ++k)
            resting.xi[k] =
                options.contact_damping * contact_decay_rate(stiffness, phi[k], mobility.omega[k]) / mobility.omega[k];
    }
    return resting;
}

void add_resting(const Touch& touch, const Resting& own, Bins& bins) {
    const long last = long(bins.extra.size()) - 1;
    const long from = std::clamp(long(touch.time / bins.seconds), 0L, last);
    const long to = std::clamp(long((touch.time + touch.duration) / bins.seconds), 0L, last);
    for (long b = from; b <= to; ++b) {
        const double overlap = std::min(touch.time + touch.duration, double(b + 1) * bins.seconds) -
                               std::max(touch.time, double(b) * bins.seconds);
        const double part = std::max(0.0, overlap / bins.seconds);
        Resting& bin = bins.extra[b];
        if (bin.xi.size() == 0) bin = {Eigen::VectorXd::Zero(own.xi.size()), Eigen::VectorXcd::Zero(own.load.size())};
        bin.xi += part * own.xi;
        bin.load += part * own.load;
    }
}

// A knot where the damping has changed by more than a fifth of itself in any mode, or its pitch by a twentieth of a
// semitone; the solver's flicker from bin to bin makes none.
std::vector<DampingKnot> knots_of(const Bins& bins, const ModalMobility& mobility) {
    constexpr double pitch_step = 3e-3;
    std::vector<DampingKnot> knots;
    const long modes = mobility.omega.size();
    Eigen::VectorXd last = Eigen::VectorXd::Zero(modes), last_pitch = Eigen::VectorXd::Ones(modes);
    for (size_t b = 0; b < bins.extra.size(); ++b) {
        Resting now{Eigen::VectorXd::Zero(modes), Eigen::VectorXcd::Zero(modes)};
        for (size_t near = b == 0 ? 0 : b - 1; near <= std::min(b + 1, bins.extra.size() - 1); ++near) {
            if (bins.extra[near].xi.size() == 0) continue;
            now.xi = now.xi.cwiseMax(bins.extra[near].xi);
            for (long k = 0; k < modes; ++k)
                if (std::norm(bins.extra[near].load[k]) > std::norm(now.load[k]))
                    now.load[k] = bins.extra[near].load[k];
        }
        DampingKnot knot{long(b) * Bins::samples, now.xi, Eigen::VectorXd::Ones(modes)};
        for (long k = 0; k < modes; ++k) {
            const LoadedMode loaded = loaded_mode(now.load[k]);
            knot.xi[k] += loaded.xi;
            knot.pitch[k] = loaded.omega;
        }
        if (((knot.xi - last).array().abs() <= 0.2 * last.array() + 1e-6).all() &&
            ((knot.pitch - last_pitch).array().abs() <= pitch_step).all())
            continue;
        last = knot.xi;
        last_pitch = knot.pitch;
        if ((knot.pitch.array() == 1).all()) knot.pitch.resize(0);
        knots.push_back(std::move(knot));
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

bool sounds(const ContactSide& side, const std::vector<ContactBody>& bodies) {
    return side.body >= 0 && (bodies[side.body].mobility || bodies[side.body].hears_pulses);
}

RoughTouch rough_touch(const Touch& touch, const std::vector<ContactBody>& bodies, const ExciteOptions& options) {
    RoughTouch rough{.contact = local_contact(touch.sides, bodies)};
    const HertzContact& hertz = rough.contact.hertz;
    const double speed = std::max(touch.slip_speed, rolling_share(hertz.curvature) * touch.travel_speed);
    if (!(speed > resting_speed)) return rough;
    rough.bumps = asperities({.time = touch.time,
                              .duration = touch.duration,
                              .travel_speed = speed,
                              .normal_impulse = std::abs(touch.sides[0].impulse.dot(touch.sides[0].normal)),
                              .inverse_mass = hertz.inverse_mass,
                              .roughness = options.roughness},
                             seed_of(touch, options.seed));
    if (rough.bumps.empty()) return rough;
    for (const Asperity& bump : rough.bumps) rough.typical_speed += bump.speed / double(rough.bumps.size());
    LocalContact at_bump = rough.contact;
    at_bump.hertz.curvature = std::max(hertz.curvature, asperity_curvature);
    rough.bump = followed(touch.sides, at_bump, rough.typical_speed, bodies, options);
    return rough;
}

void add_touches(const Motion& motion, const std::vector<ContactBody>& bodies, const ExciteOptions& options,
                 std::vector<Excitation>& excitations) {
    constexpr long batch = 4096;
    const double bin_seconds = double(Bins::samples) / options.sample_rate;
    const size_t bin_count = size_t(options.duration / bin_seconds) + 1;
    std::map<int, Bins> bins;
    for (long begin = 0; begin < std::ssize(motion.touches); begin += batch) {
        const long count = std::min(batch, std::ssize(motion.touches) - begin);
        std::vector<RoughTouch> rough(static_cast<size_t>(count));
        parallel_for(count, [&](long i) {
            const Touch& touch = motion.touches[begin + i];
            if (sounds(touch.sides[0], bodies) || sounds(touch.sides[1], bodies))
                rough[i] = rough_touch(touch, bodies, options);
        });
        for (long i = 0; i < count; ++i) {
            const Touch& touch = motion.touches[begin + i];
            if (!sounds(touch.sides[0], bodies) && !sounds(touch.sides[1], bodies)) continue;
            add_roughness(touch, rough[i], bodies, excitations);
            for (size_t s = 0; s < 2; ++s) {
                const ModalMobility* const mobility = mobility_of(touch.sides[s], bodies);
                if (!mobility || !(options.contact_damping > 0) || !(touch.duration > 0)) continue;
                Bins& own = bins[touch.sides[s].body];
                if (own.extra.empty()) own = {bin_seconds, std::vector<Resting>(bin_count)};
                add_resting(touch, resting(touch, rough[i].contact, s, *mobility, bodies, options), own);
            }
        }
    }
    for (const auto& [body, own] : bins) excitations[body].damping = knots_of(own, *bodies[body].mobility);
}

}  // namespace

std::vector<Impact> by_time(const std::vector<Impact>& some, const std::vector<Impact>& others) {
    std::vector<Impact> all = some;
    all.insert(all.end(), others.begin(), others.end());
    std::ranges::stable_sort(all, {}, &Impact::time);
    return all;
}

ContactBody contact_body(const SoundingObject& object) {
    return {.body = object.body.get(),
            .mobility = object.mobility ? &*object.mobility : nullptr,
            .restitution = object.rigid  ? object.rigid->restitution
                           : object.body ? object.body->material.restitution
                                         : 1,
            .is_movable = object.is_movable,
            .hears_pulses = object.hears_pulses,
            .is_one_of_many = object.is_one_of_many};
}

std::vector<Excitation> excite(const Motion& motion, const std::vector<ContactBody>& bodies,
                               const ExciteOptions& options, std::vector<std::string>& warnings) {
    // So many at a time, and dense ones merged in between: a million impulses in one step would not fit into memory.
    constexpr long batch = 50'000;
    std::vector<Excitation> excitations(bodies.size());
    RingingBodies ringing(bodies.size());
    long merged = 0, cut = 0;
    const auto merge = [&] {
        for (Excitation& excitation : excitations) merged += merge_dense(excitation.impulses, options.sample_rate);
    };
    const auto add = [&](std::span<const Impact> impacts) {
        for (; !impacts.empty(); impacts = impacts.subspan(std::min(size_t(batch), impacts.size()))) {
            add_impacts(impacts.first(std::min(size_t(batch), impacts.size())), bodies, options, ringing, excitations,
                        cut);
            merge();
        }
    };
    if (options.strikes.empty())
        add(motion.impacts);
    else
        add(by_time(motion.impacts, options.strikes));
    add_touches(motion, bodies, options, excitations);
    merge();
    for (Excitation& excitation : excitations) std::ranges::stable_sort(excitation.pulses, {}, &ContactPulse::start);
    if (cut > 0)
        warnings.push_back(fmt::format(
            "{} impacts came while more than 16 others of the same bodies lasted: they were followed apart from "
            "those",
            cut));
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
        else {
            kept[place->second].impulse += impulse.impulse;
            kept[place->second].giving = {};
        }
    }
    const long merged = long(impulses.size() - kept.size());
    impulses = std::move(kept);
    return merged;
}

}  // namespace clangor
