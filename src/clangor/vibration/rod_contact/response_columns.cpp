#include <clangor/vibration/rod_contact/response_columns.hpp>

#include <algorithm>
#include <limits>

namespace clangor::rod_contact {
namespace {

// Of the largest row: below that, rounding in the factors is as large.
constexpr double negligible = 1e-12;
// Columns that are solved for together: memory for so many whole ones.
constexpr long solved_together = 256;
// With more contacts than that on a rod, what each gives to those far away is left out, and made up for by solving for
// the whole rod again: rows below this part of the largest.
constexpr size_t most_contacts_of_all = 64;
constexpr double far_away = 1e-3;

// How many points from an unknown its column falls below what counts as far away.
long reach_of(const RodStepper& rod, int unknown) {
    Eigen::MatrixXd one = Eigen::MatrixXd::Zero(rod.plan().mass.size(), 1);
    one(unknown, 0) = 1;
    const Eigen::MatrixXd column = rod.solve(one);
    const double least = far_away * column.cwiseAbs().maxCoeff();
    long reach = 0;
    for (long r = 0; r < column.rows(); ++r)
        if (std::abs(column(r, 0)) > least) reach = std::max(reach, std::abs(r - unknown) / rod.plan().per_point + 1);
    return reach;
}

}  // namespace

void ResponseColumns::prepare(const RodStepper& rod, std::span<const RodSide* const> sides) {
    const long size = rod.plan().mass.size();
    if (rod.report().factorizations != factorizations_ || rod.state().step != step_) {
        slot_of_.assign(size_t(size), -1);
        columns_.clear();
        reach_ = 0;
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
    if (missing.empty()) return;
    if (columns_.empty() && sides.size() > most_contacts_of_all && !rod.plan().closed)
        for (const int unknown : sides[sides.size() / 2]->unknowns) reach_ = std::max(reach_, reach_of(rod, unknown));
    if (reach_ > 0) {
        const size_t begin = columns_.size();
        columns_.resize(begin + missing.size());
        parallel_for(std::ssize(missing), [&](long k) {
            RodStepper::NearColumn near = rod.near_column(missing[size_t(k)], reach_);
            columns_[begin + size_t(k)] = {near.begin, std::move(near.rows)};
        });
        return;
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
    for (int k = 0; k < 7; ++k) {
        if (column(k).rows.size() == 0) continue;
        all.rows.middleRows(column(k).begin - begin, column(k).rows.size()) +=
            column(k).rows * side.J.col(k).transpose();
    }
    return all;
}

}  // namespace clangor::rod_contact
