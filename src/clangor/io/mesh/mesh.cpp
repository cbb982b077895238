#include <clangor/io/mesh/mesh.hpp>

#include <clangor/io/file/file.hpp>
#include <clangor/io/mesh/parsers.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <new>

namespace clangor::io {

void MeshBuilder::check_room(std::size_t more_vertices, std::size_t more_faces) const {
    constexpr std::size_t most = std::numeric_limits<int>::max();
    if (more_vertices > most - std::min(most, vertex_count()) ||
        more_faces > most / 3 - std::min(most / 3, face_count())) {
        fail(name_, "the mesh has more than 2147483647 vertices or corners of triangles; simplify it");
    }
}

Surface MeshBuilder::finish() const {
    if (corners_.empty()) {
        fail(name_, "has {} vertices but no faces; export it as triangles or polygons, not as points or curves",
             vertex_count());
    }
    for (std::size_t i = 0; i < coordinates_.size(); ++i) {
        if (std::isfinite(coordinates_[i])) continue;
        fail(name_, "vertex {} has the coordinate {}, which is no place; export the mesh again", i / 3 + 1,
             coordinates_[i]);
    }
    return {Eigen::Map<const Points>(coordinates_.data(), static_cast<Eigen::Index>(vertex_count()), 3),
            Eigen::Map<const Triangles>(corners_.data(), static_cast<Eigen::Index>(face_count()), 3)};
}

namespace {

std::vector<std::byte> file_content(const std::filesystem::path& path) {
    const std::string name = path.string();
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) fail(name, "there is no such file; check the path");
    if (std::filesystem::is_directory(status)) fail(name, "is a folder; name the mesh file in it");
    if (!std::filesystem::is_regular_file(status)) fail(name, "is not a regular file; copy its content into one");
    const auto size = std::filesystem::file_size(path, error);
    if (error) fail(name, "cannot be read: {}", error.message());

    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(name, "cannot be opened: {}", std::strerror(errno));
    std::vector<std::byte> bytes(size);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    if (static_cast<std::uintmax_t>(file.gcount()) != size)
        fail(name, "cannot be read to its end: {}", std::strerror(errno));
    return bytes;
}

Surface parse(Bytes bytes, MeshFormat format, const GltfSource& source) {
    const std::string& name = source.name;
    if (bytes.empty()) fail(name, "the file is empty; export the mesh again");
    if (!source.node.empty() && format != MeshFormat::Gltf && format != MeshFormat::Glb) {
        fail(name, "has no nodes, so that there is no \"{}\" in it; leave out what follows the #", source.node);
    }
    try {
        switch (format) {
            case MeshFormat::Obj:
                return parse_obj(bytes, name);
            case MeshFormat::Ply:
                return parse_ply(bytes, name);
            case MeshFormat::Stl:
                return parse_stl(bytes, name);
            case MeshFormat::Gltf:
                return parse_gltf(bytes, source);
            case MeshFormat::Glb:
                return parse_glb(bytes, source);
        }
    } catch (const std::bad_alloc&) {
        throw Error(name + ": there is not enough memory for this mesh; simplify it", Blame::Work);
    }
    throw std::logic_error("unknown mesh format");
}

}  // namespace

MeshFormat mesh_format_of(const std::filesystem::path& path, Bytes bytes) {
    const std::string_view text = text_of(bytes);
    if (text.starts_with("glTF")) return MeshFormat::Glb;
    if (text.starts_with("ply\n") || text.starts_with("ply\r")) return MeshFormat::Ply;
    std::string ending = path.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (ending == ".obj") return MeshFormat::Obj;
    if (ending == ".ply") return MeshFormat::Ply;
    if (ending == ".stl") return MeshFormat::Stl;
    if (ending == ".gltf") return MeshFormat::Gltf;
    if (ending == ".glb") return MeshFormat::Glb;
    fail(path.string(), "is in no format that is known here; use .obj, .ply, .stl, .gltf or .glb");
}

Surface parse_mesh(Bytes bytes, MeshFormat format, const std::string& name, const std::string& node) {
    const SiblingReader sibling = [&](const std::string& relative) -> std::vector<std::byte> {
        fail(name, "keeps its numbers in {}, which cannot be found from here; export it as .glb", relative);
    };
    return parse(bytes, format, {name, sibling, node});
}

Surface read_mesh(const std::filesystem::path& path) {
    const auto [file, node] = file_part(path);
    const std::vector<std::byte> bytes = file_content(file);
    const std::string name = file.string();
    if (bytes.empty()) fail(name, "the file is empty; export the mesh again");
    const SiblingReader sibling = [folder = file.parent_path()](const std::string& relative) {
        return file_content(folder / relative);
    };
    return parse(bytes, mesh_format_of(file, bytes), {name, sibling, node});
}

}  // namespace clangor::io
