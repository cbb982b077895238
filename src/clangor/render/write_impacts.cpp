// Every impact as a line of a table, with what was followed of it.
#include <clangor/render/followed_impacts.hpp>
#include <clangor/render/move.hpp>
#include <clangor/render/render.hpp>

#include <fmt/format.h>

namespace clangor {

void write_impacts(const std::filesystem::path& path, const Scene& scene, const Baked& baked, const Motion& motion) {
    std::vector<ContactBody> bodies;
    for (const SoundingObject& object : baked.objects) bodies.push_back(contact_body(object));
    long cut = 0;
    const std::vector<FollowedImpact> all = followed(motion.impacts, bodies, {.pairs = pairs_of(scene)}, cut);
    std::string text =
        "time_s,object,other,x_m,y_m,z_m,approach_m_s,separation_m_s,impulse_Ns,peak_N,contacts_s,"
        "energy_object_J,energy_other_J\n";
    const auto name_of = [&](const ContactSide& side) {
        return side.body < 0 ? std::string() : baked.objects[size_t(side.body)].name;
    };
    for (size_t i = 0; i < all.size(); ++i) {
        const Impact& impact = motion.impacts[i];
        if (impact.time >= scene.duration) break;
        const ContactSide& side = impact.sides[0];
        const Vec3 place =
            side.body < 0 ? side.point : Vec3(pose_at(motion.bodies[size_t(side.body)], impact.time) * side.point);
        const double given = std::abs(side.impulse.dot(side.normal));
        double impulse = 0, peak = 0;
        std::string contacts;
        for (const ForcePulse& pulse : all[i].pulses) {
            impulse += pulse.impulse;
            peak = std::max(peak, pulse.peak);
            contacts += fmt::format("{}{:.9g}-{:.9g}", contacts.empty() ? "" : ";", pulse.start, pulse.end);
        }
        const double scale = impact.is_given && impulse > 0 ? given / impulse : 1;
        text += fmt::format("{:.9g},\"{}\",\"{}\",{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{:.6g},{:.6g}\n",
                            impact.time, name_of(side), name_of(impact.sides[1]), place.x(), place.y(), place.z(),
                            impact.approach_speed, all[i].separation_speed, scale * impulse, scale * peak, contacts,
                            square(scale) * all[i].modal_energy[0], square(scale) * all[i].modal_energy[1]);
    }
    io::write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace clangor
