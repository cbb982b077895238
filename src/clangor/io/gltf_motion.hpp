// How a node of a glTF scene moves. Private to io: trajectory_file.hpp is the way in.
#pragma once

#include <clangor/io/mesh_gltf_data.hpp>
#include <clangor/motion/record/record.hpp>

#include <filesystem>
#include <string>

namespace clangor::io {

/// The motion of a node in the world, parents included. `node` "" takes the node that is called like `object`, or the only
/// one that is animated.
Trajectory read_node_motion(const std::filesystem::path& path, const std::string& node, const std::string& object);

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

}  // namespace gltf
}  // namespace clangor::io
