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
    GrainDatabank bank{.traits = {.restitution = 0.9, .friction = 0.2}}, sheared{.traits = bank.traits};
    sheared.traits.sheared = true;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        for (const long count : {128, 256, 512}) {
            bank = taught(std::move(bank), falling_beads(count, seed), {.duration = 0.3});
            sheared = taught(std::move(sheared), falling_beads(count, seed), {.duration = 0.3});
        }
    }
    // Other numbers of beads than were learnt from, others of them, and twice as large ones.
    struct Case {
        long count;
        double radius;
    };
    for (const auto& [count, radius] : {Case{200, bead_radius}, {400, bead_radius}, {400, 2 * bead_radius}}) {
        for (const GrainDatabank* const known : {&bank, &sheared}) {
            CAPTURE(count);
            CAPTURE(radius);
            CAPTURE(known->traits.sheared);
            std::vector<double> expected(23), heard(23);
            double recorded = 0, drawn_count = 0;
            for (std::uint64_t seed = 101; seed <= 104; ++seed) {
                const Shot shot = shot_of(falling_beads(count, seed, radius));
                const std::vector<Encounter> encounters = imagined(shot, *known, seed);
                recorded += double(shot.encounters.size());
                drawn_count += double(encounters.size());
                hear(expected, shot.encounters, radius);
                hear(heard, encounters, radius);
            }
            CHECK(std::abs(std::log(drawn_count / recorded)) < 0.3);
            for (std::size_t i = 11; i < heard.size(); ++i) {  // from 1.2 kHz on, as with drawn collisions
                CAPTURE(i);
                CHECK(std::abs(10 * std::log10(heard[i] / expected[i])) < 3);
            }
        }
    }
}

}  // namespace animation_test
