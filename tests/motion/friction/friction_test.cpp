#include "bodies.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <random>

namespace friction_law_test {

using namespace clangor;
using namespace clangor::testing;
using clangor::test::Approx;

namespace {

constexpr double g = 9.81;

Mat3 random_response(std::mt19937& random) {
    std::normal_distribution<double> normal;
    const Mat3 A = Mat3::NullaryExpr([&] { return normal(random); });
    return A * A.transpose() + 0.01 * Mat3::Identity();
}

Vec3 random_vector(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return {normal(random), normal(random), normal(random)};
}

// A block on a plane that rises towards −x by alpha, for a time in steps of h.
struct Slide {
    double distance = 0, speed = 0;
};
Slide slide_of_block(double alpha, double mu, double speed, double time, double h) {
    std::vector<FreeBody> block = {{.inverse_mass = 1 / 0.3, .velocity = {speed, 0, 0}}};
    const std::vector<BodyContact> contact = {{.frame = contact_frame(Vec3::UnitY()), .law = {.friction = mu}}};
    Slide slide;
    for (int step = 0; step < int(std::lround(time / h)); ++step) {
        block[0].velocity += h * g * Vec3(std::sin(alpha), -std::cos(alpha), 0);
        apply(block, contact, solve_friction(problem_of(block, contact)).impulses);
        slide.distance += h * block[0].velocity.x();
    }
    slide.speed = block[0].velocity.norm();
    return slide;
}

// Balls in a close packed heap on the ground between two walls, each in its hollow.
struct Heap {
    std::vector<FreeBody> balls;
    std::vector<BodyContact> contacts;
};
Heap heap_of(int columns, int rows, double mu, double h) {
    const double radius = 0.01, mass = 0.01;
    Heap heap;
    std::vector<Vec3> centres;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            centres.push_back(radius * Vec3(2 * column + row % 2, 1 + std::sqrt(3.0) * row, 0));
    for (size_t i = 0; i < centres.size(); ++i)
        heap.balls.push_back({.inverse_mass = 1 / mass,
                              .inverse_inertia = 1 / (0.4 * mass * square(radius)),
                              .velocity = {0, -g * h, 0}});
    for (size_t i = 0; i < centres.size(); ++i) {
        const auto touches_fixed = [&](const Vec3& normal) {
            heap.contacts.push_back({.first = int(i),
                                     .frame = contact_frame(normal),
                                     .arm_first = -radius * normal,
                                     .law = {.friction = mu}});
        };
        if (centres[i].y() < 1.01 * radius) touches_fixed(Vec3::UnitY());
        if (centres[i].x() < 0.01 * radius) touches_fixed(Vec3::UnitX());
        if (centres[i].x() > radius * (2 * columns - 1.01)) touches_fixed(-Vec3::UnitX());
        for (size_t j = 0; j < i; ++j) {
            const Vec3 between = centres[i] - centres[j];
            if (between.norm() > 2.01 * radius) continue;
            const Vec3 normal = between.normalized();
            heap.contacts.push_back({.first = int(i),
                                     .second = int(j),
                                     .frame = contact_frame(normal),
                                     .arm_first = -radius * normal,
                                     .arm_second = radius * normal,
                                     .law = {.friction = mu}});
        }
    }
    return heap;
}

}  // namespace

TEST_CASE("a lone contact obeys Coulomb's law exactly, whatever couples its directions") {
    std::mt19937 random(1);
    int took_off = 0, stuck = 0, slid = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const Mat3 W = random_response(random);
        const Vec3 b = random_vector(random);
        const FrictionalContact contact{.friction = std::abs(random_vector(random).x()),
                                        .target = 0.3 * random_vector(random).x(),
                                        .compliance = trial % 2 ? std::abs(random_vector(random).x()) : 0};
        const Vec3 r = contact_impulse(contact, W, b), u = W * r + b;
        if (r.norm() == 0) {
            CHECK(u[0] >= contact.target);
            ++took_off;
            continue;
        }
        const double size = b.norm() + std::abs(contact.target) + W.trace() * r.norm();
        CHECK(r[0] > 0);
        CHECK(std::abs(u[0] + contact.compliance * r[0] - contact.target) < 1e-13 * size);
        if (u.tail<2>().norm() < 1e-11 * size) {
            CHECK(r.tail<2>().norm() <= contact.friction * r[0] * (1 + 1e-12));
            ++stuck;
        } else {
            // Against the slip, not merely on the edge of the cone as for a law of maximal dissipation in u.
            const Eigen::Vector2d law = -contact.friction * r[0] * u.tail<2>().normalized();
            CHECK((r.tail<2>() - law).norm() < 1e-9 * r.norm());
            ++slid;
        }
        CHECK(contact_residual(contact, r, u, W.diagonal().maxCoeff()) < 1e-10 * size);
    }
    CHECK(took_off > 1000);
    CHECK(stuck > 1000);
    CHECK(slid > 1000);
}

TEST_CASE("a block on a slope holds up to tan α = µ and slides beyond") {
    const double mu = 0.37, h = 1e-3;
    CHECK(slide_of_block(std::atan(mu) - 1e-6, mu, 0, 1, h).distance == doctest::Approx(0));
    const double alpha = std::atan(mu) + 1e-6;
    const double acceleration = g * (std::sin(alpha) - mu * std::cos(alpha));
    CHECK(slide_of_block(alpha, mu, 0, 1, h).speed == Approx(acceleration).epsilon(1e-6));
}

TEST_CASE("a sliding block stops after v²/(2µg)") {
    const double mu = 0.3, v = 1.7;
    // Of n steps, the last speeds of each: short by half a step's way, v h/2, at first order.
    for (const double h : {1e-3, 1e-4}) {
        const Slide slide = slide_of_block(0, mu, v, 1, h);
        CHECK(slide.speed == doctest::Approx(0));
        CHECK(std::abs(slide.distance - (v * v / (2 * mu * g) - v * h / 2)) < mu * g * h * h);
    }
}

TEST_CASE("slip turns towards the pull while it slides, with friction against it at every moment") {
    // On a level plane a pull across the motion of less than µ m g cannot be held by friction that is used up along
    // it: dv/dt = f − µ g v/|v|. Against Runge–Kutta of that with steps 50 times finer.
    const double mu = 0.5, f = 0.6 * mu * g, h = 1e-4, time = 0.1;
    std::vector<FreeBody> block = {{.velocity = {2, 0, 0}}};
    const std::vector<BodyContact> contact = {{.frame = contact_frame(Vec3::UnitY()), .law = {.friction = mu}}};
    for (int step = 0; step < int(std::lround(time / h)); ++step) {
        block[0].velocity += h * Vec3(0, -g, f);
        apply(block, contact, solve_friction(problem_of(block, contact)).impulses);
    }
    Eigen::Vector2d v(2, 0);
    const auto rate = [&](const Eigen::Vector2d& at) -> Eigen::Vector2d {
        return Eigen::Vector2d(0, f) - mu * g * at.normalized();
    };
    const double k = h / 50;
    for (int step = 0; step < int(std::lround(time / k)); ++step) {
        const Eigen::Vector2d middle = v + 0.5 * k * rate(v);
        v += k * rate(middle);
    }
    CHECK(block[0].velocity.x() == Approx(v.x()).epsilon(1e-4));
    CHECK(block[0].velocity.z() == Approx(v.y()).epsilon(1e-3));
}

TEST_CASE("a stack bears the weight above each contact") {
    const int stones = 20;
    const double mass = 0.4, h = 1e-3;
    std::vector<FreeBody> bodies(stones, {.inverse_mass = 1 / mass, .velocity = {0, -g * h, 0}});
    std::vector<BodyContact> contacts;
    for (int i = 0; i < stones; ++i)
        contacts.push_back(
            {.first = i, .second = i - 1, .frame = contact_frame(Vec3::UnitY()), .law = {.friction = 0.6}});
    const FrictionSolution solution = solve_friction(problem_of(bodies, contacts));
    CHECK(solution.converged);
    for (int i = 0; i < stones; ++i)
        CHECK(solution.impulses[size_t(i)][0] == Approx((stones - i) * mass * g * h).epsilon(1e-6));
}

TEST_CASE("a bar in a groove sticks below a pull of µ m g/sin θ, and beyond where it is wedged slides against that") {
    // Both walls at θ from the upright: 2 N sin θ = m g, and friction µ·2N along the groove. A bar that sticks may be
    // wedged: friction f across presses it with N = (m g/2 + f cos θ)/sin θ, which bears up to 1/√(1 − µ² cot² θ) more.
    const double theta = 0.6, mu = 0.25, mass = 2, h = 1e-3;
    const std::vector<BodyContact> walls = {
        {.frame = contact_frame({std::cos(theta), std::sin(theta), 0}), .law = {.friction = mu}},
        {.frame = contact_frame({-std::cos(theta), std::sin(theta), 0}), .law = {.friction = mu}}};
    const double limit = mu * g / std::sin(theta);
    const double wedged = limit / std::sqrt(1 - square(mu / std::tan(theta)));
    for (const double pull : {0.99 * limit, 1.01 * wedged, 3 * limit}) {
        std::vector<FreeBody> bar = {{.inverse_mass = 1 / mass, .velocity = h * Vec3(0, -g, pull)}};
        const FrictionSolution solution = solve_friction(problem_of(bar, walls), {.tolerance = 1e-12});
        CHECK(solution.converged);
        apply(bar, walls, solution.impulses);
        CHECK(std::abs(bar[0].velocity.z() - h * std::max(0.0, pull - limit)) < 1e-9 * h * g);
        CHECK(bar[0].velocity.head<2>().norm() < 1e-9 * h * g);
    }
}

TEST_CASE("a compliant contact yields by its compliance times its impulse") {
    const double c = 0.7, mass = 0.5;
    std::vector<FreeBody> body = {{.inverse_mass = 1 / mass, .velocity = {0, -1, 0}}};
    const std::vector<BodyContact> contact = {
        {.frame = contact_frame(Vec3::UnitY()), .law = {.friction = 0.2, .compliance = c}}};
    const FrictionSolution solution = solve_friction(problem_of(body, contact));
    CHECK(solution.impulses[0][0] == Approx(1 / (1 / mass + c)).epsilon(1e-12));
    CHECK(solution.velocities[0][0] == Approx(-c * solution.impulses[0][0]).epsilon(1e-12));
}

TEST_CASE(
    "bodies pressed at random against each other obey the law to 1e-8 but for one in a thousand, and gain nothing") {
    std::mt19937 random(3);
    std::uniform_int_distribution<int> any(0, 11);
    std::uniform_real_distribution<double> friction(0, 1);
    int unsolved = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        std::vector<FreeBody> bodies(12);
        for (FreeBody& body : bodies) body.velocity = random_vector(random), body.inverse_inertia = 2.5;
        std::vector<BodyContact> contacts;
        for (int i = 0; i < 20; ++i) {
            const int first = any(random), second = any(random);
            contacts.push_back({.first = first,
                                .second = first == second ? -1 : second,
                                .frame = contact_frame(random_vector(random).normalized()),
                                .arm_first = random_vector(random),
                                .arm_second = random_vector(random),
                                .law = {.friction = friction(random)}});
        }
        const FrictionProblem problem = problem_of(bodies, contacts);
        const FrictionSolution solution = solve_friction(problem);
        CHECK(solution.converged == (solution.residual <= 1e-9));
        unsolved += solution.residual > 1e-8;
        CHECK(solution.residual < 0.02);
        double work = 0;  // of all contacts, at the mean of the velocities before and after
        for (size_t i = 0; i < contacts.size(); ++i)
            work += 0.5 * solution.impulses[i].dot(solution.velocities[i] + problem.free_velocity[i]);
        CHECK(work <= 1e-8);
    }
    CHECK(unsolved <= 2);
}

TEST_CASE("heaps of thousands of contacts converge, the same for any number of threads") {
    const Heap heap = heap_of(40, 25, 0.3, 1e-3);
    const FrictionProblem problem = problem_of(heap.balls, heap.contacts);
    REQUIRE(problem.contacts.size() > 2900);
    set_thread_count(1);
    const FrictionSolution one = solve_friction(problem, {.tolerance = 1e-6});
    set_thread_count(2);
    const FrictionSolution two = solve_friction(problem, {.tolerance = 1e-6});
    set_thread_count(0);
    CHECK(one.converged);
    CHECK(one.impulses == two.impulses);
    double weight = 0;  // of all balls, on the ground and by friction on the walls
    for (size_t i = 0; i < heap.contacts.size(); ++i)
        if (heap.contacts[i].second < 0) weight += (heap.contacts[i].frame * one.impulses[i]).y();
    CHECK(weight == Approx(0.01 * g * 1e-3 * 1000).epsilon(1e-3));
    const FrictionSolution again = solve_friction(problem, {.tolerance = 1e-6}, one.impulses);
    CHECK(again.sweeps == 0);
    CHECK(again.impulses == one.impulses);
}

TEST_CASE("what the blocks leave out is made up for by the exact response") {
    const Heap heap = heap_of(6, 4, 0.4, 1e-3);
    const FrictionProblem exact = problem_of(heap.balls, heap.contacts);
    const ExactResponse response = [&](std::span<const Vec3> impulses) {
        std::vector<Vec3> u(exact.contacts.size(), Vec3::Zero());
        for (size_t i = 0; i < u.size(); ++i)
            for (int k = exact.response.starts[i]; k < exact.response.starts[i + 1]; ++k)
                u[i] += exact.response.blocks[size_t(k)] * impulses[size_t(exact.response.columns[size_t(k)])];
        return u;
    };
    FrictionProblem rough = exact;  // a tenth stiffer than it is between neighbours
    for (size_t i = 0; i < rough.contacts.size(); ++i)
        for (int k = rough.response.starts[i]; k < rough.response.starts[i + 1]; ++k)
            if (rough.response.columns[size_t(k)] != int(i)) rough.response.blocks[size_t(k)] *= 0.9;
    const FrictionSolution solution = solve_friction(rough, response, {.tolerance = 1e-8});
    CHECK(solution.converged);
    CHECK(solution.residual < 1e-8);
}

}  // namespace friction_law_test
