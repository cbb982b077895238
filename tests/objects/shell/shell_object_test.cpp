#include <approx.hpp>

#include <clangor/objects/shell/shell.hpp>
#include <clangor/objects/solid/solid.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace shell_object_test {

using namespace clangor;
using clangor::test::Approx;
using doctest::Contains;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {.loss_factor = 1e-3}, ""};

scene::Shell lid_of(double thickness) {
    return {.body = {.name = "lid",
                     .mesh = Dome{.radius = 0.08, .depth = 0.02},
                     .material = steel,
                     .options = {.max_hz = 2000}},
            .thickness = thickness};
}

std::string problem_of(const Surface& middle, double thickness) {
    try {
        bake_shell("shell", clean(middle), thickness, steel, {.max_hz = 1000});
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Surface together(const Surface& a, const Surface& b) {
    Surface all{Points(a.vertices.rows() + b.vertices.rows(), 3), Triangles(a.faces.rows() + b.faces.rows(), 3)};
    all.vertices << a.vertices, b.vertices;
    all.faces << a.faces, b.faces.array() + int(a.vertices.rows());
    return all;
}

}  // namespace

TEST_CASE("a shell moves, gives way and sounds as other bodies do, and its walls are as thick as it says") {
    BakeContext context{.still = false, .simulated = true, .quality = Quality::Draft};
    scene::Shell lid = lid_of(0.001);
    lid.body.acceleration_noise = false;
    const SoundingObject object = sounding(lid, context);
    REQUIRE(object.rigid);
    // The cap's area is π (r² + d²).
    const double mass = steel.density * 0.001 * pi * (square(0.08) + square(0.02));
    CHECK(object.rigid->mass == Approx(mass).epsilon(2e-3));
    REQUIRE(object.mobility);
    CHECK(object.mobility->omega.size() > 5);
    CHECK(object.emitters);
    // Seen from the middle of its faces, away from the rim.
    CHECK(object.body->wall->minCoeff() < 0.0011);
    long right = 0;
    for (const double wall : *object.body->wall) right += std::abs(wall / 0.001 - 1) < 0.05;
    CHECK(double(right) > 0.8 * double(object.body->wall->size()));
    // Half of the wall is on either side of the middle: within a third of a cell of the collision field.
    const CollisionShapePtr shape = object.shape();
    CHECK(std::abs(signed_distance(*shape, {0, 0.0013, 0}) - 0.0008) < 1.5e-4);
    CHECK(std::abs(signed_distance(*shape, {0, -0.0013, 0}) - 0.0008) < 1.5e-4);
    CHECK(signed_distance(*shape, {0, 0, 0}) < 0);
    nlohmann::json entry;
    object.report(entry);
    CHECK(entry["modes"] == object.mobility->omega.size());
}

TEST_CASE("a silent shell collides with the wall that it stands for, and is not baked") {
    BakeContext context{.still = false, .simulated = true};
    scene::Shell lid = lid_of(0.002);
    lid.body.silent = true;
    const SoundingObject object = sounding(lid, context);
    CHECK_FALSE(object.mobility);
    CHECK(object.body->is_closed);
    REQUIRE(object.rigid);
    CHECK(object.rigid->mass == Approx(steel.density * 0.002 * pi * (square(0.08) + square(0.02))).epsilon(5e-3));
}

TEST_CASE("equal shells share a bake, others do not") {
    BakeContext context{.quality = Quality::Draft};
    const SoundingObject first = sounding(lid_of(0.001), context), again = sounding(lid_of(0.001), context),
                         thicker = sounding(lid_of(0.002), context);
    CHECK_FALSE(first.from_cache);
    CHECK(again.from_cache);
    CHECK_FALSE(thicker.from_cache);
    CHECK(thicker.mobility->omega[0] > 1.5 * first.mobility->omega[0]);
}

TEST_CASE("what is no shell is refused with its reason, before anything is baked") {
    const Surface sheet = surface_of(Sheet{0.1, 0.1});
    CHECK(problem_of(sheet, 0) == "the thickness of the shell must be positive, but is 0 m");
    CHECK(holds(problem_of(sheet, 0.05), "more than a fifth of its extent of 0.141 m: that is no thin shell"));
    CHECK(holds(problem_of(sheet, 1e-9), "less than 1e-7 of its extent"));
    CHECK(problem_of({}, 0.001) == "the shell has no triangles; check the mesh");
    Surface beside = sheet;
    beside.vertices.col(0).array() += 0.2;
    CHECK(problem_of(together(sheet, beside), 0.001) ==
          "the shell is in 2 pieces, which nothing joins; make each an object of its own");
    // A third wall along the middle line of a sheet.
    Surface wing = sheet;
    wing.vertices.col(1) = sheet.vertices.col(0).array() - 0.05;
    wing.vertices.col(0).setZero();
    const Surface tee = clean(together(sheet, wing)).surface;
    CHECK(holds(problem_of(tee, 0.001), "edges of the shell have more than two triangles"));
    // A wall of 12 mm around a tube of 4 mm radius.
    CHECK(holds(problem_of(surface_of(Can{.radius = 0.004, .height = 0.1, .bottom = true}), 0.012),
                "is too thick for the curves of the surface"));

    BakeContext check{.check_only = true};
    const SoundingObject checked = sounding(lid_of(0.05), check);
    REQUIRE(checked.problems.size() == 1);
    CHECK(holds(checked.problems[0], "that is no thin shell"));
    CHECK(sounding(lid_of(0.001), check).problems.empty());
}

TEST_CASE("a surface that is wound either way is turned, and edges that are asked for too long are said to be") {
    Surface sheet = surface_of(Sheet{0.1, 0.1});
    sheet.faces.row(7) = sheet.faces.row(7).reverse().eval();
    const ModalBody model = bake_shell("shell", clean(sheet), 0.001, steel, {.max_hz = 1000, .max_modes = 3});
    CHECK(holds(model.messages.front(), "flipped 1 face"));
    const ModalBody coarse =
        bake_shell("shell", clean(surface_of(Sheet{0.1, 0.1})), 0.001, steel, {.edge_length = 0.03, .max_modes = 3});
    CHECK(holds(coarse.messages.front(), "but modes up to 20000 Hz are wanted"));
    // Waves as short as the wall is thick are too fast without shear.
    const ModalBody thick = bake_shell("shell", clean(surface_of(Sheet{0.1, 0.1})), 0.012, steel, {});
    CHECK(holds(thick.messages.back(), "% too high: their waves are short against the wall of 12 mm"));
}

TEST_CASE("solids of foil name the shell as the remedy") {
    Surface plate = surface_of(Plate{.width = 2, .depth = 2, .thickness = 0.0005});
    CHECK_THROWS_WITH_AS(bake_solid("foil", clean(plate), steel, {}),
                         Contains("make it a shell (\"kind\": \"shell\" in a scene, --shell 0.0005)"), Error);
    const ModalBody coarse =
        bake_solid("plate", clean(surface_of(Plate{})), steel, {.edge_length = 0.06, .max_hz = 2000});
    CHECK(holds(coarse.messages.back(), "less than a tenth of its elements of 60 mm; as a shell"));
}

}  // namespace shell_object_test
