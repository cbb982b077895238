#include <clangor/radiation/bem/rim_grading.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::remeshing {
namespace {

constexpr double graded_edges = 3;

// Faces may become this thin, and turn by as much as cos⁻¹ of this against where they were.
constexpr double least_angle_left = 6 * pi / 180, least_cosine = 0.5;

Vec3 normal_area(const Points& x, const Triangles& faces, long f) {
    const Vec3 a = x.row(faces(f, 0)), b = x.row(faces(f, 1)), c = x.row(faces(f, 2));
    return (b - a).cross(c - a);
}

bool sound(const Points& before, const Points& after, const Triangles& faces, long f) {
    const Vec3 old_normal = normal_area(before, faces, f), new_normal = normal_area(after, faces, f);
    if (new_normal.dot(old_normal) < least_cosine * new_normal.norm() * old_normal.norm()) return false;
    return least_angle(after.row(faces(f, 0)), after.row(faces(f, 1)), after.row(faces(f, 2))) >= least_angle_left;
}

}  // namespace

Surface graded_at_rims(const Surface& mesh, const Original& original, double edge_length) {
    if (!original.rims) return mesh;
    const SurfaceNet net = net_of(mesh);
    const Points normals = unit_normals(mesh);
    const double depth = graded_edges * edge_length;
    Points shift = Points::Zero(mesh.vertices.rows(), 3);
    for (long v = 0; v < shift.rows(); ++v) {
        if (net.rim[v] || net.fixed[v] || !net.lines[v].empty() || net.around[v].empty()) continue;
        const Vec3 x = mesh.vertices.row(v), on_rim = (*original.rims)(x).point;
        const double d = (x - on_rim).norm();
        if (d >= depth) continue;
        const Vec3 wanted = on_rim + (x - on_rim) * (d / depth);
        shift.row(v) = (original.surface(wanted, normals.row(net.around[v].front())).point - x).transpose();
    }
    Eigen::VectorXd part = Eigen::VectorXd::Ones(shift.rows());
    Surface graded = mesh;
    for (int attempt = 0; attempt < 8; ++attempt) {
        graded.vertices = mesh.vertices + part.asDiagonal() * shift;
        bool all_sound = true;
        for (long f = 0; f < mesh.faces.rows(); ++f) {
            if (sound(mesh.vertices, graded.vertices, mesh.faces, f)) continue;
            all_sound = false;
            for (const int v : mesh.faces.row(f)) part[v] *= attempt < 6 ? 0.6 : 0;
        }
        if (all_sound) return graded;
    }
    return mesh;
}

}  // namespace clangor::remeshing
