// From motion to the pressure at each listener.
#include <clangor/render/render.hpp>

#include <clangor/render/sounding.hpp>
#include <clangor/signal/signal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <deque>

namespace clangor {
namespace {

// How finely the way is followed. Lobes of a mode are about 1/ka wide.
double station_angle(const SoundingObject& ringing, const Air& air, Quality quality) {
    const double omega = ringing.bank.omega.size() > 0 ? ringing.bank.omega.maxCoeff() : 0;
    const double lobe = air.speed_of_sound / std::max(omega * ringing.radiation->radius(), 1e-9);
    const double finest = quality == Quality::Reference ? 0.01 : quality == Quality::Standard ? 0.02 : 0.035;
    return std::clamp(0.5 * lobe, finest, 0.09);
}

// The weights −iP of p = Re{P q_a}, with the analytic signal q_a = −iζ of q = Im ζ        docs/theory/oscillator.md
std::vector<WeightKnot> weights_along(const SoundingObject& ringing, const std::vector<Station>& stations,
                                      Quality quality) {
    const bool magnitude = ringing.solid->radiation_phase == scene::RadiationPhase::Magnitude;
    std::vector<WeightKnot> knots;
    for (const Station& station : stations) {
        // Few are worth the exact field; what moves for long needs thousands.
        const bool exact = knots.size() < 10 || quality == Quality::Reference;
        Eigen::VectorXcd P =
            exact ? ringing.radiation->exact(station.capsule) : ringing.radiation->quick(station.capsule);
        if (magnitude) P = P.cwiseAbs().cast<std::complex<double>>().eval();
        knots.push_back({station.sample, std::complex<double>(0, -1) * picked(P, ringing.kept)});
    }
    return knots;
}

std::vector<float> emitted(const SoundingObject& ringing, const std::vector<WeightKnot>& weights, Quality quality,
                           long frames) {
    std::vector<float> sound;
    if (quality == Quality::Reference) {
        const std::vector<double> exact =
            ring_reference(ringing.bank, ringing.strikes, weights, ringing.damping, frames);
        sound.assign(exact.begin(), exact.end());
    } else {
        sound = ring(ringing.bank, ringing.strikes, weights, ringing.damping, frames);
    }
    // Sound comes from acceleration: what a contact bends a mode by while it presses is in q, but is not heard. Below the lowest mode
    // all of it is taken off: p ← p − σ + H σ  (docs/theory/oscillator.md, Eq. 16).
    std::vector<float> bent(sound.size());
    add_static_deflection(ringing.bank, ringing.strikes, weights, 0, bent);
    for (size_t k = 0; k < sound.size(); ++k) sound[k] -= bent[k];
    HighPass(ringing.bank.omega.minCoeff() / (2 * pi) / 4, ringing.bank.sample_rate_hz)(bent);
    for (size_t k = 0; k < sound.size(); ++k) sound[k] += bent[k];
    return sound;
}

// What one object adds at all listeners, by mechanism.
struct Heard {
    Audio modal, clicks;
    std::vector<std::string> warnings;
};

// Everything that the parts of a rendering share.
struct Hall {
    const Scene& scene;
    std::vector<Ear> ears;
    std::vector<const Mirror*> ways;  // straight (null), and by the floor
    std::vector<std::string> channels;
    Quality quality = Quality::Standard;

    long frames() const { return std::lround(scene.duration * scene.sample_rate); }
    long heard_frames() const { return frames() + 64; }  // ears look ahead a little
    long emitted_frames() const { return frames() + std::lround(lookahead * scene.sample_rate); }
};

// Calls `emit` for every way from a centre of the object to a capsule, and adds what it emits as it arrives.
template <class Emit>
Audio heard_along(const Hall& hall, const SoundingObject& object, const Vec3& centre, const Emit& emit) {
    Audio audio = silence(hall.scene.sample_rate, hall.channels, hall.heard_frames());
    for (const Ear& ear : hall.ears)
        for (int capsule = 0; capsule < int(ear.post.capsules.rows()); ++capsule)
            for (const Mirror* by : hall.ways) {
                const Way way{ear, capsule, by, *object.path, centre, hall.scene.air};
                add_arrival(audio, ear.first_channel, ear.post, capsule, emit(way),
                            passage_of(way, hall.scene.duration + lookahead), by ? by->reflection : 1.0,
                            hall.scene.air.speed_of_sound);
            }
    audio.samples.conservativeResize(audio.samples.rows(), hall.frames());
    return audio;
}

void warn_near(const Hall& hall, const SoundingObject& object, const std::vector<std::string>& listeners,
               Heard& heard) {
    for (const Ear& ear : hall.ears)
        if (std::ranges::find(listeners, ear.listener->name) != listeners.end())
            heard.warnings.push_back(
                fmt::format("listener \"{}\" is within {} or close to it: its level there is a guess",
                            ear.listener->name, object_named(object.solid->name)));
}

// Ringing: oscillators, weighted by how each mode sounds in the direction of the listener.
void hear_ringing(const Hall& hall, const SoundingObject& object, Heard& heard) {
    double first = hall.scene.duration;
    for (const Strike& strike : object.strikes) first = std::min(first, strike.start);
    const StationOptions options{.sample_rate = hall.scene.sample_rate,
                                 .first_sample = long(std::max(0.0, first) * hall.scene.sample_rate),
                                 .samples = hall.emitted_frames(),
                                 .angle = station_angle(object, hall.scene.air, hall.quality)};
    std::vector<std::string> near;
    heard.modal = heard_along(hall, object, object.radiation->centre(), [&](const Way& way) {
        const std::vector<Station> stations = stations_of(way, options);
        for (const Station& station : stations)
            if (!way.mirror && object.radiation->in_near_field(station.capsule)) near.push_back(way.ear.listener->name);
        return emitted(object, weights_along(object, stations, hall.quality), hall.quality, hall.emitted_frames());
    });
    warn_near(hall, object, near, heard);
}

// Directions in which an object has been heard already. Clicks are short and apart: unlike ringing, they need no smooth way from one direction to
// the next, so that what is known within half a degree, or six after the first hundred of them, serves again; far away also at up to
// twice or half the distance, where pressure follows 1/r.
class KnownDirections {
public:
    explicit KnownDirections(const PreparedNoise& noise) : noise_(noise) {}

    struct Known {
        Vec3 arm;
        double r;
        DirectedNoise noise;
    };
    const Known& operator()(const Vec3& listener) {
        const Vec3 arm = listener - noise_.centre;
        const double r = arm.norm(), cos_angle = asked_++ < 100 ? cos_near_ : cos_far_;
        for (const Known& known : known_)
            if (serves(known, r) && arm.dot(known.arm) >= cos_angle * r * known.r) return known;
        return known_.emplace_back(Known{arm, r, toward(noise_, listener)});
    }

private:
    bool serves(const Known& known, double r) const {
        if (std::min(r, known.r) > 2.5 * noise_.reference_radius) return known.r < 2 * r && r < 2 * known.r;
        return std::abs(known.r - r) <= 0.02 * r;
    }
    const PreparedNoise& noise_;
    const double cos_near_ = std::cos(0.01), cos_far_ = std::cos(0.1);
    long asked_ = 0;
    std::deque<Known> known_;  // its elements stay where they are
};

[[noreturn]] void refuse_near(const SoundingObject& object, const Way& way, double time, double distance) {
    throw Error(fmt::format(
        "listener \"{}\" is {:.2g} m from the centre of {} when that is hit at {:.3g} s, but the click is known from "
        "{:.2g} m "
        "on. Move the listener, set \"near_field\": \"clamp\" for it to hear the click as at that distance (too quiet "
        "by "
        "the ratio of the distances or more), or set \"acceleration_noise\": false for the object",
        way.ear.listener->name, distance, object_named(object.solid->name), time, object.noise->reference_radius));
}

// Clicks: each blow changes the body's velocity and spin within its pulse.
void hear_clicks(const Hall& hall, const SoundingObject& object, Heard& heard) {
    const ContactBody& body = *object.body;
    const Eigen::LDLT<Mat3> inertia(body.inertia);
    std::vector<std::string> near;
    heard.clicks = heard_along(hall, object, object.noise->centre, [&](const Way& way) {
        std::vector<float> sound(static_cast<size_t>(hall.emitted_frames()));
        KnownDirections heard_toward(*object.noise);
        for (const Blow& blow : object.blows) {
            const Vec3 listener = capsule_for(way, blow.time);
            if (!way.mirror && (listener - object.noise->centre).norm() < object.noise->reference_radius) {
                if (way.ear.listener->near_field == scene::NearField::Refuse)
                    refuse_near(object, way, blow.time, (listener - object.noise->centre).norm());
                near.push_back(way.ear.listener->name);
            }
            const KnownDirections::Known& known = heard_toward(listener);
            const double nearer = known.r / std::max((listener - object.noise->centre).norm(), 1e-9);
            const double part = std::min(nearer, 2.0) / body.mass;
            add_click(sound, *object.noise, known.noise,
                      {.time = blow.time,
                       .duration = blow.duration,
                       .shape = blow.shape,
                       .velocity_change = part * blow.impulse,
                       .spin_change = part * body.mass * inertia.solve((blow.point - body.centre).cross(blow.impulse)),
                       .listener = listener});
        }
        return sound;
    });
    for (const Ear& ear : hall.ears)
        if (std::ranges::find(near, ear.listener->name) != near.end())
            heard.warnings.push_back(fmt::format(
                "listener \"{}\" comes within {:.2g} m of {}: nearer than that, its click is heard as at this "
                "distance, too quiet by the ratio of the distances or more",
                ear.listener->name, object.noise->reference_radius, object_named(object.solid->name)));
}

Heard heard_from(const Hall& hall, const SoundingObject& object) {
    Heard heard;
    if (!object.strikes.empty() && !object.kept.empty()) hear_ringing(hall, object, heard);
    if (!object.blows.empty() && object.noise) hear_clicks(hall, object, heard);
    return heard;
}

}  // namespace

Rendered synthesize(const Scene& scene, const Baked& baked, const Motion& motion, const SynthesisOptions& options,
                    const Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    Rendered rendered;
    progress("forces", 0);
    Hall hall{scene, ears_of(scene, motion, rendered.warnings), {nullptr}, {}, options.quality};
    const std::vector<ContactBody> bodies = contact_bodies(scene, baked);
    const std::vector<SoundingObject> objects = sounding_objects(scene, baked, motion, bodies, rendered);
    const std::optional<Mirror> mirror = mirror_of(scene);
    if (mirror) hall.ways.push_back(&*mirror);
    for (const Ear& ear : hall.ears) {
        hall.channels.insert(hall.channels.end(), ear.post.channels.begin(), ear.post.channels.end());
        rendered.listeners.push_back({ear.listener->name, ear.first_channel, int(ear.post.channels.size())});
    }
    rendered.audio = silence(scene.sample_rate, hall.channels, hall.frames());

    // So many objects at a time: each has its own channels, which are added in the order of the objects.
    constexpr long batch = 16;
    const long count = long(objects.size());
    for (long begin = 0; begin < count; begin += batch) {
        progress("sound", double(begin) / double(count));
        const long size = std::min(batch, count - begin);
        std::vector<Heard> heard(static_cast<size_t>(size));
        parallel_for(size, [&](long i) { heard[size_t(i)] = heard_from(hall, objects[size_t(begin + i)]); });
        for (long i = 0; i < size; ++i) {
            const SoundingObject& object = objects[size_t(begin + i)];
            Heard& one = heard[size_t(i)];
            rendered.warnings.insert(rendered.warnings.end(), one.warnings.begin(), one.warnings.end());
            const auto take = [&](Audio& audio, const char* mechanism, bool always) {
                if (audio.frames() > 0) rendered.audio.samples += audio.samples;
                if (!options.stems || (audio.frames() == 0 && !always)) return;
                if (audio.frames() == 0) audio = silence(scene.sample_rate, hall.channels, hall.frames());
                rendered.stems.push_back({object.solid->name + mechanism, std::move(audio)});
            };
            take(one.modal, ".modal", true);
            take(one.clicks, ".acceleration", object.noise != nullptr);
        }
    }
    if (!rendered.audio.samples.allFinite())
        throw Error("the sound is not finite: please report this scene", Blame::Work);
    progress("sound", 1);
    rendered.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return rendered;
}

}  // namespace clangor
