// The force of few triangles, with its scratch memory. Internal to subspace.
#pragma once

#include <clangor/vibration/subspace/subspace.hpp>
#include <clangor/vibration/subspace/triangle_force.hpp>

namespace clangor {

class SubspaceForceField {
public:
    explicit SubspaceForceField(const SubspacePlan& plan)
        : plan_(&plan), q_(plan.modes()), gradient_(plan.modes()), felt_(plan.rows.rows()) {}

    /// Gives V; its gradient is then in `gradient`. Allocates nothing. Matrices are floats, triangles doubles.
    double potential(const Eigen::VectorXd& q) {
        q_ = q.cast<float>();
        felt_.noalias() = plan_->rows * q_;
        double V = 0;
        for (long i = 0; i < plan_->membrane.rows(); ++i) {
            const Form6 membrane = Eigen::Map<const FloatForm>(plan_->membrane.row(i).data()).cast<double>();
            const Form6 bending = Eigen::Map<const FloatForm>(plan_->bending.row(i).data()).cast<double>();
            const TriangleForce force = beyond_linear(membrane, bending, felt_.segment<15>(15 * i).cast<double>());
            V += force.potential;
            felt_.segment<15>(15 * i) = force.gradient.cast<float>();
        }
        gradient_.noalias() = plan_->rows.transpose() * felt_;
        return V;
    }

    const Eigen::VectorXf& gradient() const { return gradient_; }

private:
    using FloatForm = Eigen::Matrix<float, 6, 6>;
    const SubspacePlan* plan_;
    Eigen::VectorXf q_, gradient_, felt_;
};

}  // namespace clangor
