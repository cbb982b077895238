// What sliding and rolling do to a body: many small impacts of the surface's unevenness.
#include <clangor/motion/contact/contact.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// A surface that looks smooth, chosen by ear and by what is known of turned and glazed ones: bumps about half a
// millimetre apart whose flanks rise by two in a hundred.
constexpr double spacing = 5e-4;  // [m]
constexpr double slope = 0.02;

// Faster than this, bumps follow each other within one contact: they no longer sound apart.
constexpr double most_per_second = 2e4;

}  // namespace

// A body of radius 1/κ that rests on one summit and tips over to the next, s further on, turns by sκ as it goes: it is
// a polygon that rolls, and meets the next corner at v sκ. Over the flanks themselves, at v times their slope, only
// what is much rounder climbs.
double rolling_share(double curvature) { return std::min(0.3, spacing * curvature / slope); }

std::vector<Asperity> asperities(const RoughContact& contact, std::uint64_t seed) {
    std::vector<Asperity> impacts;
    const double rate = std::min(contact.travel_speed / spacing, most_per_second);
    if (!(rate > 0) || !(contact.inverse_mass > 0) || !(contact.roughness > 0)) return impacts;
    Random random(seed);
    double carried = 0;
    for (double t = random.exponential() / rate; t < contact.duration; t += random.exponential() / rate) {
        // the slopes of a Gaussian surface, the steepest way
        const double speed = contact.roughness * slope * random.rayleigh() * contact.travel_speed;
        impacts.push_back({contact.time + t, speed, speed / contact.inverse_mass});
        carried += impacts.back().impulse;
    }
    // What presses the bodies together is all that can throw them back: at higher speeds they hop, and touch less.
    const double share = std::min(1.0, contact.normal_impulse / std::max(carried, 1e-300));
    for (Asperity& impact : impacts) impact.impulse *= share;
    return impacts;
}

}  // namespace clangor
