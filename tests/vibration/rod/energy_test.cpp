#include "five_points.hpp"

#include <clangor/vibration/rod/rod.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <random>

namespace rod_energy_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

// A bent, twisted rod of a flat section, of numbers near one, far from rest.
struct Posed {
    RodPlan plan;
    RodState state;
};

Posed any_pose(unsigned seed, bool closed, bool shear, long n = 13) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    RodShape shape;
    shape.closed = closed;
    shape.points.resize(n, 3);
    for (long i = 0; i < n; ++i) {
        const double angle = 2 * pi * double(i) / double(n), radius = std::max(1.0, double(n) / 16);
        shape.points.row(i) << radius * std::cos(angle), radius * std::sin(angle), 0.1 * double(i % 3);
    }
    shape.section = {.area = 50, .bending_1 = 2e-2, .bending_2 = 3e-2, .torsion = 3e-2};
    const long edges = closed ? n : n - 1;
    shape.twist = Eigen::VectorXd::NullaryExpr(edges, [&] { return normal(random); });
    const Material soft{"soft", 1, 1, 0, {}, ""};
    Posed posed{rod_plan(shape, soft, {.shear = shear}), {}};
    RodRows place = posed.plan.rest.place;
    for (long i = 0; i < n; ++i) {
        for (int k = 0; k < 3; ++k) place(k, i) += 0.05 * normal(random);
        for (int u = 3; u < posed.plan.per_point && i < edges; ++u)
            place(u, i) += (u == 3 ? 0.5 : 0.1) * normal(random);
    }
    posed.state = moved(posed.plan, posed.plan.rest, place);
    return posed;
}

RodRows unit(const RodPlan& plan, long r) {
    RodRows one = RodRows::Zero(plan.per_point, plan.points);
    one.data()[r] = 1;
    return one;
}

}  // namespace

TEST_CASE("a rod of five points: energy, forces and stiffness agree with another program to 1e-12") {
    namespace five = clangor::test::five_points;
    RodShape shape;
    shape.points = Eigen::Map<const Points>(five::rest_points.data(), 5, 3);
    shape.twist = Eigen::Map<const Eigen::VectorXd>(five::rest_angles.data(), 4);
    shape.first_direction = Vec3::UnitZ();
    shape.section = {.area = five::EA, .bending_1 = five::EI_1, .bending_2 = five::EI_2, .torsion = 2 * five::GJ};
    const RodPlan plan = rod_plan(shape, Material{"soft", 1, 1, 0, {}, ""});  // G = E/2
    RodRows place = RodRows::Zero(4, 5);
    std::copy(five::place.begin(), five::place.end(), place.data());
    const RodState state = moved(plan, plan.rest, place);

    for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 3; ++k) CHECK(std::abs(state.directors(j, k) - five::directors[size_t(3 * j + k)]) < 1e-13);
    for (int i = 0; i < 3; ++i) CHECK(std::abs(state.turns[i + 1] - five::turns[size_t(i)]) < 1e-13);
    CHECK(rod_energy(plan, state) == Approx(five::energy).epsilon(1e-13));
    const RodRows g = rod_gradient(plan, state);
    const SparseMatrix K = rod_stiffness(plan, state);
    size_t entry = 0;
    for (int r = 0; r < 19; ++r) {
        CHECK(std::abs(g.data()[r] - five::gradient[size_t(r)]) < 1e-12);
        for (int c = 0; c <= r; ++c, ++entry) CHECK(std::abs(K.coeff(r, c) - five::stiffness[entry]) < 2e-12);
    }
}

TEST_CASE("rods of any pose: forces are the slope of the energy, stiffness is the slope of forces") {
    for (const bool closed : {false, true})
        for (const bool shear : {false, true})
            for (unsigned seed = 1; seed <= 3; ++seed) {
                CAPTURE(closed);
                CAPTURE(shear);
                const auto [plan, state] = any_pose(seed, closed, shear, 13 + seed);
                const RodRows g = rod_gradient(plan, state);
                const Eigen::MatrixXd K = rod_stiffness(plan, state);
                Eigen::MatrixXd slope(K.rows(), K.cols());
                const double h = 1e-5;
                double worst = 0;
                for (long r = 0; r < K.rows(); ++r) {
                    const RodState up = moved(plan, state, state.place + h * unit(plan, r));
                    const RodState down = moved(plan, state, state.place - h * unit(plan, r));
                    const double along = (rod_energy(plan, up) - rod_energy(plan, down)) / (2 * h);
                    worst = std::max(worst, std::abs(along - g.data()[r]));
                    slope.col(r) = (rod_gradient(plan, up) - rod_gradient(plan, down)).reshaped() / (2 * h);
                }
                CHECK(worst < 1e-6 * g.cwiseAbs().maxCoeff());
                // Carrying frames around a loop turns them: the slope is not quite symmetric; K is the part that is.
                const Eigen::MatrixXd symmetric = 0.5 * (slope + slope.transpose());
                CHECK((K - symmetric).cwiseAbs().maxCoeff() < 1e-6 * K.cwiseAbs().maxCoeff());
                CHECK((K - K.transpose()).cwiseAbs().maxCoeff() == 0);
            }
}

TEST_CASE("long rods, which are gone through in stretches of 64 points: forces are the slope of the energy there too") {
    for (const bool closed : {false, true})
        for (const bool shear : {false, true})
            for (const long n : {63, 64, 65, 128, 131}) {
                CAPTURE(closed);
                CAPTURE(shear);
                CAPTURE(n);
                const auto [plan, state] = any_pose(5, closed, shear, n);
                const RodRows g = rod_gradient(plan, state);
                const double h = 1e-5;
                for (const long point : {0L, 1L, 61L, 62L, 63L, 64L, 65L, 126L, 127L, 128L, 129L, n - 2, n - 1}) {
                    if (point >= n) continue;
                    for (int u = 0; u < plan.per_point; ++u) {
                        const RodRows by = h * unit(plan, point * plan.per_point + u);
                        const double along = (rod_energy(plan, moved(plan, state, state.place + by)) -
                                              rod_energy(plan, moved(plan, state, state.place - by))) /
                                             (2 * h);
                        CHECK(std::abs(along - g(u, point)) < 1e-6 * g.cwiseAbs().maxCoeff());
                    }
                }
            }
}

TEST_CASE("a rod that is moved and turned as a whole keeps its energy, and its forces turn with it") {
    for (const bool shear : {false, true}) {
        const auto [plan, state] = any_pose(7, false, shear);
        const Mat3 R = Eigen::AngleAxisd(2.3, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
        RodState there = state;
        there.place.topRows<3>() = (R * state.place.topRows<3>()).colwise() + Vec3(3, -1, 2);
        there.tangents = state.tangents * R.transpose();
        there.directors = state.directors * R.transpose();
        CHECK(rod_energy(plan, there) == Approx(rod_energy(plan, state)).epsilon(1e-13));
        const RodRows g = rod_gradient(plan, state), turned = rod_gradient(plan, there);
        const double size = g.cwiseAbs().maxCoeff();
        CHECK((turned.topRows<3>() - R * g.topRows<3>()).cwiseAbs().maxCoeff() < 1e-12 * size);
        CHECK((turned.row(3) - g.row(3)).cwiseAbs().maxCoeff() < 1e-12 * size);
        CHECK(g.topRows<3>().rowwise().sum().norm() < 1e-12 * size);  // no resultant
    }
}

TEST_CASE("a rod that is left at rest has no energy, whatever its shape and twist") {
    for (const bool closed : {false, true}) {
        const RodPlan plan = any_pose(3, closed, false).plan;
        CHECK(rod_energy(plan, plan.rest) < 1e-25);
        CHECK(rod_gradient(plan, plan.rest).cwiseAbs().maxCoeff() < 1e-12);
    }
}

TEST_CASE("one end of a straight rod turned three times about itself: twist counts every turn") {
    // E = ½ GJ φ²/L, φ = 6π, reached in small steps; the angle of the last edge is measured to the middle of it.
    const RodShape shape{.points = straight_points({0, 0, 0}, {1, 0, 0}, 21), .section = round_wire(0.01)};
    const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};
    const RodPlan plan = rod_plan(shape, steel);
    RodState state = plan.rest;
    const double turned = 6 * pi;
    for (int step = 1; step <= 60; ++step) {
        RodRows place = state.place;
        for (long j = 0; j < plan.edges; ++j) place(3, j) = turned * step / 60 * double(j) / double(plan.edges - 1);
        state = moved(plan, state, place);
    }
    const double GJ = 200e9 / 2.6 * pi * 1e-8 / 2, length = 0.95;
    CHECK(rod_energy(plan, state) == Approx(0.5 * GJ * turned * turned / length).epsilon(1e-12));
}

TEST_CASE("a frame that is carried along a helix turns about the rod by what the helix winds") {
    // Along a helix of radius R that climbs by p̂ per radian, a frame that does not twist turns against Frenet's by
    // τ = p̂/(R² + p̂²) per length: after whole turns, director and normal differ by ∫τ ds.
    const double R = 0.1, climb = 0.02;
    const long per_turn = 400, n = 3 * per_turn + 2;
    RodShape shape;
    shape.points.resize(n, 3);
    for (long i = 0; i < n; ++i) {
        const double a = 2 * pi * double(i) / double(per_turn);
        shape.points.row(i) << R * std::cos(a), R * std::sin(a), climb * a;
    }
    shape.section = round_wire(0.001);
    shape.first_direction = Vec3::UnitX();
    const RodPlan plan = rod_plan(shape, Material{"steel", 7850, 200e9, 0.3, {}, ""});
    const Vec3 first = plan.rest.directors.row(0), last = plan.rest.directors.row(3 * per_turn);
    const Vec3 t = plan.rest.tangents.row(0);
    const double total = climb / (R * R + climb * climb) * 3 * 2 * pi * std::hypot(R, climb);
    const double angle = std::atan2(t.dot(first.cross(last)), first.dot(last));
    CHECK(std::abs(std::remainder(angle + total, 2 * pi)) < 1e-3);  // 400 edges a turn: (2π/400)² of the whole 3.7
}

}  // namespace rod_energy_test
