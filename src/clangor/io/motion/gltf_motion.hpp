// How a node of a glTF scene moves. trajectory_file.hpp is the way in.
#pragma once

#include <clangor/io/gltf/gltf.hpp>
#include <clangor/io/motion/trajectory_file.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clangor::io {

/// The motion of a node in the world, parents included. `node` "" takes the node that is called like `object`, or the
/// only one that is animated.
ImportedPath read_node_motion(const std::filesystem::path& path, const std::string& node, const std::string& object);

namespace gltf {

/// One animated property of one node.
struct Channel {
    enum class Between { Linear, Step, Cubic };
    std::vector<double> times;  ///< strictly ascending [s]
    Eigen::MatrixXd values;     ///< a row for each time; with Cubic three: tangent in, value, tangent out
    Between between = Between::Linear;
};

/// Checks times and values. `components` is 3 or 4.
Channel read_channel(const Document& document, Buffers& buffers, const Json& sampler, int components);

/// The value at any time: held before the first and after the last. With `turns` the values are quaternions, which turn
/// evenly.
Eigen::VectorXd value_at(const Channel& channel, double time, bool turns);

/// The time from one frame to the next, where the keys of linear channels (ascending) are the frames of a baked
/// animation: they stand a frame apart, or several where nothing happened in between that a straight line does not
/// tell; the last may end the clip between two frames. Nothing where they are farther apart than a tenth of a second,
/// or at any times: set by hand, each is the end of a straight line.
std::optional<double> frame_step(const std::vector<double>& keys);

/// The keys and what is between them: every frame, where a gap between two keys is short; in a long one the frames next
/// to the keys, and 60 or more in a second.
std::vector<double> frames_among(const std::vector<double>& keys, double step);

}  // namespace gltf
}  // namespace clangor::io
