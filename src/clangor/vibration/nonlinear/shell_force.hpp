// The nonlinear force in float, with its scratch memory. Internal to nonlinear.
#pragma once

#include <clangor/vibration/nonlinear/nonlinear.hpp>

namespace clangor {

class ShellForceField {
public:
    explicit ShellForceField(const ShellPlan& plan)
        : plan_(&plan),
          q_(plan.modes()),
          gradient_(plan.modes()),
          v_(plan.edges.rows()),
          v_sq_(plan.edges.rows()),
          back_(plan.edges.rows()),
          c_(plan.squares.rows()),
          along_(plan.squares.rows()) {}

    /// Gives V; its gradient is then in `gradient`. Allocates nothing.
    double potential(const Eigen::VectorXd& q) {
        q_ = q.cast<float>();
        v_.noalias() = plan_->edges * q_;
        v_sq_ = v_.cwiseAbs2();
        c_.noalias() = plan_->squares * v_sq_;
        along_.noalias() = plan_->coupling * q_;
        const double V =
            (along_.cast<double>().array() * c_.cast<double>().array() + 0.5 * c_.cast<double>().array().square())
                .sum();
        gradient_.noalias() = plan_->coupling.transpose() * c_;
        along_ += c_;
        back_.noalias() = plan_->squares.transpose() * along_;
        back_ = 2 * v_.cwiseProduct(back_);
        gradient_.noalias() += plan_->edges.transpose() * back_;
        return V;
    }

    const Eigen::VectorXf& gradient() const { return gradient_; }

private:
    const ShellPlan* plan_;
    Eigen::VectorXf q_, gradient_, v_, v_sq_, back_, c_, along_;
};

}  // namespace clangor
