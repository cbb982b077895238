// Collisions a second of grains: an elastic gas, and grains that are poured from a funnel into a cup.
#include <clangor/motion/grains/grains.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "gas";
    if (what == "gas") {
        show_gas(10, 4);
        show_gas(29, 6);
    }
    return 0;
}
