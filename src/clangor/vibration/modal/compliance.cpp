// Static solutions of a free body, or of one that is held.
#include <clangor/vibration/modal/ldl.hpp>
#include <clangor/vibration/modal/modal.hpp>

#include <Eigen/Cholesky>

namespace clangor {

Compliance::Compliance(const StiffnessMass& body, double bed_omega_sq) {
    const bool is_free = body.rigid.cols() > 0;
    CLANGOR_ASSERT(bed_omega_sq > 0 || !is_free, "a free body needs a bed");
    auto factor = std::make_unique<ShiftedFactor>(body.stiffness, body.mass);
    factor->factor(-bed_omega_sq);
    factor_ = std::move(factor);
    rigid_ = mass_rigid_ = Eigen::MatrixXd(body.mass.rows(), 0);
    if (!is_free) return;
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
