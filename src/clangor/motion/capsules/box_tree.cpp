// A hierarchy of boxes about the segments of a chain, fitted anew at each step: docs/theory/rod-contact.md, section 3.
#include <clangor/motion/capsules/box_tree.hpp>

#include <bit>

namespace clangor::capsules {
namespace {

size_t leaves_of(const BoxTree& tree) { return tree.size() / 2; }

void descend(const BoxTree& a, size_t i, const BoxTree& b, size_t j, std::vector<std::pair<int, int>>& pairs) {
    if (!a[i].intersects(b[j])) return;
    const bool leaf_a = i >= leaves_of(a), leaf_b = j >= leaves_of(b);
    if (leaf_a && leaf_b) {
        pairs.push_back({int(i - leaves_of(a)), int(j - leaves_of(b))});
    } else if (leaf_b || (!leaf_a && a[i].sizes().sum() >= b[j].sizes().sum())) {
        descend(a, 2 * i, b, j, pairs);
        descend(a, 2 * i + 1, b, j, pairs);
    } else {
        descend(a, i, b, 2 * j, pairs);
        descend(a, i, b, 2 * j + 1, pairs);
    }
}

void descend_own(const BoxTree& tree, size_t i, std::vector<std::pair<int, int>>& pairs) {
    if (i >= leaves_of(tree) || tree[i].isEmpty()) return;
    descend_own(tree, 2 * i, pairs);
    descend_own(tree, 2 * i + 1, pairs);
    descend(tree, 2 * i, tree, 2 * i + 1, pairs);
}

void descend_to_point(const BoxTree& tree, size_t i, const Vec3& point, double reach, std::vector<int>& segments) {
    if (tree[i].isEmpty() || !(tree[i].squaredExteriorDistance(point) <= reach * reach)) return;
    if (i >= leaves_of(tree)) {
        segments.push_back(int(i - leaves_of(tree)));
        return;
    }
    descend_to_point(tree, 2 * i, point, reach, segments);
    descend_to_point(tree, 2 * i + 1, point, reach, segments);
}

}  // namespace

int segments_of(const CapsuleChain& chain) { return int(chain.after.rows()) - (chain.closed ? 0 : 1); }

void fit(BoxTree& tree, const CapsuleChain& chain, double margin) {
    const int segments = segments_of(chain), points = int(chain.after.rows());
    const size_t leaves = std::bit_ceil(size_t(segments));
    tree.assign(2 * leaves, Eigen::AlignedBox3d());
    const Vec3 about = Vec3::Constant(chain.radius + 0.5 * margin);
    for (int segment = 0; segment < segments; ++segment) {
        Eigen::AlignedBox3d& box = tree[leaves + size_t(segment)];
        for (const int point : {segment, (segment + 1) % points}) {
            box.extend(chain.before.row(point).transpose());
            box.extend(chain.after.row(point).transpose());
        }
        box.min() -= about;
        box.max() += about;
    }
    for (size_t i = leaves - 1; i > 0; --i) tree[i] = tree[2 * i].merged(tree[2 * i + 1]);
}

void overlaps(const BoxTree& a, const BoxTree& b, std::vector<std::pair<int, int>>& pairs) {
    descend(a, 1, b, 1, pairs);
}

void own_overlaps(const BoxTree& tree, std::vector<std::pair<int, int>>& pairs) { descend_own(tree, 1, pairs); }

void near_point(const BoxTree& tree, const Vec3& point, double reach, std::vector<int>& segments) {
    descend_to_point(tree, 1, point, reach, segments);
}

}  // namespace clangor::capsules
