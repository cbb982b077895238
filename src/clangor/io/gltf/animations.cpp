#include <clangor/io/gltf/animations.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace clangor::io::gltf {
namespace {

// Keyframes are single precision, and those of a child are often worked out from two world matrices: metres, or parts
// of a unit quaternion (0.01°).
constexpr double rounding = 1e-4;

bool differs(const Document& document, Buffers& buffers, const Json& sampler, bool turns) {
    const auto output = whole(document, sampler, "output", 1u << 31);
    if (!output) fail(document.name, "an animation lacks its output; export it again");
    const Json* const between = member(sampler, "interpolation");
    const std::size_t rows = between && *between == "CUBICSPLINE" ? 3 : 1;  // tangent in, value, tangent out
    const int components = turns ? 4 : 3;
    const Accessor values = buffers.accessor(*output, turns ? "VEC4" : "VEC3");
    const std::size_t first = rows / 2;
    for (std::size_t i = first; i < values.count; i += rows) {
        double apart_sq = 0, opposite_sq = 0, size_sq = 0;  // q and −q are one rotation
        for (int c = 0; c < components; ++c) {
            const double x = values.value(i, c), y = values.value(first, c);
            apart_sq += (x - y) * (x - y);
            opposite_sq += (x + y) * (x + y);
            size_sq += y * y;
        }
        const double least_sq = turns ? std::min(apart_sq, opposite_sq) : apart_sq;
        if (least_sq > rounding * rounding * std::max(1.0, size_sq)) return true;
    }
    return false;
}

}  // namespace

NodeSamplers samplers_of(const Document& document) {
    NodeSamplers samplers_by_node;
    const std::size_t nodes = list_size(document, "nodes");
    for (std::size_t a = 0; a < list_size(document, "animations"); ++a) {
        const Json& animation = entry(document, "animations", a);
        const Json* const channels = member(animation, "channels");
        const Json* const samplers = member(animation, "samplers");
        if (!channels || !channels->is_array() || !samplers || !samplers->is_array()) continue;
        for (const Json& channel : *channels) {
            const Json* const target = member(channel, "target");
            const auto node = target ? whole(document, *target, "node", 1u << 31) : std::nullopt;
            const Json* const path = target ? member(*target, "path") : nullptr;
            const auto sampler = whole(document, channel, "sampler", 1u << 31);
            if (!node || !path || !path->is_string() || *path == "weights") continue;
            if (!sampler || *sampler >= samplers->size() || *node >= nodes) {
                fail(document.name, "an animation refers to a node or sampler that is not there; export it again");
            }
            samplers_by_node[*node][path->get<std::string>()].push_back(&(*samplers)[*sampler]);
        }
    }
    return samplers_by_node;
}

bool moves_by_itself(const Document& document, Buffers& buffers, const NodeSamplers& samplers, std::size_t node) {
    const auto found = samplers.find(node);
    if (found == samplers.end()) return false;
    return std::ranges::any_of(found->second, [&](const auto& path) {
        if (path.first != "translation" && path.first != "rotation") return false;
        return std::ranges::any_of(path.second, [&](const Json* const sampler) {
            return differs(document, buffers, *sampler, path.first == "rotation");
        });
    });
}

}  // namespace clangor::io::gltf
