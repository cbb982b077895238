// glTF 2.0: the triangles of its scene, each node's placement applied. Skins, morph targets and looks are ignored.
#include <clangor/io/mesh_gltf_data.hpp>
#include <clangor/io/mesh_text.hpp>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace clangor::io {
namespace gltf {
namespace {

using Placement = Eigen::Matrix4d;  ///< parent (or world) from node

template <std::size_t N>
std::optional<std::array<double, N>> numbers(const Document& document, const Json& node, const char* key) {
    const Json* const list = member(node, key);
    if (!list) return std::nullopt;
    std::array<double, N> values;
    bool sound = list->is_array() && list->size() == N;
    for (std::size_t i = 0; sound && i < N; ++i) {
        sound = (*list)[i].is_number();
        if (sound) values[i] = (*list)[i].get<double>();
    }
    if (!sound) fail(document.name, "a node's \"{}\" should be {} numbers; export the mesh again", key, N);
    return values;
}

Placement placement_of(const Document& document, const Json& node) {
    if (const auto matrix = numbers<16>(document, node, "matrix")) {
        return Eigen::Map<const Placement>(matrix->data());  // columns first, in glTF as here
    }
    Eigen::Affine3d parent_from_node = Eigen::Affine3d::Identity();
    if (const auto t = numbers<3>(document, node, "translation")) parent_from_node.translate(Vec3(t->data()));
    if (const auto q = numbers<4>(document, node, "rotation")) {
        parent_from_node.rotate(Eigen::Quaterniond((*q)[3], (*q)[0], (*q)[1], (*q)[2]).normalized());
    }
    if (const auto s = numbers<3>(document, node, "scale")) parent_from_node.scale(Vec3(s->data()));
    return parent_from_node.matrix();
}

/// Triangles of one primitive as positions in its list of corners.
enum class Mode { Triangles = 4, Strip = 5, Fan = 6 };

std::array<std::size_t, 3> triangle(Mode mode, std::size_t i) {
    switch (mode) {
        case Mode::Triangles:
            return {3 * i, 3 * i + 1, 3 * i + 2};
        case Mode::Strip:
            return i % 2 ? std::array{i, i + 2, i + 1} : std::array{i, i + 1, i + 2};
        case Mode::Fan:
            return {i + 1, i + 2, 0};
    }
    return {};
}

class SceneReader {
public:
    explicit SceneReader(const Document& document) : document_(document), buffers_(document), mesh_(document.name) {}

    Surface read() {
        check_extensions();
        struct Visit {
            std::uint64_t node;
            Placement world_from_parent;
        };
        std::vector<Visit> open;
        const std::vector<std::uint64_t> roots = root_nodes();
        for (auto root = roots.rbegin(); root != roots.rend(); ++root) open.push_back({*root, Placement::Identity()});
        std::vector<char> seen(list_size("nodes"), 0);
        while (!open.empty()) {  // a stack of our own: no depth of nesting can exhaust the thread's
            const Visit visit = open.back();
            open.pop_back();
            const Json& node = entry(document_, "nodes", visit.node);
            if (seen[visit.node]++) {
                fail(document_.name, "nodes[{}] is reached twice, but nodes must form a tree; export the mesh again",
                     visit.node);
            }
            const Placement world_from_node = visit.world_from_parent * placement_of(document_, node);
            if (const auto mesh = whole(document_, node, "mesh", 1u << 31)) add_mesh(*mesh, world_from_node);
            for (const std::uint64_t child : indices(node, "children")) open.push_back({child, world_from_node});
        }
        if (list_size("nodes") == 0) {
            for (std::size_t mesh = 0; mesh < list_size("meshes"); ++mesh) add_mesh(mesh, Placement::Identity());
        }
        return mesh_.finish();
    }

private:
    std::size_t list_size(const char* key) const {
        const Json* const list = member(document_.root, key);
        return list && list->is_array() ? list->size() : 0;
    }

    std::vector<std::uint64_t> indices(const Json& object, const char* key) const {
        std::vector<std::uint64_t> result;
        const Json* const list = member(object, key);
        if (!list) return result;
        if (!list->is_array()) fail(document_.name, "\"{}\" should be a list of numbers; export the mesh again", key);
        for (const Json& item : *list) {
            if (!item.is_number_unsigned())
                fail(document_.name, "\"{}\" should be a list of numbers; export the mesh again", key);
            result.push_back(item.get<std::uint64_t>());
        }
        return result;
    }

    /// The default scene's, else the first scene's, else all nodes that are no child of another.
    std::vector<std::uint64_t> root_nodes() const {
        if (list_size("scenes") > 0) {
            const std::uint64_t scene = whole(document_, document_.root, "scene", 1u << 31).value_or(0);
            return indices(entry(document_, "scenes", scene), "nodes");
        }
        std::vector<char> is_child(list_size("nodes"), 0);
        for (std::size_t n = 0; n < is_child.size(); ++n) {
            for (const std::uint64_t child : indices(entry(document_, "nodes", n), "children")) {
                if (child < is_child.size()) is_child[child] = 1;
            }
        }
        std::vector<std::uint64_t> roots;
        for (std::size_t n = 0; n < is_child.size(); ++n) {
            if (!is_child[n]) roots.push_back(n);
        }
        return roots;
    }

    /// Extensions that change where triangles are, and that the file says cannot be ignored.
    void check_extensions() const {
        const Json* const required = member(document_.root, "extensionsRequired");
        if (!required || !required->is_array()) return;
        constexpr std::string_view harmless[] = {
            "KHR_mesh_quantization", "KHR_materials_", "KHR_texture_", "EXT_texture_",
            "KHR_lights_",           "EXT_lights_",    "KHR_xmp",      "KHR_animation_"};
        for (const Json& item : *required) {
            const std::string extension = item.is_string() ? item.get<std::string>() : "";
            const bool ignorable = std::any_of(std::begin(harmless), std::end(harmless),
                                               [&](std::string_view known) { return extension.starts_with(known); });
            if (!ignorable) {
                fail(document_.name,
                     "needs the extension \"{}\", which is not read here; export it without compression or "
                     "extensions",
                     printable(extension));
            }
        }
    }

    void add_mesh(std::uint64_t index, const Placement& world_from_mesh) {
        const Json* const primitives = member(entry(document_, "meshes", index), "primitives");
        if (!primitives || !primitives->is_array()) {
            fail(document_.name, "meshes[{}] has no primitives; export the mesh again", index);
        }
        for (const Json& primitive : *primitives) add_primitive(primitive, world_from_mesh);
    }

    void add_primitive(const Json& primitive, const Placement& world_from_mesh) {
        if (const Json* const extensions = member(primitive, "extensions");
            extensions && extensions->contains("KHR_draco_mesh_compression")) {
            fail(document_.name, "is compressed with Draco, which is not read here; export it without compression");
        }
        const std::uint64_t mode = whole(document_, primitive, "mode", 6).value_or(4);
        if (mode < 4) return;  // points and lines
        const Json* const attributes = member(primitive, "attributes");
        const auto position = attributes ? whole(document_, *attributes, "POSITION", 1u << 31) : std::nullopt;
        if (!position) fail(document_.name, "a primitive has no POSITION; export the mesh again");

        const Accessor vertices = buffers_.accessor(*position, "VEC3");
        const std::vector<int> corners = corners_of(primitive, vertices.count);
        if (mode == 4 && corners.size() % 3 != 0) {
            fail(document_.name, "a primitive of triangles has {} corners, not a multiple of three", corners.size());
        }
        const std::size_t faces = mode == 4 ? corners.size() / 3 : std::max<std::size_t>(corners.size(), 2) - 2;
        mesh_.check_room(vertices.count, faces);
        const int first = static_cast<int>(mesh_.vertex_count());
        for (std::size_t v = 0; v < vertices.count; ++v) {
            const Eigen::Vector4d x(vertices.value(v, 0), vertices.value(v, 1), vertices.value(v, 2), 1);
            const Vec3 world = (world_from_mesh * x).head<3>();
            mesh_.add_vertex(world.x(), world.y(), world.z());
        }
        const bool mirrored = world_from_mesh.topLeftCorner<3, 3>().determinant() < 0;
        for (std::size_t i = 0; i < faces; ++i) {
            const auto [a, b, c] = triangle(static_cast<Mode>(mode), i);
            mesh_.add_triangle(first + corners[a], first + corners[mirrored ? c : b],
                               first + corners[mirrored ? b : c]);
        }
    }

    /// The primitive's vertices in the order of its corners.
    std::vector<int> corners_of(const Json& primitive, std::size_t vertex_count) {
        std::vector<int> corners;
        const auto index = whole(document_, primitive, "indices", 1u << 31);
        if (!index) {
            corners.resize(vertex_count);
            for (std::size_t i = 0; i < vertex_count; ++i) corners[i] = static_cast<int>(i);
            return corners;
        }
        const Accessor accessor = buffers_.accessor(*index, "SCALAR");
        corners.resize(accessor.count);
        for (std::size_t i = 0; i < accessor.count; ++i) {
            const double vertex = accessor.value(i, 0);
            if (!(vertex >= 0 && vertex < static_cast<double>(vertex_count))) {
                fail(document_.name,
                     "a triangle names vertex {}, but only {} are there, counted from 0; export the mesh again", vertex,
                     vertex_count);
            }
            corners[i] = static_cast<int>(vertex);
        }
        return corners;
    }

    const Document& document_;
    Buffers buffers_;
    MeshBuilder mesh_;
};

/// nlohmann's "[json.exception.parse_error.101] parse error at line 1, column 5: …" from where it gets useful; the rest
/// may quote raw bytes.
std::string reason(const Json::exception& error) {
    const std::string_view what = error.what();
    const std::size_t start = what.find("line "), end = what.find(':');
    return start < end && end != std::string_view::npos ? std::string(what.substr(start, end - start)) : "damaged text";
}

Json parsed(std::string_view text, const std::string& name) {
    constexpr int deepest = 64;  // a glTF needs about ten; unbounded nesting is an attack on memory
    const auto guard = [&](int depth, Json::parse_event_t, Json&) {
        if (depth > deepest)
            fail(name, "its JSON is nested more than {} deep; it is damaged: export the mesh again", deepest);
        return true;
    };
    try {
        return Json::parse(text, guard);
    } catch (const Json::exception& error) {
        fail(name, "is not valid JSON ({}); export the mesh again", reason(error));
    }
}

}  // namespace
}  // namespace gltf

namespace {

Surface parse_document(std::string_view json, Bytes chunk, const std::string& name, const SiblingReader& sibling) {
    const gltf::Json root = gltf::parsed(json, name);
    const gltf::Json* const asset = gltf::member(root, "asset");
    const gltf::Json* const version = asset ? gltf::member(*asset, "version") : nullptr;
    if (!version || !version->is_string() || !version->get_ref<const std::string&>().starts_with("2.")) {
        fail(name, "is not glTF 2.0 (asset.version should be \"2.0\"); export it as glTF 2.0");
    }
    const gltf::Document document{name, root, chunk, sibling};
    return gltf::SceneReader(document).read();
}

}  // namespace

Surface parse_gltf(Bytes bytes, const std::string& name, const SiblingReader& sibling) {
    return parse_document(text_of(bytes), {}, name, sibling);
}

// "glTF", version, total length; then chunks of length, kind, content: one of JSON, and perhaps one of numbers.
Surface parse_glb(Bytes bytes, const std::string& name, const SiblingReader& sibling) {
    const auto word = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    if (bytes.size() < 20 || !text_of(bytes).starts_with("glTF")) {
        fail(name, "does not start as a .glb file does; it is truncated or damaged: export the mesh again");
    }
    if (word(4) != 2) fail(name, "is version {} of .glb; export it as glTF 2.0", word(4));
    const auto chunk = [&](std::size_t at, std::uint32_t kind) -> Bytes {
        if (bytes.size() < at + 8 || word(at + 4) != kind) return {};
        if (word(at) > bytes.size() - at - 8)
            fail(name, "is truncated in the chunk at byte {}; export the mesh again", at);
        return bytes.subspan(at + 8, word(at));
    };
    const Bytes json = chunk(12, 0x4E4F534A);
    if (json.empty()) fail(name, "has no JSON chunk; export the mesh again");
    const std::size_t next = 20 + (json.size() + 3) / 4 * 4;
    return parse_document(text_of(json), chunk(next, 0x004E4942), name, sibling);
}

}  // namespace clangor::io
