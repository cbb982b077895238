#include <temporary.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <clangor/io/scene/scene.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace scene_errors_test {

using namespace clangor;

namespace {

namespace fs = std::filesystem;

// A sound scene in which one piece of text is replaced by another.
std::string scene_with(std::string_view from, std::string_view to) {
    std::string text = R"({"clangor": 1, "duration": 2,
 "objects": [{"name": "bowl", "kind": "solid", "mesh": {"bowl": {}}, "material": "steel"}],
 "strikes": [{"object": "bowl", "time": 0, "at": [0, 0, 0], "impulse": [0, -1, 0]}],
 "listeners": [{"name": "mic", "position": [0, 0, 1]}]})";
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

// Where a piece of plain ASCII text starts: "line:column".
std::string place_of(std::string_view piece, const std::string& text) {
    const std::size_t at = text.rfind(piece);
    REQUIRE(at != std::string::npos);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return fmt::format("{}:{}", line, at - (text.rfind('\n', at) + 1) + 1);
}

std::string error_of(const std::string& text) {
    try {
        io::parse_scene(text, "s.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

// What is said about the last `piece` of the scene with `to` instead of `from`; with its place, if that is another.
std::string said_of(std::string_view piece, std::string_view from, std::string_view to) {
    const std::string text = scene_with(from, to);
    const std::string error = error_of(text);
    const std::string prefix = fmt::format("s.json:{}: ", place_of(piece, text));
    return error.starts_with(prefix) ? error.substr(prefix.size()) : error;
}

constexpr const char* duration = "\"duration\": 2";
constexpr const char* material = "\"material\": \"steel\"";
constexpr const char* at = "\"at\": [0, 0, 0]";
constexpr const char* listener = "{\"name\": \"mic\", \"position\": [0, 0, 1]}";

}  // namespace

TEST_CASE("unknown keys are errors that offer the nearest known name") {
    CHECK(error_of(scene_with("", "")) == "none");
    CHECK(said_of("\"sampel", duration, "\"duration\": 2, \"sampel_rate\": 1") ==
          "unknown key \"sampel_rate\"; did you mean \"sample_rate\"?");
    CHECK(said_of("\"colour\"", "[0, 0, 1]", "[0, 0, 1], \"colour\": 1") ==
          "listener \"mic\": unknown key \"colour\"; known: name, kind, position, facing, attached_to, trajectory, "
          "path, sofa, head_radius, near_field");
    const std::string misspelt = scene_with("\"material\":", "\"materail\":");
    CHECK(error_of(misspelt) ==
          fmt::format("s.json:{}: object \"bowl\": \"material\" is missing\n"
                      "s.json:{}: object \"bowl\": unknown key \"materail\"; did you mean \"material\"?",
                      place_of("{\"name\": \"bowl\"", misspelt), place_of("\"materail\"", misspelt)));
}

TEST_CASE("wrong types say what was wanted and what was found") {
    CHECK(said_of("\"2\"", duration, "\"duration\": \"2\"") == "duration must be a number, but is a string");
    CHECK(said_of("7", "\"mic\"", "7") == "listener 1: name must be a string, but is a number");
    CHECK(said_of("3}", "[0, 0, 1]", "3") ==
          "listener \"mic\": position must be three numbers [x, y, z], but is a number");
    CHECK(said_of("[0, 0]", at, "\"at\": [0, 0]") == "strike 1: at must be three numbers [x, y, z], but has 2");
    CHECK(said_of("null", at, "\"at\": [0, null, 0]") == "strike 1: at[1] must be a number, but is null");
    CHECK(said_of("5]", listener, "5") == "listener 1: must be an object, but is a number");
    CHECK(said_of("3,", "{\"bowl\": {}}", "3") ==
          "object \"bowl\": mesh: must be a file name or a shape such as {\"bowl\": {}}, but is a number");
    CHECK(said_of("true", "\"steel\"", "true") ==
          "object \"bowl\": material: must be a name, a file name or an object, but is true or false");
    CHECK(said_of("0}", "{\"bowl\": {}}", "{\"mug\": {\"handle\": 0}}") ==
          "object \"bowl\": mesh: mug: handle must be true or false, but is a number");
    CHECK(said_of("4,", R"([{"object": "bowl", "time": 0, "at": [0, 0, 0], "impulse": [0, -1, 0]}])", "4") ==
          "strikes must be an array, but is a number");
    CHECK(error_of("[]") == "s.json:1:1: must be an object, but is an array");
}

TEST_CASE("missing keys, empty lists and repeated keys") {
    CHECK(error_of("{\"clangor\": 1}") ==
          "s.json:1:1: \"duration\" is missing; give it, in s\ns.json:1:1: \"objects\" is missing\n"
          "s.json:1:1: \"listeners\" is missing");
    CHECK(said_of("[]", fmt::format("[{}]", listener), "[]") == "listeners must hold at least 1 listener");
    CHECK(said_of("\"duration\"", duration, "\"duration\": 2, \"duration\": 3") ==
          "key \"duration\" is given twice (before at line 1)");
}

TEST_CASE("numbers out of range say the range, the value and the unit") {
    CHECK(said_of("0,\n", duration, "\"duration\": 0") == "duration must be in (0, 3600] s, but is 0 s");
    CHECK(said_of("3601", duration, "\"duration\": 3601") == "duration must be in (0, 3600] s, but is 3601 s");
    CHECK(said_of("7999", duration, "\"duration\": 2, \"sample_rate\": 7999") ==
          "sample_rate must be in [8000, 384000] Hz, but is 7999 Hz");
    CHECK(said_of("44100.5", duration, "\"duration\": 2, \"sample_rate\": 44100.5") ==
          "sample_rate must be a whole number, but is 44100.5");
    CHECK(said_of("2, \"dur", "\"clangor\": 1", "\"clangor\": 2") == "clangor must be 1, but is 2");
    CHECK(said_of("-1,\n", duration, "\"duration\": 2, \"seed\": -1") ==
          "seed must be a whole number in [0, 2^64), but is -1");
    CHECK(said_of("2.5", "\"time\": 0", "\"time\": 2.5") ==
          "strike 1: time must be in [0, 2] s, the duration of the scene, but is 2.5 s");
    CHECK(said_of("-1, \"at", "\"time\": 0", "\"time\": -1") == "strike 1: time must be in [0, 3600] s, but is -1 s");
    CHECK(said_of("[0, 0, 0]", "[0, -1, 0]", "[0, 0, 0]") == "strike 1: impulse must not be zero");
    CHECK(said_of("10}", material, "\"material\": \"steel\", \"max_hz\": 10") ==
          "object \"bowl\": max_hz (10) must be above min_hz (20)");
    CHECK(said_of("1.5", material, "\"material\": \"steel\", \"max_modes\": 1.5") ==
          "object \"bowl\": max_modes must be a whole number in [0, 1000000], but is 1.5");
}

TEST_CASE("closed sets list what is known") {
    CHECK(said_of("\"string\"", "\"solid\"", "\"string\"") ==
          "object \"bowl\": unknown kind \"string\"; known: solid, shell, rod, grains, ground");
    CHECK(said_of("{\"name\": \"bowl\"", "\"kind\": \"solid\", ", "") ==
          "object \"bowl\": \"kind\" is missing; known: solid, shell, rod, grains, ground");
    CHECK(said_of("\"bowel\"", "{\"bowl\": {}}", "{\"bowel\": {}}") ==
          "object \"bowl\": mesh: unknown shape \"bowel\"; did you mean \"bowl\"?");
    CHECK(said_of("\"quadratci\"", material, "\"material\": \"steel\", \"elements\": \"quadratci\"") ==
          "object \"bowl\": unknown elements \"quadratci\"; did you mean \"quadratic\"?");
    CHECK(said_of("\"bem\"", material, "\"material\": \"steel\", \"radiation\": \"bem\"") ==
          "object \"bowl\": unknown radiation \"bem\"; known: auto, compact, transfer");
}

TEST_CASE("names are unique, can stand in file names, and strikes name an object") {
    CHECK(said_of("\"bowls\"", "\"object\": \"bowl\"", "\"object\": \"bowls\"") ==
          "no object is named \"bowls\"; did you mean \"bowl\"?");
    CHECK(said_of("\"mic\"", "\"listeners\": [", fmt::format("\"listeners\": [{}, ", listener)) ==
          "two listeners are named \"mic\" (the other at line 4); give each its own name");
    CHECK(said_of("\"a/b\"", "\"mic\"", "\"a/b\"") ==
          "listener \"a/b\": name must hold no slash and no control character, but is \"a/b\"");
    CHECK(said_of("\"\"", "\"mic\"", "\"\"") == "listener \"\": name must have 1 to 100 characters, but has 0");
    CHECK(said_of("\"a\\u0000\"", "\"mic\"", "\"a\\u0000\"") ==
          "listener \"a?\": name must hold no slash and no control character, but is \"a?\"");
}

TEST_CASE("materials: unknown names, impossible values, two kinds of damping") {
    CHECK(said_of("\"steal\"", "\"steel\"", "\"steal\"") ==
          "object \"bowl\": material: unknown material \"steal\"; did you mean \"steel\"? `clangor materials` lists "
          "them all");
    CHECK(said_of("\"unobtainium\"", "\"steel\"", "\"unobtainium\"") ==
          "object \"bowl\": material: unknown material \"unobtainium\"; `clangor materials` lists them all");
    CHECK(said_of("{\"density", "\"steel\"",
                  R"({"density": 1, "young": 1, "poisson": 0, "damping": {}, "loss_factor": 0.1})") ==
          "object \"bowl\": material: only one of damping, loss_factor and loss_factors may be given");
    CHECK(said_of("\"own.json\"", "\"steel\"", "\"own.json\"") ==
          "object \"bowl\": material: files cannot be named here");
    const std::string bad =
        scene_with("\"steel\"", R"({"density": 0, "young": -7, "poisson": 0.5, "damping": {"beta": -3}})");
    CHECK(error_of(bad) ==
          fmt::format("s.json:{}: object \"bowl\": material: density must be positive, but is 0 kg/m³\n"
                      "s.json:{}: object \"bowl\": material: young must be positive, but is -7 Pa\n"
                      "s.json:{}: object \"bowl\": material: poisson must be in (-1, 0.5), but is 0.5\n"
                      "s.json:{}: object \"bowl\": material: damping: beta must not be negative, but is -3 s",
                      place_of("0, \"young", bad), place_of("-7", bad), place_of("0.5", bad), place_of("-3", bad)));
}

TEST_CASE("files that are missing, folders or wrong inside are named with the line that asks for them") {
    const fs::path folder = testing::temporary("scene_errors");
    fs::remove_all(folder);
    fs::create_directories(folder / "parts");
    std::ofstream(folder / "bad.json") << "{\"density\": 1,\n \"young\": 0, \"poisson\": 0}";
    std::ofstream(folder / "loop.json") << "\"loop.json\"";
    const auto said = [&](std::string_view from, const std::string& name) {
        const fs::path path = folder / "s.json";
        const std::string text = scene_with(from, name);
        std::ofstream(path, std::ios::binary) << text;
        const std::vector<std::string> problems = io::check_scene(path);
        const std::string prefix = fmt::format("{}:{}: object \"bowl\": ", path.string(), place_of(name, text));
        const bool one = problems.size() == 1 && problems[0].starts_with(prefix);
        return one ? problems[0].substr(prefix.size()) : fmt::format("{}", fmt::join(problems, "\n"));
    };
    const auto full = [&](const char* name) { return (folder / name).string(); };
    CHECK(said("{\"bowl\": {}}", "\"x.obj\"") == fmt::format("mesh: file {} does not exist", full("x.obj")));
    CHECK(said("{\"bowl\": {}}", "\"mug\"") ==
          fmt::format("mesh: file {} does not exist; for the shape, write {{\"mug\": {{}}}}", full("mug")));
    CHECK(said("{\"bowl\": {}}", "\"parts\"") == fmt::format("mesh: file {} is not a file", full("parts")));
    CHECK(said("\"steel\"", "\"bad.json\"") ==
          fmt::format("material: {}:2:11: young must be positive, but is 0 Pa", full("bad.json")));
    CHECK(said("\"steel\"", "\"loop.json\"") ==
          fmt::format("material: {}:1:1: files cannot be named here", full("loop.json")));
    CHECK(io::check_scene(folder / "none.json") ==
          std::vector{fmt::format("{}: cannot be opened: No such file or directory", full("none.json"))});
    std::ofstream(folder / "huge.json") << "{";
    fs::resize_file(folder / "huge.json", (256u << 20) + 1);  // sparse: takes no room
    CHECK(io::check_scene(folder / "huge.json") ==
          std::vector{fmt::format("{}: is larger than 256 MB, the most that is read", full("huge.json"))});
    CHECK(io::check_scene(folder) == std::vector{fmt::format("{}: is a folder, not a file", folder.string())});
    fs::remove_all(folder);
}

TEST_CASE("supports that hold nothing or contradict themselves are named with object and key") {
    const auto said = [](std::string_view piece, const std::string& more) {
        return said_of(piece, material, fmt::format("\"material\": \"steel\", {}", more));
    };
    CHECK(said("[]", R"("supports": [])") == "object \"bowl\": supports must hold at least 1 support");
    CHECK(said("{\"kind\": \"clamped\"}", R"("supports": [{"kind": "clamped"}])") ==
          "object \"bowl\": support 1: \"at\" is missing; give it, or side");
    CHECK(said("\"none\"", R"("supports": [{"kind": "clamped", "side": "none"}])") ==
          "object \"bowl\": support 1: a support on no side holds nothing; name a side such as \"-x\", or give at");
    CHECK(said("0.1", R"("supports": [{"kind": "clamped", "side": "-x", "radius": 0.1}])") ==
          "object \"bowl\": support 1: radius goes with at, which is not given; give it, or leave radius out");
    CHECK(said("{\"kind\": \"felt\", \"side\": \"-y\"}", R"("supports": [{"kind": "felt", "side": "-y"}])") ==
          "object \"bowl\": support 1: felt without a stiffness holds nothing; give it per area, in N/m³: 1e7 for a "
          "soft pad, 1e9 for a few millimetres of hard felt");
    CHECK(said("1e7", R"("supports": [{"kind": "clamped", "side": "-y", "stiffness": 1e7}])") ==
          "object \"bowl\": support 1: stiffness is that of felt; leave it out, or set \"kind\": \"felt\"");
    CHECK(said("{\"kind\": \"pinned\", \"at\": [0, 0, 0], \"side\": \"-y\"}",
               R"("supports": [{"kind": "pinned", "at": [0, 0, 0], "side": "-y"}])") ==
          "object \"bowl\": support 1: only one of at and side may be given");
    CHECK(said("[1, 0, 0]", R"("velocity": [1, 0, 0], "supports": [{"kind": "pinned", "side": "-y"}])") ==
          "object \"bowl\": supports hold it where it is, so that velocity means nothing; leave one of them out");
    CHECK(said("\"simulated\"", R"("motion": "simulated", "supports": [{"kind": "pinned", "side": "-y"}])")
              .starts_with("object \"bowl\": supports hold it where it is, so that its motion cannot be simulated"));
}

}  // namespace scene_errors_test
