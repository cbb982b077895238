// Squared distances to planes, summed  [Garland1997, Section 4].
#pragma once

#include <clangor/core/core.hpp>

#include <array>

namespace clangor::geometry {

/// Q(s) = sᵀAs + 2bᵀs + c: the sum over planes of weight · distance², s counted from a point of its own. There single
/// precision is ample, and millions of them fit.
struct Quadric {
    std::array<float, 6> A{};  ///< xx xy xz yy yz zz
    std::array<float, 3> b{};
    float c = 0;

    /// A plane through the origin.
    void add(const Vec3& unit_normal, double weight) {
        const double x = unit_normal.x(), y = unit_normal.y(), z = unit_normal.z();
        const double products[] = {x * x, x * y, x * z, y * y, y * z, z * z};
        for (std::size_t i = 0; i < 6; ++i) A[i] += static_cast<float>(weight * products[i]);
    }

    Mat3 matrix() const {
        Mat3 full;
        full << A[0], A[1], A[2], A[1], A[3], A[4], A[2], A[4], A[5];
        return full;
    }
    double weight() const { return double(A[0]) + double(A[3]) + double(A[5]); }  // of unit normals, Σ n² = 1
    double operator()(const Vec3& s) const {
        const Vec3 linear(b[0], b[1], b[2]);
        return s.dot(matrix() * s + 2 * linear) + double(c);
    }
};

/// The same function, counted from a point `shift` away.
inline Quadric shifted(const Quadric& quadric, const Vec3& shift) {
    const Vec3 As = quadric.matrix() * shift;
    Quadric result = quadric;
    result.c = static_cast<float>(quadric(shift));
    for (std::size_t k = 0; k < 3; ++k) result.b[k] += static_cast<float>(As[static_cast<int>(k)]);
    return result;
}

inline Quadric sum(const Quadric& p, const Quadric& q) {
    Quadric result = p;
    for (std::size_t i = 0; i < 6; ++i) result.A[i] += q.A[i];
    for (std::size_t i = 0; i < 3; ++i) result.b[i] += q.b[i];
    result.c += q.c;
    return result;
}

}  // namespace clangor::geometry
