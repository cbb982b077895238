#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/motion/imported/imported.hpp>

#include <cmath>
#include <functional>

namespace complete_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double g = 9.81;

std::shared_ptr<const Surface> cube() {
    return std::make_shared<const Surface>(surface_of(Box{.size = {0.1, 0.1, 0.1}}));
}

Trajectory sampled(const std::function<Eigen::Isometry3d(double)>& pose, double duration, double fps) {
    const long frames = static_cast<long>(std::round(duration * fps)) + 1;
    Trajectory path{Eigen::VectorXd(frames), Points(frames, 3), Rotations(frames, 4)};
    for (long i = 0; i < frames; ++i) {
        path.times[i] = static_cast<double>(i) / fps;
        const Eigen::Isometry3d at = pose(path.times[i]);
        path.positions.row(i) = at.translation().transpose();
        path.rotations.row(i) = Eigen::Quaterniond(at.linear()).coeffs().transpose();
    }
    return path;
}

Eigen::Isometry3d at(double x, double y, double z) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Vec3(x, y, z);
    return pose;
}

// A cube that falls from y = 0.5 m and bounces off the ground with half its speed.
constexpr double drop = 0.45;  // what its lower face falls [m]
const double landing = std::sqrt(2 * drop / g), speed = std::sqrt(2 * drop * g);
Eigen::Isometry3d bouncing(double t) {
    if (t <= landing) return at(0, 0.5 - g * t * t / 2, 0);
    const double after = t - landing;
    return at(0, 0.05 + speed / 2 * after - g * after * after / 2, 0);
}

std::vector<ImportedBody> drop_scene(double fps) {
    return {{.name = "cube", .surface = cube(), .path = sampled(bouncing, 0.5, fps)},
            {.name = "floor", .path = at_rest(Eigen::Isometry3d::Identity()), .ground = true}};
}

ImportedImpact landing_event() {
    return {.time = landing,
            .object = "cube",
            .other = "floor",
            .point = {0.02, 0, 0.01},
            .impulse = Vec3(0, 3, 0),
            .where = "hits.csv:2"};
}

std::string error_of(const ImportedImpact& event, const std::vector<ImportedBody>& bodies) {
    try {
        complete_impacts({event}, bodies, {.duration = 1});
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("an impact on the ground gets both sides, the normal of the ground and the speed of the fall") {
    for (const double fps : {24.0, 60.0, 1000.0}) {
        const CompletedImpacts done = complete_impacts({landing_event()}, drop_scene(fps), {.duration = 1});
        INFO(fps);
        REQUIRE(done.impacts.size() == 1);
        CHECK(done.warnings.empty());
        const Impact& impact = done.impacts[0];
        CHECK(impact.impulse == Vec3(0, 3, 0));
        // Free fall is quadratic: secants carried forward with their difference are exact but for rounding.
        CHECK(impact.approach_speed == Approx(speed).epsilon(1e-9));
        CHECK(impact.sides[0].body == 0);
        CHECK((impact.sides[0].point - Vec3(0.02, -0.05, 0.01)).norm() < 1e-6);  // Embree's single precision
        CHECK((impact.sides[0].normal - Vec3(0, -1, 0)).norm() < 1e-12);
        CHECK((impact.sides[0].impulse - Vec3(0, 3, 0)).norm() < 1e-12);
        CHECK(impact.sides[1].body == 1);
        CHECK((impact.sides[1].point - Vec3(0.02, 0, 0.01)).norm() < 1e-12);
        CHECK((impact.sides[1].normal - Vec3(0, 1, 0)).norm() < 1e-12);
        CHECK((impact.sides[1].impulse + Vec3(0, 3, 0)).norm() < 1e-12);
    }
}

TEST_CASE("an impact that is told a frame late still has the speed from before it") {
    ImportedImpact late = landing_event();
    late.time = std::ceil(landing * 24) / 24;  // the frame after the bounce
    late.in_body_frame = true;
    late.point = {0, -0.05, 0};
    std::vector<ImportedBody> bodies = drop_scene(24);
    bodies[1].path = at_rest(at(0, bouncing(late.time).translation().y() - 0.05, 0));
    const double found = complete_impacts({late}, bodies, {.duration = 1}).impacts.at(0).approach_speed;
    // The mean speed of the interval before: at most one and a half frames of gravity too slow.
    CHECK(found < speed);
    CHECK(found > speed - 1.5 * g / 24);
}

TEST_CASE("body-frame vectors turn with the body, and both sides agree in the world") {
    Eigen::Isometry3d turned = at(1, 2, 3);
    turned.rotate(Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()));
    const std::vector<ImportedBody> bodies = {{.name = "a", .surface = cube(), .path = at_rest(turned)},
                                              {.name = "b", .surface = cube(), .path = at_rest(at(0.9, 2, 3))}};
    // The body's +y face points to −x of the world, where b is.
    const ImportedImpact event{.time = 0.1,
                               .object = "a",
                               .other = "b",
                               .in_body_frame = true,
                               .point = {0.01, 0.05, 0.02},
                               .magnitude = 2,
                               .approach_speed = 0.7};
    const Impact impact = complete_impacts({event}, bodies, {.duration = 1}).impacts.at(0);
    CHECK(impact.approach_speed == 0.7);
    CHECK((impact.sides[0].normal - Vec3(0, 1, 0)).norm() < 1e-12);
    CHECK((impact.sides[0].impulse - Vec3(0, -2, 0)).norm() < 1e-12);
    CHECK((impact.impulse - Vec3(2, 0, 0)).norm() < 1e-12);
    CHECK((impact.sides[1].normal - Vec3(1, 0, 0)).norm() < 1e-12);
    CHECK((impact.sides[1].impulse - Vec3(-2, 0, 0)).norm() < 1e-12);
    const Vec3 a_world = turned * impact.sides[0].point, b_world = at(0.9, 2, 3) * impact.sides[1].point;
    CHECK((a_world - b_world).norm() < 1e-6);
}

TEST_CASE("a corner that hits a face takes the face's normal") {
    // Turned by 45° about z, the cube b stands on its edge above the flat top of a.
    Eigen::Isometry3d on_edge = at(0, 0.05 + 0.05 * std::sqrt(2), 0);
    on_edge.rotate(Eigen::AngleAxisd(pi / 4, Vec3::UnitZ()));
    const std::vector<ImportedBody> bodies = {{.name = "a", .surface = cube(), .path = at_rest(at(0, 0, 0))},
                                              {.name = "b", .surface = cube(), .path = at_rest(on_edge)}};
    ImportedImpact event{.object = "b", .other = "a", .point = {0, 0.05, 0.01}, .magnitude = 1, .approach_speed = 1};
    const Impact impact = complete_impacts({event}, bodies, {.duration = 1}).impacts.at(0);
    CHECK((impact.impulse - Vec3(0, 1, 0)).norm() < 1e-6);
    std::swap(event.object, event.other);
    CHECK((complete_impacts({event}, bodies, {.duration = 1}).impacts.at(0).impulse + Vec3(0, 1, 0)).norm() < 1e-6);
}

TEST_CASE("points inside move to the surface; far ones are refused") {
    ImportedImpact event = landing_event();
    event.point.y() = 0.002;  // a solver's margin: 2 mm, of a cube whose diagonal is 173 mm
    const Impact impact = complete_impacts({event}, drop_scene(1000), {.duration = 1}).impacts.at(0);
    CHECK(impact.sides[0].point.y() == Approx(-0.05).epsilon(1e-6));
    event.point.y() = 0.02;
    const std::string far = error_of(event, drop_scene(1000));
    CHECK(far.starts_with("hits.csv:2: at 0.3029 s the point is 0.0"));
    CHECK(
        far.ends_with(" m from the surface of \"cube\"; check its unit, its frame (world or body), and that the "
                      "trajectory is of the same take"));
    // At 24 Hz the cube goes some 12 cm between two frames, and its bounce is rounded off by centimetres.
    CHECK(error_of(event, drop_scene(24)) == "none");
    event.point = {0.02, -1, 0.01};
    CHECK(error_of(event, drop_scene(24)).find("m from the surface of \"cube\"") != std::string::npos);
    CHECK(error_of(event, drop_scene(1000)).find("m from the surface of \"cube\"") != std::string::npos);
}

TEST_CASE("a point that is near one body but far from the other is refused by name") {
    std::vector<ImportedBody> bodies = drop_scene(1000);
    bodies[1].path = at_rest(at(0, -0.3, 0));
    CHECK(error_of(landing_event(), bodies).find("0.3 m from the surface of \"floor\"") != std::string::npos);
}

TEST_CASE("a normal into the object is turned round; an impulse that pulls is left out, with a warning") {
    ImportedImpact event = landing_event();
    event.normal = Vec3(0, 1, 0);  // into the cube
    CompletedImpacts done = complete_impacts({event}, drop_scene(1000), {.duration = 1});
    CHECK(done.impacts[0].sides[0].normal.y() == -1);
    CHECK(done.impacts[0].impulse.y() == 3);
    CHECK(done.warnings.empty());
    event.impulse = Vec3(0, -3, 0);
    done = complete_impacts({event}, drop_scene(1000), {.duration = 1});
    CHECK(done.impacts.empty());
    CHECK(done.warnings ==
          std::vector<std::string>{
              "imported impacts that pull the two together instead of pushing them apart, left out; is "
              "the impulse that of the other body?: 1 (the first at hits.csv:2)"});
}

TEST_CASE("only one side sounds where the file does not say who hit") {
    ImportedImpact event = landing_event();
    event.other = "";
    const Impact impact = complete_impacts({event}, drop_scene(1000), {.duration = 1}).impacts.at(0);
    CHECK(impact.sides[0].body == 0);
    CHECK(impact.sides[1].body == -1);
    CHECK(impact.approach_speed == Approx(speed).epsilon(1e-9));
}

TEST_CASE("events outside the clip, without impulse or on the bare ground are left out and counted") {
    std::vector<ImportedImpact> events(6, landing_event());
    events[0].time = -0.1;
    events[2].time = 1.5;
    events[2].where = "hits.csv:9";
    events[3].impulse = Vec3(0, 0, 0);
    events[4].object = "floor";
    events[4].other = "";
    const CompletedImpacts done = complete_impacts(events, drop_scene(1000), {.duration = 1});
    CHECK(done.impacts.size() == 2);
    REQUIRE(done.warnings.size() == 3);
    CHECK(done.warnings[0] == "imported impacts on the ground by nobody, left out: 1 (the first at hits.csv:2)");
    CHECK(done.warnings[1] == "imported impacts outside the clip of 1 s, left out: 2 (the first at hits.csv:2)");
    CHECK(done.warnings[2] == "imported impacts without any impulse, left out: 1 (the first at hits.csv:2)");
}

TEST_CASE("bodies that part still sound, as fast as they part") {
    ImportedImpact event = landing_event();
    event.time = landing + 0.1;
    event.in_body_frame = true;
    event.point = {0, -0.05, 0};
    event.other = "";
    const CompletedImpacts done = complete_impacts({event}, drop_scene(1000), {.duration = 1});
    // Upwards at half the speed, less 0.1 s of gravity.
    CHECK(done.impacts.at(0).approach_speed == Approx(speed / 2 - 0.1 * g).epsilon(1e-6));
    CHECK(done.warnings.at(0) ==
          "imported impacts of bodies that do not approach each other, which sound as fast as they part: 1 (the "
          "first at hits.csv:2)");
}

TEST_CASE("impacts come out by time, and those of one time in the order of the file") {
    std::vector<ImportedImpact> events(4, landing_event());
    for (ImportedImpact& event : events) event.approach_speed = 1;
    events[0].point.x() = 0.03;
    events[1].point.x() = 0.01;
    events[2].time = landing - 1e-4;
    events[3].point.x() = 0.04;
    const std::vector<Impact> impacts = complete_impacts(events, drop_scene(1000), {.duration = 1}).impacts;
    CHECK(impacts[0].time == events[2].time);
    CHECK(impacts[1].sides[0].point.x() == Approx(0.03));
    CHECK(impacts[2].sides[0].point.x() == Approx(0.01));
    CHECK(impacts[3].sides[0].point.x() == Approx(0.04));
}

TEST_CASE("what cannot be completed is refused, and says why") {
    ImportedImpact event = landing_event();
    event.object = "cubes";
    CHECK(error_of(event, drop_scene(60)) == "hits.csv:2: no object is named \"cubes\"; did you mean \"cube\"?");
    event = landing_event();
    event.other = "ceiling";
    CHECK(error_of(event, drop_scene(60)) == "hits.csv:2: no object is named \"ceiling\"; known: cube, floor");
    event = landing_event();
    event.other = "cube";
    CHECK(error_of(event, drop_scene(60)) == "hits.csv:2: \"cube\" cannot hit itself; name what it hits");
    event = landing_event();
    event.impulse.reset();
    CHECK(error_of(event, drop_scene(60)) ==
          "hits.csv:2: the impact on \"cube\" has no impulse; without it nothing sounds");
    std::vector<ImportedBody> still = drop_scene(60);
    still[0].path = at_rest(at(0, 0.05, 0));
    CHECK(error_of(landing_event(), still) ==
          "hits.csv:2: the approach speed of \"cube\" is not known: the file gives none, and no trajectory moves; add "
          "a column \"speed\"");
    still[0].surface = nullptr;
    event = landing_event();
    event.other = "";
    event.impulse.reset();
    event.magnitude = 1;
    CHECK(error_of(event, still) ==
          "hits.csv:2: \"cube\" has no mesh to take the normal from; give it, or the impulse as a vector");
}

TEST_CASE("a body that turns hits with the speed of its point, not of its centre") {
    // About z at 10 rad/s: the point (0.05, −0.05) moves along y at 10 · 0.05 = 0.5 m/s as it passes there at 0.2 s.
    const auto spinning = [](double t) {
        Eigen::Isometry3d pose = at(0, 0.05, 0);
        pose.rotate(Eigen::AngleAxisd(-10 * (t - 0.2), Vec3::UnitZ()));
        return pose;
    };
    std::vector<ImportedBody> bodies = drop_scene(60);
    bodies[0].path = sampled(spinning, 0.5, 2000);
    const ImportedImpact event{.time = 0.2, .object = "cube", .other = "floor", .point = {0.05, 0, 0}, .magnitude = 1};
    // Chords of 5 mrad differ from the arc by their square.
    CHECK(complete_impacts({event}, bodies, {.duration = 1}).impacts.at(0).approach_speed == Approx(0.5).epsilon(1e-4));
}

}  // namespace complete_test
