#include <clangor/radiation/compact/midpoint_refinement.hpp>

#include <algorithm>
#include <map>
#include <vector>

namespace clangor::compact {

Surface midpoint_refined(const Surface& surface) {
    std::vector<Vec3> middles;
    std::map<std::pair<int, int>, int> middle_of_edge;
    const auto middle = [&](int a, int b) {
        const int next = static_cast<int>(surface.vertices.rows()) + static_cast<int>(middles.size());
        const auto [place, is_new] = middle_of_edge.try_emplace(std::minmax(a, b), next);
        if (is_new) middles.push_back(0.5 * (surface.vertices.row(a) + surface.vertices.row(b)));
        return place->second;
    };
    Surface fine;
    fine.faces.resize(4 * surface.faces.rows(), 3);
    for (long f = 0; f < surface.faces.rows(); ++f) {
        const int a = surface.faces(f, 0);
        const int b = surface.faces(f, 1);
        const int c = surface.faces(f, 2);
        const int ab = middle(a, b);
        const int bc = middle(b, c);
        const int ca = middle(c, a);
        fine.faces.middleRows(4 * f, 4) << a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca;
    }
    fine.vertices = surface.vertices;
    fine.vertices.conservativeResize(surface.vertices.rows() + static_cast<long>(middles.size()), Eigen::NoChange);
    for (std::size_t i = 0; i < middles.size(); ++i)
        fine.vertices.row(surface.vertices.rows() + static_cast<long>(i)) = middles[i];
    return fine;
}

}  // namespace clangor::compact
