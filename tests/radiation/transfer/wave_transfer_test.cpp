#include <clangor/radiation/transfer/band_run.hpp>
#include <clangor/radiation/transfer/fit_waves.hpp>
#include <clangor/radiation/transfer/wave_transfer.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <approx.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wave_transfer_test {

using namespace clangor;
using namespace clangor::modal_transfer;
using clangor::test::Approx;
using Complex = std::complex<double>;

namespace {

Surface ball(double radius) { return clean(surface_of(Sphere{radius})).surface; }

// u = P_n(cos θ) n on the surface.
Points zonal(const Surface& surface, int n) {
    Points u = surface.vertices.rowwise().normalized();
    for (long v = 0; v < u.rows(); ++v) u.row(v) *= std::legendre(static_cast<unsigned>(n), u(v, 2));
    return u;
}

Complex hankel(int n, double z) {
    return {std::sph_bessel(static_cast<unsigned>(n), z), -std::sph_neumann(static_cast<unsigned>(n), z)};
}

// p = ρ0 c ω h_n(kr)/h_n′(ka) P_n for u_n = P_n, since ∂p/∂n = +ω²ρ0 u_n. As coefficient on r₀, with the delay taken
// out.
Complex exact_coefficient(int n, double omega, double a, double r0, const Air& air) {
    const double k = omega / air.speed_of_sound, z = k * a;
    const Complex slope = n == 0 ? -hankel(1, z) : hankel(n - 1, z) - (n + 1) / z * hankel(n, z);
    return air.density * air.speed_of_sound * omega * hankel(n, k * r0) / slope * std::polar(1.0, k * r0) *
           std::sqrt(4 * pi / (2 * n + 1));
}

VibratingSurface pulsating(double a, const std::vector<int>& degrees, const std::vector<double>& ka) {
    VibratingSurface body{ball(a), {}, Eigen::VectorXd(static_cast<long>(ka.size())), Air{}};
    for (std::size_t j = 0; j < ka.size(); ++j) {
        body.omega[static_cast<long>(j)] = ka[j] * body.air.speed_of_sound / a;
        body.shapes.push_back(zonal(body.surface, degrees[j]));
    }
    return body;
}

const TransferOptions small_grid{.max_hz = 1e5, .max_cells = 1.2e5};

bool same_bytes(const ModalTransfer& a, const ModalTransfer& b) {
    bool same = a.modes.size() == b.modes.size() && a.centre == b.centre && a.radius == b.radius;
    for (std::size_t j = 0; same && j < a.modes.size(); ++j)
        same = a.modes[j].degree == b.modes[j].degree && a.modes[j].coefficients == b.modes[j].coefficients;
    return same;
}

}  // namespace

TEST_CASE("tones are driven so that their mean wavelength in the grid is that of air") {
    // The grid's own dispersion, (2/cΔt)² sin²(ω′Δt/2) = Σ (2/Δx)² sin²(k_iΔx/2), averaged over directions.
    const Air air;
    const double dx = 0.01, dt = 0.5 * dx / air.speed_of_sound;
    for (const double cells : {5.0, 8.0, 20.0}) {
        const double k = 2 * pi / (cells * dx), omega = k * air.speed_of_sound;
        const GaussRule rule = gauss_legendre(12);
        const Points directions = ring_directions(11);
        double mean = 0;
        for (long d = 0; d < directions.rows(); ++d)
            mean += rule.weights[d / 24] / 48 * (0.5 * k * dx * directions.row(d).array()).sin().square().sum();
        const double found = std::sin(grid_omega(omega, dx, dt, air) * dt / 2) / (air.speed_of_sound * dt / dx);
        // The series ends before (kΔx)⁶/60480 of the whole: 7e-5 at five cells.
        CHECK(square(found) == Approx(mean).epsilon(1e-4));
    }
}

TEST_CASE("a ball that vibrates in several ways at once radiates each of them as theory says") {
    const double a = 0.05;
    const std::vector<int> degrees = {0, 1, 2, 3, 0, 1, 2, 3, 1};
    const std::vector<double> ka = {0.5, 0.7, 1.0, 1.4, 1.9, 2.6, 3.5, 4.7, 4.7};
    const VibratingSurface body = pulsating(a, degrees, ka);
    const WaveTransfer done = wave_transfer(body, small_grid, {}, {});
    const ModalTransfer& baked = done.bake.transfer;
    CHECK(done.bake.runs < 5);  // nine modes
    CHECK(done.bake.warnings.empty());
    REQUIRE(baked.complete());
    for (std::size_t j = 0; j < ka.size(); ++j) {
        CAPTURE(ka[j]);
        CAPTURE(degrees[j]);
        const int n = degrees[j];
        const Complex exact =
            exact_coefficient(n, body.omega[static_cast<long>(j)], a, baked.reference_radius, body.air);
        REQUIRE(baked.modes[j].degree >= n);
        const Complex ratio = Complex(baked.modes[j].coefficients[n * n + n]) / exact;
        // Seven cells per radius. The solver's walls are of order two: 1 % of a moving ball's pressure at five cells;
        // waves of degree three, 2πa/3 long, have 15 cells on the surface and lose up to 0.1 (3.5/7)² = 2.5 %.
        CHECK(std::abs(20 * std::log10(std::abs(ratio))) < 0.25);
        CHECK(std::abs(std::arg(ratio)) < 2 * pi / 180);
        // The rest is how a grid differs from a ball.
        const double rest = std::sqrt(
            std::max(0.0, baked.modes[j].coefficients.cast<Complex>().squaredNorm() - std::norm(ratio * exact)));
        CHECK(rest < 0.05 * std::abs(exact));
    }
}

TEST_CASE(
    "where inside and outside of a thin wall nearly cancel, the net volume flow is what is heard at low frequency") {
    // u = x pushes out ∮ n·x dS = 3V, V of the wall alone: a small rest of what its two sides push. That gives
    // −ρ0ω²·3V/4πr, since kR is small.
    const Surface bowl = clean(surface_of(Bowl{.radius = 0.08, .depth = 0.05, .thickness = 0.002})).surface;
    const double kR = 0.1, R = bounding_sphere(bowl.vertices).radius;
    VibratingSurface body{bowl, {bowl.vertices}, Eigen::VectorXd::Constant(1, kR / R * Air{}.speed_of_sound), Air{}};
    const ModalTransfer baked = wave_transfer(body, small_grid, {}, {}).bake.transfer;
    const double exact = -body.air.density * square(body.omega[0]) * 3 * mass_properties(bowl).volume /
                         (4 * pi * baked.reference_radius) * std::sqrt(4 * pi);
    // (kR)² = 1 % is scattered by the body, and as much lies between here and far away; the cells are five walls thick.
    CHECK(std::abs(Complex(baked.modes[0].coefficients[0]) / exact - 1.0) < 0.02);
}

TEST_CASE("a weak mode is not drowned by a loud one of its chord") {
    // 80 dB apart: their ratio is exactly that of their shapes, since each is driven with unit strength.
    VibratingSurface body = pulsating(0.05, {1, 1}, {1.0, 2.0});
    const ModalTransfer both = wave_transfer(body, small_grid, {}, {}).bake.transfer;
    body.shapes[0] *= 1e-4;
    const ModalTransfer weak = wave_transfer(body, small_grid, {}, {}).bake.transfer;
    const double alone = double(std::abs(both.modes[0].coefficients[2]));
    CHECK(double(std::abs(weak.modes[0].coefficients[2])) == Approx(1e-4 * alone).epsilon(1e-4));
}

TEST_CASE("modes above max_hz, and those that move no surface, are silent") {
    VibratingSurface body = pulsating(0.05, {0, 0}, {1.0, 50.0});
    body.shapes.push_back(Points::Zero(body.surface.vertices.rows(), 3));
    body.omega.conservativeResize(3);
    body.omega[2] = body.omega[0];
    TransferOptions options = small_grid;
    options.max_hz = 20e3;
    const TransferBake bake = wave_transfer(body, options, {}, {}).bake;
    CHECK(bake.transfer.complete());
    CHECK(bake.transfer.modes[0].coefficients.cwiseAbs().maxCoeff() > 0.0f);
    for (const std::size_t silent : {1, 2}) {
        CHECK(bake.transfer.modes[silent].degree == 0);
        CHECK(bake.transfer.modes[silent].coefficients == Eigen::VectorXcf::Zero(1));
    }
}

TEST_CASE("a bake gives the same bytes with any number of threads, and if it is stopped and goes on") {
    // Three modes of one frequency need three chords; two more are far away.
    const VibratingSurface body = pulsating(0.05, {0, 1, 2, 1, 3}, {1.0, 1.0, 1.0, 2.0, 3.0});
    TransferOptions options = small_grid;
    options.memory_limit = 8'000'000;  // one or two fields at a time
    const ModalTransfer whole = wave_transfer(body, options, {}, {}).bake.transfer;
    const int threads = thread_count();
    set_thread_count(1);
    CHECK(same_bytes(whole, wave_transfer(body, options, {}, {}).bake.transfer));
    set_thread_count(threads);

    BegunTransfer begun;
    const auto stop = [&](const BegunTransfer& so_far) {
        begun = so_far;
        throw Error("stopped", Blame::Work);
    };
    CHECK_THROWS_WITH(wave_transfer(body, options, {{}, stop}, {}), "stopped");
    CHECK_FALSE(begun.transfer.complete());
    const TransferBake rest = wave_transfer(body, options, {begun, {}}, {}).bake;
    CHECK(same_bytes(whole, rest.transfer));
    CHECK(rest.runs < 3);
}

namespace {

/// A tube with one open end: a quarter wavelength fits at f = c/4L, L = h + 0.6a. Its floor is driven there, and at
/// other frequencies.
VibratingSurface ringing_tube(const std::vector<double>& of_resonance) {
    const double a = 0.02, height = 0.08;
    VibratingSurface body{
        clean(surface_of(Mug{.radius = a, .height = height, .thickness = 0.003, .handle = false})).surface,
        {},
        Eigen::VectorXd(static_cast<long>(of_resonance.size())),
        Air{}};
    Points floor = Points::Zero(body.surface.vertices.rows(), 3);
    for (long v = 0; v < floor.rows(); ++v) floor(v, 1) = body.surface.vertices(v, 1) < 0.006 ? 1 : 0;
    for (std::size_t j = 0; j < of_resonance.size(); ++j) {
        body.omega[static_cast<long>(j)] =
            of_resonance[j] * 2 * pi * body.air.speed_of_sound / (4 * (height - 0.003 + 0.6 * a));
        body.shapes.push_back(floor);
    }
    return body;
}

}  // namespace

TEST_CASE(
    "a bake that is stopped anywhere, also while air rings on in a hollow, repeats no run and ends with the same "
    "bytes") {
    // Around the resonance the first runs are too short; two modes of one frequency need two chords.
    const VibratingSurface body = ringing_tube({0.7, 0.7, 1.0, 1.0, 1.0, 1.0, 1.0, 1.03, 2.1});
    TransferOptions options = small_grid;
    options.memory_limit = 5'000'000;  // one field at a time
    std::vector<BegunTransfer> kept;
    const WaveTransfer whole =
        wave_transfer(body, options, {{}, [&](const BegunTransfer& so_far) { kept.push_back(so_far); }}, {});
    REQUIRE(kept.size() > 4);
    const auto tried_again = [](const BegunTransfer& begun) {
        return std::any_of(begun.trials.begin(), begun.trials.end(), [](const auto& t) { return t.attempts > 1; });
    };
    CHECK(std::any_of(kept.begin(), kept.end(), tried_again));
    for (std::size_t i = 0; i < kept.size(); i += 3) {  // each would take a minute
        CAPTURE(i);
        std::size_t groups = 0;
        const TransferBake rest =
            wave_transfer(body, options, {kept[i], [&](const BegunTransfer&) { ++groups; }}, {}).bake;
        CHECK(same_bytes(whole.bake.transfer, rest.transfer));
        CHECK(groups == kept.size() - i - 1);
        CHECK(rest.warnings == whole.bake.warnings);
    }
}

TEST_CASE("a bake that is stopped in the middle of a long run goes on from there and ends with the same bytes") {
    const VibratingSurface body = pulsating(0.05, {0, 1}, {1.0, 1.0});
    TransferOptions options = small_grid;
    options.memory_limit = 8'000'000;
    const ModalTransfer whole = wave_transfer(body, options, {}, {}).bake.transfer;
    options.keep_seconds = 0;
    std::vector<BegunTransfer> running;
    const auto collect = [&](const BegunTransfer& so_far) {
        if (so_far.run.snapshot.step > 0) running.push_back(so_far);
    };
    wave_transfer(body, options, {{}, collect}, {});
    const auto same_run = [](const BegunTransfer& a, const BegunTransfer& b) { return a.run.modes == b.run.modes; };
    const auto found = std::adjacent_find(running.begin(), running.end(), same_run);
    REQUIRE(found != running.end());
    const BegunTransfer& begun = *found;
    std::vector<BegunTransfer> further;
    const auto watch = [&](const BegunTransfer& so_far) { further.push_back(so_far); };
    const ModalTransfer rest = wave_transfer(body, options, {begun, watch}, {}).bake.transfer;
    CHECK(same_bytes(whole, rest));
    // It goes on there: what is kept next is what was kept next before.
    CHECK(same_run(further.front(), begun));
    CHECK(further.front().run.snapshot.step == std::next(found)->run.snapshot.step);
    // Of another grid it means nothing.
    BegunTransfer foreign = begun;
    foreign.run.snapshot.states.front().pop_back();
    CHECK(same_bytes(whole, wave_transfer(body, options, {foreign, {}}, {}).bake.transfer));
}

TEST_CASE(
    "sound fields that would cost too much are left out from the highest mode down, and a warning says above which") {
    const VibratingSurface body = pulsating(0.05, {0, 1, 2, 1}, {1.0, 1.5, 2.0, 12.0});
    const WaveTransfer whole = wave_transfer(body, small_grid, {}, {});
    CHECK(whole.bake.transfer.solved_hz == std::numeric_limits<double>::infinity());
    TransferOptions options = small_grid;
    options.max_updates = 1e3;
    const TransferBake none = wave_transfer(body, options, {}, {}).bake;
    CHECK(none.transfer.complete());
    CHECK(none.runs == 0);
    CHECK(none.transfer.solved_hz < body.omega[0] / (2 * pi));
    // At ka = 12 a wave has no more than 5 cells of 5 mm, so that its grid must be finer than 5·10⁴ cells allow: it
    // alone takes most of the work.
    options = small_grid;
    options.max_cells = 5e4;
    const WaveTransfer coarse = wave_transfer(body, options, {}, {});
    const auto updates = [](const BandReport& band) {
        return band.chords * band.cells * band.duration / (0.55 * band.cell_size / Air{}.speed_of_sound);
    };
    options.max_updates = 0;
    for (const BandReport& band : coarse.bands) options.max_updates += 0.5 * updates(band);
    const TransferBake some = wave_transfer(body, options, {}, {}).bake;
    CHECK(some.transfer.complete());
    const double solved_hz = some.transfer.solved_hz;
    REQUIRE(solved_hz < body.omega[3] / (2 * pi));
    REQUIRE(solved_hz >= body.omega[0] / (2 * pi) * (1 - 1e-12));
    REQUIRE(some.warnings.size() == 1);
    CHECK(some.warnings[0].find(fmt::format("above {:.3g} kHz", 1e-3 * solved_hz)) == 0);
    CHECK(some.warnings[0].find("is an estimate") != std::string::npos);
    for (long j = 0; j < 4; ++j) {
        const bool is_silent = some.transfer.modes[j].coefficients.isZero();
        CHECK(is_silent == (body.omega[j] / (2 * pi) > solved_hz * (1 + 1e-12)));
    }
}

TEST_CASE("a single field that does not fit into the memory is refused with what a user can do") {
    TransferOptions options = small_grid;
    options.memory_limit = 1'000'000;
    CHECK_THROWS_WITH_AS(wave_transfer(pulsating(0.05, {0}, {1.0}), options, {}, {}), doctest::Contains("--memory"),
                         Error);
}

TEST_CASE("progress rises to the end") {
    const VibratingSurface body = pulsating(0.05, {0, 1}, {1.0, 1.0});
    double last = 0;
    wave_transfer(body, small_grid, {}, {[&](std::string_view, double fraction) {
                      CHECK(fraction >= last);
                      last = fraction;
                  }});
    CHECK(last == 1.0);
}

TEST_CASE("what the field of a ringing tube tends to is what a long run settles to") {
    const VibratingSurface body = ringing_tube({1.0});
    const BoundingSphere sphere = bounding_sphere(body.surface.vertices);
    const double hz = body.omega[0] / (2 * pi), crossing = sphere.radius / body.air.speed_of_sound;
    const HeardModes modes{{0}, {hz}, {1.0}};
    const Band band = cheapest_spacing({hz}, {[](double) { return 1.0; }, settling * crossing});
    const BandRun run(body, modes, sphere, band, small_grid);
    const auto solved = [&](double settling_time) {
        const double time = settling_time * crossing;
        return run.run(band.chords, band, {time, time, time}, {}, {}).front();
    };
    const SolvedMode longest = solved(256);
    REQUIRE(longest.missing < 1e-3);
    const Eigen::VectorXcf& exact = longest.transfer.coefficients;
    const auto error = [&](const SolvedMode& mode) {
        const long n = std::min(exact.size(), mode.transfer.coefficients.size());
        return double((mode.transfer.coefficients.head(n) - exact.head(n)).norm() / exact.norm());
    };
    const SolvedMode early = solved(16);
    CHECK(early.missing < settled);
    CHECK(error(early) < settled);
}

TEST_CASE("air that rings for longer than can be foretold is given the time to settle") {
    const VibratingSurface body = ringing_tube({1.0});
    const WaveTransfer done = wave_transfer(body, small_grid, {}, {});
    REQUIRE(done.bands.size() == 1);
    CHECK(done.bands.front().chords == 1);
    CHECK(done.bands.front().runs > 1);
    CHECK(done.bake.warnings.empty());
    CHECK(done.bake.transfer.complete());
}

TEST_CASE("a bake says what is wrong with its input") {
    const VibratingSurface good = pulsating(0.05, {0}, {1.0});
    const auto refuses = [](const VibratingSurface& body, const char* text,
                            const TransferOptions& options = small_grid) {
        CHECK_THROWS_WITH_AS(bake_transfer(body, options), doctest::Contains(text), Error);
    };
    VibratingSurface body = good;
    body.shapes.clear();
    refuses(body, "0 shapes for 1 frequencies");
    body = good;
    body.shapes[0](3, 1) = std::numeric_limits<double>::infinity();
    refuses(body, "shape of mode 0 is not finite");
    body = good;
    body.omega[0] = 0;
    refuses(body, "leave rigid motions out");
    body = good;
    body.shapes[0].conservativeResize(5, 3);
    refuses(body, "has 5 rows");
    body = good;
    body.surface.faces.resize(0, 3);
    refuses(body, "no faces");
    refuses(good, "max_hz must be positive", {.max_hz = -1});
    ModalTransfer other;
    other.modes.resize(2);
    CHECK_THROWS_WITH_AS(bake_transfer(good, small_grid, {other, {}}), doctest::Contains("another body"), Error);
}

}  // namespace wave_transfer_test
