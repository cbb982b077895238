// A triangle's force without its linear part   docs/theory/subspace-shell.md, Eq. 3 to 5
#include <clangor/core/core.hpp>
#include <clangor/vibration/subspace/triangle_force.hpp>

#include <array>
#include <cmath>

namespace clangor {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;

// sin θ/θ, (1 − cos θ)/θ² and (θ − sin θ)/θ³
struct Turn {
    double A = 0, B = 0, C = 0;

    explicit Turn(double theta_sq) {
        if (theta_sq < 0.05) {  // the next term is below 1e-15
            const double x = theta_sq;
            A = 1 - x / 6 * (1 - x / 20 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110))));
            B = 0.5 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56 * (1 - x / 90 * (1 - x / 132)))));
            C = (1 - x / 20 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110 * (1 - x / 156))))) / 6;
        } else {
            const double theta = std::sqrt(theta_sq);
            A = std::sin(theta) / theta;
            B = (1 - std::cos(theta)) / theta_sq;
            C = (1 - A) / theta_sq;
        }
    }
};

// How far a rotation takes an axis v, ρ = Rv − v, and what of it is not θ×v.
struct Lean {
    Vec3 all, beyond;

    Lean(const Turn& turn, const Vec3& theta, const Vec3& v) {
        const Vec3 across = theta.cross(v);
        beyond = (turn.A - 1) * across + turn.B * theta.cross(across);
        all = across + beyond;
    }
};

struct Corner {
    Vec3 theta;
    Turn turn;
    Lean n, e1, e2;

    explicit Corner(const Vec3& by)
        : theta(by),
          turn(by.squaredNorm()),
          n(turn, by, Vec3::UnitZ()),
          e1(turn, by, Vec3::UnitX()),
          e2(turn, by, Vec3::UnitY()) {}
};

struct Strains {
    Vec6 stretch, leans;  // ε_11, ε_22, 2ε_12, δ_i; β_iα
};

Strains linear_strains(const Vec15& y) {
    const Vec3 a = y.head<3>(), b = y.segment<3>(3);
    Strains s;
    s.stretch.head<3>() << a[0], b[1], a[1] + b[0];
    for (int i = 0; i < 3; ++i) {
        const Vec3 theta = y.segment<3>(6 + 3 * i);
        s.stretch[3 + i] = (b[0] - a[1]) / 2 + theta[2];
        s.leans[2 * i] = theta[1] + a[2];
        s.leans[2 * i + 1] = b[2] - theta[0];
    }
    return s;
}

// What it does against linear strains.
Vec15 work_of(const Vec6& S, const Vec6& m) {
    Vec15 f = Vec15::Zero();
    const double turn = S.tail<3>().sum() / 2;
    f[0] = S[0], f[1] = S[2] - turn, f[3] = S[2] + turn, f[4] = S[1];
    for (int i = 0; i < 3; ++i) {
        f[2] += m[2 * i];
        f[5] += m[2 * i + 1];
        f.segment<3>(6 + 3 * i) << -m[2 * i + 1], m[2 * i], S[3 + i];
    }
    return f;
}

// Of corner i, with W_v the derivative by Rv: Jᵀ(Σ Rv×W_v) less the torque of linear strains, J that of rotation
// vectors, and `rest` what of W_v is not already in work_of.
Vec3 torque(const Corner& at, const std::array<Vec3, 3>& by, const std::array<Vec3, 3>& rest) {
    const std::array<Vec3, 3> v{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    const std::array<const Lean*, 3> leans{&at.e1, &at.e2, &at.n};
    Vec3 sum = Vec3::Zero(), more = Vec3::Zero();
    for (size_t k = 0; k < 3; ++k) {
        more += v[k].cross(rest[k]) + leans[k]->all.cross(by[k]);
        sum += (v[k] + leans[k]->all).cross(by[k]);
    }
    const Vec3 across = at.theta.cross(sum);
    return more - at.turn.B * across + at.turn.C * at.theta.cross(across);
}

}  // namespace

TriangleForce beyond_linear(const Form6& membrane, const Form6& bending, const Vec15& y) {
    const Vec3 a = y.head<3>(), b = y.segment<3>(3);
    const std::array<Corner, 3> corners{Corner(y.segment<3>(6)), Corner(y.segment<3>(9)), Corner(y.segment<3>(12))};
    const Strains linear = linear_strains(y);
    Strains beyond;
    beyond.stretch.head<3>() << a.squaredNorm() / 2, b.squaredNorm() / 2, a.dot(b);
    for (int i = 0; i < 3; ++i) {
        const Corner& c = corners[size_t(i)];
        beyond.stretch[3 + i] = (c.e1.beyond[1] - c.e2.beyond[0] + c.e1.all.dot(b) - c.e2.all.dot(a)) / 2;
        beyond.leans[2 * i] = c.n.beyond[0] + c.n.all.dot(a);
        beyond.leans[2 * i + 1] = c.n.beyond[1] + c.n.all.dot(b);
    }
    const Vec6 S_beyond = membrane * beyond.stretch, m_beyond = bending * beyond.leans;
    const Vec6 S = membrane * linear.stretch + S_beyond, m = bending * linear.leans + m_beyond;
    TriangleForce force;
    // ½(l + n)ᵀQ(l + n) − ½lᵀQl
    force.potential = beyond.stretch.dot(S - S_beyond / 2) + beyond.leans.dot(m - m_beyond / 2);
    force.gradient = work_of(S_beyond, m_beyond);
    Vec3 by_a = S[0] * a + S[2] * b, by_b = S[1] * b + S[2] * a;
    for (int i = 0; i < 3; ++i) {
        const Corner& c = corners[size_t(i)];
        const double half = S[3 + i] / 2, m1 = m[2 * i], m2 = m[2 * i + 1];
        by_a += m1 * c.n.all - half * c.e2.all;
        by_b += m2 * c.n.all + half * c.e1.all;
        const std::array<Vec3, 3> rest{half * b, -half * a, m1 * a + m2 * b};
        const std::array<Vec3, 3> by{half * Vec3::UnitY() + rest[0], -half * Vec3::UnitX() + rest[1],
                                     m1 * Vec3::UnitX() + m2 * Vec3::UnitY() + rest[2]};
        force.gradient.segment<3>(6 + 3 * i) += torque(c, by, rest);
    }
    force.gradient.head<3>() += by_a;
    force.gradient.segment<3>(3) += by_b;
    return force;
}

Vec15 linear_force(const Form6& membrane, const Form6& bending, const Vec15& y) {
    const Strains s = linear_strains(y);
    return work_of(membrane * s.stretch, bending * s.leans);
}

}  // namespace clangor
