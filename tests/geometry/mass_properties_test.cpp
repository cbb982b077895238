#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <Eigen/Geometry>

namespace mass_properties_test {

using namespace clangor;
using clangor::test::Approx;

TEST_CASE("a box has volume abc and inertia V/12 (b² + c²) about its centre, wherever it stands") {
    const Vec3 size(0.3, 0.2, 0.07);
    const double volume = size.prod();
    const Vec3 moments = volume / 12 *
                         Vec3(square(size.y()) + square(size.z()), square(size.z()) + square(size.x()),
                              square(size.x()) + square(size.y()));
    const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    const Vec3 place(1000, -2000, 500);
    Surface box = surface_of(Box{.size = size});
    box.vertices = (box.vertices * turn.transpose()).rowwise() + place.transpose();

    const MassProperties mass = mass_properties(box);
    // Vertices 2 km away are rounded to 2e-13 m, of 0.07 m.
    CHECK(mass.volume == Approx(volume).epsilon(1e-10));
    CHECK((mass.centre - place).norm() < 1e-11);
    const Mat3 inertia = turn * moments.asDiagonal() * turn.transpose();
    CHECK((mass.inertia - inertia).norm() < 1e-10 * inertia.norm());
}

TEST_CASE("a sphere has inertia 2/5 V a² about every axis") {
    const double a = 0.05;
    const MassProperties mass = mass_properties(surface_of(Sphere{.radius = a}));
    CHECK(mass.volume == Approx(4 * pi / 3 * cube(a)).epsilon(1e-3));
    // The faceting that takes 0.05 % of the volume takes 5/3 of that from the inertia.
    CHECK((mass.inertia - 0.4 * mass.volume * square(a) * Mat3::Identity()).norm() < 1e-3 * mass.inertia.norm());
    CHECK(mass.centre.norm() < 1e-12);
}

TEST_CASE("an inside-out surface encloses negative volume") {
    Surface box = surface_of(Box{.size = {1, 2, 3}});
    box.faces.col(0).swap(box.faces.col(1));
    CHECK(mass_properties(box).volume == Approx(-6.0).epsilon(1e-14));
}

TEST_CASE("areas and bounds of a box") {
    const Surface box = surface_of(Box{.size = {1, 2, 3}});
    CHECK(area_of(box) == Approx(22.0).epsilon(1e-14));
    CHECK(bounds_of(box.vertices).low == Vec3(-0.5, -1, -1.5));
    CHECK(bounds_of(box.vertices).diagonal() == Approx(std::sqrt(14.0)).epsilon(1e-14));
}

TEST_CASE("a surface without volume has a centre all the same") {
    Surface sheet{Points(3, 3), Triangles(1, 3)};
    sheet.vertices << 0, 0, 0, 1, 0, 0, 0, 1, 0;
    sheet.faces << 0, 1, 2;
    CHECK(mass_properties(sheet).volume == 0);
    CHECK(mass_properties(sheet).centre == Vec3(0.5, 0.5, 0));
}

}  // namespace mass_properties_test
