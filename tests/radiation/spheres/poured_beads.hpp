// Beads that fall into a box, collision by collision; and the sound of such collisions in bands.
#pragma once

#include <clangor/motion/grain_runs/grain_runs.hpp>
#include <clangor/radiation/spheres/spheres.hpp>
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <vector>

namespace clangor::test {

inline const Material bead_glass{.name = "glass", .density = 2520, .young = 72e9, .poisson = 0.22};
inline constexpr double bead_radius = 0.001;
inline constexpr GrainSurface bead_surface{.restitution = 0.9, .reference_speed = 1, .friction = 0.2};

/// A box of glass without a top, or with one, whose walls follow paths.
inline GrainWorld glass_box(double half, double height,
                            const std::function<Trajectory(const Eigen::Isometry3d&)>& path) {
    GrainWorld world{.kinds = {{.name = "glass", .density = bead_glass.density, .surface = bead_surface}}};
    const auto plane = [&](const Vec3& up, const Vec3& at) {
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.linear() = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), up).toRotationMatrix();
        pose.translation() = at;
        world.walls.push_back({.shape = GrainPlane{}, .path = path(pose), .surface = bead_surface});
    };
    plane(Vec3::UnitY(), Vec3::Zero());
    if (height > 0) plane(-Vec3::UnitY(), {0, height, 0});
    for (const double side : {-1.0, 1.0}) {
        plane({-side, 0, 0}, {side * half, 0, 0});
        plane({0, 0, -side}, {0, 0, side * half});
    }
    return world;
}

inline void add_beads(GrainWorld& world, long count, double from, std::uint64_t seed, double radius) {
    Random random(seed);
    constexpr int across = 8;
    const double spacing = 3.6 * radius;
    for (long i = 0; i < count; ++i) {
        const long layer = i / (across * across), x = i % across, z = i / across % across;
        const Vec3 at = spacing * Vec3(double(x) - 3.5, double(layer), double(z) - 3.5);
        const Vec3 jitter(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
        world.grains.push_back({.position = Vec3(0, from, 0) + at + 1.4 * radius * jitter, .radius = radius});
    }
}

/// A column of beads, 15 diameters wide, that falls from 25 diameters on into an open box.
inline GrainWorld falling_beads(long count, std::uint64_t seed, double radius = bead_radius) {
    GrainWorld world = glass_box(20 * radius, 0, at_rest);
    add_beads(world, count, 50 * radius, seed, radius);
    return world;
}

/// Beads in a closed box that is shaken up and down by 18 radii, 12 times a second.
inline GrainWorld shaken_beads(long count, std::uint64_t seed) {
    constexpr double amplitude = 18 * bead_radius, hz = 12;
    const auto swing = [](const Eigen::Isometry3d& pose) {
        constexpr long poses = 400;
        Trajectory path{Eigen::VectorXd(poses), Points(poses, 3), Rotations(poses, 4)};
        for (long i = 0; i < poses; ++i) {
            path.times[i] = 0.001 * double(i);
            path.positions.row(i) =
                pose.translation() + Vec3(0, amplitude / 2 * (1 - std::cos(2 * pi * hz * path.times[i])), 0);
            path.rotations.row(i) = Eigen::Quaterniond(pose.linear()).coeffs();
        }
        return path;
    };
    GrainWorld world = glass_box(16 * bead_radius, 40 * bead_radius, swing);
    add_beads(world, count, 2.2 * bead_radius, seed, bead_radius);
    return world;
}

/// Between grains; walls are another matter.
inline std::vector<Encounter> recorded_run(const GrainWorld& world, double duration) {
    std::vector<Encounter> encounters;
    simulate(world, {.duration = duration}, {.collisions = [&](std::span<const GrainCollision> block) {
                 const std::vector<Encounter> more = encounters_of(block, world);
                 encounters.insert(encounters.end(), more.begin(), more.end());
             }});
    return encounters;
}

/// With walls too, whose encounters are of kind 1.
inline std::vector<Encounter> whole_run(const GrainWorld& world, double duration) {
    std::vector<Encounter> encounters;
    const auto add = [&](const GrainCollision& c) {
        if (!(c.impulse.dot(c.normal) > 0) || !(c.normal_speed > 0)) return;
        encounters.push_back({.time = c.time,
                              .point = c.point,
                              .normal = c.normal,
                              .speed = c.normal_speed,
                              .friction = c.impulse / c.impulse.dot(c.normal) - c.normal,
                              .kind = c.second < 0 ? 1 : 0});
    };
    simulate(world, {.duration = duration},
             {.collisions = [&](std::span<const GrainCollision> block) { std::ranges::for_each(block, add); }});
    return encounters;
}

inline std::vector<SphereCollision> collisions_of(std::span<const Encounter> encounters, double radius = bead_radius) {
    const SpherePair with_another = sphere_pair({radius, bead_glass}, {radius, bead_glass});
    const SpherePair with_wall =
        sphere_pair({radius, bead_glass}, {std::numeric_limits<double>::infinity(), bead_glass});
    std::vector<SphereCollision> collisions;
    for (const Encounter& e : encounters) {
        const SpherePair& pair = e.kind == 0 ? with_another : with_wall;
        SphereMeeting meeting{.time = e.time, .point = e.point, .normal = e.normal, .speed = e.speed};
        const double restitution = restitution_at(bead_surface, bead_surface, e.speed);
        meeting.impulse =
            (1 + restitution) * pair.masses[0] / (e.kind == 0 ? 2 : 1) * e.speed * (e.normal + e.friction);
        collisions.push_back(collision_of(pair, meeting));
    }
    return collisions;
}

/// Levels of thirds of an octave from 100 Hz to 16 kHz [dB].
inline std::vector<double> third_octaves(const std::vector<float>& signal, double rate) {
    const long size = power_of_two(double(signal.size()));
    std::vector<double> padded(static_cast<std::size_t>(size));
    std::copy(signal.begin(), signal.end(), padded.begin());
    const RealFourier<double> fourier(size);
    std::vector<std::complex<double>> bins(static_cast<std::size_t>(fourier.bins()));
    fourier.forward(padded, bins);
    std::vector<double> levels;
    for (int band = 20; band <= 42; ++band) {  // 10^(band/10) Hz
        const double centre = std::pow(10, band / 10.0), low = centre * std::pow(10, -0.05),
                     high = centre * std::pow(10, 0.05);
        double sum = 0;
        for (long j = long(std::ceil(low * double(size) / rate)); double(j) < high * double(size) / rate; ++j)
            sum += std::norm(bins[static_cast<std::size_t>(j)]);
        levels.push_back(10 * std::log10(sum));
    }
    return levels;
}

}  // namespace clangor::test
