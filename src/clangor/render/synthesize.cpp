// From motion to the pressure at each listener.
#include <clangor/render/delay_curves.hpp>
#include <clangor/render/excite.hpp>
#include <clangor/render/mallet_clicks.hpp>
#include <clangor/render/move.hpp>
#include <clangor/render/placed_listeners.hpp>
#include <clangor/render/placed_strikes.hpp>
#include <clangor/render/render.hpp>

#include <clangor/signal/signal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <span>

namespace clangor {
namespace {

// Everything that the parts of a rendering share.
struct Hall {
    const Scene& scene;
    std::vector<PlacedListener> listeners;
    std::vector<const Reflector*> reflectors;  // none (null): the direct path, and by the floor
    std::vector<std::string> channels;

    long frames() const { return std::lround(scene.duration * scene.sample_rate); }
    long emitted_frames() const { return frames() + std::lround(lookahead * scene.sample_rate); }
};

// One path from an emitter to a capsule, with the sound that is under way.
class PathSound {
public:
    PathSound(const Hall& hall, const SoundPath& path, Emission emission)
        : hall_(hall),
          emission_(std::move(emission)),
          curves_(path, hall.scene.duration + lookahead),
          arrival_(path.listener.array, path.capsule,
                   {hall.scene.sample_rate, hall.emitted_frames(), path.reflector ? path.reflector->reflection : 1.0,
                    hall.scene.air.speed_of_sound}) {}

    // Adds to the next window, whose channels are the listener's.
    void add_to(Audio& window, long begin) {
        const double rate = hall_.scene.sample_rate;
        const ArrivalStream::Needs needs = arrival_.needs();
        const long end = begin + window.frames();
        emit_until(end + needs.frames_after + read_between_reach);
        const bool silent = std::ranges::all_of(emitted_, [](float sample) { return sample == 0; });
        if (!silent || !arrival_.at_rest()) {
            const bool over = made_ == hall_.emitted_frames() || emission_.over();
            arrival_.add(
                window, 0, begin, {first_, emitted_, over},
                curves_.between(double(begin - needs.frames_before) / rate, double(end + needs.frames_after) / rate));
        }
        const double delay = (curves_.longest_delay() + needs.more_delay) * rate;
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
    Emission emission_;
    DelayCurves curves_;
    ArrivalStream arrival_;
    std::vector<float> emitted_;  // those that may still arrive
    long first_ = 0;              // of these
    long made_ = 0;               // so many in all
};

// What motion and strikes do to each object, and then to each mallet.
std::vector<Excitation> excitations_of(const Scene& scene, const Baked& baked, const Motion& motion,
                                       const std::vector<PlacedStrike>& strikes, Rendered& rendered) {
    std::vector<ContactBody> bodies;
    for (const SoundingObject& object : baked.objects) bodies.push_back(contact_body(object));
    MalletImpacts by_mallets = mallet_impacts(scene, strikes, int(bodies.size()));
    bodies.insert(bodies.end(), by_mallets.mallets.begin(), by_mallets.mallets.end());
    std::vector<Excitation> excitations = excite(motion, bodies,
                                                 {.duration = scene.duration + lookahead,
                                                  .sample_rate = scene.sample_rate,
                                                  .roughness = scene.motion.roughness,
                                                  .contact_damping = scene.motion.contact_damping,
                                                  .gravity = scene.motion.gravity.norm(),
                                                  .seed = scene.seed,
                                                  .pairs = pairs_of(scene),
                                                  .strikes = std::move(by_mallets.impacts)},
                                                 rendered.warnings);
    add_given(scene, strikes, baked.objects, excitations);
    for (size_t i = 0; i < baked.objects.size(); ++i) excitations[i].path = &motion.bodies[i];
    rendered.impacts += std::ssize(strikes) + impacts_until(motion, scene.duration);
    return excitations;
}

// An emitter of an object, under way to all listeners.
struct PlayingEmitter {
    std::string object;
    Emitter emitter;
    AddSound stem = {};  // none: not asked for
    std::vector<SoundPath> paths = {};
    std::vector<std::optional<PathSound>> sounds = {};  // of each path
    std::vector<Audio> windows = {};                    // likewise
};

std::vector<PlayingEmitter> emitters_of(const Hall& hall, const Baked& baked, const Motion& motion,
                                        const SynthesisOptions& options, Rendered& rendered) {
    const std::vector<PlacedStrike> strikes = placed_strikes(hall.scene, baked.objects);
    std::vector<Excitation> excitations = excitations_of(hall.scene, baked, motion, strikes, rendered);
    const EmissionContext context{.sample_rate = hall.scene.sample_rate,
                                  .duration = hall.scene.duration,
                                  .frames = hall.emitted_frames(),
                                  .air = hall.scene.air,
                                  .settings = settings_of(options.quality)};
    std::vector<PlayingEmitter> playing;
    for (size_t i = 0; i < baked.objects.size(); ++i) {
        const SoundingObject& object = baked.objects[i];
        if (!object.emitters) continue;
        for (Emitter& emitter : object.emitters(std::move(excitations[i]), context, rendered.warnings))
            playing.push_back({.object = object.name, .emitter = std::move(emitter)});
    }
    const std::span<const Excitation> mallets = std::span(excitations).subspan(baked.objects.size());
    for (MalletEmitter& one : mallet_emitters(strikes, mallets, motion, context))
        playing.push_back({.object = baked.objects[size_t(one.object)].name, .emitter = std::move(one.emitter)});
    return playing;
}

// Every path from an emitter to a capsule.
std::vector<SoundPath> paths_from(const Hall& hall, const Emitter& emitter) {
    std::vector<SoundPath> paths;
    if (!emitter.emission) return paths;
    for (const PlacedListener& listener : hall.listeners)
        for (int capsule = 0; capsule < int(listener.array.capsules.rows()); ++capsule)
            for (const Reflector* reflector : hall.reflectors)
                paths.push_back({listener, capsule, reflector, *emitter.path, emitter.centre, hall.scene.air});
    return paths;
}

// So many emitters at a time that there is enough to do for many cores, and that what is under way fits into memory.
size_t batch_size(const Hall& hall, std::span<const PlayingEmitter> emitters) {
    constexpr size_t most = 128;
    size_t size = 0;
    for (size_t paths = 0; size < emitters.size() && (size == 0 || paths < most); ++size)
        paths += paths_from(hall, emitters[size].emitter).size();
    return size;
}

// (emitter, path): all that there is to do, in any order and on any core.
struct Job {
    PlayingEmitter& emitter;
    size_t path;
};

std::vector<Job> jobs_of(std::span<PlayingEmitter> batch) {
    std::vector<Job> jobs;
    for (PlayingEmitter& emitter : batch)
        for (size_t path = 0; path < emitter.paths.size(); ++path) jobs.push_back({emitter, path});
    return jobs;
}

void start(const Hall& hall, std::span<PlayingEmitter> batch, std::vector<std::string>& warnings) {
    for (PlayingEmitter& emitter : batch) {
        emitter.paths = paths_from(hall, emitter.emitter);
        emitter.sounds.resize(emitter.paths.size());
        emitter.windows.resize(emitter.paths.size());
    }
    const std::vector<Job> jobs = jobs_of(batch);
    std::vector<char> is_near(jobs.size());
    parallel_for(long(jobs.size()), [&](long j) {
        const Job& job = jobs[j];
        const SoundPath& path = job.emitter.paths[job.path];
        Emission emission = job.emitter.emitter.emission(path);
        is_near[j] = emission.is_near;
        job.emitter.sounds[job.path].emplace(hall, path, std::move(emission));
    });
    for (PlayingEmitter& emitter : batch)
        for (const PlacedListener& listener : hall.listeners) {
            bool warn = false;
            for (size_t j = 0; j < jobs.size(); ++j)
                warn = warn || (is_near[j] && &jobs[j].emitter == &emitter &&
                                &emitter.paths[jobs[j].path].listener == &listener);
            if (warn)
                warnings.push_back(
                    fmt::format("listener \"{}\" {}", listener.listener->name, emitter.emitter.near_warning));
        }
}

// Paths sound each by itself, and are added up in their order: the same bytes for any number of threads.
void play_window(const Hall& hall, std::span<PlayingEmitter> batch, long begin, long frames, const AddSound& mix) {
    const std::vector<Job> jobs = jobs_of(batch);
    parallel_for(long(jobs.size()), [&](long j) {
        const auto& [emitter, k] = jobs[j];
        const PlacedListener& listener = emitter.paths[k].listener;
        emitter.windows[k] = silence(hall.scene.sample_rate, listener.array.channels, frames);
        emitter.sounds[k]->add_to(emitter.windows[k], begin);
    });
    for (PlayingEmitter& emitter : batch) {
        if (emitter.paths.empty()) continue;
        Audio audio = silence(hall.scene.sample_rate, hall.channels, frames);
        for (size_t k = 0; k < emitter.paths.size(); ++k) {
            const int first = emitter.paths[k].listener.first_channel;
            audio.samples.middleRows(first, emitter.windows[k].samples.rows()) += emitter.windows[k].samples;
            emitter.windows[k] = {};
        }
        if (!audio.samples.allFinite()) throw Error("the sound is not finite: please report this scene", Blame::Work);
        mix(begin, audio.samples);
        if (emitter.stem) emitter.stem(begin, audio.samples);
    }
}

}  // namespace

Rendered synthesize(const Scene& scene, const Baked& baked, const Motion& motion, const SynthesisOptions& options,
                    const SoundSinks& sinks, const Progress& progress) {
    const Stopwatch watch;
    Rendered rendered;
    progress("forces", 0);
    Hall hall{scene, placed_listeners(scene, motion, rendered.warnings), {nullptr}, {}};
    for (const SoundingObject& object : baked.objects)
        if (object.reflector && object.reflector->reflection > 0) hall.reflectors.push_back(&*object.reflector);
    for (const PlacedListener& listener : hall.listeners) {
        const std::vector<std::string>& channels = listener.array.channels;
        hall.channels.insert(hall.channels.end(), channels.begin(), channels.end());
        rendered.listeners.push_back({listener.listener->name, listener.first_channel, int(channels.size())});
    }
    std::vector<PlayingEmitter> emitters = emitters_of(hall, baked, motion, options, rendered);
    const AddSound mix = sinks.open(hall.channels, hall.frames());
    std::map<std::string, AddSound> stems;  // emitters of one object and mechanism share one

    const size_t count = emitters.size();
    const long frames = hall.frames();
    CLANGOR_ASSERT(options.window_frames > 0 && options.window_frames % Resonators::block_samples == 0,
                   "windows are whole blocks");
    for (size_t first = 0, size = 0; first < count; first += size) {
        progress("sound", double(first) / double(count));
        size = batch_size(hall, std::span(emitters).subspan(first));
        const std::span now = std::span(emitters).subspan(first, size);
        start(hall, now, rendered.warnings);
        for (PlayingEmitter& emitter : now)
            if (sinks.stem) {
                const std::string name = fmt::format("{}.{}", emitter.object, emitter.emitter.mechanism);
                if (!stems.contains(name)) stems[name] = sinks.stem(name, hall.channels, frames);
                emitter.stem = stems[name];
            }
        for (long from = 0; from < frames; from += options.window_frames) {
            progress("sound", (double(first) + double(now.size()) * double(from) / double(frames)) / double(count));
            play_window(hall, now, from, std::min(options.window_frames, frames - from), mix);
        }
        for (PlayingEmitter& emitter : now) {
            emitter.sounds.clear();
            if (emitter.emitter.account) rendered.accounts.emplace_back(emitter.object, emitter.emitter.account());
            emitter.emitter.emission = {};  // and all that it holds
            emitter.emitter.account = {};
        }
    }
    for (const auto& [object, account] : rendered.accounts)
        rendered.warnings.insert(rendered.warnings.end(), account.warnings.begin(), account.warnings.end());
    progress("sound", 1);
    rendered.seconds = watch.seconds();
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
