#include <clangor/motion/rigid/pushes.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::rigid {

Pushes::Pushes(const RigidWorld& world, double step) {
    for (const Push& push : world.pushes)
        if (world.bodies[push.body].movement == Movement::Simulated)
            all_.emplace_back(std::max(0L, std::lround(push.time / step)), push);
    std::ranges::stable_sort(all_, {}, &std::pair<long, Push>::first);
}

std::vector<Push> Pushes::due(long step) {
    std::vector<Push> now;
    for (; next_ < all_.size() && all_[next_].first <= step; ++next_) now.push_back(all_[next_].second);
    return now;
}

void give(MovingBody& body, const Push& push) {
    const Vec3 impulse = body.rotation * push.impulse;
    const Vec3 arm = body.rotation * (push.point - body.centre_body);
    body.velocity += body.inverse_mass * impulse;
    body.angular_momentum += arm.cross(impulse);
    refresh(body);
}

}  // namespace clangor::rigid
