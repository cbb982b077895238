// All rods that may touch, step by step: docs/theory/rod-contact.md.
#include <clangor/objects/rod/move_rods.hpp>

#include <clangor/objects/rod/rod_world.hpp>
#include <clangor/objects/rod/start_overlaps.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// What touches nothing is followed past what is heard for as long as filters reach [s].
constexpr double lead_out = 0.01;

RodInScene& rod_in(const MovedTogether& one) { return *static_cast<RodInScene*>(one.sounding->own.get()); }

// The most steps that any of them wants, in whole multiples of the sample rate.
long steps_per_sample(const Surroundings& around) {
    constexpr double usual = 4;
    double most = 0;
    for (const MovedTogether& one : around.together) {
        const double wanted = rod_in(one).model.rod.steps_per_second;
        most = std::max(most, wanted > 0 ? std::ceil(wanted / around.sample_rate * (1 - 1e-9)) : usual);
    }
    return std::max(1L, std::lround(most));
}

bool may_touch(const Surroundings& around) {
    const scene::Rod& first = rod_in(around.together.front()).model.rod;
    if (!first.touches) return false;
    const bool by_mallets = std::ranges::any_of(around.together, [](const MovedTogether& one) {
        return std::ranges::any_of(one.strikes, [](const scene::Strike* strike) { return strike->mallet.has_value(); });
    });
    return by_mallets || !around.neighbours.empty() || around.together.size() > 1 ||
           !std::holds_alternative<scene::StraightCurve>(first.curve);
}

}  // namespace

OwnMotion move_rods(const Surroundings& around, const Air& air, const Progress& progress) {
    const RodRunOptions options{.sample_rate = around.sample_rate,
                                .steps_per_sample = steps_per_sample(around),
                                .duration = around.duration,
                                .gravity = around.gravity,
                                .air = air};
    std::vector<std::unique_ptr<RodRun>> runs;
    for (const MovedTogether& one : around.together) {
        try {
            runs.push_back(std::make_unique<RodRun>(rod_in(one).model, one.strikes, options));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", object_named(one.sounding->name), error.what()), error.blame());
        }
    }
    std::optional<RodWorld> world;
    std::vector<StartOverlap> overlaps;
    if (may_touch(around)) {
        std::vector<Points> places;
        for (const auto& run : runs) places.emplace_back(run->stepper().state().place.topRows<3>().transpose());
        overlaps = start_overlaps(around, places);
    }
    if (may_touch(around)) world.emplace(around, runs, options);
    const double step = 1 / (options.sample_rate * double(options.steps_per_sample));
    const double until = world ? around.duration : std::min(around.duration, around.heard + lead_out);
    const long steps = std::lround(until * options.sample_rate) * options.steps_per_sample;
    const std::string stage = runs.size() == 1 ? object_named(around.together.front().sounding->name) + " moves"
                                               : fmt::format("{} rods move", runs.size());
    for (long k = 0; k < steps; ++k) {
        if (k % 512 == 0) progress(stage, double(k) / double(steps));
        for (const auto& run : runs) run->before_step(double(k) * step);
        if (world)
            world->step(double(k) * step, step);
        else
            runs.front()->stepper().step(step);
        parallel_for(std::ssize(runs), [&](long r) { runs[size_t(r)]->after_step(); });
    }
    OwnMotion own = world ? world->finish() : OwnMotion{};
    for (const StartOverlap& overlap : overlaps)
        own.warnings.push_back(text_of(overlap, around) + ": they are moved apart slowly");
    for (size_t r = 0; r < runs.size(); ++r) {
        RodInScene& rod = rod_in(around.together[r]);
        rod.track = runs[r]->finish();
        rod.report = runs[r]->stepper().report();
        const Material& material = rod.model.rod.material;
        if (rod.report.largest_stretch > largest_stretch(material))
            own.warnings.push_back(fmt::format("{}: at some time, {}", object_named(around.together[r].sounding->name),
                                               stretch_text(rod.report.largest_stretch, material)));
        if (rod.report.halved > 0)
            own.warnings.push_back(fmt::format(
                "{}: {} steps of {} were too long for it and were halved; give it more steps_per_second, or see "
                "whether something presses or stretches it too far",
                object_named(around.together[r].sounding->name), rod.report.halved, rod.report.steps));
    }
    return own;
}

}  // namespace clangor
