// The motion as a picture, for any tool that plays glTF.
#include <clangor/render/hear.hpp>
#include <clangor/render/render.hpp>

namespace clangor {

void write_motion(const std::filesystem::path& path, const Scene& scene, const Motion& motion, double frame_rate) {
    std::vector<io::MovingShape> shapes;
    io::MotionGlbOptions options{.duration = scene.duration, .frame_rate = frame_rate};
    for (size_t i = 0; i < scene.objects.size(); ++i)
        std::visit(overloaded{
                       [&](const scene::Solid& solid) {
                           const Surface surface = clean(surface_of_source(solid.mesh, solid.scale)).surface;
                           shapes.push_back({solid.name, std::make_shared<const Surface>(surface), motion.bodies[i]});
                       },
                       [&](const scene::Ground& ground) {
                           options.ground = ground.height;
                           options.ground_name = ground.name;
                       },
                   },
                   scene.objects[i]);
    std::vector<std::string> ignored;
    for (const Ear& ear : ears_of(scene, motion, ignored)) {
        Trajectory track = ear.track;
        for (long k = 0; k < track.times.size(); ++k) {
            const Eigen::Isometry3d pose = pose_of(ear, track.times[k]);
            track.positions.row(k) = pose.translation().transpose();
            track.rotations.row(k) = Eigen::Quaterniond(pose.linear()).normalized().coeffs().transpose();
        }
        shapes.push_back({ear.listener->name, nullptr, track});
    }
    io::write_motion_glb(path, shapes, options);
}

}  // namespace clangor
