// Beads that fall into a box, for what is said of their collisions.
#include <clangor/validation/falling_beads.hpp>

#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <complex>

namespace clangor::validation {
namespace {

constexpr GrainSurface bead_surface{.restitution = 0.9, .reference_speed = 1, .friction = 0.2};

GrainWorld open_box(double half) {
    GrainWorld world{.kinds = {{.name = "glass", .density = bead_glass().density, .surface = bead_surface}}};
    const auto add_plane = [&world](const Vec3& up, double back) {
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.linear() = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), up).toRotationMatrix();
        pose.translation() = -back * up;
        world.walls.push_back({.path = at_rest(pose), .surface = bead_surface});
    };
    add_plane(Vec3::UnitY(), 0);
    for (const double side : {-1.0, 1.0}) {
        add_plane(side * Vec3::UnitX(), half);
        add_plane(side * Vec3::UnitZ(), half);
    }
    return world;
}

}  // namespace

Material bead_glass() { return {.name = "glass", .density = 2520, .young = 72e9, .poisson = 0.22}; }

std::vector<Encounter> falling_beads(long count, std::uint64_t seed, double seconds) {
    GrainWorld world = open_box(20 * bead_radius);
    Random random(seed);
    constexpr long across = 8;
    for (long i = 0; i < count; ++i) {
        const Vec3 place(double(i % across) - 3.5, double(i / (across * across)), double(i / across % across) - 3.5);
        Vec3 aside;
        for (double& x : aside) x = random.uniform() - 0.5;
        world.grains.push_back(
            {.position = bead_radius * (Vec3(0, 50, 0) + 3.6 * place + 1.4 * aside), .radius = bead_radius});
    }
    std::vector<Encounter> encounters;
    simulate(world, {.duration = seconds}, {.collisions = [&](std::span<const GrainCollision> block) {
                 const std::vector<Encounter> more = encounters_of(block, world);
                 encounters.insert(encounters.end(), more.begin(), more.end());
             }});
    return encounters;
}

std::vector<float> sound_of(std::span<const Encounter> encounters, const Vec3& listener, double seconds) {
    const SpherePair pair = sphere_pair({bead_radius, bead_glass()}, {bead_radius, bead_glass()});
    std::vector<SphereCollision> collisions;
    for (const Encounter& e : encounters) {
        const double along = (1 + restitution_at(bead_surface, bead_surface, e.speed)) * pair.masses[0] / 2 * e.speed;
        collisions.push_back(collision_of(pair, {.time = e.time,
                                                 .point = e.point,
                                                 .normal = e.normal,
                                                 .speed = e.speed,
                                                 .impulse = along * (e.normal + e.friction)}));
    }
    return sphere_sound(collisions,
                        {.sample_rate_hz = bead_rate_hz, .listener = listener, .threshold = 0, .radii = {bead_radius}},
                        seconds)
        .pressure;
}

std::vector<double> third_octaves(std::span<const float> sound) {
    const long size = power_of_two(double(sound.size()));
    std::vector<double> padded(size_t(size), 0.0);
    std::copy(sound.begin(), sound.end(), padded.begin());
    const RealFourier<double> fourier(size);
    std::vector<std::complex<double>> bins(size_t(fourier.bins()));
    fourier.forward(padded, bins);
    std::vector<double> energies(size_t(last_third - first_third + 1), 0.0);
    for (size_t j = 1; j < bins.size(); ++j) {
        const double hz = double(j) * bead_rate_hz / double(size);
        const long band = std::lround(10 * std::log10(hz)) - first_third;
        if (band >= 0 && band < std::ssize(energies)) energies[size_t(band)] += std::norm(bins[j]);
    }
    return energies;
}

}  // namespace clangor::validation
