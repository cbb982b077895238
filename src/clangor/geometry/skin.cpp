#include <clangor/geometry/tet_faces.hpp>

namespace clangor {

Skin skin_of(const TetMesh& mesh) {
    const bool quadratic = mesh.cells.cols() == 10;
    const std::vector<geometry::CellFace> faces = geometry::boundary_faces(mesh.cells);
    Skin skin;
    skin.faces.resize(static_cast<int>(faces.size()), quadratic ? 6 : 3);
    std::vector<int> number(mesh.nodes.rows(), -1);
    for (std::size_t f = 0; f < faces.size(); ++f) {
        for (int k = 0; k < skin.faces.cols(); ++k) {
            const int local = geometry::face_nodes[faces[f].side][k];
            const int node = mesh.cells(faces[f].cell, local);
            int& own = number[node];
            if (own < 0) {
                own = static_cast<int>(skin.mesh_nodes.size());
                skin.mesh_nodes.push_back(node);
            }
            skin.faces(static_cast<int>(f), k) = own;
        }
    }
    skin.nodes = mesh.nodes(skin.mesh_nodes, Eigen::all);
    return skin;
}

Surface flat(const Skin& skin) {
    if (skin.faces.cols() == 3) return {skin.nodes, skin.faces};
    Surface surface{skin.nodes, Triangles(4 * skin.faces.rows(), 3)};
    for (int f = 0; f < skin.faces.rows(); ++f)
        for (int part = 0; part < 4; ++part)
            for (int k = 0; k < 3; ++k) surface.faces(4 * f + part, k) = skin.faces(f, flat_parts[part][k]);
    return surface;
}

}  // namespace clangor
