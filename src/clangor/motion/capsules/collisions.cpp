// Who touches whom: boxes first, then segments.
#include <clangor/motion/capsules/box_tree.hpp>
#include <clangor/motion/capsules/chain_touches.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace clangor {
namespace {

using namespace capsules;

// Lengths along a chain, to leave out pairs that are near each other along it.
class AlongChain {
public:
    explicit AlongChain(const CapsuleChain& chain)
        : closed_(chain.closed), apart_(chain.apart > 0 ? chain.apart : 4 * chain.radius), to_{0.0} {
        const int points = int(chain.after.rows());
        for (int segment = 0; segment < segments_of(chain); ++segment)
            to_.push_back(to_.back() + (chain.after.row((segment + 1) % points) - chain.after.row(segment)).norm());
    }

    // Of segments i < j.
    bool may_touch(int i, int j) const {
        const int segments = int(to_.size()) - 1;
        if (j - i <= 1 || (closed_ && i == 0 && j == segments - 1)) return false;
        const double forwards = to_[size_t(j)] - to_[size_t(i) + 1];
        const double backwards = closed_ ? to_.back() - to_[size_t(j) + 1] + to_[size_t(i)] : forwards;
        return std::min(forwards, backwards) >= apart_;
    }

private:
    bool closed_;
    double apart_;
    std::vector<double> to_;
};

double largest_way(const MovingShape& shape) {
    return (shape.world_after.translation() - shape.world_before.translation()).norm();
}

}  // namespace

std::vector<CapsuleTouch> CapsuleCollisions::touches(std::span<const CapsuleChain> chains,
                                                     const std::vector<MovingShape>& shapes,
                                                     const CapsuleOptions& options) {
    const int count = int(chains.size());
    trees_.resize(chains.size());
    for (int a = 0; a < count; ++a) {
        CLANGOR_ASSERT(chains[size_t(a)].after.rows() >= 2, "a chain has a segment");
        CLANGOR_ASSERT(chains[size_t(a)].after.rows() == chains[size_t(a)].before.rows(), "the same points");
        fit(trees_[size_t(a)], chains[size_t(a)], options.margin);
    }

    std::vector<CapsuleTouch> found;
    std::vector<std::pair<int, int>> pairs;
    const auto look_at_pairs = [&](int a, int b) {
        for (const auto& [i, j] : pairs) {
            if (const auto touch = touch_of(chains, {a, i, b, j}, options.margin)) found.push_back(*touch);
        }
    };
    for (int a = 0; a < count; ++a) {
        pairs.clear();
        own_overlaps(trees_[size_t(a)], pairs);
        const AlongChain along(chains[size_t(a)]);
        std::erase_if(pairs, [&](const auto& pair) { return !along.may_touch(pair.first, pair.second); });
        look_at_pairs(a, a);
    }

    // Chains by where their boxes begin: a sweep.
    std::vector<int> order(chains.size());
    for (int a = 0; a < count; ++a) order[size_t(a)] = a;
    const auto begin_of = [&](int a) { return trees_[size_t(a)][1].min().x(); };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return begin_of(a) < begin_of(b); });
    for (size_t m = 0; m < order.size(); ++m) {
        for (size_t n = m + 1; n < order.size(); ++n) {
            const auto [a, b] = std::minmax(order[m], order[n]);
            if (begin_of(order[n]) > trees_[size_t(order[m])][1].max().x()) break;
            pairs.clear();
            overlaps(trees_[size_t(a)], trees_[size_t(b)], pairs);
            look_at_pairs(a, b);
        }
    }

    std::vector<int> near;
    for (int a = 0; a < count; ++a) {
        for (size_t s = 0; s < shapes.size(); ++s) {
            near.clear();
            if (const auto* solid = std::get_if<DistanceShape>(&shapes[s].shape)) {
                const double reach = solid->reach + largest_way(shapes[s]) + options.margin;
                near_point(trees_[size_t(a)], shapes[s].world_after.translation(), reach, near);
            }
            shape_touches(chains, a, shapes[s], int(s), near, options.margin, found);
        }
    }

    // A point between two segments is found from both, and fast places several times: once is enough, the deepest.
    std::stable_sort(found.begin(), found.end(), [](const CapsuleTouch& x, const CapsuleTouch& y) {
        return x.key != y.key ? x.key < y.key : x.gap < y.gap;
    });
    const auto last = std::unique(found.begin(), found.end(),
                                  [](const CapsuleTouch& x, const CapsuleTouch& y) { return x.key == y.key; });
    found.erase(last, found.end());
    return found;
}

}  // namespace clangor
