#include <clangor/radiation/compact/coarse_basis.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <limits>
#include <queue>

namespace clangor::compact {
namespace {

using Neighbours = std::vector<std::vector<int>>;

Neighbours sorted_unique(Neighbours lists) {
    for (auto& list : lists) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return lists;
}

Neighbours vertex_neighbours(const Surface& surface) {
    Neighbours lists(surface.vertices.rows());
    for (const auto& face : surface.faces.rowwise())
        for (int e = 0; e < 3; ++e) {
            lists[face[e]].push_back(face[(e + 1) % 3]);
            lists[face[(e + 1) % 3]].push_back(face[e]);
        }
    return sorted_unique(std::move(lists));
}

/// The surface cut into cells: each vertex belongs to the nearest centre, by the length of the way along edges. So a
/// cell does not reach through a thin wall, however near its other side is.
struct Partition {
    std::vector<int> centres;
    std::vector<int> cell_of;
    std::vector<double> distance;
};

void add_centre(Partition& cells, int vertex, const Surface& surface, const Neighbours& neighbours) {
    const int label = static_cast<int>(cells.centres.size());
    cells.centres.push_back(vertex);
    cells.distance[vertex] = 0;
    cells.cell_of[vertex] = label;
    using Item = std::pair<double, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    queue.push({0.0, vertex});
    while (!queue.empty()) {
        const auto [distance, v] = queue.top();
        queue.pop();
        if (distance > cells.distance[v]) continue;
        for (const int w : neighbours[v]) {
            const double candidate = distance + (surface.vertices.row(w) - surface.vertices.row(v)).norm();
            if (candidate >= cells.distance[w]) continue;
            cells.distance[w] = candidate;
            cells.cell_of[w] = label;
            queue.push({candidate, w});
        }
    }
}

// Farthest-point sampling [Eldar1997]: each new centre is the vertex that is farthest from all centres so far.
Partition farthest_point_cells(const Surface& surface, const Neighbours& neighbours, int count) {
    const std::size_t vertices = neighbours.size();
    Partition cells{
        {}, std::vector<int>(vertices, -1), std::vector<double>(vertices, std::numeric_limits<double>::infinity())};
    for (int i = 0; i < count; ++i) {
        const auto farthest = std::max_element(cells.distance.begin(), cells.distance.end());
        add_centre(cells, static_cast<int>(farthest - cells.distance.begin()), surface, neighbours);
    }
    return cells;
}

// A cell and those that share an edge with it.
Neighbours cells_around(const Partition& cells, const Neighbours& neighbours) {
    Neighbours around(cells.centres.size());
    for (std::size_t v = 0; v < neighbours.size(); ++v)
        for (const int w : neighbours[v]) around[cells.cell_of[v]].push_back(cells.cell_of[w]);
    for (std::size_t c = 0; c < around.size(); ++c) around[c].push_back(static_cast<int>(c));
    return sorted_unique(std::move(around));
}

// Moving least squares with linear functions [Lancaster1981]: the fit g + b·(x − x_v) to the values at the centres x_j,
// weighted by 1/|x_j − x_v|⁴, evaluated at x_v. Centres on a flat wall do not tell the slope across it: a slight
// pull of b to zero settles that.
std::vector<std::pair<int, double>> linear_weights(const Vec3& x, const std::vector<int>& candidates,
                                                   const Partition& cells, const Points& vertices) {
    constexpr double pull = 1e-4;
    double spacing_sq = 0;
    for (const int j : candidates)
        spacing_sq = std::max(spacing_sq, (vertices.row(cells.centres[j]).transpose() - x).squaredNorm());
    Eigen::Matrix<double, 4, Eigen::Dynamic> basis(4, candidates.size());
    Eigen::VectorXd importance(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Vec3 offset = (vertices.row(cells.centres[candidates[i]]).transpose() - x) / std::sqrt(spacing_sq);
        basis.col(i) << 1.0, offset;
        importance[i] = 1.0 / square(offset.squaredNorm() + 1e-8);
    }
    Eigen::Matrix4d normal = basis * importance.asDiagonal() * basis.transpose();
    const double stiffness = pull * normal.diagonal().tail<3>().sum();
    normal.diagonal().tail<3>().array() += stiffness;
    const Eigen::Vector4d row = normal.ldlt().solve(Eigen::Vector4d::Unit(0));
    std::vector<std::pair<int, double>> weights;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        weights.emplace_back(candidates[i], importance[i] * row.dot(basis.col(i)));
    return weights;
}

CoarseBasis every_vertex(int count) {
    CoarseBasis basis{std::vector<int>(count), std::vector<std::vector<std::pair<int, double>>>(count)};
    for (int v = 0; v < count; ++v) {
        basis.centres[v] = v;
        basis.weights[v] = {{v, 1.0}};
    }
    return basis;
}

}  // namespace

CoarseBasis coarse_basis(const Surface& surface, int max_count) {
    const int vertices = static_cast<int>(surface.vertices.rows());
    if (vertices <= max_count) return every_vertex(vertices);

    const Neighbours neighbours = vertex_neighbours(surface);
    const Partition cells = farthest_point_cells(surface, neighbours, max_count);
    const Neighbours around = cells_around(cells, neighbours);
    CoarseBasis basis{cells.centres, std::vector<std::vector<std::pair<int, double>>>(vertices)};
    for (int v = 0; v < vertices; ++v) {
        const int own = cells.cell_of[v];
        basis.weights[v] = cells.centres[own] == v
                               ? std::vector<std::pair<int, double>>{{own, 1.0}}
                               : linear_weights(surface.vertices.row(v), around[own], cells, surface.vertices);
    }
    return basis;
}

}  // namespace clangor::compact
