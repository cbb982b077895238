#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>

namespace topology_test {

using namespace clangor;

namespace {

Surface two_cubes(double distance) {
    const Surface cube = surface_of(Box{.size = {1, 1, 1}});
    Surface both{Points(16, 3), Triangles(24, 3)};
    both.vertices << cube.vertices, cube.vertices.rowwise() + Eigen::RowVector3d(distance, distance, distance);
    both.faces << cube.faces, (cube.faces.array() + 8).matrix();
    return clean(both).surface;
}

}  // namespace

TEST_CASE("a cube is one closed piece") {
    const Topology topology = topology_of(surface_of(Box{}));
    CHECK(topology.closed());
    CHECK(topology.open_edges == 0);
    CHECK(topology.pieces == 1);
    CHECK(topology.solids == 1);
    CHECK(topology.first_open_vertex == -1);
}

TEST_CASE("a missing face leaves three open edges, and one of their vertices is named") {
    const Surface box = surface_of(Box{});
    const Eigen::RowVector3i gone = box.faces.row(11);
    const Topology topology = topology_of({box.vertices, box.faces.topRows(11)});
    CHECK_FALSE(topology.closed());
    CHECK(topology.open_edges == 3);
    CHECK(topology.pieces == 1);
    CHECK((gone.array() == topology.first_open_vertex).any());
}

TEST_CASE("a third face on an edge, and a face wound against its neighbours, are not manifold") {
    const Surface box = surface_of(Box{});
    Surface fin{Points(9, 3), Triangles(13, 3)};
    fin.vertices << box.vertices, Eigen::RowVector3d(1, 1, 1);
    fin.faces << box.faces, Eigen::RowVector3i(box.faces(0, 0), box.faces(0, 1), 8);
    CHECK(topology_of(fin).nonmanifold_edges == 1);
    CHECK(topology_of(fin).open_edges == 2);

    Surface twisted = surface_of(Box{});
    std::swap(twisted.faces(4, 0), twisted.faces(4, 1));
    CHECK(topology_of(twisted).nonmanifold_edges == 3);
}

TEST_CASE("bodies that touch in a vertex are two pieces and two solids") {
    CHECK(two_cubes(2.0).vertices.rows() == 16);
    CHECK(topology_of(two_cubes(2.0)).solids == 2);
    CHECK(two_cubes(1.0).vertices.rows() == 15);
    CHECK(topology_of(two_cubes(1.0)).pieces == 2);
    CHECK(topology_of(two_cubes(1.0)).solids == 2);
}

TEST_CASE("nothing has no pieces and is closed") {
    const Topology topology = topology_of(Surface{});
    CHECK(topology.pieces == 0);
    CHECK(topology.closed());
}

}  // namespace topology_test
