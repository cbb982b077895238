// Rods in motion files: what is seen is what was simulated.
#include <approx.hpp>
#include <morph_targets.hpp>
#include <temporary.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace rod_picture_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

// A flat bar of aluminium along x, from the origin: 10 mm along z, 4 mm along y.
scene::Rod flat_bar() {
    scene::Rod rod{.name = "bar", .material = *find_material("aluminium")};
    rod.curve = scene::StraightCurve{0.4};
    rod.section = RectangleSection{0.01, 0.004};
    rod.section_x = {0, 0, 1};
    rod.count = 24;
    return rod;
}

std::vector<std::byte> motion_file(const Scene& scene) {
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const std::filesystem::path path = testing::temporary("rod_picture_test.glb");
    write_motion(path, scene, baked, motion_of(scene, baked), 60);
    std::vector<std::byte> bytes(std::filesystem::file_size(path));
    std::ifstream(path, std::ios::binary).read(reinterpret_cast<char*>(bytes.data()), long(bytes.size()));
    std::filesystem::remove(path);
    return bytes;
}

Scene scene_of(const scene::Rod& rod, double duration) {
    Scene scene{.duration = duration};
    scene.motion.gravity = Vec3::Zero();
    scene.objects = {rod};
    scene.listeners = {{.name = "mic", .position = {0, 1, 0}}};
    return scene;
}

}  // namespace

TEST_CASE("a bar that flies and spins, about itself or across, is seen as a stiff body that does") {
    for (const Vec3& spin_deg : {Vec3(0, 0, 360), Vec3(200, 0, 0)}) {
        scene::Rod rod = flat_bar();
        rod.position = {-0.2, 0, 0};
        rod.velocity = {0.5, 2, -1};
        rod.spin_deg = spin_deg;
        const testing::MorphedMesh mesh(motion_file(scene_of(rod, 0.25)), "bar");
        REQUIRE(mesh.keys() == 16);
        const Points first = mesh.positions(0);
        // Its corners, half a section from its line, where the scene puts them.
        CHECK(first.colwise().minCoeff().isApprox(Eigen::RowVector3d(-0.2, -0.002, -0.005), 1e-6));
        CHECK(first.colwise().maxCoeff().isApprox(Eigen::RowVector3d(0.2, 0.002, 0.005), 1e-6));
        double farthest = 0;
        for (size_t k = 0; k < mesh.keys(); ++k) {
            const double t = double(k) / 60;
            const Mat3 turn =
                Eigen::AngleAxisd(spin_deg.norm() * pi / 180 * t, spin_deg.normalized()).toRotationMatrix();
            const Points expected = (first * turn.transpose()).rowwise() + t * rod.velocity.transpose();
            farthest = std::max(farthest, (mesh.positions(k) - expected).rowwise().norm().maxCoeff());
        }
        CHECK(farthest < 4.1e-5);  // a ten-thousandth of 0.4 m, and places are kept as floats
    }
}

TEST_CASE("a bar that a force holds bent is seen bent as theory says") {
    scene::Rod rod = flat_bar();
    rod.supports = {{.kind = scene::RodHoldKind::Clamped, .at = 0}};
    rod.pulls = {{.at = 0.4, .force = {0, -0.5, 0}, .until = 1}};
    const testing::MorphedMesh mesh(motion_file(scene_of(rod, 0.1)), "bar");
    CHECK(mesh.targets() == 0);  // it rests
    const double stiffness = rod.material.young * 0.01 * cube(0.004) / 12;
    const Points shown = mesh.positions(0);
    const double low = shown.col(1).minCoeff() + 0.002;
    CHECK(low == Approx(-0.5 * cube(0.4) / (3 * stiffness)).epsilon(0.01));  // 1 %: 24 points
}

TEST_CASE("every section is drawn in its own size, and rings are closed") {
    const auto drawn = [](const Section& section) {
        scene::Rod rod = flat_bar();
        rod.section = section;
        const Points points = testing::MorphedMesh(motion_file(scene_of(rod, 0.05)), "bar").positions(0);
        return Vec3((points.colwise().maxCoeff() - points.colwise().minCoeff()).transpose());
    };
    CHECK(drawn(CircleSection{0.003}).isApprox(Vec3(0.4, 0.006, 0.006), 1e-6));
    CHECK(drawn(TubeSection{0.003, 0.002}).isApprox(Vec3(0.4, 0.006, 0.006), 1e-6));
    CHECK(drawn(EllipseSection{0.004, 0.002}).isApprox(Vec3(0.4, 0.004, 0.008), 1e-6));
    CHECK(drawn(PolygonSection{{{-0.004, -0.002}, {0.004, -0.002}, {0.004, 0.002}, {-0.004, 0.002}}})
              .isApprox(Vec3(0.4, 0.004, 0.008), 1e-6));
    scene::Rod ring = flat_bar();
    ring.curve = scene::RingCurve{0.05};
    ring.section = CircleSection{0.002};
    ring.count = 64;
    const std::vector<std::byte> glb = motion_file(scene_of(ring, 0.05));
    const Surface read = io::parse_mesh(glb, io::MeshFormat::Glb, "ring.glb");
    // An octagon's area, 4 sin(π/4) r², along 64 chords.
    const double expected = 4 * std::sin(pi / 4) * square(0.002) * 64 * 2 * 0.05 * std::sin(pi / 64);
    CHECK(mass_properties(clean(read).surface).volume == Approx(expected).epsilon(0.005));
}

}  // namespace rod_picture_test
