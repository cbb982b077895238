#include <temporary.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace move_test {

using namespace clangor;
namespace fs = std::filesystem;

namespace {

constexpr double hill_radius = 0.2, rolling_radius = 0.01;

struct Folder {
    fs::path path = testing::temporary("move_test");
    Folder() {
        fs::remove_all(path);
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
};

// Rocks to and fro over the top of a hill, and turns as it rolls.
Trajectory over_the_hill() {
    const long poses = 2001;
    Trajectory path{Eigen::VectorXd(poses), Points(poses, 3), Rotations(poses, 4)};
    for (long i = 0; i < poses; ++i) {
        const double t = path.times[i] = 1e-3 * double(i), angle = 0.6 * std::sin(4 * t);
        const double r = hill_radius + rolling_radius;
        path.positions.row(i) << r * std::sin(angle), r * std::cos(angle), 0;
        const Eigen::Quaterniond turn(Eigen::AngleAxisd(-angle * r / rolling_radius, Vec3::UnitZ()));
        path.rotations.row(i) = turn.coeffs().transpose();
    }
    return path;
}

scene::Solid silent(const std::string& name, const Shape& shape) {
    return {.name = name, .mesh = shape, .material = *find_material("steel"), .silent = true};
}

// The path as another program would export it: keyframes, linear between them.
Scene imported(const Folder& folder, const Trajectory& path, double fps) {
    const fs::path file = folder.path / "shot.glb";
    const auto surface = std::make_shared<const Surface>(surface_of(Sphere{rolling_radius}));
    const Trajectory still = at_rest(Eigen::Isometry3d::Identity());
    io::write_motion_glb(file, {{"ball", surface, path}, {"post", nullptr, still}}, {.duration = 2, .frame_rate = fps});
    Scene scene{.duration = 2};
    scene::Solid ball = silent("ball", Sphere{rolling_radius}), hill = silent("hill", Sphere{hill_radius});
    ball.trajectory = file.string() + "#ball";
    hill.moves = scene::Moves::Fixed;
    scene.objects = {ball, hill};
    return scene;
}

Motion motion_in(const Scene& scene, const io::Cache& cache = {}) {
    return motion_of(scene, bake(scene, {}), cache);  // all are silent
}

double force_of(const Touch& touch) { return touch.sides[0].impulse.dot(touch.sides[0].normal) / touch.duration; }

}  // namespace

TEST_CASE("a ball that rolls over a hill hits nothing, and presses on it alike at the frames and between them") {
    const Folder folder;
    for (const double fps : {24.0, 30.0, 60.0}) {
        CAPTURE(fps);
        const Motion motion = motion_in(imported(folder, over_the_hill(), fps));
        CHECK(motion.impacts.empty());  // along straight lines it would fall onto the hill at every frame
        REQUIRE(motion.touches.size() > 100);
        double at_frames = 0, between = 0;
        int near = 0, far = 0;
        for (const Touch& touch : motion.touches) {
            const double middle = (touch.time + touch.duration / 2) * fps;
            const bool at_frame = std::abs(middle - std::round(middle)) < 0.25;
            (at_frame ? at_frames : between) += std::abs(force_of(touch));
            ++(at_frame ? near : far);
        }
        // Within 3 dB. With corners at the frames, all of the force would be there.
        CHECK(at_frames / near < 1.41 * between / far);
        CHECK(between / far < 1.41 * at_frames / near);
    }
}

TEST_CASE("collisions of imported motion are found once, and again when anything that they follow from changes") {
    const Folder folder;
    const io::Cache cache{folder.path / "cache"};
    Trajectory falling = over_the_hill();
    falling.positions.col(0).setZero();
    for (long i = 0; i < falling.times.size(); ++i) {
        const double t = falling.times[i], hit = 0.3;  // falls for 0.3 s, and bounces with half the speed
        const double v = 9.81 * hit;
        falling.positions(i, 1) =
            hill_radius + rolling_radius +
            (t < hit ? 9.81 / 2 * (hit * hit - t * t) : std::max(0.0, v / 2 * (t - hit) - 9.81 / 2 * square(t - hit)));
    }
    Scene scene = imported(folder, falling, 60);
    const Motion found = motion_in(scene, cache), again = motion_in(scene, cache);
    REQUIRE(found.impacts.size() > 0);
    CHECK_FALSE(found.from_cache);
    CHECK(again.from_cache);
    REQUIRE(again.impacts.size() == found.impacts.size());
    REQUIRE(again.touches.size() == found.touches.size());
    for (size_t i = 0; i < found.impacts.size(); ++i) {
        CHECK(again.impacts[i].time == found.impacts[i].time);
        CHECK(again.impacts[i].impulse == found.impacts[i].impulse);
        CHECK(again.impacts[i].approach_speed == found.impacts[i].approach_speed);
        CHECK(again.impacts[i].sides[1].body == found.impacts[i].sides[1].body);
        CHECK(again.impacts[i].sides[1].point == found.impacts[i].sides[1].point);
    }
    for (size_t i = 0; i < found.touches.size(); ++i) CHECK(again.touches[i].slip_speed == found.touches[i].slip_speed);
    CHECK(again.bodies[0].positions == found.bodies[0].positions);
    CHECK(again.warnings == found.warnings);

    // Whatever matters is in the key.
    const auto known = [&](const auto& change) {
        Scene other = scene;
        change(other, std::get<scene::Solid>(other.objects[0]));
        return motion_in(other, cache).from_cache;
    };
    CHECK(known([](Scene& s, scene::Solid&) { s.listeners = {{.name = "elsewhere", .position = {3, 2, 1}}}; }));
    CHECK_FALSE(known([](Scene&, scene::Solid& ball) { ball.restitution = 0.123; }));
    CHECK_FALSE(known([](Scene&, scene::Solid& ball) { ball.friction = 0.123; }));
    CHECK_FALSE(known([](Scene&, scene::Solid& ball) { ball.material.density *= 2; }));
    CHECK_FALSE(known([](Scene&, scene::Solid& ball) { ball.scale = 1.01; }));
    CHECK_FALSE(known([](Scene& s, scene::Solid&) { s.duration = 1.5; }));
    CHECK_FALSE(known([](Scene& s, scene::Solid&) { s.motion.gravity.x() = 1; }));
    CHECK_FALSE(known([](Scene& s, scene::Solid&) { s.motion.min_approach_speed = 0.1; }));
    CHECK_FALSE(known([](Scene& s, scene::Solid&) { s.motion.contacts = {{"ball", "hill", 0.9, 0.9}}; }));
    falling.positions(700, 1) += 1e-3;
    CHECK_FALSE(motion_in(imported(folder, falling, 60), cache).from_cache);
}

TEST_CASE("a damaged collision record is reported, found again and replaced") {
    const Folder folder;
    const io::Cache cache{folder.path / "cache"};
    const Scene scene = imported(folder, over_the_hill(), 30);
    const Motion found = motion_in(scene, cache);
    fs::path entry;
    for (const auto& file : fs::directory_iterator(cache.folder))
        if (file.path().string().ends_with(".collisions.h5")) entry = file.path();
    REQUIRE_FALSE(entry.empty());
    {
        std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<long>(fs::file_size(entry)) / 2);
        file.put('\x55').put('\xAA');
    }
    const Motion repaired = motion_in(scene, cache);
    CHECK_FALSE(repaired.from_cache);
    CHECK(repaired.touches.size() == found.touches.size());
    REQUIRE(repaired.warnings.size() == 1);
    CHECK(repaired.warnings[0].find("the cache is damaged: " + entry.string()) == 0);
    CHECK(motion_in(scene, cache).from_cache);
}

TEST_CASE("impacts from a file are completed once") {
    const Folder folder;
    const io::Cache cache{folder.path / "cache"};
    Scene scene = imported(folder, over_the_hill(), 60);
    scene.motion.impacts = folder.path / "hits.csv";
    std::ofstream(scene.motion.impacts) << "time,object,other,x,y,z,impulse,speed\n0,ball,hill,0,0.2,0,0.01,1\n";
    CHECK_FALSE(motion_in(scene, cache).from_cache);
    const Motion again = motion_in(scene, cache);
    CHECK(again.from_cache);
    REQUIRE(again.impacts.size() == 1);
    CHECK(again.impacts[0].approach_speed == 1);
    std::ofstream(scene.motion.impacts, std::ios::app) << "1,ball,hill,0,0.2,0,0.01,2\n";
    CHECK_THROWS_AS(motion_in(scene, cache), Error);  // the ball is elsewhere by then: read again, and refused
}

TEST_CASE("bodies that move and touch nothing, and nodes that are not animated, are warned about") {
    const Folder folder;
    Trajectory high = over_the_hill();
    high.positions.col(1).array() += 1;
    Scene scene = imported(folder, high, 24);
    const Motion silence = motion_in(scene);
    REQUIRE(silence.warnings.size() == 1);
    CHECK(silence.warnings[0] ==
          "no impact in 2 s, although \"ball\" moves: nothing touches anything, and the sound is silent. Check that "
          "meshes and trajectories share one unit and one up axis, and that what they should hit is in the scene");
    std::get<scene::Solid>(scene.objects[0]).trajectory = (folder.path / "shot.glb").string() + "#post";
    const Motion still = motion_in(scene);
    REQUIRE(still.warnings.size() == 1);
    CHECK(still.warnings[0] ==
          "object \"ball\": " + (folder.path / "shot.glb").string() +
              ": the node \"post\" is not animated, nor is what carries it: it stays where it is. Of those that "
              "are, there are: ball");
    scene.strikes = {{.object = "ball", .impulse = {1, 0, 0}}};
    std::get<scene::Solid>(scene.objects[0]).trajectory = (folder.path / "shot.glb").string() + "#ball";
    CHECK(motion_in(scene).warnings.empty());  // it is struck: it sounds
}

}  // namespace move_test
