#include <clangor/geometry/geometry.hpp>
#include <clangor/geometry/solid_surface.hpp>

#include <geometry/made_surfaces.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace lattice_mesh_test {

using namespace clangor;
using namespace made_surfaces;
using clangor::test::Approx;

namespace {

constexpr double coarse = 0.5;  // half as fine as usual, an eighth of the elements

Surface cube(double side) { return surface_of(Box{.size = Vec3::Constant(side)}); }

// Of the curved elements that ring.
double volume_of(const Tetrahedralization& tets) {
    return mass_properties(flat(skin_of(quadratic(tets.mesh, tets.surface)))).volume;
}

bool is_one_body(const Tetrahedralization& tets) {
    const Topology topology = topology_of(flat(skin_of(tets.mesh)));
    return topology.closed() && topology.solids == 1;
}

Surface without(const Surface& surface, const std::function<bool(const Vec3&)>& drop) {
    Surface rest{surface.vertices, Triangles(surface.faces.rows(), 3)};
    int rows = 0;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 middle = (surface.vertices.row(surface.faces(f, 0)) + surface.vertices.row(surface.faces(f, 1)) +
                             surface.vertices.row(surface.faces(f, 2))) /
                            3;
        if (!drop(middle)) rest.faces.row(rows++) = surface.faces.row(f);
    }
    rest.faces.conservativeResize(rows, 3);
    return clean(rest).surface;
}

}  // namespace

TEST_CASE("a lattice fills a ball, however its faces are wound, and a cube but for its edges") {
    Surface ball = surface_of(Sphere{.radius = 0.05});
    const Tetrahedralization tets = tetrahedralize(ball, {.refinement = coarse, .lattice = true});
    CHECK(is_one_body(tets));
    CHECK(tets.lattice_spacing > 0);
    CHECK(volume_of(tets) == Approx(mass_properties(ball).volume).epsilon(0.02));
    CHECK(tets.min_dihedral_deg > 5);
    ball.faces = ball.faces.rowwise().reverse().eval();
    CHECK(volume_of(tetrahedralize(ball, {.refinement = coarse, .lattice = true})) ==
          Approx(volume_of(tets)).epsilon(0.002));
    CHECK(volume_of(tetrahedralize(cube(0.1), {.refinement = 0.7, .lattice = true})) == Approx(1e-3).epsilon(0.03));
}

TEST_CASE("a tube's walls are as thick from a lattice as they are given, and its rims and a box's edges stay") {
    const Shape tube = Cylinder{.radius = 0.03, .height = 0.15, .inner_radius = 0.025};
    CHECK(volume_of(tetrahedralize(surface_of(tube), {.lattice = true})) ==
          Approx(pi * (square(0.03) - square(0.025)) * 0.15).epsilon(0.006));
    const Shape box = Box{.size = {0.1, 0.06, 0.04}};
    CHECK(volume_of(tetrahedralize(surface_of(box), {.lattice = true})) == Approx(0.1 * 0.06 * 0.04).epsilon(0.008));
}

TEST_CASE("of boxes that overlap the union is filled, once") {
    // 2·8 cm³ less the 1.5 × 1.7 × 1.6 cm that they share, which both would count.
    const Surface both = clean(joined(cube(0.02), moved(cube(0.02), {0.005, 0.003, 0.004}))).surface;
    const Tetrahedralization tets = tetrahedralize(both, {.refinement = coarse});
    CHECK(is_one_body(tets));
    CHECK(volume_of(tets) == Approx(16e-6 - 1.5 * 1.7 * 1.6e-6).epsilon(0.03));
}

TEST_CASE("of boxes that lie apart a bridge makes one body") {
    const Surface both = clean(joined(cube(0.02), moved(cube(0.02), {0.022, 0, 0}))).surface;
    const Tetrahedralization tets = tetrahedralize(both, {.refinement = coarse});
    CHECK(is_one_body(tets));
    CHECK(volume_of(tets) > 15.5e-6);  // the gap is 0.8 cm³
    CHECK(volume_of(tets) < 18e-6);
}

TEST_CASE("an open hemisphere is a sheet: it is given a wall, and weighs its area times that") {
    const double radius = 0.05, wall = 0.008;
    const Surface half =
        without(surface_of(Sphere{.radius = radius}), [](const Vec3& middle) { return middle.y() > 0; });
    REQUIRE_FALSE(topology_of(half).closed());
    const Tetrahedralization tets = tetrahedralize(half, {.refinement = coarse, .thickness = wall});
    CHECK(is_one_body(tets));
    CHECK(tets.lattice_spacing == 0);
    CHECK(volume_of(tets) == Approx(area_of(half) * wall).epsilon(0.03));
}

TEST_CASE("a ball with a small hole is a solid ball") {
    const Surface ball = surface_of(Sphere{.radius = 0.05});
    const Surface open = without(ball, [](const Vec3& middle) { return middle.y() > 0.047; });
    REQUIRE_FALSE(topology_of(open).closed());
    CHECK(volume_of(tetrahedralize(open, {.refinement = coarse, .lattice = true})) ==
          Approx(mass_properties(ball).volume).epsilon(0.03));
}

TEST_CASE("a tall open can is solid, unless it is given a thickness") {
    const double radius = 0.02, height = 0.12, wall = 0.004;
    const Surface can = without(surface_of(Cylinder{.radius = radius, .height = height}),
                                [=](const Vec3& middle) { return middle.y() > 0.4999 * height; });
    REQUIRE_FALSE(topology_of(can).closed());
    CHECK(volume_of(tetrahedralize(can, {.refinement = coarse})) == Approx(pi * square(radius) * height).epsilon(0.05));
    CHECK(volume_of(tetrahedralize(can, {.refinement = coarse, .thickness = wall})) ==
          Approx(area_of(can) * wall).epsilon(0.05));
}

TEST_CASE("a single triangle becomes a plate of its area times its thickness") {
    Surface triangle{Points(3, 3), Triangles(1, 3)};
    triangle.vertices << 0, 0, 0, 0.1, 0, 0, 0, 0.1, 0;
    triangle.faces << 0, 1, 2;
    const geometry::SolidSurface usual = geometry::solid_surface_of(triangle, {});
    CHECK(usual.messages[0].find("1 mm thick, a hundredth") != std::string::npos);
    CHECK(mass_properties(usual.surface).volume == Approx(0.005 * 0.001).epsilon(1e-9));
    const Tetrahedralization tets = tetrahedralize(triangle, {.refinement = coarse, .thickness = 0.004});
    CHECK(is_one_body(tets));
    CHECK(volume_of(tets) == Approx(0.005 * 0.004).epsilon(0.05));
    REQUIRE(tets.messages.size() >= 1);
    CHECK(tets.messages[0].find("4 mm thick") != std::string::npos);
}

TEST_CASE("a closed fold without any thickness is given one") {
    // Two triangles back to back: closed, and nothing between them.
    Surface fold{Points(4, 3), Triangles(4, 3)};
    fold.vertices << 0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0, 0.1, 1e-9;
    fold.faces << 0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2;
    const Tetrahedralization tets = tetrahedralize(fold, {.refinement = 0.5, .thickness = 0.005});
    CHECK(is_one_body(tets));
    // All that is within t/2 of a square of side a (Steiner): a²t, half a cylinder along each side, quarters of a ball.
    const double a = 0.1, t = 0.005;
    const double steiner = a * a * t + 4 * a * pi * square(t) / 8 + pi / 6 * t * t * t;
    CHECK(volume_of(tets) == Approx(steiner).epsilon(0.05));
}

TEST_CASE("walls too thin for the lattice are not pierced but thickened, and said") {
    const Surface tube = surface_of(Cylinder{.radius = 0.03, .height = 0.05, .inner_radius = 0.027});
    const Tetrahedralization tets = tetrahedralize(tube, {.edge_length = 0.006, .lattice = true});
    CHECK(is_one_body(tets));
    bool is_said = false;
    for (const std::string& message : tets.messages)
        is_said = is_said || message.find("thickened") != std::string::npos;
    CHECK(is_said);
    const Surface skin = flat(skin_of(tets.mesh));
    const int euler = static_cast<int>(skin.vertices.rows()) - static_cast<int>(skin.faces.rows()) / 2;
    CHECK(euler == 0);  // still a tube: one hole through it
}

}  // namespace lattice_mesh_test
