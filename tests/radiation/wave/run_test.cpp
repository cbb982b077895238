// Runs: the same bits for any threads and any company, and errors instead of wrong sound.
#include <radiation/wave/sphere_sound.hpp>

#include <threads.hpp>

#include <clangor/radiation/wave/advance.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <string>

namespace run_test {

using namespace clangor;
using namespace clangor::test;
using doctest::Contains;

namespace {

constexpr double a = 0.01;
const Air air;
const double h = a / air.speed_of_sound;

double pulse(double t) { return mitchell_pulse(t, h); }

Points some_points() {
    Points points(3, 3);
    points << 1.6 * a, 0, 0, 0, 1.1 * a, 0, -a, a, 0.5 * a;
    return points;
}

struct Case {
    Surface ball = icosphere(a, 3);
    WaveSolver solver{ball, some_points(), air, {.cell_size = a / 5}};
    std::vector<WaveField> rigid_fields() const {
        std::vector<WaveField> fields;
        for (const Points& motion : rigid_motions(ball, Vec3(0.2 * a, 0, 0))) fields.push_back({{{motion, pulse}}});
        return fields;
    }
};

const WaveRunOptions brief{.start_time = -2 * h, .max_duration = 8 * h};

using clangor::testing::Threads;

}  // namespace

TEST_CASE("the number of threads changes no bit, and neither does the company of other fields") {
    const Case test;
    const std::vector<WaveField> fields = test.rigid_fields();
    WaveRecord alone, together;
    {
        const Threads one(1);
        together = test.solver.run(fields, brief);
    }
    for (const int threads : {2, 3, 4}) {
        const Threads several(threads);
        const WaveRecord other = test.solver.run(fields, brief);
        for (std::size_t f = 0; f < fields.size(); ++f) CHECK(other.pressure[f] == together.pressure[f]);
        CHECK(test.solver.run({fields[1]}, brief).pressure[0] == together.pressure[1]);
    }
}

TEST_CASE(
    "a field that has enough ends within 128 steps of a question, the others go on as if alone, also after a stop") {
    const Case test;
    const std::vector<WaveField> fields = test.rigid_fields();
    WaveRunOptions options{.start_time = -2 * h, .max_duration = 60 * h};
    const WaveRecord whole = test.solver.run(fields, options);
    const double asked_at = 20 * h, step = test.solver.report().time_step;
    const long first = static_cast<long>(std::ceil(asked_at / step)), steps = whole.samples() - 1;
    REQUIRE(first + 128 < steps);
    options.ask_at = {options.start_time + asked_at};
    options.has_enough = [](std::size_t field, const Eigen::MatrixXf&) { return field % 2 == 1; };
    std::vector<WaveSnapshot> kept;
    const WaveResume keep{{}, [&](const WaveSnapshot& snapshot) { kept.push_back(snapshot); }, 0};
    const auto check = [&](const WaveRecord& record) {
        for (std::size_t f = 0; f < fields.size(); ++f) {
            CAPTURE(f);
            const long samples = record.pressure[f].rows();
            CHECK(record.pressure[f] == whole.pressure[f].topRows(samples));
            if (f % 2 == 0)
                CHECK(samples == steps + 1);
            else
                CHECK((samples > first && samples <= first + 129));
        }
    };
    check(test.solver.run(fields, options, {}, keep));
    REQUIRE(kept.size() >= 2);
    CHECK(kept.front().states[1].size() > 0);
    CHECK(kept.back().states[1].empty());
    for (const WaveSnapshot& begun : kept) check(test.solver.run(fields, options, {}, {begun, {}, 0}));
}

TEST_CASE("motions of one field add up, and scale") {
    const Case test;
    const std::array<Points, 6> rigid = rigid_motions(test.ball, Vec3::Zero());
    const WaveField chord{{{rigid[0], pulse}, {rigid[1], [](double t) { return -2 * pulse(t - h); }}}};
    const WaveRecord record = test.solver.run({{{chord.motions[0]}}, {{chord.motions[1]}}, chord}, brief);
    const Eigen::MatrixXf sum = record.pressure[0] + record.pressure[1];
    CHECK((sum - record.pressure[2]).cwiseAbs().maxCoeff() < 1e-5f * sum.cwiseAbs().maxCoeff());  // float, 100 steps
}

TEST_CASE("every k-th sample is a sample of the full record") {
    const Case test;
    const std::vector<WaveField> fields = {test.rigid_fields()[0]};
    const WaveRecord full = test.solver.run(fields, brief);
    WaveRunOptions options = brief;
    options.record_every = 3;
    const WaveRecord third = test.solver.run(fields, options);
    CHECK(third.samples() == (full.samples() - 1) / 3 + 1);
    CHECK(third.sample_step == clangor::test::Approx(3 * full.sample_step));
    for (long k = 0; k < third.samples(); ++k) REQUIRE(third.pressure[0].row(k) == full.pressure[0].row(3 * k));
}

TEST_CASE("points close to the body hear what points in free air would") {
    // Between the exact near field at 1.1 radii, p ∝ cosθ(f′ + cf/r)/r, and the grid: 5 cells per radius leave 3 %.
    const Case test;
    const WaveRecord record = test.solver.run({test.rigid_fields()[1]}, brief);
    const SphereResponse response(a, air.speed_of_sound, pulse, -2 * h, 8 * h, h);
    double peak = 0;
    for (double t = -2 * h; t < 4 * h; t += h / 100) {
        const Eigen::Vector2d f = response(t);
        peak = std::max(peak, air.density * air.speed_of_sound / 1.1 * (f[1] + air.speed_of_sound / (1.1 * a) * f[0]));
    }
    CHECK(double(record.pressure[0].col(1).maxCoeff()) == clangor::test::Approx(peak).epsilon(0.05));
}

TEST_CASE("a grid that does not fit into the memory says how much it needs and which cells would fit") {
    const Surface ball = icosphere(a, 2);
    const WaveGridOptions options{.cell_size = a / 50, .memory_limit = 20'000'000};
    try {
        const WaveSolver solver(ball, some_points(), air, options);
        FAIL("20 MB cannot hold 200³ cells");
    } catch (const Error& error) {
        const std::string message = error.what();
        CAPTURE(message);
        CHECK(message.find("0.02 GB may be used") != std::string::npos);
        const std::size_t at = message.find("Cells of ");
        REQUIRE(at != std::string::npos);
        const double larger = std::stod(message.substr(at + 9));
        CHECK_NOTHROW(WaveSolver(ball, some_points(), air, {.cell_size = larger, .memory_limit = 20'000'000}));
        CHECK_THROWS_AS(WaveSolver(ball, some_points(), air, {.cell_size = 0.9 * larger, .memory_limit = 20'000'000}),
                        Error);
    }
    // Infinitely many cells must not overflow a counter on the way to the message.
    CHECK_THROWS_WITH_AS(WaveSolver(ball, some_points(), air, {.cell_size = 1e-12}), Contains("may be used"), Error);
}

TEST_CASE("an unstable run is an error, never a sound") {
    const Case test;
    const auto fields = [&](double value) {
        const Points strong = 1e6 * rigid_motions(test.ball, Vec3::Zero())[0];
        return std::vector<WaveField>{{{{strong, [value](double) { return value; }}}}};
    };
    CHECK_THROWS_WITH_AS(test.solver.run(fields(NAN), brief), Contains("not finite"), Error);
    // Beyond the range of float the pressures overflow, and that is found.
    try {
        test.solver.run(fields(1e38), brief);
        FAIL("pressures beyond float");
    } catch (const Error& error) {
        CHECK(error.blame() == Blame::Work);
        CHECK(std::string(error.what()).find("unstable") != std::string::npos);
    }

    // A time step beyond the limit: the largest pressure grows, and NaN is reported as such.
    wave::StepPlan plan;
    plan.grid.cells = {40, 40, 40};
    plan.grid.cell_size = 1;
    plan.grid.layer_cells = 8;
    plan.grid.courant_sq = 1.1 / 3;  // beyond the limit
    wave::lay_out(plan.grid);
    plan.layer = wave::layer_profile(8, 1, plan.grid.courant_sq, 40);
    wave::finish(plan);
    std::vector<wave::FieldState> fields_of_one;
    fields_of_one.emplace_back(plan);
    fields_of_one[0].now.data()[plan.grid.index(20, 20, 20)] = 1;
    wave::advance(plan, fields_of_one, 0, 400, 1, 8);
    CHECK_FALSE(wave::largest_pressure(plan, fields_of_one[0]) < 1e3f);
    wave::advance(plan, fields_of_one, 400, 1600, 1, 8);
    CHECK(std::isnan(wave::largest_pressure(plan, fields_of_one[0])));
}

TEST_CASE("bad input is refused with its reason") {
    const Surface ball = icosphere(a, 2);
    const Case test;
    CHECK_THROWS_WITH_AS(WaveSolver(ball, Points(0, 3), air, {.cell_size = 0}), Contains("cell_size"), Error);
    CHECK_THROWS_WITH_AS(WaveSolver(ball, Points(0, 3), air, {.cell_size = a / 5, .courant = 1.2}), Contains("courant"),
                         Error);
    CHECK_THROWS_WITH_AS(WaveSolver(Surface{}, Points(0, 3), air, {.cell_size = a / 5}), Contains("no faces"), Error);
    Points inside(1, 3);
    inside << 0.2 * a, 0, 0;
    CHECK_THROWS_WITH_AS(WaveSolver(ball, inside, air, {.cell_size = a / 5}), Contains("inside the body"), Error);
    Surface inverted = ball;
    inverted.faces = ball.faces.rowwise().reverse().eval();
    CHECK_THROWS_WITH_AS(WaveSolver(inverted, Points(0, 3), air, {.cell_size = a / 5}), Contains("inside out"), Error);
    CHECK_THROWS_WITH_AS(test.solver.run({{{{Points::Zero(3, 3), pulse}}}}, brief), Contains("one row for each"),
                         Error);
    CHECK_THROWS_WITH_AS(test.solver.run({}, {}), Contains("max_duration"), Error);
}

TEST_CASE("progress is told from the calling thread and may stop a run") {
    const Case test;
    double last = 0;
    const Progress watch{[&](std::string_view, double fraction) {
        CHECK(fraction >= last);
        last = fraction;
    }};
    test.solver.run({test.rigid_fields()[0]}, brief, watch);
    CHECK(last == 1.0);
    struct Stop {};
    const Progress stop{[](std::string_view, double fraction) {
        if (fraction > 0.3) throw Stop{};
    }};
    CHECK_THROWS_AS(test.solver.run({test.rigid_fields()[0]}, brief, stop), Stop);
}

}  // namespace run_test
