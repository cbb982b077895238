#include <clangor/radiation/bem/elements.hpp>

#include <algorithm>

namespace clangor::bem {

Elements elements_of(const Surface& surface, const std::vector<int>& node_of, int unknowns) {
    Elements out;
    const Bounds bounds = bounds_of(surface.vertices);
    out.origin = 0.5 * (bounds.low + bounds.high);
    out.unknowns = unknowns;
    out.radius = (surface.vertices.rowwise() - out.origin.transpose()).rowwise().norm().maxCoeff();
    out.all.resize(surface.faces.rows());
    for (long f = 0; f < surface.faces.rows(); ++f) {
        Element& e = out.all[f];
        for (int i = 0; i < 3; ++i) {
            const int vertex = surface.faces(f, i);
            e.corners[i] = surface.vertices.row(vertex).transpose() - out.origin;
            e.nodes[i] = node_of[vertex];
        }
        const auto& [a, b, c] = e.corners;
        const Vec3 twice_area = (b - a).cross(c - a);
        e.centroid = (a + b + c) / 3;
        e.area = 0.5 * twice_area.norm();
        e.normal = twice_area.normalized();
        e.diameter = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
        // n × ∇N_i runs along the opposite edge.
        e.curls = {(b - c) / (2 * e.area), (c - a) / (2 * e.area), (a - b) / (2 * e.area)};
    }
    return out;
}

}  // namespace clangor::bem
