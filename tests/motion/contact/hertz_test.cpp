#include <clangor/motion/contact/contact.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <complex>

namespace hertz_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material steel{.name = "steel", .density = 7850, .young = 2e11, .poisson = 0.3};
const Material copper{.name = "copper", .density = 8940, .young = 123.4e9, .poisson = 0.34};
const Material rigid{.name = "rigid", .density = 1, .young = 1e30, .poisson = 0};

// A sphere of 5120 triangles: an icosahedron, each face split into four, four times.
Surface icosphere(double radius) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    std::vector<Vec3> points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    std::vector<std::array<int, 3>> faces = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                             {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                             {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                             {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (int level = 0; level < 4; ++level) {
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : faces) {
            const int n = int(points.size());
            points.push_back(points[a] + points[b]);
            points.push_back(points[b] + points[c]);
            points.push_back(points[c] + points[a]);
            finer.insert(finer.end(), {{a, n, n + 2}, {n, b, n + 1}, {n + 2, n + 1, c}, {n, n + 1, n + 2}});
        }
        faces = finer;
        for (Vec3& p : points) p.normalize();
    }
    Surface surface{Points(long(points.size()), 3), Triangles(long(faces.size()), 3)};
    for (size_t i = 0; i < points.size(); ++i)
        surface.vertices.row(long(i)) = radius * points[i].normalized().transpose();
    for (size_t i = 0; i < faces.size(); ++i) surface.faces.row(long(i)) << faces[i][0], faces[i][1], faces[i][2];
    return clean(surface).surface;
}

// m, r and V of a ball that meets another: by the closed form of the theory, with the constant 2.868266 of its own.
double exact_time(double m, double r, double modulus, double speed) {
    return 2.868265699195331 * std::pow(m * m / (r * square(modulus) * speed), 0.2);
}

// One ball's side of a contact, from its mesh alone.
struct Side {
    double inverse_mass, curvature;
};
Side side_of_mesh(const Surface& surface, const Material& material, const Vec3& direction) {
    const MassProperties mass = mass_properties(surface);
    const ClosestPoint hit = ClosestPointQuery(surface)(direction * 10);
    return {inverse_effective_mass(mass.volume * material.density, mass.inertia * material.density,
                                   hit.point - mass.centre, direction),
            curvature_at(surface, mean_curvatures(surface), hit)};
}

}  // namespace

TEST_CASE("Hertz time of two spheres from their meshes of about 5000 faces is within 3 % of the closed form") {
    for (const auto& [a, b] : {std::pair(0.0075, 0.0075), std::pair(0.01, 0.04), std::pair(0.05, 0.002)}) {
        const Surface first = icosphere(a), second = icosphere(b);
        REQUIRE(first.faces.rows() == 5120);
        const double m1 = 4 * pi / 3 * cube(a) * steel.density, m2 = 4 * pi / 3 * cube(b) * copper.density;
        for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0.3, -0.7, 0.2), Vec3(1, 1, 1)}) {
            const Vec3 n = direction.normalized();
            const Side one = side_of_mesh(first, steel, n), two = side_of_mesh(second, copper, -n);
            const HertzContact contact{.inverse_mass = one.inverse_mass + two.inverse_mass,
                                       .curvature = contact_curvature(one.curvature, two.curvature, std::min(a, b)),
                                       .modulus = contact_modulus(steel, copper)};
            const double exact =
                exact_time(1 / (1 / m1 + 1 / m2), 1 / (1 / a + 1 / b), contact_modulus(steel, copper), 1.3);
            CHECK(hertz_time(contact, 1.3) == Approx(exact).epsilon(0.03));
            CHECK(hertz_time(contact, 1.3) ==
                  Approx(exact).epsilon(0.004));  // volume 0.3 % low, curvature 1 %: τ ∝ m^{2/5} r^{-1/5}
        }
    }
}

TEST_CASE("the published ball bearing: a fifth of its Hertz time on a rigid plane at 5 m/s is 7.34 µs") {
    // 7.5 mm, copper's constants [Chadwick2012, Table 1]; 7.3398 µs in high precision with the
    // paper's constant, 2.8683 rounded to 2.87.
    const double mass = 4 * pi / 3 * cube(0.0075) * copper.density;
    const HertzContact contact{
        .inverse_mass = 1 / mass, .curvature = 1 / 0.0075, .modulus = contact_modulus(copper, rigid)};
    CHECK(hertz_time(contact, 5) / 5 * (2.87 / 2.868265699195331) == Approx(7.339779883816424e-6).epsilon(1e-9));
}

TEST_CASE("Hertz's equation of motion, stepped in time, parts after the Hertz time and gives back its momentum") {
    const HertzContact contact{.inverse_mass = 1 / 0.02, .curvature = 1 / 0.008, .modulus = 6e10};
    const double K = 4.0 / 3 * contact.modulus / std::sqrt(contact.curvature), V = 2;
    double delta = 0, speed = V, time = 0;
    const double tau = hertz_time(contact, V), h = tau / 200000;
    while (delta >= 0) {  // leapfrog: second order, so 1e-9 or so
        speed -= h * K * std::pow(std::max(delta, 0.0), 1.5) * contact.inverse_mass;
        delta += h * speed;
        time += h;
    }
    CHECK(time == Approx(tau).epsilon(1e-4));
    CHECK(speed == Approx(-V).epsilon(1e-4));
}

TEST_CASE("a contact's stiffness is the slope of Hertz's force") {
    const HertzContact contact{.inverse_mass = 1, .curvature = 1 / 0.02, .modulus = 5e10};
    const double K = 4.0 / 3 * contact.modulus / std::sqrt(contact.curvature);
    const auto force = [&](double delta) { return K * std::pow(delta, 1.5); };
    const double delta = 3e-7, h = 1e-10;
    CHECK(hertz_stiffness(contact, force(delta)) ==
          Approx((force(delta + h) - force(delta - h)) / (2 * h)).epsilon(1e-6));
    CHECK(hertz_stiffness(contact, 0) == 0);
}

TEST_CASE("a rod struck at its end seems four times lighter than one struck in the middle") {
    // I = ML²/12 about the middle: 1/M + (L/2)²/I = 4/M.
    const double M = 0.3, L = 0.2;
    const Mat3 inertia = Vec3(M * L * L / 12, 1e-9, M * L * L / 12).asDiagonal();
    CHECK(inverse_effective_mass(M, inertia, {0, 0, 0}, {1, 0, 0}) == Approx(1 / M));
    CHECK(inverse_effective_mass(M, inertia, {0, L / 2, 0}, {1, 0, 0}) == Approx(4 / M));
}

TEST_CASE("flat on flat touches like the smaller body's ball, an edge like one of 0.3 mm, a hollow never for ever") {
    CHECK(contact_curvature(0, 0, 0.05) == Approx(20));
    CHECK(contact_curvature(1e6, 0, 0.05) == Approx(1 / 3e-4));
    CHECK(contact_curvature(100, -150, 0.05) == Approx(20));
    CHECK(contact_curvature(100, 50, 0.05) == Approx(150));
}

TEST_CASE(
    "a resting contact damps: not at a node, in proportion while it is weak, and never more than a fiftieth of ω") {
    const double omega = 2 * pi * 1000;
    CHECK(contact_decay_rate(1e6, 0, omega) == 0);
    CHECK(contact_decay_rate(1e3, 0.2, omega) ==
          Approx(2 * contact_decay_rate(1e3, 0.1414213562, omega)).epsilon(1e-3));
    CHECK(contact_decay_rate(1e12, 3, omega) == Approx(0.02 * omega).epsilon(1e-3));
}

TEST_CASE("grains add their whole mass slowly, and each of a row the force that the chain of springs gives") {
    const double k = 2e5, m = 4e-5, omega_c = std::sqrt(k / m);
    for (const double count : {1.0, 2.0, 7.0}) {
        const std::complex<double> slow = added_mass({k, m, count}, 1e-3 * omega_c);
        CHECK(slow.real() == Approx(count * m).epsilon(1e-4));  // (ω/ω_c)² L² of it more
        CHECK(std::abs(slow.imag()) < 1e-6 * m * cube(count));
    }
    // One more at the end of the spring: its inertia and what lies behind it push through k*,
    //     D' = k*(D − mω²)/(k* + D − mω²),     D = −Mω²,     D = 0 of none.
    const std::complex<double> spring(k, 0.5 * k);
    for (const double part : {0.3, 0.9, 1.0, 2.5}) {
        const double omega = part * omega_c;
        std::complex<double> force = 0;
        for (int count = 1; count <= 40; ++count) {
            const std::complex<double> behind = force - m * square(omega);
            force = spring * behind / (spring + behind);
            const std::complex<double> mass = added_mass({k, m, double(count)}, omega);
            CHECK(std::abs(mass + force / square(omega)) < 1e-9 * std::abs(mass));
            CHECK(mass.imag() < 0);
        }
    }
    // No more than 3 % of what it is, and less than a fifth, where one pins its place.
    CHECK(std::abs(mode_load({0.05, 0}, 1)) == Approx(0.05).epsilon(0.035));
    CHECK(std::abs(mode_load({50, -50}, 1)) < 0.2);
    CHECK(loaded_mode({0, 0}).omega == 1);
    CHECK(loaded_mode({0, 0}).xi == 0);
    CHECK(loaded_mode({1e-3, -2e-4}).omega == Approx(1 - 5e-4).epsilon(1e-6));
    CHECK(loaded_mode({1e-3, -2e-4}).xi == Approx(1e-4).epsilon(2e-3));
}

}  // namespace hertz_test
