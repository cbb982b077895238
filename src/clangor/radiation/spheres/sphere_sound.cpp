// Millions of collisions at one listener.
#include <clangor/radiation/spheres/gridding.hpp>
#include <clangor/radiation/spheres/push_response.hpp>
#include <clangor/radiation/spheres/spectra.hpp>
#include <clangor/radiation/spheres/spheres.hpp>
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <utility>

namespace clangor {
namespace {

using spheres::Bands;
using spheres::GriddingKernel;
using spheres::Lanes;
using spheres::NodeWeights;

constexpr long oversampling = 2;  // of the grid that pulses are written to

// Later samples than this have no number; what is heard then is lost.
constexpr double last_place = 1e15;

// One ball of one collision, as it is heard.
struct Pulse {
    double place;          // when its middle arrives [samples]
    float delta, doublet;  // [Pa·s] and [Pa·s per sample of the grid]
    float duration_place, radius_place;
};

long floor_of(double x) { return static_cast<long>(std::floor(x)); }
long floor_division(long a, long b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

struct SphereSound::Stream {
    Stream(const SphereSoundOptions& given, long first) : options(given), bands(given), next(first) {
        next_window = floor_division(first + bands.margin - bands.samples, bands.hop()) + 1;
    }

    SphereSoundOptions options;
    Bands bands;
    std::map<long, std::vector<Pulse>> waiting;  ///< by the window in which they arrive
    std::vector<float> sums;                     ///< of finished windows, from sample `next` on
    long next = 0;                               ///< the sample that is taken next
    long next_window = 0;                        ///< those before it are in the sums
    SphereSoundCount count;

    void hear(const SphereCollision& collision, std::vector<Pulse>& pulses, SphereSoundCount& counted) const;
    void finish_windows(long end);
    std::vector<float> take(long end);
    long first_sample(long window) const { return window * bands.hop() - bands.margin; }
};

namespace {

// The pulses of one window on a grid for each node that one of them lies next to.
class WindowGrids {
public:
    explicit WindowGrids(const Bands& bands) : bands_(bands), slots_(bands.nodes(), -1) {}

    void add(const Pulse& pulse, double first_sample) {
        const double cell = (pulse.place - first_sample) * oversampling, whole = std::floor(cell);
        Lanes lanes;
        kernel_.write(cell - whole, pulse.delta, pulse.doublet, lanes);
        const auto start = static_cast<std::size_t>(whole) - GriddingKernel::points_before;
        const NodeWeights radius = bands_.radii.weights(pulse.radius_place);
        const NodeWeights duration = bands_.durations.weights(pulse.duration_place);
        for (int i = 0; i < 4; ++i) {
            if (radius.weights[static_cast<std::size_t>(i)] == 0) continue;
            for (int j = 0; j < 4; ++j) {
                const float weight =
                    radius.weights[static_cast<std::size_t>(i)] * duration.weights[static_cast<std::size_t>(j)];
                if (weight == 0) continue;
                float* const at = grid(bands_.node(radius.first + i, duration.first + j)) + start;
                Lanes sum;
                std::memcpy(&sum, at, sizeof sum);
                sum += lanes * weight;
                std::memcpy(at, &sum, sizeof sum);
            }
        }
    }

    // Each grid shaped by its node's spectrum; of the sum the lower half, at the sample rate of the sound.
    std::vector<float> sound() const {
        const RealFourier<float> fine(bands_.samples * oversampling), coarse(bands_.samples);
        std::vector<std::complex<float>> bins(static_cast<std::size_t>(fine.bins()));
        std::vector<std::complex<float>> sum(static_cast<std::size_t>(coarse.bins()));
        for (std::size_t slot = 0; slot < grids_.size(); ++slot) {
            fine.forward(grids_[slot], bins);
            const std::vector<std::complex<float>>& shape = bands_.spectrum(used_[slot]);
            for (std::size_t k = 0; k < sum.size(); ++k)
                sum[k] += std::complex<float>(bins[k].real() * shape[k].real() - bins[k].imag() * shape[k].imag(),
                                              bins[k].real() * shape[k].imag() + bins[k].imag() * shape[k].real());
        }
        std::vector<float> samples(static_cast<std::size_t>(bands_.samples));
        coarse.inverse(sum, samples);
        return samples;
    }

private:
    float* grid(std::size_t node) {
        int& slot = slots_[node];
        if (slot < 0) {
            slot = static_cast<int>(grids_.size());
            used_.push_back(node);
            grids_.emplace_back(static_cast<std::size_t>(bands_.samples * oversampling));
        }
        return grids_[static_cast<std::size_t>(slot)].data();
    }

    const Bands& bands_;
    const GriddingKernel& kernel_ = GriddingKernel::of();
    std::vector<int> slots_;  ///< of each node, −1 where it has no grid
    std::vector<std::size_t> used_;
    std::vector<std::vector<float>> grids_;
};

}  // namespace

// docs/theory/grain-sound.md, Eq. 7: amounts of δ′ and δ, over the time of emission from the centre
void SphereSound::Stream::hear(const SphereCollision& collision, std::vector<Pulse>& pulses,
                               SphereSoundCount& counted) const {
    const Air& air = options.air;
    const double loudest = loudest_pressure(collision, options.listener, air, options.shape);
    counted.loudest = std::max(counted.loudest, loudest);
    if (!(loudest > 0) || loudest < options.threshold) {
        ++counted.quiet;
        return;
    }
    ++counted.heard;
    const double rate = options.sample_rate_hz, c = air.speed_of_sound;
    const float duration_place = bands.durations.place(collision.duration);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto [a, r, push] = spheres::heard_ball(collision, i, options.listener);
        if (!(a > 0)) continue;
        const double delta = air.density * cube(a) * push / (2 * r * r);
        pulses.push_back({.place = (collision.time + collision.duration / 2 + r / c) * rate,
                          .delta = static_cast<float>(delta),
                          .doublet = static_cast<float>(delta * r / c * oversampling * rate),
                          .duration_place = duration_place,
                          .radius_place = bands.radii.place(a)});
    }
}

void SphereSound::Stream::finish_windows(long end) {
    constexpr std::size_t together = 64;
    while (!waiting.empty() && waiting.begin()->first < end) {
        std::vector<std::pair<long, std::vector<Pulse>>> batch;
        while (!waiting.empty() && waiting.begin()->first < end && batch.size() < together) {
            batch.emplace_back(waiting.begin()->first, std::move(waiting.begin()->second));
            waiting.erase(waiting.begin());
        }
        std::vector<std::vector<float>> sounds(batch.size());
        parallel_for(std::ssize(batch), [&](long i) {
            const auto& [window, pulses] = batch[static_cast<std::size_t>(i)];
            WindowGrids grids(bands);
            for (const Pulse& pulse : pulses) grids.add(pulse, static_cast<double>(first_sample(window)));
            sounds[static_cast<std::size_t>(i)] = grids.sound();
        });
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const long begin = first_sample(batch[i].first) - next;
            if (std::ssize(sums) < begin + bands.samples) sums.resize(static_cast<std::size_t>(begin + bands.samples));
            for (long k = std::max(0L, -begin); k < bands.samples; ++k)
                sums[static_cast<std::size_t>(begin + k)] += sounds[i][static_cast<std::size_t>(k)];
        }
    }
    next_window = std::max(next_window, end);
}

std::vector<float> SphereSound::Stream::take(long end) {
    const auto length = static_cast<std::size_t>(std::max(0L, end - next));
    if (sums.size() < length) sums.resize(length);
    const auto cut = sums.begin() + static_cast<std::ptrdiff_t>(length);
    std::vector<float> taken(sums.begin(), cut);
    sums.erase(sums.begin(), cut);
    next += static_cast<long>(length);
    return taken;
}

SphereSound::SphereSound(const SphereSoundOptions& options, long first)
    : stream_(std::make_unique<Stream>(options, first)) {
    CLANGOR_ASSERT(options.sample_rate_hz > 0 && options.threshold >= 0 && options.listener.allFinite(),
                   "a listener and a sample rate");
}
SphereSound::~SphereSound() = default;
SphereSound::SphereSound(SphereSound&&) noexcept = default;
SphereSound& SphereSound::operator=(SphereSound&&) noexcept = default;

void SphereSound::add(std::span<const SphereCollision> collisions) {
    constexpr long chunk = 4096;
    const long chunks = (std::ssize(collisions) + chunk - 1) / chunk;
    std::vector<std::vector<Pulse>> heard(static_cast<std::size_t>(chunks));
    std::vector<SphereSoundCount> counts(static_cast<std::size_t>(chunks));
    parallel_for(chunks, [&](long i) {
        const auto begin = static_cast<std::size_t>(i * chunk);
        const std::size_t count = std::min<std::size_t>(chunk, collisions.size() - begin);
        std::vector<Pulse>& pulses = heard[static_cast<std::size_t>(i)];
        pulses.reserve(2 * count);
        for (const SphereCollision& collision : collisions.subspan(begin, count))
            stream_->hear(collision, pulses, counts[static_cast<std::size_t>(i)]);
    });
    const auto hop = static_cast<double>(stream_->bands.hop());
    for (long i = 0; i < chunks; ++i) {
        const SphereSoundCount& counted = counts[static_cast<std::size_t>(i)];
        stream_->count.heard += counted.heard;
        stream_->count.quiet += counted.quiet;
        stream_->count.loudest = std::max(stream_->count.loudest, counted.loudest);
        for (const Pulse& pulse : heard[static_cast<std::size_t>(i)]) {
            if (!(std::abs(pulse.place) < last_place)) continue;
            const long window = floor_of(pulse.place / hop);
            if (window >= stream_->next_window) stream_->waiting[window].push_back(pulse);
        }
    }
}

// Sound arrives after it is made: windows that end before `time` are complete.
std::vector<float> SphereSound::take_before(double time) {
    const double rate = stream_->options.sample_rate_hz;
    const long end = floor_of(time * rate / static_cast<double>(stream_->bands.hop()));
    if (end <= stream_->next_window) return {};
    stream_->finish_windows(end);
    return stream_->take(stream_->first_sample(end));
}

std::vector<float> SphereSound::take_until(long sample) {
    const Bands& bands = stream_->bands;
    // the first window that begins at this sample or later
    stream_->finish_windows(floor_division(sample + bands.margin - 1, bands.hop()) + 1);
    return stream_->take(sample);
}

SphereSoundCount SphereSound::count() const { return stream_->count; }

SphereSoundResult sphere_sound(std::span<const SphereCollision> collisions, const SphereSoundOptions& options,
                               double duration) {
    SphereSound sound(options);
    sound.add(collisions);
    std::vector<float> pressure = sound.take_until(std::lround(duration * options.sample_rate_hz));
    return {std::move(pressure), sound.count()};
}

}  // namespace clangor
