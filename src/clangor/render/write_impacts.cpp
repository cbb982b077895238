// Every impact and strike as a line of a table, with what was followed of it.
#include <clangor/render/followed_impacts.hpp>
#include <clangor/render/move.hpp>
#include <clangor/render/placed_strikes.hpp>
#include <clangor/render/render.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor {
namespace {

struct Line {
    double time = 0;  ///< [s]
    std::string text;
};

/// Who it was, and where in the world.
struct Whom {
    std::string object, other;
    Vec3 place;
};

std::string number_or_none(std::optional<double> x) { return x ? fmt::format("{:.6g}", *x) : ""; }

// `scale`: of the impulse over what was followed.
Line line_of(double time, const Whom& whom, std::optional<double> approach, const FollowedImpact& followed,
             double scale) {
    double impulse = 0, peak = 0;
    std::string contacts;
    for (const ForcePulse& pulse : followed.pulses) {
        impulse += pulse.impulse;
        peak = std::max(peak, pulse.peak);
        contacts += fmt::format("{}{:.9g}-{:.9g}", contacts.empty() ? "" : ";", pulse.start, pulse.end);
    }
    const std::optional<double> separation = approach ? std::optional(followed.separation_speed) : std::nullopt;
    return {time,
            fmt::format("{:.9g},\"{}\",\"{}\",{:.6g},{:.6g},{:.6g},{},{},{:.6g},{:.6g},{},{:.6g},{:.6g}\n", time,
                        whom.object, whom.other, whom.place.x(), whom.place.y(), whom.place.z(),
                        number_or_none(approach), number_or_none(separation), scale * impulse, scale * peak, contacts,
                        square(scale) * followed.modal_energy[0], square(scale) * followed.modal_energy[1])};
}

// A strike by an impulse, as if it had been followed.
FollowedImpact as_followed(const scene::Strike& strike, const PlacedStrike& placed, const SoundingObject& object) {
    const double impulse = placed.impulse.norm(), tau = strike.contact_time;
    FollowedImpact out;
    out.pulses = {{.start = strike.time,
                   .end = strike.time + tau,
                   .impulse = impulse,
                   .peak = impulse / (tau * pulse_area(strike.shape))}};
    if (!object.mobility) return out;
    const Eigen::VectorXd shares = object.mobility->modal_impulse(placed.at, placed.impulse);
    for (long k = 0; k < shares.size(); ++k)
        out.modal_energy[0] +=
            square(shares[k] * pulse_spectrum(strike.shape, object.mobility->omega[k] * tau / (2 * pi))) / 2;
    return out;
}

}  // namespace

void write_impacts(const std::filesystem::path& path, const Scene& scene, const Baked& baked, const Motion& motion) {
    std::vector<ContactBody> bodies;
    for (const SoundingObject& object : baked.objects) bodies.push_back(contact_body(object));
    const std::vector<PlacedStrike> strikes = placed_strikes(scene, baked.objects);
    const MalletImpacts by_mallets = mallet_impacts(scene, strikes, int(bodies.size()));
    bodies.insert(bodies.end(), by_mallets.mallets.begin(), by_mallets.mallets.end());
    const std::vector<Impact> impacts = by_time(motion.impacts, by_mallets.impacts);
    RingingBodies ringing(bodies.size());
    long cut = 0;
    const std::vector<FollowedImpact> all = followed(impacts, bodies, {.pairs = pairs_of(scene)}, ringing, cut);
    const auto name_of = [&](const ContactSide& side) {
        if (side.body < 0) return std::string();
        if (side.body < std::ssize(baked.objects)) return baked.objects[size_t(side.body)].name;
        return "mallet of " + bodies[size_t(side.body)].body->material.name;
    };
    const auto in_world = [&](int body, const Vec3& point, double time) {
        return body < 0 ? point : Vec3(pose_at(motion.bodies[size_t(body)], time) * point);
    };
    std::vector<Line> lines;
    for (size_t i = 0; i < all.size(); ++i) {
        const Impact& impact = impacts[i];
        const ContactSide& side = impact.sides[0];
        double impulse = 0;
        for (const ForcePulse& pulse : all[i].pulses) impulse += pulse.impulse;
        const double given = std::abs(side.impulse.dot(side.normal));
        const Whom whom{name_of(side), name_of(impact.sides[1]), in_world(side.body, side.point, impact.time)};
        lines.push_back(line_of(impact.time, whom, impact.approach_speed, all[i],
                                impact.is_given && impulse > 0 ? given / impulse : 1));
    }
    for (const PlacedStrike& placed : strikes) {
        if (placed.mallet) continue;
        const scene::Strike& strike = scene.strikes[placed.index];
        const Whom whom{strike.object, "", in_world(placed.object, placed.at.point, strike.time)};
        lines.push_back(line_of(strike.time, whom, std::nullopt,
                                as_followed(strike, placed, baked.objects[size_t(placed.object)]), 1));
    }
    std::erase_if(lines, [&](const Line& line) { return line.time >= scene.duration; });
    std::ranges::stable_sort(lines, {}, &Line::time);
    std::string text =
        "time_s,object,other,x_m,y_m,z_m,approach_m_s,separation_m_s,impulse_Ns,peak_N,contacts_s,"
        "energy_object_J,energy_other_J\n";
    for (const Line& line : lines) text += line.text;
    io::write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace clangor
