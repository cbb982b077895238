#include <clangor/io/motion/shading.hpp>

#include <cmath>

namespace clangor::io {
namespace {

std::array<float, 3> single(const Vec3& v) {
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

// A copy of a vertex that has been written already.
struct Copy {
    Vec3 normal;
    std::uint32_t index;
};

}  // namespace

ShadedSurface shaded(const Surface& surface, double crease_deg) {
    const double crease = std::cos(crease_deg * pi / 180);
    const Eigen::Index faces = surface.faces.rows();
    std::vector<Vec3> areas(faces), units(faces);
    std::vector<std::vector<int>> faces_at(surface.vertices.rows());
    for (Eigen::Index f = 0; f < faces; ++f) {
        const auto corner = [&](int k) { return Vec3(surface.vertices.row(surface.faces(f, k)).transpose()); };
        const Vec3 area = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        areas[f] = area;
        units[f] = area.norm() > 0 ? Vec3(area.normalized()) : Vec3::UnitY();
        for (int k = 0; k < 3; ++k) faces_at[surface.faces(f, k)].push_back(static_cast<int>(f));
    }
    ShadedSurface result;
    result.corners.reserve(faces * 3);
    std::vector<std::vector<Copy>> copies(faces_at.size());
    for (Eigen::Index f = 0; f < faces; ++f) {
        for (int k = 0; k < 3; ++k) {
            const std::size_t v = surface.faces(f, k);
            Vec3 normal = Vec3::Zero();
            for (const int g : faces_at[v]) {
                if (units[g].dot(units[f]) >= crease) {
                    normal += areas[g];
                }
            }
            normal = normal.norm() > 0 ? Vec3(normal.normalized()) : units[f];
            const Copy* found = nullptr;
            for (const Copy& copy : copies[v]) {
                if (copy.normal.dot(normal) > 1 - 1e-6) found = &copy;
            }
            if (!found) {
                copies[v].push_back({normal, static_cast<std::uint32_t>(result.positions.size())});
                found = &copies[v].back();
                result.positions.push_back(single(surface.vertices.row(static_cast<Eigen::Index>(v)).transpose()));
                result.normals.push_back(single(normal));
                result.sources.push_back(static_cast<int>(v));
            }
            result.corners.push_back(found->index);
        }
    }
    return result;
}

Eigen::VectorXf normals_at(const ShadedSurface& shaded, const Eigen::VectorXf& vertices) {
    Eigen::VectorXf normals = Eigen::VectorXf::Zero(3 * std::ssize(shaded.sources));
    for (std::size_t t = 0; t < shaded.corners.size(); t += 3) {
        const auto corner = [&](std::size_t k) {
            return Eigen::Vector3f(vertices.segment<3>(3L * shaded.sources[shaded.corners[t + k]]));
        };
        const Eigen::Vector3f area = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        for (std::size_t k = 0; k < 3; ++k) normals.segment<3>(3L * shaded.corners[t + k]) += area;
    }
    for (long v = 0; v < std::ssize(shaded.sources); ++v)
        if (const float length = normals.segment<3>(3 * v).norm(); length > 0) normals.segment<3>(3 * v) /= length;
    return normals;
}

}  // namespace clangor::io
