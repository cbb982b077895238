// Monopoles and dipoles against closed forms.
#include <clangor/radiation/compact/compact.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include "bodies.hpp"

#include <cmath>

namespace compact_sources_test {

using namespace clangor;
using test::disc_skin;
using test::mapped;
using test::shapes_of;
using test::sphere_skin;

namespace {

const auto breathing = [](const Vec3& y) { return Vec3(y.normalized()); };
const auto along_x = [](const Vec3&) { return Vec3(1, 0, 0); };
const auto along_z = [](const Vec3&) { return Vec3(0, 0, 1); };

Multipoles multipoles(const Skin& skin, const std::vector<std::function<Vec3(const Vec3&)>>& fields,
                      const CompactOptions& options = {.max_unknowns = 700}) {
    return multipoles_of(compact_sources(skin, shapes_of(skin, fields), options));
}

// An ellipsoid's translation is opposed by the volume V α/(2 − α), α = abc ∫₀^∞ dλ / ((a² + λ)√((a²+λ)(b²+λ)(c²+λ)))
// [Lamb1932, §114], so D = V + Vα/(2 − α). With s = λ/(1+λ) the midpoint rule
// converges fast.
double ellipsoid_dipole(double a, double b, double c) {
    constexpr int steps = 20000;
    double alpha = 0;
    for (int i = 0; i < steps; ++i) {
        const double s = (i + 0.5) / steps;
        const double lambda = s / (1 - s);
        const double delta = std::sqrt((a * a + lambda) * (b * b + lambda) * (c * c + lambda));
        alpha += a * b * c / ((a * a + lambda) * delta) / square(1 - s) / steps;
    }
    const double volume = 4 * pi / 3 * a * b * c;
    return volume * (1 + alpha / (2 - alpha));
}

}  // namespace

TEST_CASE("a breathing sphere has S = 4πa², a translating one D = 2πa³") {
    for (const int face_nodes : {3, 6}) {
        const double a = 0.05;
        const Skin skin = sphere_skin(a, face_nodes == 3 ? 4 : 2, face_nodes);
        const Multipoles m = multipoles(skin, {breathing, along_x});
        // 5120 flat faces enclose 0.65 % too little, 320 quadratic ones 0.03 %.
        CHECK(m.monopole[0] == clangor::test::Approx(4 * pi * a * a).epsilon(0.005));
        CHECK(m.dipole(1, 0) == clangor::test::Approx(2 * pi * cube(a)).epsilon(0.005));
        // Symmetry: no dipole when breathing, no monopole when translating.
        CHECK(m.dipole.row(0).norm() < 1e-5 * 2 * pi * cube(a));
        CHECK(std::abs(m.monopole[1]) < 1e-6 * 4 * pi * a * a);
        CHECK(m.dipole.row(1).tail<2>().norm() < 1e-5 * 2 * pi * cube(a));
    }
}

TEST_CASE("a translating sphere's dipole converges with the square of the mesh size") {
    const auto error = [](int levels) {
        return std::abs(multipoles(sphere_skin(1, levels, 3), {along_z}).dipole(0, 2) / (2 * pi) - 1);
    };
    CHECK(std::log2(error(1) / error(2)) > 1.8);
    CHECK(std::log2(error(2) / error(3)) > 1.8);
}

TEST_CASE("translating spheroids have the added mass of potential flow") {
    for (const double stretch : {0.3, 0.6, 3.0}) {
        const Skin skin =
            mapped(sphere_skin(1, 2, 6), [&](const Vec3& y) { return Vec3(y.x(), y.y(), stretch * y.z()); });
        const Multipoles m = multipoles(skin, {along_x, along_z});
        // 1 %: 320 quadratic faces, the potential taken as linear on a quarter of each.
        CHECK(m.dipole(0, 0) == clangor::test::Approx(ellipsoid_dipole(1, 1, stretch)).epsilon(0.01));
        CHECK(m.dipole(1, 2) == clangor::test::Approx(ellipsoid_dipole(stretch, 1, 1)).epsilon(0.01));
    }
}

TEST_CASE("a thin disc moving broadside has the dipole 8a³/3, edge-on only its volume") {
    const double a = 1.0;
    const double thickness = 0.02;
    const Skin skin = disc_skin(a, thickness, 24, 96);
    const Multipoles m = multipoles(skin, {along_x, along_z}, {.max_unknowns = 2000});
    // The limit of zero thickness. A plate that is 2 % of the radius thick has about 3 % more, and elements three
    // times as long as the plate is thick lose as much.
    CHECK(m.dipole(1, 2) == clangor::test::Approx(8.0 / 3 * cube(a)).epsilon(0.04));
    CHECK(m.dipole(0, 0) == clangor::test::Approx(pi * a * a * thickness).epsilon(0.03));
}

TEST_CASE("fewer unknowns than nodes change the dipole little") {
    const Skin ball = sphere_skin(1, 3, 3);  // 642 nodes
    CHECK(multipoles(ball, {along_z}, {.max_unknowns = 150}).dipole(0, 2) ==
          clangor::test::Approx(multipoles(ball, {along_z}, {.max_unknowns = 1200}).dipole(0, 2)).epsilon(0.002));
    // 5 %: the flow round the rim goes as the root of the distance, which 0.1a between unknowns resolves poorly.
    const Skin disc = disc_skin(1, 0.1, 12, 48);  // 1154 nodes
    CHECK(multipoles(disc, {along_z}, {.max_unknowns = 500}).dipole(0, 2) ==
          clangor::test::Approx(multipoles(disc, {along_z}, {.max_unknowns = 1200}).dipole(0, 2)).epsilon(0.05));
}

TEST_CASE("the wall of a void inside the body makes no sound") {
    const Skin outer = sphere_skin(1, 2, 6);
    Skin hollow = outer;
    const long n = outer.nodes.rows();
    hollow.nodes.conservativeResize(2 * n, Eigen::NoChange);
    hollow.nodes.bottomRows(n) = 0.6 * outer.nodes;
    hollow.faces.conservativeResize(2 * outer.faces.rows(), Eigen::NoChange);
    const int flipped[6] = {0, 2, 1, 5, 4, 3};  // the other way round, middles 02 21 10
    for (long f = 0; f < outer.faces.rows(); ++f)
        for (int i = 0; i < 6; ++i)
            hollow.faces(outer.faces.rows() + f, i) = outer.faces(f, flipped[i]) + static_cast<int>(n);

    const CompactSources plain = compact_sources(outer, shapes_of(outer, {breathing, along_x}), {.max_unknowns = 700});
    const CompactSources with_void =
        compact_sources(hollow, shapes_of(hollow, {breathing, along_x}), {.max_unknowns = 700});
    CHECK(with_void.positions == plain.positions);
    CHECK(with_void.strengths == plain.strengths);
    CHECK(with_void.radius == plain.radius);
}

TEST_CASE("sources are the same bytes on one thread and on two") {
    const Skin skin = disc_skin(1, 0.1, 10, 40);
    const Eigen::MatrixXd shapes = shapes_of(skin, {along_x, breathing});
    const int threads = thread_count();
    set_thread_count(1);
    const CompactSources one = compact_sources(skin, shapes, {.max_unknowns = 500});
    set_thread_count(2);
    const CompactSources two = compact_sources(skin, shapes, {.max_unknowns = 500});
    set_thread_count(threads);
    CHECK(one.positions == two.positions);
    CHECK(one.strengths == two.strengths);
}

TEST_CASE("the dipole of a body without symmetry is a symmetric tensor, larger than its volume") {
    // Green's identity for χ_i and χ_j: ∮ χ_i n_j dS = ∮ χ_j n_i dS. And −∮ χ_i n_i dS is twice a kinetic energy.
    const Skin body = mapped(sphere_skin(1, 2, 6), [](const Vec3& y) {
        return Vec3(y.x() + 0.3 * y.y() * y.y(), 0.7 * y.y() - 0.2 * y.x(), y.z() + 0.4 * y.x() * y.z() + 0.3 * y.y());
    });
    const Multipoles m = multipoles(body, {along_x, [](const Vec3&) { return Vec3(0, 1, 0); }, along_z});
    const Mat3 D = m.dipole;
    const double asymmetry = (D - D.transpose()).norm() / D.norm();
    CHECK(asymmetry < 2e-3);                     // of the order of the mesh's error
    CHECK(std::abs(D(1, 2)) > 0.02 * D.norm());  // and not because it were diagonal
    const double volume = multipoles(body, {[](const Vec3& y) { return Vec3(y / 3); }}).monopole[0];  // 3V = ∮ y·n dS
    for (int i = 0; i < 3; ++i) CHECK(D(i, i) > volume);
}

}  // namespace compact_sources_test
