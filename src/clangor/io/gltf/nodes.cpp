#include <clangor/io/gltf/nodes.hpp>

#include <clangor/io/file/file.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::io::gltf {
namespace {

Eigen::Quaterniond unit(const Document& document, const std::vector<double>& xyzw) {
    const Eigen::Vector4d q(xyzw.data());
    if (!(q.norm() > 1e-6)) fail(document.name, "a node's rotation is a zero quaternion; export it again");
    return Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized();
}

}  // namespace

std::string name_of(const Json& node) {
    const Json* const name = member(node, "name");
    return name && name->is_string() ? name->get<std::string>() : "";
}

std::string called(const Document& document, std::size_t node) {
    const std::string name = name_of(entry(document, "nodes", node));
    return printable(name.empty() ? fmt::format("nodes[{}]", node) : name);
}

std::vector<std::size_t> parents_of(const Document& document) {
    const std::size_t count = list_size(document, "nodes");
    std::vector<std::size_t> parents(count, no_node);
    for (std::size_t n = 0; n < count; ++n) {
        for (const std::uint64_t child : indices(document, entry(document, "nodes", n), "children")) {
            if (child >= count || parents[child] != no_node) {
                fail(document.name, "nodes[{}] should have one parent, for nodes must form a tree; export it again",
                     child);
            }
            parents[child] = n;
        }
    }
    return parents;
}

std::vector<std::size_t> chain_to(const Document& document, const std::vector<std::size_t>& parents, std::size_t node) {
    std::vector<std::size_t> chain;
    for (std::size_t n = node; n != no_node; n = parents[n]) {
        chain.push_back(n);
        if (chain.size() > parents.size()) {
            fail(document.name, "its nodes form a ring, not a tree; export it again");
        }
    }
    std::ranges::reverse(chain);
    return chain;
}

std::vector<std::size_t> nodes_called(const Document& document, const std::string& name) {
    std::vector<std::size_t> nodes;
    for (std::size_t n = 0; n < list_size(document, "nodes"); ++n) {
        if (name_of(entry(document, "nodes", n)) == name) nodes.push_back(n);
    }
    return nodes;
}

std::size_t node_called(const Document& document, const std::string& name) {
    const std::vector<std::size_t> found = nodes_called(document, name);
    if (found.size() == 1) return found[0];
    if (found.size() > 1) {
        fail(document.name, "{} nodes are called \"{}\"; give each its own name", found.size(), printable(name));
    }
    fail(document.name, "no node is called \"{}\"; {}", printable(name),
         names_like(document, name, [](std::size_t) { return true; }));
}

std::string names_like(const Document& document, const std::string& wanted,
                       const std::function<bool(std::size_t)>& fits) {
    std::vector<std::string> names;
    for (std::size_t n = 0; n < list_size(document, "nodes") && names.size() < 1000; ++n) {
        const std::string name = name_of(entry(document, "nodes", n));
        if (!name.empty() && fits(n)) names.push_back(printable(name));
    }
    if (names.empty()) return "none of its nodes has a name";
    const auto nearest = nearest_name(wanted, names);
    const std::size_t shown = std::min<std::size_t>(names.size(), 12);
    return fmt::format("{}here are: {}{}", nearest ? fmt::format("did you mean \"{}\"? T", *nearest) : "t",
                       fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "),
                       shown < names.size() ? ", …" : "");
}

Placed placed(const Document& document, std::size_t index) {
    const Json& node = entry(document, "nodes", index);
    Placed result;
    const std::vector<double> matrix = numbers(document, node, "matrix", 16);
    if (!matrix.empty()) {
        const Eigen::Matrix4d placement = Eigen::Map<const Eigen::Matrix4d>(matrix.data());
        const Mat3 linear = placement.topLeftCorner<3, 3>();
        result.translation = placement.topRightCorner<3, 1>();
        result.scale = linear.colwise().norm().transpose();
        if (linear.determinant() < 0) result.scale.x() *= -1;
        const Mat3 turn = linear * result.scale.cwiseInverse().asDiagonal();
        if (!((turn.transpose() * turn - Mat3::Identity()).norm() < 1e-4)) {
            fail(document.name, "the matrix of \"{}\" shears; apply it to the mesh and export it again",
                 called(document, index));
        }
        result.rotation = Eigen::Quaterniond(turn).normalized();
        return result;
    }
    const std::vector<double> t = numbers(document, node, "translation", 3);
    const std::vector<double> q = numbers(document, node, "rotation", 4);
    const std::vector<double> s = numbers(document, node, "scale", 3);
    if (!t.empty()) result.translation = Vec3(t.data());
    if (!q.empty()) result.rotation = unit(document, q);
    if (!s.empty()) result.scale = Vec3(s.data());
    return result;
}

CarriedScale carried_scale(const Document& document, std::size_t node, const Vec3& scale) {
    const double size = std::abs(scale.x());
    if (!(size > 0 && (scale.cwiseAbs() - Vec3::Constant(size)).norm() <= 1e-5 * size)) {
        fail(document.name,
             "the scale of \"{}\" is ({}, {}, {}), which shears what hangs below it; apply it and export it again",
             called(document, node), scale.x(), scale.y(), scale.z());
    }
    const Vec3 signs = scale.array().sign();
    const double sign = signs.prod();
    return {sign * size, Eigen::Quaterniond(Mat3((sign * signs).asDiagonal()))};
}

}  // namespace clangor::io::gltf
