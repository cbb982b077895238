// Rods that are inside of something before anything has moved: docs/theory/rod-contact.md, section 3.
#include <clangor/objects/rod/start_overlaps.hpp>

#include <clangor/motion/capsules/capsules.hpp>
#include <clangor/objects/rod/rod_run.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor {
namespace {

constexpr double unseen = 0.02;  // of a radius

const RodModel& model_of(const Surroundings& around, int rod) {
    return static_cast<const RodInScene*>(around.together[size_t(rod)].sounding->own.get())->model;
}

double length_to(const RodModel& model, double point) {
    const long before = std::min(long(point), model.plan.points - 1),
               behind = std::min(before + 1, model.plan.points - 1);
    const double share = point - double(before);
    return (1 - share) * model.plan.length_to[before] + share * model.plan.length_to[behind] - model.curve.before;
}

// The deepest of each two.
void keep_deepest(std::vector<StartOverlap>& found, const StartOverlap& overlap) {
    const auto same = std::ranges::find_if(found, [&](const StartOverlap& other) {
        return other.rod == overlap.rod && other.other == overlap.other && other.neighbour == overlap.neighbour;
    });
    if (same == found.end())
        found.push_back(overlap);
    else if (same->depth < overlap.depth)
        *same = overlap;
}

void find_among_rods(const Surroundings& around, std::span<const Points> places, std::vector<StartOverlap>& found) {
    std::vector<CapsuleChain> chains;
    for (size_t r = 0; r < places.size(); ++r) {
        const RodModel& model = model_of(around, int(r));
        chains.push_back(
            {.before = places[r], .after = places[r], .radius = model.contact_radius, .closed = model.curve.closed});
    }
    for (const CapsuleTouch& touch : CapsuleCollisions().touches(chains, {})) {
        const RodModel& model = model_of(around, touch.first.chain);
        const double both = chains[size_t(touch.first.chain)].radius + chains[size_t(touch.second.chain)].radius;
        if (-touch.gap > unseen * both)
            keep_deepest(found, {.rod = touch.first.chain,
                                 .other = touch.second.chain,
                                 .along = length_to(model, double(touch.first.segment) + touch.first.along),
                                 .point = touch.point,
                                 .depth = -touch.gap,
                                 .allowed = both / 2});
    }
}

/// How far a point is under the surface of a body, negative outside; open walls have no inside [m].
double depth_in(const Body& body, const Bounds& bounds, double margin, const Vec3& point) {
    if ((point.array() < bounds.low.array() - margin).any() || (point.array() > bounds.high.array() + margin).any())
        return -margin;
    const double distance = (*body.finder)(point).distance;
    return body.is_closed && is_inside(*body.surface, point) ? distance : -distance;
}

void find_in_neighbour(const Surroundings& around, int number, std::span<const Points> places,
                       std::vector<StartOverlap>& found) {
    const Neighbour& neighbour = around.neighbours[size_t(number)];
    const Body& body = *neighbour.sounding->body;
    const Eigen::Isometry3d body_from_world = pose_at(*neighbour.path, 0).inverse();
    const bool is_floor = neighbour.sounding->reflector.has_value();
    if (!is_floor && (!body.surface || !body.finder || body.surface->faces.rows() == 0)) return;
    const Bounds bounds = is_floor ? Bounds{} : bounds_of(body.surface->vertices);
    for (size_t r = 0; r < places.size(); ++r) {
        const RodModel& model = model_of(around, int(r));
        const double radius = model.contact_radius;
        for (long i = 0; i < places[r].rows(); ++i) {
            const Vec3 world = places[r].row(i).transpose(), point = body_from_world * world;
            const double depth = radius + (is_floor ? -point.y() : depth_in(body, bounds, radius, point));
            if (depth > unseen * radius)
                keep_deepest(found, {.rod = int(r),
                                     .neighbour = number,
                                     .along = length_to(model, double(i)),
                                     .point = world,
                                     .depth = depth,
                                     .allowed = radius});
        }
    }
}

}  // namespace

std::vector<StartOverlap> start_overlaps(const Surroundings& around, std::span<const Points> places) {
    std::vector<StartOverlap> found;
    if (!model_of(around, 0).rod.touches) return found;
    find_among_rods(around, places, found);
    for (int n = 0; n < int(around.neighbours.size()); ++n) find_in_neighbour(around, n, places, found);
    return found;
}

std::vector<std::string> start_problems(const Surroundings& around) {
    std::vector<Points> places;
    for (size_t r = 0; r < around.together.size(); ++r) {
        const RodPlan& plan = model_of(around, int(r)).plan;
        places.emplace_back(plan.rest.place.topRows<3>().transpose());
    }
    std::vector<std::string> problems;
    for (const StartOverlap& overlap : start_overlaps(around, places)) {
        if (overlap.depth <= overlap.allowed) continue;
        const char* const remedy = overlap.other == overlap.rod
                                       ? "draw its turns farther apart, make its section thinner"
                                       : "move one of them";
        problems.push_back(fmt::format("{}; {}, or set \"touches\": false", text_of(overlap, around), remedy));
    }
    return problems;
}

std::string text_of(const StartOverlap& overlap, const Surroundings& around) {
    const auto name = [&](int rod) { return object_named(around.together[size_t(rod)].sounding->name); };
    const std::string where =
        fmt::format("{:.3g} m along it, at ({:.3g}, {:.3g}, {:.3g})", std::max(0.0, overlap.along), overlap.point.x(),
                    overlap.point.y(), overlap.point.z());
    if (overlap.other == overlap.rod)
        return fmt::format("{} is {:.2g} mm inside of itself at the start, {}", name(overlap.rod), overlap.depth * 1e3,
                           where);
    const std::string other = overlap.other >= 0
                                  ? name(overlap.other)
                                  : object_named(around.neighbours[size_t(overlap.neighbour)].sounding->name);
    return fmt::format("{} is {:.2g} mm inside of {} at the start, {}", name(overlap.rod), overlap.depth * 1e3, other,
                       where);
}

}  // namespace clangor
