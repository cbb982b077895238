#include "../made_gltf.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/mesh/mesh.hpp>
#include <clangor/io/motion/trajectory_file.hpp>

#include <cmath>

namespace gltf_motion_test {

using namespace clangor;
using clangor::test::Approx;
using Builder = test::GltfBuilder;

namespace {

Trajectory motion(const std::string& gltf, const std::string& node = "", const std::string& object = "") {
    return io::parse_node_motion(std::as_bytes(std::span(gltf)), "shot.gltf", node, object).path;
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

// What Blender 3.4 writes of a body that "Bake to Keyframes" has baked: frame n at n/fps, LINEAR, single precision.
constexpr char blender[] = "Khronos glTF Blender I/O v3.4.50";
struct Bake {
    std::vector<float> times, places, turns;
};
template <class Place>
Bake baked(int first, int last, double fps, const Place& place, double spin = 0) {
    Bake bake;
    for (int frame = first; frame <= last; ++frame) {
        const double t = (frame - first) / fps;
        const Vec3 p = place(t);
        bake.times.push_back(static_cast<float>(frame / fps));
        for (const double x : {p.x(), p.y(), p.z()}) bake.places.push_back(static_cast<float>(x));
        for (const double x : {0.0, 0.0, std::sin(spin * t / 2), std::cos(spin * t / 2)})
            bake.turns.push_back(static_cast<float>(x));
    }
    return bake;
}
Vec3 thrown(double t) { return {2 * t, 1 + 3 * t - 9.81 / 2 * t * t, 0}; }

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
    CHECK(error_of(one, "cups") == "shot.gltf: no node is called \"cups\"; did you mean \"cup\"? There are: cup, lid");
    CHECK(error_of(one, "table") == "shot.gltf: no node is called \"table\"; there are: cup, lid");
    builder.animate(1, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
    const std::string two = builder.gltf(R"({"name":"cup"},{"name":"lid"})");
    CHECK(error_of(two, "", "bowl") ==
          "shot.gltf: 2 nodes of it are animated; say which one moves the object, as FILE#NODE: there are: cup, lid");
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
          "shot.gltf: the matrix of \"arm\" shears; apply it to the mesh and export it again");
}

TEST_CASE("a node's mesh, moved as its trajectory says, is where the whole scene has it, mirrors included") {
    Builder builder;
    builder.add_tetrahedron();
    builder.animate(1, "rotation", {0, 1}, quarter_turn);
    const char* const carriers[] = {
        R"("scale":[2,2,2])",
        R"("scale":[-2,2,2])",
        R"("scale":[2,2,-2])",
        R"("scale":[-2,-2,2])",
        R"("scale":[-2,-2,-2])",
        R"("matrix":[0,3,0,0, 3,0,0,0, 0,0,3,0, 1,2,3,1])"};  // x and y change places: a mirror
    for (const std::string carrier : carriers) {
        const std::string gltf =
            builder.gltf(R"({"name":"stand","children":[1],)" + carrier +
                         R"(},{"name":"arm","children":[2],"translation":[0,4,0]},)"
                         R"({"name":"hand","mesh":0,"scale":[1,-2,3],"translation":[1,2,3],"rotation":[0.6,0,0,0.8]})");
        const auto surface = [&](const std::string& node) {
            return io::parse_mesh(std::as_bytes(std::span(gltf)), io::MeshFormat::Gltf, "shot.gltf", node);
        };
        const Surface world = surface(""), hand = surface("hand");  // at time 0 the arm is where it rests
        const Eigen::Isometry3d world_from_hand = pose_at(motion(gltf, "hand"), 0);
        REQUIRE(world.vertices.rows() == hand.vertices.rows());
        for (int v = 0; v < world.vertices.rows(); ++v)
            CHECK((world_from_hand * Vec3(hand.vertices.row(v)) - Vec3(world.vertices.row(v))).norm() < 1e-6);
        CHECK(world.faces == hand.faces);
        CHECK(mass_properties(hand).volume > 0);
    }
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

TEST_CASE("linear keys of a baked animation are frames, not corners: the path between them is that of a table") {
    for (const double fps : {24.0, 29.97, 30.0, 60.0}) {
        const int last = static_cast<int>(0.8 * fps);
        const Bake bake = baked(0, last, fps, thrown, 20);
        Builder builder;
        builder.animate(0, "translation", bake.times, bake.places);
        builder.animate(0, "rotation", bake.times, bake.turns);
        const Trajectory path = motion(builder.gltf(R"({"name":"cup"})"), "cup");
        REQUIRE(path.times.size() == last + 1);  // nothing is put between the frames
        for (int frame = 1; frame < last; ++frame) {
            const double h = 1e-7;
            const Twist before = twist_at(path, path.times[frame] - h), after = twist_at(path, path.times[frame] + h);
            // Along straight lines the velocity would jump by g/fps, 0.16 m/s or more. Here it changes by 2h times 10
            // g.
            CHECK((before.linear - after.linear).norm() < 2e-5);
            CHECK((before.angular - after.angular).norm() < 1e-3);  // of 20 rad/s; quaternions are single precision
        }
    }
}

TEST_CASE("frames that an exporter leaves out of a bake, at rest or on a straight line, are put back") {
    // Slides evenly for ten frames, lies still for forty, then slides on, with the last key between two frames.
    const auto frame = [](double n) { return static_cast<float>(n / 24); };
    Builder builder;
    builder.animate(0, "translation", {frame(0), frame(10), frame(50), frame(51), frame(52), frame(52.4)},
                    {0, 0, 0, 1, 0, 0, 1, 0, 0, 1.1f, 0, 0, 1.2f, 0, 0, 1.24f, 0, 0});
    const Trajectory path = motion(builder.gltf(R"({"name":"cup"})"), "cup");
    for (const double n : {0.5, 3.3, 8.7}) CHECK(place_at(path, n / 24).x() == Approx(n / 10).epsilon(1e-6));
    CHECK(twist_at(path, 5.0 / 24).linear.x() == Approx(2.4).epsilon(1e-5));
    // At rest it is at rest from one frame after the slide, and until the next one begins.
    for (const double n : {11.0, 30.0, 49.9}) CHECK(place_at(path, n / 24).x() == Approx(1).epsilon(1e-6));
    CHECK(path.times[path.times.size() - 1] == Approx(52.4 / 24));
    for (long i = 1; i + 1 < path.times.size(); ++i) {
        const double h = 1e-7, t = path.times[i];
        CHECK((twist_at(path, t + h).linear - twist_at(path, t - h).linear).norm() < 1e-3);
    }
}

TEST_CASE("keys that are set by hand stay the corners that they are") {
    Builder seldom;  // five in a second
    seldom.animate(0, "translation", {0, 0.2f, 0.4f, 0.6f}, {0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0});
    CHECK(twist_at(motion(seldom.gltf(R"({"name":"cup"})")), 0.18).linear.x() == Approx(5).epsilon(1e-4));
    Builder anywhere;  // 0.05 s, then 0.073 s
    anywhere.animate(0, "translation", {0, 0.05f, 0.123f, 0.2f}, {0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0});
    CHECK(motion(anywhere.gltf(R"({"name":"cup"})")).times.size() > 4);
}

TEST_CASE("Blender's frame 1 is time 0, as in a table that starts with it") {
    const Bake bake = baked(1, 48, 24, thrown);
    Builder builder;
    builder.animate(0, "translation", bake.times, bake.places);
    const std::string nodes = R"({"name":"cup"})";
    const Trajectory path = motion(builder.gltf(nodes, blender), "cup");
    std::string table = "# fps: 24\n# start: 1\nframe,x,y,z\n";
    for (std::size_t i = 0; i < 48; ++i)
        table += fmt::format("{},{:.9g},{:.9g},{:.9g}\n", i + 1, bake.places[3 * i], bake.places[3 * i + 1],
                             bake.places[3 * i + 2]);
    const Trajectory same = io::parse_trajectory(table, "cup.csv");
    for (const double t : {0.0, 0.1234, 1.0, 1.9}) CHECK((place_at(path, t) - place_at(same, t)).norm() < 1e-6);
    // Who begins at 0 is left alone, whoever wrote it; and so is what others begin later.
    CHECK(motion(builder.gltf(nodes), "cup").times[0] == Approx(1.0 / 24));
    const Bake zero = baked(0, 48, 24, thrown);
    Builder from_zero;
    from_zero.animate(0, "translation", zero.times, zero.places);
    CHECK(motion(from_zero.gltf(nodes, blender), "cup").times[0] == 0);
}

TEST_CASE("all objects of a Blender file keep to the clock of the one that begins first") {
    const Bake early = baked(101, 140, 24, thrown), late = baked(125, 140, 24, thrown);
    Builder builder;
    builder.animate(0, "translation", early.times, early.places);
    builder.animate(1, "translation", late.times, late.places);
    const std::string gltf = builder.gltf(R"({"name":"cup"},{"name":"lid"})", blender);
    CHECK(motion(gltf, "lid").times[0] == Approx(1).epsilon(1e-5));
    const auto messages = [&](const std::string& text, const std::string& node) {
        return io::parse_node_motion(std::as_bytes(std::span(text)), "shot.gltf", node).messages;
    };
    CHECK(messages(gltf, "lid") ==
          std::vector<std::string>{
              "shot.gltf: its first keyframe, frame 101 at 24 frames a second, is taken for the beginning of the "
              "shot, time 0. If the shot begins earlier, put a keyframe of any object there"});
    const Bake usual = baked(1, 48, 24, thrown);
    Builder ordinary;
    ordinary.animate(0, "translation", usual.times, usual.places);
    const std::string shot = ordinary.gltf(R"({"name":"cup","children":[2]},{"name":"lid"},{"name":"tea"})", blender);
    CHECK(messages(shot, "cup").empty());
    CHECK(messages(shot, "tea").empty());  // the cup carries it
    CHECK(messages(shot, "lid") == std::vector<std::string>{"shot.gltf: the node \"lid\" is not animated, nor is "
                                                            "what carries it: it stays where it is. Of those that "
                                                            "are, there are: cup"});
}

}  // namespace gltf_motion_test
