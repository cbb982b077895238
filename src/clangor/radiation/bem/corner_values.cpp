#include <clangor/radiation/bem/corner_values.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::bem {
namespace {

using Complex = std::complex<double>;

constexpr double crease_cosine = 0.8;  // 37°; an icosahedron cut once has 18° at most

// Up to three neighbours over the edges; −1 at rims.
std::vector<std::array<int, 3>> neighbours_of(const Triangles& faces) {
    struct Edge {
        int low, high, face, side;
    };
    std::vector<Edge> edges;
    for (int f = 0; f < faces.rows(); ++f)
        for (int i = 0; i < 3; ++i) {
            const auto [low, high] = std::minmax(faces(f, i), faces(f, (i + 1) % 3));
            edges.push_back({low, high, f, i});
        }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::array{a.low, a.high, a.face} < std::array{b.low, b.high, b.face};
    });
    std::vector<std::array<int, 3>> out(faces.rows(), {-1, -1, -1});
    for (std::size_t e = 0; e + 1 < edges.size(); ++e) {
        const Edge &a = edges[e], &b = edges[e + 1];
        if (a.low != b.low || a.high != b.high) continue;
        out[a.face][a.side] = b.face;
        out[b.face][b.side] = a.face;
    }
    return out;
}

// Least squares over the neighbours, in the plane of the element.
std::array<Complex, 3> corners_of(const Elements& elements, std::size_t face, const std::array<int, 3>& neighbours,
                                  const Eigen::VectorXcd& means) {
    const Element& e = elements.all[face];
    const Complex mean = means[static_cast<long>(face)];
    const Vec3 u = (e.corners[1] - e.corners[0]).normalized(), v = e.normal.cross(u);
    Eigen::Matrix2d normal_matrix = Eigen::Matrix2d::Zero();
    Eigen::Vector2cd right = Eigen::Vector2cd::Zero();
    double largest_step = 0;
    for (const int other : neighbours) {
        if (other < 0) continue;
        const Element& o = elements.all[other];
        if (o.normal.dot(e.normal) < crease_cosine) continue;
        const Vec3 apart = o.centroid - e.centroid;
        const Eigen::Vector2d d(u.dot(apart), v.dot(apart));
        const Complex step = means[other] - mean;
        normal_matrix += d * d.transpose() / d.squaredNorm();
        right += d * (step / d.squaredNorm());
        largest_step = std::max(largest_step, std::abs(step));
    }
    // One neighbour, or all in a line, do not tell a slope.
    if (normal_matrix.determinant() < 0.05 * square(normal_matrix.trace()) || largest_step == 0.0)
        return {mean, mean, mean};
    const Eigen::Vector2cd slope = normal_matrix.inverse().cast<Complex>() * right;
    std::array<Complex, 3> offset;
    double largest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 d = e.corners[i] - e.centroid;
        offset[i] = slope[0] * u.dot(d) + slope[1] * v.dot(d);
        largest = std::max(largest, std::abs(offset[i]));
    }
    // Slivers must not run off: where triangles are regular, a corner is as far as a neighbour.
    const double scale = std::min(1.0, 2 * largest_step / std::max(largest, 1e-300));
    return {mean + scale * offset[0], mean + scale * offset[1], mean + scale * offset[2]};
}

}  // namespace

CornerValues corner_values(const Elements& elements, const Surface& surface, const Eigen::VectorXcd& means) {
    const std::vector<std::array<int, 3>> neighbours = neighbours_of(surface.faces);
    CornerValues out;
    for (std::size_t f = 0; f < elements.all.size(); ++f) out.push_back(corners_of(elements, f, neighbours[f], means));
    return out;
}

}  // namespace clangor::bem
