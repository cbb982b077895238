// Newton's method on the laws of all contacts, written as projections, which are smooth but for a few places
// [Alart1991]; damped as Levenberg and Marquardt do, as W may be singular where bodies are held more than once.
#include <clangor/motion/friction/newton.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace clangor::friction {
namespace {

constexpr int most_steps = 40;

// W and b of a group as dense arrays, in units in which every contact's own W is about 1.
struct DenseGroup {
    Eigen::MatrixXd W;
    Eigen::VectorXd b, scale;  // impulse = scale · unknown, velocity = unknown/scale
    std::vector<FrictionalContact> contacts = {};
};

DenseGroup dense(const FrictionProblem& problem, const std::vector<int>& group) {
    const long n = long(group.size());
    DenseGroup all{.W = Eigen::MatrixXd::Zero(3 * n, 3 * n), .b = Eigen::VectorXd(3 * n), .scale = Eigen::VectorXd(n)};
    const ContactResponse& response = problem.response;
    for (long i = 0; i < n; ++i) {
        const size_t row = size_t(group[size_t(i)]);
        for (int k = response.starts[row]; k < response.starts[row + 1]; ++k) {
            const auto at = std::lower_bound(group.begin(), group.end(), response.columns[size_t(k)]);
            all.W.block<3, 3>(3 * i, 3 * (at - group.begin())) = response.blocks[size_t(k)];
        }
        all.scale[i] = 1 / std::sqrt(all.W.block<3, 3>(3 * i, 3 * i).diagonal().maxCoeff());
        all.contacts.push_back(problem.contacts[row]);
    }
    for (long i = 0; i < n; ++i) {
        const double s = all.scale[i];
        all.W.middleRows<3>(3 * i) *= s;
        all.W.middleCols<3>(3 * i) *= s;
        all.contacts[size_t(i)].target *= s;
        all.contacts[size_t(i)].compliance *= s * s;
        all.b.segment<3>(3 * i) = s * problem.free_velocity[size_t(group[size_t(i)])];
    }
    return all;
}

// r_N − max(0, r_N − ρ(u_N + c r_N − target)) and r_T − P(r_T − u_T), P onto the disc of radius µ max(0, …).
struct Laws {
    Eigen::VectorXd F;
    Eigen::MatrixXd J = {};
};
Laws laws(const DenseGroup& group, const Eigen::VectorXd& r, bool with_derivative) {
    const long n = long(group.contacts.size());
    const Eigen::VectorXd u = group.W * r + group.b;
    Laws all{.F = r};
    if (with_derivative) all.J = Eigen::MatrixXd::Identity(3 * n, 3 * n);
    for (long i = 0; i < n; ++i) {
        const FrictionalContact& contact = group.contacts[size_t(i)];
        const long N = 3 * i, T = N + 1;
        const double rho = 1 / (1 + contact.compliance);
        const double normal = r[N] - rho * (u[N] + contact.compliance * r[N] - contact.target);
        const Eigen::Vector2d tangential = r.segment<2>(T) - u.segment<2>(T);
        const double radius = contact.friction * std::max(0.0, normal), length = tangential.norm();
        if (normal > 0) all.F[N] -= normal;
        const bool sticks = length <= radius;
        all.F.segment<2>(T) -= sticks ? tangential : Eigen::Vector2d(radius / length * tangential);
        if (!with_derivative || normal <= 0) continue;

        Eigen::RowVectorXd d_normal = -rho * group.W.row(N);
        d_normal[N] += 1 - rho * contact.compliance;
        all.J.row(N) -= d_normal;
        Eigen::MatrixXd d_tangential = -group.W.middleRows<2>(T);
        d_tangential.middleCols<2>(T) += Eigen::Matrix2d::Identity();
        if (sticks) {
            all.J.middleRows<2>(T) -= d_tangential;
        } else {
            const Eigen::Vector2d along = tangential / length;
            const Eigen::Matrix2d across = Eigen::Matrix2d::Identity() - along * along.transpose();
            all.J.middleRows<2>(T) -= radius / length * (across * d_tangential) + contact.friction * along * d_normal;
        }
    }
    return all;
}

// The unknowns nearer to the laws.
Eigen::VectorXd newton(const DenseGroup& scaled, Eigen::VectorXd r) {
    double damping = 1e-6, error = laws(scaled, r, false).F.squaredNorm();
    for (int step = 0; step < most_steps && error > 0; ++step) {
        const Laws now = laws(scaled, r, true);
        const Eigen::MatrixXd JtJ = now.J.transpose() * now.J;
        const Eigen::VectorXd gradient = now.J.transpose() * now.F;
        bool better = false;
        for (int attempt = 0; attempt < 8 && !better; ++attempt) {
            Eigen::MatrixXd damped = JtJ;
            damped.diagonal().array() += damping;
            const Eigen::VectorXd next = r - damped.ldlt().solve(gradient);
            const double next_error = laws(scaled, next, false).F.squaredNorm();
            better = next_error < error;
            if (better) {
                r = next;
                error = next_error;
                damping = std::max(0.1 * damping, 1e-14);
            } else {
                damping *= 10;
            }
        }
        if (!better) break;
    }
    return r;
}

}  // namespace

Eigen::VectorXd newton_impulses(const FrictionProblem& problem, const std::vector<int>& group,
                                const Eigen::VectorXd& start) {
    const DenseGroup scaled = dense(problem, group);
    Eigen::VectorXd r = start;
    for (long i = 0; i < scaled.scale.size(); ++i) r.segment<3>(3 * i) /= scaled.scale[i];
    r = newton(scaled, r);
    for (long i = 0; i < scaled.scale.size(); ++i) r.segment<3>(3 * i) *= scaled.scale[i];
    return r;
}

}  // namespace clangor::friction
