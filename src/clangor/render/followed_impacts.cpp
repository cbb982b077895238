#include <clangor/render/followed_impacts.hpp>

#include <clangor/render/impact_course.hpp>
#include <clangor/render/sine_cosine.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

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
                if (group.impact.keeps_histories) out[i].moved[s] = modes.shapes.row(long(i)).transpose();
                if (pushed > 0) out[i].modal_energy[s] = result.modal_energy[b] * result.impulses[long(i)] / pushed;
            }
    }
    for (size_t i = 0; i < met.size(); ++i) {
        out[i].is_followed = true;
        out[i].hertz = met[i].contact.hertz;
        out[i].separation_speed = result.separation[long(i)];
        for (ForcePulse pulse : result.pulses[i]) {
            pulse.start += first;
            pulse.end += first;
            pulse.centre += first;
            pulse.history.start += first;
            out[i].pulses.push_back(pulse);
        }
    }
    return out;
}

// Of one place what came from a time on, or half of its last contact; the rest stays.
FollowedImpact taken_from(FollowedImpact& place, double time) {
    FollowedImpact out{.shapes = place.shapes,
                       .moved = place.moved,
                       .separation_speed = place.separation_speed,
                       .hertz = place.hertz,
                       .is_followed = true};
    double all = 0, taken = 0;
    std::vector<ForcePulse> left;
    for (const ForcePulse& pulse : place.pulses) {
        all += pulse.impulse;
        (pulse.centre >= time ? out.pulses : left).push_back(pulse);
    }
    if (out.pulses.empty() && !left.empty()) {
        left.back().impulse /= 2;
        for (double& force : left.back().history.forces) force /= 2;
        out.pulses.push_back(left.back());
    }
    for (const ForcePulse& pulse : out.pulses) taken += pulse.impulse;
    for (size_t s = 0; s < 2; ++s) {
        out.modal_energy[s] = all > 0 ? place.modal_energy[s] * taken / all : 0;
        place.modal_energy[s] -= out.modal_energy[s];
    }
    place.pulses = std::move(left);
    return out;
}

// For each impact of a course what came of it: at a place that it met again, what came from then on.
void share_out(const Course& course, std::vector<FollowedImpact>& out) {
    std::vector<FollowedImpact> places = as_followed(course.met, course.group, course.result);
    for (size_t k = course.asked.size(); k-- > 0;) {
        const Asked& asked = course.asked[k];
        const bool is_first = std::none_of(course.asked.begin(), course.asked.begin() + long(k),
                                           [&](const Asked& other) { return other.place == asked.place; });
        out[asked.number] = is_first ? std::move(places[asked.place]) : taken_from(places[asked.place], asked.time);
    }
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
            share_out(course_of(picked(met, own), own, bodies, options, Whose::AllBodies, ringing), out);
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
        for (size_t k = 0; k < own.size(); ++k) speeds[own[k]] = course.separation[k];
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
