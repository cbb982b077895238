#include <clangor/scene/scene.hpp>

#include <fmt/format.h>

namespace clangor::scene {
namespace {

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

Record loss_record(std::vector<LossPoint>& losses) {
    LossPoint& point = losses.emplace_back();
    return {"loss",
            "The loss factor at a frequency.",
            {{"hz", "Frequency; each higher than the one before.", "Hz", true,
              NumberField{&point.hz, {.min = 0, .max = 1e6, .above = true}}},
             {"loss_factor", "η = 2ξ there.", "", true,
              NumberField{&point.loss_factor, {.min = 0, .max = 2, .above = true}}}}};
}

Record thermal_record(Thermal& thermal) {
    constexpr Range positive = {.min = 0, .above = true};
    return {
        "thermal",
        "What heat does in a metal: it flows across thin walls that bend, and takes their energy.",
        {{"expansion", "Linear expansion.", "1/K", true, NumberField{&thermal.expansion, positive}},
         {"heat_capacity", "At constant pressure.", "J/(kg K)", true, NumberField{&thermal.heat_capacity, positive}},
         {"conductivity", "Of heat.", "W/(m K)", true, NumberField{&thermal.conductivity, positive}}}};
}

std::vector<Conflict> conflicts_of(const Material& material) {
    const std::vector<LossPoint>& losses = material.damping.losses;
    for (std::size_t i = 1; i < losses.size(); ++i)
        if (!(losses[i].hz > losses[i - 1].hz))
            return {{"loss_factors", fmt::format("loss_factors: frequencies must ascend, but {} Hz follows {} Hz",
                                                 losses[i].hz, losses[i - 1].hz)}};
    return {};
}

std::vector<Conflict> conflicts_of(const Strike& strike, const Scene& scene) {
    if (scene.duration <= 0 || strike.time <= scene.duration) return {};  // a bad duration has been reported already
    return {{"time", fmt::format("time must be in [0, {}] s, the duration of the scene, but is {} s", scene.duration,
                                 strike.time)}};
}

Record by_record(Strike& strike) {
    return {"by",
            "What strikes.",
            {{"mallet", "A mallet, or something else that is round and flies freely.", "", true,
              RecordField{[&strike] { return record_of(strike.mallet.emplace()); }}}}};
}

Record strike_record(Strike& strike, const Scene& scene) {
    const auto choose_shape = [&strike](std::size_t i) { strike.shape = static_cast<PulseShape>(i); };
    return {"strike",
            "One strike of an object, by an impulse or a mallet. All of it turns and moves with the object, which it "
            "pushes where the motion of the object is simulated.",
            {{"object", "The name of the object that is struck.", "", true, NameField{&strike.object}},
             {"time", "When the contact begins, no later than the end of the scene.", "s", false,
              NumberField{&strike.time, clip_s}},
             {"at",
              "Where, in the object's own frame after scaling; the closest surface point is struck. On a rod one "
              "number: how far along it.",
              "m", true, VectorField{&strike.at, place_m, false, &strike.along}},
             {"impulse", "Momentum given, in the object's own frame; not zero.", "N·s", false,
              VectorField{&strike.impulse, {.min = -1e6, .max = 1e6}, true}},
             {"contact_time", "How long the impulse lasts: shorter is brighter; 0 is instantaneous.", "s", false,
              NumberField{&strike.contact_time, {.min = 0, .max = 1}}},
             {"shape", "Force of the impulse over time: sin^1.5886, nearly Hertz's, or half a sine.", "", false,
              ChoiceField{{"hertz", "half_sine"}, choose_shape}},
             {"by", "Instead of an impulse: what strikes, and how fast.", "", false,
              RecordField{[&strike] { return by_record(strike); }}}},
            {{"impulse", "by"}, {"contact_time", "by"}, {"shape", "by"}},
            {"impulse", "by"},
            [&strike, &scene](const Given&) { return conflicts_of(strike, scene); }};
}

// A new object of the kind that stands so far along in the registry, and its record.
template <std::size_t kind = 0>
Record appended(std::vector<Object>& objects, std::size_t wanted) {
    if constexpr (kind + 1 < std::variant_size_v<Object>)
        if (wanted > kind) return appended<kind + 1>(objects, wanted);
    return record_of(std::get<kind>(objects.emplace_back(std::in_place_index<kind>)));
}

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const KindRules& rules : object_kinds()) names.push_back(rules.kind);
    return names;
}

std::string single_kind() {
    for (const KindRules& rules : object_kinds())
        if (rules.only_one) return rules.kind;
    return {};
}

std::vector<Field> list_fields(Scene& scene) {
    const auto append_object = [&scene](std::size_t kind) { return appended(scene.objects, kind); };
    const auto append_strike = [&scene](std::size_t) { return strike_record(scene.strikes.emplace_back(), scene); };
    const auto append_listener = [&scene](std::size_t) { return listener_record(scene.listeners.emplace_back()); };
    return {
        {"materials", "Your own materials by name; objects refer to them like to those of the library.", "", false,
         MaterialTableField{}},
        {"objects", "Everything that sounds, moves or is hit; at most one ground.", "", true,
         ListField{"object", 1, kind_names(), append_object, single_kind()}},
        {"strikes", "Scripted strikes.", "", false, ListField{"strike", 0, {}, append_strike}},
        {"listeners", "Who hears it.", "", true, ListField{"listener", 1, {}, append_listener}},
    };
}

}  // namespace

Record material_record(Material& material) {
    const auto append_loss = [&material](std::size_t) { return loss_record(material.damping.losses); };
    return {"material",
            "An isotropic elastic solid. Without loss_factor, loss_factors and damping it rings for ever.",
            {{"name", "What it is called.", "", false, NameField{&material.name}},
             {"density", "Density.", "kg/m³", true, NumberField{&material.density, {.min = 0, .above = true}}},
             {"young", "Young's modulus.", "Pa", true, NumberField{&material.young, {.min = 0, .above = true}}},
             {"poisson", "Poisson's ratio.", "", true,
              NumberField{&material.poisson, {.min = -1, .max = 0.5, .above = true, .below = true}}},
             {"loss_factor", "η = 2ξ of every mode.", "", false,
              NumberField{&material.damping.loss_factor, {.min = 0, .max = 2}}},
             {"loss_factors",
              "Or η by frequency, as measured: a power law between two frequencies, level beyond the first and last.",
              "", false, ListField{"loss", 1, {}, append_loss}},
             {"damping", "Or coefficients of the mass and stiffness matrices.", "", false,
              RecordField{[&material] { return damping_record(material.damping); }}},
             {"thermal", "For metals: thin walls also lose what heat takes that flows across them.", "", false,
              RecordField{[&material] { return thermal_record(material.thermal); }}},
             {"friction", "Coulomb's coefficient of the material on itself.", "", false,
              NumberField{&material.friction, friction_range}},
             {"restitution", "How much of its speed a ball keeps when it bounces off a block of the same at 1 m/s.", "",
              false, NumberField{&material.restitution, fraction}},
             {"source", "Where the values come from.", "", false, TextField{&material.source}}},
            {{"damping", "loss_factor", "loss_factors"}},
            {},
            [&material](const Given&) { return conflicts_of(material); }};
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

std::vector<KindRules> object_kinds() {
    std::vector<Object> one_of_each;
    std::vector<KindRules> kinds;
    for (std::size_t kind = 0; kind < std::variant_size_v<Object>; ++kind)
        kinds.push_back(appended(one_of_each, kind).rules);
    return kinds;
}

}  // namespace clangor::scene
