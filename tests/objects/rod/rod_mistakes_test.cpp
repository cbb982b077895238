// What a scene may get wrong about rods, and what is said of it before anything is baked.
#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <string>

namespace rod_mistakes_test {

using namespace clangor;

namespace {

scene::Rod wire() {
    scene::Rod rod{.name = "wire", .material = *find_material("steel")};
    rod.curve = scene::StraightCurve{0.3};
    rod.section = CircleSection{0.001};
    rod.count = 30;
    return rod;
}

Scene scene_of(std::vector<scene::Object> objects) {
    Scene scene{.duration = 0.1};
    scene.objects = std::move(objects);
    scene.listeners = {{.name = "mic", .position = {0, 1, 0}}};
    return scene;
}

// All that a check says, one sentence a line.
std::string problems(const Scene& scene) {
    std::string text;
    for (const SceneProblem& problem : problems_of(scene)) text += problem.message + "\n";
    return text;
}
std::string problems(const scene::Rod& rod) { return problems(scene_of({rod})); }

std::string warnings(const scene::Rod& rod) {
    const Scene scene = scene_of({rod});
    std::string text;
    for (const std::string& warning : bake(scene, {.cache = {}, .quality = Quality::Draft}).warnings)
        text += warning + "\n";
    return text;
}

scene::RodHold clamp(double at) { return {.kind = scene::RodHoldKind::Clamped, .at = at}; }

}  // namespace

TEST_CASE("a check sees what is said of places beyond a rod's end") {
    Scene scene = scene_of({wire()});
    scene.strikes = {{.object = "wire", .along = 0.2, .impulse = {0, 1e-3, 0}}};
    CHECK(problems(scene).empty());
    scene.strikes.push_back({.object = "wire", .along = 0.4, .impulse = {0, 1e-3, 0}});
    CHECK(
        problems(scene) ==
        "strike 2: object \"wire\": it is 0.4 m along the rod, which is 0.3 m long; places are lengths along it, from "
        "0 to 0.3\n");
    scene.strikes[1].mallet = scene::preset_mallet("rubber");
    CHECK(problems(scene).find("strike 2: object \"wire\": it is 0.4 m along") == 0);
    scene::Rod rod = wire();
    rod.supports = {clamp(0.31)};
    CHECK(problems(rod).find("object \"wire\": a support is 0.31 m along the rod, which is 0.3 m long") == 0);
    rod.supports = {clamp(0)};
    rod.pulls = {{.at = 0.5, .force = {0, 1, 0}}};
    CHECK(problems(rod).find("object \"wire\": a pull is 0.5 m along the rod") == 0);
}

TEST_CASE("a check sees points that repeat or fold back, and sections that are too wide") {
    scene::Rod rod = wire();
    rod.curve = scene::PointsCurve{.points = {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}}};
    CHECK(problems(rod) ==
          "object \"wire\": points 2 and 3 of the rod are at the same place, (0.1, 0, 0); leave one of "
          "them out\n");
    rod.curve = scene::PointsCurve{.points = {{0, 0, 0}, {0.1, 0, 0}, {0, 0, 0}}};
    rod.count = 5;
    CHECK(problems(rod).find("folds back by 180° at point 2; give a bend more points") != std::string::npos);
    rod = wire();
    rod.section = CircleSection{0.1};
    CHECK(problems(rod).find("that is no rod. Check the unit of the section, which is metres") != std::string::npos);
    rod.section = CircleSection{0.02};
    rod.count = 200;
    CHECK(warnings(rod).find("40 mm thick, much more than its control points are apart (1.5 mm)") != std::string::npos);
    rod = wire();
    rod.section_x = {2, 0, 0};
    CHECK(problems(rod).find("section_x is (2, 0, 0), which is along the rod where it begins") != std::string::npos);
}

TEST_CASE("a check sees materials in the wrong unit, and stretches that no rod survives") {
    scene::Rod rod = wire();
    rod.material.density = 7.85;  // grams in a cubic centimetre
    CHECK(problems(rod).find("sound would run through it at 1.6e+05 m/s") != std::string::npos);
    rod = wire();
    rod.material.young = 200;  // gigapascals
    CHECK(problems(rod).find("give pascals (steel: 2e11)") != std::string::npos);
    rod = wire();
    rod.supports = {clamp(0), clamp(0.3)};
    rod.stretched_by = -0.2;
    CHECK(problems(rod).find("stretched_by pushes them together by 0.2 m") != std::string::npos);
    rod.stretched_by = 3;
    CHECK(problems(rod).find("nothing stretches to 11 times its length") != std::string::npos);
    rod.stretched_by = 0.03;
    CHECK(problems(rod).empty());
    CHECK(warnings(rod).find("stretched by 10 %, far more than what is as stiff as that") != std::string::npos);
    rod.curve = scene::RingCurve{0.05};
    CHECK(problems(rod).find("it is closed, and has no ends") != std::string::npos);
}

TEST_CASE("a check sees rods that begin inside of something, and names both") {
    scene::Rod rod = wire();
    const scene::Ground floor{.name = "floor", .material = *find_material("concrete")};
    rod.position = {0, 0.001, 0};  // lies on it
    CHECK(problems(scene_of({rod, floor})).empty());
    rod.position = {0, -0.02, 0};
    CHECK(
        problems(scene_of({rod, floor})) ==
        "object \"wire\" is 21 mm inside of object \"floor\" at the start, 0 m along it, at (0, -0.02, 0); move one of "
        "them, or set \"touches\": false\n");
    scene::Solid block{.name = "block", .mesh = Box{.size = {0.1, 0.02, 0.1}}, .material = *find_material("oak")};
    rod.position = {-0.15, 0.004, 0};
    CHECK(problems(scene_of({rod, block})).find("\"wire\" is 7 mm inside of object \"block\" at the start") !=
          std::string::npos);
    rod.touches = false;
    CHECK(problems(scene_of({rod, block})).empty());
    rod = wire();
    scene::Rod other = wire();
    other.name = "other";
    other.position = {0.15, 0.0003, 0.15};
    other.rotation_deg = {0, 90, 0};
    CHECK(problems(scene_of({rod, other})).find("\"wire\" is 1.7 mm inside of object \"other\"") != std::string::npos);
    scene::Rod coil = wire();
    coil.curve = scene::HelixCurve{.radius = 0.02, .pitch = 0.0005, .turns = 3};
    coil.count = 150;
    CHECK(problems(coil).find("inside of itself at the start") != std::string::npos);
    CHECK(problems(coil).find("draw its turns farther apart") != std::string::npos);
}

}  // namespace rod_mistakes_test
