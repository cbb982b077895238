#include <fmt/format.h>
#include <clangor/io/scene_format.hpp>

namespace clangor::io {
namespace {

using scene::Ground;
using scene::Solid;
using scene::Strike;

Record air_record(Air& air) {
    return {"air",
            "The air that sound travels through.",
            {{"density", "Density.", "kg/m³", false, NumberField{&air.density, {.min = 1e-3, .max = 100}}},
             {"speed_of_sound", "Speed of sound.", "m/s", false,
              NumberField{&air.speed_of_sound, {.min = 10, .max = 10'000}}}}};
}

Record damping_record(Damping& damping) {
    constexpr Range not_negative = {.min = 0};
    return {"damping",
            "Decay of a mode at ω: ξ = ½(α/ω + βω + γ/ω³) of critical.",
            {{"alpha", "α, mass-proportional: the same decay at all frequencies.", "1/s", false,
              NumberField{&damping.alpha, not_negative}},
             {"beta", "β, stiffness-proportional: high modes decay fast.", "s", false,
              NumberField{&damping.beta, not_negative}},
             {"gamma", "γ, inverse-stiffness-proportional: low modes decay fast.", "1/s³", false,
              NumberField{&damping.gamma, not_negative}}}};
}

std::vector<Conflict> conflicts_of(const Strike& strike, const Scene& scene) {
    if (scene.duration <= 0 || strike.time <= scene.duration) return {};  // a bad duration has been reported already
    return {{"time", fmt::format("time must be in [0, {}] s, the duration of the scene, but is {} s", scene.duration,
                                 strike.time)}};
}

Record strike_record(Strike& strike, const Scene& scene) {
    const auto choose_shape = [&strike](std::size_t i) { strike.shape = static_cast<PulseShape>(i); };
    return {"strike",
            "One blow on an object. The point and the impulse turn and move with the object.",
            {{"object", "The name of the object that is struck.", "", true, NameField{&strike.object}},
             {"time", "When the contact begins, no later than the end of the scene.", "s", false,
              NumberField{&strike.time, clip_s}},
             {"at", "Where, in the object's own frame after scaling; the closest surface point is struck.", "m", true,
              VectorField{&strike.at, place_m}},
             {"impulse", "Momentum given, in the object's own frame; not zero.", "N·s", true,
              VectorField{&strike.impulse, {.min = -1e6, .max = 1e6}, true}},
             {"contact_time", "How long the contact lasts: shorter is brighter; 0 is instantaneous.", "s", false,
              NumberField{&strike.contact_time, {.min = 0, .max = 1}}},
             {"shape", "Force over time: sin^1.5886, nearly Hertz's, or half a sine.", "", false,
              ChoiceField{{"hertz", "half_sine"}, choose_shape}}},
            {},
            {},
            [&strike, &scene](const Given&) { return conflicts_of(strike, scene); }};
}

std::vector<Field> list_fields(Scene& scene) {
    const auto append_object = [&scene](std::size_t kind) {
        if (kind == 1) return ground_record(std::get<Ground>(scene.objects.emplace_back(Ground{})));
        return solid_record(std::get<Solid>(scene.objects.emplace_back(Solid{})));
    };
    const auto append_strike = [&scene](std::size_t) { return strike_record(scene.strikes.emplace_back(), scene); };
    const auto append_listener = [&scene](std::size_t) { return listener_record(scene.listeners.emplace_back()); };
    return {
        {"materials", "Your own materials by name; objects refer to them like to those of the library.", "", false,
         MaterialTableField{}},
        {"objects", "Everything that sounds, moves or is hit; at most one ground.", "", true,
         ListField{"object", 1, {"solid", "ground"}, append_object, "ground"}},
        {"strikes", "Scripted blows.", "", false, ListField{"strike", 0, {}, append_strike}},
        {"listeners", "Who hears it.", "", true, ListField{"listener", 1, {}, append_listener}},
    };
}

}  // namespace

Record material_record(Material& material, double& loss_factor) {
    return {"material",
            "An isotropic elastic solid. Without damping and loss_factor it rings for ever.",
            {{"name", "What it is called.", "", false, NameField{&material.name}},
             {"density", "Density.", "kg/m³", true, NumberField{&material.density, {.min = 0, .above = true}}},
             {"young", "Young's modulus.", "Pa", true, NumberField{&material.young, {.min = 0, .above = true}}},
             {"poisson", "Poisson's ratio.", "", true,
              NumberField{&material.poisson, {.min = -1, .max = 0.5, .above = true, .below = true}}},
             {"damping", "How modes decay.", "", false,
              RecordField{[&material] { return damping_record(material.damping); }}},
             {"loss_factor", "η = 2ξ at 1 and 4 kHz, instead of damping.", "", false,
              NumberField{&loss_factor, {.min = 0, .max = 2}}},
             {"friction", "Coulomb's coefficient of the material on itself.", "", false,
              NumberField{&material.friction, friction_range}},
             {"restitution", "How much of its speed a ball keeps when it bounces off a block of the same at 1 m/s.", "",
              false, NumberField{&material.restitution, fraction}},
             {"source", "Where the values come from.", "", false, TextField{&material.source}}},
            {{"damping", "loss_factor"}}};
}

Record scene_record(Scene& scene) {
    Record record = {
        "scene",
        "A Clangor scene: what sounds, what moves and strikes it, and who listens.",
        {
            {"$schema", "The schema that an editor checks the file against; not read.", "", false, RemarkField{}},
            {"description", "Remarks, since JSON has no comments; not read.", "", false, RemarkField{}},
            {"clangor", "Version of the file format.", "", true, CountField{&scene.version, 1, 1}},
            {"duration", "Length of the sound.", "s", true,
             NumberField{&scene.duration, {.min = 0, .max = 3600, .above = true}}},
            {"sample_rate", "Samples per second, a whole number.", "Hz", false,
             NumberField{&scene.sample_rate, {.min = 8'000, .max = 384'000}, true}},
            {"seed", "Start of all randomness: the same seed gives the same bytes.", "", false, SeedField{&scene.seed}},
            {"air", "The air around.", "", false, RecordField{[&scene] { return air_record(scene.air); }}},
            {"motion", "How the scene moves.", "", false,
             RecordField{[&scene] { return motion_record(scene.motion); }}},
        },
    };
    for (Field& field : list_fields(scene)) record.fields.push_back(std::move(field));
    return record;
}

}  // namespace clangor::io
