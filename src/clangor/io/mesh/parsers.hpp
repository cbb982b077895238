// One parser for each mesh format, and what they share.
//
// They are our own rather than assimp's: a scene file may name any file, so a reader must survive any bytes, keep to
// the memory that the file's size justifies, and say which line is wrong. Four formats need about 900 lines, all of
// which the fuzz target covers.
#pragma once

#include <clangor/io/file/file.hpp>
#include <clangor/io/gltf/gltf.hpp>
#include <clangor/io/mesh/mesh.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clangor::io {

Surface parse_obj(Bytes bytes, const std::string& name);
Surface parse_ply(Bytes bytes, const std::string& name);
Surface parse_stl(Bytes bytes, const std::string& name);

/// What is read of a glTF, and from where.
struct GltfSource {
    const std::string& name;  ///< in messages
    const SiblingReader& sibling;
    const std::string& node;  ///< "": the whole scene
};
Surface parse_gltf(Bytes bytes, const GltfSource& source);
Surface parse_glb(Bytes bytes, const GltfSource& source);

/// Vertices and triangles while their number is not known.
class MeshBuilder {
public:
    explicit MeshBuilder(std::string name) : name_(std::move(name)) {}

    void add_vertex(double x, double y, double z) { coordinates_.insert(coordinates_.end(), {x, y, z}); }
    void add_triangle(int a, int b, int c) { corners_.insert(corners_.end(), {a, b, c}); }
    /// Cuts a polygon into a fan about its first corner.
    void add_polygon(std::span<const int> polygon) {
        for (std::size_t k = 2; k < polygon.size(); ++k) add_triangle(polygon[0], polygon[k - 1], polygon[k]);
    }
    std::size_t vertex_count() const { return coordinates_.size() / 3; }
    std::size_t face_count() const { return corners_.size() / 3; }

    /// Throws if that many more would not fit the indices that we use.
    void check_room(std::size_t more_vertices, std::size_t more_faces) const;

    /// Throws if there is no face, or a coordinate is not finite.
    Surface finish() const;

private:
    std::string name_;
    std::vector<double> coordinates_;
    std::vector<int> corners_;
};

}  // namespace clangor::io
