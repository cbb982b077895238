#include <clangor/motion/rigid/pairs.hpp>
#include <clangor/motion/rigid/solver.hpp>
#include <clangor/motion/rigid/start.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>

namespace clangor::rigid {

void part_overlaps(const RigidWorld& world, std::vector<MovingBody>& bodies, double h, Warnings& warnings) {
    std::map<std::pair<int, int>, double> deepest;
    for (int round = 0; round < 400; ++round) {
        std::vector<ConstraintRow> rows;
        bool deep = false;
        for (const auto& [a, b] : near_pairs(world, bodies, 0)) {
            const double tolerance = 1e-3 * std::min(world.bodies[a].shape->size, world.bodies[b].shape->size);
            for (const Contact& contact : contacts_between({*world.bodies[a].shape, bodies[a].world_from_body},
                                                           {*world.bodies[b].shape, bodies[b].world_from_body}, 0)) {
                if (round == 0 && -contact.gap > tolerance) deepest[{a, b}] = std::max(deepest[{a, b}], -contact.gap);
                deep = deep || (-contact.gap > tolerance && deepest.count({a, b}));
                ConstraintRow row{.a = a, .b = b, .contact = contact};
                row.bounces = true;  // part fully, without regard to velocities
                rows.push_back(row);
            }
        }
        if (!deep) break;
        for (const Displacement& moved :
             solve_positions(bodies, std::vector<Before>(bodies.size()), rows, Vec3::Zero(), h))
            displace(bodies[moved.body], 0.5 * moved.shift, 0.5 * moved.turn);
    }
    for (const auto& [pair, depth] : deepest)
        warnings.add(fmt::format("\"{}\" and \"{}\" overlapped by {:.2g} mm at the start and were moved apart",
                                 world.bodies[pair.first].name, world.bodies[pair.second].name, 1e3 * depth));
}

// What is placed a hair above its support is meant to stand on it: falling by half a millimetre, a mug thumps at 93 dB.
void set_down(const RigidWorld& world, std::vector<MovingBody>& bodies) {
    if (world.gravity.isZero(0)) return;
    const Vec3 down = world.gravity.normalized();
    std::vector<int> from_below;
    for (int i = 0; i < int(bodies.size()); ++i)
        if (bodies[i].simulated() && !world.bodies[i].hangs_at && bodies[i].velocity.isZero(0) &&
            bodies[i].angular_velocity.isZero(0))
            from_below.push_back(i);
    std::ranges::stable_sort(from_below, std::greater(), [&](int i) { return down.dot(bodies[i].centre); });
    constexpr double farthest = 1e-3;
    std::vector<std::vector<std::pair<int, int>>> pairs_of(bodies.size());
    for (const auto& [a, b] : near_pairs(world, bodies, 2 * farthest))  // the other may have been set down before
        for (const int i : {a, b}) pairs_of[i].emplace_back(a, b);
    for (const int i : from_below) {
        const double highest = std::min(farthest, 0.01 * world.bodies[i].shape->size);
        double fall = 2 * highest;
        for (const auto& [a, b] : pairs_of[i]) {
            for (const Contact& contact :
                 contacts_between({*world.bodies[a].shape, bodies[a].world_from_body},
                                  {*world.bodies[b].shape, bodies[b].world_from_body}, highest))
                if (const double sinks = (a == i ? -1 : 1) * contact.normal.dot(down); sinks > 0.1)
                    fall = std::min(fall, contact.gap / sinks);
        }
        if (fall > 0 && fall <= highest) displace(bodies[i], fall * down, Vec3::Zero());
    }
}

}  // namespace clangor::rigid
