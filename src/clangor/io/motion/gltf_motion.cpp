#include <clangor/io/motion/gltf_motion.hpp>

#include <clangor/io/file/file.hpp>
#include <clangor/io/gltf/gltf.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace clangor::io {
namespace gltf {
namespace {

// Between keyframes that are set by hand a path is sampled so often: a straight line stays one between two samples, and
// what a turning parent carries runs on a circle that 60 Hz resolve. Splines bend within a keyframe.
constexpr double line_hz = 60, spline_hz = 240;

// A value that is held and then jumps does so within this time, or a quarter of the interval [s].
constexpr double jump_s = 1e-3;

struct Animated {
    std::map<std::string, Channel, std::less<>> channels;  ///< by what they move: translation, rotation, scale
};

/// A node's own placement, and the channels that change it.
struct Link {
    std::size_t node = no_node;
    Placed at;
    CarriedScale carries;  ///< nothing for the last of a chain, whose scale is its mesh's
    Animated animated;
};

// Blender counts its frames from the beginning of time, so that frame 1, where a shot begins unless told otherwise, is
// at 1/24 s. Other programs begin at 0.
bool is_by_blender(const Document& document) {
    const Json* const asset = member(document.root, "asset");
    const Json* const generator = asset ? member(*asset, "generator") : nullptr;
    return generator && generator->is_string() && generator->get<std::string>().find("Blender") != std::string::npos;
}

Eigen::Quaterniond rotation_from(const Document& document, const Eigen::VectorXd& xyzw) {
    const double norm = xyzw.norm();
    if (!(norm > 1e-6)) fail(document.name, "a node's rotation is a zero quaternion; export it again");
    return Eigen::Quaterniond(xyzw[3] / norm, xyzw[0] / norm, xyzw[1] / norm, xyzw[2] / norm);
}

class MotionReader {
public:
    explicit MotionReader(const Document& document)
        : document_(document), buffers_(document), parents_(parents_of(document)), samplers_(samplers_of(document)) {
        if (is_by_blender(document)) start_ = first_key();
    }

    ImportedPath read(const std::string& name, const std::string& object) {
        const std::size_t node = chosen(name, object);
        std::vector<Link> chain;
        for (const std::size_t n : chain_to(document_, parents_, node)) chain.push_back(link_of(n, n == node));
        ImportedPath imported{sampled(chain), {}};
        if (std::ranges::none_of(chain, [&](const Link& link) { return is_animated(link.node); })) {
            imported.messages.push_back(
                fmt::format("{}: the node \"{}\" is not animated, nor is what carries it: it stays where it is. Of "
                            "those that are, {}",
                            document_.name, called(document_, node),
                            names_like(document_, name, [&](std::size_t n) { return is_animated(n); })));
        }
        const std::optional<double> step = frame_step(keys_of(chain));
        if (step && start_ > 1.5 * *step) {
            imported.messages.push_back(
                fmt::format("{}: its first keyframe, frame {:.0f} at {:.4g} frames a second, is taken for the "
                            "beginning of the shot, time 0. If the shot begins earlier, put a keyframe of any "
                            "object there",
                            document_.name, start_ / *step, 1 / *step));
        }
        return imported;
    }

private:
    // Of all animations, so that the objects of one file keep to one clock.
    double first_key() {
        double first = std::numeric_limits<double>::infinity();
        for (const auto& [node, paths] : samplers_) {
            for (const auto& [path, samplers] : paths) {
                for (const Json* const sampler : samplers) {
                    const auto input = whole(document_, *sampler, "input", 1u << 31);
                    if (!input) continue;  // complained about where it is read
                    const Accessor times = buffers_.accessor(*input, "SCALAR");
                    if (times.count > 0) first = std::min(first, times.value(0, 0));
                }
            }
        }
        return first > 0 && std::isfinite(first) ? first : 0;
    }

    bool is_animated(std::size_t node) const {
        const auto found = samplers_.find(node);
        return found != samplers_.end() &&
               (found->second.contains("translation") || found->second.contains("rotation"));
    }

    std::size_t chosen(const std::string& node, const std::string& object) const {
        if (!node.empty()) return node_called(document_, node);
        if (!object.empty()) {
            if (const std::vector<std::size_t> same = nodes_called(document_, object); same.size() == 1) return same[0];
        }
        std::vector<std::size_t> animated;
        for (std::size_t n = 0; n < parents_.size(); ++n) {
            if (is_animated(n)) animated.push_back(n);
        }
        if (animated.size() == 1) return animated[0];
        if (animated.empty()) fail(document_.name, "no node of it is animated; name one: FILE#NODE");
        fail(document_.name, "{} nodes of it are animated; say which one moves the object, as FILE#NODE: {}",
             animated.size(), names_like(document_, object, [&](std::size_t n) { return is_animated(n); }));
    }

    Link link_of(std::size_t n, bool last) {
        Link link{n, placed(document_, n), {}, {}};
        if (const auto found = samplers_.find(n); found != samplers_.end()) {
            for (const auto& [path, samplers] : found->second) {
                if (path != "translation" && path != "rotation" && path != "scale") continue;
                if (samplers.size() > 1) {
                    fail(document_.name, "the {} of \"{}\" is in {} animations; keep one", path, called(document_, n),
                         samplers.size());
                }
                Channel channel = read_channel(document_, buffers_, *samplers[0], path == "rotation" ? 4 : 3);
                for (double& time : channel.times) time -= start_;
                link.animated.channels[path] = std::move(channel);
            }
        }
        check_scale(link, last);
        return link;
    }

    // A body is rigid: a scale may not change, and one above it must be the same along all axes.
    void check_scale(Link& link, bool last) const {
        if (const auto found = link.animated.channels.find("scale"); found != link.animated.channels.end()) {
            const Channel& channel = found->second;
            const bool cubic = channel.between == Channel::Between::Cubic;
            link.at.scale = channel.values.row(cubic ? 1 : 0).transpose();
            const double size = link.at.scale.norm();
            for (Eigen::Index i = cubic ? 1 : 0; i < channel.values.rows(); i += cubic ? 3 : 1) {
                if ((channel.values.row(i).transpose() - link.at.scale).norm() <= 1e-5 * size) continue;
                fail(document_.name,
                     "the scale of \"{}\" is animated, but bodies are rigid; bake its size into the mesh",
                     called(document_, link.node));
            }
        }
        if (!last) link.carries = carried_scale(document_, link.node, link.at.scale);
    }

    // Those of all linear channels; empty where any is of another kind.
    static std::vector<double> keys_of(const std::vector<Link>& chain) {
        std::vector<double> keys;
        for (const Link& link : chain) {
            for (const auto& [path, channel] : link.animated.channels) {
                if (path == "scale") continue;
                if (channel.between != Channel::Between::Linear) return {};
                keys.insert(keys.end(), channel.times.begin(), channel.times.end());
            }
        }
        return ascending(std::move(keys));
    }

    static std::vector<double> ascending(std::vector<double> keys) {
        std::ranges::sort(keys);
        keys.erase(std::unique(keys.begin(), keys.end(), [](double a, double b) { return b - a < 1e-7; }), keys.end());
        return keys;
    }

    // Frames of a baked animation are samples of a smooth motion, as the rows of a table are: nothing is put between
    // them.
    static std::vector<double> sample_times(const std::vector<Link>& chain) {
        if (const std::vector<double> frames = keys_of(chain); const std::optional<double> step = frame_step(frames)) {
            return frames_among(frames, *step);
        }
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
        keys = ascending(std::move(keys));
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
                position += scale * (rotation * translation_at(link, times[i]));
                rotation = (rotation * rotation_at(link, times[i]) * link.carries.turn).normalized();
                scale *= link.carries.size;
            }
            if (!(position.norm() <= 1e6)) {
                fail(document_.name, "\"{}\" is {} m from the origin; check the unit",
                     called(document_, chain.back().node), position.norm());
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
        return found == link.animated.channels.end() ? link.at.translation : Vec3(value_at(found->second, time, false));
    }
    Eigen::Quaterniond rotation_at(const Link& link, double time) const {
        const auto found = link.animated.channels.find("rotation");
        if (found == link.animated.channels.end()) return link.at.rotation;
        return rotation_from(document_, value_at(found->second, time, true));
    }

    const Document& document_;
    Buffers buffers_;
    std::vector<std::size_t> parents_;
    NodeSamplers samplers_;  // they are read only for the nodes that matter
    double start_ = 0;       // time 0, on the file's clock [s]
};

ImportedPath node_motion(Bytes bytes, const std::string& name, const SiblingReader& sibling, const std::string& node,
                         const std::string& object) {
    const Container container = text_of(bytes).starts_with("glTF") ? Container::Binary : Container::Text;
    ImportedPath path;
    open_document(bytes, container, name, sibling,
                  [&](const Document& document) { path = MotionReader(document).read(node, object); });
    return path;
}

}  // namespace
}  // namespace gltf

ImportedPath parse_node_motion(std::span<const std::byte> bytes, const std::string& name, const std::string& node,
                               const std::string& object) {
    const SiblingReader none = [&](const std::string& relative) -> std::vector<std::byte> {
        fail(name, "keeps its numbers in {}, which cannot be found from here; export it as .glb", printable(relative));
    };
    return gltf::node_motion(bytes, name, none, node, object);
}

ImportedPath read_node_motion(const std::filesystem::path& path, const std::string& node, const std::string& object) {
    const std::vector<std::byte> bytes = read_bytes(path);
    const SiblingReader sibling = [&](const std::string& relative) {
        return read_bytes(path.parent_path() / relative);
    };
    return gltf::node_motion(bytes, path.string(), sibling, node, object);
}

}  // namespace clangor::io
