// Shapes that are made from outlines: surfaces of revolution, and tubs.
#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace shapes_profile_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

using Profile = std::vector<Eigen::Vector2d>;

double volume_of(const Shape& shape) { return mass_properties(surface_of(shape)).volume; }
double area_of_shape(const Shape& shape) { return area_of(surface_of(shape)); }

// By the midpoint rule.
double integral(double from, double to, const std::function<double(double)>& f) {
    const int n = 20000;
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += f(from + (to - from) * (i + 0.5) / n);
    return sum * (to - from) / n;
}

// Points on a circle about (0, 0) of the half-plane, evenly from the angle `from` to `to`.
Profile arc(double radius, double from, double to, int pieces) {
    Profile points;
    for (int i = 0; i <= pieces; ++i) {
        const double angle = from + (to - from) * i / pieces;
        points.emplace_back(std::max(0.0, radius * std::cos(angle)), radius * std::sin(angle));
    }
    if (std::abs(std::cos(from)) < 1e-9) points.front().x() = 0;
    if (std::abs(std::cos(to)) < 1e-9) points.back().x() = 0;
    return points;
}

// The least cosine between the normals of neighbours: −1 where a face is folded back onto the next.
double sharpest_turn(const Surface& surface) {
    std::map<std::pair<int, int>, Vec3> normals;  // by directed edge
    double least = 1;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const auto at = [&](int k) { return Vec3(surface.vertices.row(surface.faces(f, k % 3))); };
        const Vec3 n = (at(1) - at(0)).cross(at(2) - at(0)).normalized();
        for (int k = 0; k < 3; ++k) {
            const int a = surface.faces(f, k), b = surface.faces(f, (k + 1) % 3);
            const auto other = normals.find({b, a});
            if (other != normals.end()) least = std::min(least, n.dot(other->second));
            normals[{a, b}] = n;
        }
    }
    return least;
}

void check_sound(const Surface& surface, int rims) {
    CHECK(clean(surface).repairs.messages().empty());
    const Topology topology = topology_of(surface);
    CHECK(topology.pieces == 1);
    CHECK(topology.nonmanifold_edges == 0);
    CHECK(topology.closed() == (rims == 0));
    // V − E + F = 2 − rims of a ball with so many holes; E = (3F + open)/2.
    const long edges = (3 * surface.faces.rows() + topology.open_edges) / 2;
    CHECK(surface.vertices.rows() - edges + surface.faces.rows() == 2 - rims);
    CHECK_FALSE(self_intersects(surface));
}

}  // namespace

TEST_CASE("straight profiles: cylinder, cone, frustum and annulus have their exact area, those with two tips volume") {
    const double chords = 1e-3;  // 128 sides around: 0.04 % less volume, 0.01 % less wall
    const SurfaceOfRevolution barrel{{{0, 0}, {0.1, 0}, {0.1, 0.3}, {0, 0.3}}};
    CHECK(is_closed(barrel));
    check_sound(surface_of(barrel), 0);
    CHECK(volume_of(barrel) == Approx(pi * 0.01 * 0.3).epsilon(chords));
    // Whichever way round, what is closed encloses.
    CHECK(volume_of(SurfaceOfRevolution{{{0, 0.3}, {0.1, 0.3}, {0.1, 0}, {0, 0}}}) > 0);
    const SurfaceOfRevolution bucket{{{0, 0}, {0.1, 0}, {0.15, 0.2}, {0.17, 0.2}}};
    CHECK_FALSE(is_closed(bucket));
    check_sound(surface_of(bucket), 1);
    const double area = pi * 0.01 + pi * (0.1 + 0.15) * std::hypot(0.05, 0.2) + pi * (square(0.17) - square(0.15));
    CHECK(area_of_shape(bucket) == Approx(area).epsilon(chords));
    const SurfaceOfRevolution tube{{{0.1, 0}, {0.1, 0.3}}};
    check_sound(surface_of(tube), 2);
    CHECK(area_of_shape(tube) == Approx(2 * pi * 0.1 * 0.3).epsilon(chords));
    const SurfaceOfRevolution cone{{{0.1, 0}, {0, 0.2}}};
    check_sound(surface_of(cone), 1);
    CHECK(area_of_shape(cone) == Approx(pi * 0.1 * std::hypot(0.1, 0.2)).epsilon(chords));
}

TEST_CASE("smooth profiles: a ball from nine points, a cap that ends freely, a torus from a loop") {
    // Between points that are h apart on a circle the curve is 9/384 h⁴ of the radius too far in: 0.06 % for π/8.
    const double curve = 9.0 / 384 * std::pow(pi / 8, 4), chords = 1e-3;
    const SurfaceOfRevolution ball{arc(0.1, -pi / 2, pi / 2, 8), true};
    check_sound(surface_of(ball), 0);
    CHECK(volume_of(ball) == Approx(4 * pi / 3 * 1e-3).epsilon(3 * curve + chords));
    CHECK(area_of_shape(ball) == Approx(4 * pi * 1e-2).epsilon(2 * curve + chords));
    // Corners instead: the same points without a curve enclose what their cones do, 4 % less.
    double cones = 0;
    const Profile points = arc(0.1, -pi / 2, pi / 2, 8);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double a = points[i - 1].x(), b = points[i].x();
        cones += pi / 3 * (points[i].y() - points[i - 1].y()) * (a * a + a * b + b * b);
    }
    CHECK(volume_of(SurfaceOfRevolution{points}) == Approx(cones).epsilon(chords));

    const SurfaceOfRevolution dome{arc(0.1, 0.2 * pi, pi / 2, 5), true};
    check_sound(surface_of(dome), 1);
    CHECK(area_of_shape(dome) == Approx(2 * pi * 0.1 * 0.1 * (1 - std::sin(0.2 * pi))).epsilon(2 * curve + chords));

    Profile loop;
    for (int i = 0; i < 16; ++i) loop.emplace_back(0.2 + 0.05 * std::cos(pi / 8 * i), 0.05 * std::sin(pi / 8 * i));
    loop.push_back(loop.front());
    const SurfaceOfRevolution torus{loop, true};
    CHECK(is_closed(torus));
    const Surface ring = surface_of(torus);
    CHECK(topology_of(ring).closed());
    CHECK(sharpest_turn(ring) > 0.9);
    // Pappus; its section has at least four chords to each piece of π/8.
    const double section = 1 - std::sin(2 * pi / 64) / (2 * pi / 64);
    CHECK(volume_of(torus) == Approx(2 * square(pi) * 0.2 * square(0.05)).epsilon(2 * curve + section + chords));
}

TEST_CASE("a point that is repeated is a corner, and a smooth profile has no other") {
    const Profile points{{0, 0}, {0.06, 0.005}, {0.1, 0.03}, {0.11, 0.1}, {0.11, 0.2}};
    Profile cornered = points;
    cornered.insert(cornered.begin() + 2, points[2]);
    const Surface smooth = surface_of(SurfaceOfRevolution{points, true});
    const Surface sharp = surface_of(SurfaceOfRevolution{cornered, true});
    const Surface polygon = surface_of(SurfaceOfRevolution{points});
    // Where the polygon turns most, by the angle between its straight lines.
    const auto turn = [&](std::size_t i) {
        const Eigen::Vector2d in = (points[i] - points[i - 1]).normalized();
        return in.dot((points[i + 1] - points[i]).normalized());
    };
    CHECK(sharpest_turn(polygon) == Approx(turn(2)).epsilon(2e-3));  // chords around
    CHECK(sharpest_turn(smooth) > std::cos(20 * pi / 180));
    CHECK(sharpest_turn(sharp) < std::cos(30 * pi / 180));
    // A loop may begin anywhere: its corner stays.
    const Profile drop{{0.1, 0}, {0.15, 0.05}, {0.1, 0.1}, {0.1, 0.1}, {0.08, 0.05}, {0.1, 0}};
    const Profile later{{0.1, 0.1}, {0.08, 0.05}, {0.1, 0}, {0.15, 0.05}, {0.1, 0.1}, {0.1, 0.1}};
    CHECK(volume_of(SurfaceOfRevolution{drop, true}) ==
          Approx(volume_of(SurfaceOfRevolution{later, true})).epsilon(1e-12));
}

TEST_CASE("ribs stand out of steep walls by their depth, and leave rims, bottoms and the profile where they are") {
    const double R = 0.2, d = 0.01;
    const auto vessel = [&](double height, int ribs) {
        return SurfaceOfRevolution{{{0, 0}, {R, 0}, {R, height}, {0, height}}, false, ribs, d};
    };
    // r = R + d/2 (1 − cos Nθ) in the middle: a section of π (R² + R d + 3/8 d²). Ends are alike, whatever the height.
    const double section = pi * (square(R) + R * d + 3.0 / 8 * square(d));
    const double gained = volume_of(vessel(0.5, 24)) - volume_of(vessel(0.4, 24));
    CHECK(gained == Approx(0.1 * section).epsilon(2e-3));  // eight chords to a rib
    const SurfaceOfRevolution can{{{0, 0}, {R, 0}, {R, 0.4}}, false, 24, d};
    const Surface ribbed = surface_of(can);
    check_sound(ribbed, 1);
    CHECK(sharpest_turn(ribbed) > -0.01);  // nothing is folded: the bottom's edge is a right angle
    double widest = 0, at_ends = 0, narrowest = 1;
    for (long v = 0; v < ribbed.vertices.rows(); ++v) {
        const Vec3 p = ribbed.vertices.row(v);
        const double r = std::hypot(p.x(), p.z());
        widest = std::max(widest, r);
        if (p.y() == 0 || p.y() == 0.4) at_ends = std::max(at_ends, r);
        if (p.y() > 0) narrowest = std::min(narrowest, r);
    }
    CHECK(widest == Approx(R + d).epsilon(1e-9));
    CHECK(at_ends == Approx(R).epsilon(1e-9));
    CHECK(narrowest == Approx(R).epsilon(1e-9));
    // A flat lid has nothing that is steep.
    const Profile lid{{0, 0.05}, {0.1, 0.04}, {0.2, 0}};
    CHECK(area_of_shape(SurfaceOfRevolution{lid, false, 24, d}) ==
          Approx(area_of_shape(SurfaceOfRevolution{lid})).epsilon(1e-3));
}

TEST_CASE("profiles that make no surface are refused with what would do") {
    const auto refused = [](const SurfaceOfRevolution& shape, const char* why) {
        CHECK_THROWS_WITH_AS(surface_of(shape), why, Error);
    };
    refused(
        {{{0, 0}, {-0.1, 0}}},
        "revolution: the profile's point [-0.1, 0] must have a radius of 0 to 1000 m and a height of at most 1000 m");
    refused({{{0.1, 0}, {0, 0.1}, {0.1, 0.2}}},
            "revolution: the profile's point [0, 0.1] must not be on the axis, as it is not one of two ends");
    refused({{{0.1, 0}, {0.1, 0}}}, "revolution: the profile must have two points or more that are apart");
    refused({{{0, 0}, {0, 1}}}, "revolution: the profile lies on the axis; give it a point beside it");
    CHECK_THROWS_WITH_AS(
        surface_of(SurfaceOfRevolution{{{0.3, 0}, {0.001, 0.2}, {0.001, 0.21}, {0.3, 0.4}}, true}),
        doctest::Contains("revolution: the curve through the profile's points crosses the axis at height 0."), Error);
    refused({{{0.1, 0}, {0.1, 0.2}}, false, 20, 0.05},
            "revolution: rib_depth 0.05 m is more than 20 ribs allows; use less than 0.01571");
}

TEST_CASE("a tub has the area of its bottom, walls, corners and rim, and is open at the top alone") {
    for (const Tub& tub :
         {Tub{}, Tub{.width = 0.46, .depth = 0.33, .height = 0.02, .rounding = 0.03, .taper = 0.008, .rim = 0},
          Tub{.width = 0.2, .depth = 0.5, .height = 0.4, .rounding = 0.001, .taper = 0, .rim = 0.01}}) {
        CAPTURE(tub.height);
        const double rho = tub.rounding, t = tub.taper, H = tub.height;
        const double w = tub.width - 2 * rho, d = tub.depth - 2 * rho;  // of the mouth, without its corners
        const double bottom = (tub.width - 2 * t) * (tub.depth - 2 * t) - (4 - pi) * square(rho);
        const double sides = 2 * (w + d - 2 * t) * std::hypot(H, t);
        // A corner is swept by an arc along (t, H, t): where the arc faces φ, per length √(H² + t² (cos φ + sin φ)²).
        const double corners = 4 * rho * integral(0, pi / 2, [&](double phi) {
                                   return std::hypot(H, t * (std::cos(phi) + std::sin(phi)));
                               });
        const double rim = 2 * (w + d) * tub.rim + pi * (square(rho + tub.rim) - square(rho));
        const Surface surface = surface_of(tub);
        CHECK(area_of(surface) == Approx(bottom + sides + corners + rim).epsilon(2e-3));  // chords of corners
        check_sound(surface, 1);
        CHECK(sharpest_turn(surface) > -0.05);  // walls may lean in, never fold
        const Bounds bounds = bounds_of(surface.vertices);
        CHECK(bounds.low.y() == 0);
        CHECK(bounds.high.y() == Approx(H).epsilon(1e-12));
        CHECK(bounds.high.x() == Approx(tub.width / 2 + tub.rim).epsilon(1e-12));
        CHECK(bounds.low.z() == Approx(-tub.depth / 2 - tub.rim).epsilon(1e-12));
        CHECK_FALSE(is_closed(tub));
    }
    CHECK_THROWS_WITH_AS(surface_of(Tub{.rounding = 0.13}),
                         "tub: rounding 0.13 m is more than the bottom allows; use less than 0.12", Error);
    CHECK_THROWS_WITH_AS(surface_of(Tub{.taper = 0.14}),
                         "tub: taper 0.14 m is more than the mouth allows; use less than 0.135", Error);
}

}  // namespace shapes_profile_test
