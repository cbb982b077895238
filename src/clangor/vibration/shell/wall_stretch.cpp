// Strain in the wall to second order in displacements                        docs/theory/nonlinear-shell.md, Eq. 1 to 3
#include <clangor/vibration/shell/shell_element.hpp>

namespace clangor {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;

// ∂_α of the displacement, constant in a triangle.
std::array<Vec3, 2> slopes(const ShellElement& element, const double* u) {
    const auto of = [&](int i) { return Eigen::Map<const Vec3>(u + 3L * element.corners[i]); };
    const Vec3 first = of(1) - of(0), second = of(2) - of(0);
    return {first * element.gradients(1, 0) + second * element.gradients(2, 0),
            first * element.gradients(1, 1) + second * element.gradients(2, 1)};
}

// The strains that are linear in the unknowns: ε_11, ε_22, 2ε_12, δ_0, δ_1, δ_2.
Vec6 linear_strains(const ShellElement& element, const double* u, const double* turns) {
    const auto [u1, u2] = slopes(element, u);
    const auto& [e1, e2] = element.axes;
    Vec6 strains;
    strains.head<3>() << e1.dot(u1), e2.dot(u2), e1.dot(u2) + e2.dot(u1);
    for (int i = 0; i < 3; ++i) {
        const Eigen::Map<const Vec3> turn(turns + 3L * element.corners[i]);
        strains[3 + i] = (e1.dot(u2) - e2.dot(u1)) / 2 + element.normal.dot(turn);
    }
    return strains;
}

// ε_αβ gains ½ u,α·u,β; δ_i gains half of (θ_i × e_1)·u,2 − (θ_i × e_2)·u,1. Squares of turning alone drop out.
Vec6 quadratic_strains(const ShellElement& element, const double* u, const double* turns) {
    const auto [u1, u2] = slopes(element, u);
    const auto& [e1, e2] = element.axes;
    const Vec3 twist = (e1.cross(u2) - e2.cross(u1)) / 2;
    Vec6 strains;
    strains.head<3>() << u1.squaredNorm() / 2, u2.squaredNorm() / 2, u1.dot(u2);
    for (int i = 0; i < 3; ++i) strains[3 + i] = twist.dot(Eigen::Map<const Vec3>(turns + 3L * element.corners[i]));
    return strains;
}

}  // namespace

WallStretch::WallStretch(const ThinShell& shell, const Material& material)
    : vertices_(shell.middle.vertices.rows()), elements_(shell_elements(shell, material)) {}
WallStretch::~WallStretch() = default;
WallStretch::WallStretch(WallStretch&&) noexcept = default;
WallStretch& WallStretch::operator=(WallStretch&&) noexcept = default;

long WallStretch::strains() const { return 6 * std::ssize(elements_); }

Eigen::MatrixXd WallStretch::quadratic(const Eigen::MatrixXd& displacements) const {
    CLANGOR_ASSERT(displacements.rows() == 6 * vertices_, "a displacement and a rotation per vertex");
    Eigen::MatrixXd n(strains(), displacements.cols());
    for (long c = 0; c < n.cols(); ++c) {
        const double* u = displacements.col(c).data();
        for (size_t f = 0; f < elements_.size(); ++f)
            n.col(c).segment<6>(6 * long(f)) = quadratic_strains(elements_[f], u, u + 3 * vertices_);
    }
    return n;
}

Eigen::MatrixXd WallStretch::forces(const Eigen::MatrixXd& strains) const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(6 * vertices_, strains.cols());
    for (long c = 0; c < strains.cols(); ++c)
        for (size_t f = 0; f < elements_.size(); ++f) {
            const ShellElement& element = elements_[f];
            const auto& [e1, e2] = element.axes;
            const Vec6 S = element.membrane * strains.col(c).segment<6>(6 * long(f));
            const double turn = S.tail<3>().sum() / 2;
            const Vec3 by_1 = S[0] * e1 + S[2] * e2 - turn * e2, by_2 = S[1] * e2 + S[2] * e1 + turn * e1;
            for (int i = 0; i < 3; ++i) {
                const long v = element.corners[i];
                sum.col(c).segment<3>(3 * v) += element.gradients(i, 0) * by_1 + element.gradients(i, 1) * by_2;
                sum.col(c).segment<3>(3 * (vertices_ + v)) += S[3 + i] * element.normal;
            }
        }
    return sum;
}

Eigen::MatrixXd WallStretch::stresses(const Eigen::MatrixXd& strains, const Eigen::MatrixXd& displacements) const {
    CLANGOR_ASSERT(displacements.rows() == 6 * vertices_, "a displacement and a rotation per vertex");
    Eigen::MatrixXd S(strains.rows(), strains.cols());
    for (long c = 0; c < S.cols(); ++c) {
        const double* u = displacements.col(c).data();
        for (size_t f = 0; f < elements_.size(); ++f) {
            const Vec6 strain =
                linear_strains(elements_[f], u, u + 3 * vertices_) + strains.col(c).segment<6>(6 * long(f));
            S.col(c).segment<6>(6 * long(f)) = elements_[f].membrane * strain;
        }
    }
    return S;
}

}  // namespace clangor
