#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <limits>

namespace clean_test {

using namespace clangor;

namespace {

Surface joined(const Surface& a, const Surface& b) {
    Surface both{Points(a.vertices.rows() + b.vertices.rows(), 3), Triangles(a.faces.rows() + b.faces.rows(), 3)};
    both.vertices << a.vertices, b.vertices;
    both.faces << a.faces, (b.faces.array() + static_cast<int>(a.vertices.rows())).matrix();
    return both;
}

/// Every face with three vertices of its own, as an STL file has them.
Surface soup(const Surface& surface) {
    Surface apart{Points(3 * surface.faces.rows(), 3), Triangles(surface.faces.rows(), 3)};
    for (int c = 0; c < 3 * surface.faces.rows(); ++c) {
        apart.vertices.row(c) = surface.vertices.row(surface.faces(c / 3, c % 3));
        apart.faces(c / 3, c % 3) = c;
    }
    return apart;
}

Surface reversed(Surface surface) {
    surface.faces.col(1).swap(surface.faces.col(2));
    return surface;
}

Surface moved(Surface surface, const Vec3& by) {
    surface.vertices.rowwise() += by.transpose();
    return surface;
}

const Surface unit_cube = surface_of(Box{.size = {1, 1, 1}});
Surface cube_of(double edge) { return surface_of(Box{.size = Vec3::Constant(edge)}); }

}  // namespace

TEST_CASE("a sound surface passes unchanged and without a message") {
    const CleanSurface result = clean(unit_cube);
    CHECK(result.surface.vertices == unit_cube.vertices);
    CHECK(result.surface.faces == unit_cube.faces);
    CHECK(result.repairs.messages().empty());
}

TEST_CASE("triangle soup is welded back into the surface it came from") {
    const Surface sphere = surface_of(Sphere{});
    const CleanSurface result = clean(soup(sphere));
    CHECK(result.surface.vertices.rows() == sphere.vertices.rows());
    CHECK(result.repairs.welded_vertices == 3 * sphere.faces.rows() - sphere.vertices.rows());
    CHECK(topology_of(result.surface).closed());
    CHECK(result.repairs.messages() ==
          std::vector<std::string>{"welded " + std::to_string(result.repairs.welded_vertices) +
                                   " vertices to others at the same place"});
}

TEST_CASE("vertices within 1e-9 of the box are welded, and those beyond are not") {
    for (const double offset : {0.5e-9, 2e-9}) {
        Surface apart = soup(unit_cube);
        // Cell borders of any spatial grid are met somewhere among the 36 corners when all move by different amounts.
        for (int v = 0; v < apart.vertices.rows(); ++v) apart.vertices(v, v % 3) += (v % 2) * offset * std::sqrt(3.0);
        CHECK((clean(apart).surface.vertices.rows() == 8) == (offset < 1e-9));
    }
}

TEST_CASE("vertices that no face names are dropped, and do not widen the tolerance") {
    Surface stray = unit_cube;
    stray.vertices.conservativeResize(9, 3);
    stray.vertices.row(8) << 1e8, 0, 0;
    stray.vertices.row(0).x() += 1e-3;
    const CleanSurface result = clean(stray);
    CHECK(result.surface.vertices.rows() == 8);
    CHECK(result.repairs.unused_vertices == 1);
    CHECK(result.repairs.welded_vertices == 0);
}

TEST_CASE("repeated and collapsed faces are dropped") {
    Surface dirty = unit_cube;
    dirty.faces.conservativeResize(15, 3);
    dirty.faces.row(12) << unit_cube.faces(3, 1), unit_cube.faces(3, 2), unit_cube.faces(3, 0);
    dirty.faces.row(13) << unit_cube.faces(5, 2), unit_cube.faces(5, 1), unit_cube.faces(5, 0);
    dirty.faces.row(14) << 4, 4, 2;
    const CleanSurface result = clean(dirty);
    CHECK(result.surface.faces == unit_cube.faces);
    CHECK(result.repairs.duplicate_faces == 2);
    CHECK(result.repairs.degenerate_faces == 1);
}

TEST_CASE("faces without area are removed without opening the surface") {
    // Two vertices on one edge of a tetrahedron: one neighbour is cut at them, the other keeps the whole edge, and two
    // flat faces fill the gap, as CAD programs write it.
    Surface flat;
    flat.vertices.resize(6, 3);
    flat.vertices << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.3, 0, 0, 0.7, 0, 0;
    flat.faces.resize(8, 3);
    flat.faces << 0, 2, 4, 4, 2, 5, 5, 2, 1,  // below, in three
        0, 1, 3,                              // beside, whole
        0, 3, 2, 1, 2, 3,                     //
        0, 4, 5, 0, 5, 1;                     // the gap
    REQUIRE(topology_of(flat).closed());
    const CleanSurface result = clean(flat);
    CHECK(result.repairs.degenerate_faces == 2);
    CHECK(topology_of(result.surface).closed());
    CHECK(mass_properties(result.surface).volume == clangor::test::Approx(1.0 / 6).epsilon(1e-12));
    CHECK(clean(result.surface).repairs.degenerate_faces == 0);
}

TEST_CASE("faces wound against their neighbours are flipped") {
    Surface mixed = unit_cube;
    for (const int f : {2, 7, 8}) std::swap(mixed.faces(f, 0), mixed.faces(f, 1));
    const CleanSurface result = clean(mixed);
    CHECK(result.repairs.flipped_faces == 3);
    CHECK(result.repairs.inside_out_pieces == 0);
    CHECK(topology_of(result.surface).closed());
    CHECK(mass_properties(result.surface).volume == clangor::test::Approx(1.0).epsilon(1e-14));
}

TEST_CASE("a body that is inside out is turned") {
    const CleanSurface result = clean(reversed(unit_cube));
    CHECK(result.repairs.inside_out_pieces == 1);
    CHECK(result.repairs.flipped_faces == 0);
    CHECK(mass_properties(result.surface).volume == clangor::test::Approx(1.0).epsilon(1e-14));
    CHECK(result.repairs.messages() == std::vector<std::string>{"turned 1 closed piece that was inside out"});
}

TEST_CASE("a cavity faces the void, however its wall was wound") {
    const Surface outer = surface_of(Sphere{.radius = 1.0}), inner = surface_of(Sphere{.radius = 0.6});
    const double volume = mass_properties(outer).volume - mass_properties(inner).volume;
    for (const bool inner_outward : {false, true}) {
        for (const bool outer_outward : {false, true}) {
            const CleanSurface result =
                clean(joined(outer_outward ? outer : reversed(outer), inner_outward ? inner : reversed(inner)));
            CHECK(mass_properties(result.surface).volume == clangor::test::Approx(volume).epsilon(1e-12));
            CHECK(result.repairs.inside_out_pieces == int(inner_outward) + int(!outer_outward));
        }
    }
}

TEST_CASE("nested cubes alternate between body and void, and neighbours do not disturb them") {
    const Surface nested = joined(joined(cube_of(1.0), cube_of(0.8)), joined(cube_of(0.6), cube_of(0.4)));
    const Surface all = joined(nested, joined(moved(cube_of(0.5), {3, 0, 0}), moved(cube_of(0.3), {3, 0.05, 0.02})));
    const double volume = 1.0 - 0.512 + 0.216 - 0.064 + 0.125 - 0.027;
    CHECK(mass_properties(clean(all).surface).volume == clangor::test::Approx(volume).epsilon(1e-12));
    CHECK(topology_of(clean(all).surface).pieces == 6);
    CHECK(topology_of(clean(all).surface).solids == 3);
}

TEST_CASE("two bodies that overlap both stay outward") {
    const Surface overlapping = joined(cube_of(1.0), moved(cube_of(0.5), {0.5, 0, 0}));
    CHECK(mass_properties(clean(overlapping).surface).volume == clangor::test::Approx(1.125).epsilon(1e-12));
}

TEST_CASE("a thousand grains inside a hollow box are told apart from it") {
    Surface all = joined(cube_of(20), cube_of(19));
    Surface grains;
    for (int i = 0; i < 1000; ++i) {
        const Vec3 place(i % 10 * 1.5 - 6.7, i / 10 % 10 * 1.4 - 6.2, i / 100 * 1.3 - 5.9);
        const Surface grain = moved(i % 2 ? reversed(cube_of(0.5)) : cube_of(0.5), place);
        grains = grains.faces.rows() ? joined(grains, grain) : grain;
    }
    const CleanSurface result = clean(joined(all, grains));
    CHECK(mass_properties(result.surface).volume == clangor::test::Approx(8000 - 6859 + 125).epsilon(1e-12));
    CHECK(topology_of(result.surface).solids == 1001);
    CHECK(result.repairs.inside_out_pieces == 501);
}

TEST_CASE("non-finite and far-off coordinates and wrong indices are named") {
    Surface bad = unit_cube;
    bad.vertices(4, 1) = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH_AS(clean(bad), "vertex 5 is at (-0.5, nan, 0.5), which is no place; export the mesh again",
                         Error);
    bad = unit_cube;
    bad.vertices(1, 0) = 1e200;
    CHECK_THROWS_WITH_AS(
        clean(bad),
        "vertex 2 is at (1e+200, -0.5, -0.5), further than 1e+09 m from the origin; scale the mesh to metres", Error);
    bad = unit_cube;
    bad.faces(2, 1) = 8;
    CHECK_THROWS_WITH_AS(clean(bad), "face 3 names vertex 9, but there are only 8; export the mesh again", Error);
}

TEST_CASE("surfaces without faces, extent or sides pass through clean") {
    CHECK(clean(Surface{}).surface.faces.rows() == 0);
    Surface point{Points::Constant(3, 3, 0.25), Triangles(1, 3)};
    point.faces << 0, 1, 2;
    CHECK(clean(point).surface.faces.rows() == 0);
    Surface moebius;  // cannot be wound alike: it stays, and topology tells
    moebius.vertices.resize(6, 3);
    for (int v = 0; v < 6; ++v) moebius.vertices.row(v) << std::cos(v * 1.0), std::sin(v * 1.0), 0.1 * v * v;
    moebius.faces.resize(6, 3);
    moebius.faces << 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 0, 5, 0, 1;
    const Surface cleaned = clean(moebius).surface;
    CHECK(cleaned.faces.rows() == 6);
    CHECK_FALSE(topology_of(cleaned).closed());
}

}  // namespace clean_test
