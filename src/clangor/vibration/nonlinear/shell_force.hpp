// The nonlinear force in float, with its scratch memory. Internal to nonlinear.
#pragma once

#include <clangor/vibration/nonlinear/nonlinear.hpp>

namespace clangor {

class ShellForceField {
public:
    explicit ShellForceField(const ShellPlan& plan)
        : plan_(&plan),
          moved_(plan.modes()),
          gradient_(plan.modes()),
          v_(plan.edges.rows()),
          v_sq_(plan.edges.rows()),
          back_(plan.edges.rows()),
          c_(plan.squares.rows()),
          along_(plan.squares.rows()) {
        centre_at(Eigen::VectorXd::Zero(plan.modes()));
    }

    /// Forces are rounded in proportion to how far q is from here: at a rest state far from zero the large forces that
    /// cancel there are exact, and what is small is motion alone.
    void centre_at(const Eigen::VectorXd& q) {
        centre_ = q;
        const Eigen::VectorXd v = rows_times(plan_->edges, q), c = rows_times(plan_->squares, v.cwiseAbs2());
        Eigen::VectorXd along = rows_times(plan_->coupling, q);
        if (along.size() > 0) along[0] -= plan_->prestress;
        centre_potential_ = along.dot(c) + 0.5 * c.squaredNorm();
        centre_c_ = c;
        centre_y_ = along + c;
        const Eigen::VectorXd back = columns_times(plan_->squares, centre_y_);
        centre_gradient_ = columns_times(plan_->coupling, c) + columns_times(plan_->edges, 2 * v.cwiseProduct(back));
        centre_v_ = v.cast<float>();
        centre_back_ = back.cast<float>();
    }

    /// Gives V; its gradient is then in `gradient`. Allocates nothing.
    double potential(const Eigen::VectorXd& q) {
        // Eq. 13 and 23: q̂ = q − q_0, δc = Ŵ((2v_0 + δv)∘δv), δy = Lᵀq̂ + δc
        moved_ = (q - centre_).cast<float>();
        v_.noalias() = plan_->edges * moved_;
        v_sq_ = v_.cwiseProduct(2 * centre_v_ + v_);
        c_.noalias() = plan_->squares * v_sq_;
        along_.noalias() = plan_->coupling * moved_;
        const double V =
            (along_.cast<double>().array() * c_.cast<double>().array() + 0.5 * c_.cast<double>().array().square())
                .sum() +
            (centre_potential_ + centre_y_.dot(c_.cast<double>()) + centre_c_.dot(along_.cast<double>()));
        gradient_.noalias() = plan_->coupling.transpose() * c_;
        along_ += c_;
        back_.noalias() = plan_->squares.transpose() * along_;
        back_ = 2 * ((centre_v_ + v_).cwiseProduct(back_) + v_.cwiseProduct(centre_back_));
        gradient_.noalias() += plan_->edges.transpose() * back_;
        sum_ = centre_gradient_ + gradient_.cast<double>();
        return V;
    }

    const Eigen::VectorXd& gradient() const { return sum_; }

private:
    static Eigen::VectorXd rows_times(const FloatRows& A, const Eigen::VectorXd& x) {
        Eigen::VectorXd y(A.rows());
        for (long i = 0; i < A.rows(); ++i) y[i] = A.row(i).cast<double>().transpose().dot(x);
        return y;
    }

    static Eigen::VectorXd columns_times(const FloatRows& A, const Eigen::VectorXd& x) {
        Eigen::VectorXd y = Eigen::VectorXd::Zero(A.cols());
        for (long i = 0; i < A.rows(); ++i) y += x[i] * A.row(i).cast<double>().transpose();
        return y;
    }

    const ShellPlan* plan_;
    Eigen::VectorXf moved_, gradient_, v_, v_sq_, back_, c_, along_;
    Eigen::VectorXd sum_;
    // Of q_0: V, ∇V, c, y, and v and Ŵᵀy.
    double centre_potential_ = 0;
    Eigen::VectorXd centre_, centre_gradient_, centre_c_, centre_y_;
    Eigen::VectorXf centre_v_, centre_back_;
};

}  // namespace clangor
