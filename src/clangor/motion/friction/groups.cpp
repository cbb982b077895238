// Contacts that do not feel each other, group by group: docs/theory/rod-contact.md, section 2.
#include <clangor/motion/friction/groups.hpp>

#include <algorithm>
#include <numeric>

namespace clangor::friction {
namespace {

int root_of(std::vector<int>& parent, int i) {
    while (parent[size_t(i)] != i) i = parent[size_t(i)] = parent[size_t(parent[size_t(i)])];
    return i;
}

}  // namespace

std::vector<std::vector<int>> groups_of(const ContactResponse& response) {
    const int contacts = int(response.contacts());
    std::vector<int> parent(static_cast<size_t>(contacts));
    std::iota(parent.begin(), parent.end(), 0);
    for (int row = 0; row < contacts; ++row) {
        for (int k = response.starts[size_t(row)]; k < response.starts[size_t(row) + 1]; ++k) {
            const int a = root_of(parent, row), b = root_of(parent, response.columns[size_t(k)]);
            parent[size_t(std::max(a, b))] = std::min(a, b);
        }
    }
    std::vector<int> group_of_root(size_t(contacts), -1);
    std::vector<std::vector<int>> groups;
    for (int i = 0; i < contacts; ++i) {
        int& group = group_of_root[size_t(root_of(parent, i))];
        if (group < 0) {
            group = int(groups.size());
            groups.emplace_back();
        }
        groups[size_t(group)].push_back(i);
    }
    return groups;
}

}  // namespace clangor::friction
