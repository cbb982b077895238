#include <clangor/radiation/bem/gmres.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace clangor::bem {
namespace {

using Complex = std::complex<double>;
using VectorXcd = Eigen::VectorXcd;

// A plane rotation that makes the second entry zero.
struct Rotation {
    double c = 1;
    Complex s = 0;

    static Rotation zeroing(Complex a, Complex b) {
        const double norm = std::hypot(std::abs(a), std::abs(b));
        if (norm == 0.0) return {};
        if (a == Complex(0)) return {0.0, 1.0};
        return {std::abs(a) / norm, a / std::abs(a) * std::conj(b) / norm};
    }
    void apply(Complex& a, Complex& b) const {
        const Complex rotated = c * a + s * b;
        b = -std::conj(s) * a + c * b;
        a = rotated;
    }
};

}  // namespace

GmresResult gmres(const LinearMap& A, const LinearMap& P_inverse, const VectorXcd& b, double tolerance,
                  int max_iterations, const Progress& progress) {
    GmresResult out;
    out.x = VectorXcd::Zero(b.size());
    const double beta = b.norm();
    if (beta == 0.0) {
        out.converged = true;
        return out;
    }
    std::vector<VectorXcd> basis = {b / beta};
    std::vector<VectorXcd> columns;  // of the triangular factor
    std::vector<Rotation> rotations;
    std::vector<Complex> right = {beta};
    const int steps = static_cast<int>(std::min<long>(max_iterations, b.size()));
    for (int step = 0; step < steps; ++step) {
        VectorXcd w = A(P_inverse(basis.back()));
        VectorXcd h(step + 2);
        for (int i = 0; i <= step; ++i) {
            h[i] = basis[i].dot(w);
            w -= h[i] * basis[i];
        }
        const double rest = w.norm();
        h[step + 1] = rest;
        for (int i = 0; i < step; ++i) rotations[i].apply(h[i], h[i + 1]);
        rotations.push_back(Rotation::zeroing(h[step], h[step + 1]));
        rotations.back().apply(h[step], h[step + 1]);
        right.emplace_back(0);
        rotations.back().apply(right[step], right[step + 1]);
        columns.push_back(h);
        out.iterations = step + 1;
        const double residual = std::abs(right.back()) / beta;
        progress("solution", std::min(1.0, std::log(residual) / std::log(tolerance)));
        if (!(residual > 0.8 * tolerance) || rest == 0.0) break;  // a margin for the rounding of A
        basis.push_back(w / rest);
    }
    VectorXcd y(out.iterations);
    for (int i = out.iterations - 1; i >= 0; --i) {
        Complex sum = right[i];
        for (int j = i + 1; j < out.iterations; ++j) sum -= columns[j][i] * y[j];
        y[i] = sum / columns[i][i];
    }
    VectorXcd combined = VectorXcd::Zero(b.size());
    for (int i = 0; i < out.iterations; ++i) combined += y[i] * basis[i];
    out.x = P_inverse(combined);
    out.residual = (b - A(out.x)).norm() / beta;
    out.converged = out.residual <= tolerance;
    return out;
}

}  // namespace clangor::bem
