// How a scene moves, and who listens to it, as keys of the scene format.
#include <clangor/scene/scene.hpp>

#include <fmt/format.h>

namespace clangor::scene {
namespace {

Record contact_record(ContactPair& pair) {
    return {
        "contact",
        "What holds between two objects, instead of what follows from them.",
        {{"object", "The name of one.", "", true, NameField{&pair.object}},
         {"other", "The name of the other.", "", true, NameField{&pair.other}},
         {"friction", "Coulomb's coefficient between the two.", "", false, NumberField{&pair.friction, friction_range}},
         {"restitution", "How much of the speed is left after a bounce.", "", false,
          NumberField{&pair.restitution, fraction}}},
        {},
        {"friction", "restitution"},
        [&pair](const Given&) {
            if (pair.object != pair.other) return std::vector<Conflict>{};
            return std::vector<Conflict>{
                {"other", fmt::format("object and other are both \"{}\"; name two objects", pair.object)}};
        }};
}

Record path_point_record(PathPoint& point) {
    return {"path_point",
            "One place that a listener passes; between them it goes smoothly.",
            {{"time", "When it is there.", "s", true, NumberField{&point.time, clip_s}},
             {"position", "Where.", "m", true, VectorField{&point.position, place_m}}}};
}

std::vector<Conflict> conflicts_of(const Listener& listener) {
    std::vector<Conflict> conflicts;
    for (std::size_t i = 1; i < listener.path.size(); ++i) {
        if (listener.path[i].time > listener.path[i - 1].time) continue;
        conflicts.push_back(
            {"path", fmt::format("times of the path must ascend, but place {} at {} s follows one at {} s", i + 1,
                                 listener.path[i].time, listener.path[i - 1].time)});
        break;
    }
    if (!listener.sofa.empty() && listener.kind != ListenerKind::Binaural) {
        conflicts.push_back({"sofa", "sofa holds measured ears, which only a listener of kind \"binaural\" has"});
    }
    return conflicts;
}

}  // namespace

Record motion_record(MotionOptions& motion) {
    const Range factor = {.min = 0, .max = 1000};
    const auto append_contact = [&motion](std::size_t) { return contact_record(motion.contacts.emplace_back()); };
    return {
        "motion",
        "How the scene moves.",
        {{"gravity", "Acceleration of free fall.", "m/s²", false,
          VectorField{&motion.gravity, {.min = -1e4, .max = 1e4}}},
         {"step_hz", "Steps of the simulation in a second; 0 chooses them from sizes and speeds.", "Hz", false,
          NumberField{&motion.step_hz, {.min = 200, .max = 100'000}, false, true}},
         {"min_approach_speed", "Bodies that meet more slowly rest on each other: that makes no impact.", "m/s", false,
          NumberField{&motion.min_approach_speed, {.min = 0, .max = 100}}},
         {"roughness", "Of surfaces that slide and roll, times the usual; 0: they do so silently.", "", false,
          NumberField{&motion.roughness, factor}},
         {"contact_damping", "Of bodies that rest on others, times the usual; 0: they ring on as if they hung free.",
          "", false, NumberField{&motion.contact_damping, factor}},
         {"impacts", "A file of impacts from another program: .csv, .jsonl or .ndjson.", "", false,
          FileField{&motion.impacts}},
         {"contacts", "Pairs of objects with friction or restitution of their own.", "", false,
          ListField{"contact", 0, {}, append_contact}}}};
}

Record listener_record(Listener& listener) {
    const auto choose_kind = [&listener](std::size_t i) { listener.kind = static_cast<ListenerKind>(i); };
    const auto choose_near_field = [&listener](std::size_t i) { listener.near_field = static_cast<NearField>(i); };
    const auto append_point = [&listener](std::size_t) { return path_point_record(listener.path.emplace_back()); };
    return {"listener",
            "Where and how the sound is heard.",
            {{"name", "Channels are named after it.", "", true, NameField{&listener.name}},
             {"kind",
              "One microphone that hears all directions alike; two cardioids 17 cm and 110° apart; two at one point, "
              "90° apart; two ears; first-order ambisonics (AmbiX).",
              "", false, ChoiceField{{"mono", "ortf", "xy", "binaural", "ambisonic"}, choose_kind}},
             {"position", "Where it is, in the world or in the frame of the object that it is attached to.", "m", false,
              VectorField{&listener.position, place_m}},
             {"facing", "The direction of its front, in the same frame; not zero.", "", false,
              VectorField{&listener.facing, {.min = -1e6, .max = 1e6}, true}},
             {"attached_to", "The name of an object that it moves and turns with.", "", false,
              NameField{&listener.attached_to}},
             {"trajectory", "A file that moves and turns it: .csv, or a node of a .gltf or .glb.", "", false,
              FileField{&listener.trajectory, true}},
             {"path", "Places that it passes, by time.", "", false, ListField{"place", 1, {}, append_point}},
             {"sofa", "A file of measured ears (SOFA), with kind \"binaural\"; without one, a spherical head.", "",
              false, FileField{&listener.sofa}},
             {"head_radius", "Of the spherical head.", "m", false,
              NumberField{&listener.head_radius, {.min = 0.02, .max = 0.3}}},
             {"near_field",
              "What it hears of clicks nearer to a body than 1.35 times its radius, where their sound is not known. "
              "refuse: that is an error. clamp: what is heard at that distance, too quiet.",
              "", false, ChoiceField{{"refuse", "clamp"}, choose_near_field}}},
            {{"path", "trajectory", "attached_to"}, {"position", "path"}, {"position", "trajectory"}},
            {"position", "path", "trajectory"},
            [&listener](const Given&) { return conflicts_of(listener); }};
}

}  // namespace clangor::scene
