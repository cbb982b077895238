// glTF 2.0: the triangles of its scene, each node's placement applied, or those of one node and what hangs below it, in
// the node's own frame. Skins, morph targets and looks are ignored.
#include <clangor/io/mesh/parsers.hpp>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>

namespace clangor::io {
namespace gltf {
namespace {

using Placement = Eigen::Matrix4d;  ///< parent (or world) from node

Placement placement_of(const Document& document, const Json& node) {
    if (const auto matrix = numbers(document, node, "matrix", 16); !matrix.empty()) {
        return Eigen::Map<const Placement>(matrix.data());  // columns first, in glTF as here
    }
    Eigen::Affine3d parent_from_node = Eigen::Affine3d::Identity();
    const std::vector<double> t = numbers(document, node, "translation", 3);
    const std::vector<double> q = numbers(document, node, "rotation", 4);
    const std::vector<double> s = numbers(document, node, "scale", 3);
    if (!t.empty()) parent_from_node.translate(Vec3(t.data()));
    if (!q.empty()) parent_from_node.rotate(Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized());
    if (!s.empty()) parent_from_node.scale(Vec3(s.data()));
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
        std::vector<Visit> roots;
        for (const std::uint64_t root : root_nodes()) roots.push_back({root, Placement::Identity()});
        add_trees(roots, [](std::size_t) { return true; });
        if (list_size(document_, "nodes") == 0) {
            for (std::size_t mesh = 0; mesh < list_size(document_, "meshes"); ++mesh)
                add_mesh(mesh, Placement::Identity());
        }
        return mesh_.finish();
    }

    /// In the frame that the node's trajectory moves: scaled by the node and by what carries it, but not placed. What
    /// hangs below it comes with it, where it stands, unless it moves by itself: then it is another body.
    Surface read(const std::string& name) {
        check_extensions();
        const std::size_t node = node_called(document_, name);
        const Json& chosen = entry(document_, "nodes", node);
        Placement frame_from_node = Placement::Identity();
        frame_from_node.topLeftCorner<3, 3>() = scale_of(node).asDiagonal();
        if (const auto mesh = whole(document_, chosen, "mesh", 1u << 31)) add_mesh(*mesh, frame_from_node);
        std::vector<Visit> parts;
        for (const std::uint64_t child : indices(document_, chosen, "children"))
            parts.push_back({child, frame_from_node});
        const NodeSamplers samplers = parts.empty() ? NodeSamplers() : samplers_of(document_);
        bool left_out = false;
        add_trees(parts, [&](std::size_t child) {
            const bool moves = moves_by_itself(document_, buffers_, samplers, child);
            left_out |= moves;
            return !moves;
        });
        if (mesh_.face_count() > 0) return mesh_.finish();
        fail(document_.name, "the node \"{}\" has no mesh, {}; of those that have one, {}", printable(name),
             left_out ? "and what hangs below it moves by itself" : "nor has anything below it",
             names_like(document_, name,
                        [&](std::size_t n) { return member(entry(document_, "nodes", n), "mesh") != nullptr; }));
    }

private:
    struct Visit {
        std::uint64_t node;
        Placement world_from_parent;
    };

    /// Along the node's own axes, with what its parents add.
    Vec3 scale_of(std::size_t node) const {
        Vec3 scale = placed(document_, node).scale;
        for (const std::size_t n : chain_to(document_, parents_of(document_), node))
            if (n != node) scale *= carried_scale(document_, n, placed(document_, n).scale).size;
        return scale;
    }

    void add_trees(const std::vector<Visit>& roots, const std::function<bool(std::size_t)>& belongs) {
        std::vector<Visit> open(roots.rbegin(), roots.rend());
        std::vector<char> seen(list_size(document_, "nodes"), 0);
        while (!open.empty()) {  // a stack of our own: no depth of nesting can exhaust the thread's
            const Visit visit = open.back();
            open.pop_back();
            const Json& node = entry(document_, "nodes", visit.node);
            if (seen[visit.node]++) {
                fail(document_.name, "nodes[{}] is reached twice, but nodes must form a tree; export it again",
                     visit.node);
            }
            if (!belongs(visit.node)) continue;
            const Placement world_from_node = visit.world_from_parent * placement_of(document_, node);
            if (const auto mesh = whole(document_, node, "mesh", 1u << 31)) add_mesh(*mesh, world_from_node);
            for (const std::uint64_t child : indices(document_, node, "children"))
                open.push_back({child, world_from_node});
        }
    }

    /// The default scene's, else the first scene's, else all nodes that are no child of another.
    std::vector<std::uint64_t> root_nodes() const {
        if (list_size(document_, "scenes") > 0) {
            const std::uint64_t scene = whole(document_, document_.root, "scene", 1u << 31).value_or(0);
            return indices(document_, entry(document_, "scenes", scene), "nodes");
        }
        std::vector<char> is_child(list_size(document_, "nodes"), 0);
        for (std::size_t n = 0; n < is_child.size(); ++n) {
            for (const std::uint64_t child : indices(document_, entry(document_, "nodes", n), "children")) {
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
            fail(document_.name, "meshes[{}] has no primitives; export it again", index);
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
        if (!position) fail(document_.name, "a primitive has no POSITION; export it again");

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
                     "a triangle names vertex {}, but only {} are there, counted from 0; export it again", vertex,
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

}  // namespace
}  // namespace gltf

namespace {

Surface surface_in(Bytes bytes, gltf::Container container, const GltfSource& source) {
    Surface surface;
    gltf::open_document(bytes, container, source.name, source.sibling, [&](const gltf::Document& document) {
        gltf::SceneReader reader(document);
        surface = source.node.empty() ? reader.read() : reader.read(source.node);
    });
    return surface;
}

}  // namespace

Surface parse_gltf(Bytes bytes, const GltfSource& source) { return surface_in(bytes, gltf::Container::Text, source); }

Surface parse_glb(Bytes bytes, const GltfSource& source) { return surface_in(bytes, gltf::Container::Binary, source); }

}  // namespace clangor::io
