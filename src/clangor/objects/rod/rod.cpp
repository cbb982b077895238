// A rod of the scene as an object that moves by itself and sounds: docs/guide/rods.md.
#include <clangor/objects/rod/rod.hpp>

#include <clangor/objects/rod/move_rods.hpp>
#include <clangor/objects/rod/rod_picture.hpp>
#include <clangor/objects/rod/start_overlaps.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clangor::scene {

SoundingObject sounding(const Rod& rod, BakeContext& context) {
    SoundingObject object;
    object.name = rod.name;
    const auto own = std::make_shared<RodInScene>(RodInScene{.model = rod_model(rod, context.still)});
    for (const std::string& warning : own->model.warnings)
        object.warnings.push_back(fmt::format("{}: {}", object_named(rod.name), warning));
    object.own = own;
    object.is_movable = true;
    object.body = std::make_shared<const Body>(body_of(own->model));
    if (rod.touches) object.moves_with = "rods";
    object.path = [own, place = centre_of(own->model.plan, own->model.plan.rest.place)]() -> io::ImportedPath {
        if (own->track) return {own->track->path, {}};
        return {at_rest(Eigen::Isometry3d(Eigen::Translation3d(place))), {}};
    };
    object.move = [air = context.air](const Surroundings& around, const Progress& progress) {
        return move_rods(around, air, progress);
    };
    object.emitters = [own](Excitation, const EmissionContext& emission, std::vector<std::string>&) {
        return rod_emitters(own->track, emission);
    };
    object.check_strike = [own](const Strike& strike) { point_at(own->model, strike.along, "it"); };
    object.check_start = [](const Surroundings& around) { return start_problems(around); };
    object.picture = [own] { return rod_picture(*own); };
    object.report = [own](nlohmann::json& entry) {
        const RodModel& model = own->model;
        entry["material"] = model.rod.material.name;
        entry["length_m"] = model.curve.length;
        entry["control_points"] = model.plan.points;
        entry["bending_right_to_hz"] = followed_hz(model.rod, spacing_of(model));
        entry["damping"] = {{"alpha_per_s", model.damping.alpha}, {"beta_s", model.damping.beta}};
        if (!own->track) return;
        entry["steps"] = own->report.steps;
        entry["halved_steps"] = own->report.halved;
        entry["newton_iterations"] = own->report.iterations;
        entry["largest_stretch"] = own->report.largest_stretch;
        entry["recorded_bytes"] = own->track->record->bytes();
    };
    return object;
}

}  // namespace clangor::scene
