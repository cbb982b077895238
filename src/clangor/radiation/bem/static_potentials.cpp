#include <clangor/radiation/bem/static_potentials.hpp>

#include <cmath>

namespace clangor::bem {
namespace {

// ∫ dl/R along an edge of length L whose ends are r1 and r2 away. The usual ln[(r2+l2)/(r1+l1)] cancels where the edge
// points towards the origin; this equal form does not. An edge that touches the origin gets 0: what it is multiplied
// with vanishes faster.
double edge_integral(double r1, double r2, double length) {
    const double excess = r1 + r2 - length;
    if (excess <= 1e-14 * length) return 0.0;
    return std::log((r1 + r2 + length) / excess);
}

// [VanOosterom1983, Eq. 8]
double solid_angle(const std::array<Vec3, 3>& corners, const std::array<double, 3>& r) {
    const auto& [a, b, c] = corners;
    const double triple = a.dot(b.cross(c));
    return 2.0 * std::atan2(triple, r[0] * r[1] * r[2] + a.dot(b) * r[2] + b.dot(c) * r[0] + c.dot(a) * r[1]);
}

}  // namespace

// With z = n·y the height over the plane and, for each edge, its outward normal m in the plane, its distance h = m·y,
// the ends l1 and l2 along it, and f = ∫dl/R (docs/theory/boundary-elements.md, Eq. 7–10):
//     ∫ 1/R dS      = Σ h f − zΩ
//     ∫ N_j/R dS    = N_j(foot) ∫ 1/R dS + ∇N_j·Σ m ∫R dl,        ∫R dl = ½ (l2 r2 − l1 r1 + (h² + z²) f)
//     ∫ N_j z/R³ dS = N_j(foot) Ω − z ∇N_j·Σ m f
// The corner opposite to edge e has N(foot) = h L/2A and ∇N = −m L/2A.
StaticPotentials static_potentials(const std::array<Vec3, 3>& corners, const Vec3& normal) {
    const double twice_area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
    const double height = normal.dot(corners[0]);
    const std::array<double, 3> r = {corners[0].norm(), corners[1].norm(), corners[2].norm()};
    // In the plane of the triangle rounding must not decide on which side one stands: Ω would be ±2π.
    const bool in_plane = std::abs(height) <= 1e-10 * std::sqrt(twice_area);
    const double z = in_plane ? 0.0 : height;
    const double omega = in_plane ? 0.0 : solid_angle(corners, r);

    std::array<Vec3, 3> m_scaled;  // m L, by edge; edge e is opposite to corner e
    std::array<double, 3> h_scaled;
    double one_over_r = -z * omega;
    Vec3 sum_mf = Vec3::Zero();
    Vec3 sum_mr = Vec3::Zero();
    for (std::size_t e = 0; e < 3; ++e) {
        const std::size_t i = (e + 1) % 3, j = (e + 2) % 3;
        const Vec3 edge = corners[j] - corners[i];
        const double length = edge.norm();
        const double f = edge_integral(r[i], r[j], length);
        m_scaled[e] = edge.cross(normal);
        h_scaled[e] = m_scaled[e].dot(corners[i]);
        const double h = h_scaled[e] / length;
        const double l1 = edge.dot(corners[i]) / length, l2 = edge.dot(corners[j]) / length;
        one_over_r += h * f;
        sum_mf += m_scaled[e] * (f / length);
        sum_mr += m_scaled[e] * (0.5 / length * (l2 * r[j] - l1 * r[i] + (h * h + z * z) * f));
    }
    StaticPotentials out;
    for (std::size_t j = 0; j < 3; ++j) {
        out.single_layer[j] = (h_scaled[j] * one_over_r - m_scaled[j].dot(sum_mr)) / twice_area;
        out.double_layer[j] = (h_scaled[j] * omega + z * m_scaled[j].dot(sum_mf)) / twice_area;
    }
    return out;
}

}  // namespace clangor::bem
