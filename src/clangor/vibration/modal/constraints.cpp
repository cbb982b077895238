// Linear constraints, by elimination: each takes one degree of freedom out of the problem.
#include <clangor/vibration/modal/modal.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <map>

namespace clangor {
namespace {

using Combination = std::map<int, double>;  // weights by degree of freedom

void add_scaled(Combination& sum, const Combination& other, double factor) {
    for (const auto& [row, weight] : other) sum[row] += factor * weight;
}

// Each eliminated degree of freedom in terms of those that stay.
class Elimination {
public:
    void add(const LinearConstraint& constraint) {
        Combination open;
        double largest = 0;
        for (size_t i = 0; i < constraint.rows.size(); ++i) {
            largest = std::max(largest, std::abs(constraint.weights[i]));
            const auto known = eliminated_.find(constraint.rows[i]);
            if (known == eliminated_.end())
                open[constraint.rows[i]] += constraint.weights[i];
            else
                add_scaled(open, known->second, constraint.weights[i]);
        }
        const auto pivot = std::ranges::max_element(
            open, [](const auto& a, const auto& b) { return std::abs(a.second) < std::abs(b.second); });
        if (pivot == open.end() || !(std::abs(pivot->second) > 1e-9 * largest)) return;  // it says nothing new
        const int master = pivot->first;
        const double weight = pivot->second;
        open.erase(pivot);
        Combination expression;
        add_scaled(expression, open, -1 / weight);
        for (auto& [row, earlier] : eliminated_)
            if (const auto found = earlier.find(master); found != earlier.end()) {
                const double factor = found->second;
                earlier.erase(found);
                add_scaled(earlier, expression, factor);
            }
        eliminated_[master] = std::move(expression);
    }

    std::vector<int> kept_rows(long unknowns) const {
        std::vector<int> kept;
        for (int i = 0; i < unknowns; ++i)
            if (!eliminated_.contains(i)) kept.push_back(i);
        return kept;
    }

    // T of u = T v.
    SparseMatrix expansion(long unknowns) const {
        const std::vector<int> kept = kept_rows(unknowns);
        std::vector<int> column(size_t(unknowns), -1);
        for (size_t j = 0; j < kept.size(); ++j) column[size_t(kept[j])] = int(j);
        std::vector<Eigen::Triplet<double>> entries;
        for (int i = 0; i < unknowns; ++i) {
            if (column[size_t(i)] >= 0) {
                entries.emplace_back(i, column[size_t(i)], 1.0);
                continue;
            }
            for (const auto& [row, weight] : eliminated_.at(i)) entries.emplace_back(i, column[size_t(row)], weight);
        }
        SparseMatrix T(unknowns, long(kept.size()));
        T.setFromTriplets(entries.begin(), entries.end());
        return T;
    }

private:
    std::map<int, Combination> eliminated_;
};

// Motions without strain that the constraints allow.
Eigen::MatrixXd allowed_motions(const Eigen::MatrixXd& rigid, const std::vector<LinearConstraint>& constraints) {
    const long count = rigid.cols();
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(count, count);
    for (const LinearConstraint& constraint : constraints) {
        Eigen::RowVectorXd held = Eigen::RowVectorXd::Zero(count);
        double sum = 0;
        for (size_t i = 0; i < constraint.rows.size(); ++i) {
            held += constraint.weights[i] * rigid.row(constraint.rows[i]);
            sum += std::abs(constraint.weights[i]);
        }
        if (sum > 0) gram += held.transpose() * held / square(sum);
    }
    if (count == 0 || constraints.empty()) return rigid;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eig(gram);
    long free = 0;
    while (free < count && eig.eigenvalues()[free] <= 1e-10 * eig.eigenvalues()[count - 1]) ++free;
    return rigid * eig.eigenvectors().leftCols(free);
}

}  // namespace

ConstrainedBody constrained(const StiffnessMass& body, const std::vector<LinearConstraint>& constraints) {
    Elimination elimination;
    for (const LinearConstraint& constraint : constraints) elimination.add(constraint);
    ConstrainedBody result;
    result.expansion = elimination.expansion(body.mass.cols());
    const SparseMatrix& T = result.expansion;
    const SparseMatrix transposed = T.transpose();
    result.body.stiffness = transposed * body.stiffness * T;
    result.body.mass = transposed * body.mass * T;
    result.body.is_held = true;
    const Eigen::MatrixXd rigid = allowed_motions(body.rigid, constraints);
    const std::vector<int> kept = elimination.kept_rows(body.mass.cols());
    result.body.rigid = rigid(kept, Eigen::all);
    return result;
}

}  // namespace clangor
