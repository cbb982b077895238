// Hard balls: a gas of them, which keeps its energy or loses it, and one that bounces.
#include <clangor/validation/cases.hpp>

#include <clangor/motion/grains/grains.hpp>

#include <fmt/format.h>

#include <random>

namespace clangor::validation {
namespace {

constexpr GrainSurface elastic_balls{
    .restitution = 1, .reference_speed = 0, .friction = 0, .tangential_restitution = -1, .rolling_friction = 0};

GrainSurface smooth_balls(double restitution) {
    GrainSurface surface = elastic_balls;
    surface.restitution = restitution;
    return surface;
}

/// Balls of diameter 1 and mass 1 in a periodic box, on a face-centred lattice at first. Velocities have a variance of
/// one per axis and no momentum.
GrainWorld gas_of_balls(int side, double number_density, const GrainSurface& surface) {
    GrainWorld world{.kinds = {{.name = "ball", .density = 6 / pi, .surface = surface}}, .gravity = Vec3::Zero()};
    const double cell = std::cbrt(4 / number_density);
    world.periodic = Vec3::Constant(side * cell);
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    Vec3 mean = Vec3::Zero();
    for (int i = 0; i < side * side * side; ++i) {
        const Vec3 corner(i % side, i / side % side, i / side / side);
        for (const Vec3& in_cell : {Vec3(0, 0, 0), Vec3(0, 0.5, 0.5), Vec3(0.5, 0, 0.5), Vec3(0.5, 0.5, 0)}) {
            const double x = normal(random), y = normal(random), z = normal(random);
            world.grains.push_back({.position = cell * (corner + in_cell), .velocity = {x, y, z}, .radius = 0.5});
            mean += world.grains.back().velocity;
        }
    }
    for (Grain& grain : world.grains) grain.velocity -= mean / double(world.grains.size());
    return world;
}

double energy_of(const GrainSimulator& gas) {
    double energy = 0;
    for (const Grain& grain : gas.grains()) energy += 0.5 * grain.velocity.squaredNorm();
    return energy;
}

// g(σ) of Carnahan and Starling, by the fraction of the volume that balls take.
double contact_density(double eta) { return (1 - eta / 2) / cube(1 - eta); }

double carnahan_starling(double number_density) {
    const double eta = pi / 6 * number_density;
    return (1 + eta + eta * eta - cube(eta)) / cube(1 - eta);  // [Carnahan1969]
}

// pV/NkT = 1 + Σ r·Δp/(3 NkT t), Σ r·Δp of all collisions, r from centre to centre, with 3 NkT = 2 E.
double pressure_ratio(GrainSimulator& gas, double seconds) {
    const double begin = gas.report().time;
    double virial = 0;
    gas.advance(begin + seconds, {.collisions = [&](std::span<const GrainCollision> block) {
                    for (const GrainCollision& c : block) virial += c.impulse.dot(c.normal);
                }});
    return 1 + virial / (2 * energy_of(gas) * seconds);
}

void add_elastic_gas(Case& result) {
    Curve theory{.label = "Carnahan and Starling"}, found{.label = "1372 balls", .style = CurveStyle::Marks};
    for (double density = 0; density < 0.855; density += 0.01) {
        theory.x.push_back(density);
        theory.y.push_back(carnahan_starling(density));
    }
    double energy_error = 0, momentum_error = 0;
    std::int64_t collisions = 0;
    for (const double density : {0.1, 0.2, 0.35, 0.5, 0.65, 0.8}) {
        GrainSimulator gas(gas_of_balls(7, density, elastic_balls), {});
        const double energy = energy_of(gas);
        gas.advance(4, {});  // melts
        // so long that some 200 000 collisions come, over which the ratio scatters by 0.2 %
        const double ratio = pressure_ratio(gas, 12 / density);
        found.x.push_back(density);
        found.y.push_back(ratio);
        result.rows.push_back({fmt::format("elastic gas of {} balls a unit of volume, pV/NkT", density),
                               carnahan_starling(density), ratio, 0.01, ""});
        Vec3 momentum = Vec3::Zero();
        for (const Grain& grain : gas.grains()) momentum += grain.velocity;
        energy_error = worse(energy_error, std::abs(energy_of(gas) / energy - 1));
        momentum_error = worse(momentum_error, momentum.norm() / std::sqrt(2 * energy * 1372));
        collisions += gas.report().between_grains;
    }
    result.bounds.push_back(
        {fmt::format("energy of the six gases after {} collisions, largest relative change", collisions), energy_error,
         1e-10});
    result.bounds.push_back({"their momentum, which is none, over √(2NE)", momentum_error, 1e-10});
    result.plots.push_back({.title = "pressure of an elastic gas",
                            .x_label = "balls of diameter 1 in a volume of 1",
                            .y_label = "pV/NkT",
                            .curves = {theory, found}});
}

// E/E₀ = 1/(1 + t/τ)², 1/τ = (1 − e²) ω/6, ω being the collision rate of a ball at the start.
void add_cooling_gas(Case& result) {
    constexpr double e = 0.95, density = 0.2;
    GrainSimulator gas(gas_of_balls(7, density, smooth_balls(e)), {});
    const double begin = energy_of(gas), temperature = 2 * begin / (3 * 1372);
    const double rate = 4 * std::sqrt(pi * temperature) * density * contact_density(pi / 6 * density);
    const double tau = 6 / ((1 - e * e) * rate);
    Curve theory{.label = "Haff"}, found{.label = "1372 balls, e = 0.95", .style = CurveStyle::Marks};
    for (double t = 0.05; t < 12; t *= 1.05) {
        theory.x.push_back(t);
        theory.y.push_back(1 / square(1 + t));
    }
    for (const double t : {0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0}) {
        gas.advance(t * tau, {});
        const double left = energy_of(gas) / begin;
        found.x.push_back(t);
        found.y.push_back(left);
        // 3 %: the loss of Maxwell's distribution is off by 1 % at e = 0.95, and the gas is a sample of 1372.
        if (t >= 0.5 && t <= 5)
            result.rows.push_back({fmt::format("energy that is left of a gas with e = 0.95 after {:g} τ", t),
                                   1 / square(1 + t), left, 0.03, ""});
    }
    result.plots.push_back({.title = "a gas that loses energy",
                            .x_label = "t/τ",
                            .y_label = "E/E₀",
                            .log_x = true,
                            .log_y = true,
                            .curves = {theory, found}});
}

void add_bouncing_ball(Case& result) {
    constexpr double e = 0.8, height = 1, r = 0.01, g = 9.81, contact_time = 1e-4;
    GrainWorld world{.kinds = {{.name = "ball", .surface = smooth_balls(e)}},
                     .grains = {{.position = {0.003, height + r, 0}, .radius = r}},
                     .walls = {{.name = "floor", .surface = smooth_balls(e)}}};
    world.gravity = {0, -g, 0};
    Curve theory{.label = "closed form", .style = CurveStyle::Band},
        found{.label = "bounces", .style = CurveStyle::Marks};
    std::vector<GrainCollision> bounces;
    GrainSimulator ball(world, {.contact_time = contact_time});
    ball.advance(6, {.collisions = [&](std::span<const GrainCollision> block) {
                     bounces.insert(bounces.end(), block.begin(), block.end());
                 }});
    double speed = std::sqrt(2 * g * height), time = speed / g, time_error = 0, height_error = 0;
    size_t count = 0;
    for (; 2 * speed / g > contact_time; ++count) {
        const GrainCollision& bounce = bounces.at(count);
        time_error = worse(time_error, std::abs(bounce.time - time));
        height_error = worse(height_error, std::abs(square(bounce.normal_speed) - square(speed)) / (2 * g));
        for (Curve* curve : {&theory, &found}) {
            curve->x.push_back(curve == &theory ? time : bounce.time);
            curve->y.push_back(curve == &theory ? speed : bounce.normal_speed);
        }
        speed *= e;
        time += 2 * speed / g;
    }
    const Grain last = ball.grains()[0];
    result.bounds.push_back(
        {fmt::format("ball from 1 m, e = 0.8: times of {} bounces, largest error [s]", count), time_error, 1e-9});
    result.bounds.push_back({"height that it fell from before each, largest error [m]", height_error, 1e-9});
    result.bounds.push_back({"speed with which it lies on the floor after 6 s [m/s]", last.velocity.norm(), 0});
    result.bounds.push_back({"height at which it lies there, error [m]", std::abs(last.position.y() - r), 1e-9});
    result.plots.push_back({.title = "a ball that bounces",
                            .x_label = "time [s]",
                            .y_label = "speed on the floor [m/s]",
                            .log_y = true,
                            .curves = {theory, found}});
}

}  // namespace

Case grains_case(const Progress& progress) {
    Case result{.name = "grains",
                .title = "Hard balls: a gas of them, elastic and not, and one that bounces",
                .source = "Carnahan and Starling's pressure of hard balls; Haff's law; free fall between bounces",
                .settings = "4 · 7³ balls in a periodic box; a ball of 1 cm radius, contacts of 0.1 ms",
                .remark = "Collisions are found exactly, one after the other; there are no time steps"};
    add_bouncing_ball(result);
    add_cooling_gas(result);
    progress("grains", 0.2);
    add_elastic_gas(result);
    return result;
}

}  // namespace clangor::validation
