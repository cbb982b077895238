#include <clangor/vibration/solid/tet_elements.hpp>

#include <Eigen/LU>

#include <cmath>

namespace clangor::tet_elements {
namespace {

// All points that permuting (a, a, a, 1−3a) gives.
void add_orbit_4(std::vector<QuadraturePoint>& rule, double a, double weight) {
    for (int i = 0; i < 4; ++i) {
        QuadraturePoint point{{a, a, a, a}, weight};
        point.barycentric[i] = 1 - 3 * a;
        rule.push_back(point);
    }
}

// All points that permuting (b, b, ½−b, ½−b) gives.
void add_orbit_6(std::vector<QuadraturePoint>& rule, double b, double weight) {
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) {
            QuadraturePoint point{{0.5 - b, 0.5 - b, 0.5 - b, 0.5 - b}, weight};
            point.barycentric[i] = point.barycentric[j] = b;
            rule.push_back(point);
        }
}

}  // namespace

std::vector<QuadraturePoint> rule_of_degree_2() {
    std::vector<QuadraturePoint> rule;
    add_orbit_4(rule, (5 - std::sqrt(5.0)) / 20, 0.25);
    return rule;
}

std::vector<QuadraturePoint> rule_of_degree_5() {
    std::vector<QuadraturePoint> rule;
    add_orbit_4(rule, 0.31088591926330060980, 0.11268792571801585080);
    add_orbit_4(rule, 0.09273525031089122640, 0.07349304311636194954);
    add_orbit_6(rule, 0.04550370412564964949, 0.04254602077708146644);
    return rule;
}

ShapeFunctions shape_functions(int nodes, const std::array<double, 4>& L) {
    ShapeFunctions N{Eigen::VectorXd(nodes), Eigen::MatrixXd::Zero(nodes, 4)};
    const bool is_linear = nodes == 4;
    for (int a = 0; a < 4; ++a) {
        N.value[a] = is_linear ? L[a] : L[a] * (2 * L[a] - 1);
        N.derivative(a, a) = is_linear ? 1 : 4 * L[a] - 1;
    }
    for (int e = 0; e < nodes - 4; ++e) {
        const auto [i, j] = edges[e];
        N.value[4 + e] = 4 * L[i] * L[j];
        N.derivative(4 + e, i) = 4 * L[j];
        N.derivative(4 + e, j) = 4 * L[i];
    }
    return N;
}

Rule tabulate(int nodes, const std::vector<QuadraturePoint>& points) {
    Rule rule;
    for (const QuadraturePoint& point : points) {
        rule.at.push_back(shape_functions(nodes, point.barycentric));
        rule.weight.push_back(point.weight);
    }
    return rule;
}

Mat3 jacobian(const Eigen::MatrixXd& derivative, const Eigen::MatrixXd& x) {
    const Eigen::Matrix<double, 3, 4> by_barycentric = x.transpose() * derivative;
    return by_barycentric.rightCols<3>().colwise() - by_barycentric.col(0);
}

Eigen::MatrixXd gradients(const ShapeFunctions& N, const Mat3& J) {
    const Eigen::MatrixXd by_reference = N.derivative.rightCols<3>().colwise() - N.derivative.col(0);
    return by_reference * J.inverse();
}

Lame lame_of(const Material& material) {
    const double E = material.young, nu = material.poisson;
    return {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))};
}

}  // namespace clangor::tet_elements
