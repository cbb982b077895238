// Rest state, stiffness and mass of one triangle of a shell                              docs/theory/shell.md
#include <clangor/vibration/shell/shell_element.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace clangor {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

// Eq. 7 and 8: how much of the turning of corners enters the mean strain, and how much of what it leaves counts.
// 3/2 bends strips in their plane exactly [Felippa2003]; there the other is ½(1 − 4ν²), the best for flat meshes. Less
// of it locks less on curved ones (docs/theory/shell.md, "Strain in the plane").
constexpr double mean_share = 1.5, rest_share = 0.1;
// Inertia of δ, of the order of what bulging sides have, for M to be definite. δ is small in smooth motion, and so is
// this.
constexpr double turn_inertia = 0.01;
// Twist fades within a layer along free edges, as if the wall ended this much of its thickness earlier: half of
// (192/π⁵) Σ 1/n⁵ over odd n. docs/theory/shell.md, Eq. 10.
constexpr double twist_layer = 0.63025 / 2;

// q as a matrix for (a_11, a_22, 2a_12).
Mat3 isotropic_form(double poisson) {
    Mat3 form;
    form << 1, poisson, 0, poisson, 1, 0, 0, 0, (1 - poisson) / 2;
    return form;
}

struct Side {
    int a = 0, b = 0;
};
constexpr std::array<Side, 3> sides{{{1, 2}, {2, 0}, {0, 1}}};  // side s is opposite corner s

// (κ_11, κ_22, 2κ_12) from the six β_iα, at barycentric coordinates L: Eq. 6.
Eigen::Matrix<double, 3, 6> curvature_rows(const ShellElement& element, const Vec3& L) {
    Eigen::Matrix<double, 2, 6> along[2];  // ∂_α β, a row for each component
    for (int alpha = 0; alpha < 2; ++alpha) {
        along[alpha].setZero();
        for (int i = 0; i < 3; ++i)
            along[alpha].block<2, 2>(0, 2 * i).diagonal().setConstant(element.gradients(i, alpha));
        for (const auto [a, b] : sides) {
            const Eigen::Vector2d t = (element.places.row(b) - element.places.row(a)).transpose().normalized();
            const double slope = L[a] * element.gradients(b, alpha) + L[b] * element.gradients(a, alpha);
            const Eigen::Matrix2d turned = 3 * slope * t * t.transpose();
            along[alpha].block<2, 2>(0, 2 * a) -= turned;
            along[alpha].block<2, 2>(0, 2 * b) -= turned;
        }
    }
    Eigen::Matrix<double, 3, 6> rows;
    rows << along[0].row(0), along[1].row(1), along[0].row(1) + along[1].row(0);
    return rows;
}

// The natural strains along the sides 0–1, 1–2 and 2–0 at each corner that the δ_i make beyond their mean strain, times
// side²·3/(2·area): [Felippa2003], whose β_1 to β_9 these numbers are, for the optimal triangle.
Mat3 corner_strains(int corner) {
    Mat3 Q;
    if (corner == 0) Q << 1, 2, 1, 0, 1, -1, -1, -1, -2;
    if (corner == 1) Q << -2, -1, -1, 1, 1, 2, -1, 0, 1;
    if (corner == 2) Q << 1, -1, 0, -1, -2, -1, 2, 1, 1;
    return Q;
}

// W(ε, δ) in the plane: Eq. 7 and 8.
Mat6 membrane_form(const ShellElement& element, double area, double h, const Material& material) {
    const Mat3 stiff = material.young * h / (1 - square(material.poisson)) * isotropic_form(material.poisson);
    Eigen::Matrix<double, 3, 6> mean;  // ε̄
    mean << Mat3::Identity(), Mat3::Zero();
    Mat3 natural;  // strains along the sides from (ε_11, ε_22, 2ε_12)
    std::array<double, 3> side_sq{};
    for (int s = 0; s < 3; ++s) {
        const auto [a, b] = sides[s];
        const Eigen::RowVector2d g = element.gradients.row(s);
        const Vec3 opening = -mean_share * area / 3 * Vec3(g[0] * g[0], g[1] * g[1], 2 * g[0] * g[1]);
        mean.col(3 + a) += opening;
        mean.col(3 + b) -= opening;
        const int k = (s + 1) % 3;  // sides 0–1, 1–2, 2–0
        const Eigen::RowVector2d d = element.places.row((k + 1) % 3) - element.places.row(k);
        side_sq[k] = d.squaredNorm();
        natural.row(k) << d[0] * d[0], d[1] * d[1], d[0] * d[1];
        natural.row(k) /= side_sq[k];
    }
    const Mat3 from_natural = natural.inverse();
    Mat6 form = area * mean.transpose() * stiff * mean;
    for (int c = 0; c < 3; ++c) {
        Mat3 Q = (corner_strains(c) + corner_strains((c + 1) % 3)) / 2;  // in the middle of a side
        for (int k = 0; k < 3; ++k) Q.row(k) *= 2 * area / (3 * side_sq[k]);
        const Mat3 strain = from_natural * Q;
        form.bottomRightCorner<3, 3>() += 0.75 * rest_share * area * strain.transpose() * stiff * strain;
    }
    return form;
}

// W(β), without what the twist lacks along free sides: Eq. 6 and 10.
Mat6 bending_form(const ShellElement& element, double area, const Vec3& thickness, const std::array<bool, 3>& is_free,
                  const Material& material) {
    Mat6 form = Mat6::Zero();
    for (const auto [a, b] : sides) {
        const double h = (thickness[a] + thickness[b]) / 2;
        const double D = material.young * cube(h) / (12 * (1 - square(material.poisson)));
        Mat3 q = isotropic_form(material.poisson);
        for (int s = 0; s < 3; ++s) {
            if (!is_free[s]) continue;
            const Eigen::RowVector2d side = element.places.row(sides[s].b) - element.places.row(sides[s].a);
            const Eigen::RowVector2d t = side.normalized();
            const Vec3 twist(-t[0] * t[1], t[0] * t[1], (square(t[0]) - square(t[1])) / 2);  // κ_nt
            // No more than 0.3 of the triangle for each side, so that energies stay positive: only where edges are
            // hardly longer than the wall is thick.
            const double lost = std::min(twist_layer * h * side.norm() / area, 0.3);
            q -= lost * 2 * (1 - material.poisson) * twist * twist.transpose();
        }
        const Eigen::Matrix<double, 3, 6> rows = curvature_rows(element, (Vec3::Unit(a) + Vec3::Unit(b)) / 2);
        form += area / 3 * D * rows.transpose() * q * rows;
    }
    return form;
}

ShellElement element_of(const Mat3& x, const Vec3& thickness, const std::array<bool, 3>& is_free,
                        const Material& material) {
    ShellElement element;
    const Vec3 first = x.row(1) - x.row(0), second = x.row(2) - x.row(0), doubled = first.cross(second);
    const double area = doubled.norm() / 2;
    element.normal = doubled.normalized();
    element.axes[0] = first.normalized();
    element.axes[1] = element.normal.cross(element.axes[0]);
    for (int i = 0; i < 3; ++i)
        for (int alpha = 0; alpha < 2; ++alpha)
            element.places(i, alpha) = (x.row(i) - x.row(0)).dot(element.axes[alpha]);
    for (int i = 0; i < 3; ++i) {
        const Eigen::RowVector2d opposite = element.places.row(sides[i].b) - element.places.row(sides[i].a);
        element.gradients.row(i) = Eigen::RowVector2d(-opposite[1], opposite[0]) / (2 * area);
    }
    const double h = thickness.mean();
    element.membrane = membrane_form(element, area, h, material);
    element.bending = bending_form(element, area, thickness, is_free, material);
    element.area = area;
    element.mass = material.density * h * area;
    element.rotary_inertia = material.density * cube(h) / 12 * area;
    return element;
}

// The rows of the strains that are linear in the unknowns, at rest.
Eigen::Matrix<double, 3, 18> stretch_rows(const ShellElement& element) {
    Eigen::Matrix<double, 3, 18> rows = Eigen::Matrix<double, 3, 18>::Zero();
    const auto& [e1, e2] = element.axes;
    for (int i = 0; i < 3; ++i) {
        const double g1 = element.gradients(i, 0), g2 = element.gradients(i, 1);
        rows.block<1, 3>(0, 6 * i) = g1 * e1.transpose();
        rows.block<1, 3>(1, 6 * i) = g2 * e2.transpose();
        rows.block<1, 3>(2, 6 * i) = (g2 * e1 + g1 * e2).transpose();
    }
    return rows;
}

Eigen::Matrix<double, 6, 18> lean_rows(const ShellElement& element) {
    Eigen::Matrix<double, 6, 18> rows = Eigen::Matrix<double, 6, 18>::Zero();
    for (int i = 0; i < 3; ++i)
        for (int alpha = 0; alpha < 2; ++alpha) {
            for (int j = 0; j < 3; ++j)
                rows.block<1, 3>(2 * i + alpha, 6 * j) = element.gradients(j, alpha) * element.normal.transpose();
            rows.block<1, 3>(2 * i + alpha, 6 * i + 3) = element.normal.cross(element.axes[alpha]).transpose();
        }
    return rows;
}

Eigen::Matrix<double, 3, 18> turn_rows(const ShellElement& element) {
    Eigen::Matrix<double, 3, 18> rows = Eigen::Matrix<double, 3, 18>::Zero();
    const auto& [e1, e2] = element.axes;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            rows.block<1, 3>(i, 6 * j) =
                0.5 * (element.gradients(j, 1) * e1 - element.gradients(j, 0) * e2).transpose();
        rows.block<1, 3>(i, 6 * i + 3) = element.normal.transpose();
    }
    return rows;
}

// Of each triangle, which of its sides belong to it alone.
std::vector<std::array<bool, 3>> free_sides(const Triangles& faces) {
    std::map<std::pair<int, int>, int> uses;
    const auto edge = [&](long f, int s) { return std::minmax({faces(f, sides[s].a), faces(f, sides[s].b)}); };
    for (long f = 0; f < faces.rows(); ++f)
        for (int s = 0; s < 3; ++s) ++uses[edge(f, s)];
    std::vector<std::array<bool, 3>> is_free(faces.rows());
    for (long f = 0; f < faces.rows(); ++f)
        for (int s = 0; s < 3; ++s) is_free[f][s] = uses[edge(f, s)] == 1;
    return is_free;
}

// ∫ N_a N_b dA / A of N = L_0, L_1, L_2, L_1L_2, L_2L_0, L_0L_1, from
// ∫ L_0ᵃ L_1ᵇ L_2ᶜ dA = 2A a! b! c! / (a + b + c + 2)!
Eigen::Matrix<double, 6, 6> shape_integrals() {
    Eigen::Matrix<double, 6, 6> integrals;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            integrals(i, j) = (i == j ? 2 : 1) / 12.0;
            integrals(3 + i, 3 + j) = (i == j ? 2 : 1) / 180.0;
            integrals(i, 3 + j) = integrals(3 + j, i) = (i == j ? 1 : 2) / 60.0;
        }
    return integrals;
}

}  // namespace

std::vector<ShellElement> shell_elements(const ThinShell& shell, const Material& material) {
    if (const std::vector<std::string> problems = problems_of(shell); !problems.empty()) throw Error(problems.front());
    if (const std::vector<std::string> problems = problems_of(material); !problems.empty())
        throw Error(problems.front());
    const std::vector<std::array<bool, 3>> is_free = free_sides(shell.middle.faces);
    std::vector<ShellElement> elements(shell.middle.faces.rows());
    parallel_for(std::ssize(elements), [&](long f) {
        Mat3 x;
        Vec3 thickness;
        for (int i = 0; i < 3; ++i) {
            const int v = shell.middle.faces(f, i);
            x.row(i) = shell.middle.vertices.row(v);
            thickness[i] = shell.thickness[shell.thickness.size() == 1 ? 0 : v];
        }
        elements[f] = element_of(x, thickness, is_free[f], material);
        for (int i = 0; i < 3; ++i) elements[f].corners[i] = shell.middle.faces(f, i);
    });
    return elements;
}

ShellBlock stiffness_of(const ShellElement& element) {
    Eigen::Matrix<double, 6, 18> strain;
    strain << stretch_rows(element), turn_rows(element);
    const Eigen::Matrix<double, 6, 18> lean = lean_rows(element);
    return strain.transpose() * element.membrane * strain + lean.transpose() * element.bending * lean;
}

ShellBlock mass_of(const ShellElement& element) {
    // Across the plane: Eq. 10.
    Eigen::Matrix<double, 6, 18> across = Eigen::Matrix<double, 6, 18>::Zero();
    const Eigen::Matrix<double, 6, 18> lean = lean_rows(element);
    for (int i = 0; i < 3; ++i) {
        across.block<1, 3>(i, 6 * i) = element.normal.transpose();
        const auto [a, b] = sides[i];
        const Eigen::RowVector2d side = element.places.row(b) - element.places.row(a);
        across.row(3 + i) = 0.5 * side * (lean.middleRows<2>(2 * b) - lean.middleRows<2>(2 * a));
    }
    ShellBlock mass = element.mass * across.transpose() * shape_integrals() * across;

    const Mat3 in_plane = Mat3::Identity() - element.normal * element.normal.transpose();
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const double consistent = (i == j ? 2 : 1) / 12.0, lumped = i == j ? 1 / 3.0 : 0;
            mass.block<3, 3>(6 * i, 6 * j) += element.mass * (consistent + lumped) / 2 * in_plane;
        }
        mass.block<3, 3>(6 * i + 3, 6 * i + 3) += element.rotary_inertia / 3 * in_plane;
    }
    const Eigen::Matrix<double, 3, 18> turn = turn_rows(element);
    mass += element.mass * turn_inertia * element.area * turn.transpose() * turn;
    return mass;
}

}  // namespace clangor
