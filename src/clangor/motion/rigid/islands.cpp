#include <clangor/motion/rigid/islands.hpp>

#include <numeric>

namespace clangor::rigid {

void Island::clear() {
    bodies.clear();
    pairs.clear();
    rows.clear();
    strings.clear();
    row_count = 0;
    loads_others = false;
}

void Island::gather_rows() {
    for (const Neighbours* pair : pairs) rows.insert(rows.end(), pair->rows.begin(), pair->rows.end());
}

int Archipelago::root_of(int i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
}

Island& Archipelago::next() {
    if (count_ == islands_.size()) islands_.emplace_back();
    islands_[count_].clear();
    return islands_[count_++];
}

void Archipelago::form(const std::vector<MovingBody>& bodies, const std::vector<Neighbours*>& meeting,
                       std::vector<StringRow>& strings) {
    constexpr int flies = -1, touches = -2;
    std::iota(parents_.begin(), parents_.end(), 0);
    island_of_.assign(bodies.size(), flies);
    count_ = 0;
    flying_.clear();
    for (const Neighbours* pair : meeting) {
        if (bodies[pair->a].moves() && bodies[pair->b].moves()) parents_[root_of(pair->a)] = root_of(pair->b);
        island_of_[pair->a] = island_of_[pair->b] = touches;
    }
    for (const StringRow& row : strings) island_of_[row.body] = touches;
    std::vector<int> of_root(bodies.size(), flies);
    for (int i = 0; i < int(bodies.size()); ++i) {
        if (!bodies[i].moves()) continue;
        if (island_of_[i] == flies) {
            flying_.push_back(i);
            continue;
        }
        int& island = of_root[root_of(i)];
        if (island < 0) {
            island = int(count_);
            next();
        }
        island_of_[i] = island;
        islands_[island].bodies.push_back(i);
    }
    for (Neighbours* pair : meeting) {
        Island& island = islands_[island_of_[bodies[pair->a].moves() ? pair->a : pair->b]];
        island.pairs.push_back(pair);
        island.row_count += pair->rows.size();
        island.loads_others = island.loads_others || bodies[pair->a].asleep || bodies[pair->b].asleep;
    }
    for (StringRow& row : strings) islands_[island_of_[row.body]].strings.push_back(&row);
}

}  // namespace clangor::rigid
