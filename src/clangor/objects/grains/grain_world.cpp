// Grains, walls and the laws between them, of a scene   docs/theory/grains.md, sections 5 and 6.
#include <clangor/objects/grains/grain_world.hpp>

#include <clangor/objects/grains/wall_surfaces.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace clangor {
namespace {

RigidBody as_rigid(const Material& material, double friction, double restitution) {
    return {.friction = scene::stated_or(friction, material.friction),
            .restitution = scene::stated_or(restitution, material.restitution),
            .compliance = contact_compliance(material)};
}

RigidBody as_rigid(const scene::Grains& grains) {
    return as_rigid(grains.material, grains.friction, grains.restitution);
}

// What bounces off dead is at rest after a hundredth of its speed.
double possible(double restitution) { return std::clamp(restitution, 0.01, 1.0); }

GrainSurface surface_between(const RigidBody& a, const RigidBody& b, int object, int other,
                             const Surroundings& around) {
    GrainSurface surface{.restitution = pair_restitution(a, b), .friction = pair_friction(a, b)};
    for (const RigidPair& pair : around.pairs) {
        if (std::minmax(pair.first, pair.second) != std::minmax(object, other)) continue;
        if (pair.restitution) surface.restitution = *pair.restitution;
        if (pair.friction) surface.friction = *pair.friction;
    }
    surface.restitution = possible(surface.restitution);
    return surface;
}

// A floor under one region: others may have theirs below it.
GrainWall stopper_under(const scene::GrainRegion& region, bool is_alone) {
    GrainWall stopper{.name = "stopper"};
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Vec3(region.position.x(), region.stopper, region.position.z());
    stopper.path = at_rest(pose);
    if (is_alone) return stopper;
    const double x = 1.5 * region.size.x(), z = 1.5 * region.size.z();
    Surface floor;
    floor.vertices.resize(4, 3);
    floor.vertices << -x, 0, -z, -x, 0, z, x, 0, z, x, 0, -z;
    floor.faces.resize(2, 3);
    floor.faces << 0, 1, 2, 0, 2, 3;
    stopper.shape = floor;
    return stopper;
}

// What starts within a closed wall would stay there.
void refuse_inside(const GrainWorld& world, std::span<const GrainsHere> grains, const Surroundings& around) {
    WallSurfaces surfaces(around);
    for (size_t w = 0; w < around.neighbours.size(); ++w) {
        std::vector<long> inside(grains.size());
        for (const Grain& grain : world.grains)
            inside[size_t(grain.kind)] += surfaces.is_inside(int(w), grain.position, 0);
        for (size_t k = 0; k < grains.size(); ++k)
            if (inside[k] > 0)
                throw Error(
                    fmt::format("{}: {} of {} grains start inside the material of \"{}\", from where they cannot "
                                "come out; keep the region of fill out of its walls",
                                object_named(grains[k].grains->name), inside[k], grains[k].grains->count,
                                around.neighbours[w].sounding->name));
    }
}

}  // namespace

GrainSurface surface_within(const GrainsHere& grains, const Surroundings& around) {
    return surface_between(grains, grains, around);
}

GrainSurface surface_between(const GrainsHere& grains, const GrainsHere& others, const Surroundings& around) {
    return surface_between(as_rigid(*grains.grains), as_rigid(*others.grains), grains.object, others.object, around);
}

GrainSurface surface_on(const GrainsHere& grains, const Neighbour& neighbour, const Surroundings& around) {
    const SoundingObject& other = *neighbour.sounding;
    const Material& material = other.body->material;
    const RigidBody rigid = other.rigid ? *other.rigid : as_rigid(material, material.friction, material.restitution);
    return surface_between(as_rigid(*grains.grains), rigid, grains.object, neighbour.object, around);
}

std::variant<GrainPlane, Surface> shape_of(const Neighbour& neighbour) {
    const Body& body = *neighbour.sounding->body;
    if (body.collision) return *body.collision;
    if (std::isfinite(body.radius)) return *body.surface;
    return GrainPlane{};
}

GrainWorld world_of(std::span<const GrainsHere> grains, const Surroundings& around) {
    GrainWorld world{.gravity = around.gravity};
    for (const Neighbour& neighbour : around.neighbours)
        world.walls.push_back(
            {.name = neighbour.sounding->name, .shape = shape_of(neighbour), .path = *neighbour.path});
    for (size_t k = 0; k < grains.size(); ++k) {
        const scene::Grains& own = *grains[k].grains;
        world.kinds.push_back(
            {.name = own.name, .density = own.material.density, .surface = surface_within(grains[k], around)});
        for (size_t j = 0; j < k; ++j)
            world.pairs.push_back(
                {.kind = int(k), .other = int(j), .surface = surface_between(grains[k], grains[j], around)});
        for (size_t w = 0; w < around.neighbours.size(); ++w)
            world.pairs.push_back(
                {.kind = int(k), .wall = int(w), .surface = surface_on(grains[k], around.neighbours[w], around)});
    }
    return world;
}

void fill_in(GrainWorld& world, std::span<const GrainsHere> grains, const Surroundings& around,
             const Progress& progress) {
    std::vector<GrainWall> stoppers;
    for (const GrainsHere& one : grains)
        if (!std::isnan(one.grains->fill.stopper))
            stoppers.push_back(stopper_under(one.grains->fill, grains.size() == 1));
    for (const bool settled : {true, false})
        for (size_t k = 0; k < grains.size(); ++k) {
            const scene::Grains& own = *grains[k].grains;
            const scene::GrainRegion& region = own.fill;
            if (region.settled != settled) continue;
            GrainFill fill{.low = region.position - region.size / 2,
                           .high = region.position + region.size / 2,
                           .is_round = region.round,
                           .count = own.count,
                           .radius = own.radius,
                           .spread = own.spread,
                           .kind = int(k),
                           .seed = Random(around.seed).child(std::uint64_t(grains[k].object)).bits(),
                           .settle = settled};
            if (settled) fill.stoppers = stoppers;
            try {
                world.grains = filled(world, fill, progress);
            } catch (const Error& error) {
                throw Error(fmt::format("{}: {}", object_named(own.name), error.what()), error.blame());
            }
        }
    refuse_inside(world, grains, around);
    for (Grain& grain : world.grains) grain.velocity = grains[size_t(grain.kind)].grains->velocity;
}

}  // namespace clangor
