// Synthesis of crowded scenes. Ringing: 50 tumbling plates with 60 modes each and up to 20 000 impacts in 5 s, ten
// times more impacts each, so that the growth can be read off. Then the same with the plates' acceleration noise, and
// balls that only click. And one plate with more and more microphones.
//   scene_bench [draft|standard]    both, if none is named; standard bakes sound fields first, which takes minutes
#include <clangor/render/render.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <random>
#include <string>

using namespace clangor;

namespace {

constexpr double duration = 5;

Scene crowd(int objects, bool clicks) {
    Scene scene{.duration = duration};
    for (int i = 0; i < objects; ++i)
        scene.objects.push_back(scene::Solid{.name = fmt::format("box {}", i),
                                             .mesh = Box{{0.3, 0.006, 0.2}},
                                             .material = *find_material("steel"),
                                             .acceleration_noise = clicks,
                                             .options = {.refinement = 0.75, .max_modes = 60}});
    scene.objects.push_back(scene::Ground{.name = "floor", .material = *find_material("concrete")});
    scene.listeners = {{.name = "mic", .position = {0, 1.5, 2}}};
    return scene;
}

// Each flies about and turns twice a second, all the time.
Trajectory tumbling(std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const long n = 501;
    Trajectory path{Eigen::VectorXd::LinSpaced(n, 0, duration), Points(n, 3), Rotations(n, 4)};
    const Vec3 axis = Vec3(uniform(random), uniform(random), uniform(random)).normalized();
    const double phase = 3 * uniform(random);
    for (long k = 0; k < n; ++k) {
        const double t = path.times[k];
        path.positions.row(k) << std::sin(t + phase), 0.3 + std::abs(std::cos(3 * t + phase)), std::cos(0.7 * t);
        const Eigen::Quaterniond q(Eigen::AngleAxisd(4 * pi * t, axis));
        path.rotations.row(k) = q.coeffs().transpose();
    }
    return path;
}

Motion collisions(int objects, long impacts) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Motion motion;
    for (int i = 0; i < objects; ++i) motion.bodies.push_back(tumbling(random));
    motion.bodies.push_back(at_rest(Eigen::Isometry3d::Identity()));
    for (long i = 0; i < impacts; ++i) {
        Impact impact{
            .time = duration * double(i) / double(impacts), .approach_speed = 1 + 0.9 * uniform(random), .sides = {}};
        for (size_t s = 0; s < 2; ++s) {
            impact.sides[s].body = int(random() % unsigned(objects));
            impact.sides[s].point = {0.15 * uniform(random), 0.003, 0.1 * uniform(random)};
            impact.sides[s].normal = {0, 1, 0};
            impact.sides[s].impulse = {0, -0.01, 0};
        }
        motion.impacts.push_back(impact);
    }
    return motion;
}

// Balls of one kind, which only click: the baked part is a closed form.
Scene balls(int objects) {
    Scene scene = crowd(objects, true);
    for (int i = 0; i < objects; ++i) {
        scene::Solid& ball = std::get<scene::Solid>(scene.objects[i]);
        ball.mesh = Sphere{0.0075};
        ball.options = {};
    }
    return scene;
}

Motion clicks(int objects, long impacts) {
    Motion motion = collisions(objects, impacts);
    for (Impact& impact : motion.impacts)
        for (ContactSide& side : impact.sides) {
            side.point = side.normal * 0.0075;
            side.impulse = -side.normal * 0.015;
        }
    return motion;
}

// A plate on which something trundles about: sliding, and damping that changes a hundred times a second.
Motion trundling() {
    Motion motion;
    motion.bodies = {at_rest(Eigen::Isometry3d::Identity()), at_rest(Eigen::Isometry3d::Identity())};
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < 100 * int(duration); ++i) {
        Touch touch{.time = 0.01 * i, .duration = 0.01, .slip_speed = 0.2, .travel_speed = 0.2, .sides = {}};
        const double impulse = 0.01 * (0.1 + uniform(random));
        touch.sides[0] = {.body = 0,
                          .point = {0.3 * uniform(random) - 0.15, 0.003, 0.05},
                          .normal = {0, 1, 0},
                          .impulse = {0, -impulse, 0}};
        touch.sides[1] = {.body = 1, .point = {0, 0, 0}, .normal = {0, -1, 0}, .impulse = {0, impulse, 0}};
        motion.touches.push_back(touch);
    }
    return motion;
}

// One object and more and more microphones: what is shared between them shows.
void time_microphones(Quality quality) {
    Scene scene = crowd(1, false);
    const Baked baked = bake(scene, {.cache = {}, .quality = quality});
    const Motion motion = trundling();
    for (const int count : {1, 4, 10}) {
        scene.listeners.clear();
        for (int i = 0; i < count; ++i)
            scene.listeners.push_back(
                {.name = fmt::format("mic {}", i), .position = {std::cos(double(i)), 1, std::sin(double(i))}});
        const std::clock_t before = std::clock();
        const Rendered rendered = synthesize(scene, baked, motion, {.quality = quality});
        fmt::print("a plate on which something trundles, {} microphones: {:.3f} s, {:.2f} CPU seconds\n", count,
                   rendered.seconds, double(std::clock() - before) / CLOCKS_PER_SEC);
    }
}

void time_all(Quality quality) {
    const SynthesisOptions options{.quality = quality};
    time_microphones(quality);
    const int objects = 50;
    const Scene scene = crowd(objects, false);
    const Baked baked = bake(scene, {.cache = {}, .quality = quality});
    fmt::print("{} objects, {} modes each, {} s, {} threads, direct sound and floor\n", objects,
               baked.objects[0].mobility->omega.size(), duration, thread_count());
    fmt::print("{:>10} {:>10} {:>12} {:>12}\n", "impacts", "seconds", "x real time", "CPU seconds");
    for (const long impacts : {200L, 2000L, 20'000L}) {
        const std::clock_t before = std::clock();
        const Rendered rendered = synthesize(scene, baked, collisions(objects, impacts), options);
        fmt::print("{:>10} {:>10.3f} {:>12.2f} {:>12.2f}\n", impacts, rendered.seconds, duration / rendered.seconds,
                   double(std::clock() - before) / CLOCKS_PER_SEC);
        std::fflush(stdout);
    }
    {
        const Scene loud = crowd(objects, true);
        const Baked with_clicks = bake(loud, {.cache = {}, .quality = quality});
        const std::clock_t before = std::clock();
        const Rendered rendered = synthesize(loud, with_clicks, collisions(objects, 2000), options);
        fmt::print("with acceleration noise, 2000 impacts: {:.3f} s, {:.2f} CPU seconds\n", rendered.seconds,
                   double(std::clock() - before) / CLOCKS_PER_SEC);
    }
    const int ball_count = 100;
    const Scene ball_scene = balls(ball_count);
    const Baked ball_baked = bake(ball_scene, {.cache = {}, .quality = quality});
    const std::clock_t before = std::clock();
    const Rendered rendered = synthesize(ball_scene, ball_baked, clicks(ball_count, 23'000), options);
    fmt::print("{} balls that click, 23 000 impacts: {:.3f} s, {:.2f} CPU seconds; 2012 on 8 cores: 7.96 s\n",
               ball_count, rendered.seconds, double(std::clock() - before) / CLOCKS_PER_SEC);
}

}  // namespace

int main(int count, char** arguments) {
    const std::string only = count > 1 ? arguments[1] : "";
    for (const auto& [name, quality] : {std::pair("draft", Quality::Draft), std::pair("standard", Quality::Standard)}) {
        if (!only.empty() && only != name) continue;
        fmt::print("quality: {}\n", name);
        time_all(quality);
    }
}
