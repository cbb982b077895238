#include <clangor/io/gltf_motion.hpp>

#include <clangor/io/atomic_file.hpp>
#include <clangor/io/mesh_text.hpp>
#include <clangor/io/nearest_name.hpp>
#include <clangor/io/trajectory_file.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace clangor::io {
namespace gltf {
namespace {

// Between keyframes a path is sampled so often: a straight line stays one between two samples, and what a turning parent
// carries runs on a circle that 60 Hz resolve. Splines bend within a keyframe.
constexpr double line_hz = 60, spline_hz = 240;

// A value that is held and then jumps does so within this time, or a quarter of the interval [s].
constexpr double jump_s = 1e-3;

struct Animated {
    std::map<std::string, Channel, std::less<>> channels;  ///< by what they move: translation, rotation, scale
};

/// A node's own placement, and the channels that change it.
struct Link {
    std::string name;
    Vec3 translation = Vec3::Zero();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    Vec3 scale = Vec3::Ones();
    Animated animated;
};

std::string name_of(const Json& node) {
    const Json* const name = member(node, "name");
    return name && name->is_string() ? name->get<std::string>() : "";
}

Eigen::Quaterniond rotation_from(const Document& document, const Eigen::VectorXd& xyzw) {
    const double norm = xyzw.norm();
    if (!(norm > 1e-6)) fail(document.name, "a node's rotation is a zero quaternion; export it again");
    return Eigen::Quaterniond(xyzw[3] / norm, xyzw[0] / norm, xyzw[1] / norm, xyzw[2] / norm);
}

class MotionReader {
public:
    explicit MotionReader(const Document& document) : document_(document), buffers_(document) {
        find_parents();
        find_channels();
    }

    Trajectory read(const std::string& node, const std::string& object) {
        const std::vector<Link> chain = chain_to(chosen(node, object));
        return sampled(chain);
    }

private:
    void find_parents() {
        const std::size_t count = list_size(document_, "nodes");
        parent_.assign(count, none);
        for (std::size_t n = 0; n < count; ++n) {
            for (const std::uint64_t child : indices(document_, entry(document_, "nodes", n), "children")) {
                if (child >= count || parent_[child] != none) {
                    fail(document_.name,
                         "nodes[{}] should have one parent, for nodes must form a tree; export it again", child);
                }
                parent_[child] = n;
            }
        }
    }

    // Where each channel's sampler is; they are read only for the nodes that matter.
    void find_channels() {
        for (std::size_t a = 0; a < list_size(document_, "animations"); ++a) {
            const Json& animation = entry(document_, "animations", a);
            const Json* const channels = member(animation, "channels");
            const Json* const samplers = member(animation, "samplers");
            if (!channels || !channels->is_array() || !samplers || !samplers->is_array()) continue;
            for (const Json& channel : *channels) {
                const Json* const target = member(channel, "target");
                const auto node = target ? whole(document_, *target, "node", 1u << 31) : std::nullopt;
                const Json* const path = target ? member(*target, "path") : nullptr;
                const auto sampler = whole(document_, channel, "sampler", 1u << 31);
                if (!node || !path || !path->is_string() || *path == "weights") continue;
                if (!sampler || *sampler >= samplers->size() || *node >= parent_.size()) {
                    fail(document_.name, "an animation refers to a node or sampler that is not there; export it again");
                }
                samplers_[*node][path->get<std::string>()].push_back(&(*samplers)[*sampler]);
            }
        }
    }

    bool is_animated(std::size_t node) const {
        const auto found = samplers_.find(node);
        return found != samplers_.end() &&
               (found->second.contains("translation") || found->second.contains("rotation"));
    }

    std::vector<std::size_t> nodes_called(const std::string& name) const {
        std::vector<std::size_t> nodes;
        for (std::size_t n = 0; n < parent_.size(); ++n) {
            if (name_of(entry(document_, "nodes", n)) == name) nodes.push_back(n);
        }
        return nodes;
    }

    std::size_t chosen(const std::string& node, const std::string& object) const {
        if (!node.empty()) {
            const std::vector<std::size_t> found = nodes_called(node);
            if (found.size() == 1) return found[0];
            if (found.size() > 1) {
                fail(document_.name, "{} nodes are called \"{}\"; give each its own name", found.size(),
                     printable(node));
            }
            fail(document_.name, "no node is called \"{}\"; {}", printable(node), hint(node, false));
        }
        if (!object.empty() && nodes_called(object).size() == 1) return nodes_called(object)[0];
        std::vector<std::size_t> animated;
        for (std::size_t n = 0; n < parent_.size(); ++n) {
            if (is_animated(n)) animated.push_back(n);
        }
        if (animated.size() == 1) return animated[0];
        if (animated.empty()) fail(document_.name, "no node of it is animated; name one: FILE#NODE");
        fail(document_.name, "{} nodes of it are animated; say which one moves the object: FILE#NODE. {}",
             animated.size(), hint(object, true));
    }

    std::string hint(const std::string& wanted, bool animated_only) const {
        std::vector<std::string> names;
        for (std::size_t n = 0; n < parent_.size() && names.size() < 1000; ++n) {
            const std::string name = name_of(entry(document_, "nodes", n));
            if (!name.empty() && (!animated_only || is_animated(n))) names.push_back(printable(name));
        }
        if (const auto nearest = nearest_name(wanted, names)) return fmt::format("did you mean \"{}\"?", *nearest);
        const std::size_t shown = std::min<std::size_t>(names.size(), 12);
        return fmt::format("there are: {}{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "),
                           shown < names.size() ? ", …" : "");
    }

    /// From the root down to the node.
    std::vector<Link> chain_to(std::size_t node) {
        std::vector<Link> chain;
        for (std::size_t n = node; n != none; n = parent_[n]) {
            chain.push_back(link_of(n, n == node));
            if (chain.size() > parent_.size())
                fail(document_.name, "its nodes form a ring, not a tree; export it again");
        }
        std::ranges::reverse(chain);
        return chain;
    }

    Link link_of(std::size_t n, bool last) {
        const Json& node = entry(document_, "nodes", n);
        Link link;
        link.name = printable(name_of(node).empty() ? fmt::format("nodes[{}]", n) : name_of(node));
        place(link, node);
        if (const auto found = samplers_.find(n); found != samplers_.end()) {
            for (const auto& [path, samplers] : found->second) {
                if (path != "translation" && path != "rotation" && path != "scale") continue;
                if (samplers.size() > 1) {
                    fail(document_.name, "the {} of \"{}\" is in {} animations; keep one", path, link.name,
                         samplers.size());
                }
                link.animated.channels[path] =
                    read_channel(document_, buffers_, *samplers[0], path == "rotation" ? 4 : 3);
            }
        }
        check_scale(link, last);
        return link;
    }

    void place(Link& link, const Json& node) const {
        const std::vector<double> matrix = numbers(document_, node, "matrix", 16);
        if (!matrix.empty()) {
            const Eigen::Matrix4d placement = Eigen::Map<const Eigen::Matrix4d>(matrix.data());
            const Mat3 linear = placement.topLeftCorner<3, 3>();
            link.translation = placement.topRightCorner<3, 1>();
            link.scale = linear.colwise().norm().transpose();
            const Mat3 turn = linear * link.scale.cwiseInverse().asDiagonal();
            if (!(turn.determinant() > 0 && (turn.transpose() * turn - Mat3::Identity()).norm() < 1e-4)) {
                fail(document_.name, "the matrix of \"{}\" shears or mirrors; apply it to the mesh and export it again",
                     link.name);
            }
            link.rotation = Eigen::Quaterniond(turn).normalized();
            return;
        }
        const std::vector<double> t = numbers(document_, node, "translation", 3);
        const std::vector<double> q = numbers(document_, node, "rotation", 4);
        const std::vector<double> s = numbers(document_, node, "scale", 3);
        if (!t.empty()) link.translation = Vec3(t.data());
        if (!q.empty()) link.rotation = rotation_from(document_, Eigen::Map<const Eigen::VectorXd>(q.data(), 4));
        if (!s.empty()) link.scale = Vec3(s.data());
    }

    // A body is rigid: a scale may not change, and one above it must be the same along all axes.
    void check_scale(Link& link, bool last) const {
        if (const auto found = link.animated.channels.find("scale"); found != link.animated.channels.end()) {
            const Channel& channel = found->second;
            const bool cubic = channel.between == Channel::Between::Cubic;
            link.scale = channel.values.row(cubic ? 1 : 0).transpose();
            const double size = link.scale.norm();
            for (Eigen::Index i = cubic ? 1 : 0; i < channel.values.rows(); i += cubic ? 3 : 1) {
                if ((channel.values.row(i).transpose() - link.scale).norm() <= 1e-5 * size) continue;
                fail(document_.name,
                     "the scale of \"{}\" is animated, but bodies are rigid; bake its size into the mesh", link.name);
            }
        }
        if (last) return;
        const double s = link.scale.x();
        if (s > 0 && (link.scale - Vec3::Constant(s)).norm() <= 1e-5 * s) return;
        fail(document_.name,
             "the scale of \"{}\" is ({}, {}, {}), which shears what hangs below it; apply it and export it again",
             link.name, link.scale.x(), link.scale.y(), link.scale.z());
    }

    std::vector<double> sample_times(const std::vector<Link>& chain) const {
        std::vector<double> keys;
        double hz = line_hz;
        for (const Link& link : chain) {
            for (const auto& [path, channel] : link.animated.channels) {
                if (path == "scale") continue;
                keys.insert(keys.end(), channel.times.begin(), channel.times.end());
                if (channel.between == Channel::Between::Cubic) hz = spline_hz;
                if (channel.between != Channel::Between::Step) continue;
                for (std::size_t i = 1; i < channel.times.size(); ++i) {
                    const double step = channel.times[i] - channel.times[i - 1];
                    keys.push_back(channel.times[i] - std::min(jump_s, step / 4));
                }
            }
        }
        std::ranges::sort(keys);
        keys.erase(std::unique(keys.begin(), keys.end(), [](double a, double b) { return b - a < 1e-7; }), keys.end());
        std::vector<double> times;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            times.push_back(keys[i]);
            if (i + 1 == keys.size()) break;
            const double step = keys[i + 1] - keys[i];
            const int parts = static_cast<int>(std::ceil(step * hz - 1e-3));  // 1e-3: times are single precision
            for (int k = 1; k < parts; ++k) times.push_back(keys[i] + step * k / parts);
        }
        return times.empty() ? std::vector<double>{0} : times;
    }

    Trajectory sampled(const std::vector<Link>& chain) const {
        const std::vector<double> times = sample_times(chain);
        const Eigen::Index rows = static_cast<Eigen::Index>(times.size());
        Trajectory path{Eigen::Map<const Eigen::VectorXd>(times.data(), rows), Points(rows, 3), Rotations(rows, 4)};
        Eigen::Quaterniond before = Eigen::Quaterniond::Identity();
        for (Eigen::Index i = 0; i < rows; ++i) {
            Vec3 position = Vec3::Zero();
            Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
            double scale = 1;
            for (const Link& link : chain) {
                position += scale * (rotation * translation_at(link, times[static_cast<std::size_t>(i)]));
                rotation = (rotation * rotation_at(link, times[static_cast<std::size_t>(i)])).normalized();
                scale *= link.scale.x();
            }
            if (!(position.norm() <= 1e6)) {
                fail(document_.name, "\"{}\" is {} m from the origin; check the unit", chain.back().name,
                     position.norm());
            }
            if (rotation.dot(before) < 0) rotation.coeffs() *= -1;
            before = rotation;
            path.positions.row(i) = position.transpose();
            path.rotations.row(i) = rotation.coeffs().transpose();
        }
        return path;
    }

    Vec3 translation_at(const Link& link, double time) const {
        const auto found = link.animated.channels.find("translation");
        return found == link.animated.channels.end() ? link.translation : Vec3(value_at(found->second, time, false));
    }
    Eigen::Quaterniond rotation_at(const Link& link, double time) const {
        const auto found = link.animated.channels.find("rotation");
        if (found == link.animated.channels.end()) return link.rotation;
        return rotation_from(document_, value_at(found->second, time, true));
    }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    const Document& document_;
    Buffers buffers_;
    std::vector<std::size_t> parent_;
    std::map<std::size_t, std::map<std::string, std::vector<const Json*>>> samplers_;
};

Trajectory node_motion(Bytes bytes, const std::string& name, const SiblingReader& sibling, const std::string& node,
                       const std::string& object) {
    const Container container = text_of(bytes).starts_with("glTF") ? Container::Binary : Container::Text;
    Trajectory path;
    open_document(bytes, container, name, sibling,
                  [&](const Document& document) { path = MotionReader(document).read(node, object); });
    return path;
}

}  // namespace
}  // namespace gltf

Trajectory parse_node_motion(std::span<const std::byte> bytes, const std::string& name, const std::string& node,
                             const std::string& object) {
    const SiblingReader none = [&](const std::string& relative) -> std::vector<std::byte> {
        fail(name, "keeps its numbers in {}, which cannot be found from here; export it as .glb", printable(relative));
    };
    return gltf::node_motion(bytes, name, none, node, object);
}

Trajectory read_node_motion(const std::filesystem::path& path, const std::string& node, const std::string& object) {
    const std::vector<std::byte> bytes = read_bytes(path);
    const SiblingReader sibling = [&](const std::string& relative) {
        return read_bytes(path.parent_path() / relative);
    };
    return gltf::node_motion(bytes, path.string(), sibling, node, object);
}

}  // namespace clangor::io
