#include "../icosphere.hpp"

#include <clangor/geometry/geometry.hpp>
#include <clangor/geometry/rounded.hpp>
#include <clangor/geometry/shapes_build.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace rounded_test {

using namespace clangor;
using clangor::test::Approx;
using geometry::rounded;

namespace {

Surface turned(const shapes::Profile& profile, int segments) {
    return clean(shapes::revolved(profile, segments).surface).surface;
}

Surface cylinder(double radius, double height, int segments, int rings) {
    shapes::Profile profile = {{0, 0}, {radius, 0}};
    for (int i = 1; i <= rings; ++i) profile.push_back({radius, height * i / rings});
    profile.push_back({0, height});
    return turned(profile, segments);
}

}  // namespace

TEST_CASE("the facets of a ball are rounded: what they cut off comes back, vertices stay") {
    const double a = 0.05;
    const Surface ball = test::icosphere(a, 2, false);  // 320 faces that turn by 18°
    const Surface round = rounded(ball);
    REQUIRE(round.faces.rows() > ball.faces.rows());
    CHECK(round.vertices.topRows(ball.vertices.rows()) == ball.vertices);
    CHECK(topology_of(round).closed());
    CHECK_FALSE(self_intersects(round));
    const double exact = 4.0 / 3 * pi * cube(a);
    const double missing = 1 - mass_properties(ball).volume / exact;
    CHECK(missing > 0.03);
    CHECK(1 - mass_properties(round).volume / exact < 0.1 * missing);
    // The faces' middles lay 1 − cos 10° = 1.6 % too deep.
    CHECK(round.vertices.rowwise().norm().minCoeff() > (1 - 0.0015) * a);
    CHECK(round.vertices.rowwise().norm().maxCoeff() < (1 + 0.0015) * a);
}

TEST_CASE("flat faces and steep edges stay exactly as they are") {
    for (const Shape& shape : {Shape(Box{}), Shape(Plate{}), Shape(TuningFork{}), Shape(Mug{}), Shape(Bell{})}) {
        CAPTURE(shape.index());  // the round ones among them are fine enough
        CHECK(rounded(clean(surface_of(shape)).surface).faces.rows() == 0);
    }
    CHECK(rounded(cylinder(0.02, 0.1, 8, 1)).faces.rows() == 0);   // an eight-sided prism
    CHECK(rounded(cylinder(0.02, 0.1, 12, 3)).faces.rows() == 0);  // 30° are meant
    CHECK(rounded(test::icosphere(0.05, 0)).faces.rows() == 0);    // a die of 20 faces
}

TEST_CASE("a cone keeps its straight sides and its tip, and gets a round base") {
    const double height = 0.03, radius = 0.05;
    for (const int rings : {1, 4}) {
        CAPTURE(rings);
        shapes::Profile profile = {{0, height}};
        for (int i = 1; i <= rings; ++i) profile.push_back({radius * i / rings, height * (rings - i) / rings});
        profile.push_back({0, 0});
        const Surface round = rounded(turned(profile, 24));
        REQUIRE(round.faces.rows() > 0);
        double outside = 0;
        for (const auto& row : round.vertices.rowwise()) {
            const double r = std::hypot(row.x(), row.z());
            outside = std::max(outside, r / radius + row.y() / height - 1);
            CHECK(row.y() > -1e-12);
        }
        CHECK(outside < 0.002);  // 24 segments cut off 0.9 %
        CHECK(mass_properties(round).volume == Approx(pi / 3 * square(radius) * height).epsilon(0.005));
    }
}

TEST_CASE("a cylinder of 24 segments gets round rims and walls, and flat ends") {
    const double radius = 0.02, height = 0.05;
    for (const int rings : {1, 5}) {
        CAPTURE(rings);
        const Surface round = rounded(cylinder(radius, height, 24, rings));
        REQUIRE(round.faces.rows() > 0);
        CHECK(mass_properties(round).volume == Approx(pi * square(radius) * height).epsilon(0.005));  // it was 1.1 %
        CHECK(round.vertices.col(1).minCoeff() == 0);
        CHECK(round.vertices.col(1).maxCoeff() == Approx(height).epsilon(1e-12));
        for (const auto& row : round.vertices.rowwise()) CHECK(std::hypot(row.x(), row.z()) < 1.0005 * radius);
    }
}

TEST_CASE("wide flat sides between narrow bevels stay flat") {
    // A box of 100 × 60 × 40 mm whose edges are rounded by 4 mm in a few steps.
    const Vec3 size(0.1, 0.06, 0.04);
    const Surface box = clean(surface_of(Box{size, 0.004})).surface;
    const Surface round = rounded(box);
    const Points& vertices = round.faces.rows() > 0 ? round.vertices : box.vertices;
    for (int k = 0; k < 3; ++k) CHECK(vertices.col(k).maxCoeff() < size[k] / 2 * (1 + 1e-3));
}

TEST_CASE("elements fill the round body that coarse triangles stand for") {
    const double a = 0.05;
    const Surface ball = test::icosphere(a, 2, false);
    const Tetrahedralization tets = tetrahedralize(ball, {.edge_length = 0.02});
    const double volume = mass_properties(flat(skin_of(quadratic(tets.mesh, tets.surface)))).volume;
    // Plain, it was 4 % less. Triangles over the nodes of curved faces cut off (10 mm)²/8a² of the radius, three times.
    CHECK(volume == Approx(4.0 / 3 * pi * cube(a)).epsilon(0.018));
    CHECK(tets.surface.faces.rows() > ball.faces.rows());
}

}  // namespace rounded_test
