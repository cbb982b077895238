#include <clangor/render/placed_listeners.hpp>

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
        trajectory.times[i] = path[i].time;
        trajectory.positions.row(i) = path[i].position.transpose();
        trajectory.rotations.row(i) << 0, 0, 0, 1;
    }
    return trajectory;
}

PlacedListener placed(const scene::Listener& listener, const Scene& scene, const Motion& motion,
                      std::vector<std::string>& messages) {
    PlacedListener place{.listener = &listener, .array = {}, .first_channel = 0, .track = {}};
    HeadMeasurementPtr head;
    if (!listener.sofa.empty()) {
        LoadedHead loaded = load_head(listener.sofa.string(), scene.sample_rate);
        if (!loaded.message.empty())
            messages.push_back(fmt::format("listener \"{}\": {}", listener.name, loaded.message));
        head = loaded.head;
    }
    place.array = microphone_array(listener.name, listener.kind, listener.head_radius, head);
    place.track_from_listener.linear() = axes_of(listener.facing);
    if (!listener.path.empty()) {
        place.track = trajectory_of(listener.path);
        return place;
    }
    if (!listener.trajectory.empty()) {
        io::ImportedPath imported = io::read_trajectory(listener.trajectory, listener.name);
        for (const std::string& message : imported.messages)
            messages.push_back(fmt::format("listener \"{}\": {}", listener.name, message));
        place.track = std::move(imported.path);
        return place;
    }
    place.track_from_listener.translation() = listener.position;
    place.track = at_rest(Eigen::Isometry3d::Identity());
    for (size_t i = 0; i < scene.objects.size(); ++i)
        if (scene::name_of(scene.objects[i]) == listener.attached_to) place.track = motion.bodies[i];
    return place;
}

}  // namespace

std::vector<PlacedListener> placed_listeners(const Scene& scene, const Motion& motion,
                                             std::vector<std::string>& messages) {
    std::vector<PlacedListener> result;
    int channel = 0;
    for (const scene::Listener& listener : scene.listeners) {
        result.push_back(placed(listener, scene, motion, messages));
        result.back().first_channel = channel;
        channel += int(result.back().array.channels.size());
    }
    return result;
}

}  // namespace clangor
