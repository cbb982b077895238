// Bodies that touch one another, apart from all others: nothing in a step goes from one island to the next.
#pragma once

#include <clangor/motion/rigid/neighbours.hpp>
#include <clangor/motion/rigid/rest.hpp>

#include <span>
#include <vector>

namespace clangor::rigid {

struct Island {
    std::vector<int> bodies;          ///< those that move, ascending
    std::vector<Neighbours*> pairs;   ///< those with rows, in the order of their bodies
    std::size_t row_count = 0;        ///< of these
    std::vector<ConstraintRow> rows;  ///< theirs, in their order; once they are gathered
    std::vector<StringRow*> strings;
    bool loads_others = false;  ///< some of its rows are with bodies that are held

    void clear();
    void gather_rows();
};

/// The islands of one step, each in the same order whatever else there is in the world; and the bodies that touch
/// nothing.
class Archipelago {
public:
    explicit Archipelago(std::size_t bodies) : parents_(bodies), island_of_(bodies) {}
    void form(const std::vector<MovingBody>& bodies, const std::vector<Neighbours*>& meeting,
              std::vector<StringRow>& strings);
    std::span<Island> islands() { return {islands_.data(), count_}; }
    const std::vector<int>& flying() const { return flying_; }

private:
    int root_of(int i);
    Island& next();

    std::vector<int> parents_, island_of_;
    std::vector<Island> islands_;  ///< more than there are: their memory is used again
    std::size_t count_ = 0;
    std::vector<int> flying_;
};

}  // namespace clangor::rigid
