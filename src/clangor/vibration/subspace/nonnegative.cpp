// Active sets of [Lawson1974, chapter 23], on normal equations
#include <clangor/vibration/subspace/nonnegative.hpp>

#include <Eigen/Cholesky>

#include <vector>

namespace clangor {
namespace {

// Of G's diagonal: columns that are all but alike keep a factor.
constexpr double ridge = 1e-12;
// Of the largest |c|: a gradient below it is rounding.
constexpr double least_slope = 1e-12;

Eigen::VectorXd solved(const Eigen::MatrixXd& G, const Eigen::VectorXd& c, const std::vector<int>& free) {
    Eigen::MatrixXd block = G(free, free);
    block.diagonal() *= 1 + ridge;
    return block.llt().solve(c(free));
}

// w of the free set, or as far towards it as none turns negative; those that reach zero leave the set.
void settle(const Eigen::MatrixXd& G, const Eigen::VectorXd& c, std::vector<int>& free, Eigen::VectorXd& w) {
    while (!free.empty()) {
        const Eigen::VectorXd z = solved(G, c, free);
        double share = 1;
        size_t first = free.size();
        for (size_t i = 0; i < free.size(); ++i) {
            if (z[long(i)] > 0) continue;
            const double way = w[free[i]] / (w[free[i]] - z[long(i)]);
            if (first == free.size() || way < share) share = way, first = i;
        }
        for (size_t i = 0; i < free.size(); ++i) w[free[i]] += share * (z[long(i)] - w[free[i]]);
        if (first == free.size()) return;
        w[free[first]] = 0;
        std::erase_if(free, [&](int j) { return w[j] <= 0; });
    }
}

}  // namespace

Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& G, const Eigen::VectorXd& c,
                                          const Eigen::VectorXd& start) {
    Eigen::VectorXd w = start.size() == c.size() ? start.cwiseMax(0) : Eigen::VectorXd::Zero(c.size()).eval();
    std::vector<int> free;
    for (int j = 0; j < int(w.size()); ++j)
        if (w[j] > 0) free.push_back(j);
    settle(G, c, free, w);
    const double least = least_slope * c.cwiseAbs().maxCoeff();
    // Each round lowers the square; three per unknown are never reached but where rounding decides.
    for (long round = 0; round < 3 * c.size() + 3; ++round) {
        Eigen::VectorXd slope = c - G * w;
        for (const int j : free) slope[j] = 0;
        long best = 0;
        if (slope.size() == 0 || slope.maxCoeff(&best) <= least) break;
        free.push_back(int(best));
        settle(G, c, free, w);
    }
    for (int j = 0; j < int(w.size()); ++j) w[j] = w[j] > 0 ? w[j] : 0;
    return w;
}

}  // namespace clangor
