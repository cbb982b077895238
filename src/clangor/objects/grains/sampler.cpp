// Collisions drawn anew   docs/theory/grain-sound.md, section 5.
#include <clangor/objects/grains/sampler.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace clangor {

std::vector<DrawnEncounter> Sampler::take_before(double time) {
    // Moments of a quarter of a millisecond, and the numbers of the run: low frequencies stay as they are, within 2 dB.
    DensityOptions options{.moments = 80, .poisson = false};
    const double end = std::floor(time / options.window) * options.window;
    const auto rest = std::stable_partition(recorded_.begin(), recorded_.end(),
                                            [end](const Encounter& encounter) { return encounter.time < end; });
    const std::vector<Encounter> whole(recorded_.begin(), rest);
    recorded_.erase(recorded_.begin(), rest);
    for (const Encounter& encounter : whole) options.kinds = std::max(options.kinds, encounter.kind + 1);
    std::vector<DrawnEncounter> encounters;
    for (const Encounter& encounter : drawn(local_densities(whole, options), options, seed_)) {
        Random random = Random(seed_).child(std::bit_cast<std::uint64_t>(encounter.time));
        encounters.push_back({encounter, {random.uniform(), random.uniform()}});
    }
    return encounters;
}

}  // namespace clangor
