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

namespace {

struct Extent {
    Vec3 middle, half;
};

Extent extent_of(const CollisionShape& shape, const MovingBody& body) {
    const Vec3 half = (shape.bounds.high - shape.bounds.low) / 2;
    return {body.world_from_body * Vec3((shape.bounds.high + shape.bounds.low) / 2),
            body.world_from_body.linear().cwiseAbs() * half};
}

}  // namespace

std::vector<std::pair<int, int>> near_pairs(const RigidWorld& world, const std::vector<MovingBody>& bodies,
                                            double margin) {
    std::vector<int> planes, others;
    std::vector<Extent> extents(bodies.size());
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
        if (bodies[i].frozen) continue;
        const CollisionShape& shape = *world.bodies[i].shape;
        if (as<HalfSpace>(shape)) {
            planes.push_back(i);
        } else {
            others.push_back(i);
            extents[i] = extent_of(shape, bodies[i]);
        }
    }
    const auto wanted = [&](int i, int j) { return bodies[i].simulated() || bodies[j].simulated(); };
    std::vector<std::pair<int, int>> pairs;
    for (const int plane : planes)
        for (const int i : others) {
            if (!wanted(plane, i)) continue;
            const Eigen::Isometry3d& pose = bodies[plane].world_from_body;
            const Vec3 normal = pose.linear().col(1);
            const double height =
                normal.dot(extents[i].middle - pose.translation()) - normal.cwiseAbs().dot(extents[i].half);
            if (height < margin) pairs.push_back(std::minmax(plane, i));
        }
    const auto low = [&](int i) { return extents[i].middle.x() - extents[i].half.x(); };
    std::sort(others.begin(), others.end(), [&](int i, int j) { return std::pair(low(i), i) < std::pair(low(j), j); });
    for (std::size_t k = 0; k < others.size(); ++k)
        for (std::size_t l = k + 1; l < others.size(); ++l) {
            const int i = others[k], j = others[l];
            if (low(j) > extents[i].middle.x() + extents[i].half.x() + margin) break;
            const Vec3 apart = (extents[i].middle - extents[j].middle).cwiseAbs() - extents[i].half - extents[j].half;
            if (apart.maxCoeff() < margin && wanted(i, j)) pairs.push_back(std::minmax(i, j));
        }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace rigid
}  // namespace clangor
