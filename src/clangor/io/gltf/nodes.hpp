// Nodes of a glTF scene: their names, their tree, and where each stands in its parent.
#pragma once

#include <clangor/io/gltf/document.hpp>

#include <Eigen/Geometry>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace clangor::io::gltf {

inline constexpr std::size_t no_node = std::numeric_limits<std::size_t>::max();

/// As the file has it; "" where it has none.
std::string name_of(const Json& node);

/// For messages: its name, or its place in the file.
std::string called(const Document& document, std::size_t node);

/// The parent of each node, or no_node. Throws where a node has two.
std::vector<std::size_t> parents_of(const Document& document);

/// From the root down to the node. Throws where the nodes form a ring.
std::vector<std::size_t> chain_to(const Document& document, const std::vector<std::size_t>& parents, std::size_t node);

std::vector<std::size_t> nodes_called(const Document& document, const std::string& name);

/// The one node of this name. Throws Error for none, with the nearest name and those that there are, and for several.
std::size_t node_called(const Document& document, const std::string& name);

/// "did you mean "Cup1"? There are: Cup1, Lid": of the nodes that `fits` takes.
std::string names_like(const Document& document, const std::string& wanted,
                       const std::function<bool(std::size_t)>& fits);

/// parent_from_node = translation · rotation · scale. A negative scale mirrors.
struct Placed {
    Vec3 translation = Vec3::Zero();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    Vec3 scale = Vec3::Ones();
};

/// Throws where the node's matrix shears: bodies are rigid.
Placed placed(const Document& document, std::size_t node);

/// The scale of a node that carries others: diag(scale) = size · turn. Where it mirrors, size is negative: −1 times the
/// unit matrix goes through every rotation below unchanged, which the mirror of one axis does not.
struct CarriedScale {
    double size = 1;
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
};

/// Throws unless the scale of `node`, which stands above others, is the same along all axes but for its sign.
CarriedScale carried_scale(const Document& document, std::size_t node, const Vec3& scale);

}  // namespace clangor::io::gltf
