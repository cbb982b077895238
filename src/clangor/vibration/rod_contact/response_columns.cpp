#include <clangor/vibration/rod_contact/response_columns.hpp>

#include <algorithm>
#include <limits>

namespace clangor::rod_contact {
namespace {

// Of the largest row: below that, rounding in the factors is as large.
constexpr double negligible = 1e-12;
// Columns that are solved for together: memory for so many whole ones.
constexpr long solved_together = 256;

}  // namespace

void ResponseColumns::prepare(const RodStepper& rod, std::span<const RodSide* const> sides) {
    const long size = rod.plan().mass.size();
    if (rod.report().factorizations != factorizations_ || rod.state().step != step_) {
        slot_of_.assign(size_t(size), -1);
        columns_.clear();
        factorizations_ = rod.report().factorizations;
        step_ = rod.state().step;
    }
    std::vector<int> missing;
    for (const RodSide* side : sides) {
        for (const int unknown : side->unknowns) {
            if (slot_of_[size_t(unknown)] >= 0) continue;
            slot_of_[size_t(unknown)] = int(columns_.size() + missing.size());
            missing.push_back(unknown);
        }
    }
    for (size_t done = 0; done < missing.size();) {
        const long count = std::min<long>(solved_together, long(missing.size() - done));
        Eigen::MatrixXd ones = Eigen::MatrixXd::Zero(size, count);
        for (long c = 0; c < count; ++c) ones(missing[done + size_t(c)], c) = 1;
        const Eigen::MatrixXd solved = rod.solve(ones);
        for (long c = 0; c < count; ++c) {
            const double least = negligible * solved.col(c).cwiseAbs().maxCoeff();
            long begin = 0, end = size;
            while (begin < end && std::abs(solved(begin, c)) <= least) ++begin;
            while (end > begin && std::abs(solved(end - 1, c)) <= least) --end;
            columns_.push_back({begin, solved.col(c).segment(begin, end - begin)});
        }
        done += size_t(count);
    }
}

ContactColumns ResponseColumns::columns_of(const RodSide& side) const {
    long begin = std::numeric_limits<long>::max(), end = 0;
    const auto column = [&](int k) -> const Column& {
        return columns_[size_t(slot_of_[size_t(side.unknowns[size_t(k)])])];
    };
    for (int k = 0; k < 7; ++k) {
        if (column(k).rows.size() == 0) continue;  // it is held
        begin = std::min(begin, column(k).begin);
        end = std::max(end, column(k).begin + column(k).rows.size());
    }
    if (end == 0) return {};
    ContactColumns all{begin, Points::Zero(end - begin, 3)};
    for (int k = 0; k < 7; ++k)
        all.rows.middleRows(column(k).begin - begin, column(k).rows.size()) +=
            column(k).rows * side.J.col(k).transpose();
    return all;
}

}  // namespace clangor::rod_contact
