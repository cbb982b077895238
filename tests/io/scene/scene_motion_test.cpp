#include <temporary.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <clangor/io/scene/scene.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace scene_motion_test {

using namespace clangor;

namespace {

namespace fs = std::filesystem;

// Each key that has to do with motion, once.
constexpr const char* moving_scene = R"({"clangor": 1, "duration": 3,
 "motion": {"gravity": [0, -1.62, 0], "step_hz": 2000, "min_approach_speed": 0.1, "roughness": 2,
            "contact_damping": 0.5,
            "impacts": "hits.jsonl",
            "contacts": [{"object": "floor", "other": "bowl", "friction": 0.1, "restitution": 0.9}]},
 "objects": [
  {"name": "bowl", "kind": "solid", "mesh": {"bowl": {}}, "material": "ceramic", "position": [0, 0.6, 0],
   "motion": "simulated", "velocity": [1, 2, 3], "spin_deg": [90, 0, 0], "hangs_at": [0, 0.1, 0], "friction": 0.3,
   "restitution": 0.4, "silent": true},
  {"name": "cup", "kind": "solid", "mesh": {"mug": {}}, "material": "steel", "trajectory": "shot.glb#Cup"},
  {"name": "floor", "kind": "ground", "material": "concrete", "height": -0.5, "friction": 0.5, "restitution": 0.2,
   "thickness": 0.25, "reflection": 0.8}],
 "listeners": [
  {"name": "head", "kind": "binaural", "position": [0, 0, 1], "facing": [0, 0, 1], "attached_to": "bowl",
   "sofa": "ears.sofa", "head_radius": 0.09},
  {"name": "walk", "kind": "ortf", "path": [{"time": 0, "position": [0, 1, 2]}, {"time": 1.5, "position": [1, 1, 2]}]},
  {"name": "boom", "kind": "xy", "trajectory": "boom.csv"},
  {"name": "room", "kind": "ambisonic", "position": [1, 2, 3]}]})";

std::string with(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
    try {
        io::parse_scene(text, "s.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

// What is said about the moving scene with `to` instead of `from`, less "s.json:line:column: ".
std::string said(std::string_view from, std::string_view to) {
    const std::string error = error_of(with(moving_scene, from, to));
    const std::size_t message = error.find(": ");
    return message == std::string::npos ? error : error.substr(message + 2);
}

}  // namespace

TEST_CASE("every key of motion reaches its field") {
    const Scene scene = io::parse_scene(moving_scene, "moving");
    CHECK(scene.motion.gravity == Vec3(0, -1.62, 0));
    CHECK(scene.motion.step_hz == 2000);
    CHECK(scene.motion.min_approach_speed == 0.1);
    CHECK(scene.motion.roughness == 2);
    CHECK(scene.motion.contact_damping == 0.5);
    CHECK(scene.motion.impacts == "hits.jsonl");
    REQUIRE(scene.motion.contacts.size() == 1);
    CHECK(scene.motion.contacts[0].object == "floor");
    CHECK(scene.motion.contacts[0].other == "bowl");
    CHECK(scene.motion.contacts[0].friction == 0.1);
    CHECK(scene.motion.contacts[0].restitution == 0.9);
    REQUIRE(scene.objects.size() == 3);
    const auto& bowl = std::get<scene::Solid>(scene.objects[0]);
    CHECK(bowl.moves == scene::Moves::Simulated);
    CHECK(bowl.velocity == Vec3(1, 2, 3));
    CHECK(bowl.spin_deg == Vec3(90, 0, 0));
    CHECK(bowl.hangs_at == Vec3(0, 0.1, 0));
    CHECK(bowl.friction == 0.3);
    CHECK(bowl.restitution == 0.4);
    CHECK(bowl.silent);
    const auto& cup = std::get<scene::Solid>(scene.objects[1]);
    CHECK(cup.trajectory == "shot.glb#Cup");
    CHECK(cup.moves == scene::Moves::Auto);
    CHECK_FALSE(cup.hangs_at);
    CHECK(std::isnan(cup.friction));
    CHECK(std::isnan(cup.restitution));
    CHECK_FALSE(cup.silent);
    const auto& floor = std::get<scene::Ground>(scene.objects[2]);
    CHECK(floor.name == "floor");
    CHECK(floor.material.name == "concrete");
    CHECK(floor.height == -0.5);
    CHECK(floor.friction == 0.5);
    CHECK(floor.restitution == 0.2);
    CHECK(floor.reflection == 0.8);
    CHECK(floor.thickness == 0.25);
}

TEST_CASE("every key of a listener reaches its field") {
    const std::vector<scene::Listener> listeners = io::parse_scene(moving_scene, "moving").listeners;
    REQUIRE(listeners.size() == 4);
    CHECK(listeners[0].kind == ListenerKind::Binaural);
    CHECK(listeners[0].facing == Vec3(0, 0, 1));
    CHECK(listeners[0].attached_to == "bowl");
    CHECK(listeners[0].sofa == "ears.sofa");
    CHECK(listeners[0].head_radius == 0.09);
    CHECK(listeners[1].kind == ListenerKind::Ortf);
    CHECK(listeners[1].facing == Vec3(0, 0, -1));
    REQUIRE(listeners[1].path.size() == 2);
    CHECK(listeners[1].path[1].time == 1.5);
    CHECK(listeners[1].path[1].position == Vec3(1, 1, 2));
    CHECK(listeners[2].kind == ListenerKind::Xy);
    CHECK(listeners[2].trajectory == "boom.csv");
    CHECK(listeners[3].kind == ListenerKind::Ambisonic);
}

TEST_CASE("materials carry friction and restitution") {
    const Scene scene =
        io::parse_scene(with(moving_scene, "\"ceramic\"",
                             R"({"density": 1000, "young": 1e9, "poisson": 0.3, "friction": 0.7, "restitution": 0.2})"),
                        "s.json");
    CHECK(std::get<scene::Solid>(scene.objects[0]).material.friction == 0.7);
    CHECK(std::get<scene::Solid>(scene.objects[0]).material.restitution == 0.2);
    CHECK(said("\"ceramic\"", R"({"density": 1000, "young": 1e9, "poisson": 0.3, "restitution": 2})") ==
          "object \"bowl\": material: restitution must be in [0, 1], but is 2");
}

TEST_CASE("a still scene stays still as it is read") {
    const std::string still = R"({"clangor": 1, "duration": 1,
 "objects": [{"name": "bowl", "kind": "solid", "mesh": {"bowl": {}}, "material": "steel"}],
 "strikes": [{"object": "bowl", "at": [0, 0, 0], "impulse": [0, -1, 0]}],
 "listeners": [{"name": "mic", "position": [0, 0, 1]}]})";
    CHECK(is_still(io::parse_scene(still, "s")));
    for (const char* key : {"\"motion\": \"simulated\"", "\"motion\": \"fixed\"", "\"velocity\": [0, 1, 0]",
                            "\"hangs_at\": [0, 0, 0]", "\"trajectory\": \"a.csv\"", "\"spin_deg\": [1, 0, 0]"}) {
        INFO(key);
        CHECK_FALSE(is_still(io::parse_scene(with(still, "\"steel\"", fmt::format("\"steel\", {}", key)), "s")));
    }
    CHECK(is_still(io::parse_scene(with(still, "\"steel\"", "\"steel\", \"velocity\": [0, 0, 0]"), "s")));
}

TEST_CASE("a scene has one ground at most, and it is neither struck nor carries anyone") {
    const std::string two = with(moving_scene,
                                 "\"kind\": \"solid\", \"mesh\": {\"mug\": {}}, \"material\": \"steel\", "
                                 "\"trajectory\": \"shot.glb#Cup\"",
                                 "\"kind\": \"ground\", \"material\": \"steel\"");
    CHECK(error_of(two) == "s.json:11:29: a scene has at most one ground, and there is one at line 10 already");
    CHECK(said(R"("duration": 3)",
               R"("duration": 3, "strikes": [{"object": "floor", "at": [0, 0, 0], "impulse": [0, 1, 0]}])") ==
          "\"floor\" is the ground, which does not ring; strike a solid");
    CHECK(said(R"("attached_to": "bowl")", R"("attached_to": "floor")") ==
          "\"floor\" is the ground, which does not move; leave attached_to out");
}

TEST_CASE("what moves an object is said once") {
    CHECK(said("shot.glb#Cup\"", "a.csv\", \"velocity\": [0, 0, 1]") ==
          "object \"cup\": only one of trajectory and velocity may be given");
    CHECK(said("shot.glb#Cup\"", "a.csv\", \"motion\": \"auto\"") ==
          "object \"cup\": only one of trajectory and motion may be given");
    CHECK(said("\"simulated\", \"velocity\": [1, 2, 3], \"spin_deg\": [90, 0, 0], \"hangs_at\": [0, 0.1, 0]",
               "\"fixed\", \"velocity\": [1, 2, 3]") ==
          "object \"bowl\": motion is \"fixed\", so that velocity means nothing; leave one of them out");
    CHECK(said("\"simulated\", \"velocity\": [1, 2, 3], \"spin_deg\": [90, 0, 0], \"hangs_at\": [0, 0.1, 0]",
               "\"fixed\", \"hangs_at\": [1, 2, 3]") ==
          "object \"bowl\": motion is \"fixed\", so that hangs_at means nothing; leave one of them out");
    CHECK(said("\"simulated\"", "\"simulatd\"") ==
          "object \"bowl\": unknown motion \"simulatd\"; did you mean \"simulated\"?");
    CHECK(said("\"trajectory\": \"shot.glb#Cup\"", "\"trajectory\": \"\"") ==
          "object \"cup\": trajectory: the file name is empty");
    CHECK(said("\"trajectory\": \"shot.glb#Cup\"", "\"trajectory\": 3") ==
          "object \"cup\": trajectory must be a string, but is a number");
    CHECK(said("[0, 0.1, 0]", "[0, 0.1]") == "object \"bowl\": hangs_at must be three numbers [x, y, z], but has 2");
}

TEST_CASE("numbers of motion out of range say the range") {
    CHECK(said("\"step_hz\": 2000", "\"step_hz\": 199") ==
          "motion: step_hz must be 0 or in [200, 100000] Hz, but is 199 Hz");
    CHECK(error_of(with(moving_scene, "\"step_hz\": 2000", "\"step_hz\": 0")) == "none");
    CHECK(said("\"friction\": 0.3", "\"friction\": 11") == "object \"bowl\": friction must be in [0, 10], but is 11");
    CHECK(said("\"restitution\": 0.4", "\"restitution\": 1.5") ==
          "object \"bowl\": restitution must be in [0, 1], but is 1.5");
    CHECK(said("\"reflection\": 0.8", "\"reflection\": -1") ==
          "object \"floor\": reflection must be in [0, 1], but is -1");
    for (const char* wrong : {"-0.02", "1e-9", "20"})
        CHECK(said("\"thickness\": 0.25", std::string("\"thickness\": ") + wrong)
                  .starts_with("object \"floor\": thickness must be 0 or in [0.0001, 10] m, but is "));
    CHECK(said("\"thickness\": 0.25", "\"thickness\": \"thick\"") ==
          "object \"floor\": thickness must be a number, but is a string");
    CHECK(said("\"thickness\": 0.25", "\"thickness\": 0") == said("\"thickness\": 0.25", "\"thickness\": 0.25"));
    CHECK(said("0.09", "0.4") == "listener \"head\": head_radius must be in [0.02, 0.3] m, but is 0.4 m");
    CHECK(said("\"facing\": [0, 0, 1]", "\"facing\": [0, 0, 0]") == "listener \"head\": facing must not be zero");
}

TEST_CASE("contacts name two objects of the scene, each pair once") {
    CHECK(said(R"("other": "bowl")", R"("other": "bowls")") == "no object is named \"bowls\"; did you mean \"bowl\"?");
    CHECK(said(R"("object": "floor")", R"("object": "bowl")") ==
          "motion: contact 1: object and other are both \"bowl\"; name two objects");
    CHECK(said(R"(, "friction": 0.1, "restitution": 0.9)", "") ==
          "motion: contact 1: \"friction\" is missing; give it, or restitution");
    CHECK(
        said(R"("restitution": 0.9})", R"("restitution": 0.9}, {"object": "bowl", "other": "floor", "friction": 1})") ==
        "the contact of \"bowl\" and \"floor\" is described at line 5 already");
}

TEST_CASE("a listener is in one place at a time") {
    CHECK(said(R"("position": [1, 2, 3])", R"("facing": [1, 2, 3])") ==
          "listener \"room\": \"position\" is missing; give it, or path or trajectory");
    CHECK(
        said(R"("position": [0, 0, 1], "facing": [0, 0, 1], "attached_to")", R"("facing": [0, 0, 1], "attached_to")") ==
        "listener \"head\": \"position\" is missing; give it, or path or trajectory");
    CHECK(said("\"boom.csv\"", "\"boom.csv\", \"attached_to\": \"cup\"") ==
          "listener \"boom\": only one of path, trajectory and attached_to may be given");
    CHECK(said("\"boom.csv\"", "\"boom.csv\", \"position\": [0, 0, 0]") ==
          "listener \"boom\": only one of position and trajectory may be given");
    CHECK(said("\"time\": 1.5", "\"time\": 0") ==
          "listener \"walk\": times of the path must ascend, but place 2 at 0 s follows one at 0 s");
    CHECK(said("\"binaural\"", "\"mono\"") ==
          "listener \"head\": sofa holds measured ears, which only a listener of kind \"binaural\" has");
    CHECK(said("\"binaural\"", "\"binaurl\"") ==
          "listener \"head\": unknown kind \"binaurl\"; did you mean \"binaural\"?");
    CHECK(said(R"("attached_to": "bowl")", R"("attached_to": "bowll")") ==
          "no object is named \"bowll\"; did you mean \"bowl\"?");
}

TEST_CASE("files of motion must be there; a part of a file is named behind #") {
    const fs::path folder = testing::temporary("scene_motion");
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const char* name : {"hits.jsonl", "shot.glb", "ears.sofa", "boom.csv", "odd#name.csv"}) {
        std::ofstream(folder / name) << "x";
    }
    const auto problems = [&](const std::string& text) {
        std::ofstream(folder / "s.json", std::ios::binary) << text;
        std::string all = fmt::format("{}", fmt::join(io::check_scene(folder / "s.json"), "\n"));
        const std::size_t message = all.find(": ");
        return message == std::string::npos ? all : all.substr(message + 2);
    };
    CHECK(problems(moving_scene) == "");
    CHECK(std::get<scene::Solid>(io::read_scene(folder / "s.json").objects[1]).trajectory == folder / "shot.glb#Cup");
    CHECK(problems(with(moving_scene, "shot.glb#Cup", "odd#name.csv")) == "");
    CHECK(problems(with(moving_scene, "shot.glb#Cup", "none.glb#Cup")) ==
          fmt::format("object \"cup\": trajectory: file {} does not exist", (folder / "none.glb").string()));
    CHECK(problems(with(moving_scene, "hits.jsonl", "none.csv")) ==
          fmt::format("motion: impacts: file {} does not exist", (folder / "none.csv").string()));
    CHECK(problems(with(moving_scene, "ears.sofa", "none.sofa")) ==
          fmt::format("listener \"head\": sofa: file {} does not exist", (folder / "none.sofa").string()));
    fs::remove_all(folder);
}

}  // namespace scene_motion_test
