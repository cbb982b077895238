// Greedy cubature with non-negative weights [An2008], of triangles   docs/theory/subspace-shell.md, Eq. 6
#include <clangor/vibration/subspace/nonnegative.hpp>
#include <clangor/vibration/subspace/triangle_cubature.hpp>
#include <clangor/vibration/subspace/triangle_force.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace clangor {
namespace {

// Motions that are worked on at once: always the same ones, whatever the number of threads.
constexpr long motion_run = 8;

// Normal deviates by Box and Muller: those of the standard library differ from one to the next.
Eigen::VectorXd deviates(long count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return (double(random() >> 11) + 0.5) / double(std::uint64_t(1) << 53); };
    Eigen::VectorXd x(count);
    for (double& value : x) {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        value = radius * std::cos(2 * pi * uniform());
    }
    return x;
}

using Vec18 = Eigen::Matrix<double, 18, 1>;

// Where the unknowns of corner i of a triangle are, three and three.
std::pair<long, long> places(const ShellTriangle& triangle, int i, long vertices) {
    return {3L * triangle.corners[size_t(i)], 3L * (vertices + triangle.corners[size_t(i)])};
}

// Training motions Q, and b = (…, force of pose t / its length, …).
struct Training {
    Eigen::MatrixXd q;       // r×T
    Eigen::VectorXd scale;   // 1/length of each force
    Eigen::MatrixXd target;  // r×T, columns of length 1
    bool whole = false;
};

Training training_of(const SubspaceModes& modes, double thickness, const SubspacePlanOptions& options) {
    Training training;
    training.whole = options.whole;
    training.q = random_motions(modes, options.amplitude * thickness, options.poses, options.seed);
    training.target = forces_beyond_linear(modes, training.q);
    if (options.whole) training.target += modes.omega.cwiseAbs2().asDiagonal() * training.q;
    training.scale = training.target.colwise().norm().cwiseMax(1e-300).cwiseInverse();
    training.target *= training.scale.asDiagonal();
    return training;
}

// A_i of one triangle per area, r×T, as what it does in its own 15 numbers.
struct Candidate {
    Eigen::MatrixXd rows;    // 15×r
    Eigen::MatrixXd forces;  // 15×T

    Candidate(const SubspaceModes& modes, const Training& training, long f) : rows(rows_of(modes, f)) {
        const ShellTriangle& triangle = modes.triangles[size_t(f)];
        forces = rows * training.q;
        for (long t = 0; t < forces.cols(); ++t) {
            const Vec15 y = forces.col(t);
            Vec15 force = beyond_linear(triangle.membrane, triangle.bending, y).gradient;
            if (training.whole) force += linear_force(triangle.membrane, triangle.bending, y);
            forces.col(t) = force * (training.scale[t] / triangle.area);
        }
    }

    // A_iᵀr/‖A_i‖
    double agreement(const Eigen::MatrixXd& residual) const {
        const double with = (rows * residual).cwiseProduct(forces).sum();
        const double length_sq = (rows * rows.transpose() * forces).cwiseProduct(forces).sum();
        return length_sq > 0 ? with / std::sqrt(length_sq) : 0;
    }

    Eigen::MatrixXd column() const { return rows.transpose() * forces; }
};

// What has been taken so far, its normal equations and what is left.
class Chosen {
public:
    explicit Chosen(const Training& training) : training_(&training), residual_(training.target) {}

    bool has(int f) const { return std::find(triangles_.begin(), triangles_.end(), f) != triangles_.end(); }
    const Eigen::MatrixXd& residual() const { return residual_; }
    double error() const { return residual_.norm() / std::sqrt(double(residual_.cols())); }
    long count() const { return std::ssize(triangles_); }

    void take(int f, Eigen::MatrixXd column) {
        const long n = count();
        Eigen::VectorXd with(n + 1);
        columns_.push_back(std::move(column));
        triangles_.push_back(f);
        parallel_for(n + 1, [&](long i) { with[i] = columns_[size_t(i)].cwiseProduct(columns_.back()).sum(); });
        gram_.conservativeResize(n + 1, n + 1);
        gram_.col(n) = with;
        gram_.row(n) = with.transpose();
        aim_.conservativeResize(n + 1);
        aim_[n] = columns_.back().cwiseProduct(training_->target).sum();
        weights_.conservativeResize(n + 1);
        weights_[n] = 0;
    }

    // Weighs anew, and lets go of those without a weight.
    void weigh() {
        weights_ = nonnegative_least_squares(gram_, aim_, weights_);
        std::vector<int> stay;
        for (int i = 0; i < int(weights_.size()); ++i)
            if (weights_[i] > 0) stay.push_back(i);
        gram_ = gram_(stay, stay).eval();
        aim_ = aim_(stay).eval();
        weights_ = weights_(stay).eval();
        for (size_t i = 0; i < stay.size(); ++i) {
            triangles_[i] = triangles_[size_t(stay[i])];
            if (size_t(stay[i]) != i) columns_[i] = std::move(columns_[size_t(stay[i])]);
        }
        triangles_.resize(stay.size());
        columns_.resize(stay.size());
        residual_ = training_->target;
        for (size_t i = 0; i < columns_.size(); ++i) residual_ -= weights_[long(i)] * columns_[i];
    }

    // By number of the triangle.
    TriangleCubature sorted() const {
        std::vector<std::pair<int, double>> all;
        for (size_t i = 0; i < triangles_.size(); ++i) all.emplace_back(triangles_[i], weights_[long(i)]);
        std::sort(all.begin(), all.end());
        TriangleCubature cubature{{}, Eigen::VectorXd(std::ssize(all))};
        for (const auto& [f, weight] : all) {
            cubature.weights[std::ssize(cubature.triangles)] = weight;
            cubature.triangles.push_back(f);
        }
        return cubature;
    }

private:
    const Training* training_;
    std::vector<int> triangles_;
    std::vector<Eigen::MatrixXd> columns_;  // A_i, r×T
    Eigen::MatrixXd gram_, residual_;
    Eigen::VectorXd aim_, weights_;
};

}  // namespace

Eigen::MatrixXd random_motions(const SubspaceModes& modes, double largest, long count, std::uint64_t seed) {
    Eigen::MatrixXd motions(modes.omega.size(), count);
    parallel_for(count, [&](long t) {
        Eigen::VectorXd q = deviates(modes.omega.size(), seed * 1'000'003u + std::uint64_t(t));
        q = q.cwiseQuotient(modes.omega);
        const Eigen::VectorXd u = modes.shapes.topRows(3 * modes.vertices()) * q;
        const double moved = std::sqrt(u.reshaped(3, u.size() / 3).colwise().squaredNorm().maxCoeff());
        motions.col(t) = largest / moved * q;
    });
    return motions;
}

Eigen::MatrixXd forces_beyond_linear(const SubspaceModes& modes, const Eigen::MatrixXd& q) {
    Eigen::MatrixXd forces(q.rows(), q.cols());
    parallel_for((q.cols() + motion_run - 1) / motion_run, [&](long run) {
        const long first = run * motion_run, count = std::min(motion_run, q.cols() - first);
        const Eigen::MatrixXd u = modes.shapes * q.middleCols(first, count);
        Eigen::MatrixXd g = Eigen::MatrixXd::Zero(u.rows(), count);
        for (const ShellTriangle& triangle : modes.triangles)
            for (long t = 0; t < count; ++t) {
                Vec18 corners;
                for (int i = 0; i < 3; ++i) {
                    const auto [at, turn] = places(triangle, i, modes.vertices());
                    corners.segment<6>(6 * i) << u.col(t).segment<3>(at), u.col(t).segment<3>(turn);
                }
                const Vec15 y = triangle.local * corners;
                const Vec18 f =
                    triangle.local.transpose() * beyond_linear(triangle.membrane, triangle.bending, y).gradient;
                for (int i = 0; i < 3; ++i) {
                    const auto [at, turn] = places(triangle, i, modes.vertices());
                    g.col(t).segment<3>(at) += f.segment<3>(6 * i);
                    g.col(t).segment<3>(turn) += f.segment<3>(6 * i + 3);
                }
            }
        forces.middleCols(first, count) = modes.shapes.transpose() * g;
    });
    return forces;
}

Eigen::MatrixXd rows_of(const SubspaceModes& modes, long f) {
    const ShellTriangle& triangle = modes.triangles[size_t(f)];
    Eigen::MatrixXd corners(18, modes.shapes.cols());
    for (int i = 0; i < 3; ++i) {
        const auto [at, turn] = places(triangle, i, modes.vertices());
        corners.middleRows<3>(6 * i) = modes.shapes.middleRows<3>(at);
        corners.middleRows<3>(6 * i + 3) = modes.shapes.middleRows<3>(turn);
    }
    return triangle.local * corners;
}

TriangleCubature triangle_cubature(const SubspaceModes& modes, double thickness, const SubspacePlanOptions& options,
                                   long count, const Progress& progress) {
    const Training training = training_of(modes, thickness, options);
    const long all = std::ssize(modes.triangles);
    std::mt19937_64 random(options.seed);
    Chosen chosen(training);
    // Triangles that lose their weight come and go: so many rounds that they may, and an end all the same.
    for (long round = 0; round < 2 * count && chosen.count() < count && chosen.error() > options.tolerance; ++round) {
        if (round % 20 == 0) progress("cubature", double(chosen.count()) / double(count));
        std::vector<int> tried;
        for (int i = 0; i < options.candidates; ++i)
            if (const int f = int(random() % std::uint64_t(all)); !chosen.has(f)) tried.push_back(f);
        std::vector<double> agreement(tried.size());
        parallel_for(std::ssize(tried), [&](long i) {
            agreement[size_t(i)] = Candidate(modes, training, tried[size_t(i)]).agreement(chosen.residual());
        });
        const auto best = std::max_element(agreement.begin(), agreement.end());
        if (best == agreement.end() || *best <= 0) continue;
        const int f = tried[size_t(best - agreement.begin())];
        chosen.take(f, Candidate(modes, training, f).column());
        chosen.weigh();
    }
    return chosen.sorted();
}

}  // namespace clangor
