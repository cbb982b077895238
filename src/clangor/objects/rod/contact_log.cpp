// Contacts of single steps, put together to impacts and touches: docs/theory/rod-contact.md.
#include <clangor/objects/rod/contact_log.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// A place is free again after so long, an impact lasts no longer, and a touch is no longer than this [s].
constexpr double free_after = 2e-3, longest_impact = 2e-3, touch_length = 1e-3;

// Contacts nearer to each other than this are one place [segments].
constexpr double same_place_segments = 2.5;

}  // namespace

void ContactLog::add(const LoggedContact& contact, double time, double step) {
    const auto is_here = [&](const Patch& patch) {
        return patch.first.rod == contact.rod && patch.first.body == contact.body &&
               std::abs(patch.along - contact.along) < same_place_segments;
    };
    auto at = std::ranges::find_if(patches_, is_here);
    if (at == patches_.end()) {
        patches_.push_back(
            {.first = contact, .begin = time, .part_begin = time, .is_impact = contact.approach > min_approach_speed_});
        at = patches_.end() - 1;
    }
    Patch& patch = *at;
    patch.along = contact.along;
    patch.last = time + step;
    const double weight = contact.impulse.norm();
    const Mat3 to_body = contact.body_pose.linear().transpose();
    patch.impulse += contact.impulse;
    patch.body_impulse -= to_body * contact.impulse;
    patch.body_normal += weight * (to_body * contact.normal);
    patch.body_point += weight * (contact.body_pose.inverse() * contact.point);
    patch.from_centre += weight * contact.from_centre;
    patch.slip += weight * contact.slip.norm();
    patch.weight += weight;
}

void ContactLog::emit(Patch& patch, double end) {
    const bool is_impact = patch.is_impact;
    const double begin = patch.part_begin;
    patch.part_begin = end;
    patch.is_impact = false;
    if (!(patch.weight > 0)) return;
    ContactSide other{.body = patch.first.body,
                      .point = patch.body_point / patch.weight,
                      .normal = patch.body_normal.normalized(),
                      .impulse = patch.body_impulse};
    ContactSide rod{.body = patch.first.rod,
                    .point = patch.from_centre / patch.weight,
                    .normal = -patch.first.normal,
                    .impulse = patch.impulse};
    if (is_impact) {
        Impact impact{.time = begin, .impulse = -patch.impulse, .approach_speed = patch.first.approach, .sides = {}};
        impact.sides = {other, rod};
        impact.is_given = true;  // the rod felt it so
        own_.impacts.push_back(impact);
    } else {
        Touch touch{.time = begin,
                    .duration = std::max(end - begin, 1e-6),
                    .impulse = -patch.impulse,
                    .slip_speed = patch.slip / patch.weight,
                    .travel_speed = patch.slip / patch.weight,
                    .sides = {}};
        touch.sides = {other, rod};
        own_.touches.push_back(touch);
    }
    patch.impulse = patch.body_impulse = patch.body_normal = patch.body_point = patch.from_centre = Vec3::Zero();
    patch.weight = patch.slip = 0;
}

void ContactLog::end_of_step(double time) {
    for (Patch& patch : patches_) {
        const double longest = patch.is_impact ? longest_impact : touch_length;
        if (time - patch.part_begin >= longest || time - patch.last >= free_after)
            emit(patch, std::min(time, std::max(patch.last, patch.part_begin)));
    }
    std::erase_if(patches_, [&](const Patch& patch) { return time - patch.last >= free_after; });
}

void ContactLog::finish(OwnMotion& own) {
    for (Patch& patch : patches_) emit(patch, std::max(patch.last, patch.part_begin));
    own.impacts.insert(own.impacts.end(), own_.impacts.begin(), own_.impacts.end());
    own.touches.insert(own.touches.end(), own_.touches.begin(), own_.touches.end());
    std::ranges::stable_sort(own.impacts, {}, &Impact::time);
    std::ranges::stable_sort(own.touches, {}, &Touch::time);
}

}  // namespace clangor
