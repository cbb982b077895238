// Sort and sweep along x; half spaces against everything.
#include <clangor/motion/rigid/pairs.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor {

double pair_friction(const RigidBody& a, const RigidBody& b) { return std::sqrt(a.friction * b.friction); }

double pair_restitution(const RigidBody& a, const RigidBody& b) {
    const double sum = a.compliance + b.compliance;
    if (!(sum > 0)) return (a.restitution + b.restitution) / 2;
    return (a.compliance * a.restitution + b.compliance * b.restitution) / sum;
}

namespace rigid {

PairMaterials::PairMaterials(const RigidWorld& world) : world_(world) {
    const int count = static_cast<int>(world.bodies.size());
    for (const RigidBody& body : world.bodies)
        if (!(body.friction >= 0) || !(body.restitution >= 0 && body.restitution <= 1) || !(body.compliance >= 0))
            throw Error(fmt::format(
                "\"{}\": friction must not be negative and restitution must be in [0, 1], but they are {:g} and {:g}",
                body.name, body.friction, body.restitution));
    for (const RigidPair& pair : world.pairs) {
        if (pair.first < 0 || pair.second < 0 || pair.first >= count || pair.second >= count)
            throw Error(
                fmt::format("a pair names the bodies {} and {}, but there are {}", pair.first, pair.second, count));
        if (!(pair.friction.value_or(0) >= 0) ||
            !(pair.restitution.value_or(0) >= 0 && pair.restitution.value_or(0) <= 1))
            throw Error(fmt::format(
                "the pair \"{}\" and \"{}\": friction must not be negative and restitution must be in [0, 1]",
                world.bodies[pair.first].name, world.bodies[pair.second].name));
        given_[std::minmax(pair.first, pair.second)] = pair;
    }
}

PairMaterial PairMaterials::operator()(int a, int b) const {
    const RigidBody &first = world_.bodies[a], &second = world_.bodies[b];
    PairMaterial material{pair_friction(first, second), pair_restitution(first, second)};
    if (const auto given = given_.find(std::minmax(a, b)); given != given_.end()) {
        material.friction = given->second.friction.value_or(material.friction);
        material.restitution = given->second.restitution.value_or(material.restitution);
    }
    return material;
}

Extent extent_of(const CollisionShape& shape, const MovingBody& body) {
    const Vec3 half = (shape.bounds.high - shape.bounds.low) / 2;
    return {body.world_from_body * Vec3((shape.bounds.high + shape.bounds.low) / 2),
            body.world_from_body.linear().cwiseAbs() * half};
}

namespace {

double height_over(const MovingBody& plane, const Extent& extent) {
    const Vec3 normal = plane.world_from_body.linear().col(1);
    return normal.dot(extent.middle - plane.world_from_body.translation()) - normal.cwiseAbs().dot(extent.half);
}

}  // namespace

double box_gap(const CollisionShape& shape_a, const MovingBody& a, const CollisionShape& shape_b, const MovingBody& b) {
    if (as<HalfSpace>(shape_a)) return height_over(a, extent_of(shape_b, b));
    if (as<HalfSpace>(shape_b)) return height_over(b, extent_of(shape_a, a));
    const Extent of_a = extent_of(shape_a, a), of_b = extent_of(shape_b, b);
    return ((of_a.middle - of_b.middle).cwiseAbs() - of_a.half - of_b.half).maxCoeff();
}

std::vector<std::pair<int, int>> near_pairs(const RigidWorld& world, const std::vector<MovingBody>& bodies,
                                            std::span<const double> reach) {
    std::vector<int> planes;
    struct Box {
        int body;
        Extent extent;
        double reach, low, high;  // along x, with the reach
        bool simulated;
    };
    std::vector<Box> boxes;
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
        if (bodies[i].frozen) continue;
        const CollisionShape& shape = *world.bodies[i].shape;
        if (as<HalfSpace>(shape)) {
            planes.push_back(i);
            continue;
        }
        const Extent extent = extent_of(shape, bodies[i]);
        const double across = extent.half.x() + reach[i];
        boxes.push_back(
            {i, extent, reach[i], extent.middle.x() - across, extent.middle.x() + across, bodies[i].simulated()});
    }
    std::vector<std::pair<int, int>> pairs;
    for (const int plane : planes)
        for (const Box& box : boxes)
            if (box.simulated && height_over(bodies[plane], box.extent) < reach[plane] + box.reach)
                pairs.push_back(std::minmax(plane, box.body));
    std::sort(boxes.begin(), boxes.end(),
              [](const Box& x, const Box& y) { return std::pair(x.low, x.body) < std::pair(y.low, y.body); });
    for (std::size_t k = 0; k < boxes.size(); ++k)
        for (std::size_t l = k + 1; l < boxes.size() && boxes[l].low < boxes[k].high; ++l) {
            const Box &one = boxes[k], &other = boxes[l];
            const Vec3 apart =
                (one.extent.middle - other.extent.middle).cwiseAbs() - one.extent.half - other.extent.half;
            if (apart.maxCoeff() < one.reach + other.reach && (one.simulated || other.simulated))
                pairs.push_back(std::minmax(one.body, other.body));
        }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

std::vector<std::pair<int, int>> near_pairs(const RigidWorld& world, const std::vector<MovingBody>& bodies,
                                            double margin) {
    return near_pairs(world, bodies, std::vector<double>(bodies.size(), margin / 2));
}

}  // namespace rigid
}  // namespace clangor
