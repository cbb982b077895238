#include <clangor/objects/sound_path.hpp>

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// When what is emitted now arrives: t = t_e + |L(t) − x|/c, a contraction for listeners slower than sound.
double arrival_time(const SoundPath& path, double emission, const Vec3& source) {
    double time = emission;
    for (int i = 0; i < 6; ++i) time = emission + (capsule_world(path, time) - source).norm() / path.air.speed_of_sound;
    return time;
}

}  // namespace

Eigen::Isometry3d pose_of(const PlacedListener& listener, double time) {
    return pose_at(listener.track, time) * listener.track_from_listener;
}

Vec3 reflected(const Vec3& point, const Reflector& reflector) {
    return {point.x(), 2 * reflector.height - point.y(), point.z()};
}

Vec3 capsule_world(const SoundPath& path, double time) {
    const Vec3 capsule =
        pose_of(path.listener, time) * Vec3(path.listener.array.capsules.row(path.capsule).transpose());
    return path.reflector ? reflected(capsule, *path.reflector) : capsule;
}

bool is_at_rest(const SoundPath& path) { return !moves(path.source) && !moves(path.listener.track); }

Vec3 capsule_for(const SoundPath& path, double emission) {
    const Eigen::Isometry3d pose = pose_at(path.source, emission);
    return pose.inverse() * capsule_world(path, arrival_time(path, emission, pose * path.centre));
}

std::vector<ListenerKnot> listener_knots(const SoundPath& path, const KnotOptions& options) {
    constexpr long block = Resonators::block_samples;
    const double cos_limit = std::cos(options.angle);
    const long rarest = std::max(1L, std::lround(0.1 * options.sample_rate / block)) * block;
    std::vector<ListenerKnot> knots;
    Vec3 last_arm = Vec3::Zero();
    for (long sample = options.first_sample / block * block; sample < options.samples + block; sample += block) {
        const Vec3 capsule = capsule_for(path, double(sample) / options.sample_rate);
        const Vec3 arm = capsule - path.centre;
        const double now = arm.norm(), before = last_arm.norm();
        const bool turned = arm.dot(last_arm) < cos_limit * now * before;
        const bool due = sample % rarest == 0 && arm != last_arm;
        if (knots.empty() || turned || due || std::abs(now - before) > options.distance * before) {
            knots.push_back({sample, capsule});
            last_arm = arm;
        }
        if (is_at_rest(path)) break;
    }
    return knots;
}

}  // namespace clangor
