// A kind of object that the library does not know, added as anybody would: this folder, and one line in the variant.
#include <objects/toy/beeper.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr const char* text = R"({
  "clangor": 1, "duration": 0.5,
  "objects": [{"name": "alarm", "kind": "beeper", "position": [0, 1, 0], "hz": 500, "amplitude": 0.2,
               "start": 0.1, "duration": 0.2},
              {"name": "floor", "kind": "ground", "material": "concrete", "reflection": 0.5}],
  "listeners": [{"name": "mic", "position": [3, 1, 0]}, {"name": "far", "position": [0, 1, 6]}]
})";

std::string file_text(const char* path) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    return all.str();
}

}  // namespace

TEST_CASE("a new kind of object is a line in the variant, and its header") {
    std::istringstream with(file_text("tests/objects/toy/clangor/scene/object.hpp"));
    std::istringstream without(file_text("src/clangor/scene/object.hpp"));
    long added = 0;
    for (std::string line, known; std::getline(without, known);) {
        REQUIRE(std::getline(with, line));
        while (line != known) {
            ++added;
            if (line.find("std::variant") != std::string::npos) break;  // the line itself
            REQUIRE(std::getline(with, line));
        }
    }
    CHECK(added == 2);
}

TEST_CASE("a beeper is heard A/r loud, r/c later, and once more by the floor") {
    const Scene scene = io::parse_scene(text, "beep.json");
    const Baked baked = bake(scene, {});
    const Motion motion = motion_of(scene, baked);
    const Rendered rendered = synthesize(scene, baked, motion, {.stems = true});
    CHECK(rendered.warnings.empty());
    REQUIRE(rendered.stems.size() == 1);
    CHECK(rendered.stems[0].name == "alarm.beep");
    const double c = scene.air.speed_of_sound, rate = scene.sample_rate;
    for (int listener = 0; listener < 2; ++listener) {
        const double direct = listener == 0 ? 3 : 6, reflected = std::sqrt(square(direct) + 4);
        double worst = 0;
        for (long k = 0; k < rendered.audio.frames(); ++k) {
            double expected = 0;
            for (const auto& [r, factor] : {std::pair{direct, 1.0}, std::pair{reflected, 0.5}}) {
                const double t = double(k) / rate - r / c - 0.1;
                if (t > 0 && t < 0.2) expected += factor * 0.2 / r * std::sin(2 * pi * 500 * t);
            }
            const double t = double(k) / rate - direct / c - 0.1;
            const bool near_an_edge =
                std::abs(t) < 0.01 || std::abs(t - 0.2) < 0.01;  // its corners are not band-limited
            if (!near_an_edge)
                worst = std::max(worst, std::abs(expected - double(rendered.audio.samples(listener, k))));
        }
        CHECK(worst < 1e-4 * 0.2 / direct);
    }
}

TEST_CASE("a beeper's keys are read, checked and in the schema") {
    CHECK_THROWS_WITH_AS(io::parse_scene(R"({"clangor": 1, "duration": 1, "objects": [
        {"name": "alarm", "kind": "beeper", "amplitud": 3}], "listeners": [{"name": "mic", "position": [3, 1, 0]}]})",
                                         "beep.json"),
                         doctest::Contains("unknown key \"amplitud\"; did you mean \"amplitude\"?"), Error);
    CHECK_THROWS_WITH_AS(
        io::parse_scene(R"({"clangor": 1, "duration": 1, "objects": [{"name": "alarm", "kind": "beeper"}],
        "strikes": [{"object": "alarm", "at": [0, 0, 0], "impulse": [1, 0, 0]}],
        "listeners": [{"name": "mic", "position": [3, 1, 0]}]})",
                        "beep.json"),
        doctest::Contains("\"alarm\" is a beeper, which does not ring; strike a solid"), Error);
    CHECK(io::scene_schema().find("\"beeper\"") != std::string::npos);
    CHECK(io::scene_reference_markdown().find("kind `\"beeper\"`") != std::string::npos);
}

TEST_CASE("a beeper stands in the report, and a check has nothing against it") {
    const Scene scene = io::parse_scene(text, "beep.json");
    CHECK(problems_of(scene).empty());
    const Baked baked = bake(scene, {});
    const Motion motion = motion_of(scene, baked);
    const Rendered rendered = synthesize(scene, baked, motion, {});
    const nlohmann::json report = report_of(scene, baked, motion, rendered, levels_of(rendered.audio), 0);
    CHECK(report["objects"][0] == nlohmann::json{{"name", "alarm"}, {"hz", 500.0}});
}
