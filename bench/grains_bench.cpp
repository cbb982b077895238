// Collisions a second of grains: an elastic gas, and grains that are poured from a funnel into a cup.
#include <clangor/motion/grains/grains.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <string>

using namespace clangor;

namespace {

// n³·4 balls on a face-centred lattice, at a number density nσ³ of 0.5, σ = 1.
GrainWorld gas(int n) {
    GrainWorld world{.kinds = {{.name = "elastic", .density = 6 / pi, .surface = {1, 0, 0, -1, 0}}},
                     .gravity = Vec3::Zero()};
    const double cell = std::cbrt(4 / 0.5);
    world.periodic = Vec3::Constant(n * cell);
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
            for (int z = 0; z < n; ++z)
                for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0, 0.5, 0.5), Vec3(0.5, 0, 0.5), Vec3(0.5, 0.5, 0)})
                    world.grains.push_back({.position = cell * (Vec3(x, y, z) + at + Vec3::Constant(0.25)),
                                            .velocity = {normal(random), normal(random), normal(random)},
                                            .radius = 0.5});
    return world;
}

void show_gas(int n, double seconds) {
    const GrainWorld world = gas(n);
    const std::size_t count = world.grains.size();
    GrainSimulator simulator(world, {});
    simulator.advance(2, {});  // melts
    const std::int64_t before = simulator.report().between_grains, events = simulator.report().events;
    const Stopwatch watch;
    double time = 2;
    while (watch.seconds() < seconds) simulator.advance(time += 20.0 / std::cbrt(double(count)) / 10, {});
    const double wall = watch.seconds();
    const GrainReport report = simulator.report();
    std::printf("elastic gas, %zu balls: %.0f collisions a second, %.0f events a second, %.2f events a collision\n",
                count, double(report.between_grains - before) / wall, double(report.events - events) / wall,
                double(report.events - events) / double(report.between_grains - before));
}

double resident_bytes() {
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    file >> pages >> pages;
    return 4096 * pages;
}

void show_million() {
    const double before = resident_bytes();
    std::optional<GrainWorld> world = gas(63);
    const std::size_t count = world->grains.size();
    GrainSimulator simulator(*world, {});
    world.reset();
    simulator.advance(0.5, {});  // until most have collided
    std::printf("%zu balls: %.0f bytes each of the process\n", count, (resident_bytes() - before) / double(count));
    const std::int64_t collisions = simulator.report().between_grains;
    const Stopwatch watch;
    simulator.advance(0.55, {});
    std::printf("  %.0f collisions a second\n",
                double(simulator.report().between_grains - collisions) / watch.seconds());
}

Eigen::Isometry3d at(const Vec3& place) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = place;
    return pose;
}

// Glass of 2 mm at rest in a funnel above a cup, wide enough to be empty after half a second.
GrainWorld funnel(std::int64_t count) {
    GrainWorld world{.kinds = {{.name = "glass", .density = 2500, .surface = {0.95, 1, 0.2, 0, 0.002}}}};
    const double wide = count > 2000 ? 0.07 : 0.035, outlet = count > 2000 ? 0.014 : 0.006;
    const Surface cone =
        surface_of(SurfaceOfRevolution{{{outlet, 0.15}, {wide, 0.15 + wide - outlet}, {wide, 0.27 + wide}}});
    const Surface cup = surface_of(Can{.radius = count > 2000 ? 0.06 : 0.035, .height = 0.08});
    world.walls = {{.name = "funnel", .shape = cone}, {.name = "cup", .shape = cup}, {.name = "table"}};
    const double inside = 0.9 * wide;
    const Stopwatch watch;
    world.grains = filled(world, {.low = {-inside, 0.16 + wide, -inside},
                                  .high = {inside, 0.27 + wide, inside},
                                  .is_round = true,
                                  .count = count,
                                  .radius = 0.001,
                                  .stoppers = {{.name = "plug", .path = at_rest(at({0, 0.151, 0}))}}});
    std::printf("filling %lld grains into the funnel: %.1f s\n", static_cast<long long>(count), watch.seconds());
    return world;
}

double show_pour(std::int64_t count, double duration) {
    const GrainWorld world = funnel(count);
    const Stopwatch watch;
    GrainSimulator simulator(world, {.duration = duration});
    std::printf("at the start %lld are asleep\n", static_cast<long long>(simulator.report().asleep));
    double loud = 0, lasting = 0;
    const GrainSink sink{.collisions = [&](std::span<const GrainCollision> block) {
        for (const GrainCollision& c : block) {
            loud += c.normal_speed > 0.01;
            lasting += c.lasts;
        }
    }};
    for (int i = 1; i <= 20; ++i) {
        simulator.advance(duration * i / 20, sink);
        int through = 0;
        for (const Grain& grain : simulator.grains()) through += grain.position[1] < 0.15;
        const GrainReport report = simulator.report();
        std::printf("  %.2f s: %d through, %lld asleep, %lld collisions, %.3g lasting, %.1f s\n", report.time, through,
                    static_cast<long long>(report.asleep),
                    static_cast<long long>(report.between_grains + report.with_walls), lasting, watch.seconds());
    }
    const GrainReport report = simulator.report();
    std::printf(
        "pouring %lld grains, %.0f s: %.2f s, %.3g collisions (%.3g above 1 cm/s), %.3g collisions a second, %lld "
        "stopped, %lld escaped\n",
        static_cast<long long>(count), duration, watch.seconds(), double(report.between_grains + report.with_walls),
        loud, double(report.between_grains + report.with_walls) / watch.seconds(),
        static_cast<long long>(report.stopped), static_cast<long long>(report.escaped));
    return watch.seconds();
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const std::string what = argc > 1 ? argv[1] : "gas";
    if (what == "gas") {
        show_gas(10, 4);
        show_gas(29, 6);
    }
    if (what == "million") show_million();
    if (what == "pour") show_pour(argc > 2 ? std::atoll(argv[2]) : 1000, 2);
    return 0;
}
