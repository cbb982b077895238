#include <clangor/render/delay_curves.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Where the source's centre is, sampled once at a steady rate and cubic between: the poses themselves cost ten times as
// much, and the equation of the delay asks for them several times.
class CentrePath {
public:
    CentrePath(const SoundPath& path, double duration, double rate_hz)
        : path_(path), rate_hz_(rate_hz), last_(long(std::ceil(duration * rate_hz))) {}

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
    Vec3 sampled(long i) const { return pose_at(path_.source, double(i) / rate_hz_) * path_.centre; }
    Vec3 place(long i) const {
        const long k = i - first_;
        return k >= 0 && k < long(places_.size()) ? places_[k] : sampled(i);
    }

    SoundPath path_;
    double rate_hz_;
    long last_;
    long first_ = 0;
    std::vector<Vec3> places_;
};

// Longer than any path of sound: from the boxes that hold both tracks, which are monotone between their points,
// and a hundredth for the cubics through them [m].
double longest_distance(const SoundPath& path) {
    const auto low = [](const Trajectory& track) { return Vec3(track.positions.colwise().minCoeff().transpose()); };
    const auto high = [](const Trajectory& track) { return Vec3(track.positions.colwise().maxCoeff().transpose()); };
    Vec3 near = low(path.listener.track), far = high(path.listener.track);
    if (path.reflector) {
        const Vec3 a = reflected(near, *path.reflector), b = reflected(far, *path.reflector);
        near = a.cwiseMin(b), far = a.cwiseMax(b);
    }
    const Vec3 apart = (far - low(path.source)).cwiseAbs().cwiseMax((high(path.source) - near).cwiseAbs());
    const double around = path.centre.norm() + path.listener.track_from_listener.translation().norm() +
                          path.listener.array.capsules.rowwise().norm().maxCoeff();
    return 1.01 * (apart.norm() + 2 * around) + 0.1;
}

}  // namespace

struct DelayCurves::Impl {
    SoundPath path;
    double control_hz;
    long total;
    double longest;
    CentrePath centre;
};

DelayCurves::DelayCurves(const SoundPath& path, double duration) {
    const double control_hz = DelayCurve{}.control_hz;
    const bool resting = is_at_rest(path);
    const long total = resting ? 1 : long(std::ceil(duration * control_hz)) + 2;
    impl_.reset(new Impl{path, control_hz, total, longest_distance(path) / path.air.speed_of_sound,
                         CentrePath(path, resting ? 0 : duration, control_hz)});
}
DelayCurves::~DelayCurves() = default;
DelayCurves::DelayCurves(DelayCurves&&) noexcept = default;

double DelayCurves::longest_delay() const { return impl_->longest; }

DelayCurve DelayCurves::between(double begin, double end) {
    const auto& [path, control_hz, total, longest, centre] = *impl_;
    constexpr long more = 4;
    DelayCurve delay_curve{.control_hz = control_hz, .delays = {}, .directions = {}, .first = 0, .total = total};
    delay_curve.first = std::clamp(long(std::floor(begin * control_hz)) - more, 0L, total - 1);
    const long after = std::clamp(long(std::ceil(end * control_hz)) + 1 + more, delay_curve.first + 1, total);
    delay_curve.delays.resize(after - delay_curve.first);
    delay_curve.directions.resize(after - delay_curve.first, 3);
    if (total > 1) impl_->centre.prepare(double(delay_curve.first) / control_hz - longest, double(after) / control_hz);
    const std::function<MovingPoint(double)> source = [&](double time) { return impl_->centre(time); };
    for (long i = 0; i < after - delay_curve.first; ++i) {
        const double time = double(delay_curve.first + i) / control_hz;
        const double emission = emission_time(time, capsule_world(path, time), source, path.air.speed_of_sound);
        delay_curve.delays[i] = time - emission;
        const Vec3 from = source(emission).position;
        const Vec3 seen =
            pose_of(path.listener, time).inverse() * (path.reflector ? reflected(from, *path.reflector) : from);
        const double distance = seen.norm();
        delay_curve.directions.row(i) = (distance > 0 ? Vec3(seen / distance) : Vec3(1, 0, 0)).transpose();
    }
    return delay_curve;
}

}  // namespace clangor
