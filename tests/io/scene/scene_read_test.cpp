#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/scene/scene.hpp>
#include <temporary.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace scene_read_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

namespace fs = std::filesystem;

constexpr const char* full_scene = R"({
  "$schema": "scene.schema.json",
  "description": "every key once",
  "clangor": 1, "duration": 2.5, "sample_rate": 96000, "seed": 18446744073709551615,
  "air": {"density": 1.1, "speed_of_sound": 350},
  "objects": [
    {"name": "bar", "kind": "solid", "mesh": {"box": {"size": [0.2, 0.02, 0.01]}}, "material": "my bronze",
     "position": [1, 2, 3], "rotation_deg": [10, 20, 30], "scale": 0.5, "radiation": "compact",
     "edge_length": 0.004, "refinement": 2, "elements": "linear", "min_hz": 30, "max_hz": 12000, "max_modes": 40},
    {"name": "cup", "kind": "solid", "mesh": "cup.obj",
     "material": {"density": 2400, "young": 7e10, "poisson": 0.2, "damping": {"alpha": 1, "beta": 2e-7, "gamma": 3}}}
  ],
  "strikes": [{"object": "cup", "time": 0.25, "at": [0.04, 0.05, 0], "impulse": [-0.02, 0, 0], "contact_time": 0,
               "shape": "half_sine"},
              {"object": "bar", "at": [0, 0, 0], "impulse": [0, -1, 0]}],
  "listeners": [{"name": "left", "kind": "mono", "position": [-1, 0, 0]}, {"name": "right", "position": [1, 0, 0]}],
  "materials": {"my bronze": {"density": 8700, "young": 1.05e11, "poisson": 0.35, "loss_factor": 0.001,
                "source": "measured"}}
})";

fs::path fresh_folder() {
    const fs::path folder = testing::temporary("scene_test");
    fs::remove_all(folder);
    fs::create_directories(folder / "parts");
    return folder;
}

void write(const fs::path& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace

TEST_CASE("every key of the format reaches its field") {
    const Scene scene = io::parse_scene(full_scene, "full");
    CHECK(scene.version == 1);
    CHECK(scene.duration == 2.5);
    CHECK(scene.sample_rate == 96000);
    CHECK(scene.seed == 18446744073709551615ULL);
    CHECK(scene.air.density == 1.1);
    CHECK(scene.air.speed_of_sound == 350);
    REQUIRE(scene.objects.size() == 2);
    const scene::Solid& bar = std::get<scene::Solid>(scene.objects[0]);
    CHECK(bar.name == "bar");
    CHECK(std::get<Box>(std::get<Shape>(bar.mesh)).size == Vec3(0.2, 0.02, 0.01));
    CHECK(bar.position == Vec3(1, 2, 3));
    CHECK(bar.rotation_deg == Vec3(10, 20, 30));
    CHECK(bar.scale == 0.5);
    CHECK(bar.options.edge_length == 0.004);
    CHECK(bar.options.refinement == 2);
    CHECK(bar.options.elements == scene::Elements::Linear);
    CHECK(bar.options.min_hz == 30);
    CHECK(bar.options.max_hz == 12000);
    CHECK(bar.options.max_modes == 40);
    const scene::Solid& cup = std::get<scene::Solid>(scene.objects[1]);
    CHECK(std::get<fs::path>(cup.mesh) == "cup.obj");
    CHECK(cup.material.damping.gamma == 3);
    CHECK(cup.options.elements == scene::Elements::Quadratic);
    REQUIRE(scene.strikes.size() == 2);
    CHECK(scene.strikes[0].object == "cup");
    CHECK(scene.strikes[0].time == 0.25);
    CHECK(scene.strikes[0].at == Vec3(0.04, 0.05, 0));
    CHECK(scene.strikes[0].impulse == Vec3(-0.02, 0, 0));
    CHECK(scene.strikes[0].contact_time == 0);
    CHECK(scene.strikes[0].shape == PulseShape::HalfSine);
    CHECK(scene.strikes[1].contact_time == 2e-4);
    CHECK(scene.strikes[1].shape == PulseShape::Hertz);
    REQUIRE(scene.listeners.size() == 2);
    CHECK(scene.listeners[1].name == "right");
    CHECK(scene.listeners[1].position == Vec3(1, 0, 0));
}

TEST_CASE("a scene's own material may stand after the object that uses it; its loss factor is that of every mode") {
    const Scene scene = io::parse_scene(full_scene, "full");
    const Material& bronze = std::get<scene::Solid>(scene.objects[0]).material;
    CHECK(bronze.name == "my bronze");
    CHECK(bronze.density == 8700);
    CHECK(bronze.source == "measured");
    CHECK(bronze.damping.loss_factor == 0.001);
    CHECK(bronze.damping.alpha == 0);
}

TEST_CASE("mesh and material files are found beside the scene, wherever the program runs") {
    const fs::path folder = fresh_folder();
    write(folder / "parts" / "cup.obj", "v 0 0 0\n");
    write(folder / "parts" / "clay.json", R"({"density": 2000, "young": 3e10, "poisson": 0.2})");
    write(folder / "scene.json", R"({"clangor": 1, "duration": 1,
      "objects": [{"name": "cup", "kind": "solid", "mesh": "parts/cup.obj", "material": "parts/clay.json"}],
      "listeners": [{"name": "mic", "position": [0, 0, 1]}]})");
    CHECK(io::check_scene(folder / "scene.json").empty());
    const Scene scene = io::read_scene(folder / "scene.json");
    const scene::Solid& cup = std::get<scene::Solid>(scene.objects[0]);
    CHECK(std::get<fs::path>(cup.mesh) == folder / "parts" / "cup.obj");
    CHECK(cup.material.name == "clay");
    CHECK(cup.material.young == 3e10);
    fs::remove_all(folder);
}

TEST_CASE("a scene knows every file that it is made of, and where its parts stand") {
    const fs::path folder = fresh_folder();
    write(folder / "cup.gltf",
          R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "the%20cup.bin"}, {"uri": "data:;base64,AA=="}],
              "images": [{"uri": "glaze.png"}]})");
    write(folder / "clay.json", R"({"density": 2000, "young": 3e10, "poisson": 0.2})");
    for (const char* name : {"shot.csv", "hits.csv", "ears.sofa", "lid.obj"}) write(folder / name, "");
    write(folder / "scene.json", R"({"clangor": 1, "duration": 1, "motion": {"impacts": "hits.csv"},
 "objects": [{"name": "cup", "kind": "solid", "mesh": "cup.gltf", "material": "clay.json",
               "trajectory": "cup.gltf#Cup"},
  {"name": "lid", "kind": "solid", "mesh": "lid.obj", "material": "glass", "trajectory": "shot.csv"}],
 "strikes": [{"object": "lid", "at": [0, 0, 0], "impulse": [0, 1, 0]}],
 "listeners": [{"name": "mic", "kind": "binaural", "position": [0, 0, 1], "sofa": "ears.sofa"}]})");
    const io::SceneFile file = io::read_scene_file(folder / "scene.json");
    const std::set<fs::path> files(file.files.begin(), file.files.end());
    std::set<fs::path> expected;
    for (const char* name : {"scene.json", "cup.gltf", "the cup.bin", "glaze.png", "clay.json", "shot.csv", "hits.csv",
                             "ears.sofa", "lid.obj"})
        expected.insert(folder / name);
    CHECK(files == expected);
    const std::string at = (folder / "scene.json").string();
    CHECK(file.objects == std::vector{at + ":2:14", at + ":4:3"});
    CHECK(file.strikes == std::vector{at + ":5:14"});
    CHECK(file.listeners == std::vector{at + ":6:16"});
    CHECK(file.motion == at + ":1:41");
    fs::remove_all(folder);
}

TEST_CASE("a mesh on the command line is a file name or a shape") {
    CHECK(std::get<fs::path>(io::parse_mesh_source("some bowl.obj")) == "some bowl.obj");
    const scene::MeshSource bowl = io::parse_mesh_source(R"( {"bowl": {"radius": 0.1}})");
    CHECK(std::get<Bowl>(std::get<Shape>(bowl)).radius == 0.1);
    CHECK(std::get<Bowl>(std::get<Shape>(bowl)).depth == Bowl{}.depth);
    CHECK(std::holds_alternative<TuningFork>(std::get<Shape>(io::parse_mesh_source(R"({"tuning_fork": {}})"))));
    CHECK_THROWS_WITH_AS(io::parse_mesh_source(R"({"bowl": {"raduis": 0.1}})"),
                         "mesh:1:11: bowl: unknown key \"raduis\"; did you mean \"radius\"?", Error);
    CHECK_THROWS_WITH_AS(
        io::parse_mesh_source(R"({"bowl": {}, "box": {}})"),
        "mesh:1:1: must hold exactly one shape, but holds 2; known: box, sphere, cylinder, plate, bowl, mug, bell, "
        "tuning_fork, ring, key, sheet, disc, dome, can, cymbal, tub, revolution",
        Error);
    CHECK_THROWS_WITH_AS(io::parse_mesh_source(""), "mesh: the file name is empty", Error);
    const scene::MeshSource pan = io::parse_mesh_source(
        R"({"revolution": {"profile": [[0, 0.001], [0.1, 0], [0.12, 5e-2]], "smooth": true, "ribs": 7}})");
    const SurfaceOfRevolution& turned = std::get<SurfaceOfRevolution>(std::get<Shape>(pan));
    CHECK(turned.profile == std::vector<Eigen::Vector2d>{{0, 0.001}, {0.1, 0}, {0.12, 0.05}});
    CHECK(turned.smooth);
    CHECK(turned.ribs == 7);
    const auto refused = [](const std::string& profile, const std::string& why) {
        CHECK_THROWS_WITH_AS(io::parse_mesh_source(R"({"revolution": {"profile": )" + profile + "}}"),
                             ("mesh:1:" + why).c_str(), Error);
    };
    refused("0.1", "28: revolution: profile must be an array of [radius, height], but is a number");
    refused("[[0, 0]]", "28: revolution: profile must have 2 to 200 points, but has 1");
    refused("[[0, 0], [1, 2, 3]]", "37: revolution: profile[1] must be [radius, height]");
    refused("[[0, 0], [1, \"a\"]]", "41: revolution: profile[1][1] must be a number, but is a string");
    refused("[[0, 0], [1, 2000]]", "41: revolution: profile[1][1] must be in [-1000, 1000] m, but is 2000 m");
}

TEST_CASE("a shell says all that a solid says but what its elements are, and how thick its wall is") {
    const auto scene_with = [](const std::string& keys) {
        return R"({"clangor": 1, "duration": 1,
            "objects": [{"name": "lid", "kind": "shell", "mesh": {"dome": {"radius": 0.2}}, "material": "steel", )" +
               keys + R"(}], "strikes": [{"object": "lid", "at": [0, 0, 0], "impulse": [0, -1, 0]}],
            "listeners": [{"name": "mic", "position": [0, 0, 1]}]})";
    };
    const Scene scene = io::parse_scene(
        scene_with(R"("thickness": 0.002, "position": [1, 2, 3], "max_hz": 5000, "silent": true)"), "s");
    const scene::Shell& lid = std::get<scene::Shell>(scene.objects[0]);
    CHECK(scene::name_of(scene.objects[0]) == "lid");
    CHECK(lid.thickness == 0.002);
    CHECK(std::get<Dome>(std::get<Shape>(lid.body.mesh)).radius == 0.2);
    CHECK(lid.body.position == Vec3(1, 2, 3));
    CHECK(lid.body.options.max_hz == 5000);
    CHECK(lid.body.silent);
    CHECK(scene::is_still(scene));
    CHECK_FALSE(scene::is_still(io::parse_scene(scene_with(R"("thickness": 0.002, "motion": "simulated")"), "s")));
    const auto refused = [&](const std::string& keys, const std::string& why) {
        CHECK_THROWS_WITH_AS(io::parse_scene(scene_with(keys), "s"), doctest::Contains(why.c_str()), Error);
    };
    refused(R"("max_hz": 5000)", "object \"lid\": \"thickness\" is missing; give it, in m");
    refused(R"("thickness": 0)", "thickness must be in [1e-06, 10] m, but is 0 m");
    refused(R"("thickness": 0.001, "elements": "linear")", "unknown key \"elements\"");
    refused(R"("thickness": 0.001, "motion": "fixed", "velocity": [1, 0, 0])", "velocity means nothing");
}

TEST_CASE("supports: each kind of patch, and what is not said") {
    const Scene scene = io::parse_scene(R"({"clangor": 1, "duration": 1, "objects": [
        {"name": "ruler", "kind": "solid", "mesh": {"box": {}}, "material": "steel", "supports": [
            {"kind": "clamped", "side": "-x", "depth": 0.1}, {"kind": "pinned", "at": [1, 2, 3], "radius": 0.01},
            {"kind": "clamped", "at": [0, 0, 0], "beyond": 0.2},
            {"kind": "felt", "side": "+z", "stiffness": 1e8, "loss_factor": 0.3}]}],
        "strikes": [{"object": "ruler", "at": [0, 0, 0], "impulse": [0, -1, 0]}],
        "listeners": [{"name": "mic", "position": [0, 0, 1]}]})",
                                        "held");
    const scene::Solid& ruler = std::get<scene::Solid>(scene.objects[0]);
    const std::vector<scene::Support>& supports = ruler.options.supports;
    REQUIRE(supports.size() == 4);
    CHECK(supports[0].kind == scene::SupportKind::Clamped);
    CHECK(supports[0].side == scene::Side::LowX);
    CHECK(supports[0].depth == 0.1);
    CHECK_FALSE(supports[0].at);
    CHECK(supports[1].kind == scene::SupportKind::Pinned);
    CHECK(*supports[1].at == Vec3(1, 2, 3));
    CHECK(supports[1].radius == 0.01);
    CHECK(supports[2].beyond == 0.2);
    CHECK(supports[3].kind == scene::SupportKind::Felt);
    CHECK(supports[3].side == scene::Side::HighZ);
    CHECK(supports[3].stiffness == 1e8);
    CHECK(supports[3].loss_factor == 0.3);
    CHECK(scene::is_fixed(ruler));
    CHECK(scene::is_still(scene));  // being held is no motion
}

TEST_CASE("a material may give loss factors by frequency, and what heat does in it") {
    const Scene scene = io::parse_scene(R"({"clangor": 1, "duration": 1, "objects": [
        {"name": "sheet", "kind": "solid", "mesh": {"box": {}}, "material": {
            "density": 2700, "young": 7e10, "poisson": 0.3,
            "loss_factors": [{"hz": 100, "loss_factor": 0.01}, {"hz": 1000, "loss_factor": 0.02}],
            "thermal": {"expansion": 23e-6, "heat_capacity": 900, "conductivity": 237}}}],
        "listeners": [{"name": "mic", "position": [0, 0, 1]}]})",
                                        "damped");
    const Material& material = std::get<scene::Solid>(scene.objects[0]).material;
    REQUIRE(material.damping.losses.size() == 2);
    CHECK(material.damping.losses[1].hz == 1000);
    CHECK(material.damping.losses[1].loss_factor == 0.02);
    CHECK(material.thermal.expansion == 23e-6);
    CHECK(material.thermal.heat_capacity == 900);
    CHECK(material.thermal.conductivity == 237);
}

}  // namespace scene_read_test
