#include <clangor/motion/grains/course.hpp>

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace clangor {
namespace {

// Places that are tried for each grain. Beyond a third of the room, hardly one is free.
constexpr int tries_per_grain = 300;

constexpr int most_layers = 200;

// Of the longest time to come to rest. What still rattles, when so many of a hundred sleep and no more do, is left.
constexpr int looks_at_rest = 100;
constexpr std::int64_t nearly = 95;

// Finds free places, by the same cells as the simulation.
class Room {
public:
    Room(const GrainWorld& world, const GrainFill& fill, std::size_t count)
        : cells_(grains::cells_for(2 * largest(world, fill), fill.low, fill.high, count)),
          walls_(grains::walls_of(world, cells_, largest(world, fill), std::vector<char>(world.walls.size(), 1))) {
        for (const Grain& grain : world.grains) add(grain);
    }

    bool is_free(const Vec3& x, double radius) const {
        const grains::CellIndex at = cell_of(x);
        for (int i = at[0] - 1; i <= at[0] + 1; ++i)
            for (int j = at[1] - 1; j <= at[1] + 1; ++j)
                for (int k = at[2] - 1; k <= at[2] + 1; ++k)
                    for (std::int32_t g = cells_.first[cells_.list(i, j, k)]; g >= 0; g = cells_.next[std::size_t(g)])
                        if ((grains_[std::size_t(g)].position - x).norm() < radius + grains_[std::size_t(g)].radius)
                            return false;
        for (const grains::MovingWall& wall : walls_.moving) {
            const auto contact = grains::nearest_contact(wall, x, radius, 0);
            if (contact && contact->gap < 0) return false;
        }
        return true;
    }

    void add(const Grain& grain) {
        cells_.of_ball[grains_.size()] = cell_of(grain.position);
        cells_.insert(std::int32_t(grains_.size()));
        grains_.push_back(grain);
    }

private:
    static double largest(const GrainWorld& world, const GrainFill& fill) {
        double radius = fill.radius * (1 + fill.spread);
        for (const Grain& grain : world.grains) radius = std::max(radius, grain.radius);
        return radius;
    }
    grains::CellIndex cell_of(const Vec3& x) const {
        grains::CellIndex at;
        for (std::size_t axis = 0; axis < 3; ++axis)
            at[axis] = std::int16_t(std::clamp(
                std::floor((x[long(axis)] - cells_.origin[long(axis)]) / cells_.size[long(axis)]), -32000.0, 32000.0));
        return at;
    }

    grains::Cells cells_;
    grains::Walls walls_;
    std::vector<Grain> grains_ = {};
};

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

// As many as find a place among those that are there.
void scatter(GrainWorld& world, const GrainFill& fill, std::int64_t count, std::mt19937_64& random) {
    Room room(world, fill, std::size_t(count) + world.grains.size());
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * double(random() >> 11) / double(std::uint64_t(1) << 53);
    };
    const Vec3 middle = 0.5 * (fill.low + fill.high), half = 0.5 * (fill.high - fill.low);
    for (; count > 0; --count) {
        const double radius = fill.radius * (1 + uniform(-fill.spread, fill.spread));
        bool is_placed = false;
        for (int i = 0; i < tries_per_grain && !is_placed; ++i) {
            const Vec3 u(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
            const Vec3 x = middle + (half - Vec3::Constant(radius)).cwiseProduct(u);
            if (fill.is_round && square(u[0]) + square(u[2]) > 1) continue;
            if (!room.is_free(x, radius)) continue;
            const Grain grain{.position = x, .radius = radius, .kind = fill.kind};
            world.grains.push_back(grain);
            room.add(grain);
            is_placed = true;
        }
        if (!is_placed) return;
    }
}

// How they bounce on the way is not kept.
void come_to_rest(GrainWorld& world, const GrainFill& fill) {
    GrainWorld dull = world;
    for (GrainKind& kind : dull.kinds) kind.surface.restitution = std::min(kind.surface.restitution, 0.3);
    for (GrainWall& wall : dull.walls) wall.surface.restitution = std::min(wall.surface.restitution, 0.3);
    GrainSimulator simulator(dull, {.duration = fill.longest});
    std::int64_t before = 0;
    for (int i = 1; i <= looks_at_rest; ++i) {
        simulator.advance(fill.longest * i / looks_at_rest, {});
        const std::int64_t asleep = simulator.report().asleep;
        const bool nearly_all = asleep >= nearly * std::int64_t(world.grains.size()) / 100;
        if (asleep == std::int64_t(world.grains.size()) || (nearly_all && asleep <= before)) break;
        before = asleep;
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
    const std::size_t target = world.grains.size() + std::size_t(fill.count);
    for (int layer = 0; filling.grains.size() < target; ++layer) {
        const std::size_t before = filling.grains.size();
        scatter(filling, fill, std::int64_t(target - before), random);
        const bool found_room = filling.grains.size() > before;
        if (!found_room || layer == most_layers || (!fill.settle && filling.grains.size() < target))
            throw Error(
                fmt::format("only {} of {} grains fit where they are filled in: make the region larger, or the "
                            "grains fewer",
                            filling.grains.size() - world.grains.size(), fill.count));
        if (fill.settle) come_to_rest(filling, fill);
        progress("filling grains in", double(filling.grains.size()) / double(target));
    }
    return filling.grains;
}

}  // namespace clangor
