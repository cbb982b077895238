#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/mesh/mesh.hpp>
#include <clangor/io/motion/motion_glb.hpp>
#include <clangor/io/motion/trajectory_file.hpp>
#include <morph_targets.hpp>
#include <nlohmann/json.hpp>
#include <temporary.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

namespace motion_glb_test {

using namespace clangor;
using nlohmann::json;

namespace {

constexpr double g = 9.81;

// Flies in an arc and turns, then lies still.
Trajectory thrown() {
    const long frames = 2001;
    Trajectory path{Eigen::VectorXd(frames), Points(frames, 3), Rotations(frames, 4)};
    for (long i = 0; i < frames; ++i) {
        const double t = static_cast<double>(i) / 1000, flown = std::min(t, 0.8);
        path.times[i] = t;
        path.positions.row(i) << 0.5 * flown, 1 + 3 * flown - g / 2 * flown * flown, -0.3;
        const Eigen::Quaterniond turn(Eigen::AngleAxisd(7 * flown, Vec3(1, 2, 2) / 3));
        path.rotations.row(i) = turn.coeffs().transpose();
    }
    return path;
}

std::vector<io::MovingShape> shapes() {
    const auto bowl = std::make_shared<const Surface>(surface_of(Bowl{}));
    const auto cube = std::make_shared<const Surface>(surface_of(Box{}));
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place.translation() = Vec3(1, 2, 3);
    return {{.name = "bowl", .surface = bowl, .path = thrown()},
            {.name = "cube", .surface = cube, .path = at_rest(place)},
            {.name = "mic", .path = at_rest(place)}};
}

json header_of(const std::vector<std::byte>& glb) {
    std::uint32_t length = 0;
    std::memcpy(&length, glb.data() + 12, 4);
    return json::parse(std::string_view(reinterpret_cast<const char*>(glb.data()) + 20, length));
}

}  // namespace

TEST_CASE("motion written as .glb reads back as the same poses at every frame") {
    const std::vector<std::byte> glb = io::motion_glb(shapes(), {.duration = 2, .ground = 0.0});
    const Trajectory original = thrown(), read = io::parse_node_motion(glb, "a.glb", "bowl").path;
    for (int k = 0; k <= 120; ++k) {
        const double t = k / 60.0;
        const Eigen::Isometry3d expected = pose_at(original, t), found = pose_at(read, t);
        CHECK((expected.translation() - found.translation()).norm() < 1e-6);  // single precision near 1 m: 6e-8
        CHECK((expected.linear() - found.linear()).norm() < 2e-6);            // 7 rad/s · half a step of time at 1 s
    }
    const Trajectory still = io::parse_node_motion(glb, "a.glb", "cube").path;
    CHECK(still.times.size() == 1);
    CHECK(still.positions.row(0) == Eigen::RowVector3d(1, 2, 3));
}

TEST_CASE("keyframes on a straight line are left out") {
    const json header = header_of(io::motion_glb(shapes(), {.duration = 2}));
    const json& animation = header["animations"][0];
    CHECK(animation["channels"].size() == 2);  // the bowl alone moves
    for (const json& sampler : animation["samplers"]) {
        const int keys = header["accessors"][sampler["input"].get<std::size_t>()]["count"];
        CHECK(keys < 60);  // of 121: 48 frames of flight, for the path, and then two runs of 64 at most
        CHECK(keys >= 3);
    }
}

TEST_CASE("the file keeps the rules of glTF 2.0") {
    const std::vector<std::byte> glb =
        io::motion_glb(shapes(), {.duration = 1.505, .ground = -0.5, .ground_name = "floor"});
    std::uint32_t words[5];
    std::memcpy(words, glb.data(), sizeof words);
    CHECK(words[0] == 0x46546C67);
    CHECK(words[1] == 2);
    CHECK(words[2] == glb.size());
    CHECK(words[3] % 4 == 0);
    const json header = header_of(glb);
    const std::size_t buffer = header["buffers"][0]["byteLength"];
    CHECK(20 + words[3] + 8 + buffer == glb.size());
    for (const json& view : header["bufferViews"]) {
        CHECK(view["byteOffset"].get<std::size_t>() % 4 == 0);
        CHECK(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>() <= buffer);
        CHECK(view["byteLength"].get<std::size_t>() > 0);
    }
    for (const json& mesh : header["meshes"]) {
        const json& attributes = mesh["primitives"][0]["attributes"];
        const json& positions = header["accessors"][attributes["POSITION"].get<std::size_t>()];
        const json& normals = header["accessors"][attributes["NORMAL"].get<std::size_t>()];
        CHECK(positions["min"].size() == 3);
        CHECK(positions["max"].size() == 3);
        CHECK(positions["count"] == normals["count"]);
    }
    for (const json& sampler : header["animations"][0]["samplers"]) {
        const json& input = header["accessors"][sampler["input"].get<std::size_t>()];
        CHECK(input["min"] == json::array({0.0}));
        CHECK(input["max"][0].get<double>() == clangor::test::Approx(1.505));
        CHECK(input["count"] == header["accessors"][sampler["output"].get<std::size_t>()]["count"]);
    }
    CHECK(header["nodes"].size() == 4);
    CHECK_FALSE(header["nodes"][2].contains("mesh"));  // a listener
    CHECK(header["nodes"][3]["name"] == "floor");
    CHECK(header["nodes"][3]["translation"][1] == -0.5);
    CHECK(header["scenes"][0]["nodes"].size() == 4);
}

TEST_CASE("meshes come through: sharp edges split vertices, and volumes stay") {
    const auto cube = std::make_shared<const Surface>(surface_of(Box{.size = {0.1, 0.2, 0.3}}));
    const auto path = at_rest(Eigen::Isometry3d::Identity());
    const std::vector<std::byte> glb =
        io::motion_glb({{.name = "cube", .surface = cube, .path = path}}, {.duration = 1});
    const Surface read = io::parse_mesh(glb, io::MeshFormat::Glb, "a.glb");
    CHECK(mass_properties(clean(read).surface).volume == clangor::test::Approx(0.006).epsilon(1e-6));
    CHECK_FALSE(header_of(glb).contains("animations"));
    const auto ball = std::make_shared<const Surface>(surface_of(Sphere{}));
    const json header = header_of(io::motion_glb({{.name = "ball", .surface = ball, .path = path}}, {.duration = 1}));
    CHECK(header["accessors"][0]["count"] == ball->vertices.rows());  // smooth: no vertex is split
}

namespace {

// A rail that falls and swings, with two standing waves of its own.
io::MovingShape swinging_rail() {
    const auto rail = std::make_shared<const Surface>(surface_of(Box{.size = {1, 0.02, 0.05}}));
    const auto vertices = [rail](double t) {
        Points places = rail->vertices;
        for (long v = 0; v < places.rows(); ++v) {
            const double x = places(v, 0);
            places(v, 1) += 0.1 * std::sin(2 * pi * 3 * t) * std::cos(3 * x) - g / 2 * t * t;
            places(v, 2) += 0.03 * std::sin(2 * pi * 5 * t) * std::sin(5 * x);
        }
        return places;
    };
    Trajectory fall{Eigen::VectorXd(101), Points::Zero(101, 3), Rotations::Zero(101, 4)};
    for (long k = 0; k <= 100; ++k) {
        const double t = 0.01 * double(k);
        fall.times[k] = t;
        fall.positions(k, 1) = -g / 2 * t * t;
        fall.rotations(k, 3) = 1;
    }
    return {.name = "rail", .surface = rail, .path = fall, .vertices = vertices};
}

}  // namespace

TEST_CASE("what bends is shown at every frame as it is, by as few shapes as it has") {
    const io::MovingShape rail = swinging_rail();
    const std::vector<std::byte> glb = io::motion_glb({rail}, {.duration = 1, .frame_rate = 50});
    const testing::MorphedMesh mesh(glb, "rail");
    CHECK(mesh.targets() == 3);  // two waves, and where both are at the lowest
    REQUIRE(mesh.keys() == 51);
    for (const float weight : mesh.weights()) CHECK((weight >= 0 && weight <= 1));  // what every editor's sliders take
    for (size_t k = 0; k < 51; ++k) {
        const Points expected = rail.vertices(double(k) / 50), shown = mesh.positions(k);
        const Points normals = mesh.normals(k);
        double farthest = 0, shortest = 1;
        for (long v = 0; v < shown.rows(); ++v) {
            farthest = std::max(farthest, (expected.rowwise() - shown.row(v)).rowwise().norm().minCoeff());
            shortest = std::min(shortest, normals.row(v).norm());
        }
        CHECK(farthest < 1.1e-4);  // a ten-thousandth of its size, and where its node is
        CHECK(shortest > 0.97);    // mixed in proportion to shapes, not turned
    }
    const Points first = rail.vertices(0);  // whoever knows no targets sees the start
    for (long v = 0; v < mesh.start().rows(); ++v)
        CHECK((first.rowwise() - mesh.start().row(v)).rowwise().norm().minCoeff() < 1e-6);
    CHECK(io::parse_node_motion(glb, "a.glb", "rail").path.positions.row(0).norm() < 1e-9);
}

TEST_CASE("targets keep the rules of glTF 2.0") {
    const testing::MorphedMesh mesh(io::motion_glb({swinging_rail()}, {.duration = 1}), "rail");
    const json& header = mesh.header;
    const json& primitive = header["meshes"][0]["primitives"][0];
    const json& vertices = header["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
    for (const json& target : primitive["targets"]) {
        const json& positions = header["accessors"][target["POSITION"].get<std::size_t>()];
        CHECK(positions["count"] == vertices["count"]);
        CHECK(positions["min"].size() == 3);
        CHECK(positions["max"].size() == 3);
        CHECK(header["accessors"][target["NORMAL"].get<std::size_t>()]["count"] == vertices["count"]);
    }
    CHECK(header["meshes"][0]["weights"].size() == mesh.targets());
    CHECK(header["meshes"][0]["extras"]["targetNames"].size() == mesh.targets());
    for (const json& channel : header["animations"][0]["channels"]) {
        if (channel["target"]["path"] != "weights") continue;
        const json& sampler = header["animations"][0]["samplers"][channel["sampler"].get<std::size_t>()];
        const json& output = header["accessors"][sampler["output"].get<std::size_t>()];
        const json& input = header["accessors"][sampler["input"].get<std::size_t>()];
        CHECK(output["count"].get<std::size_t>() == input["count"].get<std::size_t>() * mesh.targets());
        CHECK(output["type"] == "SCALAR");
    }
    io::MovingShape still = swinging_rail();
    still.path = at_rest(Eigen::Isometry3d::Identity());
    still.vertices = [rail = still.surface](double) { return rail->vertices; };
    CHECK(testing::MorphedMesh(io::motion_glb({still}, {.duration = 1}), "rail").targets() == 0);
}

TEST_CASE("nothing at all is a valid file, and a wrong frame rate is refused") {
    CHECK(header_of(io::motion_glb({}, {.duration = 1}))["asset"]["version"] == "2.0");
    CHECK_THROWS_WITH_AS(io::motion_glb({}, {.duration = 1, .frame_rate = 0}),
                         "the frame rate must be in [1, 1000] Hz, but is 0 Hz", Error);
}

TEST_CASE("a written file is found by the trajectory key's own way") {
    const std::filesystem::path file = testing::temporary("motion_test.glb");
    io::write_motion_glb(file, shapes(), {.duration = 2});
    CHECK(io::read_trajectory(file.string() + "#bowl").path.times.size() > 100);
    CHECK(io::read_trajectory(file).path.times.size() > 100);  // the only one that moves
    CHECK(io::read_trajectory(file, "cube").path.times.size() == 1);
    std::filesystem::remove(file);
}

}  // namespace motion_glb_test
