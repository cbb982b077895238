// From strikes to the pressure at each listener.
#include <clangor/render/render.hpp>

#include <clangor/radiation/compact/compact.hpp>
#include <clangor/render/excite.hpp>
#include <clangor/vibration/oscillator/oscillator.hpp>

#include <fmt/format.h>

#include <chrono>
#include <complex>

namespace clangor {
namespace {

// A solid of the scene with the modes that this sample rate and its damping let ring.
struct Ringing {
    const scene::Solid* solid = nullptr;
    const io::BakedSolid* model = nullptr;
    std::vector<long> kept;  // modes of the model
    OscillatorBank bank;
    std::vector<Strike> strikes;  // times are those of the contact
};

std::string object_named(const std::string& name) { return fmt::format("object \"{}\"", name); }

// Modes at or above half the sample rate would fold down; overdamped ones do not ring.
Ringing ringing_modes(const scene::Solid& solid, const io::BakedSolid& model, double rate,
                      std::vector<std::string>& warnings) {
    Ringing ringing{&solid, &model, {}, {}, {}};
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
    return ringing;
}

template <class Vector>
Vector picked(const Vector& all, const std::vector<long>& which) {
    Vector result(long(which.size()));
    for (size_t i = 0; i < which.size(); ++i) result[long(i)] = all[which[i]];
    return result;
}

void add_strikes(const Scene& scene, Ringing& ringing) {
    const double size = bounds_of(ringing.model->skin.nodes).diagonal();
    const ContactFinder contact_at(*ringing.model);
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

// The sound of one object at one listener: oscillators, weighted by how each mode sounds there, delayed by the way.
std::vector<float> pressure_at(const Ringing& ringing, const Vec3& listener_world, const Scene& scene, Quality quality,
                               long frames) {
    const Vec3 listener = scene::world_from_body(*ringing.solid).inverse() * listener_world;
    const Eigen::VectorXcd P = transfer(ringing.model->compact, ringing.model->omega, listener, scene.air);
    // p = Re{P q_a} with the analytic signal q_a = −iζ of q = Im ζ        docs/theory/oscillator.md
    const Eigen::VectorXcd weights = std::complex<double>(0, -1) * picked(P, ringing.kept);
    const double delay = (listener - ringing.model->compact.centre).norm() / scene.air.speed_of_sound;
    std::vector<Strike> heard = ringing.strikes;
    for (Strike& strike : heard) strike.start += delay;
    if (quality != Quality::Reference) return ring(ringing.bank, heard, weights, frames);
    const std::vector<double> exact = ring_reference(ringing.bank, heard, weights, frames);
    return {exact.begin(), exact.end()};
}

}  // namespace

Rendered synthesize(const Scene& scene, const Baked& baked, const SynthesisOptions& options, const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    Rendered rendered;
    std::vector<Ringing> ringing;
    for (size_t i = 0; i < scene.objects.size(); ++i)
        std::visit(
            overloaded{[&](const scene::Solid& solid) {
                ringing.push_back(ringing_modes(solid, *baked.objects[i].model, scene.sample_rate, rendered.warnings));
                add_strikes(scene, ringing.back());
                rendered.impacts += long(ringing.back().strikes.size());
            }},
            scene.objects[i]);

    const long frames = std::lround(scene.duration * scene.sample_rate);
    const long objects = long(ringing.size()), listeners = long(scene.listeners.size());
    for (const Ringing& object : ringing)
        for (const scene::Listener& listener : scene.listeners)
            if (in_near_field(object.model->compact,
                              scene::world_from_body(*object.solid).inverse() * listener.position))
                rendered.warnings.push_back(fmt::format("listener \"{}\" is within {}: its level there is a guess",
                                                        listener.name, object_named(object.solid->name)));

    progress("sound", 0);
    std::vector<std::vector<float>> pressures(size_t(objects * listeners));
    parallel_for(objects * listeners, [&](long i) {
        const Ringing& object = ringing[size_t(i / listeners)];
        if (object.strikes.empty()) return;
        pressures[size_t(i)] =
            pressure_at(object, scene.listeners[size_t(i % listeners)].position, scene, options.quality, frames);
    });

    std::vector<std::string> channels;
    for (const scene::Listener& listener : scene.listeners) channels.push_back(listener.name);
    rendered.audio = silence(scene.sample_rate, channels, frames);
    for (long o = 0; o < objects; ++o) {
        Stem stem{ringing[size_t(o)].solid->name + ".modal",
                  silence(scene.sample_rate, channels, options.stems ? frames : 0)};
        for (long l = 0; l < listeners; ++l) {
            add(rendered.audio, int(l), pressures[size_t(o * listeners + l)], 0);
            if (options.stems) add(stem.audio, int(l), pressures[size_t(o * listeners + l)], 0);
        }
        if (options.stems) rendered.stems.push_back(std::move(stem));
    }
    if (!rendered.audio.samples.allFinite())
        throw Error("the sound is not finite: please report this scene", Blame::Work);
    progress("sound", 1);
    rendered.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return rendered;
}

}  // namespace clangor
