#include "bodies.hpp"

#include "../../icosphere.hpp"

#include <clangor/radiation/bem/triangle_rules.hpp>

#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace clangor::test {
namespace {

using Complex = std::complex<double>;

Surface surface_from(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& faces) {
    Surface surface{Points(static_cast<long>(points.size()), 3), Triangles(static_cast<long>(faces.size()), 3)};
    for (std::size_t i = 0; i < points.size(); ++i) surface.vertices.row(static_cast<long>(i)) = points[i];
    for (std::size_t i = 0; i < faces.size(); ++i)
        surface.faces.row(static_cast<long>(i)) << faces[i][0], faces[i][1], faces[i][2];
    return surface;
}

// h_n of the second kind by its recurrence from h₋₁ = e^{−iz}/z and h₀ = ie^{−iz}/z, which is stable upwards.
Complex outgoing(int n, double z) {
    Complex before = std::polar(1.0, -z) / z, h = Complex(0, 1) * before;
    for (int i = 0; i < n; ++i) before = std::exchange(h, (2.0 * i + 1) / z * h - before);
    return h;
}

}  // namespace

Surface ball(double radius, int levels) { return icosphere(radius, levels); }

Surface disc(double radius, int rings) {
    std::vector<Vec3> points = {Vec3::Zero()};
    std::vector<std::array<int, 3>> faces;
    // Ring r has 6r points: all triangles are nearly equilateral.
    const auto index = [](int ring, int step) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + step % (6 * ring); };
    for (int ring = 1; ring <= rings; ++ring) {
        for (int step = 0; step < 6 * ring; ++step) {
            const double angle = 2 * pi * step / (6 * ring), r = radius * ring / rings;
            points.emplace_back(r * std::cos(angle), r * std::sin(angle), 0.0);
        }
        for (int sector = 0; sector < 6; ++sector)
            for (int i = 0; i < ring; ++i) {
                const int outer = sector * ring + i, inner = sector * (ring - 1) + i;
                faces.push_back({index(ring, outer), index(ring, outer + 1), index(ring - 1, inner)});
                if (i + 1 < ring)
                    faces.push_back({index(ring - 1, inner), index(ring, outer + 1), index(ring - 1, inner + 1)});
            }
    }
    return surface_from(points, faces);
}

Surface plate(double width, double thickness, int cells) {
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> faces;
    const int side = cells + 1, layer = side * side;
    for (const double z : {-0.5, 0.5})
        for (int i = 0; i < side; ++i)
            for (int j = 0; j < side; ++j)
                points.emplace_back(width * (double(i) / cells - 0.5), width * (double(j) / cells - 0.5),
                                    thickness * z);
    const auto add_square = [&](int a, int b, int c, int d) { faces.insert(faces.end(), {{a, b, c}, {a, c, d}}); };
    for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
            const int a = i * side + j, b = a + side, c = b + 1, d = a + 1;
            add_square(layer + a, layer + b, layer + c, layer + d);
            add_square(a, d, c, b);
        }
    for (int i = 0; i < cells; ++i) {
        const int front = i * side, back = front + cells, left = i, right = cells * side + i;
        add_square(front, front + side, layer + front + side, layer + front);
        add_square(back + side, back, layer + back, layer + back + side);
        add_square(left + 1, left, layer + left, layer + left + 1);
        add_square(right, right + 1, layer + right + 1, layer + right);
    }
    return surface_from(points, faces);
}

Surface inside_out(const Surface& surface) {
    Surface out = surface;
    out.faces.col(1).swap(out.faces.col(2));
    return out;
}

Surface joined(const Surface& a, const Surface& b) {
    Surface out{Points(a.vertices.rows() + b.vertices.rows(), 3), Triangles(a.faces.rows() + b.faces.rows(), 3)};
    out.vertices << a.vertices, b.vertices;
    out.faces << a.faces, (b.faces.array() + static_cast<int>(a.vertices.rows())).matrix();
    return out;
}

Vec3 centroid(const Surface& surface, long face) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 3; ++i) sum += surface.vertices.row(surface.faces(face, i)).transpose();
    return sum / 3;
}

Vec3 area_vector(const Surface& surface, long face) {
    const Vec3 a = surface.vertices.row(surface.faces(face, 0)), b = surface.vertices.row(surface.faces(face, 1)),
               c = surface.vertices.row(surface.faces(face, 2));
    return 0.5 * (b - a).cross(c - a);
}

Points points_around(double radius, int count) {
    Points points(count, 3);
    for (int i = 0; i < count; ++i) {
        const double r = radius * (2 + 8.0 * i / count), golden = 0.6180339887498949 * i;
        const double z = 1 - 2 * (golden - std::floor(golden)), angle = 2.399963 * i, flat = std::sqrt(1 - z * z);
        points.row(i) << r * flat * std::cos(angle), r * flat * std::sin(angle), r * z;
    }
    return points;
}

Complex exact_multipole(int n, double k, double a, double r) {
    const double z = k * a;
    const Complex slope = n == 0 ? -outgoing(1, z) : outgoing(n - 1, z) - (n + 1.0) / z * outgoing(n, z);
    return outgoing(n, k * r) / (k * slope);
}

double legendre(int n, double x) {
    double before = 0, p = 1;
    for (int i = 0; i < n; ++i) before = std::exchange(p, ((2 * i + 1) * x * p - i * before) / (i + 1));
    return p;
}

Eigen::VectorXcd legendre_means(const Surface& surface, int n) {
    Eigen::VectorXcd means = Eigen::VectorXcd::Zero(surface.faces.rows());
    for (long f = 0; f < means.size(); ++f)
        for (const bem::RulePoint& point : bem::rule_of_degree_6()) {
            Vec3 x = Vec3::Zero();
            for (std::size_t i = 0; i < 3; ++i)
                x += point.at[i] * surface.vertices.row(surface.faces(f, static_cast<int>(i))).transpose();
            means[f] += point.weight * legendre(n, x.normalized().z());
        }
    return means;
}

double relative_error(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) { return (a - b).norm() / b.norm(); }

}  // namespace clangor::test
