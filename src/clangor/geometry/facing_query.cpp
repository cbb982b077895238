#include <clangor/geometry/facing_query.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::remeshing {
namespace {

// The faces and corners of a cube: every direction is within 35.3° of one of them.
std::array<Vec3, 14> cube_directions() {
    std::array<Vec3, 14> directions;
    for (int k = 0; k < 3; ++k)
        for (int s = 0; s < 2; ++s) directions[2 * k + s] = (s ? -1 : 1) * Vec3::Unit(k);
    for (int i = 0; i < 8; ++i) directions[6 + i] = Vec3(i & 1 ? -1 : 1, i & 2 ? -1 : 1, i & 4 ? -1 : 1).normalized();
    return directions;
}

// Within 75° of a direction: whatever looks back at a face (more than 110° away from it) is left out.
const double cos_same_side = std::cos(75 * pi / 180);

// Beyond this angle two faces look at each other, across a wall or a gap; less is a corner.
const double cos_opposite = -0.5;

// Shrinks a ball that touches the surface at x, its centre along `towards`, until nothing is inside [Ma2012]. Its
// diameter if what stopped it looks back at x, else the limit.
double clearance(const FacingQuery& query, const Vec3& x, const Vec3& towards, const Vec3& normal, double limit) {
    double radius = limit / 2;
    for (int step = 0; step < 12; ++step) {
        const ClosestPoint touched = query.nearest(x + radius * towards);
        if (touched.distance > radius * (1 - 1e-3)) return limit;
        const Vec3 to = touched.point - x;
        const double along = to.dot(towards);
        const double smaller = along > 0 ? to.squaredNorm() / (2 * along) : radius;
        const bool looks_back = query.normal(touched.face).dot(normal) < cos_opposite;
        if (smaller > 0.99 * radius || smaller < 1e-3 * limit) return looks_back ? 2 * smaller : limit;
        if (looks_back && to.norm() < 1.1 * along) return along;  // straight across: no need to close in further
        radius = smaller;
    }
    return 2 * radius;
}

}  // namespace

Points unit_normals(const Surface& surface) {
    Points normals(surface.faces.rows(), 3);
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 a = surface.vertices.row(surface.faces(f, 0)), b = surface.vertices.row(surface.faces(f, 1)),
                   c = surface.vertices.row(surface.faces(f, 2));
        const Vec3 n = (b - a).cross(c - a);
        const double length = n.norm();
        normals.row(f) = length > 0 ? Vec3(n / length) : Vec3(Vec3::Zero());
    }
    return normals;
}

FacingQuery::FacingQuery(const Surface& surface) : all_(surface), normals_(unit_normals(surface)) {
    const std::array<Vec3, 14> directions = cube_directions();
    for (std::size_t i = 0; i < sides_.size(); ++i) {
        Side& side = sides_[i];
        side.direction = directions[i];
        for (int f = 0; f < surface.faces.rows(); ++f)
            if (normal(f).dot(side.direction) > cos_same_side) side.faces.push_back(f);
        if (side.faces.empty()) continue;
        Surface part{surface.vertices, Triangles(static_cast<int>(side.faces.size()), 3)};
        for (std::size_t j = 0; j < side.faces.size(); ++j)
            part.faces.row(static_cast<int>(j)) = surface.faces.row(side.faces[j]);
        side.query = std::make_unique<const ClosestPointQuery>(part);
    }
}

ClosestPoint FacingQuery::operator()(const Vec3& x, const Vec3& n) const {
    const Side* best = nullptr;
    for (const Side& side : sides_)
        if (!best || side.direction.dot(n) > best->direction.dot(n)) best = &side;
    if (!best->query || n.squaredNorm() == 0) return all_(x);
    ClosestPoint found = (*best->query)(x);
    found.face = best->faces[found.face];
    return found;
}

Eigen::VectorXd clearances(const Surface& surface, const FacingQuery& query, double limit) {
    Eigen::VectorXd result(surface.faces.rows());
    constexpr int block = 256;
    parallel_for((surface.faces.rows() + block - 1) / block, [&](long b) {
        for (int f = static_cast<int>(b) * block; f < std::min<long>((b + 1) * block, surface.faces.rows()); ++f) {
            const Vec3 x = (surface.vertices.row(surface.faces(f, 0)) + surface.vertices.row(surface.faces(f, 1)) +
                            surface.vertices.row(surface.faces(f, 2))) /
                           3;
            const Vec3 n = query.normal(f);
            result[f] = std::min(clearance(query, x, -n, n, limit), clearance(query, x, n, n, limit));
        }
    });
    return result;
}

}  // namespace clangor::remeshing
