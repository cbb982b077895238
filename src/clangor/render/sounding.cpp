// The objects of a scene, with what drives them.
#include <clangor/render/sounding.hpp>

#include <clangor/render/missed_strike.hpp>

#include <fmt/format.h>

#include <limits>
#include <map>

namespace clangor {
namespace {

// Modes at or above half the sample rate would fold down; overdamped ones do not ring.
// Where sound fields are known, so is what they take from the vibration.
void choose_modes(SoundingObject& ringing, const ModalTransfer* waves, double rate,
                  std::vector<std::string>& warnings) {
    const io::BakedSolid& model = *ringing.model;
    const scene::Solid& solid = *ringing.solid;
    const Eigen::VectorXd radiated =
        waves ? radiation_damping_of(model, *waves) : Eigen::VectorXd(Eigen::VectorXd::Zero(model.omega.size()));
    const auto damping = [&](long i) { return damping_ratio(solid.material.damping, model.omega[i]) + radiated[i]; };
    long too_high = 0, too_damped = 0;
    for (long i = 0; i < model.omega.size(); ++i) {
        if (model.omega[i] >= 0.999 * pi * rate)
            ++too_high;
        else if (damping(i) >= 1)
            ++too_damped;
        else
            ringing.kept.push_back(i);
    }
    if (too_high > 0)
        warnings.push_back(fmt::format("{}: {} modes at or above half the sample rate were left out",
                                       object_named(solid.name), too_high));
    if (too_damped > 0)
        warnings.push_back(fmt::format("{}: {} overdamped modes were left out", object_named(solid.name), too_damped));
    const long count = long(ringing.kept.size());
    ringing.bank = {Eigen::VectorXd(count), Eigen::VectorXd(count), rate};
    for (long i = 0; i < count; ++i) {
        ringing.bank.omega[i] = model.omega[ringing.kept[i]];
        ringing.bank.xi[i] = damping(ringing.kept[i]);
    }
}

void add_scripted(const Scene& scene, const ContactFinder& contact_at, SoundingObject& ringing) {
    const double size = bounds_of(ringing.model->skin.nodes).diagonal();
    for (size_t i = 0; i < scene.strikes.size(); ++i) {
        const scene::Strike& strike = scene.strikes[i];
        if (strike.object != ringing.solid->name) continue;
        const ContactPoint contact = contact_at(strike.at);
        refuse_missed(i, strike, contact.point, size);
        ringing.strikes.push_back({strike.time, strike.contact_time, strike.shape,
                                   picked(modal_impulse(*ringing.model, contact, strike.impulse), ringing.kept)});
    }
}

// Takes over what the motion does to the body, for the modes that are kept.
void add_motion(Excitation&& excitation, SoundingObject& ringing) {
    ringing.blows = std::move(excitation.blows);
    const bool all = long(ringing.kept.size()) == ringing.model->omega.size();
    for (Strike& strike : excitation.strikes) {
        if (!all) strike.modal_impulse = picked(strike.modal_impulse, ringing.kept);
        ringing.strikes.push_back(std::move(strike));
    }
    for (DampingKnot& knot : excitation.extra) {
        knot.xi = (ringing.bank.xi + picked(knot.xi, ringing.kept)).cwiseMin(0.99);
        ringing.damping.push_back(std::move(knot));
    }
}

ContactBody contact_body(const scene::Solid& solid, const BakedObject& baked, bool gives_way) {
    ContactBody body;
    body.material = &solid.material;
    body.model = baked.model.get();
    const Surface surface = baked.model ? Surface{} : clean(surface_of_source(solid.mesh, solid.scale)).surface;
    body.finder = baked.model ? std::make_shared<const ContactFinder>(*baked.model)
                              : std::make_shared<const ContactFinder>(surface);
    const MassProperties mass = baked.model ? baked.model->mass : mass_properties(surface);
    const Points& points = baked.model ? baked.model->skin.nodes : surface.vertices;
    body.centre = mass.centre;
    body.inertia = mass.inertia * solid.material.density;
    body.mass = gives_way ? mass.volume * solid.material.density : 0;
    body.radius = (points.rowwise() - mass.centre.transpose()).rowwise().norm().maxCoeff();
    body.clicks = baked.noise != nullptr && gives_way;
    return body;
}

ContactBody contact_ground(const scene::Ground& ground) {
    ContactBody body;
    body.material = &ground.material;
    body.radius = std::numeric_limits<double>::infinity();
    return body;
}

}  // namespace

std::vector<ContactBody> contact_bodies(const Scene& scene, const Baked& baked) {
    std::vector<ContactBody> bodies;
    for (size_t i = 0; i < scene.objects.size(); ++i)
        bodies.push_back(std::visit(overloaded{
                                        [&](const scene::Solid& solid) {
                                            return contact_body(solid, baked.objects[i],
                                                                solid.moves != scene::Moves::Fixed);
                                        },
                                        [](const scene::Ground& ground) { return contact_ground(ground); },
                                    },
                                    scene.objects[i]));
    return bodies;
}

std::vector<SoundingObject> sounding_objects(const Scene& scene, const Baked& baked, const Motion& motion,
                                             const std::vector<ContactBody>& bodies, Rendered& rendered) {
    std::vector<Excitation> excitations = excite(motion, bodies,
                                                 {.duration = scene.duration + lookahead,
                                                  .sample_rate = scene.sample_rate,
                                                  .roughness = scene.motion.roughness,
                                                  .contact_damping = scene.motion.contact_damping,
                                                  .seed = scene.seed},
                                                 rendered.warnings);
    std::map<std::pair<const io::BakedSolid*, const ModalTransfer*>, std::shared_ptr<const ModalRadiation>> radiations;
    std::map<const AccelerationNoise*, std::shared_ptr<const PreparedNoise>> noises;
    std::vector<SoundingObject> objects;
    for (size_t i = 0; i < scene.objects.size(); ++i) {
        const scene::Solid* solid = std::get_if<scene::Solid>(&scene.objects[i]);
        if (!solid || !baked.objects[i].model) continue;
        SoundingObject ringing;
        ringing.solid = solid;
        ringing.model = baked.objects[i].model.get();
        ringing.path = &motion.bodies[i];
        const ModalTransfer* waves = baked.objects[i].transfer.get();
        auto& radiation = radiations[{ringing.model, waves}];
        if (!radiation)
            radiation = waves ? std::make_shared<const ModalRadiation>(*ringing.model, *waves)
                              : std::make_shared<const ModalRadiation>(*ringing.model, scene.air);
        ringing.radiation = radiation;
        ringing.body = &bodies[i];
        if (bodies[i].clicks) {
            auto& noise = noises[baked.objects[i].noise.get()];
            if (!noise)
                noise = std::make_shared<const PreparedNoise>(prepare(*baked.objects[i].noise, scene.sample_rate));
            ringing.noise = noise;
        }
        choose_modes(ringing, waves, scene.sample_rate, rendered.warnings);
        add_scripted(scene, *bodies[i].finder, ringing);
        rendered.impacts += long(ringing.strikes.size());
        add_motion(std::move(excitations[i]), ringing);
        objects.push_back(std::move(ringing));
    }
    rendered.impacts += impacts_until(motion, scene.duration);
    return objects;
}

}  // namespace clangor
