// Trajectories from other programs: tables of poses, and animated nodes of glTF scenes.
//
//     const Trajectory cup = io::read_trajectory("cup.csv");
//     const Trajectory lid = io::read_trajectory("shot.glb#Lid");
#pragma once

#include <clangor/motion/record/record.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace clangor::io {

/// A table (.csv, .tsv, .txt) or a node of a .gltf or .glb: "shot.glb#Lid". Without a part behind #, the node that is called
/// like `object` is taken, or the only one that is animated. Throws Error with file, line and what to do.
Trajectory read_trajectory(const std::filesystem::path& path, const std::string& object = {});

/// A table that is in no file. `name` stands in messages.
Trajectory parse_trajectory(std::string_view text, const std::string& name);

/// One node's motion from the bytes of a .gltf or .glb that needs no other file.
Trajectory parse_node_motion(std::span<const std::byte> bytes, const std::string& name, const std::string& node,
                             const std::string& object = {});

}  // namespace clangor::io
