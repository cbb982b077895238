#include <clangor/vibration/modal/modal.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace vibration_modes_test {

using namespace clangor;

namespace {

constexpr double spring = 4e8;  // [N/m]
constexpr double bead = 0.01;   // [kg]

// n equal beads on a line, joined by n−1 equal springs, each free to move along `axes` independent directions: every
// elastic frequency is `axes`-fold. Chains of `pieces` pieces are not joined to each other.
StiffnessMass free_chain(int n, int axes, int pieces = 1) {
    std::vector<Eigen::Triplet<double>> K, M;
    const auto dof = [&](int i, int a) { return i * axes + a; };
    for (int i = 0; i < n; ++i)
        for (int a = 0; a < axes; ++a) {
            M.emplace_back(dof(i, a), dof(i, a), bead);
            K.emplace_back(dof(i, a), dof(i, a), 0.0);
            if (i + 1 == n || (i + 1) % (n / pieces) == 0) continue;
            K.emplace_back(dof(i, a), dof(i, a), spring);
            K.emplace_back(dof(i + 1, a), dof(i + 1, a), spring);
            K.emplace_back(dof(i, a), dof(i + 1, a), -spring);
            K.emplace_back(dof(i + 1, a), dof(i, a), -spring);
        }
    StiffnessMass body;
    body.stiffness.resize(n * axes, n * axes);
    body.stiffness.setFromTriplets(K.begin(), K.end());
    body.mass.resize(n * axes, n * axes);
    body.mass.setFromTriplets(M.begin(), M.end());
    body.rigid = Eigen::MatrixXd::Zero(n * axes, axes);
    for (int i = 0; i < n; ++i)
        for (int a = 0; a < axes; ++a) body.rigid(dof(i, a), a) = 1;
    return body;
}

// ω_k = 2√(k/m) sin(πk/2n), k = 1 … n−1: the standing waves of a free chain.
double chain_omega(int n, int k) { return 2 * std::sqrt(spring / bead) * std::sin(pi * k / (2.0 * n)); }

void check_chain(const Modes& modes, int n, int axes, int count) {
    REQUIRE(modes.omega.size() == count);
    for (int i = 0; i < count; ++i)
        CHECK(modes.omega[i] == clangor::test::Approx(chain_omega(n, 1 + i / axes)).epsilon(1e-10));  // rounding only
}

}  // namespace

TEST_CASE("free chain: every mode up to the limit is found once for each direction, through many slices") {
    const int n = 400, axes = 3;
    const StiffnessMass body = free_chain(n, axes);
    const double limit_hz = chain_omega(n, 200) * 1.0001 / (2 * pi);
    for (const int slice : {30, 64, 150}) {
        const Modes modes = vibration_modes(body, {.min_hz = 1, .max_hz = limit_hz, .slice = slice});
        check_chain(modes, n, axes, 200 * axes);
        CHECK(modes.residuals.maxCoeff() < 1e-8);
        const Eigen::MatrixXd gram = modes.shapes.transpose() * (body.mass * modes.shapes);
        // Modes of different slices are orthogonal because they are accurate, not because they were made so.
        CHECK((gram - Eigen::MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() < 1e-7);
    }
}

TEST_CASE("free chain: the first modes by count are the lowest, also where the count cuts a triple frequency") {
    const StiffnessMass body = free_chain(300, 3);
    for (const int count : {1, 2, 3, 25})
        check_chain(vibration_modes(body, {.min_hz = 1, .max_hz = 1e6, .max_count = count}), 300, 3, count);
}

TEST_CASE("a count above what the band holds gives what the band holds") {
    const StiffnessMass body = free_chain(300, 2);
    const double limit_hz = chain_omega(300, 10) * 1.001 / (2 * pi);
    check_chain(vibration_modes(body, {.min_hz = 1, .max_hz = limit_hz, .max_count = 50}), 300, 2, 20);
    check_chain(vibration_modes(body, {.min_hz = 1, .max_hz = limit_hz, .max_count = 500}), 300, 2, 20);
}

TEST_CASE("modes below the band are counted and left out") {
    const int n = 300;
    const double bottom_hz = chain_omega(n, 4) * 1.01 / (2 * pi), top_hz = chain_omega(n, 12) * 1.01 / (2 * pi);
    const Modes modes = vibration_modes(free_chain(n, 1), {.min_hz = bottom_hz, .max_hz = top_hz});
    CHECK(modes.below == 4);
    REQUIRE(modes.omega.size() == 8);
    for (int i = 0; i < 8; ++i) CHECK(modes.omega[i] == clangor::test::Approx(chain_omega(n, 5 + i)).epsilon(1e-10));
}

TEST_CASE("a band without modes gives none") {
    const double first_hz = chain_omega(50, 1) / (2 * pi);
    CHECK(vibration_modes(free_chain(50, 3), {.min_hz = 1, .max_hz = 0.9 * first_hz}).omega.size() == 0);
}

TEST_CASE("all modes of a small body, up to the last") {
    check_chain(vibration_modes(free_chain(12, 2), {.min_hz = 1, .max_hz = 1e9}), 12, 2, 22);
}

TEST_CASE("a body in two pieces has twice the rigid motions, and that is an error") {
    try {
        vibration_modes(free_chain(200, 3, 2), {.min_hz = 1, .max_hz = 1e4});
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(std::string(error.what()) ==
              "the body has 6 motions without strain instead of 3: it is in pieces, or has loose elements");
        CHECK(error.blame() == Blame::Input);
    }
}

TEST_CASE("modes have the same bits for one and for two threads") {
    const StiffnessMass body = free_chain(3000, 3);
    const ModeOptions options{.min_hz = 1, .max_hz = chain_omega(3000, 40) / (2 * pi), .slice = 64};
    const int threads = thread_count();
    set_thread_count(1);
    const Modes one = vibration_modes(body, options);
    set_thread_count(2);
    const Modes two = vibration_modes(body, options);
    set_thread_count(threads);
    CHECK(one.omega == two.omega);
    CHECK(one.shapes == two.shapes);
}

TEST_CASE("progress rises to one") {
    double last = 0;
    bool falls = false;
    const Progress progress{[&](std::string_view, double fraction) {
        falls |= fraction < last;
        last = fraction;
    }};
    vibration_modes(free_chain(300, 3), {.min_hz = 1, .max_hz = 1e4, .slice = 40}, progress);
    CHECK(!falls);
    CHECK(last == 1.0);
}

TEST_CASE("where there are more modes than enough, only those below dull_hz and no fewer than enough are sought") {
    const int n = 400;
    const StiffnessMass body = free_chain(n, 2);
    const double max_hz = chain_omega(n, 250) * 1.0001 / (2 * pi);
    const auto modes_with = [&](int lively, int enough) {
        const double dull_hz = chain_omega(n, lively) * 1.0001 / (2 * pi);
        return vibration_modes(body,
                               {.min_hz = 1, .max_hz = max_hz, .dull_hz = dull_hz, .enough = enough, .slice = 40});
    };
    check_chain(modes_with(60, 200), n, 2, 200);  // 120 are lively
    CHECK(modes_with(60, 200).dull == 2 * 250 - 200);
    check_chain(modes_with(150, 200), n, 2, 300);
    check_chain(modes_with(60, 1000), n, 2, 500);
    CHECK(modes_with(60, 1000).dull == 0);
    // Whoever asks for a number gets it.
    check_chain(vibration_modes(body, {.min_hz = 1, .max_hz = max_hz, .max_count = 420, .dull_hz = 10, .enough = 200}),
                n, 2, 420);
}

TEST_CASE("rows of the shapes that are kept are those of whole shapes, whatever slice they were found in") {
    const StiffnessMass body = free_chain(700, 2);
    const ModeOptions options{.min_hz = 1, .max_hz = 1e6, .slice = 64};
    const Modes whole = vibration_modes(body, options);
    ModeOptions some = options;
    some.kept_rows = {1399, 0, 7, 7, 640};
    const Modes kept = vibration_modes(body, some);
    REQUIRE(kept.shapes.rows() == 5);
    REQUIRE(kept.shapes.cols() == whole.shapes.cols());
    CHECK(kept.omega == whole.omega);
    CHECK(kept.residuals == whole.residuals);
    for (int i = 0; i < 5; ++i) CHECK(kept.shapes.row(i) == whole.shapes.row(some.kept_rows[i]));
    some.max_hz = 1.001;  // where there is no mode
    const Modes none = vibration_modes(body, some);
    CHECK(none.shapes.cols() == 0);
    CHECK(none.shapes.rows() == 5);
}

TEST_CASE("modes that would not fit into the memory are refused before they are sought, with what they would take") {
    const StiffnessMass body = free_chain(400, 2);
    const double needed = mode_bytes(800, 800, 500, 800);  // at least: the factor's diagonal
    const std::string message = [&]() -> std::string {
        try {
            vibration_modes(body, {.min_hz = 1, .max_hz = 1e6, .memory_limit = needed});
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }();
    CHECK(message.find("of a mesh with 800 unknowns take") != std::string::npos);
    check_chain(vibration_modes(body, {.min_hz = 1, .max_hz = 1e6, .max_count = 10, .memory_limit = needed}), 400, 2,
                10);
}

TEST_CASE("an excess is taken off ω² and no more than a third of it; modes stay in ascending order") {
    const StiffnessMass body = free_chain(300, 1);
    const Modes found = vibration_modes(body, {.min_hz = 1, .max_hz = 1e6, .max_count = 6});
    // Of shapes in the order in which they are found: a tenth of the first, nearly all of the second, so that it goes
    // as far as it may: to √(2/3) ω₂, still above ω₁.
    const ModeExcess excess = [&](const Eigen::MatrixXd& shapes) {
        Eigen::VectorXd off = Eigen::VectorXd::Zero(shapes.cols());
        off[0] = 0.1 * square(found.omega[0]);
        off[1] = 0.9 * square(found.omega[1]);
        return off;
    };
    const Modes corrected = vibration_modes(body, {.min_hz = 1, .max_hz = 1e6, .max_count = 6, .excess = excess});
    CHECK(corrected.omega[0] == clangor::test::Approx(std::sqrt(0.9) * found.omega[0]).epsilon(1e-9));
    CHECK(corrected.omega[1] == clangor::test::Approx(std::sqrt(2.0 / 3) * found.omega[1]).epsilon(1e-9));
    CHECK(corrected.omega[2] == clangor::test::Approx(found.omega[2]).epsilon(1e-12));
    const ModeExcess crossing = [&](const Eigen::MatrixXd& shapes) {
        Eigen::VectorXd off = Eigen::VectorXd::Zero(shapes.cols());
        off[5] = 0.33 * square(found.omega[5]);
        return off;
    };
    const Modes sorted = vibration_modes(body, {.min_hz = 1, .max_hz = 1e6, .max_count = 6, .excess = crossing});
    for (long i = 1; i < 6; ++i) CHECK(sorted.omega[i] > sorted.omega[i - 1]);
    CHECK(sorted.omega[4] == clangor::test::Approx(std::sqrt(0.67) * found.omega[5]).epsilon(1e-9));
    CHECK(sorted.shapes.col(4) == found.shapes.col(5));
}

}  // namespace vibration_modes_test
