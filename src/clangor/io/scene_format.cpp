#include <fmt/format.h>
#include <clangor/io/scene_format.hpp>

namespace clangor::io {
namespace {

using scene::Listener;
using scene::Solid;
using scene::Strike;

// A thousand kilometres: farther out, a step of a double is no longer small against a wavelength's phase.
constexpr Range place_m = {.min = -1e6, .max = 1e6};
constexpr Range angle_deg = {.min = -1e6, .max = 1e6};

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

std::vector<Field> modal_fields(scene::SolidOptions& options) {
    const Range audible = {.min = 1, .max = 1e6};
    const auto choose_elements = [&options](std::size_t i) { options.elements = static_cast<scene::Elements>(i); };
    return {
        {"edge_length", "Largest edge of a tetrahedron; 0 chooses it from size and wall thickness.", "m", false,
         NumberField{&options.edge_length, {.min = 0, .max = 1000}}},
        {"refinement", "With edge_length 0: divides the chosen length, so 2 makes a mesh twice as fine.", "", false,
         NumberField{&options.refinement, {.min = 0.1, .max = 20}}},
        {"elements", "10-node tetrahedra, or 4-node ones, which are far too stiff in bending.", "", false,
         ChoiceField{{"quadratic", "linear"}, choose_elements}},
        {"min_hz", "Modes below this are left out.", "Hz", false, NumberField{&options.min_hz, audible}},
        {"max_hz", "Modes above this are left out.", "Hz", false, NumberField{&options.max_hz, audible}},
        {"max_modes", "Keeps the lowest so many modes; 0 keeps all up to max_hz.", "", false,
         CountField{&options.max_modes, 0, 1'000'000}},
    };
}

std::vector<Conflict> conflicts_of(const scene::SolidOptions& options) {
    if (options.min_hz < options.max_hz) return {};
    return {{"max_hz", fmt::format("max_hz ({}) must be above min_hz ({})", options.max_hz, options.min_hz)}};
}

Record solid_record(Solid& solid) {
    const auto choose_radiation = [&solid](std::size_t i) { solid.radiation = static_cast<scene::Radiation>(i); };
    Record record = {
        "solid",
        "An elastic body that rings when struck.",
        {
            {"name", "Strikes and stems refer to it.", "", true, NameField{&solid.name}},
            {"kind", "What it is.", "", true, ConstantField{"solid"}},
            {"mesh", "The closed surface of the body: a file (relative to the scene) or a shape.", "", true,
             MeshField{&solid.mesh}},
            {"material", "What it is made of.", "", true, MaterialField{&solid.material}},
            {"position", "Where the body's origin is in the world.", "m", false, VectorField{&solid.position, place_m}},
            {"rotation_deg", "Turned about the world's x axis, then its y axis, then its z axis.", "°", false,
             VectorField{&solid.rotation_deg, angle_deg}},
            {"scale", "Metres per unit of the mesh: 0.001 for a mesh in millimetres.", "", false,
             NumberField{&solid.scale, {.min = 1e-6, .max = 1e6}}},
            {"radiation",
             "How vibration becomes sound: every patch of the surface is a small source. Right for bodies that are "
             "small against the wavelength.",
             "", false, ChoiceField{{"compact"}, choose_radiation}},
        },
    };
    for (Field& field : modal_fields(solid.options)) record.fields.push_back(std::move(field));
    record.conflicts = [&solid] { return conflicts_of(solid.options); };
    return record;
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
              NumberField{&strike.time, {.min = 0, .max = 3600}}},
             {"at", "Where, in the object's own frame after scaling; the closest surface point is struck.", "m", true,
              VectorField{&strike.at, place_m}},
             {"impulse", "Momentum given, in the object's own frame; not zero.", "N·s", true,
              VectorField{&strike.impulse, {.min = -1e6, .max = 1e6}, true}},
             {"contact_time", "How long the contact lasts: shorter is brighter; 0 is instantaneous.", "s", false,
              NumberField{&strike.contact_time, {.min = 0, .max = 1}}},
             {"shape", "Force over time: sin^1.5886, nearly Hertz's, or half a sine.", "", false,
              ChoiceField{{"hertz", "half_sine"}, choose_shape}}},
            {},
            [&strike, &scene] { return conflicts_of(strike, scene); }};
}

Record listener_record(Listener& listener) {
    const auto choose_kind = [&listener](std::size_t i) { listener.kind = static_cast<scene::ListenerKind>(i); };
    return {"listener",
            "Where the sound is heard.",
            {{"name", "Channels are named after it.", "", true, NameField{&listener.name}},
             {"kind", "One microphone that hears all directions alike.", "", false, ChoiceField{{"mono"}, choose_kind}},
             {"position", "Where it is in the world.", "m", true, VectorField{&listener.position, place_m}}}};
}

std::vector<Field> list_fields(Scene& scene) {
    const auto append_object = [&scene](std::size_t) {
        return solid_record(std::get<Solid>(scene.objects.emplace_back(Solid{})));
    };
    const auto append_strike = [&scene](std::size_t) { return strike_record(scene.strikes.emplace_back(), scene); };
    const auto append_listener = [&scene](std::size_t) { return listener_record(scene.listeners.emplace_back()); };
    return {
        {"materials", "Your own materials by name; objects refer to them like to those of the library.", "", false,
         MaterialTableField{}},
        {"objects", "Everything that can sound.", "", true, ListField{"object", 1, {"solid"}, append_object}},
        {"strikes", "Scripted blows.", "", false, ListField{"strike", 0, {}, append_strike}},
        {"listeners", "Who hears it: one channel each.", "", true, ListField{"listener", 1, {}, append_listener}},
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
             {"source", "Where the values come from.", "", false, TextField{&material.source}}},
            {"damping", "loss_factor"}};
}

Record scene_record(Scene& scene) {
    Record record = {
        "scene",
        "A Clangor scene: what sounds, what strikes it, and who listens.",
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
        },
    };
    for (Field& field : list_fields(scene)) record.fields.push_back(std::move(field));
    return record;
}

}  // namespace clangor::io
