// From motion to the pressure at each listener.
#include <clangor/render/render.hpp>

#include <clangor/radiation/compact/compact.hpp>
#include <clangor/render/excite.hpp>
#include <clangor/render/hear.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <limits>
#include <map>

namespace clangor {
namespace {

// A solid of the scene with the modes that this sample rate and its damping let ring.
struct Ringing {
    const scene::Solid* solid = nullptr;
    const io::BakedSolid* model = nullptr;
    const Trajectory* path = nullptr;
    std::vector<long> kept;  // modes of the model
    OscillatorBank bank;
    std::vector<Strike> strikes;  // one modal impulse a kept mode
    std::vector<DampingKnot> damping;
    std::shared_ptr<const DirectionTable> directions;  // of all modes of the model; objects of one model share it
};

std::string object_named(const std::string& name) { return fmt::format("object \"{}\"", name); }

// Modes at or above half the sample rate would fold down; overdamped ones do not ring.
void choose_modes(Ringing& ringing, double rate, std::vector<std::string>& warnings) {
    const io::BakedSolid& model = *ringing.model;
    const scene::Solid& solid = *ringing.solid;
    long too_high = 0, too_damped = 0;
    for (long i = 0; i < model.omega.size(); ++i) {
        if (model.omega[i] >= 0.999 * pi * rate)
            ++too_high;
        else if (damping_ratio(solid.material.damping, model.omega[i]) >= 1)
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
        ringing.bank.omega[i] = model.omega[ringing.kept[size_t(i)]];
        ringing.bank.xi[i] = damping_ratio(solid.material.damping, ringing.bank.omega[i]);
    }
}

template <class Vector>
Vector picked(const Vector& all, const std::vector<long>& which) {
    Vector result(long(which.size()));
    for (size_t i = 0; i < which.size(); ++i) result[long(i)] = all[which[i]];
    return result;
}

void add_scripted(const Scene& scene, const ContactFinder& contact_at, Ringing& ringing) {
    const double size = bounds_of(ringing.model->skin.nodes).diagonal();
    for (size_t i = 0; i < scene.strikes.size(); ++i) {
        const scene::Strike& strike = scene.strikes[i];
        if (strike.object != ringing.solid->name) continue;
        const ContactPoint contact = contact_at(strike.at);
        if (contact.distance > 0.1 * size) {
            const Vec3& p = contact.point;
            throw Error(fmt::format(
                "strike {} misses \"{}\": ({:g}, {:g}, {:g}) is {:.3g} m away from it, more than a tenth of its size "
                "({:.3g} m). The closest point of its surface is ({:.4g}, {:.4g}, {:.4g})",
                i + 1, strike.object, strike.at[0], strike.at[1], strike.at[2], contact.distance, size, p[0], p[1],
                p[2]));
        }
        ringing.strikes.push_back({strike.time, strike.contact_time, strike.shape,
                                   picked(modal_impulse(*ringing.model, contact, strike.impulse), ringing.kept)});
    }
}

// Takes over what the motion does to the body, for the modes that are kept.
void add_motion(Excitation&& excitation, Ringing& ringing) {
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
    return body;
}

ContactBody contact_ground(const scene::Ground& ground) {
    ContactBody body;
    body.material = &ground.material;
    body.radius = std::numeric_limits<double>::infinity();
    return body;
}

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

// How finely the way is followed. Lobes of a mode are about 1/ka wide.
double station_angle(const Ringing& ringing, const Air& air, Quality quality) {
    const double omega = ringing.bank.omega.size() > 0 ? ringing.bank.omega.maxCoeff() : 0;
    const double lobe = air.speed_of_sound / std::max(omega * ringing.model->compact.radius, 1e-9);
    const double finest = quality == Quality::Reference ? 0.01 : 0.035;
    return std::clamp(0.5 * lobe, finest, 0.09);
}

// The weights −iP of p = Re{P q_a}, with the analytic signal q_a = −iζ of q = Im ζ        docs/theory/oscillator.md
std::vector<WeightKnot> weights_along(const Ringing& ringing, const std::vector<Station>& stations, const Air& air,
                                      Quality quality) {
    const bool exact = stations.size() < 10 || quality == Quality::Reference;
    std::vector<WeightKnot> knots;
    for (const Station& station : stations) {
        const Eigen::VectorXcd P = exact ? transfer(ringing.model->compact, ringing.model->omega, station.capsule, air)
                                         : (*ringing.directions)(station.capsule);
        knots.push_back({station.sample, std::complex<double>(0, -1) * picked(P, ringing.kept)});
    }
    return knots;
}

std::vector<float> emitted(const Ringing& ringing, const std::vector<WeightKnot>& weights, Quality quality,
                           long frames) {
    if (quality != Quality::Reference) return ring(ringing.bank, ringing.strikes, weights, ringing.damping, frames);
    const std::vector<double> exact = ring_reference(ringing.bank, ringing.strikes, weights, ringing.damping, frames);
    return {exact.begin(), exact.end()};
}

struct Heard {
    Audio audio;
    std::vector<std::string> warnings;
};

// One object at all listeners: oscillators, weighted by how each mode sounds in the direction of the listener, delayed by
// the way: straight (null), and by the floor.
Heard heard_from(const Ringing& ringing, const std::vector<Ear>& ears, const std::vector<const Mirror*>& ways,
                 const Scene& scene, const std::vector<std::string>& channels, Quality quality) {
    const long frames = std::lround(scene.duration * scene.sample_rate);
    Heard heard{silence(scene.sample_rate, channels, frames), {}};
    double first = scene.duration;
    for (const Strike& strike : ringing.strikes) first = std::min(first, strike.start);
    const StationOptions station_options{.sample_rate = scene.sample_rate,
                                         .first_sample = long(std::max(0.0, first) * scene.sample_rate),
                                         .samples = frames,
                                         .angle = station_angle(ringing, scene.air, quality)};
    for (const Ear& ear : ears) {
        bool near = false;
        for (int capsule = 0; capsule < int(ear.post.capsules.rows()); ++capsule)
            for (const Mirror* by : ways) {
                const Way way{ear, capsule, by, *ringing.path, ringing.model->compact.centre, scene.air};
                const std::vector<Station> stations = stations_of(way, station_options);
                for (const Station& station : stations)
                    near |= !by && in_near_field(ringing.model->compact, station.capsule);
                const std::vector<WeightKnot> weights = weights_along(ringing, stations, scene.air, quality);
                add_arrival(heard.audio, ear.first_channel, ear.post, capsule,
                            emitted(ringing, weights, quality, frames), passage_of(way, scene.duration),
                            by ? by->reflection : 1.0, scene.air.speed_of_sound);
            }
        if (near)
            heard.warnings.push_back(fmt::format("listener \"{}\" is within {}: its level there is a guess",
                                                 ear.listener->name, object_named(ringing.solid->name)));
    }
    return heard;
}

std::vector<Ringing> ringing_objects(const Scene& scene, const Baked& baked, const Motion& motion, Rendered& rendered) {
    const std::vector<ContactBody> bodies = contact_bodies(scene, baked);
    std::vector<Excitation> excitations = excite(motion, bodies,
                                                 {.duration = scene.duration,
                                                  .sample_rate = scene.sample_rate,
                                                  .roughness = scene.motion.roughness,
                                                  .contact_damping = scene.motion.contact_damping,
                                                  .seed = scene.seed},
                                                 rendered.warnings);
    std::map<const io::BakedSolid*, std::shared_ptr<const DirectionTable>> tables;
    std::vector<Ringing> objects;
    for (size_t i = 0; i < scene.objects.size(); ++i) {
        const scene::Solid* solid = std::get_if<scene::Solid>(&scene.objects[i]);
        if (!solid || !baked.objects[i].model) continue;
        Ringing ringing;
        ringing.solid = solid;
        ringing.model = baked.objects[i].model.get();
        ringing.path = &motion.bodies[i];
        auto& table = tables[ringing.model];
        if (!table)
            table = std::make_shared<const DirectionTable>(ringing.model->compact, ringing.model->omega, scene.air);
        ringing.directions = table;
        choose_modes(ringing, scene.sample_rate, rendered.warnings);
        add_scripted(scene, *bodies[i].finder, ringing);
        rendered.impacts += long(ringing.strikes.size());
        add_motion(std::move(excitations[i]), ringing);
        objects.push_back(std::move(ringing));
    }
    rendered.impacts += long(motion.impacts.size());
    return objects;
}

}  // namespace

Rendered synthesize(const Scene& scene, const Baked& baked, const Motion& motion, const SynthesisOptions& options,
                    const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    Rendered rendered;
    progress("forces", 0);
    const std::vector<Ear> ears = ears_of(scene, motion, rendered.warnings);
    const std::vector<Ringing> objects = ringing_objects(scene, baked, motion, rendered);
    const std::optional<Mirror> mirror = mirror_of(scene);
    std::vector<const Mirror*> ways{nullptr};
    if (mirror) ways.push_back(&*mirror);
    std::vector<std::string> channels;
    for (const Ear& ear : ears) {
        channels.insert(channels.end(), ear.post.channels.begin(), ear.post.channels.end());
        rendered.listeners.push_back({ear.listener->name, ear.first_channel, int(ear.post.channels.size())});
    }
    rendered.audio = silence(scene.sample_rate, channels, std::lround(scene.duration * scene.sample_rate));

    // So many objects at a time: each has its own channels, which are added in the order of the objects.
    constexpr long batch = 16;
    const long count = long(objects.size());
    for (long begin = 0; begin < count; begin += batch) {
        progress("sound", double(begin) / double(count));
        const long size = std::min(batch, count - begin);
        std::vector<Heard> heard(static_cast<size_t>(size));
        parallel_for(size, [&](long i) {
            const Ringing& object = objects[size_t(begin + i)];
            if (!object.strikes.empty())
                heard[size_t(i)] = heard_from(object, ears, ways, scene, channels, options.quality);
        });
        for (long i = 0; i < size; ++i) {
            Heard& one = heard[size_t(i)];
            if (one.audio.channels.empty())
                one.audio = silence(scene.sample_rate, channels, options.stems ? rendered.audio.frames() : 0);
            if (one.audio.frames() > 0) rendered.audio.samples += one.audio.samples;
            rendered.warnings.insert(rendered.warnings.end(), one.warnings.begin(), one.warnings.end());
            if (options.stems)
                rendered.stems.push_back({objects[size_t(begin + i)].solid->name + ".modal", std::move(one.audio)});
        }
    }
    if (!rendered.audio.samples.allFinite())
        throw Error("the sound is not finite: please report this scene", Blame::Work);
    progress("sound", 1);
    rendered.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return rendered;
}

}  // namespace clangor
