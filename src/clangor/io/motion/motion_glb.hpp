// A scene's motion as a picture: a .glb that Blender, a browser or any viewer plays.
//
//     io::write_motion_glb("drop.glb", {{.name = "bowl", .surface = bowl, .path = path}}, {.duration = 3});
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/motion/record/record.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clangor::io {

/// Something that moves.
struct MovingShape {
    std::string name = {};
    std::shared_ptr<const Surface> surface = {};  ///< in the body frame; none: an empty node, such as a listener
    Trajectory path = {};
    /// Of the surface, in the world, at a time, where it bends as well: its own ones are not read.
    std::function<Points(double time)> vertices = {};
};

struct MotionGlbOptions {
    double duration = 0;                ///< [s]
    double frame_rate = 60;             ///< keyframes in a second, before those on a straight line are left out [Hz]
    std::optional<double> ground = {};  ///< the height of a floor to draw [m]
    std::string ground_name = "ground";
};

/// The bytes of the file: a node for each shape with its mesh, a colour, and its motion as LINEAR keyframes. Read back
/// with read_trajectory, poses at the frames agree within 1e-6 (single precision near the origin). What bends is a mesh
/// as it is at the start, with as few morph targets as show it at each frame to a ten-thousandth of its size.
std::vector<std::byte> motion_glb(const std::vector<MovingShape>& shapes, const MotionGlbOptions& options);

/// Replaces the file at `path`, as a whole.
void write_motion_glb(const std::filesystem::path& path, const std::vector<MovingShape>& shapes,
                      const MotionGlbOptions& options);

}  // namespace clangor::io
