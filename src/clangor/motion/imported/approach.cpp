#include <clangor/motion/imported/approach.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Nothing that flies freely changes its speed faster: five times gravity. At 24 frames a second, a change of more than
// 2 m/s from one interval to the next is then an impact [m/s²].
constexpr double free_acceleration = 50;

Vec3 point_at(const Trajectory& path, long i, const Vec3& point_body) {
    const auto q = path.rotations.row(i);
    return path.positions.row(i).transpose() + Eigen::Quaterniond(q[3], q[0], q[1], q[2]) * point_body;
}

// Times in files are rounded: an impact that is a millionth of a second before a frame is at the frame.
long frame_before(const Eigen::VectorXd& times, double time) {
    return std::upper_bound(times.data(), times.data() + times.size(), time + 1e-6) - times.data() - 1;
}

}  // namespace

double speed_before(const Trajectory& path, double time, const Vec3& point_body, const Vec3& direction) {
    const Eigen::VectorXd& t = path.times;
    const long last = frame_before(t, time);
    if (last < 1) return 0;
    const bool over = last == t.size() - 1 && time - t[last] > t[last] - t[last - 1];
    if (over) return 0;  // it rests where the recording ended
    const auto secant = [&](long i) {
        return (point_at(path, i, point_body) - point_at(path, i - 1, point_body)).dot(direction) / (t[i] - t[i - 1]);
    };
    const double now = secant(last);
    if (last < 2) return now;
    const double before = secant(last - 1);
    const double acceleration = 2 * (now - before) / (t[last] - t[last - 2]);
    if (std::abs(acceleration) > free_acceleration) return std::max(now, before);
    return now + acceleration * (time - (t[last] + t[last - 1]) / 2);
}

double play_at(const Trajectory& path, double time, const Vec3& point_body) {
    const Eigen::VectorXd& t = path.times;
    const long i = frame_before(t, time);
    if (i < 0 || i + 1 >= t.size() || time - t[i] < 1e-6) return 0;
    double speed = 0;
    for (long k = std::max(i - 1, 0L); k <= std::min(i + 1, static_cast<long>(t.size()) - 2); ++k) {
        const double way = (point_at(path, k + 1, point_body) - point_at(path, k, point_body)).norm();
        speed = std::max(speed, way / (t[k + 1] - t[k]));
    }
    return speed * (t[i + 1] - t[i]);
}

}  // namespace clangor
