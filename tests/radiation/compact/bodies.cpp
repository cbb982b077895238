#include "bodies.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace clangor::test {
namespace {

struct Builder {
    std::vector<Vec3> points;
    std::vector<std::vector<int>> faces;
    std::map<std::pair<int, int>, int> middles;

    int middle(int a, int b, double radius) {
        const auto [place, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(points.size()));
        if (is_new) points.push_back(radius * (points[a] + points[b]).normalized());
        return place->second;
    }
};

Skin skin_from(const Builder& builder) {
    Skin skin;
    skin.nodes.resize(builder.points.size(), 3);
    for (std::size_t i = 0; i < builder.points.size(); ++i) skin.nodes.row(i) = builder.points[i];
    skin.faces.resize(builder.faces.size(), builder.faces[0].size());
    for (std::size_t f = 0; f < builder.faces.size(); ++f)
        for (std::size_t i = 0; i < builder.faces[f].size(); ++i) skin.faces(f, i) = builder.faces[f][i];
    for (int v = 0; v < skin.nodes.rows(); ++v) skin.mesh_nodes.push_back(v);
    return skin;
}

Builder icosahedron(double radius) {
    const double g = 0.5 * (1 + std::sqrt(5.0));
    Builder builder;
    for (const Vec3& p :
         {Vec3(-1, g, 0), Vec3(1, g, 0), Vec3(-1, -g, 0), Vec3(1, -g, 0), Vec3(0, -1, g), Vec3(0, 1, g),
          Vec3(0, -1, -g), Vec3(0, 1, -g), Vec3(g, 0, -1), Vec3(g, 0, 1), Vec3(-g, 0, -1), Vec3(-g, 0, 1)})
        builder.points.push_back(radius * p.normalized());
    builder.faces = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                     {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                     {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    return builder;
}

}  // namespace

Skin sphere_skin(double radius, int levels, int face_nodes) {
    Builder builder = icosahedron(radius);
    for (int level = 0; level <= levels; ++level) {
        const bool last = level == levels;
        if (last && face_nodes == 3) break;
        std::vector<std::vector<int>> next;
        for (const auto& f : builder.faces) {
            const int ab = builder.middle(f[0], f[1], radius);
            const int bc = builder.middle(f[1], f[2], radius);
            const int ca = builder.middle(f[2], f[0], radius);
            if (last)
                next.push_back({f[0], f[1], f[2], ab, bc, ca});
            else
                next.insert(next.end(), {{f[0], ab, ca}, {ab, f[1], bc}, {ca, bc, f[2]}, {ab, bc, ca}});
        }
        builder.faces = next;
    }
    return skin_from(builder);
}

Skin disc_skin(double radius, double thickness, int rings, int sectors) {
    Builder builder;
    const double half = 0.5 * thickness;
    std::vector<std::pair<double, double>> profile;  // (r, z) from the top's first ring round the rim to the bottom's
    for (int i = 1; i <= rings; ++i) profile.emplace_back(radius * std::sin(0.5 * pi * i / rings), half);
    for (int i = rings; i >= 1; --i) profile.emplace_back(radius * std::sin(0.5 * pi * i / rings), -half);
    for (const auto& [r, z] : profile)
        for (int s = 0; s < sectors; ++s)
            builder.points.emplace_back(r * std::cos(2 * pi * s / sectors), r * std::sin(2 * pi * s / sectors), z);
    const int top = static_cast<int>(builder.points.size());
    builder.points.insert(builder.points.end(), {Vec3(0, 0, half), Vec3(0, 0, -half)});
    const int last = sectors * (static_cast<int>(profile.size()) - 1);
    for (int s = 0; s < sectors; ++s) {
        const int t = (s + 1) % sectors;
        builder.faces.push_back({top, s, t});
        builder.faces.push_back({top + 1, last + t, last + s});
        for (int row = 0; row < last; row += sectors) {
            builder.faces.push_back({row + s, row + sectors + s, row + t});
            builder.faces.push_back({row + t, row + sectors + s, row + sectors + t});
        }
    }
    return skin_from(builder);
}

Skin mapped(const Skin& skin, const std::function<Vec3(const Vec3&)>& map) {
    Skin out = skin;
    for (long v = 0; v < out.nodes.rows(); ++v) out.nodes.row(v) = map(skin.nodes.row(v));
    return out;
}

Eigen::MatrixXd shapes_of(const Skin& skin, const std::vector<std::function<Vec3(const Vec3&)>>& fields) {
    Eigen::MatrixXd shapes(3 * skin.nodes.rows(), fields.size());
    for (std::size_t k = 0; k < fields.size(); ++k)
        for (long v = 0; v < skin.nodes.rows(); ++v) shapes.block<3, 1>(3 * v, k) = fields[k](skin.nodes.row(v));
    return shapes;
}

}  // namespace clangor::test
