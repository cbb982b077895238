// A whole shell that moves, every vertex of it: what reduced ones are held against. Internal to validation.
#pragma once

#include <clangor/vibration/shell/shell.hpp>

#include <Eigen/SparseCholesky>

namespace clangor::validation {

/// M ẍ + ∂W(x) = 0 by the trapezoidal rule, each step by Newton's method with conjugate gradients inside. x are
/// displacements and rotation vectors. A step k lowers the pitch of ω by (ωk)²/12.
class WholeShell {
public:
    WholeShell(const ThinShell& shell, const Material& material, double step)
        : body_(assemble(shell, material)), elastic_(shell, material), rest_(rest_pose(shell)), k_(step) {
        const SparseMatrix linear = 4 / (k_ * k_) * body_.mass + body_.stiffness;
        linear_.compute(linear);
        mass_.compute(body_.mass);
    }

    /// From rest at x.
    void start(const Eigen::VectorXd& x) {
        x_ = x;
        v_ = Eigen::VectorXd::Zero(x.size());
        a_ = -mass_.solve(gradient(x));
    }

    void step() {
        const Eigen::VectorXd x0 = x_, v0 = v_, a0 = a_;
        const auto acceleration = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
            return 4 / (k_ * k_) * (x - x0 - k_ * v0) - a0;
        };
        x_ = x0 + k_ * v0 + 0.25 * k_ * k_ * a0;
        for (int i = 0; i < 20; ++i) {
            const Eigen::VectorXd g = gradient(x_), residual = body_.mass * acceleration(x_) + g;
            if (residual.dot(linear_.solve(residual)) < 1e-14 * g.dot(linear_.solve(g))) break;
            x_ -= solved(residual);
        }
        a_ = acceleration(x_);
        v_ = v0 + 0.5 * k_ * (a0 + a_);
    }

    const Eigen::VectorXd& x() const { return x_; }
    const StiffnessMass& body() const { return body_; }

private:
    // Along rotation vectors a, where R = exp([a]×) turns by dθ = (1 + ½[a]× + ⅙[a]×²) da, to second order.
    Eigen::VectorXd gradient(const Eigen::VectorXd& x) const {
        Eigen::VectorXd g = elastic_.gradient(moved(rest_, x));
        const long n = x.size() / 6;
        for (long i = 0; i < n; ++i) {
            const Vec3 a = x.segment<3>(3 * (n + i)), torque = g.segment<3>(3 * (n + i));
            g.segment<3>(3 * (n + i)) += -0.5 * a.cross(torque) + a.cross(a.cross(torque)) / 6;
        }
        return g;
    }

    Eigen::VectorXd solved(const Eigen::VectorXd& residual) const {
        const auto times = [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
            const double e = 1e-6 / p.cwiseAbs().maxCoeff();
            return 4 / (k_ * k_) * (body_.mass * p) + (gradient(x_ + e * p) - gradient(x_ - e * p)) / (2 * e);
        };
        Eigen::VectorXd x = Eigen::VectorXd::Zero(residual.size()), r = residual, z = linear_.solve(r), p = z;
        double rz = r.dot(z);
        const double goal = 1e-4 * rz;
        for (int i = 0; i < 200 && rz > goal; ++i) {
            const Eigen::VectorXd Ap = times(p);
            const double alpha = rz / p.dot(Ap);
            x += alpha * p;
            r -= alpha * Ap;
            z = linear_.solve(r);
            const double next = r.dot(z);
            p = z + next / rz * p;
            rz = next;
        }
        return x;
    }

    StiffnessMass body_;
    ElasticShell elastic_;
    ShellPose rest_;
    double k_;
    Eigen::SimplicialLDLT<SparseMatrix> linear_, mass_;
    Eigen::VectorXd x_, v_, a_;
};

}  // namespace clangor::validation
