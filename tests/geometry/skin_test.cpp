#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

namespace skin_test {

using namespace clangor;

namespace {

TetMesh one_tetrahedron() {
    TetMesh mesh{Points(4, 3), Cells(1, 4)};
    mesh.nodes << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    mesh.cells << 0, 1, 2, 3;
    return mesh;
}

}  // namespace

TEST_CASE("the skin of one tetrahedron is its four faces, wound outward") {
    const Skin skin = skin_of(one_tetrahedron());
    CHECK(skin.faces.rows() == 4);
    CHECK(skin.nodes.rows() == 4);
    const Surface surface = flat(skin);
    CHECK(topology_of(surface).closed());
    CHECK(mass_properties(surface).volume == clangor::test::Approx(1.0 / 6).epsilon(1e-14));
}

TEST_CASE("six-node faces carry the mid-edge nodes of 01 12 20, and flatten into four") {
    const TetMesh linear = one_tetrahedron();
    const Skin skin = skin_of(quadratic(linear, flat(skin_of(linear))));
    REQUIRE(skin.faces.cols() == 6);
    CHECK(skin.nodes.rows() == 10);
    for (int f = 0; f < 4; ++f)
        for (int k = 0; k < 3; ++k) {
            const Vec3 middle = (skin.nodes.row(skin.faces(f, k)) + skin.nodes.row(skin.faces(f, (k + 1) % 3))) / 2;
            CHECK((Vec3(skin.nodes.row(skin.faces(f, 3 + k))) - middle).norm() < 1e-15);
        }
    const Surface surface = flat(skin);
    CHECK(surface.faces.rows() == 16);
    CHECK(topology_of(surface).closed());
    CHECK(mass_properties(surface).volume == clangor::test::Approx(1.0 / 6).epsilon(1e-14));
    CHECK(area_of(surface) == clangor::test::Approx(1.5 + std::sqrt(3.0) / 2).epsilon(1e-14));
}

TEST_CASE("the skin of a mesh is closed, holds its volume, and knows its nodes") {
    const Surface bowl = surface_of(Bowl{.thickness = 0.012});
    const TetMesh linear = tetrahedralize(bowl, {.edge_length = 0.02}).mesh;
    const TetMesh mesh = quadratic(linear, bowl);
    double volume = 0;
    for (int c = 0; c < linear.cells.rows(); ++c) {
        const auto x = [&](int k) { return Vec3(linear.nodes.row(linear.cells(c, k))); };
        volume += (x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) / 6;
    }
    const Skin flat_skin = skin_of(linear), curved_skin = skin_of(mesh);
    CHECK(mass_properties(flat(flat_skin)).volume == clangor::test::Approx(volume).epsilon(1e-12));
    CHECK(curved_skin.faces.rows() == flat_skin.faces.rows());
    CHECK(topology_of(flat(curved_skin)).closed());
    for (std::size_t i = 0; i < curved_skin.mesh_nodes.size(); ++i)
        REQUIRE(curved_skin.nodes.row(static_cast<int>(i)) == mesh.nodes.row(curved_skin.mesh_nodes[i]));
}

}  // namespace skin_test
