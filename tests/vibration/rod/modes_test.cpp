#include <clangor/vibration/rod/rod.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>

namespace rod_modes_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};

// Frequencies of motion that is mostly along one of the axes 0, 1, 2, or mostly twist, 3.
std::vector<double> hz_along(const RodPlan& plan, const RodState& about, int axis, int count) {
    const ConstrainedBody body = small_motion(plan, about);
    const Modes modes = vibration_modes(body.body, {.min_hz = 1, .max_hz = 1e6, .max_count = count});
    std::vector<double> hz;
    for (long m = 0; m < modes.omega.size(); ++m) {
        const Eigen::VectorXd all = body.expansion * modes.shapes.col(m);
        const Eigen::VectorXd energy =
            plan.mass.cwiseProduct(all.reshaped(plan.per_point, plan.points).cwiseAbs2()).rowwise().sum();
        if (energy[axis] > 0.5 * energy.sum()) hz.push_back(modes.omega[m] / (2 * pi));
    }
    return hz;
}

std::vector<double> hz_along(const RodPlan& plan, int axis, int count) {
    return hz_along(plan, plan.rest, axis, count);
}

std::vector<double> all_hz(const RodPlan& plan, int count) {
    const Modes modes = vibration_modes(small_motion(plan, plan.rest).body, {.min_hz = 1, .max_count = count});
    std::vector<double> hz;
    for (const double omega : modes.omega) hz.push_back(omega / (2 * pi));
    return hz;
}

// Each within 1 % at 60 points, and errors that fall to a quarter when the spacing is halved.
template <class Hz>
void check_order_two(const std::vector<double>& exact, const Hz& hz_with) {
    const std::vector<double> coarse = hz_with(30), fine = hz_with(60);
    REQUIRE(fine.size() >= exact.size());
    for (size_t m = 0; m < exact.size(); ++m) {
        CAPTURE(m);
        CAPTURE(exact[m]);
        CAPTURE(fine[m]);
        CHECK(fine[m] == Approx(exact[m]).epsilon(0.01));
        const double order = std::log2(std::abs(coarse[m] / exact[m] - 1) / std::abs(fine[m] / exact[m] - 1));
        CHECK(order > 1.8);
        CHECK(order < 2.3);
    }
}

double beam_hz(double beta_L, double L, double EI_over_mass) {
    return square(beta_L / L) / (2 * pi) * std::sqrt(EI_over_mass);
}

// Free ends of an arc in its plane, without stretching: v⁗″ + 2v⁗ + (1 − Λ)v″ + Λv = 0 with m = v′ + v‴ = 0, m′ = 0 and
// m″ = Λv′ at both ends, v along the arc, Λ = ω²ρAR⁴/EI: the determinant of what three solutions miss at the far end.
double missed(double lambda, double angle) {
    using Six = Eigen::Matrix<double, 6, 1>;
    Eigen::Matrix<double, 6, 3> y = Eigen::Matrix<double, 6, 3>::Zero();
    for (int c = 0; c < 3; ++c) {  // of v, v′, v″ each, with v‴ = −v′, v⁗ = −v″, v⁗′ = Λv′ − v‴
        y(c, c) = 1;
        y(3, c) = -y(1, c);
        y(4, c) = -y(2, c);
        y(5, c) = lambda * y(1, c) - y(3, c);
    }
    const int steps = 800;
    const double h = angle / steps;
    const auto slope = [&](const Six& s) {
        Six d;
        d << s[1], s[2], s[3], s[4], s[5], -2 * s[4] - (1 - lambda) * s[2] - lambda * s[0];
        return d;
    };
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < steps; ++k) {
            const Six s = y.col(c), a = slope(s), b = slope(s + h / 2 * a), d = slope(s + h / 2 * b),
                      e = slope(s + h * d);
            y.col(c) += h / 6 * (a + 2 * b + 2 * d + e);
        }
    Mat3 ends;
    ends.row(0) = y.row(1) + y.row(3);
    ends.row(1) = y.row(2) + y.row(4);
    ends.row(2) = y.row(3) + y.row(5) - lambda * y.row(1);
    return ends.determinant();
}

std::vector<double> arc_lambdas(double angle, size_t count) {
    std::vector<double> found;
    double low = 0.5;
    while (found.size() < count) {
        const double high = low * 1.05;
        if (missed(low, angle) * missed(high, angle) < 0) {
            double a = low, b = high;
            for (int i = 0; i < 60; ++i) {
                const double middle = 0.5 * (a + b);
                (missed(a, angle) * missed(middle, angle) <= 0 ? b : a) = middle;
            }
            found.push_back(a);
        }
        low = high;
    }
    return found;
}

Points arc(double radius, double angle, long count, bool closed) {
    Points points(count, 3);
    for (long i = 0; i < count; ++i) {
        const double a = angle * double(i) / double(closed ? count : count - 1);
        points.row(i) << radius * std::cos(a), radius * std::sin(a), 0;
    }
    return points;
}

// Of a half circle of wire.
std::vector<double> in_plane_hz(double R, double a, long n, RodMass mass) {
    const RodShape shape{.points = arc(R, pi, n, false), .section = round_wire(a)};
    const RodPlan plan = rod_plan(shape, steel, {.mass = mass});
    const ConstrainedBody body = small_motion(plan, plan.rest);
    const Modes modes = vibration_modes(body.body, {.min_hz = 1, .max_count = 13});
    std::vector<double> hz;
    for (long m = 0; m < modes.omega.size(); ++m) {
        const Eigen::VectorXd all = body.expansion * modes.shapes.col(m);
        if (all.reshaped(4, n).row(2).squaredNorm() < 0.5 * all.reshaped(4, n).topRows<3>().squaredNorm())
            hz.push_back(modes.omega[m] / (2 * pi));
    }
    return hz;
}

}  // namespace

TEST_CASE("free bar: the first five bending frequencies of both directions are those of Euler and Bernoulli") {
    const double L = 0.6, w = 0.004, h = 0.006;
    const std::vector<double> roots{4.730041, 7.853205, 10.995608, 14.137165, 17.278760};
    for (const int axis : {1, 2}) {
        std::vector<double> exact;
        for (const double root : roots)
            exact.push_back(beam_hz(root, L, steel.young / steel.density * square(axis == 1 ? w : h) / 12));
        check_order_two(exact, [&](long n) {
            const RodShape shape{.points = straight_points({0, 0, 0}, {L, 0, 0}, n),
                                 .section = flat_bar(w, h),
                                 .first_direction = Vec3::UnitY()};
            return hz_along(rod_plan(shape, steel), axis, 16);
        });
    }
}

TEST_CASE("free bar with mass along its edges: 15 points do better than 60 with mass at points") {
    // The errors of curvature and of the mass that neighbours share cancel; what is left is of fourth order.
    const double L = 0.6, a = 0.002;
    const std::vector<double> roots{4.730041, 7.853205, 10.995608, 14.137165, 17.278760};
    const auto miss = [&](long n, size_t m) {
        const RodShape shape{.points = straight_points({0, 0, 0}, {L, 0, 0}, n), .section = round_wire(a)};
        const RodPlan plan = rod_plan(shape, steel, {.mass = RodMass::AlongEdges});
        return 1 - all_hz(plan, 10)[2 * m] / beam_hz(roots[m], L, steel.young / steel.density * square(a) / 4);
    };
    for (size_t m = 0; m < roots.size(); ++m) CHECK(std::abs(miss(15, m)) < 0.003);
    CHECK(std::log2(miss(15, 4) / miss(30, 4)) > 3.7);
}

TEST_CASE("cantilever: a clamp begins in the middle of the edge that it holds") {
    const double L = 0.3, a = 0.002;
    std::vector<double> exact;
    for (const double root : {1.875104, 4.694091, 7.854757, 10.995541, 14.137168})
        exact.push_back(beam_hz(root, L, steel.young / steel.density * square(a) / 4));
    check_order_two(exact, [&](long n) {
        const double spacing = L / (double(n) - 1.5);
        const RodShape shape{.points = straight_points({-spacing / 2, 0, 0}, {L, 0, 0}, n), .section = round_wire(a)};
        std::vector<double> single;  // both directions alike
        for (const double each : all_hz(rod_plan(shape, steel, {.supports = {.edges = {0}}}), 10))
            if (single.empty() || each > 1.0001 * single.back()) single.push_back(each);
        return single;
    });
}

TEST_CASE("both ends pinned: sines") {
    const double L = 0.3, a = 0.002;
    const RodShape shape{.points = straight_points({0, 0, 0}, {L, 0, 0}, 61), .section = round_wire(a)};
    const std::vector<double> hz = all_hz(rod_plan(shape, steel, {.supports = {.points = {0, 60}}}), 6);
    for (int m = 1; m <= 3; ++m)  // sin(kh/2) for kh/2 of each curvature: closed form of the lumped chain itself
        CHECK(hz[size_t(2 * m - 2)] == Approx(square(2 / 0.005 * std::sin(m * pi / 120)) / (2 * pi) *
                                              std::sqrt(steel.young / steel.density) * a / 2)
                                           .epsilon(1e-9));
}

TEST_CASE("free half circle: bending in its plane") {
    const double R = 0.1, a = 0.0002;  // thick wires stretch
    std::vector<double> exact;
    for (const double lambda : arc_lambdas(pi, 5))
        exact.push_back(std::sqrt(lambda * steel.young / steel.density * square(a) / 4) / square(R) / (2 * pi));
    check_order_two(exact, [&](long n) { return in_plane_hz(R, a, n, RodMass::AtPoints); });
}

TEST_CASE("ring: bending in its plane and out of it, as Hoppe and Michell have it") {
    const double R = 0.05, a = 0.0001, EI_over_GJ = 1 + steel.poisson;  // thicker wires resist turning, too
    const double unit = std::sqrt(steel.young / steel.density) * a / 2 / square(R) / (2 * pi);
    std::vector<double> exact;
    const auto ring_hz = [&](long n, RodMass mass) {
        return all_hz(rod_plan({.points = arc(R, 2 * pi, n, true), .closed = true, .section = round_wire(a)}, steel,
                               {.mass = mass}),
                      12);
    };
    for (int n = 2; n <= 4; ++n)
        for (int twice = 0; twice < 2; ++twice) {
            exact.push_back(unit * n * (n * n - 1) / std::sqrt(n * n + EI_over_GJ));
            exact.push_back(unit * n * (n * n - 1) / std::sqrt(n * n + 1));
        }
    std::ranges::sort(exact);
    // Six pitches, each of them twice.
    check_order_two(exact, [&](long n) { return ring_hz(n, RodMass::AlongEdges); });
    // With mass at points the fifth and sixth are 1 % flat: 60 points are 15 a wave.
    exact.resize(8);
    check_order_two(exact, [&](long n) { return ring_hz(n, RodMass::AtPoints); });
}

TEST_CASE(
    "mass along edges, as rods in scenes have it: five pitches of bars and arcs at 60 points, within 0.1 and 0.4 %") {
    const double L = 0.3, a = 0.0002, R = 0.1, wave = std::sqrt(steel.young / steel.density) * a / 2;
    const auto single_hz = [&](const RodShape& shape, const RodSupports& supports) {
        std::vector<double> single;  // both directions alike
        const RodPlan plan = rod_plan(shape, steel, {.supports = supports, .mass = RodMass::AlongEdges});
        for (const double each : all_hz(plan, 10))
            if (single.empty() || each > 1.0001 * single.back()) single.push_back(each);
        return single;
    };
    const std::vector<double> free_roots{4.730041, 7.853205, 10.995608, 14.137165, 17.278760};
    const std::vector<double> held_roots{1.875104, 4.694091, 7.854757, 10.995541, 14.137168};
    const double spacing = L / 58.5;  // a clamp begins in the middle of the edge that it holds
    const std::vector<double> bar =
        single_hz({.points = straight_points({0, 0, 0}, {L, 0, 0}, 60), .section = round_wire(a)}, {});
    const std::vector<double> cantilever = single_hz(
        {.points = straight_points({-spacing / 2, 0, 0}, {L, 0, 0}, 60), .section = round_wire(a)}, {.edges = {0}});
    for (size_t m = 0; m < 5; ++m) {
        CAPTURE(m);
        CHECK(bar[m] == Approx(square(free_roots[m] / L) / (2 * pi) * wave).epsilon(0.001));
        CHECK(cantilever[m] == Approx(square(held_roots[m] / L) / (2 * pi) * wave).epsilon(0.001));
    }
    const std::vector<double> half_circle = in_plane_hz(R, a, 60, RodMass::AlongEdges);
    const std::vector<double> lambdas = arc_lambdas(pi, 5);
    for (size_t m = 0; m < 5; ++m)
        CHECK(half_circle[m] == Approx(std::sqrt(lambdas[m]) * wave / square(R) / (2 * pi)).epsilon(0.004));
}

TEST_CASE("twist: a free bar of a flat section rings at multiples of √(GJ/ρI)/2L") {
    const double L = 0.3, w = 0.02, h = 0.01;
    const double G = steel.young / 2.6, J = 0.2286820 * w * cube(h), I = (w * cube(h) + h * cube(w)) / 12;
    std::vector<double> exact;
    for (int n = 1; n <= 3; ++n) exact.push_back(n / (2 * L) * std::sqrt(G * J / (steel.density * I)));
    check_order_two(exact, [&](long n) {
        return hz_along(
            rod_plan({.points = straight_points({0, 0, 0}, {L, 0, 0}, n), .section = flat_bar(w, h)}, steel), 3, 40);
    });
}

TEST_CASE("a rubber band that is stretched by half sounds as a string under its tension") {
    // T = EA(L/L₀ − 1), μ = ρA L₀/L, f = √(T/μ)/2L; pinned, its own stiffness adds nothing to speak of.
    const double L0 = 0.186, L = 0.283, E = 3e5, rho = 1000;
    const Material rubber{"rubber", rho, E, 0.49, {}, ""};
    const long n = 81;
    const RodShape shape{.points = straight_points({0, 0, 0}, {L0, 0, 0}, n), .section = flat_bar(0.0016, 0.0008)};
    const RodPlan plan = rod_plan(shape, rubber, {.supports = {.points = {0, n - 1}}});
    RodRows place = plan.rest.place;
    place.row(0) *= L / L0;
    const double f1 = std::sqrt(E / rho * (L / L0 - 1) * L / L0) / (2 * L);
    for (const int axis : {1, 2})
        CHECK(hz_along(plan, moved(plan, plan.rest, place), axis, 8)[0] == Approx(f1).epsilon(1e-3));
}

TEST_CASE("a spiral gong: frequencies agree with another program, at 100 points and in the limit") {
    // Archimedes' spiral from 20 to 70 mm in four turns, a wire of 2 mm radius, its inner end clamped.
    const auto spiral = [](long n) {
        const double b = 0.05 / (8 * pi);
        const auto length = [&](double p) {
            double s = 0;
            const int steps = 4000;
            for (int i = 0; i <= steps; ++i) {
                const double q = p * i / steps;
                s += (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2) * std::hypot(0.02 + b * q, b);
            }
            return s * p / steps / 3;
        };
        const double whole = length(8 * pi);
        Points points(n, 3);
        double angle = 0;
        for (long i = 0; i < n; ++i) {
            for (int k = 0; k < 50 && i > 0; ++k) {
                const double miss = length(angle) - whole * double(i) / double(n - 1);
                angle -= miss / std::hypot(0.02 + b * angle, b);
                if (std::abs(miss) < 1e-13) break;
            }
            points.row(i) << (0.02 + b * angle) * std::cos(angle), (0.02 + b * angle) * std::sin(angle), 0;
        }
        return points;
    };
    const Material bronze{"gong", 7850, 225e9, 0.29, {}, ""};
    const auto hz_with = [&](long n) {
        return all_hz(
            rod_plan({.points = spiral(n), .section = round_wire(0.002)}, bronze, {.supports = {.edges = {0}}}), 6);
    };
    const std::vector<double> coarse = hz_with(100), fine = hz_with(200);
    const std::vector<double> other{20.03501355, 22.14399310, 26.17828641, 29.59572426, 39.16160883, 39.81357692};
    const std::vector<double> limit{19.4562, 21.8464, 25.7029, 29.1593, 38.3850, 39.0480};
    for (size_t m = 0; m < 6; ++m) {
        CHECK(coarse[m] == Approx(other[m]).epsilon(1e-6));
        CHECK(fine[m] + (fine[m] - coarse[m]) / 3 == Approx(limit[m]).epsilon(4e-3));
    }
}

TEST_CASE("a bar of 305×25.4×12.7 mm: Kirchhoff's rod rings as an ideal bar, a rod with shear as three dimensions do") {
    // Three-dimensional elasticity by Ritz's method to 1e-6; 68.9 GPa, ν = 0.33, 2700 kg/m³.
    const Material aluminium{"aluminium", 2700, 68.9e9, 0.33, {}, ""};
    const double L = 0.3048;
    const std::vector<double> thin{705.56, 1923.83, 3713.61, 6018.77}, thick{1385.58, 3663.43, 6804.24};
    const std::vector<double> roots{4.730041, 7.853205, 10.995608, 14.137165};
    RodSection section = flat_bar(0.0127, 0.0254);
    section.shear_1 = section.shear_2 = 0.8509;  // Cowper's
    const auto bar = [&](long n) {
        return RodShape{
            .points = straight_points({0, 0, 0}, {L, 0, 0}, n), .section = section, .first_direction = Vec3::UnitY()};
    };
    for (const int axis : {1, 2}) {
        const std::vector<double>& measured = axis == 1 ? thin : thick;
        const double width = axis == 1 ? 0.0127 : 0.0254;
        const std::vector<double> plain = hz_along(rod_plan(bar(240), aluminium), axis, 14);
        const std::vector<double> sheared = hz_along(rod_plan(bar(60), aluminium, {.shear = true}), axis, 14);
        const RodPlanOptions best{.mass = RodMass::AlongEdges, .shear = true};
        const std::vector<double> spread = hz_along(rod_plan(bar(30), aluminium, best), axis, 14);
        const std::vector<double> finer = hz_along(rod_plan(bar(240), aluminium, {.shear = true}), axis, 14);
        for (size_t m = 0; m < measured.size(); ++m) {
            CAPTURE(m);
            CHECK(plain[m] == Approx(beam_hz(roots[m], L, 68.9e9 / 2700 * square(width) / 12)).epsilon(1e-3));
            CHECK(sheared[m] == Approx(measured[m]).epsilon(0.02));
            CHECK(spread[m] == Approx(measured[m]).epsilon(0.005));
            CHECK(finer[m] == Approx(measured[m]).epsilon(0.005));  // Timoshenko's own: 0.3 % low at 6 kHz
        }
    }
}

}  // namespace rod_modes_test
