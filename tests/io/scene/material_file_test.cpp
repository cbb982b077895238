#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/scene/material_file.hpp>
#include <temporary.hpp>

#include <filesystem>
#include <fstream>

namespace material_file_test {

using namespace clangor;
using clangor::test::Approx;

TEST_CASE("a material on the command line is a library name, a file or a JSON object") {
    CHECK(io::parse_material("Stainless Steel").name == "stainless_steel");
    const Material own = io::parse_material(R"({"density": 7850, "young": 2e11, "poisson": 0.3})");
    CHECK(own.name == "custom");
    CHECK(own.density == 7850);
    CHECK(own.young == 2e11);
    CHECK(own.poisson == 0.3);
    CHECK(own.damping.alpha == 0);
    const Material damped =
        io::parse_material(R"({"name": "tar", "density": 1, "young": 1, "poisson": 0, "loss_factor": 0.5})");
    CHECK(damped.name == "tar");
    CHECK(2 * damping_ratio(damped.damping, 2 * pi * 4000) == Approx(0.5));

    const std::filesystem::path path = testing::temporary("clay.json");
    std::ofstream(path) << R"({"density": 2000, "young": 3e10, "poisson": 0.2, "source": "our kiln"})";
    const Material clay = io::parse_material(path.string());
    CHECK(clay.name == path.stem());
    CHECK(clay.source == "our kiln");
    std::filesystem::remove(path);
}

TEST_CASE("a wrong material on the command line says what is wrong and where") {
    CHECK_THROWS_WITH_AS(
        io::parse_material("steal"),
        "material: unknown material \"steal\"; did you mean \"steel\"? `clangor materials` lists them all", Error);
    CHECK_THROWS_WITH_AS(io::parse_material("none.json"), "material: file none.json does not exist", Error);
    CHECK_THROWS_WITH_AS(io::parse_material("{\"density\": 1, \"young\": 2e11, \"poisson\": 0.7}"),
                         "material:1:42: poisson must be in (-1, 0.5), but is 0.7", Error);
    CHECK_THROWS_WITH_AS(io::parse_material("{\"density\": 1"),
                         "material:1:14: the file ends too early: a bracket or a quotation mark is not closed", Error);
    CHECK_THROWS_WITH_AS(io::parse_material("{}"),
                         "material:1:1: \"density\" is missing; give it, in kg/m³\n"
                         "material:1:1: \"young\" is missing; give it, in Pa\n"
                         "material:1:1: \"poisson\" is missing",
                         Error);
}

}  // namespace material_file_test
