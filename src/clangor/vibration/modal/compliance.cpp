// Static solutions of a free body.
#include <clangor/vibration/modal/ldl.hpp>
#include <clangor/vibration/modal/modal.hpp>

#include <Eigen/Cholesky>

namespace clangor {

Compliance::Compliance(const StiffnessMass& body, double bed_omega_sq) {
    CLANGOR_ASSERT(bed_omega_sq > 0, "a free body needs a bed");
    auto factor = std::make_unique<ShiftedFactor>(body.stiffness, body.mass);
    factor->factor(-bed_omega_sq);
    factor_ = std::move(factor);
    const Eigen::MatrixXd gram = body.rigid.transpose() * (body.mass * body.rigid);
    const Eigen::LLT<Eigen::MatrixXd> cholesky(gram);
    rigid_ = cholesky.matrixU().solve<Eigen::OnTheRight>(body.rigid);
    mass_rigid_ = body.mass * rigid_;
}

Compliance::~Compliance() = default;

Eigen::MatrixXd Compliance::operator()(const Eigen::MatrixXd& forces) const {
    // What rounding left of a resultant would be blown up by a soft bed.
    RowBlock x = forces - mass_rigid_ * (rigid_.transpose() * forces);
    factor_->solve(x);
    return x - rigid_ * (mass_rigid_.transpose() * x);
}

}  // namespace clangor
