#include <clangor/scene/solid.hpp>

#include <fmt/format.h>

namespace clangor::scene {
namespace {

constexpr Range angle_deg = {.min = -1e6, .max = 1e6};
constexpr Range speed_m_s = {.min = -1e4, .max = 1e4};

std::vector<Field> modal_fields(SolidOptions& options) {
    const Range audible = {.min = 1, .max = 1e6};
    const auto choose_elements = [&options](std::size_t i) { options.elements = static_cast<Elements>(i); };
    const auto choose_parts = [&options](std::size_t i) { options.parts = static_cast<Parts>(i); };
    return {
        {"parts",
         "What becomes of pieces of the mesh that lie apart; near ones are fused always. auto and split: each rings by "
         "itself, and they move as one. fuse: bridges join them. largest: only that one is kept.",
         "", false, ChoiceField{{"auto", "fuse", "split", "largest"}, choose_parts}},
        {"thickness", "Of sheets, and of walls that have none; 0 takes a hundredth of the longest side.", "m", false,
         NumberField{&options.thickness, {.min = 0, .max = 1000}}},
        {"edge_length", "Largest edge of a tetrahedron; 0 chooses it from size and wall thickness.", "m", false,
         NumberField{&options.edge_length, {.min = 0, .max = 1000}}},
        {"refinement", "With edge_length 0: divides the chosen length, so 2 makes a mesh twice as fine.", "", false,
         NumberField{&options.refinement, {.min = 0.1, .max = 20}}},
        {"elements", "10-node tetrahedra, or 4-node ones, which are far too stiff in bending.", "", false,
         ChoiceField{{"quadratic", "linear"}, choose_elements}},
        {"min_hz", "Modes below this are left out.", "Hz", false, NumberField{&options.min_hz, audible}},
        {"max_hz",
         "Modes above this are not heard. While something hits the solid, those up to four times this, at most 20 kHz, "
         "give way all the same.",
         "Hz", false, NumberField{&options.max_hz, audible}},
        {"max_modes", "Keeps the lowest so many modes; 0 keeps all up to max_hz.", "", false,
         CountField{&options.max_modes, 0, 1'000'000}},
    };
}

std::vector<Field> place_fields(Solid& solid) {
    const auto choose_moves = [&solid](std::size_t i) { solid.moves = static_cast<Moves>(i); };
    return {
        {"position", "Where the body's origin is in the world at the start.", "m", false,
         VectorField{&solid.position, place_m}},
        {"rotation_deg", "Turned about the world's x axis, then its y axis, then its z axis.", "°", false,
         VectorField{&solid.rotation_deg, angle_deg}},
        {"scale", "Metres per unit of the mesh: 0.001 for a mesh in millimetres.", "", false,
         NumberField{&solid.scale, {.min = 1e-6, .max = 1e6}}},
        {"size", "Length of the longest side of its mesh, instead of a scale.", "m", false,
         NumberField{&solid.size, {.min = 1e-4, .max = 1e4}, false, true}},
        {"motion", "Simulated, or fixed where it is. Auto: simulated, unless nothing in the scene calls for motion.",
         "", false, ChoiceField{{"auto", "simulated", "fixed"}, choose_moves}},
        {"velocity", "Of its centre of mass at the start.", "m/s", false, VectorField{&solid.velocity, speed_m_s}},
        {"spin_deg", "Angular velocity at the start, about the world's axes.", "°/s", false,
         VectorField{&solid.spin_deg, angle_deg}},
        {"trajectory",
         "A file that moves it instead of the simulation: .csv, or a node of a .gltf or .glb. Its poses hold in "
         "place of position and rotation_deg.",
         "", false, FileField{&solid.trajectory, true}},
        {"hangs_at",
         "A point in its own frame after scaling that is held by a string: it stays where it is at the start.", "m",
         false, OptionalVectorField{&solid.hangs_at, place_m}},
        supports_field(solid.options.supports),
        {"silent", "It moves and is hit, but makes no sound of its own and needs no baking.", "", false,
         FlagField{&solid.silent}},
        {"acceleration_noise",
         "Whether the click of its sudden accelerations is heard beside its ringing. Objects that are fixed "
         "or held have none.",
         "", false, FlagField{&solid.acceleration_noise}},
    };
}

std::vector<Conflict> conflicts_of(const Solid& solid) {
    std::vector<Conflict> conflicts;
    if (!(solid.options.min_hz < solid.options.max_hz)) {
        conflicts.push_back({"max_hz", fmt::format("max_hz ({}) must be above min_hz ({})", solid.options.max_hz,
                                                   solid.options.min_hz)});
    }
    const bool is_held = !solid.options.supports.empty();
    if (is_held && solid.moves == Moves::Simulated)
        conflicts.push_back({"motion",
                             "supports hold it where it is, so that its motion cannot be simulated; leave out supports "
                             "or motion (hangs_at is a string, and leaves it free to swing)"});
    if (!is_fixed(solid)) return conflicts;
    const auto refuse = [&](const char* key) {
        conflicts.push_back({key, fmt::format("{}, so that {} means nothing; leave one of them out",
                                              is_held ? "supports hold it where it is" : "motion is \"fixed\"", key)});
    };
    if (!solid.velocity.isZero(0)) refuse("velocity");
    if (!solid.spin_deg.isZero(0)) refuse("spin_deg");
    if (solid.hangs_at) refuse("hangs_at");
    return conflicts;
}

}  // namespace

Record record_of(Solid& solid) {
    const auto choose_radiation = [&solid](std::size_t i) { solid.radiation = static_cast<Radiation>(i); };
    const auto choose_phase = [&solid](std::size_t i) { solid.radiation_phase = static_cast<RadiationPhase>(i); };
    Record record = {
        "solid",
        "An elastic body that rings when struck.",
        {
            {"name", "Strikes and stems refer to it.", "", true, NameField{&solid.name}},
            {"kind", "What it is.", "", true, ConstantField{"solid"}},
            {"mesh",
             "The surface of the body: a file (relative to the scene), one node of a .gltf or .glb "
             "(\"shot.glb#Cup\"), or a shape.",
             "", true, MeshField{&solid.mesh}},
            {"material", "What it is made of.", "", true, MaterialField{&solid.material}},
        },
        {{"trajectory", "motion"},
         {"trajectory", "velocity"},
         {"trajectory", "spin_deg"},
         {"trajectory", "hangs_at"},
         {"size", "scale"}},
    };
    append(record, place_fields(solid));
    append(record, contact_fields(solid.friction, solid.restitution));
    append(record,
           {{"radiation",
             "How vibration becomes sound. compact: every patch of the surface is a small source, right for bodies "
             "that are small against the wavelength, and baked at once. transfer: the sound field of each mode around "
             "the body is solved for, by waves on a grid, or by boundary elements for reference quality. auto: compact "
             "for drafts, transfer otherwise.",
             "", false, ChoiceField{{"auto", "compact", "transfer"}, choose_radiation}},
            {"radiation_phase",
             "What is kept of each mode's sound field. complex: loudness, phase and delay. magnitude: loudness and "
             "delay, so that modes add up with the phase of their vibration.",
             "", false, ChoiceField{{"complex", "magnitude"}, choose_phase}}});
    append(record, modal_fields(solid.options));
    record.rules = {.kind = "solid"};
    record.conflicts = [&solid](const Given&) { return conflicts_of(solid); };
    return record;
}

Eigen::Isometry3d world_from_body(const Solid& solid) {
    const Vec3 angles = solid.rotation_deg * (pi / 180);
    Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
    result.translate(solid.position);
    result.rotate(Eigen::AngleAxisd(angles.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vec3::UnitY()) *
                  Eigen::AngleAxisd(angles.x(), Vec3::UnitX()));
    return result;
}

bool is_fixed(const Solid& solid) { return solid.moves == Moves::Fixed || !solid.options.supports.empty(); }

bool asks_for_motion(const Solid& solid) {
    return solid.moves != Moves::Auto || !solid.velocity.isZero(0) || !solid.spin_deg.isZero(0) ||
           !solid.trajectory.empty() || solid.hangs_at.has_value();
}

}  // namespace clangor::scene
