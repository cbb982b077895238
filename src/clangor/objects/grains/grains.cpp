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
                           {"of_lasting_contacts", run.report.lasting},
                           {"that_can_be_heard", run.record.size()},
                           {"impacts_on_what_sounds", run.wall_impacts}};
    entry["events"] = run.report.events;
    entry["events_per_second"] = run.seconds > 0 ? double(run.report.events) / run.seconds : 0.0;
    entry["escaped"] = run.report.escaped;
    entry["asleep_at_the_end"] = run.report.asleep;
    entry["seconds"] = run.seconds;
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
    const auto last = std::make_shared<std::shared_ptr<const GrainRun>>();
    object.move = [grains, last, air = context.air](const Surroundings& around, const Progress& progress) {
        try {
            MovedGrains now = moved(grains, around, air, progress);
            *last = now.run;
            return std::move(now.own);
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", object_named(grains.name), error.what()), error.blame());
        }
    };
    object.emitters = [grains, last](Excitation excitation, const EmissionContext& emission,
                                     std::vector<std::string>&) {
        return grain_emitters(grains, *last, excitation.path, emission);
    };
    object.report = [grains, last](nlohmann::json& entry) {
        entry["material"] = grains.material.name;
        entry["grains"] = grains.count;
        if (*last) report_run(**last, entry);
    };
    return object;
}

}  // namespace scene
}  // namespace clangor
