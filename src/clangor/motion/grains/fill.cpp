#include <clangor/motion/grains/room.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>

namespace clangor {
namespace {

// Places that are tried for each grain. Beyond a third of the room, hardly one is free.
constexpr int tries_per_grain = 300;

constexpr std::size_t grains_of_progress = 1000;

void check_fill(const GrainWorld& world, const GrainFill& fill) {
    if (!((fill.high - fill.low).minCoeff() > 2 * fill.radius))
        throw Error("grains cannot be filled in: the region must be longer than a grain along each axis");
    if (!(fill.radius > 0 && fill.spread >= 0 && fill.spread < 1))
        throw Error(
            fmt::format("grains cannot be filled in: the radius must be positive and its spread below 1, but "
                        "they are {} m and {}",
                        fill.radius, fill.spread));
    if (fill.kind < 0 || std::size_t(fill.kind) >= world.kinds.size())
        throw Error(fmt::format("grains cannot be filled in: there is no kind {}", fill.kind));
}

double largest_of(const GrainWorld& world, const GrainFill& fill) {
    double radius = fill.radius * (1 + fill.spread);
    for (const Grain& grain : world.grains) radius = std::max(radius, grain.radius);
    return radius;
}

// From 0 to 1, of all bits that a double has.
double uniform(std::mt19937_64& random) { return double(random() >> 11) / double(std::uint64_t(1) << 53); }

std::optional<Vec3> free_place(grains::Room& room, const GrainFill& fill, double radius, std::mt19937_64& random) {
    const Vec3 middle = 0.5 * (fill.low + fill.high), half = 0.5 * (fill.high - fill.low);
    for (int i = 0; i < tries_per_grain; ++i) {
        const double u = uniform(random), v = uniform(random), w = uniform(random);
        const Vec3 at(2 * u - 1, 2 * v - 1, 2 * w - 1);
        if (fill.is_round && square(at[0]) + square(at[2]) > 1) continue;
        const Vec3 x = middle + (half - Vec3::Constant(radius)).cwiseProduct(at);
        if (room.is_free(x, radius)) return x;
    }
    return {};
}

// What rolled down alone may move on when others lie on it: until nearly all sleep, with little bounce, and no longer
// than some falls of a grain through itself.
void come_to_rest(GrainWorld& world, double radius, const Progress& progress) {
    constexpr double look_every = 6, nearly = 0.98;
    constexpr int most_looks = 40, most_idle = 4;
    GrainWorld dull = world;
    const auto deaden = [](GrainSurface& surface) { surface.restitution = std::min(surface.restitution, 0.3); };
    for (GrainKind& kind : dull.kinds) deaden(kind.surface);
    for (GrainPair& pair : dull.pairs) deaden(pair.surface);
    for (GrainWall& wall : dull.walls) deaden(wall.surface);
    const double look = look_every * std::sqrt(radius / world.gravity.norm());
    GrainSimulator simulator(dull, {.duration = most_looks * look});
    std::int64_t most = -1;
    int idle = 0;
    for (int i = 1; i <= most_looks; ++i) {
        progress("grains settle", double(i - 1) / most_looks);
        simulator.advance(i * look, {});
        const std::int64_t asleep = simulator.report().asleep, all = std::ssize(world.grains);
        idle = asleep > most ? 0 : idle + 1;
        most = std::max(most, asleep);
        if (asleep == all || (double(asleep) >= nearly * double(all) && idle >= most_idle)) break;
    }
    if (simulator.report().escaped > 0)
        throw Error(fmt::format("grains cannot be filled in: {}", simulator.report().warnings[0]));
    world.grains = simulator.grains();
    for (Grain& grain : world.grains) grain.velocity = grain.spin = Vec3::Zero();
}

}  // namespace

std::vector<Grain> filled(const GrainWorld& world, const GrainFill& fill, const Progress& progress) {
    check_fill(world, fill);
    GrainWorld filling = world;
    for (const GrainWall& stopper : fill.stoppers) filling.walls.push_back(stopper);
    for (GrainWall& wall : filling.walls) wall.path = at_rest(pose_at(wall.path, 0));
    std::mt19937_64 random(fill.seed);
    const std::size_t before = world.grains.size(), target = before + std::size_t(fill.count);
    grains::Room room(filling, fill.low, fill.high, largest_of(world, fill), target);
    const bool settles = fill.settle && world.gravity.norm() > 0;
    while (filling.grains.size() < target) {
        const double radius = fill.radius * (1 + fill.spread * (2 * uniform(random) - 1));
        std::optional<Vec3> place = free_place(room, fill, radius, random);
        if (!place)
            throw Error(
                fmt::format("only {} of {} grains fit where they are filled in: make the region larger, or the "
                            "grains fewer",
                            filling.grains.size() - before, fill.count));
        if (settles) place = room.rolled_down(*place, radius);
        if (!place)
            throw Error(
                fmt::format("grains cannot be filled in: nothing holds grain {} up. Close the gap in the walls, or put "
                            "a stopper below",
                            filling.grains.size()));
        filling.grains.push_back({.position = *place, .radius = radius, .kind = fill.kind});
        room.add(filling.grains.back());
        if (filling.grains.size() % grains_of_progress == 0)
            progress("filling grains in", double(filling.grains.size() - before) / double(fill.count));
    }
    if (settles) come_to_rest(filling, largest_of(world, fill), progress);
    return filling.grains;
}

}  // namespace clangor
