#include <clangor/radiation/bem/pair_integrals.hpp>
#include <clangor/radiation/bem/static_potentials.hpp>
#include <clangor/radiation/bem/triangle_rules.hpp>
#include <clangor/radiation/bem/unit_phase.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::bem {
namespace {

using Complex = std::complex<double>;

constexpr double over_4pi = 1 / (4 * pi);

// Within this many diameters the static parts are integrated in closed form.
constexpr double near_ratio = 1.6;

// Kernels between all points of a rule on x and the six of the rule of degree 4 on y, in single precision: 4πG and
// 4π∂G/∂n_y, or what is left of them without their static parts, which is smooth where x meets y:
//     G − 1/(4πR) = (e^{−iz} − 1)/(4πR),    z = kR
//     ∂G/∂n_y + n_y·(y−x)/(4πR³) = −n_y·(y−x)/(4πR³) ((1+iz) e^{−iz} − 1)
// The difference with 1 is exact to 1e-7 of the static kernel: enough, since that part is integrated in double.
constexpr std::size_t points_y = 6, most_points_x = 48;

struct KernelTable {
    float g_re[most_points_x * points_y], g_im[most_points_x * points_y];
    float d_re[most_points_x * points_y], d_im[most_points_x * points_y];
};

template <bool without_static>
void fill(KernelTable& out, const float* dx, const float* dy, const float* dz, const Vec3& normal, float k,
          std::size_t count) {
    const float n0 = static_cast<float>(normal[0]), n1 = static_cast<float>(normal[1]),
                n2 = static_cast<float>(normal[2]);
#pragma omp simd
    for (std::size_t s = 0; s < count; ++s) {
        const float R_sq = std::max(fused(dx[s], dx[s], fused(dy[s], dy[s], dz[s] * dz[s])), 1e-24f);
        const float R = std::sqrt(R_sq), inverse = 1.0f / R, z = k * R;
        const Phase phase = unit_phase(z);
        const float slope = -fused(dx[s], n0, fused(dy[s], n1, dz[s] * n2)) * inverse * inverse * inverse;
        constexpr float fixed = without_static ? 1.0f : 0.0f;
        out.g_re[s] = (phase.cosine - fixed) * inverse;
        out.g_im[s] = -phase.sine * inverse;
        out.d_re[s] = slope * (fused(z, phase.sine, phase.cosine) - fixed);
        out.d_im[s] = slope * fused(z, phase.cosine, -phase.sine);
    }
}

template <bool without_static>
void add_kernels(const Element& x, const Element& y, double k, std::span<const RulePoint> rule_x, PairIntegrals& sum) {
    const std::span<const RulePoint> rule_y = rule_of_degree_4();
    std::array<Vec3, points_y> at_y;
    for (std::size_t q = 0; q < points_y; ++q) at_y[q] = y.at(rule_y[q].at);
    float offset[3][most_points_x * points_y];
    for (std::size_t p = 0; p < rule_x.size(); ++p) {
        const Vec3 at_x = x.at(rule_x[p].at);
        for (std::size_t q = 0; q < points_y; ++q)
            for (int c = 0; c < 3; ++c) offset[c][p * points_y + q] = static_cast<float>(at_y[q][c] - at_x[c]);
    }
    KernelTable table;
    fill<without_static>(table, offset[0], offset[1], offset[2], y.normal, static_cast<float>(k),
                         rule_x.size() * points_y);

    // Nodes of y first, for each point of x; then those of x.
    const double area = over_4pi * x.area * y.area;
    for (std::size_t p = 0; p < rule_x.size(); ++p) {
        float at_node[4][3] = {};
        for (std::size_t q = 0; q < points_y; ++q) {
            const std::size_t s = p * points_y + q;
            for (std::size_t j = 0; j < 3; ++j) {
                const float w = static_cast<float>(rule_y[q].weight * rule_y[q].at[j]);
                at_node[0][j] += w * table.g_re[s];
                at_node[1][j] += w * table.g_im[s];
                at_node[2][j] += w * table.d_re[s];
                at_node[3][j] += w * table.d_im[s];
            }
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const double w = area * rule_x[p].weight * rule_x[p].at[i];
            for (std::size_t j = 0; j < 3; ++j) {
                sum.single_layer[i][j] +=
                    w * Complex(static_cast<double>(at_node[0][j]), static_cast<double>(at_node[1][j]));
                sum.double_layer[i][j] +=
                    w * Complex(static_cast<double>(at_node[2][j]), static_cast<double>(at_node[3][j]));
            }
        }
    }
}

void add_static(const Element& x, const Element& y, std::span<const RulePoint> rule, PairIntegrals& sum) {
    for (const RulePoint& point : rule) {
        const Vec3 at = x.at(point.at);
        const StaticPotentials fixed =
            static_potentials({y.corners[0] - at, y.corners[1] - at, y.corners[2] - at}, y.normal);
        for (std::size_t i = 0; i < 3; ++i) {
            const double w = over_4pi * point.weight * x.area * point.at[i];
            for (std::size_t j = 0; j < 3; ++j) {
                sum.single_layer[i][j] += w * fixed.single_layer[j];
                sum.double_layer[i][j] -= w * fixed.double_layer[j];
            }
        }
    }
}

bool share_a_corner(const Element& x, const Element& y) {
    for (const Vec3& a : x.corners)
        for (const Vec3& b : y.corners)
            if (a == b) return true;
    return false;
}

// A wall seen from its other side. Twelve points see potentials that vary over half a diameter; over a thinner gap they
// miss.
bool faces_across_gap(const Element& x, const Element& y) {
    const Vec3 apart = x.centroid - y.centroid;
    const double gap = std::abs(y.normal.dot(apart));
    const double aside_sq = apart.squaredNorm() - gap * gap;
    return gap < 0.6 * x.diameter && aside_sq < square(0.9 * std::max(x.diameter, y.diameter)) && !share_a_corner(x, y);
}

}  // namespace

// With the remainder as above, by the rule of degree 4.
PointPotentials point_potentials(const Vec3& x, const Element& y, double k) {
    const StaticPotentials fixed = static_potentials({y.corners[0] - x, y.corners[1] - x, y.corners[2] - x}, y.normal);
    PointPotentials out;
    for (std::size_t j = 0; j < 3; ++j) {
        out.single_layer[j] = over_4pi * fixed.single_layer[j];
        out.double_layer[j] = -over_4pi * fixed.double_layer[j];
    }
    const double height = y.normal.dot(y.corners[0] - x);
    for (const RulePoint& point : rule_of_degree_4()) {
        const double R = std::max((y.at(point.at) - x).norm(), 1e-12), z = k * R;
        const Complex wave(std::cos(z), -std::sin(z));
        const Complex single = over_4pi / R * (wave - 1.0);
        const Complex twice = over_4pi / (R * R * R) * (1.0 - Complex(1, z) * wave);
        for (std::size_t j = 0; j < 3; ++j) {
            const double w = point.weight * y.area * point.at[j];
            out.single_layer[j] += w * single;
            out.double_layer[j] += w * height * twice;
        }
    }
    return out;
}

PairIntegrals pair_integrals(const Element& x, const Element& y, double k) {
    PairIntegrals out;
    const double distance = (x.centroid - y.centroid).norm();
    if (distance > near_ratio * std::max(x.diameter, y.diameter)) {
        add_kernels<false>(x, y, k, rule_of_degree_4(), out);
        return out;
    }
    const std::span<const RulePoint> rule = faces_across_gap(x, y) ? rule_in_quarters() : rule_of_degree_6();
    add_static(x, y, rule, out);
    add_kernels<true>(x, y, k, rule, out);
    return out;
}

}  // namespace clangor::bem
