#include <clangor/geometry/geometry.hpp>

#include <geometry/made_surfaces.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace parts_test {

using namespace clangor;
using namespace made_surfaces;
using clangor::test::Approx;

namespace {

Surface cube(double side, const Vec3& at) {
    Surface box = surface_of(Box{.size = Vec3::Constant(side)});
    box.vertices.rowwise() += at.transpose();
    return clean(box).surface;
}

int count_of(const Surface& surface, Parts wanted = Parts::Auto) {
    return static_cast<int>(parts_of(clean(surface).surface, wanted).surfaces.size());
}

}  // namespace

TEST_CASE("bodies that lie further apart than their wall are parts, the largest first") {
    const Surface two = joined(cube(0.01, {0.1, 0, 0}), cube(0.02, {0, 0, 0}));
    const BodyParts parts = parts_of(clean(two).surface, Parts::Auto);
    REQUIRE(parts.surfaces.size() == 2);
    CHECK(mass_properties(parts.surfaces[0]).volume == Approx(8e-6));
    CHECK(mass_properties(parts.surfaces[1]).volume == Approx(1e-6));
    CHECK(parts.messages.size() == 1);
    CHECK(count_of(two, Parts::Split) == 2);
    CHECK(count_of(two, Parts::Fuse) == 1);
    CHECK(count_of(two, Parts::Largest) == 1);
    CHECK(mass_properties(parts_of(two, Parts::Largest).surfaces[0]).volume == Approx(8e-6));
}

TEST_CASE("bodies that cut or touch each other, or lie closer than their wall, are one") {
    CHECK(count_of(joined(cube(0.02, {0, 0, 0}), cube(0.02, {0.015, 0.003, 0.004}))) == 1);
    CHECK(count_of(joined(cube(0.02, {0, 0, 0}), cube(0.02, {0.02, 0, 0}))) == 1);
    CHECK(count_of(joined(cube(0.02, {0, 0, 0}), cube(0.01, {0.020, 0, 0}))) == 1);  // 5 mm apart, and 10 mm thick
    CHECK(count_of(joined(cube(0.02, {0, 0, 0}), cube(0.01, {0.027, 0, 0}))) == 2);  // 12 mm
}

TEST_CASE("bars that cross are one body although no corner of one is near the other") {
    const Surface along = surface_of(Box{.size = {0.2, 0.004, 0.004}}),
                  across = surface_of(Box{.size = {0.004, 0.2, 0.004}});
    CHECK(count_of(joined(along, across)) == 1);
}

TEST_CASE("the wall of a cavity belongs to the body around it") {
    CHECK(count_of(joined(cube(0.02, {0, 0, 0}), cube(0.01, {0, 0, 0}))) == 1);
    const Surface hollow_and_other =
        joined(joined(cube(0.02, {0, 0, 0}), cube(0.01, {0, 0, 0})), cube(0.015, {1, 0, 0}));
    const BodyParts parts = parts_of(clean(hollow_and_other).surface, Parts::Auto);
    REQUIRE(parts.surfaces.size() == 2);
    CHECK(mass_properties(parts.surfaces[0]).volume == Approx(8e-6 - 1e-6));
}

TEST_CASE("dust is left out, and said") {
    const BodyParts parts = parts_of(joined(cube(0.02, {0, 0, 0}), cube(0.001, {0.1, 0, 0})), Parts::Auto);
    CHECK(parts.surfaces.size() == 1);
    REQUIRE(parts.messages.size() == 1);
    CHECK(parts.messages[0].find("left out") != std::string::npos);
}

}  // namespace parts_test
