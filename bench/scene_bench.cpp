// Synthesis of a crowded scene: 50 tumbling objects with 60 modes each and up to 20 000 impacts in 5 s. Prints seconds for ten times
// more impacts each, so that the growth can be read off; real time is 5 s.
#include <clangor/render/render.hpp>

#include <fmt/format.h>
#include <omp.h>

#include <ctime>
#include <random>

using namespace clangor;

namespace {

constexpr double duration = 5;

Scene crowd(int objects) {
    Scene scene{.duration = duration};
    for (int i = 0; i < objects; ++i)
        scene.objects.push_back(scene::Solid{.name = fmt::format("box {}", i),
                                             .mesh = Box{{0.3, 0.006, 0.2}},
                                             .material = *find_material("steel"),
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

}  // namespace

int main() {
    const int objects = 50;
    const Scene scene = crowd(objects);
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    fmt::print("{} objects, {} modes each, {} s, {} threads, direct sound and floor\n", objects,
               baked.objects[0].model->omega.size(), duration, omp_get_max_threads());
    fmt::print("{:>10} {:>10} {:>12} {:>12}\n", "impacts", "seconds", "x real time", "CPU seconds");
    for (const long impacts : {2000L, 20'000L, 200'000L}) {
        const std::clock_t before = std::clock();
        const Rendered rendered = synthesize(scene, baked, collisions(objects, impacts), {});
        fmt::print("{:>10} {:>10.3f} {:>12.2f} {:>12.2f}\n", impacts, rendered.seconds, duration / rendered.seconds,
                   double(std::clock() - before) / CLOCKS_PER_SEC);
    }
}
