#include <clangor/radiation/compact/triangle_potentials.hpp>

#include <cmath>

namespace clangor::compact {
namespace {

// ∫ dl/r along an edge of length L whose ends are r1 and r2 away. The usual ln[(r2+l2)/(r1+l1)] cancels where the
// edge points towards the origin; this equal form does not. An edge that touches the origin gets 0: the factors that
// go with it (distance to the edge's line, height over the plane) vanish faster than the logarithm grows.
double edge_integral(double r1, double r2, double length) {
    const double excess = r1 + r2 - length;
    if (excess <= 1e-14 * length) return 0.0;
    return std::log((r1 + r2 + length) / excess);
}

}  // namespace

// [VanOosterom1983, Eq. 8]
double solid_angle(const std::array<Vec3, 3>& corners) {
    const auto& [a, b, c] = corners;
    const double ra = a.norm();
    const double rb = b.norm();
    const double rc = c.norm();
    const double triple = a.dot(b.cross(c));
    return 2.0 * std::atan2(triple, ra * rb * rc + a.dot(b) * rc + b.dot(c) * ra + c.dot(a) * rb);
}

// With z = n·y the height over the plane, and for each edge its outward normal m in the plane, its distance h = m·y
// and f = ∫dl/r (docs/theory/compact-radiation.md, Eq. 9–11; the single layer is [Wilton1984, Eq. 5]):
//     ∫ 1/r dS = Σ h f − zΩ,     ∫ N_i z/r³ dS = N_i(foot) Ω − z ∇N_i·Σ m f
// The corner opposite to edge e has N(foot) = h L/2A and ∇N = −m L/2A.
TrianglePotentials triangle_potentials(const std::array<Vec3, 3>& corners, const Vec3& normal) {
    const double twice_area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
    const double z = normal.dot(corners[0]);
    const double omega = solid_angle(corners);

    std::array<Vec3, 3> m_scaled;  // m L, by edge; edge e is opposite to corner e
    std::array<double, 3> h_scaled;
    TrianglePotentials out;
    Vec3 sum_mf = Vec3::Zero();
    for (int e = 0; e < 3; ++e) {
        const Vec3& begin = corners[(e + 1) % 3];
        const Vec3& end = corners[(e + 2) % 3];
        const Vec3 along = end - begin;
        const double length = along.norm();
        const double f = edge_integral(begin.norm(), end.norm(), length);
        m_scaled[e] = along.cross(normal);
        h_scaled[e] = m_scaled[e].dot(begin);
        out.single_layer += h_scaled[e] / length * f;
        sum_mf += m_scaled[e] / length * f;
    }
    out.single_layer -= z * omega;
    for (int i = 0; i < 3; ++i) out.double_layer[i] = (h_scaled[i] * omega + z * m_scaled[i].dot(sum_mf)) / twice_area;
    return out;
}

}  // namespace clangor::compact
