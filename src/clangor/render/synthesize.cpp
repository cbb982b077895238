// From motion to the pressure at each listener.
#include <clangor/render/render.hpp>

#include <clangor/render/sounding.hpp>
#include <clangor/signal/signal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <deque>
#include <functional>
#include <iterator>
#include <limits>
#include <span>

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
// Few stations are worth the exact field; what moves for long needs thousands.
std::vector<WeightKnot> weights_along(const SoundingObject& ringing, std::span<const Station> stations, long exact) {
    const bool magnitude = ringing.solid->radiation_phase == scene::RadiationPhase::Magnitude;
    std::vector<WeightKnot> knots;
    for (const Station& station : stations) {
        Eigen::VectorXcd P = long(knots.size()) < exact ? ringing.radiation->exact(station.capsule)
                                                        : ringing.radiation->quick(station.capsule);
        if (magnitude) P = P.cwiseAbs().cast<std::complex<double>>().eval();
        knots.push_back({station.sample, std::complex<double>(0, -1) * picked(P, ringing.kept)});
    }
    return knots;
}

// Everything that the parts of a rendering share.
struct Hall {
    const Scene& scene;
    std::vector<Ear> ears;
    std::vector<const Mirror*> ways;  // straight (null), and by the floor
    std::vector<std::string> channels;
    Quality quality = Quality::Standard;

    long frames() const { return std::lround(scene.duration * scene.sample_rate); }
    long emitted_frames() const { return frames() + std::lround(lookahead * scene.sample_rate); }
};

// What an object sends along one way, piece by piece: `next` fills the samples from `first` on, which follow those of
// the call before, and are whole blocks of the resonators or all that are left.
struct Emission {
    std::function<void(long first, std::span<float> out)> next;
    std::function<bool()> over;  // nothing will follow
};

// One way from an object to a capsule, with what is under way.
class SoundingWay {
public:
    SoundingWay(const Hall& hall, const Way& way, Emission emission)
        : hall_(hall),
          first_channel_(way.ear.first_channel),
          emission_(std::move(emission)),
          passages_(way, hall.scene.duration + lookahead),
          arrival_(way.ear.post, way.capsule,
                   {hall.scene.sample_rate, hall.emitted_frames(), way.mirror ? way.mirror->reflection : 1.0,
                    hall.scene.air.speed_of_sound}) {}

    void add_to(Audio& window, long begin) {
        const double rate = hall_.scene.sample_rate;
        const ArrivalStream::Needs needs = arrival_.needs();
        const long end = begin + window.frames();
        emit_until(end + needs.frames_after + read_between_reach);
        const bool silent = std::ranges::all_of(emitted_, [](float sample) { return sample == 0; });
        if (!silent || !arrival_.at_rest()) {
            const bool over = made_ == hall_.emitted_frames() || emission_.over();
            arrival_.add(
                window, first_channel_, begin, {first_, emitted_, over},
                passages_.between(double(begin - needs.frames_before) / rate, double(end + needs.frames_after) / rate));
        }
        const double delay = (passages_.longest_delay() + needs.more_delay) * rate;
        forget_before(end - needs.frames_before - long(std::ceil(delay)) - 2 * read_between_reach);
    }

private:
    void emit_until(long sample) {
        constexpr long block = Resonators::block_samples;
        const long until = std::min(hall_.emitted_frames(), (sample + block - 1) / block * block);
        if (until <= made_) return;
        emitted_.resize(size_t(until - first_));
        emission_.next(made_, std::span(emitted_).subspan(size_t(made_ - first_)));
        made_ = until;
    }
    void forget_before(long sample) {
        const long gone = std::clamp(sample - first_, 0L, long(emitted_.size()));
        emitted_.erase(emitted_.begin(), emitted_.begin() + gone);
        first_ += gone;
    }

    const Hall& hall_;
    int first_channel_;
    Emission emission_;
    PassageCourse passages_;
    ArrivalStream arrival_;
    std::vector<float> emitted_;  // those that may still arrive
    long first_ = 0;              // of these
    long made_ = 0;               // so many in all
};

// Every way from a centre of the object to a capsule, with what `emit` makes along it.
template <class Emit>
std::vector<SoundingWay> ways_from(const Hall& hall, const SoundingObject& object, const Vec3& centre,
                                   const Emit& emit) {
    std::vector<SoundingWay> ways;
    for (const Ear& ear : hall.ears)
        for (int capsule = 0; capsule < int(ear.post.capsules.rows()); ++capsule)
            for (const Mirror* by : hall.ways) {
                const Way way{ear, capsule, by, *object.path, centre, hall.scene.air};
                ways.emplace_back(hall, way, emit(way));
            }
    return ways;
}

// What one object adds at all listeners, by mechanism.
struct SoundingParts {
    std::vector<SoundingWay> modal, clicks;
    std::vector<std::string> warnings;
};

void warn_near(const Hall& hall, const SoundingObject& object, const std::vector<std::string>& listeners,
               SoundingParts& parts) {
    for (const Ear& ear : hall.ears)
        if (std::ranges::find(listeners, ear.listener->name) != listeners.end())
            parts.warnings.push_back(
                fmt::format("listener \"{}\" is within {} or close to it: its level there is a guess",
                            ear.listener->name, object_named(object.solid->name)));
}

// Oscillators, weighted by how each mode sounds in the direction of the listener.
class RingingEmission {
public:
    RingingEmission(const Hall& hall, const SoundingObject& object, std::vector<Station> stations)
        : object_(object),
          stations_(std::move(stations)),
          exact_(hall.quality == Quality::Reference ? std::numeric_limits<long>::max() : 10),
          high_pass_(object.bank.omega.minCoeff() / (2 * pi) / 4, object.bank.sample_rate_hz),
          signal_(object.bank, object.strikes, object.damping, hall.emitted_frames(),
                  hall.quality == Quality::Reference ? RingingSignal::Precision::Double
                                                     : RingingSignal::Precision::Float) {}

    void next(long first, std::span<float> out) {
        const auto after = [&](long sample) {  // the first station after it
            return std::ranges::upper_bound(stations_, sample, {}, &Station::sample) - stations_.begin();
        };
        const long from = std::max(0L, long(after(first)) - 1);
        const long to = std::min(long(stations_.size()), long(after(first + long(out.size()) - 1)) + 1);
        const std::vector<WeightKnot> weights =
            weights_along(object_, std::span(stations_).subspan(size_t(from), size_t(to - from)), exact_ - from);
        signal_.next(weights, out);
        take_off_deflection(weights, first, out);
    }
    bool over() const {
        return signal_.over() && high_pass_.silent() && std::ranges::all_of(bent_, [](float x) { return x == 0; });
    }

private:
    // Sound comes from acceleration: what a contact bends a mode by while it presses is in q, but is not heard. Below
    // the lowest mode all of it is taken off: p ← p − σ + H σ  (docs/theory/oscillator.md, Eq. 16).
    void take_off_deflection(const std::vector<WeightKnot>& weights, long first, std::span<float> out) {
        const double rate = object_.bank.sample_rate_hz;
        const long end = first + long(out.size());
        bent_.resize(std::max(bent_.size(), out.size()));  // what earlier contacts left over stands at its beginning
        for (const Strike& strike : object_.strikes) {
            const double start = strike.start * rate;
            if (start >= double(end) || (start < double(first) && first > 0)) continue;
            bent_.resize(
                std::max(bent_.size(), size_t(std::max(0.0, start + strike.duration * rate - double(first)) + 2)));
            add_static_deflection(object_.bank, {&strike, 1}, weights, first, bent_);
        }
        for (size_t k = 0; k < out.size(); ++k) out[k] -= bent_[k];
        high_pass_(std::span(bent_).first(out.size()));
        for (size_t k = 0; k < out.size(); ++k) out[k] += bent_[k];
        bent_.erase(bent_.begin(), bent_.begin() + long(out.size()));
    }

    const SoundingObject& object_;
    std::vector<Station> stations_;
    long exact_;  // so many of the stations
    HighPass high_pass_;
    std::vector<float> bent_;
    RingingSignal signal_;
};

void add_ringing(const Hall& hall, const SoundingObject& object, SoundingParts& parts) {
    double first = hall.scene.duration;
    for (const Strike& strike : object.strikes) first = std::min(first, strike.start);
    const StationOptions options{.sample_rate = hall.scene.sample_rate,
                                 .first_sample = long(std::max(0.0, first) * hall.scene.sample_rate),
                                 .samples = hall.emitted_frames(),
                                 .angle = station_angle(object, hall.scene.air, hall.quality)};
    std::vector<std::string> near;
    parts.modal = ways_from(hall, object, object.radiation->centre(), [&](const Way& way) -> Emission {
        std::vector<Station> stations = stations_of(way, options);
        for (const Station& station : stations)
            if (!way.mirror && object.radiation->in_near_field(station.capsule)) near.push_back(way.ear.listener->name);
        const auto ringing = std::make_shared<RingingEmission>(hall, object, std::move(stations));
        return {[ringing](long from, std::span<float> out) { ringing->next(from, out); },
                [ringing] { return ringing->over(); }};
    });
    warn_near(hall, object, near, parts);
}

// Directions in which an object has been heard already. Clicks are short and apart: unlike ringing, they need no smooth
// way from one direction to the next, so that what is known within half a degree, or six after the first hundred of
// them, serves again; far away also at up to twice or half the distance, where pressure follows 1/r.
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
        "listener \"{}\" is {:.2g} m from the centre of {} when that is hit at {:.3g} s, but the click is known "
        "from {:.2g} m on. Move the listener, set \"near_field\": \"clamp\" for it to hear the click as at that "
        "distance (too quiet by the ratio of the distances or more), or set \"acceleration_noise\": false for the "
        "object",
        way.ear.listener->name, distance, object_named(object.solid->name), time, object.noise->reference_radius));
}

// Clicks: each blow changes the body's velocity and spin within its pulse.
class ClickEmission {
public:
    // `near` gets the listener's name for each blow that it hears from too near.
    ClickEmission(const Way& way, const SoundingObject& object, std::vector<std::string>& near)
        : way_(way), object_(object), inertia_(object.body->inertia), directions_(*object.noise) {
        const PreparedNoise& noise = *object.noise;
        for (const Blow& blow : object.blows) {
            const Vec3 listener = capsule_for(way, blow.time);
            const double distance = (listener - noise.centre).norm();
            if (!way.mirror && distance < noise.reference_radius) {
                if (way.ear.listener->near_field == scene::NearField::Refuse)
                    refuse_near(object, way, blow.time, distance);
                near.push_back(way.ear.listener->name);
            }
            known_.push_back(&directions_(listener));
            const double length = double(noise.block_samples) + blow.duration * noise.sample_rate_hz;
            end_ = std::max(end_, long(std::ceil(blow.time * noise.sample_rate_hz + length)) + 1);
        }
    }

    void next(long first, std::span<float> out) {
        std::ranges::fill(out, 0.f);
        made_ = first + long(out.size());
        const PreparedNoise& noise = *object_.noise;
        for (size_t i = 0; i < object_.blows.size(); ++i) {
            const Blow& blow = object_.blows[i];
            const double from = blow.time * noise.sample_rate_hz - double(noise.lead_samples) - 1;
            const double to = from + double(noise.block_samples) + blow.duration * noise.sample_rate_hz + 2;
            if (to < double(first) || from > double(made_)) continue;
            add_click(out, noise, known_[i]->noise, click_of(blow, *known_[i]), first);
        }
    }
    bool over() const { return made_ >= end_; }

private:
    Click click_of(const Blow& blow, const KnownDirections::Known& known) const {
        const ContactBody& body = *object_.body;
        const Vec3 listener = capsule_for(way_, blow.time);
        const double nearer = known.r / std::max((listener - object_.noise->centre).norm(), 1e-9);
        const double part = std::min(nearer, 2.0) / body.mass;
        return {.time = blow.time,
                .duration = blow.duration,
                .shape = blow.shape,
                .velocity_change = part * blow.impulse,
                .spin_change = part * body.mass * inertia_.solve((blow.point - body.centre).cross(blow.impulse)),
                .listener = listener};
    }

    Way way_;
    const SoundingObject& object_;
    Eigen::LDLT<Mat3> inertia_;
    KnownDirections directions_;
    std::vector<const KnownDirections::Known*> known_;  // of each blow
    long end_ = 0, made_ = 0;
};

void add_clicks(const Hall& hall, const SoundingObject& object, SoundingParts& parts) {
    std::vector<std::string> near;
    parts.clicks = ways_from(hall, object, object.noise->centre, [&](const Way& way) -> Emission {
        const auto clicks = std::make_shared<ClickEmission>(way, object, near);
        return {[clicks](long first, std::span<float> out) { clicks->next(first, out); },
                [clicks] { return clicks->over(); }};
    });
    for (const Ear& ear : hall.ears)
        if (std::ranges::find(near, ear.listener->name) != near.end())
            parts.warnings.push_back(fmt::format(
                "listener \"{}\" comes within {:.2g} m of {}: nearer than that, its click is heard as at this "
                "distance, too quiet by the ratio of the distances or more",
                ear.listener->name, object.noise->reference_radius, object_named(object.solid->name)));
}

SoundingParts parts_of(const Hall& hall, const SoundingObject& object) {
    SoundingParts parts;
    if (!object.strikes.empty() && !object.kept.empty()) add_ringing(hall, object, parts);
    if (!object.blows.empty() && object.noise) add_clicks(hall, object, parts);
    return parts;
}

// The sum over some ways in one window; nothing where there are none.
Audio heard_along(const Hall& hall, std::vector<SoundingWay>& ways, long begin, long frames) {
    if (ways.empty()) return {};
    Audio audio = silence(hall.scene.sample_rate, hall.channels, frames);
    for (SoundingWay& way : ways) way.add_to(audio, begin);
    return audio;
}

// One object under way: its parts, and where its stems go.
struct Playing {
    SoundingParts parts;
    AddSound modal_stem, click_stem;  // none: not asked for
    Audio modal, clicks;              // of this window
};

void play_window(const Hall& hall, std::vector<Playing>& playing, long begin, long frames, const AddSound& mix) {
    parallel_for(long(playing.size()), [&](long i) {
        Playing& one = playing[i];
        one.modal = heard_along(hall, one.parts.modal, begin, frames);
        one.clicks = heard_along(hall, one.parts.clicks, begin, frames);
    });
    for (Playing& one : playing)
        for (const auto& [audio, stem] :
             {std::pair{&one.modal, &one.modal_stem}, std::pair{&one.clicks, &one.click_stem}}) {
            if (audio->frames() == 0) continue;
            if (!audio->samples.allFinite())
                throw Error("the sound is not finite: please report this scene", Blame::Work);
            mix(begin, audio->samples);
            if (*stem) (*stem)(begin, audio->samples);
        }
}

}  // namespace

Rendered synthesize(const Scene& scene, const Baked& baked, const Motion& motion, const SynthesisOptions& options,
                    const SoundSinks& sinks, const Progress& progress) {
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
    const AddSound mix = sinks.open(hall.channels, hall.frames());

    // So many objects at a time: each has its own channels, which are added in the order of the objects.
    constexpr long batch = 16;
    const long count = long(objects.size()), frames = hall.frames();
    CLANGOR_ASSERT(options.window_frames > 0 && options.window_frames % Resonators::block_samples == 0,
                   "windows are whole blocks");
    for (long begin = 0; begin < count; begin += batch) {
        progress("sound", double(begin) / double(count));
        const long size = std::min(batch, count - begin);
        std::vector<Playing> playing(static_cast<size_t>(size));
        parallel_for(size, [&](long i) { playing[i].parts = parts_of(hall, objects[begin + i]); });
        for (long i = 0; i < size; ++i) {
            const SoundingObject& object = objects[begin + i];
            Playing& one = playing[i];
            rendered.warnings.insert(rendered.warnings.end(), one.parts.warnings.begin(), one.parts.warnings.end());
            if (!sinks.stem) continue;
            one.modal_stem = sinks.stem(object.solid->name + ".modal", hall.channels, frames);
            if (object.noise || !one.parts.clicks.empty())
                one.click_stem = sinks.stem(object.solid->name + ".acceleration", hall.channels, frames);
        }
        for (long from = 0; from < frames; from += options.window_frames) {
            progress("sound", (double(begin) + double(size) * double(from) / double(frames)) / double(count));
            play_window(hall, playing, from, std::min(options.window_frames, frames - from), mix);
        }
    }
    progress("sound", 1);
    rendered.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return rendered;
}

Rendered synthesize(const Scene& scene, const Baked& baked, const Motion& motion, const SynthesisOptions& options,
                    const Progress& progress) {
    Audio audio;
    std::deque<Stem> stems;  // its elements stay where they are
    const auto add_to = [](Audio& whole) -> AddSound {
        return [&whole](long begin, const Samples& samples) {
            whole.samples.middleCols(begin, samples.cols()) += samples;
        };
    };
    SoundSinks sinks;
    sinks.open = [&](const std::vector<std::string>& channels, long frames) {
        audio = silence(scene.sample_rate, channels, frames);
        return add_to(audio);
    };
    if (options.stems)
        sinks.stem = [&](const std::string& name, const std::vector<std::string>& channels, long frames) {
            stems.push_back({name, silence(scene.sample_rate, channels, frames)});
            return add_to(stems.back().audio);
        };
    Rendered rendered = synthesize(scene, baked, motion, options, sinks, progress);
    rendered.audio = std::move(audio);
    rendered.stems.assign(std::make_move_iterator(stems.begin()), std::make_move_iterator(stems.end()));
    return rendered;
}

}  // namespace clangor
