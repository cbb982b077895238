// Energy and forces of a shell in any pose                                              docs/theory/shell.md
#include <clangor/vibration/shell/shell_element.hpp>

#include <Eigen/Geometry>

namespace clangor {
namespace {

// What a triangle's energy depends on: Eq. 2 to 5.
struct Strains {
    std::array<Vec3, 2> images;           // f_α
    Eigen::Matrix<double, 6, 1> stretch;  // ε_11, ε_22, 2ε_12, δ_0, δ_1, δ_2
    Eigen::Matrix<double, 6, 1> leans;    // β_iα
};

Strains strains_of(const ShellElement& element, const ShellPose& pose) {
    Strains s;
    // Differences first: far from the origin the sum over corners would lose digits.
    const Vec3 origin = pose.positions.row(element.corners[0]);
    const Vec3 first = pose.positions.row(element.corners[1]).transpose() - origin;
    const Vec3 second = pose.positions.row(element.corners[2]).transpose() - origin;
    for (int alpha = 0; alpha < 2; ++alpha)
        s.images[alpha] = first * element.gradients(1, alpha) + second * element.gradients(2, alpha);
    const auto& [f1, f2] = s.images;
    s.stretch.head<3>() << (f1.squaredNorm() - 1) / 2, (f2.squaredNorm() - 1) / 2, f1.dot(f2);
    for (int i = 0; i < 3; ++i) {
        const Mat3& R = pose.rotations[element.corners[i]];
        const Vec3 n = R * element.normal;
        s.leans.segment<2>(2 * i) << n.dot(f1), n.dot(f2);
        s.stretch[3 + i] = ((R * element.axes[0]).dot(f2) - (R * element.axes[1]).dot(f1)) / 2;
    }
    return s;
}

// Of the unknowns of one triangle: Eq. 8 and 9.
Eigen::Matrix<double, 18, 1> gradient_of(const ShellElement& element, const ShellPose& pose) {
    const Strains s = strains_of(element, pose);
    const auto& [f1, f2] = s.images;
    const Eigen::Matrix<double, 6, 1> S = element.membrane * s.stretch;
    const Eigen::Matrix<double, 6, 1> b = element.bending * s.leans;
    std::array<Vec3, 2> by_image{S[0] * f1 + S[2] * f2, S[1] * f2 + S[2] * f1};
    Eigen::Matrix<double, 18, 1> gradient;
    for (int i = 0; i < 3; ++i) {
        const Mat3& R = pose.rotations[element.corners[i]];
        const Vec3 n = R * element.normal, r1 = R * element.axes[0], r2 = R * element.axes[1];
        const double half = S[3 + i] / 2;
        by_image[0] += b[2 * i] * n - half * r2;
        by_image[1] += b[2 * i + 1] * n + half * r1;
        gradient.segment<3>(6 * i + 3) =
            n.cross(b[2 * i] * f1 + b[2 * i + 1] * f2) + half * (r1.cross(f2) - r2.cross(f1));
    }
    for (int i = 0; i < 3; ++i)
        gradient.segment<3>(6 * i) = element.gradients(i, 0) * by_image[0] + element.gradients(i, 1) * by_image[1];
    return gradient;
}

}  // namespace

ShellPose rest_pose(const ThinShell& shell) {
    return {shell.middle.vertices, std::vector<Mat3>(shell.middle.vertices.rows(), Mat3::Identity())};
}

ShellPose moved(const ShellPose& pose, const Eigen::VectorXd& step) {
    const long n = pose.positions.rows();
    CLANGOR_ASSERT(step.size() == 6 * n, "a displacement and a rotation per vertex");
    ShellPose result = pose;
    for (long i = 0; i < n; ++i) {
        result.positions.row(i) += step.segment<3>(3 * i).transpose();
        const Vec3 turn = step.segment<3>(3 * n + 3 * i);
        if (const double angle = turn.norm(); angle > 0)
            result.rotations[i] = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() * pose.rotations[i];
    }
    return result;
}

ElasticShell::ElasticShell(const ThinShell& shell, const Material& material)
    : elements_(shell_elements(shell, material)) {}
ElasticShell::~ElasticShell() = default;
ElasticShell::ElasticShell(ElasticShell&&) noexcept = default;
ElasticShell& ElasticShell::operator=(ElasticShell&&) noexcept = default;

ShellEnergy ElasticShell::energy(const ShellPose& pose) const {
    std::vector<ShellEnergy> parts(elements_.size());
    parallel_for(std::ssize(parts), [&](long f) {
        const ShellElement& element = elements_[f];
        const Strains s = strains_of(element, pose);
        parts[f] = {.membrane = 0.5 * s.stretch.dot(element.membrane * s.stretch),
                    .bending = 0.5 * s.leans.dot(element.bending * s.leans)};
    });
    ShellEnergy sum;
    for (const ShellEnergy& part : parts) {
        sum.membrane += part.membrane;
        sum.bending += part.bending;
    }
    return sum;
}

Eigen::VectorXd ElasticShell::gradient(const ShellPose& pose) const {
    const long n = pose.positions.rows();
    std::vector<Eigen::Matrix<double, 18, 1>> parts(elements_.size());
    parallel_for(std::ssize(parts), [&](long f) { parts[f] = gradient_of(elements_[f], pose); });
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(6 * n);
    for (size_t f = 0; f < parts.size(); ++f)
        for (int i = 0; i < 3; ++i) {
            const long v = elements_[f].corners[i];
            sum.segment<3>(3 * v) += parts[f].segment<3>(6 * i);
            sum.segment<3>(3 * n + 3 * v) += parts[f].segment<3>(6 * i + 3);
        }
    return sum;
}

}  // namespace clangor
