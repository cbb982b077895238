// The motion as a picture, for any tool that plays glTF.
#include <clangor/render/placed_listeners.hpp>
#include <clangor/render/render.hpp>

namespace clangor {

void write_motion(const std::filesystem::path& path, const Scene& scene, const Baked& baked, const Motion& motion,
                  double frame_rate) {
    std::vector<io::MovingShape> shapes;
    io::MotionGlbOptions options{.duration = scene.duration, .frame_rate = frame_rate};
    for (size_t i = 0; i < baked.objects.size(); ++i) {
        const SoundingObject& object = baked.objects[i];
        if (object.picture)
            shapes.push_back(object.picture());
        else if (object.body && object.body->collision)
            shapes.push_back({object.name, object.body->collision, motion.bodies[i]});
        if (object.reflector) {
            options.ground = object.reflector->height;
            options.ground_name = object.name;
        }
    }
    std::vector<std::string> ignored;
    for (const PlacedListener& listener : placed_listeners(scene, motion, ignored)) {
        Trajectory track = listener.track;
        for (long k = 0; k < track.times.size(); ++k) {
            const Eigen::Isometry3d pose = pose_of(listener, track.times[k]);
            track.positions.row(k) = pose.translation().transpose();
            track.rotations.row(k) = Eigen::Quaterniond(pose.linear()).normalized().coeffs().transpose();
        }
        shapes.push_back({listener.listener->name, nullptr, track});
    }
    io::write_motion_glb(path, shapes, options);
}

}  // namespace clangor
