#include <clangor/objects/grains/grains.hpp>

#include <clangor/objects/grains/grain_run.hpp>
#include <clangor/objects/grains/grain_sound.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clangor {
namespace {

void report_run(const GrainRun& run, nlohmann::json& entry) {
    entry["collisions"] = {{"between_grains", run.report.between_grains},
                           {"with_objects", run.report.with_walls},
                           {"that_can_be_heard", run.record.size()},
                           {"impacts_on_what_sounds", run.wall_impacts}};
    entry["seconds"] = run.seconds;
    if (run.report.events == 0) return;  // nobody simulated them
    entry["collisions"]["of_lasting_contacts"] = run.report.lasting;
    entry["events"] = run.report.events;
    entry["events_per_second"] = run.seconds > 0 ? double(run.report.events) / run.seconds : 0.0;
    entry["escaped"] = run.report.escaped;
    entry["asleep_at_the_end"] = run.report.asleep;
}

}  // namespace

namespace scene {

SoundingObject sounding(const Grains& grains, BakeContext& context) {
    SoundingObject object;
    object.name = grains.name;
    object.body =
        std::make_shared<const Body>(ball_of(grains.material, grains.radius, 4 * pi / 3 * cube(grains.radius)));
    object.is_movable = true;
    object.is_one_of_many = true;
    const auto own = std::make_shared<GrainsInScene>(GrainsInScene{.grains = grains});
    own->source = source_of(grains, context, object.warnings);
    for (std::string& warning : object.warnings) warning = fmt::format("{}: {}", object_named(grains.name), warning);
    object.own = own;
    if (std::holds_alternative<FilledIn>(own->source)) object.moves_with = "grains";
    object.move = [air = context.air](const Surroundings& around, const Progress& progress) {
        return move_grains(around, air, progress);
    };
    object.emitters = [own](Excitation excitation, const EmissionContext& emission, std::vector<std::string>&) {
        return grain_emitters(own->last, excitation.path, emission);
    };
    object.report = [own](nlohmann::json& entry) {
        entry["material"] = own->grains.material.name;
        if (own->grains.count > 0) entry["grains"] = own->grains.count;
        if (own->last) report_run(*own->last, entry);
    };
    return object;
}

}  // namespace scene
}  // namespace clangor
