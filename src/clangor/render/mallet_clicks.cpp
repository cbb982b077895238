#include <clangor/render/mallet_clicks.hpp>

#include <clangor/radiation/acceleration/acceleration.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace clangor {
namespace {

// ψ's width: so short that 0.59/h is above what is heard.
constexpr double click_scale = 2e-5;  // [s]

/// A pulse that a mallet receives, in the frame of what it strikes.
struct MalletPulse {
    ContactPulse pulse;
    double mass = 0;             ///< [kg]
    Vec3 centre = Vec3::Zero();  ///< of the ball [m]
    std::shared_ptr<const PreparedNoise> noise = {};
};

/// One pulse as one capsule hears it.
struct HeardPulse {
    Click click;
    const PreparedNoise* noise;
    DirectedNoise directed;
};

HeardPulse heard(const MalletPulse& one, const SoundPath& path) {
    const Vec3 capsule = capsule_for(path, one.pulse.start);
    const Vec3 listener = capsule - one.centre;
    // Delays are counted from the centre of the emitter; the ball is nearer or farther.
    const double later = (listener.norm() - (capsule - path.centre).norm()) / path.air.speed_of_sound;
    return {.click = {.time = one.pulse.start + later,
                      .duration = one.pulse.duration,
                      .shape = one.pulse.shape,
                      .velocity_change = one.pulse.impulse / one.mass,
                      .listener = listener},
            .noise = one.noise.get(),
            .directed = toward(*one.noise, listener)};
}

Emission emission_of(const std::shared_ptr<const std::vector<MalletPulse>>& pulses, const SoundPath& path) {
    const auto all = std::make_shared<std::vector<HeardPulse>>();
    for (const MalletPulse& one : *pulses) all->push_back(heard(one, path));
    const auto until = [](const HeardPulse& one) {
        const double rate = one.noise->sample_rate_hz;
        return (one.click.time + one.click.duration) * rate + double(one.noise->block_samples) + 2;
    };
    double end = 0;
    for (const HeardPulse& one : *all) end = std::max(end, until(one));
    const auto made = std::make_shared<long>(0);
    return {.next =
                [all, made, until](long first, std::span<float> out) {
                    std::ranges::fill(out, 0.f);
                    *made = first + std::ssize(out);
                    for (const HeardPulse& one : *all) {
                        const double from =
                            one.click.time * one.noise->sample_rate_hz - double(one.noise->lead_samples);
                        if (until(one) < double(first) || from - 2 > double(*made)) continue;
                        add_click(out, *one.noise, one.directed, one.click, first);
                    }
                },
            .over = [made, end] { return double(*made) >= end; }};
}

}  // namespace

std::vector<MalletEmitter> mallet_emitters(const std::vector<PlacedStrike>& strikes,
                                           std::span<const Excitation> mallets, const Motion& motion,
                                           const EmissionContext& context) {
    std::map<double, std::shared_ptr<const PreparedNoise>> balls;  // by radius
    std::map<int, std::vector<MalletPulse>> by_object;
    size_t next = 0;
    for (const PlacedStrike& strike : strikes) {
        if (!strike.mallet) continue;
        const double radius = strike.mallet->radius;
        std::shared_ptr<const PreparedNoise>& ball = balls[radius];
        if (!ball)
            ball = std::make_shared<const PreparedNoise>(
                prepare(sphere_noise(radius, click_scale, context.air), context.sample_rate));
        for (const ContactPulse& pulse : mallets[next++].pulses)
            by_object[strike.object].push_back({.pulse = pulse,
                                                .mass = strike.mallet->mass.volume * strike.mallet->material.density,
                                                .centre = strike.at.point + radius * strike.normal,
                                                .noise = ball});
    }
    std::vector<MalletEmitter> emitters;
    for (auto& [object, pulses] : by_object) {
        Emitter emitter{.mechanism = "mallet", .path = &motion.bodies[size_t(object)], .centre = pulses.front().centre};
        const auto shared = std::make_shared<const std::vector<MalletPulse>>(std::move(pulses));
        emitter.emission = [shared](const SoundPath& path) { return emission_of(shared, path); };
        emitters.push_back({object, std::move(emitter)});
    }
    return emitters;
}

}  // namespace clangor
