// Trajectories from other programs: tables of poses, and animated nodes of glTF scenes.
//
//     const Trajectory cup = io::read_trajectory("cup.csv").path;
//     const Trajectory lid = io::read_trajectory("shot.glb#Lid").path;
#pragma once

#include <clangor/motion/record/record.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

/// What a file tells of one object's motion.
struct ImportedPath {
    Trajectory path;  ///< time 0 is the first frame of the shot
    std::vector<std::string>
        messages;  ///< what the user should know: a node that is not animated, an unusual first frame
};

/// A table (.csv, .tsv, .txt) or a node of a .gltf or .glb: "shot.glb#Lid". Without a part behind #, the node that is
/// called like `object` is taken, or the only one that is animated. Blender's glTF has frame 1 at 1/24 s; its earliest
/// keyframe is taken for the first frame of the shot. Throws Error with file, line and what to do.
ImportedPath read_trajectory(const std::filesystem::path& path, const std::string& object = {});

/// A table that is in no file. `name` stands in messages.
Trajectory parse_trajectory(std::string_view text, const std::string& name);

/// One node's motion from the bytes of a .gltf or .glb that needs no other file.
ImportedPath parse_node_motion(std::span<const std::byte> bytes, const std::string& name, const std::string& node,
                               const std::string& object = {});

}  // namespace clangor::io
