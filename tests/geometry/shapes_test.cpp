#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace shapes_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

double volume_of(const Shape& shape) { return mass_properties(surface_of(shape)).volume; }
double cap_area(double radius, double x) {
    return x * std::sqrt(square(radius) - square(x)) + square(radius) * std::asin(x / radius);
}

double smallest_angle_deg(const Surface& surface) {
    double smallest = pi;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = surface.vertices.row(surface.faces(f, k));
            const Vec3 b = surface.vertices.row(surface.faces(f, (k + 1) % 3)).transpose() - a;
            const Vec3 c = surface.vertices.row(surface.faces(f, (k + 2) % 3)).transpose() - a;
            smallest = std::min(smallest, std::atan2(b.cross(c).norm(), b.dot(c)));
        }
    }
    return smallest * 180 / pi;
}

const std::vector<std::pair<std::string, Shape>> all_shapes = {
    {"box", Box{}},
    {"sphere", Sphere{}},
    {"cylinder", Cylinder{}},
    {"tube", Cylinder{.radius = 0.02, .height = 0.3, .inner_radius = 0.018}},
    {"disc", Cylinder{.radius = 0.1, .height = 0.004}},
    {"plate", Plate{}},
    {"bowl", Bowl{}},
    {"hemisphere", Bowl{.radius = 0.1, .depth = 0.1, .thickness = 0.002}},
    {"deep bowl", Bowl{.radius = 0.03, .depth = 0.1, .thickness = 0.003}},
    {"mug", Mug{}},
    {"cup", Mug{.handle = false}},
    {"tall mug", Mug{.radius = 0.03, .height = 0.2, .thickness = 0.002}},
    {"wide mug", Mug{.radius = 0.06, .height = 0.07, .thickness = 0.003}},
    {"bell", Bell{}},
    {"flat bell", Bell{.radius = 0.1, .height = 0.05, .thickness = 0.002}},
    {"tall bell", Bell{.radius = 0.05, .height = 0.3, .thickness = 0.003}},
    {"fork", TuningFork{}},
    {"ring", Ring{}},
    {"key", Key{}},
    {"long key", Key{.length = 0.08, .bow_radius = 0.012, .hole_radius = 0.003, .blade_width = 0.006}},
    {"rounded die", Box{.size = {0.016, 0.016, 0.016}, .rounding = 0.002}},
    {"wide fork", TuningFork{.tine_length = 0.1, .tine_width = 0.003, .gap = 0.05, .stem_length = 0.01}},
};

}  // namespace

TEST_CASE("every shape is closed, one piece, outward, without slivers or self-intersection") {
    for (const auto& [name, shape] : all_shapes) {
        CAPTURE(name);
        const Surface surface = surface_of(shape);
        const CleanSurface cleaned = clean(surface);
        CHECK(cleaned.repairs.messages().empty());
        const Topology topology = topology_of(surface);
        CHECK(topology.closed());
        CHECK(topology.pieces == 1);
        CHECK(mass_properties(surface).volume > 0);
        CHECK(smallest_angle_deg(surface) > 1.0);
        CHECK_FALSE(self_intersects(surface));
    }
}

TEST_CASE("a box has exactly twelve faces") {
    CHECK(surface_of(Box{}).faces.rows() == 12);
    CHECK(volume_of(Box{.size = {1, 2, 3}}) == Approx(6.0).epsilon(1e-14));
    CHECK(volume_of(Plate{.width = 0.3, .depth = 0.2, .thickness = 0.01}) == Approx(6e-4).epsilon(1e-14));
    CHECK(bounds_of(surface_of(Plate{}).vertices).high.isApprox(Vec3(0.1, 0.002, 0.1)));
}

TEST_CASE("round shapes enclose their exact volume to 0.1 %, the faceting error") {
    CHECK(volume_of(Sphere{.radius = 0.05}) == Approx(4 * pi / 3 * cube(0.05)).epsilon(1e-3));
    CHECK(volume_of(Cylinder{.radius = 0.02, .height = 0.2}) == Approx(pi * square(0.02) * 0.2).epsilon(1e-3));
    CHECK(volume_of(Cylinder{.radius = 0.02, .height = 0.2, .inner_radius = 0.015}) ==
          Approx(pi * (square(0.02) - square(0.015)) * 0.2).epsilon(1e-3));
}

TEST_CASE("a bowl is a piece of a hollow ball") {
    for (const auto& [radius, depth, thickness] :
         {std::tuple{0.08, 0.05, 0.004}, {0.1, 0.1, 0.002}, {0.03, 0.1, 0.003}, {0.2, 0.01, 0.005}}) {
        CAPTURE(depth);
        const double R = (square(radius) + square(depth)) / (2 * depth);
        const double cos_theta = 1 - depth / R;
        const double exact = 2 * pi / 3 * (1 - cos_theta) * (cube(R + thickness / 2) - cube(R - thickness / 2));
        CHECK(volume_of(Bowl{radius, depth, thickness}) == Approx(exact).epsilon(1.2e-3));  // flat faces
        const Bounds bounds = bounds_of(surface_of(Bowl{radius, depth, thickness}).vertices);
        CHECK(bounds.low.y() == Approx(-thickness / 2).epsilon(1e-9));
    }
    // A hemisphere's rim is level, at the height of the sphere's centre.
    const Bounds half = bounds_of(surface_of(Bowl{.radius = 0.1, .depth = 0.1, .thickness = 0.002}).vertices);
    CHECK(half.high.y() == Approx(0.1).epsilon(1e-12));
    CHECK(half.high.x() == Approx(0.101).epsilon(1e-12));
}

TEST_CASE("a mug is a rounded cup with half a torus") {
    const Mug mug;
    const double R = mug.radius, H = mug.height, t = mug.thickness;
    // Outer less inner solid of revolution by the midpoint rule, both with rounded corners about (R − 2t, 2t).
    const auto radius_at = [&](double y, double wall, double floor, double rounding) {
        const double depth = floor + rounding - y;
        return depth > 0 ? wall - rounding + std::sqrt(square(rounding) - square(depth)) : wall;
    };
    double cup = 0;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
        const double y = (i + 0.5) * H / n, above_rim = std::max(0.0, y - (H - t / 2));
        const double cut = t / 2 - std::sqrt(square(t / 2) - square(above_rim));
        const double outer = radius_at(y, R, 0, 2 * t) - cut;
        const double inner = y > t ? radius_at(y, R - t, t, t) + cut : 0;
        cup += pi * (square(outer) - square(inner)) * H / n;
    }
    CHECK(volume_of(Mug{.handle = false}) == Approx(cup).epsilon(1e-3));

    // The tube of radius t runs half round at 0.28 H, and straight from there to the wall: at both ends over the mean
    // of R + t/2 − √(R² − z²) on its section, t/2 + t²/(8R) to first order.
    const double tube = pi * square(t) * (pi * 0.28 * H + 2 * (t / 2 + square(t) / (8 * R)));
    const double handle = volume_of(Mug{}) - volume_of(Mug{.handle = false});
    CHECK(handle == Approx(tube).epsilon(0.01));  // 0.3 % faceting of the tube, 0.5 % of the wall's facets under it
    const Bounds bounds = bounds_of(surface_of(Mug{}).vertices);
    CHECK(bounds.low.y() == 0.0);
    CHECK(bounds.high.y() == Approx(H).epsilon(1e-12));
    CHECK(bounds.low.x() == Approx(-R).epsilon(1e-12));
    CHECK(bounds.high.x() == Approx(R + t / 2 + 0.28 * H + t).epsilon(1e-12));
}

TEST_CASE("a mug with a handle has one hole, a cup none: Euler's V − E + F = 2 − 2g") {
    const auto genus = [](const Surface& s) {
        return 1 - (s.vertices.rows() - 3 * s.faces.rows() / 2 + s.faces.rows()) / 2;
    };
    CHECK(genus(surface_of(Mug{})) == 1);
    CHECK(genus(surface_of(Mug{.handle = false})) == 0);
    CHECK(genus(surface_of(Cylinder{.inner_radius = 0.01})) == 1);
    CHECK(genus(surface_of(Bell{})) == 0);
    CHECK(genus(surface_of(TuningFork{})) == 0);
}

TEST_CASE("a bell has the size it was asked for and twice the wall at the lip") {
    const Bell bell;
    const Surface surface = surface_of(bell);
    const Bounds bounds = bounds_of(surface.vertices);
    CHECK(std::abs(bounds.low.y()) < 0.02 * bell.thickness);  // the lip's round end has 8 steps
    CHECK(bounds.high.y() == Approx(bell.height).epsilon(1e-12));
    CHECK(bounds.high.x() == Approx(bell.radius).epsilon(1e-3));
    // The crown: outer at the height, inner one wall below.
    const ClosestPointQuery closest(surface);
    CHECK(closest(Vec3(0, bell.height / 2, 0)).distance > 0);
    double inner_crown = 0;
    for (int v = 0; v < surface.vertices.rows(); ++v) {
        const Vec3 x = surface.vertices.row(v);
        if (x.x() == 0 && x.z() == 0 && x.y() < bell.height - 1e-9) inner_crown = x.y();
    }
    CHECK(bell.height - inner_crown == Approx(bell.thickness).epsilon(1e-12));
    // A thin wall's volume grows with its thickness, up to the change of area at the sides.
    CHECK(volume_of(Bell{.thickness = 0.002}) / volume_of(Bell{.thickness = 0.001}) == Approx(2.0).epsilon(0.03));
}

TEST_CASE("a tuning fork is two tines, half a ring and a stem") {
    const TuningFork fork;
    const double w = fork.tine_width, inner = fork.gap / 2, outer = inner + w;
    const double tines = 2 * w * (fork.tine_length - inner);
    const double yoke = pi / 2 * (square(outer) - square(inner));
    const double stem = w * fork.stem_length + w * outer - cap_area(outer, w / 2);  // up to the round yoke
    CHECK(volume_of(fork) == Approx(w * (tines + yoke + stem)).epsilon(1e-3));
    const Bounds bounds = bounds_of(surface_of(fork).vertices);
    CHECK(bounds.high.y() == Approx(fork.tine_length).epsilon(1e-12));
    CHECK(bounds.low.y() == Approx(-w - fork.stem_length).epsilon(1e-12));
    CHECK(bounds.high.z() == Approx(w / 2).epsilon(1e-12));
    CHECK(bounds.high.x() == Approx(outer).epsilon(1e-12));
}

TEST_CASE("sizes that make no body are refused with what would do") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH_AS(surface_of(Bowl{.radius = 0.08, .depth = 0.05, .thickness = 0.2}),
                         "bowl: thickness 0.2 m is more than the radius 0.08 m allows; use less than 0.08", Error);
    CHECK_THROWS_WITH_AS(surface_of(Sphere{.radius = -0.1}),
                         "sphere: radius must be between 1e-06 and 1000 m, but is -0.1", Error);
    CHECK_THROWS_WITH_AS(surface_of(Sphere{.radius = nan}),
                         "sphere: radius must be between 1e-06 and 1000 m, but is nan", Error);
    CHECK_THROWS_WITH_AS(surface_of(Box{.size = {1, inf, 1}}),
                         "box: size along y must be between 1e-06 and 1000 m, but is inf", Error);
    CHECK_THROWS_WITH_AS(surface_of(Cylinder{.radius = 0.02, .height = 0.2, .inner_radius = 0.03}),
                         "cylinder: inner_radius 0.03 m is more than the outer radius allows; use less than 0.02",
                         Error);
    CHECK_THROWS_WITH_AS(surface_of(Cylinder{.inner_radius = -1}),
                         "cylinder: inner_radius must be between 1e-06 and 1000 m, but is -1", Error);
    CHECK_THROWS_WITH_AS(surface_of(Plate{.thickness = 0}),
                         "plate: thickness must be between 1e-06 and 1000 m, but is 0", Error);
    CHECK_THROWS_WITH_AS(surface_of(Mug{.thickness = 0.02}),
                         "mug: thickness 0.02 m is more than the radius 0.04 m allows; use less than 0.01333", Error);
    CHECK_THROWS_WITH_AS(
        surface_of(Mug{.radius = 0.04, .height = 0.04, .thickness = 0.004}),
        "mug: a handle 0.008 m thick does not fit on a wall 0.04 m high; use a thickness below 0.00215 or set "
        "\"handle\": false",
        Error);
    CHECK_THROWS_WITH_AS(surface_of(Bell{.thickness = 0.05}),
                         "bell: thickness 0.05 m is more than the radius 0.06 m allows; use less than 0.01", Error);
    CHECK_THROWS_WITH_AS(surface_of(TuningFork{.gap = 0.5}),
                         "tuning_fork: gap 0.5 m is more than the tine_length 0.095 m allows; use less than 0.19",
                         Error);
}

TEST_CASE("a ring holds the volume of Pappus, a rounded box that of Steiner's formula") {
    const Ring ring{.radius = 0.02, .wire = 0.002};
    // A wire of 24 sides on a ring of 128: sin(2π/n)/(2π/n) of a circle's area, 1.1 % and 0.04 % less.
    const double inscribed = std::sin(2 * pi / 24) / (2 * pi / 24);
    CHECK(volume_of(ring) == Approx(2 * square(pi) * 0.02 * square(0.002) * inscribed).epsilon(1e-3));
    // Inner box, six slabs, twelve quarter cylinders, a ball: V + A r + π r² Σ edges/4·… + 4πr³/3.
    const double a = 0.016 - 0.006, r = 0.003;
    const double exact = cube(a) + 6 * square(a) * r + 3 * a * pi * square(r) + 4 * pi / 3 * cube(r);
    CHECK(volume_of(Box{.size = {0.016, 0.016, 0.016}, .rounding = r}) == Approx(exact).epsilon(4e-3));  // chords
}

TEST_CASE("open shapes are one piece, wound alike, end where they should, and have the area of the formula") {
    struct Open {
        std::string name;
        Shape shape;
        double area;
        int rims;
    };
    const double lid = pi * (square(0.1) + square(0.03));
    const std::vector<Open> all = {
        {"sheet", Sheet{0.3, 0.2}, 0.06, 1},
        {"long sheet", Sheet{0.5, 0.01}, 0.005, 1},
        {"disc", Disc{.radius = 0.1}, pi * 0.01, 1},
        {"washer", Disc{.radius = 0.1, .hole_radius = 0.05}, pi * 0.0075, 2},
        {"lid", Dome{.radius = 0.1, .depth = 0.03}, lid, 1},
        {"flask", Dome{.radius = 0.03, .depth = 0.1}, pi * (square(0.03) + square(0.1)), 1},
        {"can", Can{.radius = 0.05, .height = 0.12}, pi * (0.0025 + 0.1 * 0.12), 1},
        {"tube", Can{.radius = 0.05, .height = 0.12, .bottom = false}, pi * 0.1 * 0.12, 2},
    };
    for (const Open& open : all) {
        CAPTURE(open.name);
        CHECK_FALSE(is_closed(open.shape));
        const Surface surface = surface_of(open.shape);
        CHECK(clean(surface).repairs.messages().empty());
        const Topology topology = topology_of(surface);
        CHECK(topology.pieces == 1);
        CHECK(topology.nonmanifold_edges == 0);
        CHECK(topology.open_edges > 0);
        // V − E + F = 2 − rims of a sphere with so many holes; E = (3F + open)/2.
        const long edges = (3 * surface.faces.rows() + topology.open_edges) / 2;
        CHECK(surface.vertices.rows() - edges + surface.faces.rows() == 2 - open.rims);
        CHECK(area_of(surface) == Approx(open.area).epsilon(2e-3));  // chords
        CHECK_FALSE(self_intersects(surface));
    }
    const Surface cymbal = surface_of(Cymbal{.radius = 0.2, .height = 0.02, .bell_radius = 0.05, .bell_height = 0.015});
    const Bounds bounds = bounds_of(cymbal.vertices);
    CHECK(bounds.low.y() == Approx(0).epsilon(1).scale(1e-9));
    // The hole takes the top off: ρ²/2R of the bell's sphere.
    const double bell = (square(0.05) + square(0.015)) / (2 * 0.015);
    CHECK(bounds.high.y() == Approx(0.035 - square(0.006) / (2 * bell)).epsilon(1e-3));
    CHECK(bounds.high.x() == Approx(0.2).epsilon(1e-9));
    CHECK(topology_of(cymbal).pieces == 1);
    CHECK(is_closed(Bowl{}));
    CHECK_THROWS_WITH_AS(surface_of(Cymbal{.bell_radius = 0.19}),
                         "cymbal: bell_radius 0.19 m is more than the radius allows; use less than 0.18", Error);
}

TEST_CASE("a wall about a surface: as thick as it is said to be, closed, and outward on both sides") {
    // A ball of radius a, hollow: 4π a² h (1 + h²/12a²).
    const double a = 0.05, h = 0.004;
    const Surface ball = two_sided(surface_of(Sphere{a}), h);
    CHECK(topology_of(ball).closed());
    CHECK(topology_of(ball).pieces == 2);
    CHECK(mass_properties(ball).volume == Approx(4 * pi * square(a) * h).epsilon(2e-3));
    // Around the edge of a can the wall keeps its thickness: sides move along the mean of both normals, farther.
    const Can can{.radius = 0.05, .height = 0.12};
    const Surface tin = two_sided(surface_of(can), h);
    CHECK(topology_of(tin).closed());
    CHECK(topology_of(tin).pieces == 1);
    const Bounds bounds = bounds_of(tin.vertices);
    // One vector serves both sides of the edge, and the triangles there weigh it a little to one: 2 % of half a wall.
    CHECK(std::abs(bounds.high.x() - 0.052) < 0.02 * h / 2);
    CHECK(std::abs(bounds.low.y() + 0.002) < 0.02 * h / 2);
    const auto sizes = [](double r, double height) { return pi * square(r) * height; };
    CHECK(mass_properties(tin).volume == Approx(sizes(0.052, 0.122) - sizes(0.048, 0.118)).epsilon(2e-3));
}

}  // namespace shapes_test
