#include "box_mesh.hpp"

#include <clangor/vibration/solid/solid.hpp>

#include <doctest/doctest.h>
#include <Eigen/Eigenvalues>
#include <approx.hpp>

namespace assemble_test {

using namespace clangor;
using clangor::test::box_mesh;
using clangor::test::with_mid_nodes;

namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};

// A crooked element, so that no symmetry hides a slip.
TetMesh one_tetrahedron() {
    TetMesh mesh{Points(4, 3), Cells(1, 4)};
    mesh.nodes << 0.1, 0.0, -0.2, 1.1, 0.2, 0.1, 0.0, 0.9, 0.3, -0.1, 0.2, 1.3;
    mesh.cells << 0, 1, 2, 3;
    return mesh;
}

// Displacements of an affine motion u = G x.
Eigen::VectorXd affine(const Points& nodes, const Mat3& G) {
    Eigen::VectorXd u(3 * nodes.rows());
    for (long i = 0; i < nodes.rows(); ++i) u.segment<3>(3 * i) = G * nodes.row(i).transpose();
    return u;
}

double bending_hz(const std::array<int, 3>& cells, bool is_quadratic) {
    const TetMesh linear = box_mesh({0.2, 0.02, 0.01}, cells);
    const Modes modes =
        vibration_modes(assemble(is_quadratic ? with_mid_nodes(linear) : linear, steel), {.max_count = 1});
    return modes.omega[0] / (2 * pi);
}

}  // namespace

TEST_CASE("unit tetrahedron: stiffness and mass entries agree with the closed form") {
    TetMesh mesh{Points(4, 3), Cells(1, 4)};
    mesh.nodes << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
    mesh.cells << 0, 1, 2, 3;
    const StiffnessMass body = assemble(mesh, {"unit", 1, 1, 0.3, {}, ""});
    const Eigen::MatrixXd K = body.stiffness, M = body.mass;
    // V = 1/6, λ = 15/26, μ = 5/13. Node 0 has ∇N = (−1, −1, −1): K_00 = V(λ + μ + 3μ), off-diagonal V(λ + μ).
    CHECK(K(0, 0) == clangor::test::Approx((15.0 / 26 + 4 * 5.0 / 13) / 6).epsilon(1e-14));
    CHECK(K(0, 1) == clangor::test::Approx((15.0 / 26 + 5.0 / 13) / 6).epsilon(1e-14));
    CHECK(K(3, 3) == clangor::test::Approx((15.0 / 26 + 2 * 5.0 / 13) / 6).epsilon(1e-14));  // ∇N_1 = e_x
    CHECK(K(3, 7) == clangor::test::Approx(15.0 / 26 / 6).epsilon(1e-14));  // λ couples u_x of 1 to u_y of 2
    CHECK(K(4, 6) == clangor::test::Approx(5.0 / 13 / 6).epsilon(1e-14));   // μ couples u_y of 1 to u_x of 2
    // ∫N_aN_b = V(1 + δ_ab)/20
    CHECK(M(0, 0) == clangor::test::Approx(1.0 / 60).epsilon(1e-14));
    CHECK(M(0, 3) == clangor::test::Approx(1.0 / 120).epsilon(1e-14));
    CHECK(M(0, 1) == 0.0);
    // Eigenvalues from an independent calculation, to 1e-15.
    const Eigen::VectorXd lambda = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues();
    CHECK(lambda.head<6>().cwiseAbs().maxCoeff() < 1e-15);
    CHECK(lambda[6] == clangor::test::Approx(0.12820512820512808).epsilon(1e-13));
    CHECK(lambda[8] == clangor::test::Approx(0.21252189497266083).epsilon(1e-13));
    CHECK(lambda[11] == clangor::test::Approx(1.0054268229760572).epsilon(1e-13));
}

TEST_CASE("uniform strain stores the energy of continuum mechanics, in both elements and curved ones") {
    Mat3 G;
    G << 0.3, -0.2, 0.5, 0.1, 0.4, -0.7, 0.6, 0.2, -0.1;
    const Mat3 strain = 0.5 * (G + G.transpose());
    const double E = steel.young, nu = steel.poisson;
    const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), mu = E / (2 * (1 + nu));
    const double density = 0.5 * lambda * square(strain.trace()) + mu * strain.squaredNorm();  // W = ½λ tr²ε + μ ε:ε
    const TetMesh linear = one_tetrahedron();
    Mat3 D;
    for (int i = 0; i < 3; ++i) D.col(i) = (linear.nodes.row(i + 1) - linear.nodes.row(0)).transpose();
    for (const TetMesh& mesh : {linear, with_mid_nodes(linear)}) {
        const Eigen::VectorXd u = affine(mesh.nodes, G);
        const double energy = 0.5 * u.dot(assemble(mesh, steel).stiffness * u);
        CHECK(energy == clangor::test::Approx(density * D.determinant() / 6).epsilon(1e-12));
    }
    // Curved: the volume is what the mass matrix says, and isoparametric elements represent affine motions exactly.
    TetMesh curved = with_mid_nodes(linear);
    curved.nodes.row(5) += Eigen::RowVector3d(0.05, -0.03, 0.04);
    const StiffnessMass body = assemble(curved, steel);
    const Eigen::VectorXd translation = affine(curved.nodes, Mat3::Zero()) + Vec3(1, 0, 0).replicate(10, 1);
    const double volume = translation.dot(body.mass * translation) / steel.density;
    const Eigen::VectorXd u = affine(curved.nodes, G);
    // The four-point rule integrates the curved volume to third order in the bend of 5 %, hence 1e-3.
    CHECK(0.5 * u.dot(body.stiffness * u) == clangor::test::Approx(density * volume).epsilon(1e-3));
}

TEST_CASE("rigid motions strain nothing, and carry the body's mass and inertia") {
    const Vec3 size(0.2, 0.05, 0.03);
    for (const TetMesh& mesh : {box_mesh(size, {4, 2, 2}), with_mid_nodes(box_mesh(size, {4, 2, 2}))}) {
        const StiffnessMass body = assemble(mesh, steel);
        CHECK((body.stiffness * body.rigid).cwiseAbs().maxCoeff() <
              1e-12 * body.stiffness.coeffs().cwiseAbs().maxCoeff());
        const double mass = steel.density * size.prod();
        for (int d = 0; d < 3; ++d)
            CHECK(body.rigid.col(d).dot(body.mass * body.rigid.col(d)) == clangor::test::Approx(mass).epsilon(1e-12));
        // Rotation about x with unit angle per unit length of the basis' own scale: I_xx = m (b² + c²)/12.
        Mat3 spin = Mat3::Zero();
        spin(1, 2) = -1;
        spin(2, 1) = 1;
        const Eigen::VectorXd u = affine(mesh.nodes, spin);
        CHECK(u.dot(body.mass * u) ==
              clangor::test::Approx(mass * (square(size[1]) + square(size[2])) / 12).epsilon(1e-12));
    }
}

TEST_CASE("free steel bar 200×20×10 mm: 10-node bending, torsion and stretching modes agree with 3-D elasticity") {
    const TetMesh mesh = with_mid_nodes(box_mesh({0.2, 0.02, 0.01}, {20, 4, 2}));
    const Modes modes = vibration_modes(assemble(mesh, steel), {.max_hz = 13000});
    // 3-D Ritz solution, converged to 1e-6: bending along 10 and 20 mm, torsion, stretching, in ascending order.
    const std::vector<double> exact = {1285.95, 2506.99,  3490.57,  5801.10,  6529.94,
                                       6696.97, 10774.99, 11620.23, 11930.48, 12612.99};
    REQUIRE(modes.omega.size() == long(exact.size()));
    for (size_t i = 0; i < exact.size(); ++i)
        CHECK(modes.omega[long(i)] / (2 * pi) ==
              clangor::test::Approx(exact[i]).epsilon(
                  0.01));  // torsion is the worst: its warping needs two elements in the thickness
}

TEST_CASE("bending frequency converges at order 3 or better in 10-node elements, and from above") {
    const double exact_hz = 1285.9501320033;  // 3-D Ritz, converged to 7e-9
    const double coarse = bending_hz({10, 1, 1}, true) / exact_hz - 1,
                 fine = bending_hz({20, 2, 2}, true) / exact_hz - 1;
    CHECK(coarse > fine);
    CHECK(fine > 0);
    CHECK(std::log2(coarse / fine) >= 3);
}

TEST_CASE("4-node elements are far too stiff in bending where 10-node ones are right") {
    CHECK(bending_hz({20, 2, 1}, false) > 1.4 * 1285.95);
    CHECK(bending_hz({20, 2, 1}, true) == clangor::test::Approx(1285.95).epsilon(0.002));  // one layer of elements
}

TEST_CASE("an inverted element is refused") {
    TetMesh mesh = one_tetrahedron();
    std::swap(mesh.cells(0, 1), mesh.cells(0, 2));
    CHECK_THROWS_WITH_AS(assemble(mesh, steel), "element 0 is inverted", Error);
}

TEST_CASE("matrices have the same bits for one and for two threads") {
    const TetMesh mesh = with_mid_nodes(box_mesh({1, 1, 1}, {6, 6, 6}));
    const int threads = thread_count();
    set_thread_count(1);
    const StiffnessMass one = assemble(mesh, steel);
    set_thread_count(2);
    const StiffnessMass two = assemble(mesh, steel);
    set_thread_count(threads);
    CHECK(one.stiffness.coeffs().matrix() == two.stiffness.coeffs().matrix());
    CHECK(one.mass.coeffs().matrix() == two.mass.coeffs().matrix());
}

}  // namespace assemble_test
