// Mallets in scenes and on the command line.
#include <clangor/io/scene/scene.hpp>

#include <doctest/doctest.h>

namespace mallet_read_test {

using namespace clangor;

namespace {

Scene struck_by(const std::string& mallet) {
    return io::parse_scene(R"({"clangor": 1, "duration": 2,
 "materials": {"cork": {"density": 200, "young": 2e7, "poisson": 0.1}},
 "objects": [{"name": "bowl", "kind": "solid", "mesh": {"bowl": {}}, "material": "steel"}],
 "strikes": [{"object": "bowl", "at": [0, 0, 0], "by": {"mallet": )" +
                               mallet + R"(}}],
 "listeners": [{"name": "mic", "position": [0, 0, 1]}]})",
                           "s.json");
}

std::string refused(const std::string& text) {
    try {
        io::parse_mallet(text);
        return "nothing";
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("a mallet is read with its material, which may be a word, the scene's own, or an object") {
    const auto read = [](const std::string& material) {
        return *struck_by(R"({"mass": 0.02, "radius": 0.01, "speed": 1.5, "direction": [0, 0, -2], "material": )" +
                          material + "}")
                    .strikes[0]
                    .mallet;
    };
    const scene::Mallet mallet = read("\"rubber\"");
    CHECK(mallet.mass == 0.02);
    CHECK(mallet.radius == 0.01);
    CHECK(mallet.speed == 1.5);
    CHECK(*mallet.direction == Vec3(0, 0, -2));
    CHECK(mallet.material.name == "rubber");
    CHECK(read("\"wood\"").material.name == "maple");  // a word for many in an object, for one in a mallet
    CHECK(read("\"cork\"").material.young == 2e7);
    CHECK(read(R"({"density": 1200, "young": 5e7, "poisson": 0.48})").material.young == 5e7);
    CHECK_FALSE(struck_by(R"({"mass": 1, "radius": 1, "speed": 1, "material": "felt"})").strikes[0].mallet->direction);
}

TEST_CASE("every mallet that has a name is softer than the one before, and can be changed") {
    double stiffness = 1e12;
    for (const scene::MalletPreset& preset : scene::mallet_presets()) {
        const scene::Mallet mallet = io::parse_mallet(preset.name);
        CHECK(mallet.mass == preset.mass);
        CHECK(mallet.material.young < stiffness);
        stiffness = mallet.material.young;
    }
    const scene::Mallet fast = io::parse_mallet("felt,speed=2");
    CHECK(fast.speed == 2);
    CHECK(fast.mass == scene::preset_mallet("felt")->mass);
    CHECK(io::parse_mallet("speed=2,material=felt").mass == fast.mass);
    const scene::Mallet own = io::parse_mallet("mass=0.02,radius=0.01,material=nylon,speed=1.5");
    CHECK(own.material.name == "nylon");
    CHECK(own.radius == 0.01);
}

TEST_CASE("what is wrong with a mallet is said all at once, with what to do") {
    CHECK(refused("material=nylon") ==
          "--mallet: \"mass\" is missing; give it, in kg\n--mallet: \"radius\" is missing; give it, in m\n"
          "--mallet: \"speed\" is missing; give it, in m/s");
    CHECK(refused("steel,mass=0,speed=inf") ==
          "--mallet: mass must be in (0, 1000] kg, but is 0 kg\n"
          "--mallet: speed must be in (0, 1000] m/s, but is inf m/s");
    CHECK(refused("") ==
          "--mallet: there is no mallet \"\"; known: steel, wood, rubber, felt, finger. Any other is described by what "
          "it is: mass=0.02,radius=0.01,material=nylon,speed=1.5");
    CHECK(refused("felt,sped=2").starts_with("--mallet: unknown key \"sped\"; did you mean \"speed\"?"));
}

}  // namespace mallet_read_test
