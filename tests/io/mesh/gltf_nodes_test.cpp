// Scenes of many nodes: which triangles a file, or one node of it, stands for, and where they are.
#include "../made_gltf.hpp"

#include <clangor/io/mesh/mesh.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <string>

namespace gltf_nodes_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double sixth = 1.0 / 6;  // what the tetrahedron of the unit axes encloses [m³]

struct SceneFile {
    std::string text;

    Surface operator()(const std::string& node = "") const {
        return io::parse_mesh(std::as_bytes(std::span(text)), io::MeshFormat::Gltf, "shot.gltf", node);
    }
    std::string complaint(const std::string& node) const {
        try {
            (*this)(node);
        } catch (const Error& error) {
            CHECK(error.blame() == Blame::Input);
            return error.what();
        }
        return "none";
    }
};

SceneFile scene_of(const std::string& nodes) {
    test::GltfBuilder builder;
    builder.add_tetrahedron();
    return {builder.gltf(nodes)};
}

void check_box(const Surface& surface, const Vec3& low, const Vec3& high) {
    const Bounds bounds = bounds_of(surface.vertices);
    CHECK((bounds.low - low).norm() < 1e-6);  // rotations are single precision
    CHECK((bounds.high - high).norm() < 1e-6);
}

// Quarter turns: about z, x → y; about x, y → z.
constexpr char about_z[] = R"("rotation":[0,0,0.70710678,0.70710678])";
constexpr char about_x[] = R"("rotation":[0.70710678,0,0,0.70710678])";

}  // namespace

TEST_CASE("a scene is all of its nodes, each turned, stretched and moved by itself and by all that carries it") {
    const SceneFile nested = scene_of(std::string(R"({"name":"Table","children":[1],"translation":[10,0,0],)") +
                                      about_z + R"(},{"name":"Plate","children":[2],"scale":[2,2,2]},)" +
                                      R"({"name":"Crumb","mesh":0,"translation":[1,0,0],)" + about_x + "}");
    const Surface crumb = nested();
    // (x, y, z) → (x, −z, y) turned → (1 + x, −z, y) moved → twice that → turned and moved: (10 + 2 z, 2 + 2 x, 2 y).
    check_box(crumb, {10, 2, 0}, {12, 4, 2});
    CHECK((Vec3(crumb.vertices.row(2)) - Vec3(10, 4, 0)).norm() < 1e-6);  // (1, 0, 0) of the mesh
    CHECK((Vec3(crumb.vertices.row(1)) - Vec3(10, 2, 2)).norm() < 1e-6);  // (0, 1, 0)
    CHECK((Vec3(crumb.vertices.row(5)) - Vec3(12, 2, 0)).norm() < 1e-6);  // (0, 0, 1)
    CHECK(mass_properties(crumb).volume == Approx(8 * sixth).epsilon(1e-6));
}

TEST_CASE("one mesh under two nodes is two bodies that lie apart, one of them mirrored and both facing outward") {
    const SceneFile pair = scene_of(R"({"name":"Left","mesh":0,"translation":[-3,0,0],"scale":[-1,1,1]},)"
                                    R"({"name":"Right","mesh":0,"translation":[3,0,0],"scale":[2,1,1]})");
    const CleanSurface both = clean(pair());
    check_box(both.surface, {-4, 0, 0}, {5, 1, 1});
    CHECK(both.repairs.inside_out_pieces == 0);
    CHECK(both.repairs.flipped_faces == 0);
    const BodyParts parts = parts_of(both.surface, Parts::Split);
    REQUIRE(parts.surfaces.size() == 2);  // the largest first
    CHECK(mass_properties(parts.surfaces[0]).volume == Approx(2 * sixth));
    CHECK(mass_properties(parts.surfaces[1]).volume == Approx(sixth));
    check_box(parts.surfaces[0], {3, 0, 0}, {5, 1, 1});
    check_box(parts.surfaces[1], {-4, 0, 0}, {-3, 1, 1});
    CHECK(parts_of(both.surface, Parts::Fuse).surfaces.size() == 1);
    REQUIRE(parts_of(both.surface, Parts::Largest).surfaces.size() == 1);
    CHECK(mass_properties(parts_of(both.surface, Parts::Largest).surfaces[0]).volume == Approx(2 * sixth));
}

TEST_CASE("one node comes with all below it, in the frame that its trajectory moves: with its scale, not its place") {
    const SceneFile shot = scene_of(
        std::string(R"({"name":"Table","children":[1,2],"scale":[3,3,3],"translation":[10,0,0]},)") +
        R"({"name":"Cup1","mesh":0,"scale":[1,2,1],"translation":[0,5,0],"rotation":[0,0,1,0],"children":[3]},)" +
        R"({"name":"Tray","children":[4],"translation":[9,9,9]},{"name":"Handle","mesh":0,"translation":[5,0,0],)" +
        about_z + R"(},{"name":"Plate","mesh":0,"translation":[1,0,0]})");
    // The handle: (x, y, z) → (5 − y, x, z) in the cup, which is 3, 6 and 3 times as large.
    const Surface cup = shot("Cup1");
    CHECK(cup.faces.rows() == 8);
    check_box(cup, {0, 0, 0}, {15, 6, 3});
    CHECK(mass_properties(cup).volume == Approx(2 * 54 * sixth).epsilon(1e-6));
    check_box(shot("Tray"), {3, 0, 0}, {6, 3, 3});  // without a mesh of its own it is what it carries
    const MassProperties table = mass_properties(shot("Table")), scene = mass_properties(shot());
    CHECK(table.volume == Approx(scene.volume));  // the same as the scene, but for its place
    CHECK((table.centre + Vec3(10, 0, 0) - scene.centre).norm() < 1e-6);
    CHECK((table.inertia - scene.inertia).norm() < 1e-6 * scene.inertia.norm());
}

TEST_CASE("what moves by itself below a node is another body, and keyframes that do not differ are no motion") {
    test::GltfBuilder builder;
    builder.add_tetrahedron();
    builder.animate(1, "translation", {0, 1}, {1, 0, 0, 1, 1, 0});
    builder.animate(2, "translation", {0, 1}, {5, 0, 0, 5, 0, 0});
    builder.animate(2, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 0, -1});  // q and −q are one rotation
    builder.animate(4, "rotation", {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0});
    const SceneFile shot{builder.gltf(
        R"({"name":"Cup","mesh":0,"children":[1,2]},{"name":"Spoon","mesh":0,"translation":[1,0,0],"children":[5]},)"
        R"({"name":"Handle","mesh":0,"translation":[5,0,0]},{"name":"Crank","children":[4]},)"
        R"({"name":"Wheel","mesh":0},{"name":"Pea","mesh":0,"translation":[0,0,9]})")};
    check_box(shot("Cup"), {0, 0, 0}, {6, 1, 1});
    check_box(shot("Spoon"), {0, 0, 0}, {1, 1, 10});
    CHECK(shot().faces.rows() == 5 * 4);
    CHECK(shot.complaint("Crank") ==
          "shot.gltf: the node \"Crank\" has no mesh, and what hangs below it moves by itself; of those that have one, "
          "there are: Cup, Spoon, Handle, Wheel, Pea");
}

TEST_CASE("a mirror above a node mirrors its mesh; a stretch above it would shear and is refused") {
    const auto below = [](const std::string& scale) {
        return scene_of(R"({"name":"Arm","children":[1],"scale":)" + scale + R"(},{"name":"Hand","mesh":0,)" + about_z +
                        "}");
    };
    const Surface mirrored = below("[3,3,-3]")("Hand");  // through the origin, however the arm is turned
    check_box(mirrored, {-3, -3, -3}, {0, 0, 0});
    CHECK(mass_properties(mirrored).volume == Approx(27 * sixth));
    const Surface turned = below("[-3,-3,3]")("Hand");  // two mirrors are a half turn, which is the trajectory's
    check_box(turned, {0, 0, 0}, {3, 3, 3});
    CHECK(below("[3,3,-2]").complaint("Hand") ==
          "shot.gltf: the scale of \"Arm\" is (3, 3, -2), which shears what hangs below it; apply it and "
          "export it again");
}

TEST_CASE(
    "a name that is not there is answered with the nearest, and a node without triangles with those that have some") {
    const SceneFile shot = scene_of(R"({"name":"Table","children":[1]},{"name":"Cup1","mesh":0},{"name":"Empty"},)"
                                    R"({"name":"Lamp","translation":[0,1,0]})");
    CHECK(shot.complaint("Cup2") ==
          "shot.gltf: no node is called \"Cup2\"; did you mean \"Cup1\"? There are: Table, Cup1, Empty, Lamp");
    CHECK(shot.complaint("Empty") ==
          "shot.gltf: the node \"Empty\" has no mesh, nor has anything below it; of those that have one, there "
          "are: Cup1");
    CHECK(scene_of(R"({"name":"Cup","mesh":0},{"name":"Cup","mesh":0})").complaint("Cup") ==
          "shot.gltf: 2 nodes are called \"Cup\"; give each its own name");
    const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    CHECK_THROWS_WITH_AS(io::parse_mesh(std::as_bytes(std::span(obj)), io::MeshFormat::Obj, "cup.obj", "Cup1"),
                         "cup.obj: has no nodes, so that there is no \"Cup1\" in it; leave out what follows the #",
                         Error);
}

}  // namespace gltf_nodes_test
