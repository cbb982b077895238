#include <clangor/io/motion/keyframes.hpp>

#include <cmath>

namespace clangor::io {
namespace {

// Farther than this no line is tried, so that the work stays in proportion to the length of the film.
constexpr std::size_t longest_run = 64;

// Greedy: extends the line from the last kept frame as long as `fits(from, to)`.
template <class Fits>
std::vector<std::size_t> kept_frames(std::size_t count, const Fits& fits) {
    std::vector<std::size_t> kept = {0};
    for (std::size_t to = 2; to < count; ++to) {
        if (to - kept.back() > longest_run || !fits(kept.back(), to)) kept.push_back(to - 1);
    }
    if (count > 1) kept.push_back(count - 1);
    return kept;
}

double share(const Frames& frames, std::size_t from, std::size_t at, std::size_t to) {
    return (frames.times[at] - frames.times[from]) / (frames.times[to] - frames.times[from]);
}

}  // namespace

Frames frames_of(const Trajectory& path, double duration, double frame_rate) {
    Frames frames;
    const auto add = [&](double time) {
        const Eigen::Isometry3d pose = pose_at(path, time);
        Eigen::Quaterniond rotation(pose.linear());
        rotation.normalize();
        if (!frames.rotations.empty() && rotation.dot(frames.rotations.back()) < 0) rotation.coeffs() *= -1;
        frames.times.push_back(time);
        frames.positions.push_back(pose.translation());
        frames.rotations.push_back(rotation);
    };
    const long whole = static_cast<long>(std::floor(duration * frame_rate + 1e-6));
    for (long k = 0; k <= whole; ++k) add(static_cast<double>(k) / frame_rate);
    if (duration - frames.times.back() > 1e-3 / frame_rate) add(duration);
    return frames;
}

std::vector<std::size_t> position_keys(const Frames& frames, double tolerance) {
    const auto fits = [&](std::size_t from, std::size_t to) {
        for (std::size_t at = from + 1; at < to; ++at) {
            const double x = share(frames, from, at, to);
            const Vec3 line = (1 - x) * frames.positions[from] + x * frames.positions[to];
            if ((line - frames.positions[at]).norm() > tolerance) return false;
        }
        return true;
    };
    std::vector<std::size_t> kept = kept_frames(frames.times.size(), fits);
    bool still = true;
    for (const Vec3& position : frames.positions) still = still && (position - frames.positions[0]).norm() <= tolerance;
    if (still) kept.resize(1);
    return kept;
}

std::vector<std::size_t> rotation_keys(const Frames& frames, double tolerance) {
    // |q − q'| is half the angle between two rotations that are close.
    const auto apart = [](const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
        return 2 * std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
    };
    const auto fits = [&](std::size_t from, std::size_t to) {
        for (std::size_t at = from + 1; at < to; ++at) {
            const double x = share(frames, from, at, to);
            if (apart(frames.rotations[from].slerp(x, frames.rotations[to]), frames.rotations[at]) > tolerance) {
                return false;
            }
        }
        return true;
    };
    std::vector<std::size_t> kept = kept_frames(frames.times.size(), fits);
    bool still = true;
    for (const auto& rotation : frames.rotations) still = still && apart(rotation, frames.rotations[0]) <= tolerance;
    if (still) kept.resize(1);
    return kept;
}

}  // namespace clangor::io
