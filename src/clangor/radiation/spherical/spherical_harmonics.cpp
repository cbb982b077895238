#include <clangor/radiation/spherical/spherical.hpp>

#include <cmath>
#include <utility>

namespace clangor {
namespace {

// N_lm P_lm(z)/sin^m θ for l = m … degree, with N_lm √(2 − δ_m0) absorbed: ∫ Y² = 1. The usual recurrence in l,
//     P̄_l = a_l z P̄_{l−1} − b_l P̄_{l−2},   a_l = √((4l²−1)/(l²−m²)),   b_l = a_l/a_{l−1}.
Eigen::VectorXd legendre_column(double z, int m, int degree) {
    double start = std::sqrt((m > 0 ? 2.0 : 1.0) / (4 * pi));
    for (int k = 1; k <= m; ++k) start *= std::sqrt((2.0 * k + 1) / (2.0 * k));
    Eigen::VectorXd column(degree - m + 1);
    double before = 0, value = start, last_a = 0;
    for (int l = m; l <= degree; ++l) {
        column[l - m] = value;
        const double a = std::sqrt((4.0 * square(l + 1) - 1) / (square(l + 1) - square(m)));
        const double next = a * z * value - (l > m ? a / last_a : 0) * before;
        before = std::exchange(value, next);
        last_a = a;
    }
    return column;
}

int index(int l, int m) { return l * l + l + m; }

}  // namespace

Eigen::VectorXd spherical_harmonics(const Vec3& direction, int degree) {
    Eigen::VectorXd Y((degree + 1) * (degree + 1));
    double cosine = 1, sine = 0;  // sin^m θ cos mφ and sin^m θ sin mφ: the parts of (x + iy)^m
    for (int m = 0; m <= degree; ++m) {
        const Eigen::VectorXd column = legendre_column(direction.z(), m, degree);
        for (int l = m; l <= degree; ++l) {
            Y[index(l, m)] = column[l - m] * cosine;
            if (m > 0) Y[index(l, -m)] = column[l - m] * sine;
        }
        const double next = cosine * direction.x() - sine * direction.y();
        sine = cosine * direction.y() + sine * direction.x();
        cosine = next;
    }
    return Y;
}

int degree_of(int harmonic) { return static_cast<int>(std::sqrt(static_cast<double>(harmonic) + 0.5)); }

GaussRule gauss_legendre(int count) {
    GaussRule rule{Eigen::VectorXd(count), Eigen::VectorXd(count)};
    for (int i = 0; i < count; ++i) {  // Newton's iteration on P_n from Tricomi's estimate of its roots
        double x = -std::cos(pi * (i + 0.75) / (count + 0.5)), slope = 0;
        for (int iteration = 0; iteration < 10; ++iteration) {
            double before = 1, value = x;
            for (int k = 2; k <= count; ++k)
                before = std::exchange(value, ((2 * k - 1) * x * value - (k - 1) * before) / k);
            slope = count == 1 ? 1 : count * (x * value - before) / (x * x - 1);
            x -= value / slope;
        }
        rule.nodes[i] = x;
        rule.weights[i] = 2 / ((1 - x * x) * slope * slope);
    }
    return rule;
}

Points ring_directions(int degree) {
    const GaussRule rule = gauss_legendre(degree + 1);
    const int around = 2 * (degree + 1);
    Points directions((degree + 1) * around, 3);
    for (int ring = 0; ring <= degree; ++ring) {
        const double z = rule.nodes[ring], sine = std::sqrt(1 - z * z);
        for (int j = 0; j < around; ++j) {
            const double phi = 2 * pi * (j + 0.5) / around;
            directions.row(ring * around + j) << sine * std::cos(phi), sine * std::sin(phi), z;
        }
    }
    return directions;
}

Eigen::MatrixXf harmonic_coefficients(const Eigen::Ref<const Eigen::MatrixXf>& values, int degree) {
    const int rings = degree + 1, around = 2 * rings, orders = 2 * degree + 1;
    const GaussRule rule = gauss_legendre(rings);
    Eigen::MatrixXf waves(around, orders);  // column m + degree: cos mφ or sin |m|φ, times the step in φ
    for (int j = 0; j < around; ++j) {
        const double phi = 2 * pi * (j + 0.5) / around;
        for (int m = -degree; m <= degree; ++m)
            waves(j, m + degree) =
                static_cast<float>((m < 0 ? std::sin(-m * phi) : std::cos(m * phi)) * 2 * pi / around);
    }
    std::vector<Eigen::MatrixXf> by_order(orders, Eigen::MatrixXf(values.rows(), rings));
    for (int ring = 0; ring < rings; ++ring) {
        const Eigen::MatrixXf row = values.middleCols(ring * around, around) * waves;
        for (int m = 0; m < orders; ++m) by_order[m].col(ring) = row.col(m);
    }
    Eigen::MatrixXf coefficients(values.rows(), rings * rings);
    for (int m = -degree; m <= degree; ++m) {
        const int order = std::abs(m);
        Eigen::MatrixXf legendre(rings, degree - order + 1);
        for (int ring = 0; ring < rings; ++ring) {
            const double z = rule.nodes[ring];
            legendre.row(ring) =
                (legendre_column(z, order, degree) * std::pow(1 - z * z, 0.5 * order) * rule.weights[ring])
                    .cast<float>()
                    .transpose();
        }
        const Eigen::MatrixXf product = by_order[m + degree] * legendre;
        for (int l = order; l <= degree; ++l) coefficients.col(index(l, m)) = product.col(l - order);
    }
    return coefficients;
}

}  // namespace clangor
