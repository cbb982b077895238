// Columns of a rod's A⁻¹, for the unknowns that contacts act on.
#pragma once

#include <clangor/vibration/rod_contact/touch_sides.hpp>

#include <span>
#include <vector>

namespace clangor::rod_contact {

/// Rows of A⁻¹Jᵀ of one contact, from `begin` on; those before and behind are as good as zero.
struct ContactColumns {
    long begin = 0;
    Points rows;
};

/// Kept for as long as the rod keeps the factors of its matrix. An impulse within a step is felt only nearby, so that
/// most rows of a long rod are left out.
class ResponseColumns {
public:
    /// Makes those that are missing. Of an open rod with many contacts only what is near, and then not exactly.
    void prepare(const RodStepper& rod, std::span<const RodSide* const> sides);
    bool is_exact() const { return reach_ == 0; }
    ContactColumns columns_of(const RodSide& side) const;

private:
    struct Column {
        long begin = 0;
        Eigen::VectorXd rows;
    };
    std::vector<int> slot_of_;  // of unknowns; −1: none
    std::vector<Column> columns_;
    long reach_ = 0;  // in points; 0: all that is not negligible
    long factorizations_ = -1;
    double step_ = 0;
};

}  // namespace clangor::rod_contact
