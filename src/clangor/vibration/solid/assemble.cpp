// Stiffness and mass of tetrahedra of 4 and 10 nodes, straight or curved.
#include <clangor/vibration/solid/solid.hpp>

#include <clangor/vibration/solid/tet_elements.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace clangor {
namespace {

using namespace tet_elements;

// K_ab = ∫ λ ∇N_a ∇N_bᵀ + μ ∇N_b ∇N_aᵀ + μ (∇N_a·∇N_b) I dV        docs/theory/solid.md, Eq. 4
void add_stiffness(const Mat3& J, double weight, const ShapeFunctions& N, const Lame& c, Eigen::MatrixXd& K) {
    const double volume = weight * J.determinant() / 6;
    const Eigen::MatrixXd grad = gradients(N, J);
    for (int b = 0; b < grad.rows(); ++b)
        for (int a = 0; a < grad.rows(); ++a) {
            const Vec3 ga = grad.row(a), gb = grad.row(b);
            K.block<3, 3>(3 * a, 3 * b) += volume * (c.lambda * ga * gb.transpose() + c.mu * gb * ga.transpose() +
                                                     c.mu * ga.dot(gb) * Mat3::Identity());
        }
}

struct ElementMatrices {
    Eigen::MatrixXd stiffness;  // 3 nodes × 3 nodes
    Eigen::MatrixXd mass;       // nodes × nodes: the same for each axis
    bool inverted = false;
};

ElementMatrices element_matrices(const Eigen::MatrixXd& x, const Material& material, const Rule& stiffness_rule,
                                 const Rule& mass_rule) {
    const int nodes = int(x.rows());
    const Lame lame = lame_of(material);
    ElementMatrices element{Eigen::MatrixXd::Zero(3 * nodes, 3 * nodes), Eigen::MatrixXd::Zero(nodes, nodes)};
    for (size_t q = 0; q < stiffness_rule.at.size(); ++q) {
        const Mat3 J = jacobian(stiffness_rule.at[q].derivative, x);
        element.inverted |= !(J.determinant() > 0);
        add_stiffness(J, stiffness_rule.weight[q], stiffness_rule.at[q], lame, element.stiffness);
    }
    for (size_t q = 0; q < mass_rule.at.size(); ++q) {
        const ShapeFunctions& N = mass_rule.at[q];
        const double volume = mass_rule.weight[q] * jacobian(N.derivative, x).determinant() / 6;
        element.inverted |= !(volume > 0);
        element.mass += material.density * volume * N.value * N.value.transpose();
    }
    return element;
}

// Which nodes share an element with node j: the pattern of both matrices, column by column.
struct NodeGraph {
    std::vector<long> start;     // of node j's neighbours
    std::vector<int> neighbour;  // ascending within a node, j itself included
};

NodeGraph node_graph(const TetMesh& mesh) {
    const long nodes = mesh.nodes.rows();
    std::vector<long> cell_start(nodes + 1, 0);
    for (long i = 0; i < mesh.cells.size(); ++i) ++cell_start[mesh.cells.data()[i] + 1];
    for (long j = 0; j < nodes; ++j) cell_start[j + 1] += cell_start[j];
    std::vector<int> cell_of(mesh.cells.size());
    std::vector<long> next(cell_start.begin(), cell_start.end() - 1);
    for (int e = 0; e < mesh.cells.rows(); ++e)
        for (int a = 0; a < mesh.cells.cols(); ++a) cell_of[next[mesh.cells(e, a)]++] = e;

    NodeGraph graph{{0}, {}};
    std::vector<int> around;
    for (long j = 0; j < nodes; ++j) {
        around.clear();
        for (long k = cell_start[j]; k < cell_start[j + 1]; ++k)
            for (int a = 0; a < mesh.cells.cols(); ++a) around.push_back(mesh.cells(cell_of[k], a));
        std::sort(around.begin(), around.end());
        around.erase(std::unique(around.begin(), around.end()), around.end());
        graph.neighbour.insert(graph.neighbour.end(), around.begin(), around.end());
        graph.start.push_back(long(graph.neighbour.size()));
    }
    return graph;
}

// A zero matrix whose pattern has a block of `size`×3 rows and columns for each pair of neighbours: full 3×3 blocks for
// the stiffness, only their diagonals for the mass.
SparseMatrix zero_matrix(const NodeGraph& graph, bool full_blocks) {
    const long nodes = long(graph.start.size()) - 1;
    const long per_pair = full_blocks ? 9 : 3;
    if (per_pair * graph.start[nodes] > std::numeric_limits<int>::max())
        throw Error(fmt::format("the mesh has {} nodes, too many for one body; ask for longer edges", nodes));
    SparseMatrix matrix(3 * nodes, 3 * nodes);
    matrix.resizeNonZeros(per_pair * graph.start[nodes]);
    long filled = 0;
    for (long j = 0; j < nodes; ++j)
        for (int d = 0; d < 3; ++d) {
            matrix.outerIndexPtr()[3 * j + d] = int(filled);
            for (long k = graph.start[j]; k < graph.start[j + 1]; ++k)
                for (int c = full_blocks ? 0 : d; c < (full_blocks ? 3 : d + 1); ++c)
                    matrix.innerIndexPtr()[filled++] = 3 * graph.neighbour[k] + c;
        }
    matrix.outerIndexPtr()[3 * nodes] = int(filled);
    std::fill(matrix.valuePtr(), matrix.valuePtr() + filled, 0.0);
    return matrix;
}

void scatter(const ElementMatrices& element, const Eigen::VectorXi& cell, const NodeGraph& graph, StiffnessMass& body) {
    for (int b = 0; b < cell.size(); ++b) {
        const int j = cell[b];
        const auto first = graph.neighbour.begin() + graph.start[j],
                   last = graph.neighbour.begin() + graph.start[j + 1];
        for (int a = 0; a < cell.size(); ++a) {
            const long place = std::lower_bound(first, last, cell[a]) - first;
            for (int d = 0; d < 3; ++d) {
                double* K = body.stiffness.valuePtr() + body.stiffness.outerIndexPtr()[3 * j + d] + 3 * place;
                for (int c = 0; c < 3; ++c) K[c] += element.stiffness(3 * a + c, 3 * b + d);
                body.mass.valuePtr()[body.mass.outerIndexPtr()[3 * j + d] + place] += element.mass(a, b);
            }
        }
    }
}

}  // namespace

Eigen::MatrixXd rigid_body_modes(const Points& nodes) {
    const Vec3 centre = nodes.colwise().mean();
    const double size = std::sqrt((nodes.rowwise() - centre.transpose()).rowwise().squaredNorm().mean());
    Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(3 * nodes.rows(), 6);
    for (long i = 0; i < nodes.rows(); ++i) {
        const Vec3 r = (nodes.row(i).transpose() - centre) / size;
        for (int d = 0; d < 3; ++d) {
            motions(3 * i + d, d) = 1;
            motions.block<3, 1>(3 * i, 3 + d) = Vec3::Unit(d).cross(r);
        }
    }
    return motions;
}

StiffnessMass assemble(const TetMesh& mesh, const Material& material) {
    const int nodes_per_cell = int(mesh.cells.cols());
    CLANGOR_ASSERT(nodes_per_cell == 4 || nodes_per_cell == 10, "only these two elements exist");
    const Rule stiffness_rule = tabulate(nodes_per_cell, rule_of_degree_2());
    const Rule mass_rule = tabulate(nodes_per_cell, rule_of_degree_5());
    const NodeGraph graph = node_graph(mesh);
    StiffnessMass body{zero_matrix(graph, true), zero_matrix(graph, false), rigid_body_modes(mesh.nodes)};

    // Element matrices are made in parallel, batch by batch, and summed in the order of the elements, so that the bits
    // do not depend on the number of threads.
    constexpr long batch = 512;
    std::vector<ElementMatrices> elements(batch);
    for (long first = 0; first < mesh.cells.rows(); first += batch) {
        const long count = std::min(batch, mesh.cells.rows() - first);
        parallel_for(count, [&](long i) {
            Eigen::MatrixXd x(nodes_per_cell, 3);
            for (int a = 0; a < nodes_per_cell; ++a) x.row(a) = mesh.nodes.row(mesh.cells(first + i, a));
            elements[i] = element_matrices(x, material, stiffness_rule, mass_rule);
        });
        for (long i = 0; i < count; ++i) {
            if (elements[i].inverted) throw Error(fmt::format("element {} is inverted", first + i), Blame::Work);
            scatter(elements[i], mesh.cells.row(first + i).transpose(), graph, body);
        }
    }
    return body;
}

}  // namespace clangor
