// Rods as motion files show them: docs/guide/rods.md, Picture.
#include <clangor/objects/rod/rod_picture.hpp>

namespace clangor {
namespace {

constexpr long sides_of_curves = 8;  // of an outline that is round

// Curved outlines with fewer corners, on the same curve.
Outline drawn_outline(const RodModel& model) {
    const Outline& outline = model.section.outline;
    if (std::holds_alternative<RectangleSection>(model.rod.section) ||
        std::holds_alternative<PolygonSection>(model.rod.section))
        return outline;
    Outline drawn;
    for (long k = 0; k < sides_of_curves; ++k) drawn.push_back(outline[size_t(k) * outline.size() / sides_of_curves]);
    return drawn;
}

Triangles swept_faces(long points, long corners, bool closed) {
    const long edges = closed ? points : points - 1;
    Triangles faces(2 * edges * corners + (closed ? 0 : 2 * corners), 3);
    long next = 0;
    for (long j = 0; j < edges; ++j)
        for (long k = 0; k < corners; ++k) {
            const int a = int(j * corners + k), b = int(j * corners + (k + 1) % corners);
            const int c = int((j + 1) % points * corners + (k + 1) % corners), d = int((j + 1) % points * corners + k);
            faces.row(next++) << a, b, c;
            faces.row(next++) << a, c, d;
        }
    if (closed) return faces;
    const int first_lid = int(points * corners), last = int((points - 1) * corners);
    for (long k = 0; k < corners; ++k) {
        const int one = int(k), other = int((k + 1) % corners);
        faces.row(next++) << first_lid, other, one;
        faces.row(next++) << first_lid + 1, last + one, last + other;
    }
    return faces;
}

Points swept_vertices(const Outline& outline, const RodPlaces& places, bool closed) {
    const long n = places.positions.rows(), corners = std::ssize(outline);
    Points vertices(n * corners + (closed ? 0 : 2), 3);
    const auto point = [&](long i) { return Vec3(places.positions.row((i + n) % n).transpose()); };
    for (long i = 0; i < n; ++i) {
        const Vec3 before = i > 0 || closed ? Vec3((point(i) - point(i - 1)).normalized()) : Vec3::Zero();
        const Vec3 behind = i + 1 < n || closed ? Vec3((point(i + 1) - point(i)).normalized()) : Vec3::Zero();
        const Vec3 tangent = (before + behind).normalized();
        Vec3 x = places.d_1.row(i).transpose();
        x = (x - x.dot(tangent) * tangent).normalized();
        const Vec3 y = tangent.cross(x);
        for (long k = 0; k < corners; ++k) {
            const Eigen::Vector2d& corner = outline[size_t(k)];
            vertices.row(i * corners + k) = (point(i) + corner.x() * x + corner.y() * y).transpose();
        }
    }
    if (!closed) {
        vertices.row(n * corners) = places.positions.row(0);
        vertices.row(n * corners + 1) = places.positions.row(n - 1);
    }
    return vertices;
}

}  // namespace

Surface swept(const Outline& outline, const RodPlaces& places, bool closed) {
    return {swept_vertices(outline, places, closed), swept_faces(places.positions.rows(), std::ssize(outline), closed)};
}

io::MovingShape rod_picture(const RodInScene& rod) {
    const Outline outline = drawn_outline(rod.model);
    const bool closed = rod.model.curve.closed;
    const std::shared_ptr<const RodRecord> record = rod.track->record;
    return {.name = rod.model.rod.name,
            .surface = std::make_shared<const Surface>(swept(outline, record->places_at(0), closed)),
            .path = rod.track->path,
            .vertices = [outline, record, closed](double time) {
                return swept_vertices(outline, record->places_at(time), closed);
            }};
}

}  // namespace clangor
