#include <doctest/doctest.h>
#include <fmt/format.h>
#include <clangor/io/trajectory_file.hpp>

#include <cmath>
#include <cstring>

using namespace clangor;
using doctest::Approx;

namespace {

// A .gltf under construction: its numbers stand in one buffer, as base64 text.
struct Builder {
    std::string bytes, views, accessors, samplers, channels;
    int count = 0, sampler_count = 0;

    int numbers(const std::vector<float>& values, int components) {
        const std::size_t at = bytes.size(), size = values.size() * sizeof(float);
        bytes.resize(at + size);
        std::memcpy(bytes.data() + at, values.data(), size);
        views += fmt::format("{}{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}}}", count ? "," : "", at, size);
        accessors += fmt::format("{}{{\"bufferView\":{},\"componentType\":5126,\"count\":{},\"type\":\"{}\"}}",
                                 count ? "," : "", count, values.size() / static_cast<std::size_t>(components),
                                 components == 1   ? "SCALAR"
                                 : components == 3 ? "VEC3"
                                                   : "VEC4");
        return count++;
    }

    void animate(int node, const std::string& path, const std::vector<float>& times, const std::vector<float>& values,
                 const std::string& between = "LINEAR") {
        const int input = numbers(times, 1), output = numbers(values, path == "rotation" ? 4 : 3);
        samplers += fmt::format("{}{{\"input\":{},\"output\":{},\"interpolation\":\"{}\"}}", sampler_count ? "," : "",
                                input, output, between);
        channels += fmt::format("{}{{\"sampler\":{},\"target\":{{\"node\":{},\"path\":\"{}\"}}}}",
                                sampler_count ? "," : "", sampler_count, node, path);
        ++sampler_count;
    }

    std::string gltf(const std::string& nodes) const {
        constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::string text;
        for (std::size_t i = 0; i < bytes.size(); i += 3) {
            const auto byte = [&](std::size_t k) {
                return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u;
            };
            const unsigned bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
            for (const int shift : {18, 12, 6, 0}) text += digits[bits >> shift & 63];
        }
        return fmt::format(R"({{"asset":{{"version":"2.0"}},"nodes":[{}],"bufferViews":[{}],"accessors":[{}],)"
                           R"("animations":[{{"channels":[{}],"samplers":[{}]}}],)"
                           R"("buffers":[{{"byteLength":{},"uri":"data:;base64,{}"}}]}})",
                           nodes, views, accessors, channels, samplers, bytes.size(), text);
    }
};

Trajectory motion(const std::string& gltf, const std::string& node = "", const std::string& object = "") {
    return io::parse_node_motion(std::as_bytes(std::span(gltf)), "shot.gltf", node, object);
}

std::string error_of(const std::string& gltf, const std::string& node = "", const std::string& object = "") {
    try {
        motion(gltf, node, object);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

Vec3 place_at(const Trajectory& path, double time) { return pose_at(path, time).translation(); }

const std::vector<float> quarter_turn = {0, 0, 0, 1, 0, 0, std::sqrt(0.5f), std::sqrt(0.5f)};  // about z

}  // namespace

TEST_CASE("a linear translation is a straight line at constant speed") {
    Builder builder;
    builder.animate(0, "translation", {0, 1, 2}, {0, 0, 0, 1, 0, 0, 0, 0, 0});
    const Trajectory path = motion(builder.gltf(R"({"name":"cup"})"));
    for (const double t : {0.25, 0.5, 0.75}) CHECK(place_at(path, t).x() == Approx(t).epsilon(1e-6));
    CHECK(place_at(path, 1).x() == Approx(1));
    // Just before it turns back, it still has its full speed but for the last 60th of a second.
    CHECK(twist_at(path, 0.98).linear.x() == Approx(1).epsilon(1e-6));
    CHECK(twist_at(path, 1.02).linear.x() == Approx(-1).epsilon(1e-6));
}

TEST_CASE("steps hold their value and then jump; splines follow Hermite's cubic") {
    Builder step;
    step.animate(0, "translation", {0, 1}, {0, 0, 0, 1, 0, 0}, "STEP");
    const Trajectory jump = motion(step.gltf(R"({"name":"cup"})"));
    CHECK(std::abs(place_at(jump, 0.99).x()) < 1e-6);
    CHECK(place_at(jump, 1).x() == Approx(1));
    Builder spline;  // from 0 to 1 with tangents 3 and 0: x(s) = 3(s³−2s²+s) + 3s²−2s³ = s³ − 3s² + 3s
    spline.animate(0, "translation", {0, 1}, {0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, "CUBICSPLINE");
    const Trajectory curve = motion(spline.gltf(R"({"name":"cup"})"));
    for (const double s : {0.1, 0.3, 0.77}) {
        CHECK(place_at(curve, s).x() == Approx(s * s * s - 3 * s * s + 3 * s).epsilon(1e-5));  // sampled at 240 Hz
    }
}

TEST_CASE("a turning parent carries its child round a circle, and its uniform scale stretches the way") {
    Builder builder;
    builder.animate(0, "rotation", {0, 1}, quarter_turn);
    const std::string nodes =
        R"({"name":"arm","children":[1],"scale":[2,2,2],"translation":[0,0,1]},{"name":"hand","translation":[1,0,0]})";
    const Trajectory path = motion(builder.gltf(nodes), "hand");
    for (const double t : {0.0, 0.31, 0.5, 1.0}) {
        const double angle = t * pi / 2;
        // Between samples the chord's cubic leaves the circle of 2 m by less than 2 (π/2/60)⁴ / 384 of it.
        CHECK((place_at(path, t) - Vec3(2 * std::cos(angle), 2 * std::sin(angle), 1)).norm() < 1e-5);
        const Vec3 x_axis = pose_at(path, t).linear().col(0);
        CHECK((x_axis - Vec3(std::cos(angle), std::sin(angle), 0)).norm() < 1e-6);
    }
}

TEST_CASE("a node may be chosen by part, by the object's name, or because it is the only one") {
    Builder builder;
    builder.animate(0, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
    const std::string one = builder.gltf(R"({"name":"cup"},{"name":"lid","translation":[0,5,0]})");
    CHECK(place_at(motion(one), 1).x() == 1);
    CHECK(place_at(motion(one, "lid"), 1).y() == 5);
    CHECK(place_at(motion(one, "", "lid"), 1).y() == 5);
    CHECK(place_at(motion(one, "", "somebody"), 1).x() == 1);
    CHECK(error_of(one, "cups") == "shot.gltf: no node is called \"cups\"; did you mean \"cup\"?");
    CHECK(error_of(one, "table") == "shot.gltf: no node is called \"table\"; there are: cup, lid");
    builder.animate(1, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
    const std::string two = builder.gltf(R"({"name":"cup"},{"name":"lid"})");
    CHECK(error_of(two, "", "bowl") ==
          "shot.gltf: 2 nodes of it are animated; say which one moves the object: FILE#NODE. there are: cup, lid");
    CHECK(error_of(builder.gltf(R"({"name":"cup"},{"name":"cup"})"), "cup") ==
          "shot.gltf: 2 nodes are called \"cup\"; give each its own name");
    CHECK(error_of(Builder().gltf(R"({"name":"cup"})")) == "shot.gltf: no node of it is animated; name one: FILE#NODE");
}

TEST_CASE("what is not rigid is refused") {
    Builder grows;
    grows.animate(0, "scale", {0, 1}, {1, 1, 1, 2, 2, 2});
    CHECK(error_of(grows.gltf(R"({"name":"cup"})"), "cup") ==
          "shot.gltf: the scale of \"cup\" is animated, but bodies are rigid; bake its size into the mesh");
    Builder stays;
    stays.animate(0, "scale", {0, 1}, {2, 2, 2, 2, 2, 2});
    CHECK(place_at(motion(stays.gltf(R"({"name":"arm","children":[1]},{"name":"hand","translation":[1,0,0]})"), "hand"),
                   0) == Vec3(2, 0, 0));
    Builder turns;
    turns.animate(1, "rotation", {0, 1}, quarter_turn);
    CHECK(
        error_of(turns.gltf(R"({"name":"arm","children":[1],"scale":[1,2,1]},{"name":"hand"})")) ==
        "shot.gltf: the scale of \"arm\" is (1, 2, 1), which shears what hangs below it; apply it and export it again");
    CHECK(error_of(turns.gltf(
              R"({"name":"arm","children":[1],"matrix":[1,1,0,0,0,1,0,0,0,0,1,0,0,0,0,1]},{"name":"hand"})")) ==
          "shot.gltf: the matrix of \"arm\" shears or mirrors; apply it to the mesh and export it again");
}

TEST_CASE("damaged animations are refused") {
    const auto said = [](const std::vector<float>& times, const std::vector<float>& values, const char* between) {
        Builder builder;
        builder.animate(0, "translation", times, values, between);
        return error_of(builder.gltf(R"({"name":"cup"})"));
    };
    CHECK(said({1, 0}, {0, 0, 0, 0, 0, 0}, "LINEAR") ==
          "shot.gltf: the times of an animation do not ascend: 0 s follows 1 s; export it again");
    CHECK(said({0, 8000}, {0, 0, 0, 0, 0, 0}, "LINEAR") ==
          "shot.gltf: a keyframe is at 8000 s, but should be in [0, 7200] s; shorten the animation");
    CHECK(said({0, 1}, {0, 0, 0}, "LINEAR") ==
          "shot.gltf: an animation has 2 keyframes, but 1 values; export it again");
    CHECK(said({0}, {0, 0, NAN}, "LINEAR") == "shot.gltf: an animation holds the value nan; export it again");
    CHECK(said({0}, {0, 2e6f, 0}, "LINEAR") == "shot.gltf: \"cup\" is 2000000 m from the origin; check the unit");
    CHECK(said({}, {}, "LINEAR") == "shot.gltf: an animation has no keyframes; export it again");
    CHECK(said({0}, {0, 0, 0}, "SMOOTH") ==
          "shot.gltf: an animation is interpolated by \"SMOOTH\"; use LINEAR, STEP or CUBICSPLINE");
    Builder zero;
    zero.animate(0, "rotation", {0, 1}, {0, 0, 0, 0, 0, 0, 0, 0});
    CHECK(error_of(zero.gltf(R"({"name":"cup"})")) ==
          "shot.gltf: a node's rotation is a zero quaternion; export it again");
    Builder twice;
    twice.animate(0, "translation", {0, 1}, {0, 0, 0, 0, 0, 0});
    twice.animate(0, "translation", {0, 1}, {0, 0, 0, 0, 0, 0});
    CHECK(error_of(twice.gltf(R"({"name":"cup"})")) ==
          "shot.gltf: the translation of \"cup\" is in 2 animations; keep one");
    CHECK(error_of(twice.gltf(R"({"children":[1]},{"children":[0]})"), "", "") != "none");
    CHECK(error_of(twice.gltf(R"({"children":[1]},{"children":[1]})")) ==
          "shot.gltf: nodes[1] should have one parent, for nodes must form a tree; export it again");
    Builder nobody;
    nobody.animate(7, "translation", {0, 1}, {0, 0, 0, 0, 0, 0});
    CHECK(error_of(nobody.gltf(R"({"name":"cup"})")) ==
          "shot.gltf: an animation refers to a node or sampler that is not there; export it again");
}
