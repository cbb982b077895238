/// @file mesh.hpp — triangle surfaces from OBJ, PLY, STL and glTF files.
/// In        paths; bytes that may hold anything.
/// Out       a Surface, or Error with file and line. Coordinates are taken as metres; nothing is scaled.
/// Not here  cleaning (geometry), how a node moves (io/motion).
///
///     const CleanSurface cup = clean(io::read_mesh("cup.obj"));
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace clangor::io {

enum class MeshFormat { Obj, Ply, Stl, Gltf, Glb };

/// The faces as the file has them, polygons cut into triangles: give the result to `clean`. A glTF is all of its scene,
/// every node where it stands in the world. "shot.glb#Cup1" takes one node with what hangs below it (but for nodes that
/// move by themselves), in the frame that its trajectory moves: with the node's scale and that of its parents, without
/// their places. Throws Error, naming the file and the line where it has lines, for everything that is not a mesh with
/// at least one face.
Surface read_mesh(const std::filesystem::path& path);

/// The same from memory. `name` stands for the file in messages. A glTF that keeps its numbers in other files is
/// refused, because it has no folder to look in. `node` "" takes all of a glTF.
Surface parse_mesh(std::span<const std::byte> bytes, MeshFormat format, const std::string& name,
                   const std::string& node = {});

/// By content where the content is unmistakable, else by the file name's ending.
MeshFormat mesh_format_of(const std::filesystem::path& path, std::span<const std::byte> bytes);

}  // namespace clangor::io
