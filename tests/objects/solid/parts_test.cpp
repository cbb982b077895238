#include <clangor/objects/solid/solid.hpp>

#include <geometry/made_surfaces.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>
#include <cmath>

namespace solid_parts_test {

using namespace clangor;
using namespace made_surfaces;
using clangor::test::Approx;

namespace {

Surface bar(double length, const Vec3& at) {
    Surface box = surface_of(Box{.size = {length, 0.02, 0.01}});
    box.vertices.rowwise() += at.transpose();
    return box;
}

ModalBody baked(const Surface& surface, Parts parts = Parts::Auto) {
    scene::SolidOptions options;
    options.parts = parts;
    options.refinement = 0.6;
    options.max_hz = 8000;
    return bake_solid("bars", clean(surface), *find_material("steel"), options);
}

}  // namespace

TEST_CASE("two bars in one mesh ring as each does by itself, and weigh as much as both") {
    const Surface long_bar = bar(0.2, {0, 0, 0}), short_bar = bar(0.15, {0, 0.2, 0});
    const ModalBody one = baked(long_bar), other = baked(short_bar), both = baked(joined(short_bar, long_bar));
    std::vector<double> expected(one.omega.begin(), one.omega.end());
    expected.insert(expected.end(), other.omega.begin(), other.omega.end());
    std::sort(expected.begin(), expected.end());
    REQUIRE(both.omega.size() == std::ssize(expected));
    for (long i = 0; i < both.omega.size(); ++i) CHECK(both.omega[i] == Approx(expected[i]).epsilon(1e-6));
    CHECK(both.mass.volume == Approx(one.mass.volume + other.mass.volume));
    CHECK(problems_of(both).empty());
    CHECK(both.messages.size() == 1);

    // The lowest mode is the long bar's: the short one, 0.2 m aside, does not move with it.
    double moved = 0, at_rest = 0;
    for (long i = 0; i < both.skin.nodes.rows(); ++i) {
        const double amount = both.shapes.col(0).segment<3>(3 * i).cast<double>().norm();
        double& of_bar = both.skin.nodes(i, 1) > 0.1 ? at_rest : moved;
        of_bar = std::max(of_bar, amount);
    }
    CHECK(moved > 0);
    CHECK(at_rest == 0);
}

TEST_CASE("the largest part alone rings as if the other were not there") {
    const Surface long_bar = bar(0.2, {0, 0, 0});
    const ModalBody one = baked(long_bar), largest = baked(joined(bar(0.15, {0, 0.2, 0}), long_bar), Parts::Largest);
    REQUIRE(largest.omega.size() == one.omega.size());
    CHECK(largest.omega.isApprox(one.omega, 1e-6));
}

TEST_CASE("a free bar that is cut from a lattice bends at Euler's frequency") {
    // f₁ = 22.373/(2π L²) √(EI/ρA), lower by what shear and rotation take (0.6 % at L/h = 20).
    const Material steel = *find_material("steel");
    const double length = 0.2, height = 0.01;
    const double euler_hz =
        22.373 / (2 * pi * length * length) * std::sqrt(steel.young / steel.density) * height / std::sqrt(12.0);
    // A second bar, a little flatter and as little higher, cuts it: together they are no surface that can be followed.
    const Surface other = surface_of(Box{.size = {0.1, 0.01998, 0.01001}});
    const Surface crossing = joined(bar(length, {0, 0, 0}), other);
    scene::SolidOptions options;
    options.max_hz = 3000;
    const ModalBody body = bake_solid("bar", clean(crossing), steel, options);
    REQUIRE(body.omega.size() > 0);
    CHECK(body.omega[0] / (2 * pi) == Approx(0.994 * euler_hz).epsilon(0.03));
}

}  // namespace solid_parts_test
