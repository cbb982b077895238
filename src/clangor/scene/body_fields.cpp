#include <clangor/scene/body_fields.hpp>

#include <fmt/format.h>

namespace clangor::scene {
namespace {

constexpr Range angle_deg = {.min = -1e6, .max = 1e6};
constexpr Range speed_m_s = {.min = -1e4, .max = 1e4};

}  // namespace

std::vector<Field> named_fields(Solid& body, const std::string& kind, const std::string& mesh_doc) {
    return {
        {"name", "Strikes and stems refer to it.", "", true, NameField{&body.name}},
        {"kind", "What it is.", "", true, ConstantField{kind}},
        {"mesh", mesh_doc, "", true, MeshField{&body.mesh}},
        {"material", "What it is made of.", "", true, MaterialField{&body.material}},
    };
}

std::vector<std::vector<std::string>> exclusive_keys() {
    return {{"trajectory", "motion"},
            {"trajectory", "velocity"},
            {"trajectory", "spin_deg"},
            {"trajectory", "hangs_at"},
            {"size", "scale"}};
}

std::vector<Field> place_fields(Solid& body) {
    const auto choose_moves = [&body](std::size_t i) { body.moves = static_cast<Moves>(i); };
    return {
        {"position", "Where the body's origin is in the world at the start.", "m", false,
         VectorField{&body.position, place_m}},
        {"rotation_deg", "Turned about the world's x axis, then its y axis, then its z axis.", "°", false,
         VectorField{&body.rotation_deg, angle_deg}},
        {"scale", "Metres per unit of the mesh: 0.001 for a mesh in millimetres.", "", false,
         NumberField{&body.scale, {.min = 1e-6, .max = 1e6}}},
        {"size", "Length of the longest side of its mesh, instead of a scale.", "m", false,
         NumberField{&body.size, {.min = 1e-4, .max = 1e4}, false, true}},
        {"motion", "Simulated, or fixed where it is. Auto: simulated, unless nothing in the scene calls for motion.",
         "", false, ChoiceField{{"auto", "simulated", "fixed"}, choose_moves}},
        {"velocity", "Of its centre of mass at the start.", "m/s", false, VectorField{&body.velocity, speed_m_s}},
        {"spin_deg", "Angular velocity at the start, about the world's axes.", "°/s", false,
         VectorField{&body.spin_deg, angle_deg}},
        {"trajectory",
         "A file that moves it instead of the simulation: .csv, or a node of a .gltf or .glb. Its poses hold in "
         "place of position and rotation_deg.",
         "", false, FileField{&body.trajectory, true}},
        {"hangs_at",
         "A point in its own frame after scaling that is held by a string: it stays where it is at the start.", "m",
         false, OptionalVectorField{&body.hangs_at, place_m}},
        supports_field(body.options.supports),
        {"silent", "It moves and is hit, but makes no sound of its own and needs no baking.", "", false,
         FlagField{&body.silent}},
        {"acceleration_noise",
         "Whether the click of its sudden accelerations is heard beside its ringing. Objects that are fixed "
         "or held have none.",
         "", false, FlagField{&body.acceleration_noise}},
    };
}

std::vector<Field> radiation_fields(Solid& body) {
    const auto choose_radiation = [&body](std::size_t i) { body.radiation = static_cast<Radiation>(i); };
    const auto choose_phase = [&body](std::size_t i) { body.radiation_phase = static_cast<RadiationPhase>(i); };
    return {{"radiation",
             "How vibration becomes sound. compact: every patch of the surface is a small source, right for bodies "
             "that are small against the wavelength, and baked at once. transfer: the sound field of each mode around "
             "the body is solved for, by waves on a grid, or by boundary elements for reference quality. auto: compact "
             "for drafts, transfer otherwise.",
             "", false, ChoiceField{{"auto", "compact", "transfer"}, choose_radiation}},
            {"radiation_phase",
             "What is kept of each mode's sound field. complex: loudness, phase and delay. magnitude: loudness and "
             "delay, so that modes add up with the phase of their vibration.",
             "", false, ChoiceField{{"complex", "magnitude"}, choose_phase}}};
}

std::vector<Field> band_fields(SolidOptions& options) {
    const Range audible = {.min = 1, .max = 1e6};
    return {
        {"min_hz", "Modes below this are left out.", "Hz", false, NumberField{&options.min_hz, audible}},
        {"max_hz",
         "Modes above this are not heard. While something hits a solid, those up to four times this, at most 20 kHz, "
         "give way all the same.",
         "Hz", false, NumberField{&options.max_hz, audible}},
        {"max_modes", "Keeps the lowest so many modes; 0 keeps all up to max_hz.", "", false,
         CountField{&options.max_modes, 0, 1'000'000}},
    };
}

std::vector<Conflict> conflicts_of(const Solid& body) {
    std::vector<Conflict> conflicts;
    if (!(body.options.min_hz < body.options.max_hz)) {
        conflicts.push_back(
            {"max_hz", fmt::format("max_hz ({}) must be above min_hz ({})", body.options.max_hz, body.options.min_hz)});
    }
    const bool is_held = !body.options.supports.empty();
    if (is_held && body.moves == Moves::Simulated)
        conflicts.push_back({"motion",
                             "supports hold it where it is, so that its motion cannot be simulated; leave out supports "
                             "or motion (hangs_at is a string, and leaves it free to swing)"});
    if (!is_fixed(body)) return conflicts;
    const auto refuse = [&](const char* key) {
        conflicts.push_back({key, fmt::format("{}, so that {} means nothing; leave one of them out",
                                              is_held ? "supports hold it where it is" : "motion is \"fixed\"", key)});
    };
    if (!body.velocity.isZero(0)) refuse("velocity");
    if (!body.spin_deg.isZero(0)) refuse("spin_deg");
    if (body.hangs_at) refuse("hangs_at");
    return conflicts;
}

}  // namespace clangor::scene
