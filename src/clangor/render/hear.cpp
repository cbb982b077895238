#include <clangor/render/hear.hpp>

#include <fmt/format.h>

#include <algorithm>
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
        trajectory.times[i] = path[i].time;
        trajectory.positions.row(i) = path[i].position.transpose();
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

// Where the capsule is, or its image below the floor, from which the straight line to the source is as long as the way
// by the floor.
Vec3 capsule_world(const Way& way, double time) {
    const Vec3 capsule = pose_of(way.ear, time) * Vec3(way.ear.post.capsules.row(way.capsule).transpose());
    return way.mirror ? mirrored(capsule, *way.mirror) : capsule;
}

// Where the source's centre is, sampled once at a steady rate and cubic between: the poses themselves cost ten times as
// much, and the equation of the delay asks for them several times.
class CentrePath {
public:
    CentrePath(const Way& way, double duration, double rate_hz)
        : way_(way), rate_hz_(rate_hz), last_(long(std::ceil(duration * rate_hz))) {}

    // Samples what will be asked for; whatever else is asked for is found all the same, at ten times the cost.
    void prepare(double begin, double end) {
        first_ = std::clamp(long(std::floor(begin * rate_hz_)) - 1, 0L, last_ + 1);
        const long after = std::clamp(long(std::ceil(end * rate_hz_)) + 3, first_, last_ + 2);
        places_.clear();
        for (long i = first_; i < after; ++i) places_.push_back(sampled(i));
    }
    MovingPoint operator()(double time) const {
        const double at = time * rate_hz_;
        if (at <= 0) return {place(0), Vec3::Zero()};
        if (at >= double(last_)) return {place(last_), Vec3::Zero()};
        const long i = long(at);
        const double x = at - double(i);
        const Vec3 p0 = place(i), p1 = place(i + 1);
        const Vec3 m0 = i > 0 ? Vec3((p1 - place(i - 1)) / 2) : Vec3(p1 - p0);
        const Vec3 m1 = (place(i + 2) - p0) / 2;
        const Vec3 c = 3 * (p1 - p0) - 2 * m0 - m1, d = 2 * (p0 - p1) + m0 + m1;
        return {p0 + x * (m0 + x * (c + x * d)), (m0 + x * (2 * c + 3 * x * d)) * rate_hz_};
    }

private:
    Vec3 sampled(long i) const { return pose_at(way_.source, double(i) / rate_hz_) * way_.centre; }
    Vec3 place(long i) const {
        const long k = i - first_;
        return k >= 0 && k < long(places_.size()) ? places_[k] : sampled(i);
    }

    Way way_;
    double rate_hz_;
    long last_;
    long first_ = 0;
    std::vector<Vec3> places_;
};

bool is_at_rest(const Way& way) { return !moves(way.source) && !moves(way.ear.track); }

// When what is emitted now arrives: t = t_e + |L(t) − x|/c, a contraction for listeners slower than sound.
double arrival_time(const Way& way, double emission, const Vec3& source) {
    double time = emission;
    for (int i = 0; i < 6; ++i) time = emission + (capsule_world(way, time) - source).norm() / way.air.speed_of_sound;
    return time;
}

// Longer than any way that sound takes: from the boxes that hold both paths, which are monotone between their points,
// and a hundredth for the cubics through them [m].
double longest_way(const Way& way) {
    const auto low = [](const Trajectory& path) { return Vec3(path.positions.colwise().minCoeff().transpose()); };
    const auto high = [](const Trajectory& path) { return Vec3(path.positions.colwise().maxCoeff().transpose()); };
    Vec3 near = low(way.ear.track), far = high(way.ear.track);
    if (way.mirror) {
        const Vec3 a = mirrored(near, *way.mirror), b = mirrored(far, *way.mirror);
        near = a.cwiseMin(b), far = a.cwiseMax(b);
    }
    const Vec3 apart = (far - low(way.source)).cwiseAbs().cwiseMax((high(way.source) - near).cwiseAbs());
    const double around = way.centre.norm() + way.ear.track_from_ear.translation().norm() +
                          way.ear.post.capsules.rowwise().norm().maxCoeff();
    return 1.01 * (apart.norm() + 2 * around) + 0.1;
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

struct PassageCourse::Impl {
    Way way;
    double control_hz;
    long total;
    double longest;
    CentrePath path;
};

PassageCourse::PassageCourse(const Way& way, double duration) {
    const double control_hz = Passage{}.control_hz;
    const bool resting = is_at_rest(way);
    const long total = resting ? 1 : long(std::ceil(duration * control_hz)) + 2;
    impl_.reset(new Impl{way, control_hz, total, longest_way(way) / way.air.speed_of_sound,
                         CentrePath(way, resting ? 0 : duration, control_hz)});
}
PassageCourse::~PassageCourse() = default;
PassageCourse::PassageCourse(PassageCourse&&) noexcept = default;

double PassageCourse::longest_delay() const { return impl_->longest; }

Passage PassageCourse::between(double begin, double end) {
    const auto& [way, control_hz, total, longest, path] = *impl_;
    constexpr long more = 4;
    Passage passage{.control_hz = control_hz, .delays = {}, .directions = {}, .first = 0, .total = total};
    passage.first = std::clamp(long(std::floor(begin * control_hz)) - more, 0L, total - 1);
    const long after = std::clamp(long(std::ceil(end * control_hz)) + 1 + more, passage.first + 1, total);
    passage.delays.resize(after - passage.first);
    passage.directions.resize(after - passage.first, 3);
    if (total > 1) impl_->path.prepare(double(passage.first) / control_hz - longest, double(after) / control_hz);
    const std::function<MovingPoint(double)> source = [&](double time) { return impl_->path(time); };
    for (long i = 0; i < after - passage.first; ++i) {
        const double time = double(passage.first + i) / control_hz;
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
