#include <approx.hpp>

#include <clangor/objects/solid/solid.hpp>

#include <doctest/doctest.h>

namespace solid_supports_test {

using namespace clangor;
using clangor::test::Approx;
using doctest::Contains;
using scene::Side;
using scene::Support;
using scene::SupportKind;

namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {.loss_factor = 1e-3}, ""};
const Box bar{{0.2, 0.01, 0.02}};

ModalBody held_bar(std::vector<Support> supports, int modes = 2, double min_hz = 5) {
    return bake_solid("bar", clean(surface_of(bar)), steel,
                      {.min_hz = min_hz, .max_modes = modes, .supports = std::move(supports)});
}

scene::Solid solid_with(std::vector<Support> supports) {
    return {
        .name = "bar", .mesh = bar, .material = steel, .options = {.max_modes = 2, .supports = std::move(supports)}};
}

std::string refused(std::vector<Support> supports) {
    BakeContext context{.check_only = true};
    try {
        sounding(solid_with(std::move(supports)), context);
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

}  // namespace

TEST_CASE("a ruler on a bench's edge rings by its free length, wherever elements end") {
    // f₁ = 3.516 √(E/12ρ) h/2πL²: 0.16 m free, though no element ends there.
    const ModalBody ruler = held_bar({{.kind = SupportKind::Clamped, .side = Side::LowX, .depth = 0.04}}, 1);
    const double f1 = 3.516015 * std::sqrt(steel.young / (12 * steel.density)) * 0.01 / (2 * pi * square(0.16));
    CHECK(ruler.omega[0] / (2 * pi) == Approx(f1).epsilon(0.01));
    // What lies on the bench stays there.
    for (long i = 0; i < ruler.skin.nodes.rows(); ++i)
        if (ruler.skin.nodes(i, 0) < -0.0601) CHECK(ruler.shapes.middleRows<3>(3 * i).norm() == 0);
}

TEST_CASE("modes of a held body are those of its mass, and pinned patches keep their place in them") {
    const ModalBody model = held_bar(
        {{.kind = SupportKind::Pinned, .side = Side::LowX}, {.kind = SupportKind::Pinned, .side = Side::HighX}});
    CHECK(problems_of(model).empty());
    CHECK(model.omega[0] / (2 * pi) == Approx(569.83).epsilon(0.01));
    // ∫ρu² = 1 for w = W sin(πx/L): W = √(2/m), at the middle.
    const double mass = model.mass.volume * steel.density;
    CHECK(model.shapes.col(0).cwiseAbs().maxCoeff() == Approx(std::sqrt(2 / mass)).epsilon(0.02));
}

TEST_CASE("cords under a bar: it bounces on them with their loss, and bends as if it were free") {
    const auto cord = [](double x) {
        return Support{
            .kind = SupportKind::Felt, .at = Vec3(x, -0.005, 0), .radius = 0.004, .stiffness = 1e8, .loss_factor = 0.3};
    };
    const ModalBody model = held_bar({cord(-0.0552), cord(0.0552)}, 7, 1);
    REQUIRE(model.support_share.size() == 7);
    const Eigen::VectorXd xi = own_damping(model, steel);
    // Nothing bends while it bounces: all energy is in the cords.
    CHECK(model.omega[5] / (2 * pi) == Approx(28.48).epsilon(0.01));
    CHECK(model.support_share[5] == Approx(1).epsilon(0.01));
    CHECK(xi[5] == Approx(0.15).epsilon(0.01));
    // The cords lie where the first mode has its nodes.
    CHECK(model.omega[6] / (2 * pi) == Approx(1285.95).epsilon(0.01));
    CHECK(model.support_share[6] < 1e-3);
    CHECK(xi[6] == Approx(0.5e-3).epsilon(0.1));
    // Below the band they are left out, and said to be.
    const ModalBody audible = held_bar({cord(-0.0552), cord(0.0552)}, 1, 40);
    CHECK(audible.omega[0] == Approx(model.omega[6]).epsilon(1e-6));
    CHECK(audible.messages.back() == "6 modes below 40 Hz were left out");
}

TEST_CASE("a body that is held stays where it is: fixed for contacts, without a click, and the scene stays still") {
    BakeContext context{.still = false, .simulated = true, .quality = Quality::Draft};
    const SoundingObject object = sounding(solid_with({{.kind = SupportKind::Clamped, .side = Side::LowX}}), context);
    CHECK_FALSE(object.is_movable);
    CHECK_FALSE(object.hears_pulses);
    REQUIRE(object.rigid);
    CHECK(object.rigid->movement == Movement::Fixed);
}

TEST_CASE("equal bodies that are held differently are baked apart") {
    BakeContext context{.quality = Quality::Draft};
    const SoundingObject free = sounding(solid_with({}), context);
    const SoundingObject held = sounding(solid_with({{.kind = SupportKind::Clamped, .side = Side::LowX}}), context);
    const SoundingObject again = sounding(solid_with({{.kind = SupportKind::Clamped, .side = Side::LowX}}), context);
    CHECK_FALSE(held.from_cache);
    CHECK(again.from_cache);
    CHECK(held.mobility->omega[0] < 0.2 * free.mobility->omega[0]);
}

TEST_CASE("supports that miss the body, hold nothing or hold all of it are refused before anything is baked") {
    CHECK(refused({{.kind = SupportKind::Clamped, .side = Side::LowX}}) == "nothing");
    CHECK(
        refused({{.kind = SupportKind::Clamped, .side = Side::LowX}, {.at = Vec3(0.5, 0, 0), .radius = 0.01}})
            .starts_with("supports: support 2 misses the body: (0.5, 0, 0) is 0.4 m away from it, more than a tenth"));
    CHECK(refused({{.at = Vec3(0, 0, 0), .beyond = 0.3}})
              .starts_with("supports: support 1 holds nothing: no part of the body is beyond 0.3 m of (0, 0, 0); the "
                           "farthest is 0.1006 m away"));
    CHECK(refused({{.side = Side::HighY, .depth = 0.02}})
              .starts_with("supports: support 1 clamps all of the body, so that nothing of it can ring"));
}

TEST_CASE("a side that touches a round body in a point holds nothing without a depth") {
    const CleanSurface ball = clean(surface_of(Sphere{0.03}));
    const scene::SolidOptions without{.max_modes = 1, .supports = {{.side = Side::LowY}}};
    CHECK_THROWS_WITH_AS(bake_solid("ball", ball, steel, without),
                         "supports: support 1 holds nothing of the body; give it a larger radius or depth", Error);
    const scene::SolidOptions with{.max_modes = 1, .supports = {{.side = Side::LowY, .depth = 0.002}}};
    CHECK(bake_solid("ball", ball, steel, with).omega.size() == 1);
}

TEST_CASE("a body that its supports leave free to turn says so") {
    const ModalBody model = held_bar(
        {{.kind = SupportKind::Pinned, .at = Vec3(-0.1, 0, 0)}, {.kind = SupportKind::Pinned, .at = Vec3(0.1, 0, 0)}},
        1);
    REQUIRE_FALSE(model.messages.empty());
    CHECK(model.messages.back().starts_with("its supports leave it free to turn in 1 way,"));
}

}  // namespace solid_supports_test
