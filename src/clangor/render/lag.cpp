#include <clangor/render/lag.hpp>

namespace clangor {
namespace {

// After a longer flight, weight has changed by how much they are apart [s].
constexpr double longest_lag = 0.03;

// First moment of the forces about a time, less that of what motion gave; it gives at the end what it still owes.
double delayed(const Met& met, const std::vector<ForcePulse>& pulses, double first, double end) {
    double sum = 0, owed = 0;
    for (const ForcePulse& pulse : pulses) {
        sum += pulse.impulse * pulse.centre;
        owed += pulse.impulse;
    }
    for (const Given& given : met.given) {
        sum -= given.impulse * (given.time - first);
        owed -= given.impulse;
    }
    return sum - owed * (end - first);
}

// Only of bodies that ring is it known in what order their impacts come.
bool may_lag(const ContactSide& side, const std::vector<ContactBody>& bodies) {
    return mobility_of(side, bodies) && bodies[side.body].is_movable && bodies[side.body].body->mass.volume > 0;
}

}  // namespace

double opened_by_lag(const Lag& lag, const ContactBody& of, const ContactSide& side, double time) {
    if (!of.is_movable || time - lag.time > longest_lag) return 0;
    return -side.normal.dot(lag.shift + lag.turn.cross(side.point - of.body->mass.centre));
}

// Once a force is over, it has displaced a body as its impulse J does in an instant at its centre c, by A J (t − c)
//     docs/theory/contact.md, section 5
void bring_lags_up_to_date(std::span<const Met> met, const std::vector<std::vector<ForcePulse>>& pulses, double end,
                           const std::vector<ContactBody>& bodies, RingingBodies& ringing) {
    const double first = first_time(met);
    for (size_t i = 0; i < met.size(); ++i)
        for (const ContactSide& side : met[i].sides) {
            if (!met[i].is_simulated || !may_lag(side, bodies)) continue;
            const Body& body = *bodies[side.body].body;
            const double density = body.material.density, moment = delayed(met[i], pulses[i], first, end);
            const Mat3 inertia = body.mass.inertia * density;
            Lag& lag = ringing[side.body].lag;
            if (lag.time < first - longest_lag) lag = {};
            lag.time = end;
            lag.shift += moment / (body.mass.volume * density) * side.normal;
            lag.turn += inertia.ldlt().solve((side.point - body.mass.centre).cross(side.normal) * moment);
        }
}

}  // namespace clangor
