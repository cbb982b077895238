#include <clangor/render/hear.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clangor {
namespace {

// The listener's axes (x front, y left, z up) in the frame in which it is placed, where up is +y.
Mat3 axes_of(const Vec3& facing) {
    const Vec3 front = facing.normalized();
    const Vec3 helper = std::abs(front.y()) < 0.999 ? Vec3(0, 1, 0) : Vec3(0, 0, front.y() > 0 ? 1 : -1);
    const Vec3 left = helper.cross(front).normalized();
    Mat3 axes;
    axes << front, left, front.cross(left);
    return axes;
}

Trajectory trajectory_of(const std::vector<scene::PathPoint>& path) {
    const long n = long(path.size());
    Trajectory trajectory{Eigen::VectorXd(n), Points(n, 3), Rotations(n, 4)};
    for (long i = 0; i < n; ++i) {
        trajectory.times[i] = path[size_t(i)].time;
        trajectory.positions.row(i) = path[size_t(i)].position.transpose();
        trajectory.rotations.row(i) << 0, 0, 0, 1;
    }
    return trajectory;
}

Ear ear_of(const scene::Listener& listener, const Scene& scene, const Motion& motion,
           std::vector<std::string>& messages) {
    Ear ear{.listener = &listener, .post = {}, .first_channel = 0, .track = {}};
    HeadMeasurementPtr head;
    if (!listener.sofa.empty()) {
        LoadedHead loaded = load_head(listener.sofa.string(), scene.sample_rate);
        if (!loaded.message.empty())
            messages.push_back(fmt::format("listener \"{}\": {}", listener.name, loaded.message));
        head = loaded.head;
    }
    ear.post = listening_post(listener.name, listener.kind, listener.head_radius, head);
    ear.track_from_ear.linear() = axes_of(listener.facing);
    if (!listener.path.empty()) {
        ear.track = trajectory_of(listener.path);
        return ear;
    }
    if (!listener.trajectory.empty()) {
        io::ImportedPath imported = io::read_trajectory(listener.trajectory, listener.name);
        for (const std::string& message : imported.messages)
            messages.push_back(fmt::format("listener \"{}\": {}", listener.name, message));
        ear.track = std::move(imported.path);
        return ear;
    }
    ear.track_from_ear.translation() = listener.position;
    ear.track = at_rest(Eigen::Isometry3d::Identity());
    for (size_t i = 0; i < scene.objects.size(); ++i)
        if (scene::name_of(scene.objects[i]) == listener.attached_to) ear.track = motion.bodies[i];
    return ear;
}

Vec3 mirrored(const Vec3& point, const Mirror& mirror) { return {point.x(), 2 * mirror.height - point.y(), point.z()}; }

// Where the capsule is, or its image below the floor, from which the straight line to the source is as long as the way by the floor.
Vec3 capsule_world(const Way& way, double time) {
    const Vec3 capsule = pose_of(way.ear, time) * Vec3(way.ear.post.capsules.row(way.capsule).transpose());
    return way.mirror ? mirrored(capsule, *way.mirror) : capsule;
}

// Where the source's centre is, sampled once at a steady rate and cubic between: the poses themselves cost ten times as much, and
// the equation of the delay asks for them several times.
class CentrePath {
public:
    CentrePath(const Way& way, double duration, double rate_hz) : rate_hz_(rate_hz) {
        const long count = long(std::ceil(duration * rate_hz)) + 2;
        for (long i = 0; i < count; ++i) places_.push_back(pose_at(way.source, double(i) / rate_hz) * way.centre);
    }
    MovingPoint operator()(double time) const {
        const long last = long(places_.size()) - 2;
        const double at = time * rate_hz_;
        if (at <= 0) return {places_.front(), Vec3::Zero()};
        if (at >= double(last)) return {places_[size_t(last)], Vec3::Zero()};
        const long i = long(at);
        const double x = at - double(i);
        const Vec3 &p0 = places_[size_t(i)], &p1 = places_[size_t(i + 1)];
        const Vec3 m0 = i > 0 ? Vec3((p1 - places_[size_t(i - 1)]) / 2) : Vec3(p1 - p0);
        const Vec3 m1 = (places_[size_t(i + 2)] - p0) / 2;
        const Vec3 c = 3 * (p1 - p0) - 2 * m0 - m1, d = 2 * (p0 - p1) + m0 + m1;
        return {p0 + x * (m0 + x * (c + x * d)), (m0 + x * (2 * c + 3 * x * d)) * rate_hz_};
    }

private:
    double rate_hz_;
    std::vector<Vec3> places_;
};

bool is_at_rest(const Way& way) { return !moves(way.source) && !moves(way.ear.track); }

// When what is emitted now arrives: t = t_e + |L(t) − x|/c, a contraction for listeners slower than sound.
double arrival_time(const Way& way, double emission, const Vec3& source) {
    double time = emission;
    for (int i = 0; i < 6; ++i) time = emission + (capsule_world(way, time) - source).norm() / way.air.speed_of_sound;
    return time;
}

}  // namespace

std::vector<Ear> ears_of(const Scene& scene, const Motion& motion, std::vector<std::string>& messages) {
    std::vector<Ear> ears;
    int channel = 0;
    for (const scene::Listener& listener : scene.listeners) {
        ears.push_back(ear_of(listener, scene, motion, messages));
        ears.back().first_channel = channel;
        channel += int(ears.back().post.channels.size());
    }
    return ears;
}

Eigen::Isometry3d pose_of(const Ear& ear, double time) { return pose_at(ear.track, time) * ear.track_from_ear; }

std::optional<Mirror> mirror_of(const Scene& scene) {
    for (const scene::Object& object : scene.objects)
        if (const scene::Ground* ground = std::get_if<scene::Ground>(&object); ground && ground->reflection > 0)
            return Mirror{ground->height, ground->reflection};
    return std::nullopt;
}

Vec3 capsule_for(const Way& way, double emission) {
    const Eigen::Isometry3d pose = pose_at(way.source, emission);
    return pose.inverse() * capsule_world(way, arrival_time(way, emission, pose * way.centre));
}

Passage passage_of(const Way& way, double duration) {
    Passage passage;
    const long count = is_at_rest(way) ? 1 : long(std::ceil(duration * passage.control_hz)) + 2;
    passage.delays.resize(count);
    passage.directions.resize(count, 3);
    const CentrePath path(way, count > 1 ? duration : 0, passage.control_hz);
    const std::function<MovingPoint(double)> source = [&path](double time) { return path(time); };
    for (long i = 0; i < count; ++i) {
        const double time = double(i) / passage.control_hz;
        const double emission = emission_time(time, capsule_world(way, time), source, way.air.speed_of_sound);
        passage.delays[i] = time - emission;
        const Vec3 from = source(emission).position;
        const Vec3 seen = pose_of(way.ear, time).inverse() * (way.mirror ? mirrored(from, *way.mirror) : from);
        const double distance = seen.norm();
        passage.directions.row(i) = (distance > 0 ? Vec3(seen / distance) : Vec3(1, 0, 0)).transpose();
    }
    return passage;
}

std::vector<Station> stations_of(const Way& way, const StationOptions& options) {
    constexpr long block = Resonators::block_samples;
    const double cos_limit = std::cos(options.angle);
    const long rarest = std::max(1L, std::lround(0.1 * options.sample_rate / block)) * block;
    std::vector<Station> stations;
    Vec3 last_arm = Vec3::Zero();
    for (long sample = options.first_sample / block * block; sample < options.samples + block; sample += block) {
        const Vec3 capsule = capsule_for(way, double(sample) / options.sample_rate);
        const Vec3 arm = capsule - way.centre;
        const double now = arm.norm(), before = last_arm.norm();
        const bool turned = arm.dot(last_arm) < cos_limit * now * before;
        const bool due = sample % rarest == 0 && arm != last_arm;
        if (stations.empty() || turned || due || std::abs(now - before) > options.distance * before) {
            stations.push_back({sample, capsule});
            last_arm = arm;
        }
        if (is_at_rest(way)) break;
    }
    return stations;
}

}  // namespace clangor
