// Where a slowly converging iteration is going to.
#pragma once

#include <clangor/core/core.hpp>

#include <optional>

namespace clangor::friction {

/// Of an iteration x → g(x): the mix of the last few g whose steps g(x) − x cancel best in the least squares
/// [Walker2011, Algorithm AA].
class Extrapolation {
public:
    explicit Extrapolation(int depth) : depth_(depth) {}

    /// None while there is too little to go by.
    std::optional<Eigen::VectorXd> next(const Eigen::VectorXd& x, const Eigen::VectorXd& g);
    void forget();

private:
    int depth_ = 0, count_ = 0;
    Eigen::VectorXd last_step_, last_g_;
    Eigen::MatrixXd step_changes_, g_changes_;  // one column each, the oldest overwritten
};

}  // namespace clangor::friction
