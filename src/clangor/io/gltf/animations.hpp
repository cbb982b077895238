// Which nodes of a glTF are animated, and which of them move within what carries them.
#pragma once

#include <clangor/io/gltf/document.hpp>

#include <map>
#include <string>
#include <vector>

namespace clangor::io::gltf {

/// The samplers that animate each node, by what they change: translation, rotation, scale. They live as long as the
/// document.
using NodeSamplers = std::map<std::size_t, std::map<std::string, std::vector<const Json*>>>;

/// Throws where a channel names a node or a sampler that is not there. Weights of morph targets are left out.
NodeSamplers samplers_of(const Document& document);

/// True if the node moves or turns within its parent: its keyframes differ. Exporters also write keyframes that do not.
bool moves_by_itself(const Document& document, Buffers& buffers, const NodeSamplers& samplers, std::size_t node);

}  // namespace clangor::io::gltf
