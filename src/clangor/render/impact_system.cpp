#include <clangor/render/impact_system.hpp>

#include <clangor/render/floor_mobility.hpp>
#include <clangor/render/lag.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace clangor {
namespace {

// Periods of the lowest mode that an impact is followed for, and no longer than this [s].
constexpr double most_periods = 3, longest_course = 0.03;

// Of the contact time: Zener's restitution is then right to a thousandth.
constexpr double steps_per_contact = 40;

// Walls thicker than this part of the body's radius are no plates, which could take energy as one without an end.
constexpr double thick_wall = 0.2;

// What rings is left out of an impact where all of it together moves the place by less than this part of the approach.
constexpr double least_ringing = 0.01;

ElasticContact elastic_contact(const Met& met, const std::vector<ContactBody>& bodies, const ExciteOptions& options) {
    const HertzContact& hertz = met.contact.hertz;
    ElasticContact contact{.stiffness = 4.0 / 3 * hertz.modulus / std::sqrt(hertz.curvature),
                           .approach = met.approach_speed};
    contact.loss = loss_of_restitution(restitution_of(met, bodies, options)) / met.approach_speed;
    for (size_t s = 0; s < 2; ++s) {
        const ModalMobility* const mobility = mobility_of(met.sides[s], bodies);
        if (!mobility || mobility->omega.size() == 0 || met.contact.at[s].face < 0) continue;
        const Body& body = *bodies[met.sides[s].body].body;
        const double wall = wall_at(body, met.contact.at[s]);
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

}  // namespace

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
        group.impact.keeps_histories = group.impact.keeps_histories || mobility->is_coupled;
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
        for (long j = 0; j < count; ++j)
            for (const Given& given : met[j].given) {
                if (given.seen >= met[i].seen) continue;
                const double turned = group.impact.inverse_mass(i, j) * given.impulse;
                contact.approach += turned;
                contact.gap += turned * (std::min(met[i].time, given.time) - first);
            }
        contact.gap = std::max(0.0, contact.gap);
        for (const ContactSide& side : met[i].sides)
            if (side.body >= 0 && !ringing.empty())
                contact.gap += opened_by_lag(ringing[side.body].lag, bodies[side.body], side, first);
    }
    group.impact.longest = 0;
    for (long i = 0; i < count; ++i)
        group.impact.longest = std::max(
            group.impact.longest, met[i].time - first + 20 * contact_time(met[i].contact.hertz, met[i].approach_speed));
    if (std::isfinite(lowest))
        group.impact.longest = std::max(group.impact.longest, std::min(longest_course, most_periods * 2 * pi / lowest));
    return group;
}

Left left_by(const ImpactModes& modes, const ElasticResult& result, size_t b) {
    Left left{result.q[b], result.q_dot[b]};
    if (modes.q.size() == 0) return left;
    const Ringing undisturbed = ringing_at({0, modes.q, modes.q_dot}, {modes.omega, {}}, result.duration);
    left.q -= undisturbed.q;
    left.q_dot -= undisturbed.q_dot;
    return left;
}

}  // namespace clangor
