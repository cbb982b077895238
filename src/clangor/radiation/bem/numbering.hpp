// The unknowns of a radiating surface: which vertices carry one, and in which order.
#pragma once

#include <clangor/radiation/bem/cluster_tree.hpp>
#include <clangor/radiation/bem/elements.hpp>
#include <clangor/radiation/bem/sounding_faces.hpp>

#include <vector>

namespace clangor::bem {

/// Unknowns are numbered in the order of a tree of their places, so that neighbours have near numbers.
struct Numbering {
    ClusterTree tree;
    std::vector<int> node_of;  ///< by vertex; −1 on rims, where the jump is zero, and on what does not sound
    int unknowns = 0;
};
Numbering numbering_of(const Surface& surface, const SoundingFaces& sounding);

/// Lets the boxes of the tree hold the elements that hang on its unknowns.
void widen_to_elements(ClusterTree& tree, const Elements& elements, const std::vector<std::vector<int>>& at_node);

}  // namespace clangor::bem
