// What a databank is taught where nobody has anything better: grains that fall into boxes, and boxes that are shaken.
#include <clangor/motion/grain_runs/grain_runs.hpp>

#include <cmath>
#include <functional>
#include <utility>

namespace clangor {
namespace {

// Grains have no size of their own; these are of a millimetre.
constexpr double radius = 0.0005;

struct Lesson {
    GrainWorld world;
    double duration;
};

// A floor and four walls; with a lid, six.
void add_box(GrainWorld& world, double half_width, double height, bool lid, const GrainSurface& surface,
             const std::function<Trajectory(const Eigen::Isometry3d&)>& path) {
    const auto add = [&](const Vec3& inwards, const Vec3& at) {
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.linear() = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), inwards).toRotationMatrix();
        pose.translation() = at;
        world.walls.push_back({.shape = GrainPlane{}, .path = path(pose), .surface = surface});
    };
    add(Vec3::UnitY(), Vec3::Zero());
    if (lid) add(-Vec3::UnitY(), {0, height, 0});
    for (const double side : {-1.0, 1.0}) {
        add({-side, 0, 0}, {side * half_width, 0, 0});
        add({0, 0, -side}, {0, 0, side * half_width});
    }
}

// In layers from a height on, nearly in rows.
void add_grains(GrainWorld& world, long count, double half_width, double from, std::uint64_t seed) {
    constexpr double spacing = 2.9 * radius, jitter = 0.4 * radius;
    Random random(seed);
    const auto across = static_cast<long>(2 * (half_width - radius - jitter) / spacing);
    for (long i = 0; i < count; ++i) {
        const Vec3 row(double(i % across), double(i / (across * across)), double(i / across % across));
        const Vec3 corner = Vec3(-double(across - 1) / 2, 0, -double(across - 1) / 2);
        const Vec3 shift(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
        world.grains.push_back(
            {.position = spacing * (row + corner) + 2 * jitter * shift + Vec3(0, from, 0), .radius = radius});
    }
}

GrainWorld empty_world(const GrainSurface& surface) { return {.kinds = {{.name = "grain", .surface = surface}}}; }

Lesson fall(long count, double half_width, double height, const GrainSurface& surface, std::uint64_t seed) {
    GrainWorld world = empty_world(surface);
    add_box(world, half_width, 0, false, surface, at_rest);
    add_grains(world, count, half_width, height, seed);
    // until the last has fallen, and a bit of settling
    const double top = world.grains.back().position.y();
    return {std::move(world), std::sqrt(2 * top / 9.81) * 1.5};
}

// Up and down and to the side, by so many radii at so many swings a second.
Lesson shake(long count, double half_width, double amplitude, double hz, const GrainSurface& surface,
             std::uint64_t seed) {
    constexpr double duration = 0.4;
    constexpr long poses_per_swing = 32;
    const auto path = [&](const Eigen::Isometry3d& pose) {
        const long count_of_poses = static_cast<long>(duration * hz * poses_per_swing) + 2;
        Trajectory swing{Eigen::VectorXd(count_of_poses), Points(count_of_poses, 3), Rotations(count_of_poses, 4)};
        for (long i = 0; i < count_of_poses; ++i) {
            swing.times[i] = double(i) / (hz * poses_per_swing);
            const double phase = 2 * pi * hz * swing.times[i];
            const Vec3 shift = amplitude * Vec3(0.3 * std::sin(0.7 * phase), (1 - std::cos(phase)) / 2, 0);
            swing.positions.row(i) = pose.translation() + shift;
            swing.rotations.row(i) = Eigen::Quaterniond(pose.linear()).coeffs();
        }
        return swing;
    };
    GrainWorld world = empty_world(surface);
    const double height = 2 * half_width + 2 * amplitude;
    add_box(world, half_width, height, true, surface, path);
    add_grains(world, count, half_width, 2 * radius, seed);
    return {std::move(world), duration};
}

std::vector<Lesson> lessons_for(const DatabankTraits& traits) {
    const GrainSurface surface{.restitution = traits.restitution, .friction = traits.friction};
    std::vector<Lesson> lessons;
    std::uint64_t seed = 0;
    for (const double height : {30.0, 60.0, 120.0})
        for (const long count : {100L, 250L, 500L})
            for (int again = 0; again < 2; ++again)
                lessons.push_back(fall(count, 18 * radius, height * radius, surface, ++seed));
    for (const double hz : {8.0, 16.0})
        for (const double amplitude : {10.0, 25.0})
            lessons.push_back(shake(250, 12 * radius, amplitude * radius, hz, surface, ++seed));
    return lessons;
}

}  // namespace

GrainDatabank standard_databank(const DatabankTraits& traits, const Progress& progress) {
    if (!(traits.restitution > 0 && traits.restitution < 1 && traits.friction >= 0))
        throw Error("grains that a databank is made for need a restitution between 0 and 1, and no negative friction");
    GrainDatabank databank{.traits = traits};
    const std::vector<Lesson> lessons = lessons_for(traits);
    for (std::size_t i = 0; i < lessons.size(); ++i) {
        progress("learning how grains meet", double(i) / double(lessons.size()));
        databank = taught(std::move(databank), lessons[i].world, {.duration = lessons[i].duration, .frame_hz = 1000});
    }
    return databank;
}

}  // namespace clangor
