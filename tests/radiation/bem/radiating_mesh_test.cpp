// Meshes for radiation: the same shape, the same flux, fewer or more faces.
#include <clangor/radiation/bem/bem.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace radiating_mesh_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

Vec3 corner(const Surface& s, int face, int k) { return s.vertices.row(s.faces(face, k)); }
Vec3 middle(const Surface& s, int face) { return (corner(s, face, 0) + corner(s, face, 1) + corner(s, face, 2)) / 3; }
Vec3 area_vector(const Surface& s, int face) {
    return (corner(s, face, 1) - corner(s, face, 0)).cross(corner(s, face, 2) - corner(s, face, 0)) / 2;
}

/// Flux n·u dA of each face for a motion u(x).
Eigen::VectorXd fluxes_of(const Surface& s, const std::function<Vec3(const Vec3&)>& motion) {
    Eigen::VectorXd fluxes(s.faces.rows());
    for (int f = 0; f < s.faces.rows(); ++f) fluxes[f] = area_vector(s, f).dot(motion(middle(s, f)));
    return fluxes;
}

/// ∫ q dS and ∫ x q dS of a density on the faces.
struct Moments {
    double total = 0;
    Vec3 first = Vec3::Zero();
};
Moments moments_of(const Surface& s, const Eigen::VectorXd& density) {
    Moments m;
    for (int f = 0; f < s.faces.rows(); ++f) {
        const double flux = density[f] * area_vector(s, f).norm();
        m.total += flux;
        m.first += flux * middle(s, f);
    }
    return m;
}
Eigen::VectorXd areas_of(const Surface& s) {
    Eigen::VectorXd areas(s.faces.rows());
    for (int f = 0; f < s.faces.rows(); ++f) areas[f] = area_vector(s, f).norm();
    return areas;
}

double longest_edge(const Surface& s) {
    double longest = 0;
    for (int f = 0; f < s.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) longest = std::max(longest, (corner(s, f, k) - corner(s, f, (k + 1) % 3)).norm());
    return longest;
}

/// The least angle that all but a part of the faces reach [degrees].
double least_angle_deg(const Surface& s, double without_part = 0) {
    std::vector<double> angles;
    for (int f = 0; f < s.faces.rows(); ++f) {
        double least = 180;
        for (int k = 0; k < 3; ++k) {
            const Vec3 u = corner(s, f, (k + 1) % 3) - corner(s, f, k), v = corner(s, f, (k + 2) % 3) - corner(s, f, k);
            least = std::min(least, std::atan2(u.cross(v).norm(), u.dot(v)) * 180 / pi);
        }
        angles.push_back(least);
    }
    std::sort(angles.begin(), angles.end());
    return angles[static_cast<std::size_t>(without_part * static_cast<double>(angles.size()))];
}

/// A flat disc in the plane y = 0: rings of triangles, one sheet.
Surface disc(double radius, int rings, int sectors) {
    Surface s{Points(1 + rings * sectors, 3), Triangles((2 * rings - 1) * sectors, 3)};
    s.vertices.row(0).setZero();
    const auto at = [&](int ring, int sector) { return 1 + (ring - 1) * sectors + sector % sectors; };
    int row = 0;
    for (int i = 1; i <= rings; ++i)
        for (int j = 0; j < sectors; ++j) {
            const double r = radius * i / rings, phi = 2 * pi * j / sectors;
            s.vertices.row(at(i, j)) << r * std::sin(phi), 0, r * std::cos(phi);
            if (i == 1) {
                s.faces.row(row++) << 0, at(1, j), at(1, j + 1);
                continue;
            }
            s.faces.row(row++) << at(i - 1, j), at(i, j), at(i, j + 1);
            s.faces.row(row++) << at(i - 1, j), at(i, j + 1), at(i - 1, j + 1);
        }
    return s;
}

}  // namespace

TEST_CASE("a ball of 20480 faces becomes one of about 1200 that encloses as much and carries the same flux") {
    const double a = 0.05, edge = a / 6;
    const Surface given = surface_of(Sphere{.radius = a});
    const RadiatingMesh mesh = radiating_mesh(given, edge);
    // 4πa² over equilateral triangles of edge a/6 is 1045; edges end between 0.8 and 1.3 of the target.
    CHECK(mesh.surface.faces.rows() > 700);
    CHECK(mesh.surface.faces.rows() < 1500);
    CHECK(topology_of(mesh.surface).closed());
    CHECK(longest_edge(mesh.surface) < 1.4 * edge);
    CHECK(least_angle_deg(mesh.surface) > 25);
    // An inscribed mesh would lack 3/8 (edge/a)² = 1 %; faces that run through the given ones lack far less.
    CHECK(mass_properties(mesh.surface).volume == Approx(mass_properties(given).volume).epsilon(0.001));

    const Eigen::VectorXd along_x = fluxes_of(given, [](const Vec3&) { return Vec3(1, 0, 0); });
    const Eigen::VectorXd breathing = fluxes_of(given, [](const Vec3& x) { return Vec3(x.normalized()); });
    const double area = breathing.sum();
    // Exact but for rounding in sums over 20480 faces.
    CHECK(moments_of(mesh.surface, mean_on(mesh, breathing)).total == Approx(area).epsilon(1e-12));
    CHECK(std::abs(moments_of(mesh.surface, mean_on(mesh, along_x)).total) < 1e-12 * area);
    // ∫ x n_x dS is the volume. Constant on each face, (edge/a)²/24 ≈ 0.1 % of a linear density is lost, and as much
    // again because the middle of a face lies inside.
    CHECK(moments_of(mesh.surface, mean_on(mesh, along_x)).first.x() ==
          Approx(mass_properties(given).volume).epsilon(0.004));
}

TEST_CASE("both sides of a 3 mm wall stay apart under edges of 15 mm, and each keeps its own flux") {
    const Surface given = surface_of(Bowl{.radius = 0.08, .depth = 0.05, .thickness = 0.003});
    const RadiatingMesh mesh = radiating_mesh(given, 0.015);
    CHECK(mesh.surface.faces.rows() < given.faces.rows() / 8);
    CHECK(topology_of(mesh.surface).closed());
    CHECK(topology_of(mesh.surface).pieces == 1);
    CHECK_FALSE(self_intersects(mesh.surface));
    CHECK(mass_properties(mesh.surface).volume == Approx(mass_properties(given).volume).epsilon(0.01));
    CHECK(longest_edge(mesh.surface) < 1.4 * 0.015);
    CHECK(least_angle_deg(mesh.surface) > 10);

    // The wall is a piece of a hollow ball about (0, R, 0): every face is nearer to its own side than to the wall's
    // middle.
    const double R = (square(0.08) + square(0.05)) / (2 * 0.05);
    const Vec3 centre(0, R, 0);
    const Eigen::VectorXd q = mean_on(mesh, fluxes_of(given, [](const Vec3&) { return Vec3(0, 1, 0); }));
    int crossed = 0;
    double flux_error = 0;
    for (int f = 0; f < mesh.surface.faces.rows(); ++f) {
        const Vec3 n = area_vector(mesh.surface, f).normalized();
        const Vec3 out = (middle(mesh.surface, f) - centre).normalized();
        const double r = (middle(mesh.surface, f) - centre).norm();
        if (n.dot(out) > 0.7) crossed += r < R;
        if (n.dot(out) < -0.7) crossed += r > R;
        flux_error = std::max(flux_error, std::abs(q[f] - n.y()));
    }
    CHECK(crossed == 0);
    // Flux of the wrong side would change q by 2; patches that fall just across a border by a tenth.
    CHECK(flux_error < 0.3);
}

TEST_CASE("a wall of one millimetre keeps its volume however long the edges may be") {
    const Surface given = surface_of(Bowl{.thickness = 0.001});
    const RadiatingMesh mesh = radiating_mesh(given, 0.03);
    CHECK(topology_of(mesh.surface).closed());
    CHECK_FALSE(self_intersects(mesh.surface));
    CHECK(mass_properties(mesh.surface).volume == Approx(mass_properties(given).volume).epsilon(0.02));
}

TEST_CASE("a box of 12 faces is refined, keeps its edges and spreads the flux of each face evenly") {
    const Surface given = surface_of(Box{.size = {0.1, 0.06, 0.04}});
    REQUIRE(given.faces.rows() == 12);
    const RadiatingMesh mesh = radiating_mesh(given, 0.01);
    CHECK(topology_of(mesh.surface).closed());
    CHECK(longest_edge(mesh.surface) < 1.4 * 0.01);
    // Flat faces and straight edges are kept to rounding.
    CHECK(mass_properties(mesh.surface).volume == Approx(0.1 * 0.06 * 0.04).epsilon(1e-9));
    CHECK(area_of(mesh.surface) == Approx(area_of(given)).epsilon(1e-9));
    const Eigen::VectorXd one = mean_on(mesh, areas_of(given));
    CHECK(one.minCoeff() > 0.8);  // 100 patches a face, of which a tenth lie next to a border
    CHECK(one.maxCoeff() < 1.2);
    CHECK(moments_of(mesh.surface, one).total == Approx(area_of(given)).epsilon(1e-12));
}

TEST_CASE("the rim of a sheet stays where it is") {
    const double a = 0.1;
    const Surface given = disc(a, 40, 160);
    const RadiatingMesh mesh = radiating_mesh(given, a / 6);
    CHECK(mesh.surface.faces.rows() < given.faces.rows() / 20);
    CHECK(topology_of(mesh.surface).open_edges >= 24);
    CHECK(topology_of(mesh.surface).nonmanifold_edges == 0);
    CHECK(mesh.surface.vertices.col(1).cwiseAbs().maxCoeff() < 1e-12);
    // A polygon of edges l in a circle lacks l²/(6a²) of its area: 0.8 % for edges of 1.3 · a/6.
    CHECK(area_of(mesh.surface) == Approx(area_of(given)).epsilon(0.01));
    const Eigen::VectorXd q = mean_on(mesh, fluxes_of(given, [](const Vec3&) { return Vec3(0, 1, 0); }));
    CHECK(moments_of(mesh.surface, q).total == Approx(area_of(given)).epsilon(1e-12));
    CHECK(q.minCoeff() > 0.8);
}

TEST_CASE("two tines with a narrow gap stay two tines") {
    const Surface given = surface_of(TuningFork{});
    const RadiatingMesh mesh = radiating_mesh(given, 0.011);
    CHECK(topology_of(mesh.surface).closed());
    CHECK_FALSE(self_intersects(mesh.surface));
    CHECK(mass_properties(mesh.surface).volume == Approx(mass_properties(given).volume).epsilon(0.01));
}

TEST_CASE("a surface that cuts itself is refined only, and its flux kept") {
    const Surface box = surface_of(Box{});
    Surface given = box;  // two boxes, one shifted by a third into the other
    given.vertices.conservativeResize(2 * box.vertices.rows(), 3);
    given.vertices.bottomRows(box.vertices.rows()) = box.vertices.array() + 0.033;
    given.faces.conservativeResize(2 * box.faces.rows(), 3);
    given.faces.bottomRows(box.faces.rows()) = box.faces.array() + static_cast<int>(box.vertices.rows());
    const RadiatingMesh mesh = radiating_mesh(given, 0.03);
    CHECK(topology_of(mesh.surface).closed());
    CHECK(longest_edge(mesh.surface) < 1.4 * 0.03);
    CHECK(area_of(mesh.surface) == Approx(area_of(given)).epsilon(1e-9));
    CHECK(moments_of(mesh.surface, mean_on(mesh, areas_of(given))).total == Approx(area_of(given)).epsilon(1e-12));
}

TEST_CASE("a face without area leaves no trace, and a given flux on it is not lost") {
    Surface given = surface_of(Box{});
    const long faces = given.faces.rows();
    given.faces.conservativeResize(faces + 1, 3);
    given.faces.row(faces) << given.faces(0, 0), given.faces(0, 1), given.faces(0, 1);
    const RadiatingMesh mesh = radiating_mesh(given, 0.02);
    CHECK(topology_of(mesh.surface).closed());
    CHECK(least_angle_deg(mesh.surface) > 25);
    const Eigen::VectorXd fluxes = Eigen::VectorXd::Ones(faces + 1);
    CHECK(moments_of(mesh.surface, mean_on(mesh, fluxes)).total == Approx(fluxes.sum()).epsilon(1e-12));
}

TEST_CASE("the radiating mesh is the same bytes on one thread and on two") {
    const Surface given = surface_of(TuningFork{});
    const int threads = thread_count();
    set_thread_count(1);
    const RadiatingMesh one = radiating_mesh(given, 0.012);
    set_thread_count(2);
    const RadiatingMesh two = radiating_mesh(given, 0.012);
    set_thread_count(threads);
    CHECK(one.surface.vertices == two.surface.vertices);
    CHECK(one.surface.faces == two.surface.faces);
    CHECK((one.shares - two.shares).norm() == 0);
}

TEST_CASE("what makes no mesh is refused with advice") {
    const Surface box = surface_of(Box{});
    CHECK_THROWS_WITH_AS(radiating_mesh(box, 0), doctest::Contains("make no mesh"), Error);
    CHECK_THROWS_WITH_AS(radiating_mesh(box, 1e-6), doctest::Contains("use longer ones"), Error);
    CHECK_THROWS_WITH_AS(radiating_mesh(Surface{Points(0, 3), Triangles(0, 3)}, 0.1),
                         doctest::Contains("without faces"), Error);
    Surface broken = box;
    broken.vertices(3, 1) = std::nan("");
    CHECK_THROWS_WITH_AS(radiating_mesh(broken, 0.02), doctest::Contains("not finite"), Error);
}

}  // namespace radiating_mesh_test
