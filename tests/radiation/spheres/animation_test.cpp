#include "poured_beads.hpp"

#include <doctest/doctest.h>

namespace animation_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double rate = 48000, duration = 0.35, frame_hz = 60;

// What an animation knows, and what it does not.
struct Shot {
    std::vector<GrainFlow> flows;  // of frames
    std::vector<Encounter> encounters;
};

Shot shot_of(const GrainWorld& world) {
    Shot shot;
    simulate(world, {.duration = duration, .frame_hz = frame_hz},
             {.collisions =
                  [&](std::span<const GrainCollision> block) {
                      const std::vector<Encounter> more = encounters_of(block, world);
                      shot.encounters.insert(shot.encounters.end(), more.begin(), more.end());
                  },
              .frame =
                  [&](const GrainFrame& frame) {
                      shot.flows.push_back(flow_of(frame, {.radius = world.grains[0].radius}));
                  }});
    return shot;
}

std::vector<Encounter> imagined(const Shot& shot, const GrainDatabank& bank, std::uint64_t seed) {
    std::vector<Encounter> all;
    for (std::size_t frame = 0; frame < shot.flows.size(); ++frame) {
        const double time = double(frame) / frame_hz;
        const FlowWindow window{time, time - 0.5 / frame_hz, time + 0.5 / frame_hz};
        const GrainFlow flow =
            bank.traits.sheared ? with_shear_variance(shot.flows[frame], bank.traits.restitution) : shot.flows[frame];
        for (const Encounter& e : drawn(flow, bank, window, seed))
            if (e.time < duration) all.push_back(e);
    }
    return all;
}

void hear(std::vector<double>& bands, const std::vector<Encounter>& encounters, double radius) {
    for (const Vec3& listener : {Vec3(0.2, 0.25, 0.1), Vec3(-0.3, 0.1, 0.05), Vec3(0, 0.4, 0)}) {
        const SphereSoundOptions options{.listener = listener, .threshold = 0, .radii = {radius}};
        const std::vector<double> levels =
            third_octaves(sphere_sound(collisions_of(encounters, radius), options, duration).pressure, rate);
        for (std::size_t i = 0; i < levels.size(); ++i) bands[i] += std::pow(10, levels[i] / 10);
    }
}

}  // namespace

TEST_CASE(
    "frames of an animation, or only fills and velocities of them, sound as the collisions that it does not know") {
    // Learnt from smaller beads in other boxes.
    DatabankTraits traits{.restitution = bead_surface.restitution, .friction = bead_surface.friction};
    const GrainDatabank moving = standard_databank(traits);
    traits.sheared = true;
    const GrainDatabank sheared = standard_databank(traits);
    struct Case {
        std::string name;
        double radius;
        std::function<GrainWorld(std::uint64_t)> world;
        bool shaken = false;
    };
    const std::vector<Case> cases = {
        {"200 that fall", bead_radius, [](std::uint64_t seed) { return falling_beads(200, seed); }},
        {"400 that fall", bead_radius, [](std::uint64_t seed) { return falling_beads(400, seed); }},
        {"400 of twice the size", 2 * bead_radius,
         [](std::uint64_t seed) { return falling_beads(400, seed, 2 * bead_radius); }},
        {"300 that are shaken", bead_radius, [](std::uint64_t seed) { return shaken_beads(300, seed); }, true}};
    for (const Case& beads : cases) {
        std::vector<Shot> shots;
        for (std::uint64_t seed = 101; seed <= 104; ++seed) shots.push_back(shot_of(beads.world(seed)));
        for (const GrainDatabank* const known : {&moving, &sheared}) {
            CAPTURE(beads.name);
            CAPTURE(known->traits.sheared);
            std::vector<double> expected(23), heard(23);
            double recorded = 0, drawn_count = 0;
            for (std::size_t i = 0; i < shots.size(); ++i) {
                const std::vector<Encounter> encounters = imagined(shots[i], *known, i);
                recorded += double(shots[i].encounters.size());
                drawn_count += double(encounters.size());
                hear(expected, shots[i].encounters, beads.radius);
                hear(heard, encounters, beads.radius);
            }
            CHECK(std::abs(std::log(drawn_count / recorded)) < 0.7);  // most are too slow to be heard
            // From 1.2 kHz on, as with drawn collisions. What is shaken has little of a steady shear.
            const double allowed = known->traits.sheared && beads.shaken ? 5 : 3;
            for (std::size_t i = 11; i < heard.size(); ++i) {
                CAPTURE(i);
                CHECK(std::abs(10 * std::log10(heard[i] / expected[i])) < allowed);
            }
        }
    }
}

}  // namespace animation_test
