#include <clangor/radiation/bem/galerkin.hpp>
#include <clangor/radiation/bem/triangle_rules.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::bem {

std::vector<std::vector<int>> elements_at_nodes(const Elements& elements) {
    std::vector<std::vector<int>> at_node(elements.unknowns);
    for (std::size_t e = 0; e < elements.all.size(); ++e)
        for (const int node : elements.all[e].nodes)
            if (node >= 0) at_node[node].push_back(static_cast<int>(e));
    return at_node;
}

Patch patch_of(const Elements& elements, const std::vector<std::vector<int>>& at_node, int begin, int end) {
    Patch patch;
    patch.begin = begin;
    patch.end = end;
    for (int node = begin; node < end; ++node)
        for (const int e : at_node[node]) patch.element.push_back(e);
    std::sort(patch.element.begin(), patch.element.end());
    patch.element.erase(std::unique(patch.element.begin(), patch.element.end()), patch.element.end());

    constexpr std::size_t lanes = 16;
    const std::size_t count = patch.element.size(), padded = (count + lanes - 1) / lanes * lanes;
    const std::span<const RulePoint> rule = rule_of_degree_2();
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            patch.point[i][c].reserve(padded);
            patch.curl[i][c].reserve(padded);
        }
        patch.normal[i].reserve(padded);
        patch.column[i].reserve(padded);
    }
    patch.weight.reserve(padded);
    for (std::size_t at = 0; at < padded; ++at) {
        const Element& e = elements.all[patch.element[std::min(at, count - 1)]];
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3 point = e.at(rule[i].at);
            for (int c = 0; c < 3; ++c) {
                patch.point[i][c].push_back(static_cast<float>(point[c]));
                patch.curl[i][c].push_back(static_cast<float>(e.curls[i][c]));
            }
            patch.normal[i].push_back(static_cast<float>(e.normal[static_cast<int>(i)]));
            const bool inside = at < count && begin <= e.nodes[i] && e.nodes[i] < end;
            patch.column[i].push_back(inside ? e.nodes[i] - begin : -1);
        }
        patch.weight.push_back(at < count ? static_cast<float>(e.area / 3 / std::sqrt(4 * pi)) : 0.0f);
    }
    return patch;
}

}  // namespace clangor::bem
