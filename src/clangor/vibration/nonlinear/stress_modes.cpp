// Stress modes of a shell whose wall is free to relax   docs/theory/nonlinear-shell.md, Eq. 4 to 8, 19, 20
#include <clangor/vibration/nonlinear/stress_modes.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <random>

namespace clangor {
namespace {

// Columns that are worked on at once: always the same ones, whatever the number of threads.
constexpr long column_run = 16, solve_run = 64;

template <class Body>
void for_runs(long columns, long run, const Body& body) {
    parallel_for((columns + run - 1) / run, [&](long i) { body(i * run, std::min(run, columns - i * run)); });
}

// Normal deviates by Box and Muller: those of the standard library differ from one to the next.
Eigen::VectorXd normal_deviates(long count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return (double(random() >> 11) + 0.5) / double(std::uint64_t(1) << 53); };
    Eigen::VectorXd x(count);
    for (double& value : x) {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        value = radius * std::cos(2 * pi * uniform());
    }
    return x;
}

double largest_displacement(const Eigen::VectorXd& u) {
    double largest_sq = 0;
    for (long i = 0; i + 2 < u.size(); i += 3) largest_sq = std::max(largest_sq, u.segment<3>(i).squaredNorm());
    return std::sqrt(largest_sq);
}

Eigen::MatrixXd quadratic_strains(const BendingModes& modes, const Eigen::MatrixXd& q) {
    return modes.wall.quadratic(modes.shapes * q);
}

// P n of poses: the stresses that are left, and what works on modes, Sᵀn·U. This is most of the memory of a bake, and
// no place for floats, here or in what is mixed from it: what they round is no self-stress and works on all of n, and
// edges that are hardly independent magnify it. With 60 stresses of a plate V was off by half.
struct Relaxed {
    Eigen::MatrixXd stresses;  // 6F×m
    Eigen::MatrixXd work;      // r×m
};

Relaxed relaxed(const BendingModes& modes, const Relaxation& relaxation, const Eigen::MatrixXd& poses,
                const Progress& progress) {
    Relaxed all{Eigen::MatrixXd(modes.wall.strains(), poses.cols()), Eigen::MatrixXd(modes.omega.size(), poses.cols())};
    const Eigen::VectorXd softness = modes.omega.array().square().inverse();
    for (long first = 0; first < poses.cols(); first += solve_run) {
        progress("stresses", double(first) / double(poses.cols()));
        const long count = std::min(solve_run, poses.cols() - first);
        Eigen::MatrixXd n(modes.wall.strains(), count), f(modes.shapes.rows(), count);
        for_runs(count, column_run, [&](long at, long columns) {
            n.middleCols(at, columns) = quadratic_strains(modes, poses.middleCols(first + at, columns));
            f.middleCols(at, columns) = modes.wall.forces(n.middleCols(at, columns));
            all.work.middleCols(first + at, columns) = modes.shapes.transpose() * f.middleCols(at, columns);
        });
        // All motion outside the modes follows: z = −(K⁺ − UΛ⁻¹Uᵀ)Sᵀn.
        Eigen::MatrixXd z = relaxation(f);
        for_runs(count, column_run, [&](long at, long columns) {
            z.middleCols(at, columns) =
                modes.shapes * (softness.asDiagonal() * all.work.middleCols(first + at, columns)) -
                z.middleCols(at, columns);
            all.stresses.middleCols(first + at, columns) =
                modes.wall.stresses(n.middleCols(at, columns), z.middleCols(at, columns));
        });
    }
    return all;
}

// Eq. 20: motions are left with what the frozen stress does not say of them.
void take_out(const FrozenStress& frozen, const BendingModes& modes, const Eigen::MatrixXd& poses,
              Eigen::MatrixXd& stresses) {
    for_runs(poses.cols(), column_run, [&](long at, long columns) {
        const Eigen::RowVectorXd along =
            frozen.stress.transpose() * quadratic_strains(modes, poses.middleCols(at, columns));
        stresses.middleCols(at, columns).noalias() -= frozen.stress * along;
    });
}

// NᵀPN: energies of what is left of one pose in the stresses of another.
Eigen::MatrixXd energies(const BendingModes& modes, const Eigen::MatrixXd& poses, const Eigen::MatrixXd& stresses) {
    Eigen::MatrixXd gram(poses.cols(), poses.cols());
    for_runs(poses.cols(), column_run, [&](long at, long columns) {
        const Eigen::MatrixXd n = quadratic_strains(modes, poses.middleCols(at, columns));
        gram.middleRows(at, columns).noalias() = n.transpose() * stresses;
    });
    return (gram + gram.transpose()) / 2;
}

}  // namespace

Eigen::MatrixXd random_poses(const BendingModes& modes, long count, std::uint64_t seed) {
    Eigen::MatrixXd poses(modes.omega.size(), count);
    for_runs(count, column_run, [&](long at, long columns) {
        for (long c = at; c < at + columns; ++c)
            poses.col(c) =
                normal_deviates(poses.rows(), seed * 1'000'003u + std::uint64_t(c)).cwiseQuotient(modes.omega);
        const Eigen::MatrixXd u = modes.shapes.topRows(modes.shapes.rows() / 2) * poses.middleCols(at, columns);
        for (long c = 0; c < columns; ++c) poses.col(at + c) *= modes.thickness / largest_displacement(u.col(c));
    });
    return poses;
}

FrozenStress frozen_stress(const WallStretch& wall, const Relaxation& relaxation, const Eigen::VectorXd& growth) {
    CLANGOR_ASSERT(growth.size() == wall.strains() / 6 && growth.allFinite(), "so much growth for each triangle");
    Eigen::VectorXd strains = Eigen::VectorXd::Zero(wall.strains());
    for (long f = 0; f < growth.size(); ++f) strains.segment<2>(6 * f).setConstant(growth[f]);
    const Eigen::MatrixXd held = wall.stresses(strains, Eigen::VectorXd::Zero(6 * wall.vertices()));
    const Eigen::MatrixXd left = wall.stresses(strains, -relaxation(wall.forces(strains)));
    const double energy = strains.dot(left.col(0));
    // The bed on which free shells relax leaves 1e-4 of what their modes have given way to.
    if (!(energy > 1e-6 * strains.dot(held.col(0))))
        throw Error(
            "this growth freezes no stress into the wall: it fits together without any; let the middle grow "
            "more than the rim, or hold the rim");
    return {left.col(0) / std::sqrt(energy), std::sqrt(energy)};
}

StressModes stress_modes(const BendingModes& modes, const Relaxation& relaxation, const FrozenStress& frozen,
                         long count, std::uint64_t seed, const Progress& progress) {
    const long first = frozen.stress.size() > 0 ? 1 : 0;
    const Eigen::MatrixXd poses = random_poses(modes, 3 * count, seed);
    Relaxed left = relaxed(modes, relaxation, poses, progress);
    if (first > 0) take_out(frozen, modes, poses, left.stresses);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(energies(modes, poses, left.stresses));
    // Ascending. Below 1e-11 of the largest energy there is rounding.
    const Eigen::VectorXd& lambda = eigen.eigenvalues();
    const long meant = (lambda.array() > 1e-11 * lambda[lambda.size() - 1]).count();
    const long kept = std::min(count - first, meant);
    const Eigen::MatrixXd mixing = eigen.eigenvectors().rightCols(kept).rowwise().reverse() *
                                   lambda.tail(kept).reverse().cwiseSqrt().cwiseInverse().asDiagonal();
    StressModes result{Eigen::MatrixXd(left.stresses.rows(), first + kept),
                       Eigen::MatrixXd::Zero(first + kept, modes.omega.size())};
    if (first > 0) result.stresses.col(0) = frozen.stress;
    result.coupling.bottomRows(kept) = (left.work * mixing).transpose();
    for_runs(left.stresses.rows(), 4096, [&](long at, long rows) {
        result.stresses.middleRows(at, rows).rightCols(kept).noalias() = left.stresses.middleRows(at, rows) * mixing;
    });
    return result;
}

Eigen::MatrixXd stretches(const BendingModes& modes, const StressModes& stress, const Eigen::MatrixXd& q) {
    Eigen::MatrixXd c(stress.stresses.cols(), q.cols());
    for_runs(q.cols(), column_run, [&](long at, long columns) {
        c.middleCols(at, columns).noalias() =
            stress.stresses.transpose() * quadratic_strains(modes, q.middleCols(at, columns));
    });
    return c;
}

}  // namespace clangor
