#include <approx.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <clangor/material/material.hpp>
#include <clangor/material/material_tables.hpp>
#include <generated_docs.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace material_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

Material sound_material() {
    return {.name = "mine", .density = 7850, .young = 2e11, .poisson = 0.3, .damping = {1, 1e-7, 0}};
}

// A free bar's speed of longitudinal waves √(E/ρ), which Kaye & Laby tabulate on their own for rods of these metals
// [m/s].
double rod_speed(const std::string& name) {
    const Material material = find_material(name).value();
    return std::sqrt(material.young / material.density);
}

}  // namespace

TEST_CASE("the library holds every material that users were promised, each once and each sound") {
    const std::set<std::string> promised = {
        "steel",    "stainless_steel", "aluminium", "brass",         "bronze",   "copper",  "cast_iron", "silver",
        "titanium", "glass",           "porcelain", "ceramic",       "concrete", "granite", "ice",       "oak",
        "pine",     "plywood",         "abs",       "polycarbonate", "acrylic",  "nylon",   "pvc",       "rubber",
        "bone",     "spring_steel"};
    std::set<std::string> names;
    for (const Material& material : material_library()) {
        INFO(material.name);
        CHECK(names.insert(material.name).second);
        CHECK(problems_of(material).empty());
        CHECK(material.source.find("η = ") != std::string::npos);
    }
    for (const std::string& name : promised) CHECK_MESSAGE(names.contains(name), name);
    CHECK(names.size() >= 26);
}

TEST_CASE("a material is found by case, space, hyphen and common other names") {
    CHECK(find_material("steel")->name == "steel");
    CHECK(find_material("Stainless Steel")->name == "stainless_steel");
    CHECK(find_material("CAST-IRON")->name == "cast_iron");
    CHECK(find_material("aluminum")->name == "aluminium");
    CHECK(find_material("Bell Metal")->name == "bronze");
    CHECK(find_material("Plexiglass")->name == "acrylic");
    CHECK_FALSE(find_material("steal"));
    CHECK_FALSE(find_material(""));
}

TEST_CASE("the name of a family stands for materials of the library, whichever form of the word it is") {
    const auto holds = [](std::string_view word, const char* name) {
        return std::ranges::count(materials_of_family(word), name) == 1;
    };
    for (const char* word : {"wood", "Wooden", "hardwood", "woods"}) CHECK(holds(word, "spruce"));
    CHECK(holds("metal", "steel"));
    CHECK(holds("sheet metal", "aluminium"));
    CHECK(holds("plastic", "nylon"));
    CHECK(holds("stone", "granite"));
    CHECK_FALSE(holds("metal", "oak"));
    CHECK(materials_of_family("unobtainium").empty());
    for (const MaterialRow& row : material_rows()) CHECK(holds(row.family, std::string(row.name).c_str()));
}

TEST_CASE("speed of sound in thin rods agrees with separately tabulated values") {
    // Measured in rods, CRC Handbook: aluminium 5000, brass 3480, copper 3810, lead 1210, steel 5200 m/s.
    // 5 %: alloys and tempers differ between the tables.
    CHECK(rod_speed("aluminium") == Approx(5000).epsilon(0.05));
    CHECK(rod_speed("brass") == Approx(3480).epsilon(0.05));
    CHECK(rod_speed("copper") == Approx(3810).epsilon(0.05));
    CHECK(rod_speed("lead") == Approx(1210).epsilon(0.05));
    CHECK(rod_speed("steel") == Approx(5200).epsilon(0.05));
}

TEST_CASE("every way in which a material can be wrong is named with its value") {
    const auto first = [](auto change) {
        Material material = sound_material();
        change(material);
        const std::vector<std::string> problems = problems_of(material);
        return problems.size() == 1 ? problems.front() : fmt::format("{} problems", problems.size());
    };
    CHECK(problems_of(sound_material()).empty());
    CHECK(first([](Material& m) { m.density = -1; }) == "density must be positive, but is -1 kg/m³");
    CHECK(first([](Material& m) { m.density = 0; }) == "density must be positive, but is 0 kg/m³");
    CHECK(first([](Material& m) { m.young = 0; }) == "young must be positive, but is 0 Pa");
    CHECK(first([](Material& m) { m.young = infinity; }) == "young must be a finite number, but is inf");
    CHECK(first([](Material& m) { m.density = not_a_number; }) == "density must be a finite number, but is nan");
    CHECK(first([](Material& m) { m.poisson = 0.5; }) == "poisson must be in (-1, 0.5), but is 0.5");
    CHECK(first([](Material& m) { m.poisson = -1; }) == "poisson must be in (-1, 0.5), but is -1");
    CHECK(first([](Material& m) { m.poisson = not_a_number; }) == "poisson must be in (-1, 0.5), but is nan");
    CHECK(first([](Material& m) { m.damping.alpha = -2; }) == "damping alpha must not be negative, but is -2 1/s");
    CHECK(first([](Material& m) { m.damping.beta = -1e-6; }) == "damping beta must not be negative, but is -1e-06 s");
    CHECK(first([](Material& m) { m.damping.gamma = -3; }) == "damping gamma must not be negative, but is -3 1/s³");
    CHECK(first([](Material& m) { m.damping = {.loss_factor = -1}; }) == "loss_factor must not be negative, but is -1");
    CHECK(first([](Material& m) { m.damping.loss_factor = 0.01; }) ==
          "damping is given twice; give α, β and γ, or a loss factor, or a table of loss factors");
    CHECK(first([](Material& m) {
              m.damping = {.losses = {{100, 0.1}, {50, 0.1}}};
          }) == "frequencies of loss factors must ascend, but 50 Hz follows 100 Hz");
    CHECK(first([](Material& m) {
              m.damping = {.losses = {{100, 0}}};
          }) == "loss factors must be positive, but the one at 100 Hz is 0");
    CHECK(problems_of(Material{.poisson = 1}).size() == 3);
}

TEST_CASE("damping ratio: each coefficient acts with its own power of frequency") {
    const double omega = 2 * pi * 440;
    CHECK(damping_ratio({3, 0, 0}, omega) == Approx(3 / (2 * omega)));
    CHECK(damping_ratio({0, 1e-6, 0}, omega) == Approx(1e-6 * omega / 2));
    CHECK(damping_ratio({0, 0, 5e6}, omega) == Approx(5e6 / (2 * omega * omega * omega)));
    CHECK(damping_ratio({3, 1e-6, 5e6}, omega) ==
          Approx(damping_ratio({3, 0, 0}, omega) + damping_ratio({0, 1e-6, 0}, omega) +
                 damping_ratio({0, 0, 5e6}, omega)));
}

TEST_CASE("decay time: after T60 the amplitude e^{-ξωt} has fallen to a thousandth") {
    const Damping damping = {2, 3e-7, 1e5};
    const double omega = 2 * pi * 700;
    CHECK(std::exp(-damping_ratio(damping, omega) * omega * decay_time(damping, 700)) == Approx(1e-3));
    CHECK(decay_time({}, 700) == infinity);
}

TEST_CASE("a loss factor holds for every mode: ξ = η/2, so that decay times fall with frequency") {
    const Damping damping = {.loss_factor = 0.01};
    for (const double hz : {20.0, 1000.0, 20e3}) CHECK(2 * damping_ratio(damping, 2 * pi * hz) == 0.01);
    CHECK(decay_time(damping, 1000) == Approx(std::log(1000.0) / (0.005 * 2 * pi * 1000)));
    CHECK(decay_time(damping, 4000) == Approx(decay_time(damping, 1000) / 4));
}

TEST_CASE("a table of loss factors is met at its frequencies, a power law between, level beyond") {
    const Damping damping = {.losses = {{100, 1e-3}, {1000, 1e-2}, {4000, 5e-3}}};
    const auto eta = [&](double hz) { return 2 * damping_ratio(damping, 2 * pi * hz); };
    CHECK(eta(100) == Approx(1e-3));
    CHECK(eta(1000) == Approx(1e-2));
    CHECK(eta(4000) == Approx(5e-3));
    CHECK(eta(200) == Approx(2e-3));                    // η ∝ f from 100 to 1000 Hz
    CHECK(eta(2000) == Approx(1e-2 / std::sqrt(2.0)));  // η ∝ 1/√f from there on
    CHECK(eta(10) == Approx(1e-3));
    CHECK(eta(20e3) == Approx(5e-3));
}

TEST_CASE("thermoelastic loss peaks at half the relaxation strength, where ωτ = 1, and falls on both sides") {
    const Material aluminium = *find_material("aluminium");
    // Δ = Eα²T/ρc = 70.3e9 · (23.1e-6)² · 293.15/(2700 · 897), τ = h²ρc/π²κ for h = 0.5 mm.
    const double per_volume = 2700 * 897.0;
    const double strength = 70.3e9 * square(23.1e-6) * 293.15 / per_volume;
    const double tau = square(0.5e-3) * per_volume / (pi * pi * 237);
    CHECK(strength == Approx(4.54e-3).epsilon(0.002));
    CHECK(1 / (2 * pi * tau) == Approx(615).epsilon(0.002));  // [Hz]: in the middle of what is heard
    CHECK(thermoelastic_loss(aluminium, 0.5e-3, 1 / tau) == Approx(strength / 2));
    CHECK(thermoelastic_loss(aluminium, 0.5e-3, 0.01 / tau) == Approx(0.01 * strength).epsilon(1e-3));
    CHECK(thermoelastic_loss(aluminium, 0.5e-3, 100 / tau) == Approx(0.01 * strength).epsilon(1e-3));
    // A thick wall has no time for heat to cross it: a tenth of its own loss, 1e-4, at 1 kHz in 1 cm.
    CHECK(thermoelastic_loss(aluminium, 0.01, 2 * pi * 1000) < 1e-5);
    CHECK(thermoelastic_loss(*find_material("glass"), 0.5e-3, 1 / tau) == 0);
    CHECK(thermoelastic_loss(aluminium, 0, 1 / tau) == 0);
}

TEST_CASE("every metal of the library knows its thermal constants, and nothing else does") {
    for (const Material& material : material_library()) {
        CAPTURE(material.name);
        const bool is_metal = std::ranges::count(materials_of_family("metal"), material.name) == 1;
        CHECK((material.thermal.expansion > 0) == is_metal);
        CHECK((material.thermal.heat_capacity > 0) == is_metal);
        CHECK((material.thermal.conductivity > 0) == is_metal);
    }
    // The law of Dulong and Petit: 3R = 24.9 J/(mol K), by molar masses.
    for (const auto& [name, molar] : {std::pair{"aluminium", 0.02698},
                                      {"copper", 0.06355},
                                      {"silver", 0.10787},
                                      {"gold", 0.19697},
                                      {"zinc", 0.06538},
                                      {"tin", 0.11871},
                                      {"lead", 0.2072},
                                      {"titanium", 0.04787}})
        CHECK(find_material(name)->thermal.heat_capacity * molar == Approx(24.9).epsilon(0.08));
}

TEST_CASE("every loss factor of the library says whether it was measured, follows a rule or was chosen") {
    for (const MaterialRow& row : material_rows()) {
        CAPTURE(row.name);
        const auto says = [&](std::string_view word) { return row.loss.find(word) != std::string_view::npos; };
        CHECK((says("measured") || says("by rule") || says("chosen")));
    }
}

TEST_CASE("what is heard: steel rings for seconds, wood is short, rubber is dead") {
    const auto seconds = [](const char* name) { return decay_time(find_material(name)->damping, 1000); };
    CHECK(seconds("steel") > 2);
    CHECK(seconds("steel") < 10);
    CHECK(seconds("glass") > 1);
    for (const char* wood : {"oak", "pine", "plywood"}) {
        CHECK(seconds(wood) > 0.1);
        CHECK(seconds(wood) < 0.3);
    }
    CHECK(seconds("rubber") < 0.02);
    CHECK(seconds("cast_iron") < seconds("steel"));
}

TEST_CASE("the guide's table of materials is that of the library") {
    std::string table = "| name | ρ [kg/m³] | E [GPa] | ν | η | T60 at 1 kHz [s] | friction | restitution | source |\n";
    table += "|---|---|---|---|---|---|---|---|---|\n";
    for (const Material& m : material_library()) {
        table += fmt::format("| `{}` | {} | {:.4g} | {:.3g} | {:.3g} | {:.2g} | {:.2g} | {:.2g} | {} |\n", m.name,
                             m.density, m.young / 1e9, m.poisson, m.damping.loss_factor, decay_time(m.damping, 1000),
                             m.friction, m.restitution, m.source);
    }
    check_generated_part("docs/guide/materials.md", table);
}

TEST_CASE("every built-in material says how it slides and bounces, and hard ones bounce better than soft metals") {
    for (const Material& material : material_library()) {
        CHECK(material.friction > 0);
        CHECK(material.friction <= 1);
        CHECK(material.restitution > 0);
        CHECK(material.restitution < 1);
    }
    CHECK(find_material("glass")->restitution > find_material("copper")->restitution);
    CHECK(find_material("copper")->restitution > find_material("lead")->restitution);
}

}  // namespace material_test
