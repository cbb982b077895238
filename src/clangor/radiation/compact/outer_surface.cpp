#include <clangor/radiation/compact/outer_surface.hpp>

#include <numeric>

namespace clangor::compact {
namespace {

// Union-find: for each node, the lowest node of its piece.
std::vector<int> piece_of_nodes(const Skin& skin) {
    std::vector<int> parent(skin.nodes.rows());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const auto& face : skin.faces.rowwise())
        for (int i = 1; i < face.size(); ++i) {
            const auto [low, high] = std::minmax({root(face[0]), root(face[i])});
            parent[high] = low;
        }
    for (int v = 0; v < static_cast<int>(parent.size()); ++v) parent[v] = root(v);
    return parent;
}

// V = ⅙ Σ a·(b×c), from the corners alone: only the sign matters.
std::vector<double> volume_of_pieces(const Skin& skin, const std::vector<int>& piece) {
    std::vector<double> volume(piece.size(), 0.0);
    for (const auto& face : skin.faces.rowwise()) {
        const Vec3 a = skin.nodes.row(face[0]);
        const Vec3 b = skin.nodes.row(face[1]);
        const Vec3 c = skin.nodes.row(face[2]);
        volume[piece[face[0]]] += a.dot(b.cross(c)) / 6.0;
    }
    return volume;
}

}  // namespace

OuterSkin outer_skin(const Skin& skin) {
    const std::vector<int> piece = piece_of_nodes(skin);
    const std::vector<double> volume = volume_of_pieces(skin, piece);
    OuterSkin outer;
    std::vector<int> renumbered(skin.nodes.rows(), -1);
    for (int v = 0; v < skin.nodes.rows(); ++v) {
        if (volume[piece[v]] <= 0) continue;
        renumbered[v] = static_cast<int>(outer.nodes.size());
        outer.nodes.push_back(v);
    }
    outer.skin.nodes = skin.nodes(outer.nodes, Eigen::all);
    outer.skin.faces.resize(skin.faces.rows(), skin.faces.cols());
    long kept = 0;
    for (const auto& face : skin.faces.rowwise()) {
        if (renumbered[face[0]] < 0) continue;
        for (int i = 0; i < face.size(); ++i) outer.skin.faces(kept, i) = renumbered[face[i]];
        ++kept;
    }
    outer.skin.faces.conservativeResize(kept, Eigen::NoChange);
    return outer;
}

}  // namespace clangor::compact
