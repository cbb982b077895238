// Edge cubature by pivoted Cholesky of moments in closed form   docs/theory/nonlinear-shell.md, Eq. 9 to 12
#include <clangor/vibration/nonlinear/edge_cubature.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>

namespace clangor {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

Points vertex_normals(const Surface& middle) {
    Points normals = Points::Zero(middle.vertices.rows(), 3);
    for (long f = 0; f < middle.faces.rows(); ++f) {
        const Vec3 a = middle.vertices.row(middle.faces(f, 0));
        const Vec3 b = middle.vertices.row(middle.faces(f, 1)), c = middle.vertices.row(middle.faces(f, 2));
        const Vec3 doubled = (b - a).cross(c - a);
        for (int i = 0; i < 3; ++i) normals.row(middle.faces(f, i)) += doubled;
    }
    return normals.rowwise().normalized();
}

Eigen::MatrixXd edge_turns(const Surface& middle, const Eigen::MatrixXd& shapes, long most, std::uint64_t seed) {
    std::set<std::pair<int, int>> found;
    for (long f = 0; f < middle.faces.rows(); ++f)
        for (int i = 0; i < 3; ++i) found.insert(std::minmax({middle.faces(f, i), middle.faces(f, (i + 1) % 3)}));
    std::vector<std::pair<int, int>> edges(found.begin(), found.end());
    std::mt19937_64 random(seed);
    if (most < std::ssize(edges)) {
        for (size_t i = 0; i < size_t(most); ++i) std::swap(edges[i], edges[i + random() % (edges.size() - i)]);
        edges.resize(size_t(most));
    }
    const Points normals = vertex_normals(middle);
    Eigen::MatrixXd turns(std::ssize(edges), shapes.cols());
    for (long e = 0; e < turns.rows(); ++e) {
        const auto [a, b] = edges[size_t(e)];
        const Eigen::RowVector3d n = (normals.row(a) + normals.row(b)).normalized();
        turns.row(e) = n * (shapes.middleRows<3>(3L * b) - shapes.middleRows<3>(3L * a));
    }
    return turns;
}

namespace {

// Of candidates e and f with d = Σ^½ d_e: ⟨v_e²v_f²⟩ = μ_eμ_f + 2(d_e·d_f)², what the chosen ones explain of it, and
// ⟨c v_e²⟩ less what they explain.
class Greedy {
public:
    Greedy(Rows d, Eigen::MatrixXd moments, long count)
        : d_(std::move(d)),
          mu_(d_.rowwise().squaredNorm()),
          moments_(std::move(moments)),
          floor_(3e-8 * mu_.cwiseAbs2()),
          left_(3 * mu_.cwiseAbs2()),
          columns_(Rows::Zero(d_.rows(), count)) {}

    // The candidate that explains most of what is left, or −1.
    long best() const {
        long winner = -1;
        double most = 0;
        const Eigen::VectorXd gains = moments_.colwise().squaredNorm();
        for (long e = 0; e < d_.rows(); ++e) {
            if (left_[e] <= floor_[e]) continue;
            if (const double gain = gains[e] / left_[e]; gain > most) most = gain, winner = e;
        }
        return winner;
    }

    // Gives what it adds to the fit.
    Eigen::VectorXd take(long e, long taken) {
        const double root = std::sqrt(left_[e]);
        const Eigen::VectorXd weight = moments_.col(e) / root;
        const Eigen::RowVectorXd chosen = columns_.row(e).head(taken), turn = d_.row(e);
        constexpr long run = 1024;
        parallel_for((d_.rows() + run - 1) / run, [&](long i) {
            const long at = i * run, rows = std::min(run, d_.rows() - at);
            const Eigen::VectorXd along = d_.middleRows(at, rows) * turn.transpose();
            const Eigen::VectorXd column = (mu_[e] * mu_.segment(at, rows) + 2 * along.cwiseAbs2() -
                                            columns_.middleRows(at, rows).leftCols(taken) * chosen.transpose()) /
                                           root;
            columns_.col(taken).segment(at, rows) = column;
            left_.segment(at, rows) -= column.cwiseAbs2();
            moments_.middleCols(at, rows).noalias() -= weight * column.transpose();
        });
        left_[e] = 0;
        return weight;
    }

    Eigen::RowVectorXd row(long e, long taken) const { return columns_.row(e).head(taken); }

private:
    Rows d_;
    Eigen::VectorXd mu_;
    Eigen::MatrixXd moments_;  // K×E
    Eigen::VectorXd floor_, left_;
    Rows columns_;  // of the Cholesky factor
};

// ⟨c v_e²⟩ = ⟨c⟩μ_e + 2c(Σd_e), ⟨c⟩ = Σ_i c(e_i/ω_i)
Eigen::MatrixXd moments_with(const BendingModes& modes, const StressModes& stress, const Eigen::MatrixXd& candidates,
                             const Rows& d) {
    const Eigen::VectorXd deviation = modes.omega.cwiseInverse();
    const Eigen::MatrixXd single = deviation.asDiagonal();
    const Eigen::VectorXd mean = stretches(modes, stress, single).rowwise().sum();
    const Eigen::MatrixXd poses = deviation.cwiseAbs2().asDiagonal() * candidates.transpose();
    return mean * d.rowwise().squaredNorm().transpose() + 2 * stretches(modes, stress, poses);
}

}  // namespace

EdgeCubature edge_cubature(const BendingModes& modes, const StressModes& stress, const Eigen::MatrixXd& candidates,
                           long count, const Progress& progress) {
    const Rows d = candidates * modes.omega.cwiseInverse().asDiagonal();
    Greedy greedy(d, moments_with(modes, stress, candidates, d), count);
    std::vector<long> chosen;
    Eigen::MatrixXd weights(stress.stresses.cols(), count);
    for (long taken = 0; taken < count; ++taken) {
        if (taken % 50 == 0) progress("edges", double(taken) / double(count));
        const long e = greedy.best();
        if (e < 0) break;
        weights.col(taken) = greedy.take(e, taken);
        chosen.push_back(e);
    }
    const long n = std::ssize(chosen);
    Eigen::MatrixXd factor(n, n);
    EdgeCubature cubature{Eigen::MatrixXd(n, candidates.cols()), weights.leftCols(n)};
    for (long i = 0; i < n; ++i) {
        factor.row(i) = greedy.row(chosen[size_t(i)], n);
        cubature.edges.row(i) = candidates.row(chosen[size_t(i)]);
    }
    factor.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(cubature.squares);
    return cubature;
}

}  // namespace clangor
