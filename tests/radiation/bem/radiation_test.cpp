#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

#include "bodies.hpp"

namespace radiation_test {

using namespace clangor;
using Complex = std::complex<double>;

namespace {

struct Errors {
    double field = 0, surface = 0;
};

// ∂p/∂n = P_n(cos θ) on a ball of radius 1.
Errors multipole_errors(int levels, int n, double k, const BemOptions& options = {}) {
    const Surface ball = test::ball(1.0, levels);
    const Eigen::VectorXcd q = test::legendre_means(ball, n), on_surface = q * test::exact_multipole(n, k, 1, 1);
    const BemSolution sound = solve_radiation(ball, q, k, options);
    const Points points = test::points_around(1.0, 300);
    Eigen::VectorXcd exact(points.rows());
    for (long i = 0; i < points.rows(); ++i) {
        const double r = points.row(i).norm();
        exact[i] = test::legendre(n, points(i, 2) / r) * test::exact_multipole(n, k, 1, r);
    }
    return {test::relative_error(pressure_at(sound, points), exact), test::relative_error(sound.pressure, on_surface)};
}

// A plate that moves to and fro as a whole.
Eigen::VectorXcd broadside(const Surface& surface) {
    Eigen::VectorXcd q(surface.faces.rows());
    for (long f = 0; f < q.size(); ++f) q[f] = -test::area_vector(surface, f).normalized().z();
    return q;
}

}  // namespace

TEST_CASE("multipoles of a ball, from long waves to eight elements a wavelength, within 1 %") {
    const auto check = [](int levels, int n, double k) {
        CAPTURE(n);
        CAPTURE(k);
        const Errors errors = multipole_errors(levels, n, k);
        CHECK(errors.field < 0.01);
        CHECK(errors.surface < 0.01);
    };
    // 320 faces, of which a wave around the ball for n = 2 has 12: 0.2 to 0.6 %.
    for (const double k : {0.1, 1.0, 2.5})
        for (const int n : {0, 1, 2}) check(2, n, k);
    // 1280 faces: 0.1 to 0.4 %.
    check(3, 3, 0.1);
    check(3, 4, 5.0);
}

TEST_CASE("resonances of the air that would fill the ball are not heard outside") {
    // At ka = π (n = 0) and 4.4934 (n = 1) the equation without η W has no unique solution, and constant elements are
    // 47 % off.
    for (const auto& [n, k] : {std::pair{0, pi}, {1, 4.493409457909064}}) {
        const Errors errors = multipole_errors(3, n, k);
        CHECK(errors.field < 0.002);  // 0.1 %: the flat faces' area
        CHECK(errors.surface < 0.002);
    }
}

TEST_CASE("the error falls with the square of the edges' length") {
    const Errors coarse = multipole_errors(1, 1, 1.5), fine = multipole_errors(3, 1, 1.5);
    // Two halvings: 16 for order 2; single precision and the tolerance of the solution are far below.
    CHECK(coarse.surface / fine.surface == clangor::test::Approx(16).epsilon(0.2));
    CHECK(coarse.field / fine.field == clangor::test::Approx(16).epsilon(0.2));
}

TEST_CASE("what leaves the surface arrives far away") {
    // ∫ Im(p q*) dS = k ∮ |p|² r² dΩ: the power, on a body without symmetry.
    Surface body = test::plate(1.0, 0.3, 6);
    for (long v = 0; v < body.vertices.rows(); ++v) body.vertices(v, 2) += 0.3 * square(body.vertices(v, 0) + 0.2);
    Eigen::VectorXcd q(body.faces.rows());
    for (long f = 0; f < q.size(); ++f) {
        const Vec3 c = test::centroid(body, f);
        q[f] = Complex(1 + c.x(), 2 * c.y() * c.z());
    }
    const double k = 3, r = 50;
    const BemSolution sound = solve_radiation(body, q, k);
    double power = 0;
    for (long f = 0; f < q.size(); ++f)
        power += (sound.pressure[f] * std::conj(q[f])).imag() * test::area_vector(body, f).norm();
    // Rings of equal height and equal steps around: the field is smooth, 40 × 40 err by 1e-3 at most.
    constexpr int rings = 40;
    Points far(rings * rings, 3);
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < rings; ++j) {
            const double z = (2 * i + 1.0) / rings - 1, flat = std::sqrt(1 - z * z), angle = 2 * pi * j / rings;
            far.row(i * rings + j) << r * flat * std::cos(angle), r * flat * std::sin(angle), r * z;
        }
    const double arrives = k * r * r * 4 * pi * pressure_at(sound, far).squaredNorm() / far.rows();
    CHECK(power == clangor::test::Approx(arrives).epsilon(0.005));  // 12 elements a wavelength
}

TEST_CASE("far away the phase is that of the exact wave, whatever the distance") {
    const Surface ball = test::ball(0.05, 2);
    const BemSolution sound = solve_radiation(ball, Eigen::VectorXcd::Ones(ball.faces.rows()), 20.0);
    Points points(2, 3);
    points << 0, 0, 100, 3000, 0, 0;
    const Eigen::VectorXcd p = pressure_at(sound, points);
    // The same relative error at both: no digits are lost to k r = 6e4.
    const Complex near = p[0] / test::exact_multipole(0, 20, 0.05, 100),
                  far = p[1] / test::exact_multipole(0, 20, 0.05, 3000);
    CHECK(std::abs(near - far) < 1e-5);
    CHECK(std::abs(near - 1.0) < 0.005);
}

TEST_CASE("pressure outside joins the pressure on the surface, however near") {
    const Surface ball = test::ball(1.0, 2);
    Eigen::VectorXcd q(ball.faces.rows());
    for (long f = 0; f < q.size(); ++f) q[f] = test::centroid(ball, f).normalized().z();
    const BemSolution sound = solve_radiation(ball, q, 1.0);
    for (const double gap : {1e-6, 1e-3, 1e-2}) {
        Points points(ball.faces.rows(), 3);
        for (long f = 0; f < q.size(); ++f)
            points.row(f) = test::centroid(ball, f) + gap * test::area_vector(ball, f).normalized();
        // The gradient is 1 at most, so the pressure changes by the gap; 0.5 %: the error of the equation between its
        // nodes.
        const double scale = sound.pressure.cwiseAbs().maxCoeff();
        CHECK((pressure_at(sound, points) - sound.pressure).cwiseAbs().maxCoeff() < 2 * gap + 0.01 * scale);
    }
}

TEST_CASE("a plate much thinner than its elements: as a finer mesh says") {
    for (const double k : {0.1, 30.0}) {  // kR = 0.007 and 2.1
        const Points points = test::points_around(0.07, 100);
        const auto sound_of = [&](int cells) {
            const Surface plate = test::plate(0.1, 0.003, cells);
            return pressure_at(solve_radiation(plate, broadside(plate), k), points);
        };
        // 12 mm elements against 6 mm ones. The edge, where the pressure has a root, converges with the first order:
        // 1.2 % and 0.5 % from the limit. Errors of the integrals over the gap would be tens of per cent.
        CHECK(test::relative_error(sound_of(8), sound_of(16)) < 0.012);
    }
}

TEST_CASE("a rigid disc carries the added mass 8/3 ρ a³ as a sheet without thickness") {
    const auto total = [](int rings) {
        const Surface disc = test::disc(1.0, rings);
        // q = −ρA with ρA = 1: ∫ μ dS = 8/3.
        const BemSolution sound = solve_radiation(disc, Eigen::VectorXcd::Constant(disc.faces.rows(), -1.0), 0.01);
        CHECK(sound.open);
        Complex sum = 0;
        for (long f = 0; f < disc.faces.rows(); ++f) sum += sound.pressure[f] * test::area_vector(disc, f).norm();
        return sum;
    };
    const double coarse = 1 - total(6).real() / (8.0 / 3), fine = 1 - total(12).real() / (8.0 / 3);
    CHECK(std::abs(fine) < 0.035);                                  // the root at the rim costs 0.36 edges
    CHECK(coarse / fine == clangor::test::Approx(2).epsilon(0.1));  // first order
}

TEST_CASE("a sheet sounds like a thin closed body of the same shape") {
    const double k = 2;
    const Points points = test::points_around(0.7, 100);
    const Surface closed = test::plate(1.0, 0.01, 16);
    Surface sheet = closed;  // its upper side
    std::vector<int> upper;
    for (int f = 0; f < closed.faces.rows(); ++f)
        if (test::area_vector(closed, f).normalized().z() > 0.9) upper.push_back(f);
    sheet.faces = Triangles(closed.faces(upper, Eigen::all));
    const Eigen::VectorXcd of_closed = pressure_at(solve_radiation(closed, broadside(closed), k), points);
    const Eigen::VectorXcd of_sheet = pressure_at(solve_radiation(sheet, broadside(sheet), k), points);
    // The thickness adds 2.5 %, and the sheet is 0.36 edges of 1/16 smaller all around: 7 %.
    CHECK(test::relative_error(of_sheet, of_closed) < 0.1);
}

TEST_CASE("thin far blocks give the same sound, and so does any number of threads") {
    const Surface ball = test::ball(1.0, 3);
    Eigen::VectorXcd q(ball.faces.rows());
    for (long f = 0; f < q.size(); ++f) q[f] = Complex(test::centroid(ball, f).x(), test::centroid(ball, f).y());
    const BemSolution dense = solve_radiation(ball, q, 4.0, {.method = BemMethod::Dense});
    const int threads = thread_count();
    set_thread_count(1);
    const BemSolution alone = solve_radiation(ball, q, 4.0, {.method = BemMethod::Hierarchical});
    const Points points = test::points_around(1.0, 40);
    const Eigen::VectorXcd heard_alone = pressure_at(alone, points);
    set_thread_count(3);
    const BemSolution together = solve_radiation(ball, q, 4.0, {.method = BemMethod::Hierarchical});
    CHECK(alone.vertex_pressure == together.vertex_pressure);
    CHECK(heard_alone == pressure_at(together, points));
    set_thread_count(threads);
    CHECK(alone.method == "hierarchical GMRES");
    CHECK(alone.residual < 1e-4);
    CHECK(test::relative_error(alone.pressure, dense.pressure) < 3e-4);  // twice the tolerance, and that of the blocks
}

TEST_CASE("the wall of a void is not heard, and bodies may be several") {
    const Surface outer = test::ball(1.0, 2), inner = test::ball(0.5, 1);
    const Surface hollow = test::joined(outer, test::inside_out(inner));
    const BemSolution full = solve_radiation(outer, Eigen::VectorXcd::Ones(outer.faces.rows()), 1.0);
    const BemSolution sound = solve_radiation(hollow, Eigen::VectorXcd::Ones(hollow.faces.rows()), 1.0);
    const Points points = test::points_around(1.0, 20);
    CHECK(test::relative_error(pressure_at(sound, points), pressure_at(full, points)) < 1e-5);
    REQUIRE(sound.warnings.size() == 1);
    CHECK(sound.warnings[0].find("closed voids") != std::string::npos);

    // Two balls far apart: each as if alone, but for the other's sound, 1/20 of its own at the surface.
    Surface away = outer;
    away.vertices.col(0).array() += 20;
    const Surface two = test::joined(outer, away);
    Eigen::VectorXcd q = Eigen::VectorXcd::Zero(two.faces.rows());
    q.head(outer.faces.rows()).setOnes();
    const BemSolution both = solve_radiation(two, q, 1.0);
    CHECK(test::relative_error(both.pressure.head(outer.faces.rows()), full.pressure) < 0.01);
    CHECK(both.pressure.tail(outer.faces.rows()).cwiseAbs().mean() ==
          clangor::test::Approx(std::abs(test::exact_multipole(0, 1, 1, 20))).epsilon(0.15));
}

TEST_CASE("too few elements a wavelength is a warning") {
    const Surface ball = test::ball(1.0, 1);
    const BemSolution sound = solve_radiation(ball, Eigen::VectorXcd::Ones(ball.faces.rows()), 5.0);
    REQUIRE(sound.warnings.size() == 1);
    CHECK(sound.warnings[0].find("elements a wavelength") != std::string::npos);
    CHECK(solve_radiation(ball, Eigen::VectorXcd::Ones(ball.faces.rows()), 0.5).warnings.empty());
}

TEST_CASE("what cannot be solved is refused, with the reason") {
    const Surface ball = test::ball(1.0, 1);
    const Eigen::VectorXcd ones = Eigen::VectorXcd::Ones(ball.faces.rows());
    const auto message_of = [](const Surface& surface, const Eigen::VectorXcd& q, double k,
                               const BemOptions& options = {}) {
        try {
            solve_radiation(surface, q, k, options);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto contains = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };

    CHECK(contains(message_of(ball, ones.head(3), 1), "3 entries"));
    CHECK(contains(message_of(ball, ones, 0), "wave number"));
    CHECK(contains(message_of(ball, ones, std::nan("")), "wave number"));
    Eigen::VectorXcd bad = ones;
    bad[7] = std::nan("");
    CHECK(contains(message_of(ball, bad, 1), "not finite"));
    CHECK(contains(message_of({}, {}, 1), "no faces"));
    Surface broken = ball;
    broken.vertices(3, 1) = std::nan("");
    CHECK(contains(message_of(broken, ones, 1), "not finite"));
    broken = ball;
    broken.faces(5, 0) = 1000;
    CHECK(contains(message_of(broken, ones, 1), "does not exist"));
    broken = ball;
    broken.faces(5, 0) = broken.faces(5, 1);
    CHECK(contains(message_of(broken, ones, 1), "face 5"));
    CHECK(contains(message_of(test::inside_out(ball), ones, 1), "faces inward"));
    broken = ball;
    std::swap(broken.faces(5, 0), broken.faces(5, 1));
    CHECK(contains(message_of(broken, ones, 1), "wound against each other"));

    const Surface mixed = test::joined(ball, test::disc(0.2, 3));
    CHECK(contains(message_of(mixed, Eigen::VectorXcd::Ones(mixed.faces.rows()), 1), "open sheets (54 faces) beside"));
    const Surface triangle = test::disc(1.0, 1);
    Surface single = triangle;
    single.faces = Triangles(triangle.faces.topRows(1));
    CHECK(contains(message_of(single, Eigen::VectorXcd::Ones(1), 1), "lies on its rim"));

    // 42 unknowns need 42² numbers of 8 bytes, twice.
    CHECK(contains(message_of(ball, ones, 1, {.method = BemMethod::Dense, .memory_limit = 1000}), "needs about"));
    Points nowhere(1, 3);
    nowhere << 0, std::nan(""), 0;
    CHECK_THROWS_AS(pressure_at(solve_radiation(ball, ones, 1), nowhere), Error);
}

TEST_CASE("where GMRES stalls, a direct solution takes over if it fits, and an error says so otherwise") {
    const Surface ball = test::ball(1.0, 3);
    const Eigen::VectorXcd q = Eigen::VectorXcd::Ones(ball.faces.rows());
    const BemSolution sound = solve_radiation(ball, q, 4.0, {.method = BemMethod::Hierarchical, .max_iterations = 2});
    CHECK(sound.method == "dense LU");
    CHECK(sound.residual < 1e-4);
    REQUIRE(sound.warnings.size() == 1);
    CHECK(sound.warnings[0].find("solved directly") != std::string::npos);
    // 642 unknowns: about 3 MB for the matrix, 6.6 MB for the direct solution.
    try {
        solve_radiation(ball, q, 4.0,
                        {.method = BemMethod::Hierarchical, .max_iterations = 2, .memory_limit = 8'000'000});
        FAIL("there is no room");
    } catch (const Error& error) {
        CHECK(error.blame() == Blame::Work);
        CHECK(std::string(error.what()).find("were not solved") != std::string::npos);
    }
}

}  // namespace radiation_test
