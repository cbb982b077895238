#include <clangor/radiation/compact/face_integrals.hpp>

namespace clangor::compact {
namespace {

// [Dunavant1985, Table II], 12 points, in barycentric coordinates; weights for a triangle of unit area.
struct Orbit {
    double weight, a, b, c;
};
constexpr Orbit symmetric_orbits[] = {
    {0.116786275726379, 0.501426509658179, 0.249286745170910, 0.249286745170911},
    {0.050844906370207, 0.873821971016996, 0.063089014491502, 0.063089014491502},
};
constexpr Orbit general_orbit = {0.082851075618374, 0.053145049844817, 0.310352451033784, 0.636502499121399};

std::vector<QuadraturePoint> make_rule() {
    std::vector<QuadraturePoint> rule;
    for (const auto& [w, a, b, c] : symmetric_orbits)
        for (const auto& [xi, eta] : {std::pair{a, b}, {b, c}, {c, a}}) rule.push_back({xi, eta, 0.5 * w});
    const auto& [w, a, b, c] = general_orbit;
    for (const auto& [xi, eta] : {std::pair{a, b}, {b, c}, {c, a}, {b, a}, {c, b}, {a, c}})
        rule.push_back({xi, eta, 0.5 * w});
    return rule;
}

// The face's shape functions at all points of the rule; there are two kinds of face only.
const std::vector<FaceShape>& shapes_at_rule(int nodes) {
    const auto make = [](int n) {
        std::vector<FaceShape> shapes;
        for (const QuadraturePoint& point : triangle_rule()) shapes.push_back(face_shape(n, point.xi, point.eta));
        return shapes;
    };
    static const std::vector<FaceShape> linear = make(3);
    static const std::vector<FaceShape> curved = make(6);
    return nodes == 3 ? linear : curved;
}

// n dS/(dξ dη) = ∂x/∂ξ × ∂x/∂η
Vec3 area_vector(const Eigen::MatrixXd& face_nodes, const FaceShape& shape) {
    const Eigen::Matrix<double, 3, 2> tangents = face_nodes.transpose() * shape.derivatives;
    return tangents.col(0).cross(tangents.col(1));
}

}  // namespace

FaceShape face_shape(int nodes, double xi, double eta) {
    CLANGOR_ASSERT(nodes == 3 || nodes == 6, "a skin has faces of 3 or 6 nodes");
    const double zeta = 1.0 - xi - eta;
    FaceShape shape{Eigen::VectorXd(nodes), Eigen::MatrixXd(nodes, 2)};
    if (nodes == 3) {
        shape.values << zeta, xi, eta;
        shape.derivatives << -1, -1, 1, 0, 0, 1;
        return shape;
    }
    shape.values << zeta * (2 * zeta - 1), xi * (2 * xi - 1), eta * (2 * eta - 1), 4 * zeta * xi, 4 * xi * eta,
        4 * eta * zeta;
    shape.derivatives << 1 - 4 * zeta, 1 - 4 * zeta,  //
        4 * xi - 1, 0,                                //
        0, 4 * eta - 1,                               //
        4 * (zeta - xi), -4 * xi,                     //
        4 * eta, 4 * xi,                              //
        -4 * eta, 4 * (zeta - eta);
    return shape;
}

const std::vector<QuadraturePoint>& triangle_rule() {
    static const std::vector<QuadraturePoint> rule = make_rule();
    return rule;
}

// On a 6-node face N_v, n dS and u are of degree 2 each: the rule of degree 6 is exact.
Eigen::MatrixXd strength_operator(const Eigen::MatrixXd& face_nodes) {
    const int nodes = static_cast<int>(face_nodes.rows());
    const auto& shapes = shapes_at_rule(nodes);
    Eigen::MatrixXd integrals = Eigen::MatrixXd::Zero(nodes, 3 * nodes);
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        const Eigen::VectorXd& N = shapes[q].values;
        const Vec3 n_dS = triangle_rule()[q].weight * area_vector(face_nodes, shapes[q]);
        for (int w = 0; w < nodes; ++w)
            for (int d = 0; d < 3; ++d) integrals.col(3 * w + d) += N * (N[w] * n_dS[d]);
    }
    return integrals;
}

double face_area(const Eigen::MatrixXd& face_nodes) {
    const auto& shapes = shapes_at_rule(static_cast<int>(face_nodes.rows()));
    double area = 0;
    for (std::size_t q = 0; q < shapes.size(); ++q)
        area += triangle_rule()[q].weight * area_vector(face_nodes, shapes[q]).norm();
    return area;
}

Vec3 face_moment(const Eigen::MatrixXd& face_nodes) {
    const auto& shapes = shapes_at_rule(static_cast<int>(face_nodes.rows()));
    Vec3 moment = Vec3::Zero();
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        const double dS = triangle_rule()[q].weight * area_vector(face_nodes, shapes[q]).norm();
        moment += dS * (face_nodes.transpose() * shapes[q].values);
    }
    return moment;
}

}  // namespace clangor::compact
