#include <clangor/objects/ground/floor_sound.hpp>

#include <clangor/signal/signal.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace clangor {
namespace {

// Forces within such a square of the floor share an emitter: its centre is where heads and ambisonic microphones hear
// them from. Delays and levels are those of each force itself [m].
constexpr double cell_size = 0.25;

// Nearer than this to a force its level is a guess, and from the second distance on it grows no more [m].
constexpr double known_from = 0.3, nearest = 0.05;

// Slow bending waves that pass below a listener come so much later than sound [s].
constexpr double longest_tail = 0.02;

// Forces of one place use one response again: of the first hundred those within a thousandth of their distance, later
// ones within three hundredths. None does at reference quality.
constexpr long first_forces = 100;
constexpr double same_place = 1e-3, like_place = 0.03;

// A force begins so long after the block that it fills.
constexpr long quiet_samples = 64;

using Spectrum = std::vector<std::complex<float>>;

/// What a square of the floor feels.
struct Knocks {
    ThinPlate plate = {};
    std::vector<ContactPulse> pulses = {};  ///< by time
    double rate_hz = 48000;
    Air air = {};
    bool reuses = true;
};

// 1 up to 0.42 of the sample rate, falling to 0 at half of it: what comes later reads between the samples.
double band_edge(double share) {
    return share < 0.42 ? 1 : share >= 0.5 ? 0 : 0.5 + 0.5 * std::cos(pi * (share - 0.42) / 0.08);
}

/// pulse_spectrum of PulseShape::Hertz from a table, to 1e-5.
double hertz_spectrum(double cycles) {
    constexpr int steps = 64, last = 48;  // its size there: 1e-4 of a falling power
    static const std::vector<double> table = [] {
        std::vector<double> values;
        for (int k = 0; k <= steps * last + 1; ++k)
            values.push_back(pulse_spectrum(PulseShape::Hertz, double(k) / steps));
        return values;
    }();
    if (cycles >= last) return 0;
    const double at = cycles * steps;
    const long k = long(at);
    return table[k] + (at - double(k)) * (table[k + 1] - table[k]);
}

/// One force on its way to the listener.
struct Heard {
    PlateListener place = {};
    double distance = 0;  ///< R [m]
    double middle = 0;    ///< of the pulse, over emission time [s]
    double duration = 0;  ///< [s]
    double impulse = 0;   ///< pressing down [N·s]
    long first = 0;       ///< sample of the block that it fills
    long samples = 0;     ///< of it, a power of two
    const Spectrum* response = nullptr;
};

// The air's push on the whole sheet fades over tens of milliseconds, 60 dB below the knock: what of that lasts longer
// than the block would come round to its beginning. There is silence before the force, so that it is known, and taken
// off; the last samples are faded out.
void settle(std::span<float> block, long fade) {
    float before = 0;
    for (long k = 0; k < quiet_samples / 2; ++k) before += block[k] / float(quiet_samples / 2);
    for (float& sample : block) sample -= before;
    for (long k = 1; k <= fade; ++k)
        block[block.size() - size_t(k)] *= float(0.5 - 0.5 * std::cos(pi * double(k) / double(fade)));
}

class KnockStream {
public:
    KnockStream(std::shared_ptr<const Knocks> knocks, const SoundPath& path) : knocks_(std::move(knocks)) {
        const double c = path.air.speed_of_sound, rate = knocks_->rate_hz;
        for (const ContactPulse& pulse : knocks_->pulses) {
            const Vec3 listener = capsule_for(path, pulse.start), arm = listener - pulse.point;
            Heard heard{.place = {std::hypot(arm.x(), arm.z()), arm.y()},
                        .distance = arm.norm(),
                        .duration = pulse.duration,
                        .impulse = -pulse.impulse.y()};
            is_near_ = is_near_ || heard.distance < known_from;
            if (heard.distance < nearest) heard.place = {0, heard.distance = nearest};
            const double earlier = ((listener - path.centre).norm() - heard.distance) / c;
            heard.middle = pulse.start + pulse.duration / 2 - earlier;
            // Bending waves that are faster than sound begin when the force does.
            const double lead = heard.distance / c + pulse.duration / 2 + double(quiet_samples) / rate;
            heard.first = long(std::floor((heard.middle - lead) * rate));
            heard.samples = power_of_two((lead + pulse.duration / 2 + longest_tail) * rate);
            heard.response = &response_at(heard);
            end_ = std::max(end_, heard.first + heard.samples);
            heard_.push_back(heard);
        }
    }

    void next(long first, std::span<float> out) {
        std::ranges::fill(out, 0.f);
        made_ = first + long(out.size());
        for (const Heard& heard : heard_) {
            if (heard.first >= made_ || heard.first + heard.samples <= first) continue;
            const std::vector<float> block = block_of(heard);
            const long from = std::max(first, heard.first), to = std::min(made_, heard.first + heard.samples);
            for (long k = from; k < to; ++k) out[k - first] += block[k - heard.first];
        }
    }
    bool over() const { return made_ >= end_; }
    bool is_near() const { return is_near_; }

private:
    struct Known {
        PlateListener place = {};
        std::unique_ptr<const Spectrum> response = {};
    };

    const Spectrum& response_at(const Heard& heard) {
        const double tolerance = !knocks_->reuses ? 0 : asked_++ < first_forces ? same_place : like_place;
        std::vector<Known>& known = known_[heard.samples];
        for (const Known& one : known)
            if (std::hypot(one.place.across - heard.place.across, one.place.above - heard.place.above) <=
                tolerance * heard.distance)
                return *one.response;
        const long bins = heard.samples / 2 + 1;
        auto response = std::make_unique<Spectrum>(size_t(bins));
        for (long j = 0; j < bins; ++j) {
            const double share = double(j) / double(heard.samples), edge = band_edge(share);
            if (edge > 0)
                (*response)[j] =
                    std::complex<float>(edge * point_force_response(knocks_->plate, knocks_->air,
                                                                    2 * pi * share * knocks_->rate_hz, heard.place));
        }
        known.push_back({heard.place, std::move(response)});
        return *known.back().response;
    }

    // p = −ρ₀F/(2πR m') · N, over the block   docs/theory/floor.md, Eq. 13
    std::vector<float> block_of(const Heard& heard) {
        const long n = heard.samples;
        const double rate = knocks_->rate_hz;
        const double scale =
            -knocks_->air.density * heard.impulse * rate / (2 * pi * heard.distance * knocks_->plate.mass * double(n));
        const double late = heard.middle * rate - double(heard.first);  // of the pulse's middle, in samples
        const std::complex<double> step = std::polar(1.0, -2 * pi * late / double(n));
        std::complex<double> turn = scale;
        Spectrum spectrum(size_t(n / 2 + 1));
        for (long j = 0; j <= n / 2; ++j) {
            if (j % 64 == 0) turn = std::polar(scale, -2 * pi * late * double(j) / double(n));
            const double size = hertz_spectrum(double(j) / double(n) * rate * heard.duration);
            spectrum[j] = std::complex<float>(size * turn) * (*heard.response)[j];
            turn *= step;
        }
        spectrum.back() = spectrum.back().real();
        std::vector<float> block(static_cast<size_t>(n));
        fourier(n).inverse(spectrum, block);
        settle(block, std::lround(longest_tail / 2 * rate));
        return block;
    }

    const RealFourier<float>& fourier(long size) { return fourier_.try_emplace(size, size).first->second; }

    std::shared_ptr<const Knocks> knocks_;
    std::vector<Heard> heard_;
    std::map<long, std::vector<Known>> known_;  // by the number of samples
    std::map<long, RealFourier<float>> fourier_;
    long asked_ = 0, made_ = 0, end_ = 0;
    bool is_near_ = false;
};

// The floor's own waves reach the listener by themselves: none of them comes back to it.
Emission silent_emission() {
    return {.next = [](long, std::span<float> out) { std::ranges::fill(out, 0.f); }, .over = [] { return true; }};
}

}  // namespace

std::vector<Emitter> floor_emitters(const std::string& name, const ThinPlate& plate, Excitation excitation,
                                    const EmissionContext& context) {
    std::map<std::pair<long, long>, std::vector<ContactPulse>> cells;
    for (ContactPulse& pulse : excitation.pulses)
        if (pulse.impulse.y() < 0)  // who presses; nobody pulls
            cells[{std::lround(pulse.point.x() / cell_size), std::lround(pulse.point.z() / cell_size)}].push_back(
                pulse);
    std::vector<Emitter> emitters;
    for (auto& [cell, pulses] : cells) {
        Emitter emitter{.mechanism = "plate",
                        .path = excitation.path,
                        .centre = {cell_size * double(cell.first), 0, cell_size * double(cell.second)}};
        emitter.near_warning = fmt::format("comes within {:g} m of where {} is hit: its level there is a guess",
                                           known_from, object_named(name));
        auto knocks = std::make_shared<const Knocks>(Knocks{.plate = plate,
                                                            .pulses = std::move(pulses),
                                                            .rate_hz = context.sample_rate,
                                                            .air = context.air,
                                                            .reuses = context.settings.click_angle > 0});
        emitter.emission = [knocks = std::move(knocks)](const SoundPath& path) -> Emission {
            if (path.reflector) return silent_emission();
            const auto stream = std::make_shared<KnockStream>(knocks, path);
            return {.next = [stream](long first, std::span<float> out) { stream->next(first, out); },
                    .over = [stream] { return stream->over(); },
                    .is_near = stream->is_near()};
        };
        emitters.push_back(std::move(emitter));
    }
    return emitters;
}

}  // namespace clangor
