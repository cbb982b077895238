#include <clangor/geometry/graded_field.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace clangor::geometry {

GradedField::GradedField(std::vector<Sample> samples, double slope) : samples_(std::move(samples)), slope_(slope) {
    CLANGOR_ASSERT(!samples_.empty(), "a field needs samples");
    build(0, samples_.size());
}

int GradedField::build(std::size_t begin, std::size_t end) {
    const int index = static_cast<int>(nodes_.size());
    Node node{{}, std::numeric_limits<double>::infinity(), 0, begin, end, -1};
    for (std::size_t i = begin; i < end; ++i) {
        node.box.extend(samples_[i].point);
        node.least = std::min(node.least, samples_[i].value);
        node.reach = std::max(node.reach, samples_[i].reach);
    }
    nodes_.push_back(node);
    if (end - begin <= 8) return index;
    Eigen::Index axis = 0;
    node.box.sizes().maxCoeff(&axis);
    const std::size_t middle = (begin + end) / 2;
    const auto at = [&](std::size_t i) { return samples_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(middle), at(end),
                     [&](const Sample& a, const Sample& b) { return a.point[axis] < b.point[axis]; });
    build(begin, middle);
    const int right = build(middle, end);
    nodes_[index].right = right;
    return index;
}

double GradedField::bound(const Node& node, const Vec3& x) const {
    return node.least + slope_ * std::max(0.0, node.box.exteriorDistance(x) - node.reach);
}

double GradedField::operator()(const Vec3& x) const {
    double best = std::numeric_limits<double>::infinity();
    std::array<int, 64> stack{};  // deep enough: the tree is balanced
    std::size_t depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int index = stack[--depth];
        const Node& node = nodes_[index];
        if (bound(node, x) >= best) continue;
        if (node.right < 0) {
            for (std::size_t i = node.begin; i < node.end; ++i) {
                const Sample& sample = samples_[i];
                const double beyond = std::max(0.0, (x - sample.point).norm() - sample.reach);
                best = std::min(best, sample.value + slope_ * beyond);
            }
            continue;
        }
        int near = index + 1, far = node.right;
        if (bound(nodes_[far], x) < bound(nodes_[near], x)) std::swap(near, far);
        stack[depth++] = far;
        stack[depth++] = near;
    }
    return best;
}

}  // namespace clangor::geometry
