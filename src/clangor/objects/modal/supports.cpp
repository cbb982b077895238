#include <clangor/objects/modal/supports.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace clangor {
namespace {

// A face that is held by itself: vertices of a flat side differ by rounding.
constexpr double flat_share = 1e-5;

[[noreturn]] void refuse_support(std::size_t index, const std::string& why) {
    throw Error(fmt::format("supports: support {} {}", index + 1, why));
}

std::string point_text(const Vec3& at) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", at[0], at[1], at[2]); }

PlacedSupport around_point(std::size_t index, const scene::Support& support, const Surface& surface) {
    const Bounds bounds = bounds_of(surface.vertices);
    const Vec3 at = *support.at;
    const ClosestPoint nearest = ClosestPointQuery(surface)(at);
    if (support.beyond > 0) {  // about the point itself, which may be in a hollow
        if (!((surface.vertices.rowwise() - at.transpose()).rowwise().norm().maxCoeff() > support.beyond))
            refuse_support(index,
                           fmt::format("holds nothing: no part of the body is beyond {:g} m of {}; the farthest "
                                       "is {:.4g} m away",
                                       support.beyond, point_text(at),
                                       (surface.vertices.rowwise() - at.transpose()).rowwise().norm().maxCoeff()));
        return {.support = {.distance = [=, r = support.beyond](const Vec3& x) { return r - (x - at).norm(); }},
                .wants_cut = true};
    }
    if (nearest.distance > 0.1 * bounds.diagonal())
        refuse_support(index,
                       fmt::format("misses the body: {} is {:.3g} m away from it, more than a tenth of its size "
                                   "({:.3g} m). The closest point of its surface is {}; at is in the body's own "
                                   "frame, after scaling",
                                   point_text(at), nearest.distance, bounds.diagonal(), point_text(nearest.point)));
    const double radius = support.radius > 0 ? support.radius : 0.01 * (bounds.high - bounds.low).maxCoeff();
    return {.support = {.distance = [=, c = nearest.point](const Vec3& x) { return (x - c).norm() - radius; }},
            .wants_cut = true,
            .longest_edge = radius};
}

PlacedSupport on_side(const scene::Support& support, const Surface& surface) {
    const Bounds bounds = bounds_of(surface.vertices);
    const int number = int(support.side) - int(scene::Side::LowX), axis = number / 2;
    const double extent = bounds.high[axis] - bounds.low[axis];
    const double depth = support.depth > 0 ? support.depth : flat_share * extent;
    const bool is_low = number % 2 == 0;
    const double border = is_low ? bounds.low[axis] + depth : bounds.high[axis] - depth;
    return {.support = {.distance = [=](const Vec3& x) { return is_low ? x[axis] - border : border - x[axis]; }},
            .wants_cut = support.depth > 0,
            .wants_area = support.depth > 0};
}

PatchHold hold_of(const scene::Support& support) {
    switch (support.kind) {
        case scene::SupportKind::Clamped:
            return PatchHold::Clamped;
        case scene::SupportKind::Pinned:
            return support.side == scene::Side::None ? PatchHold::Pinned : PatchHold::Hinged;
        case scene::SupportKind::Felt:
            return PatchHold::Felt;
    }
    return PatchHold::Clamped;
}

}  // namespace

std::vector<PlacedSupport> placed_supports(const std::vector<scene::Support>& supports, const Surface& surface) {
    std::vector<PlacedSupport> placed;
    if (surface.faces.rows() == 0) return placed;
    for (std::size_t i = 0; i < supports.size(); ++i) {
        const scene::Support& support = supports[i];
        PlacedSupport one = support.at ? around_point(i, support, surface) : on_side(support, surface);
        const auto is_free = [&](long v) { return one.support.distance(surface.vertices.row(v).transpose()) > 0; };
        bool leaves_some = support.kind != scene::SupportKind::Clamped;
        for (long v = 0; !leaves_some && v < surface.vertices.rows(); ++v) leaves_some = is_free(v);
        if (!leaves_some)
            refuse_support(i,
                           "clamps all of the body, so that nothing of it can ring; make its patch smaller (radius, "
                           "beyond, depth)");
        one.support.hold = hold_of(support);
        one.support.stiffness = support.stiffness;
        one.support.loss_factor = support.loss_factor;
        one.wants_cut = one.wants_cut && support.kind == scene::SupportKind::Clamped;
        placed.push_back(std::move(one));
    }
    return placed;
}

std::string free_to_turn(long motions) {
    return fmt::format(
        "its supports leave it free to turn in {} way{}, which is not heard and not simulated; hold it "
        "at one more place if that is not meant",
        motions, motions == 1 ? "" : "s");
}

void add_supports(io::Fingerprint& print, const std::vector<scene::Support>& supports) {
    for (const scene::Support& support : supports) {
        const Vec3 at = support.at.value_or(Vec3::Zero());
        print.add("support", double(static_cast<int>(support.kind)))
            .add("has point", support.at ? 1.0 : 0.0)
            .add("at", std::span<const double>(at.data(), 3))
            .add("radius", support.radius)
            .add("beyond", support.beyond)
            .add("side", double(static_cast<int>(support.side)))
            .add("depth", support.depth)
            .add("stiffness", support.stiffness)
            .add("loss", support.loss_factor);
    }
}

}  // namespace clangor
