#include <clangor/io/motion/motion_glb.hpp>

#include <clangor/io/file/file.hpp>
#include <clangor/io/motion/bending.hpp>
#include <clangor/io/motion/keyframes.hpp>
#include <clangor/io/motion/shading.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace clangor::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr double tolerance = 3e-7;  // of a keyframe that is left out, a few steps of single precision at 1 m [m, rad]
constexpr int float_type = 5126, uint_type = 5125;
constexpr int vertex_data = 34962, index_data = 34963;
constexpr double ground_size = 20;  // of the floor that is drawn [m]

// Of what bends: how far its vertices may be off, in its size (a tenth of a pixel where it fills the picture) and in
// its thickness, and where its sides meet in an edge. Round rods have eight sides, and none.
constexpr double bending_tolerance = 1e-4, bending_tolerance_of_details = 0.2, bending_crease_deg = 50;

double tolerance_of_bending(const Surface& surface) {
    std::vector<double> shortest;
    for (long f = 0; f < surface.faces.rows(); ++f) {
        double least = std::numeric_limits<double>::infinity();
        for (int k = 0; k < 3; ++k)
            least = std::min(
                least, (surface.vertices.row(surface.faces(f, k)) - surface.vertices.row(surface.faces(f, (k + 1) % 3)))
                           .norm());
        shortest.push_back(least);
    }
    std::ranges::nth_element(shortest, shortest.begin() + std::ssize(shortest) / 2);
    return std::min(bending_tolerance * bounds_of(surface.vertices).diagonal(),
                    bending_tolerance_of_details * shortest[shortest.size() / 2]);
}

// A colour for each object, far from its neighbours': hues step by the golden angle.
Json colour(std::size_t index) {
    const double hue = std::fmod(0.08 + 0.618034 * static_cast<double>(index), 1.0);
    Json rgba = Json::array();
    for (const double shift : {0.0, 1.0 / 3, 2.0 / 3}) {
        const double angle = 2 * pi * (hue - shift);
        rgba.push_back(std::round((0.45 + 0.35 * std::cos(angle)) * 1000) / 1000);
    }
    rgba.push_back(1.0);
    return rgba;
}

// Collects the numbers and the JSON that points into them.
class GlbWriter {
public:
    GlbWriter() { root_["asset"] = {{"version", "2.0"}, {"generator", "Clangor"}}; }

    void add(const MovingShape& shape, const MotionGlbOptions& options) {
        Json node = {{"name", shape.name}};
        const Frames frames = frames_of(shape.path, options.duration, options.frame_rate);
        const Vec3& position = frames.positions[0];
        const Eigen::Vector4d& turn = frames.rotations[0].coeffs();
        node["translation"] = {position.x(), position.y(), position.z()};
        node["rotation"] = {turn.x(), turn.y(), turn.z(), turn.w()};
        const std::size_t index = root_["nodes"].size();
        const bool has_mesh = shape.surface && shape.surface->faces.rows() > 0;
        if (has_mesh && shape.vertices)
            node["mesh"] = add_bending(shape, frames, index);
        else if (has_mesh)
            node["mesh"] = add_mesh(shape.name, shaded(*shape.surface));
        root_["nodes"].push_back(std::move(node));
        animate(index, frames);
    }

    void add_ground(double height, const std::string& name) {
        const double half = ground_size / 2;
        Surface quad{Points(4, 3), Triangles(2, 3)};
        quad.vertices << -half, 0, -half, -half, 0, half, half, 0, half, half, 0, -half;
        quad.faces << 0, 1, 2, 0, 2, 3;
        Json node = {{"name", name}, {"translation", {0.0, height, 0.0}}, {"mesh", add_mesh(name, shaded(quad))}};
        root_["materials"].back()["pbrMetallicRoughness"]["baseColorFactor"] = {0.5, 0.5, 0.5, 1.0};
        root_["nodes"].push_back(std::move(node));
    }

    std::vector<std::byte> finish() && {
        if (root_.contains("nodes")) {
            Json all = Json::array();
            for (std::size_t n = 0; n < root_["nodes"].size(); ++n) all.push_back(n);
            root_["scene"] = 0;
            root_["scenes"] = Json::array({Json{{"nodes", all}}});
        }
        if (!channels_.empty()) {
            root_["animations"] =
                Json::array({Json{{"name", "motion"}, {"channels", channels_}, {"samplers", samplers_}}});
        }
        if (!bytes_.empty()) root_["buffers"] = Json::array({Json{{"byteLength", bytes_.size()}}});
        return packed(root_.dump(-1, ' ', false, Json::error_handler_t::replace));
    }

private:
    std::size_t append(const void* data, std::size_t size, int target) {
        Json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
        if (target != 0) view["target"] = target;
        const std::byte* const first = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), first, first + size);  // all numbers have four bytes, so that it stays aligned
        root_["bufferViews"].push_back(std::move(view));
        return root_["bufferViews"].size() - 1;
    }

    std::size_t add_accessor(std::size_t view, int type, std::size_t count, const char* shape) {
        root_["accessors"].push_back(
            {{"bufferView", view}, {"componentType", type}, {"count", count}, {"type", shape}});
        return root_["accessors"].size() - 1;
    }

    template <std::size_t N>
    std::size_t add_floats(const std::vector<std::array<float, N>>& rows, const char* shape, int target, bool limits) {
        const std::size_t view = append(rows.data(), rows.size() * sizeof rows[0], target);
        const std::size_t accessor = add_accessor(view, float_type, rows.size(), shape);
        if (!limits) return accessor;
        std::array<float, N> low = rows[0], high = rows[0];
        for (const auto& row : rows) {
            for (std::size_t i = 0; i < N; ++i) {
                low[i] = std::min(low[i], row[i]);
                high[i] = std::max(high[i], row[i]);
            }
        }
        root_["accessors"][accessor]["min"] = low;
        root_["accessors"][accessor]["max"] = high;
        return accessor;
    }

    std::size_t add_mesh(const std::string& name, const ShadedSurface& mesh) {
        Json primitive;
        primitive["attributes"]["POSITION"] = add_floats(mesh.positions, "VEC3", vertex_data, true);
        primitive["attributes"]["NORMAL"] = add_floats(mesh.normals, "VEC3", vertex_data, false);
        const std::size_t view = append(mesh.corners.data(), mesh.corners.size() * sizeof mesh.corners[0], index_data);
        primitive["indices"] = add_accessor(view, uint_type, mesh.corners.size(), "SCALAR");
        primitive["material"] = root_["materials"].size();
        const Json look = {
            {"baseColorFactor", colour(root_["materials"].size())}, {"metallicFactor", 0.1}, {"roughnessFactor", 0.6}};
        root_["materials"].push_back({{"name", name}, {"pbrMetallicRoughness", look}});
        root_["meshes"].push_back({{"name", name}, {"primitives", Json::array({primitive})}});
        return root_["meshes"].size() - 1;
    }

    // The mesh as it is at first, what is added to it, and how much of that in each frame.
    std::size_t add_bending(const MovingShape& shape, const Frames& frames, std::size_t node) {
        Eigen::MatrixXf places = places_of(shape, frames);
        Surface first{Points(places.rows() / 3, 3), shape.surface->faces};
        for (long v = 0; v < first.vertices.rows(); ++v)
            first.vertices.row(v) = places.col(0).segment<3>(3 * v).cast<double>().transpose();
        const ShadedSurface mesh = shaded(first, bending_crease_deg);
        const std::size_t index = add_mesh(shape.name, mesh);
        const MixedShapes mixed = mixed_shapes(places, float(tolerance_of_bending(first)));
        const long count = mixed.shapes.cols();
        if (count == 0) return index;
        Eigen::MatrixXf normals = Eigen::MatrixXf::Zero(3 * std::ssize(mesh.sources), count);
        const Eigen::VectorXf at_first = normals_at(mesh, places.col(0));
        for (long f = 1; f < places.cols(); ++f)
            normals += (normals_at(mesh, places.col(f)) - at_first) * mixed.frame_shares.row(f).cast<float>();
        Json targets = Json::array(), names = Json::array();
        for (long k = 0; k < count; ++k) {
            std::vector<std::array<float, 3>> moved, turned;
            for (long c = 0; c < std::ssize(mesh.sources); ++c) {
                const Eigen::Vector3f by = mixed.shapes.col(k).segment<3>(3L * mesh.sources[std::size_t(c)]);
                const Eigen::Vector3f turn = normals.col(k).segment<3>(3 * c);
                moved.push_back({by.x(), by.y(), by.z()});
                turned.push_back({turn.x(), turn.y(), turn.z()});
            }
            targets.push_back({{"POSITION", add_floats(moved, "VEC3", vertex_data, true)},
                               {"NORMAL", add_floats(turned, "VEC3", vertex_data, false)}});
            names.push_back(fmt::format("shape {}", k));
        }
        Json& described = root_["meshes"][index];
        described["primitives"][0]["targets"] = std::move(targets);
        described["extras"] = {{"targetNames", std::move(names)}};
        described["weights"] = std::vector<float>(std::size_t(count), 0.0f);
        std::vector<std::array<float, 1>> weights;
        std::vector<std::size_t> keys;
        for (long f = 0; f < mixed.weights.rows(); ++f) {
            keys.push_back(std::size_t(f));
            for (long k = 0; k < count; ++k) weights.push_back({mixed.weights(f, k)});
        }
        add_channel(node, "weights", frames, keys, add_floats(weights, "SCALAR", 0, false));
        return index;
    }

    // A column for each frame, in the frame of the node.
    static Eigen::MatrixXf places_of(const MovingShape& shape, const Frames& frames) {
        Eigen::MatrixXf places;
        for (std::size_t f = 0; f < frames.times.size(); ++f) {
            const Points world = shape.vertices(frames.times[f]);
            if (f == 0) places.resize(3 * world.rows(), std::ssize(frames.times));
            const Eigen::Matrix3d body_from_world = frames.rotations[f].conjugate().toRotationMatrix();
            for (long v = 0; v < world.rows(); ++v)
                places.col(long(f)).segment<3>(3 * v) =
                    (body_from_world * (world.row(v).transpose() - frames.positions[f])).cast<float>();
        }
        return places;
    }

    void animate(std::size_t node, const Frames& frames) {
        std::vector<std::array<float, 3>> places;
        std::vector<std::array<float, 4>> turns;
        const std::vector<std::size_t> moved = position_keys(frames, tolerance),
                                       turned = rotation_keys(frames, tolerance);
        for (const std::size_t k : moved) {
            const Eigen::Vector3f p = frames.positions[k].cast<float>();
            places.push_back({p.x(), p.y(), p.z()});
        }
        for (const std::size_t k : turned) {
            const Eigen::Vector4f q = frames.rotations[k].coeffs().cast<float>();
            turns.push_back({q.x(), q.y(), q.z(), q.w()});
        }
        if (moved.size() > 1) add_channel(node, "translation", frames, moved, add_floats(places, "VEC3", 0, false));
        if (turned.size() > 1) add_channel(node, "rotation", frames, turned, add_floats(turns, "VEC4", 0, false));
    }

    void add_channel(std::size_t node, const char* path, const Frames& frames, const std::vector<std::size_t>& keys,
                     std::size_t output) {
        std::vector<std::array<float, 1>> times;
        for (const std::size_t k : keys) times.push_back({static_cast<float>(frames.times[k])});
        const std::size_t input = add_floats(times, "SCALAR", 0, true);
        channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
        samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    }

    // "glTF", version, length; a chunk of JSON padded with spaces, a chunk of numbers.
    std::vector<std::byte> packed(std::string json) const {
        json.append((4 - json.size() % 4) % 4, ' ');
        const std::size_t total = 12 + 8 + json.size() + (bytes_.empty() ? 0 : 8 + bytes_.size());
        if (total > std::numeric_limits<std::uint32_t>::max()) {
            throw Error("the motion is larger than 4 GB, the most that a .glb can hold; lower the frame rate");
        }
        std::vector<std::byte> file;
        file.reserve(total);
        const auto word = [&](std::size_t value) {
            const std::uint32_t word32 = static_cast<std::uint32_t>(value);
            const std::byte* const first = reinterpret_cast<const std::byte*>(&word32);
            file.insert(file.end(), first, first + 4);
        };
        word(0x46546C67), word(2), word(total), word(json.size()), word(0x4E4F534A);
        const std::byte* const text = reinterpret_cast<const std::byte*>(json.data());
        file.insert(file.end(), text, text + json.size());
        if (bytes_.empty()) return file;
        word(bytes_.size()), word(0x004E4942);
        file.insert(file.end(), bytes_.begin(), bytes_.end());
        return file;
    }

    Json root_ = Json::object();
    Json channels_ = Json::array(), samplers_ = Json::array();
    std::vector<std::byte> bytes_;
};

}  // namespace

std::vector<std::byte> motion_glb(const std::vector<MovingShape>& shapes, const MotionGlbOptions& options) {
    if (!(options.frame_rate >= 1 && options.frame_rate <= 1000)) {
        throw Error(fmt::format("the frame rate must be in [1, 1000] Hz, but is {} Hz", options.frame_rate));
    }
    CLANGOR_ASSERT(options.duration >= 0, "a scene has checked its duration");
    GlbWriter writer;
    for (const MovingShape& shape : shapes) writer.add(shape, options);
    if (options.ground) writer.add_ground(*options.ground, options.ground_name);
    return std::move(writer).finish();
}

void write_motion_glb(const std::filesystem::path& path, const std::vector<MovingShape>& shapes,
                      const MotionGlbOptions& options) {
    write_file(path, motion_glb(shapes, options));
}

}  // namespace clangor::io
