#include <clangor/motion/capsules/box_tree.hpp>
#include <clangor/motion/capsules/chain_touches.hpp>
#include <clangor/motion/capsules/features.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace clangor::capsules {
namespace {

// A chain beside a shape: places as the shape sees them.
struct Beside {
    const CapsuleChain& chain;
    const MovingShape& moving;
    const DistanceShape& shape;

    Vec3 before(int segment, double along) const {
        return moving.world_before.inverse() * place_at(chain, segment, along, 0);
    }
    Vec3 after(int segment, double along) const {
        return moving.world_after.inverse() * place_at(chain, segment, along, 1);
    }
    double gap(const Vec3& at) const { return shape.distance(at) - chain.radius; }

    // Central differences over a tenth of the radius: edges of the shape are as round as that.
    Vec3 normal(const Vec3& at) const {
        const double h = 0.05 * chain.radius;
        Vec3 gradient;
        for (int axis = 0; axis < 3; ++axis)
            gradient[axis] = shape.distance(at + h * Vec3::Unit(axis)) - shape.distance(at - h * Vec3::Unit(axis));
        const double length = gradient.norm();
        return length > 0 ? Vec3(gradient / length) : Vec3::UnitY();
    }
};

CapsuleTouch touch_at(const Beside& beside, int chain, int segment, double along, int shape_number) {
    return {.first = {chain, segment, along},
            .shape = shape_number,
            .key = key_of(chain, feature_of(beside.chain, segment, along), 4095 - shape_number, 0)};
}

// One place of a chain. A place that moves far over the step is followed until it touches, so that it meets the side
// that it comes from.
void place_touch(const Beside& beside, CapsuleTouch touch, double margin, std::vector<CapsuleTouch>& touches) {
    const auto& [chain, segment, along] = touch.first;
    const Vec3 from = beside.before(segment, along), to = beside.after(segment, along);
    const double way = (to - from).norm(), radius = beside.chain.radius;
    Vec3 normal;
    if (way < 0.5 * radius) {
        touch.gap = beside.gap(to);
        touch.gap_before = beside.gap(from);
        if (touch.gap > margin) return;
        normal = beside.normal(to);
    } else {
        double time = 0, gap = 0;
        for (int round = 0; round < 200 && time < 1; ++round) {
            gap = beside.gap(from + time * (to - from));
            if (gap <= 1e-3 * radius) break;
            time += gap / way;
        }
        const Vec3 at = from + std::min(time, 1.0) * (to - from);
        gap = beside.gap(at);
        normal = beside.normal(at);
        touch.gap = gap + normal.dot(to - at);
        touch.gap_before = gap + normal.dot(from - at);
        if (touch.gap > margin) return;
    }
    touch.normal = beside.moving.world_after.linear() * normal;
    touch.point = place_at(beside.chain, segment, along, 1) - (radius + 0.5 * touch.gap) * touch.normal;
    touches.push_back(touch);
}

// Where along a segment the shape is nearest after the step; its ends where they are.
double nearest_along(const Beside& beside, int segment) {
    constexpr int samples = 4;
    std::array<double, samples + 1> gaps;
    for (int k = 0; k <= samples; ++k) gaps[size_t(k)] = beside.gap(beside.after(segment, double(k) / samples));
    const long least = std::min_element(gaps.begin(), gaps.end()) - gaps.begin();
    double low = double(std::max(least - 1, 0L)) / samples, high = double(std::min<long>(least + 1, samples)) / samples;
    constexpr double golden = 0.6180339887498949;
    double u = high - golden * (high - low), v = low + golden * (high - low);
    double gap_u = beside.gap(beside.after(segment, u)), gap_v = beside.gap(beside.after(segment, v));
    for (int round = 0; round < 20; ++round) {
        if (gap_u < gap_v) {
            high = v, v = u, gap_v = gap_u;
            u = high - golden * (high - low), gap_u = beside.gap(beside.after(segment, u));
        } else {
            low = u, u = v, gap_u = gap_v;
            v = low + golden * (high - low), gap_v = beside.gap(beside.after(segment, v));
        }
    }
    // Along a flat side all of it is as near: its ends do.
    const double along = 0.5 * (low + high), gap = beside.gap(beside.after(segment, along));
    return gap < std::min(gaps.front(), gaps.back()) - 1e-4 * beside.chain.radius ? along : 0.0;
}

void distance_touches(const Beside& beside, int chain, int shape_number, std::span<const int> near, double margin,
                      std::vector<CapsuleTouch>& touches) {
    const int points = int(beside.chain.after.rows());
    std::vector<int> ends;
    for (const int segment : near) {
        const Vec3 half = 0.5 * (beside.after(segment, 1) - beside.after(segment, 0));
        const double way = std::max((beside.after(segment, 0) - beside.before(segment, 0)).norm(),
                                    (beside.after(segment, 1) - beside.before(segment, 1)).norm());
        if (beside.gap(beside.after(segment, 0.5)) > half.norm() + way + margin) continue;
        ends.push_back(segment);
        ends.push_back((segment + 1) % points);
        if (way > 0.5 * beside.chain.radius) {  // fast: any of some places may be the first to meet it
            for (const double along : {0.25, 0.5, 0.75})
                place_touch(beside, touch_at(beside, chain, segment, along, shape_number), margin, touches);
        } else if (const double along = nearest_along(beside, segment); along > 0 && along < 1) {
            place_touch(beside, touch_at(beside, chain, segment, along, shape_number), margin, touches);
        }
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    const int last = segments_of(beside.chain) - 1;
    for (const int point : ends) {
        const int segment = std::min(point, last);
        place_touch(beside, touch_at(beside, chain, segment, double(point - segment), shape_number), margin, touches);
    }
}

void plane_touches(const CapsuleChain& chain, int number, const MovingShape& moving, int shape_number, double margin,
                   std::vector<CapsuleTouch>& touches) {
    const Vec3 normal = moving.world_after.linear().col(1), normal_before = moving.world_before.linear().col(1);
    const int last = segments_of(chain) - 1;
    for (int point = 0; point < int(chain.after.rows()); ++point) {
        const Vec3 after = chain.after.row(point), before = chain.before.row(point);
        const double gap = normal.dot(after - moving.world_after.translation()) - chain.radius;
        if (gap > margin) continue;
        const int segment = std::min(point, last);
        const double along = point - segment;
        touches.push_back({
            .first = {number, segment, along},
            .shape = shape_number,
            .normal = normal,
            .point = after - (chain.radius + 0.5 * gap) * normal,
            .gap = gap,
            .gap_before = normal_before.dot(before - moving.world_before.translation()) - chain.radius,
            .key = key_of(number, feature_of(chain, segment, along), 4095 - shape_number, 0),
        });
    }
}

}  // namespace

void shape_touches(std::span<const CapsuleChain> chains, int chain, const MovingShape& shape, int shape_number,
                   std::span<const int> near, double margin, std::vector<CapsuleTouch>& touches) {
    const CapsuleChain& rod = chains[size_t(chain)];
    std::visit(overloaded{
                   [&](const Plane&) { plane_touches(rod, chain, shape, shape_number, margin, touches); },
                   [&](const DistanceShape& solid) {
                       distance_touches({rod, shape, solid}, chain, shape_number, near, margin, touches);
                   },
               },
               shape.shape);
}

}  // namespace clangor::capsules
