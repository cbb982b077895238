// What elements of finite size add to the squares of frequencies: the energy of what their strains lack.
#include <clangor/vibration/solid/solid.hpp>

#include <clangor/vibration/solid/tet_elements.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <vector>

namespace clangor {
namespace {

using namespace tet_elements;

// Strains of all modes, side by side: xx yy zz and twice xy yz zx of the first, then of the second. One row per place.
template <int Places>
using Strains = Eigen::Matrix<double, Places, Eigen::Dynamic, Eigen::RowMajor>;
using Terms = Eigen::Matrix<double, 1, 10>;  // 1, x, y, z and their products

// Cells, of four points each. A quadratic needs ten values; with four times as many it follows no single element, and
// points that happen to lie on a quadric do not leave it open.
constexpr std::size_t least_patch = 10;
// Along an edge that points inwards strains have no bound, and what is fitted there is no nearer to them than what the
// elements have: their difference is twice what is missing. A cell adds no more than this part of the energy around it.
constexpr double most_missing = 0.15;
// Thin walls hardly tell the square of the depth, nor need it.
constexpr double ridge = 1e-14;

// The four points of a cell: where they are, and the strains there.
struct CellStrains {
    std::array<Vec3, 4> x;
    Strains<4> strain;
    double volume = 0;
};

CellStrains strains_in(const TetMesh& mesh, int cell, const Rule& rule, const Eigen::MatrixXd& shapes) {
    Eigen::MatrixXd x(10, 3);
    for (int a = 0; a < 10; ++a) x.row(a) = mesh.nodes.row(mesh.cells(cell, a));
    CellStrains result;
    result.strain.resize(4, 6 * shapes.cols());
    for (int q = 0; q < 4; ++q) {
        const Mat3 J = jacobian(rule.at[q].derivative, x);
        const Eigen::Matrix<double, 10, 3> grad = gradients(rule.at[q], J);
        result.volume += rule.weight[q] * J.determinant() / 6;
        result.x[q] = x.transpose() * rule.at[q].value;
        for (long mode = 0; mode < shapes.cols(); ++mode) {
            Eigen::Matrix<double, 3, 10> u;
            for (int a = 0; a < 10; ++a) u.col(a) = shapes.col(mode).segment<3>(3 * long(mesh.cells(cell, a)));
            const Mat3 D = u * grad;  // ∂u/∂x
            result.strain.row(q).segment<6>(6 * mode) << D(0, 0), D(1, 1), D(2, 2), D(0, 1) + D(1, 0),
                D(1, 2) + D(2, 1), D(2, 0) + D(0, 2);
        }
    }
    return result;
}

Terms terms(const Vec3& d) {
    Terms p;
    p << 1, d.x(), d.y(), d.z(), d.x() * d.x(), d.y() * d.y(), d.z() * d.z(), d.x() * d.y(), d.y() * d.z(),
        d.z() * d.x();
    return p;
}

std::vector<std::vector<int>> cells_at_corners(const TetMesh& mesh) {
    std::vector<std::vector<int>> cells(mesh.nodes.rows());
    for (int cell = 0; cell < mesh.cells.rows(); ++cell)
        for (int a = 0; a < 4; ++a) cells[mesh.cells(cell, a)].push_back(cell);
    return cells;
}

// The cells around a corner, and those around them until there are enough.
std::vector<int> patch_of(const TetMesh& mesh, const std::vector<std::vector<int>>& cells_at, int corner) {
    std::vector<int> patch = cells_at[corner];
    while (patch.size() < least_patch) {
        std::vector<int> more;
        for (const int cell : patch)
            for (int a = 0; a < 4; ++a)
                more.insert(more.end(), cells_at[mesh.cells(cell, a)].begin(), cells_at[mesh.cells(cell, a)].end());
        std::sort(more.begin(), more.end());
        more.erase(std::unique(more.begin(), more.end()), more.end());
        if (more.size() == patch.size()) break;
        patch = std::move(more);
    }
    return patch;
}

// A quadratic for each strain of each mode, fitted around a corner.
struct Fit {
    Vec3 centre;
    double size = 0;           // [m]
    Strains<10> coefficients;  // one row per term
};

Fit fit_around(const Vec3& centre, const std::vector<int>& patch, const std::vector<CellStrains>& cells) {
    Fit fit{.centre = centre, .coefficients = {}};
    for (const int cell : patch)
        for (const Vec3& x : cells[cell].x) fit.size = std::max(fit.size, (x - centre).norm());
    const long points = 4 * std::ssize(patch);
    Eigen::Matrix<double, Eigen::Dynamic, 10> P(points, 10);
    Strains<Eigen::Dynamic> Y(points, cells[patch[0]].strain.cols());
    long row = 0;
    for (const int cell : patch) {
        for (int q = 0; q < 4; ++q) P.row(row + q) = terms((cells[cell].x[q] - centre) / fit.size);
        Y.middleRows<4>(row) = cells[cell].strain;
        row += 4;
    }
    Eigen::Matrix<double, 10, 10> A = P.transpose() * P;
    A.diagonal().array() += ridge * A.trace();
    const Eigen::Matrix<double, 10, Eigen::Dynamic> weights = A.ldlt().solve(P.transpose());
    fit.coefficients.noalias() = weights * Y;
    return fit;
}

// The corners at the ends of each mid-edge node, and a corner twice.
std::vector<std::array<int, 2>> ends_of_nodes(const TetMesh& mesh) {
    std::vector<std::array<int, 2>> ends(mesh.nodes.rows());
    for (int cell = 0; cell < mesh.cells.rows(); ++cell) {
        for (int a = 0; a < 4; ++a) ends[mesh.cells(cell, a)] = {mesh.cells(cell, a), mesh.cells(cell, a)};
        for (int e = 0; e < 6; ++e)
            ends[mesh.cells(cell, 4 + e)] = {mesh.cells(cell, edges[e][0]), mesh.cells(cell, edges[e][1])};
    }
    return ends;
}

// From strains at a cell's four points to those at its ten nodes, for strains that are linear in it.
Eigen::Matrix<double, 10, 4> to_nodes() {
    Eigen::Matrix<double, 10, 4> L = Eigen::Matrix<double, 10, 4>::Zero();
    for (int a = 0; a < 4; ++a) L(a, a) = 1;
    for (int e = 0; e < 6; ++e) L(4 + e, edges[e][0]) = L(4 + e, edges[e][1]) = 0.5;
    return (L.array() - far_corner) / (near_corner - far_corner);
}

// ∫N_a N_b over a straight cell of volume 1.
Eigen::Matrix<double, 10, 10> overlaps() {
    const Rule rule = tabulate(10, rule_of_degree_5());
    Eigen::Matrix<double, 10, 10> m = Eigen::Matrix<double, 10, 10>::Zero();
    for (std::size_t q = 0; q < rule.at.size(); ++q)
        m += rule.weight[q] * rule.at[q].value * rule.at[q].value.transpose();
    return m;
}

// ∫ dᵀCd over a cell of volume 1 for each mode, d quadratic between its ten nodes.
Eigen::VectorXd energies_of(const Strains<10>& d, const Eigen::Matrix<double, 10, 10>& overlap, const Lame& c) {
    const Strains<10> e = overlap * d;
    Eigen::VectorXd energy(d.cols() / 6);
    for (long mode = 0; mode < energy.size(); ++mode) {
        const auto a = d.middleCols<6>(6 * mode), b = e.middleCols<6>(6 * mode);
        const double stretch = a.leftCols<3>().rowwise().sum().dot(b.leftCols<3>().rowwise().sum());
        energy[mode] = c.lambda * stretch + 2 * c.mu * a.leftCols<3>().cwiseProduct(b.leftCols<3>()).sum() +
                       c.mu * a.rightCols<3>().cwiseProduct(b.rightCols<3>()).sum();
    }
    return energy;
}

// Of each mode (row) that each cell would have if all around it had the same density.
Eigen::MatrixXd energies_around(const TetMesh& mesh, const std::vector<CellStrains>& cells,
                                const std::vector<std::vector<int>>& cells_at, const Eigen::MatrixXd& energies) {
    Eigen::MatrixXd around(energies.rows(), energies.cols());
    parallel_for(energies.cols(), [&](long i) {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(energies.rows());
        double volume = 0;
        for (int a = 0; a < 4; ++a)
            for (const int cell : cells_at[mesh.cells(i, a)]) {
                sum += energies.col(cell);
                volume += cells[cell].volume;
            }
        around.col(i) = sum * (cells[i].volume / volume);
    });
    return around;
}

}  // namespace

Eigen::VectorXd element_excess(const TetMesh& mesh, const Material& material, const Eigen::MatrixXd& shapes) {
    CLANGOR_ASSERT(mesh.cells.cols() == 10 && shapes.rows() == 3 * mesh.nodes.rows(), "one row a degree of freedom");
    const long cell_count = mesh.cells.rows();
    Eigen::VectorXd excess = Eigen::VectorXd::Zero(shapes.cols());
    if (cell_count < long(least_patch)) return excess;
    const Rule rule = tabulate(10, rule_of_degree_2());
    std::vector<CellStrains> cells(cell_count);
    parallel_for(cell_count, [&](long i) { cells[i] = strains_in(mesh, int(i), rule, shapes); });

    const std::vector<std::vector<int>> cells_at = cells_at_corners(mesh);
    std::vector<Fit> fits(mesh.nodes.rows());
    parallel_for(mesh.nodes.rows(), [&](long i) {
        if (!cells_at[i].empty()) fits[i] = fit_around(mesh.nodes.row(i), patch_of(mesh, cells_at, int(i)), cells);
    });
    const std::vector<std::array<int, 2>> ends = ends_of_nodes(mesh);
    Strains<Eigen::Dynamic> recovered(mesh.nodes.rows(), 6 * shapes.cols());  // ε* at the nodes
    parallel_for(mesh.nodes.rows(), [&](long i) {
        const Vec3 x = mesh.nodes.row(i);
        recovered.row(i).setZero();
        for (const int end : ends[i])
            recovered.row(i).noalias() += 0.5 * terms((x - fits[end].centre) / fits[end].size) * fits[end].coefficients;
    });

    const Eigen::Matrix<double, 10, 10> overlap = overlaps();
    const Eigen::Matrix<double, 10, 4> at_nodes = to_nodes();
    const Lame lame = lame_of(material);
    Eigen::MatrixXd energies(shapes.cols(), cell_count), missing(shapes.cols(), cell_count);
    parallel_for(cell_count, [&](long i) {
        Strains<10> d(10, recovered.cols());
        for (int a = 0; a < 10; ++a) d.row(a) = recovered.row(mesh.cells(i, a));
        const Strains<10> own = at_nodes * cells[i].strain;
        d -= own;
        missing.col(i) = cells[i].volume * energies_of(d, overlap, lame);
        energies.col(i) = cells[i].volume * energies_of(own, overlap, lame);
    });
    const Eigen::MatrixXd most = most_missing * energies_around(mesh, cells, cells_at, energies);
    for (long i = 0; i < cell_count; ++i) excess += missing.col(i).cwiseMin(most.col(i));  // in one order, always
    return excess;
}

ModeExcess excess_of(const TetMesh& mesh, const Material& material) {
    if (mesh.cells.cols() != 10) return {};
    return [&](const Eigen::MatrixXd& shapes) { return element_excess(mesh, material, shapes); };
}

}  // namespace clangor
