// What a shell in large motion costs: microseconds per step beside what the core could do, and how long a plan bakes.
// Run:  taskset -c 0 build/release/bin/shell_bench
//
// All figures are times of the process: other load does not count. A step is 2·n·(r + K) + 2·r·K fused multiply-adds,
// of two flops each, and reads D, Ŵ and L twice: `megabytes` says whether they stay in a cache. Beside it the method of
// [Chadwick2009], linear modes and few triangles (subspace), as its tables have it: steps, cubature, error, backbone.
#include <clangor/vibration/subspace/subspace.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <ctime>
#include <random>

using namespace clangor;

namespace {

constexpr double rate = 48000;

// Sixteen chains of multiply-adds that never leave their registers; the best of some runs, in flops a second.
double fma_peak() {
    constexpr int lanes = 16, chains = 16, steps = 1 << 22;
    static const double peak = [] {
        double best = 0;
        for (int run = 0; run < 8; ++run) {
            Eigen::Array<float, lanes, 1> x[chains], a, b;
            for (int i = 0; i < chains; ++i) x[i].setConstant(float(i));
            a.setConstant(0.999f), b.setConstant(1e-3f);
            benchmark::DoNotOptimize(a);
            benchmark::DoNotOptimize(b);
            using Packet = Eigen::internal::packet_traits<float>::type;
            const Packet pa = Eigen::internal::ploadu<Packet>(a.data()), pb = Eigen::internal::ploadu<Packet>(b.data());
            Packet p[chains];
            for (int i = 0; i < chains; ++i) p[i] = Eigen::internal::ploadu<Packet>(x[i].data());
            const std::clock_t begin = std::clock();
            for (int k = 0; k < steps; ++k) {
#pragma GCC unroll 16
                for (int i = 0; i < chains; ++i) p[i] = Eigen::internal::pmadd(pa, p[i], pb);
            }
            const double taken = double(std::clock() - begin) / CLOCKS_PER_SEC;
            for (int i = 0; i < chains; ++i) benchmark::DoNotOptimize(p[i]);
            best = std::max(best, 2.0 * steps * chains * double(Eigen::internal::packet_traits<float>::size) / taken);
        }
        return best;
    }();
    return peak;
}

// As large as real ones, of random numbers: time does not depend on them.
ShellPlan any_plan(long r, long K, long n) {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    const auto fill = [&](long rows, long columns, float size) -> FloatRows {
        return FloatRows::NullaryExpr(rows, columns, [&] { return size * normal(random); });
    };
    ShellPlan plan;
    for (int i = 0; i < r; ++i) plan.kept.push_back(i);
    plan.omega = Eigen::VectorXd::LinSpaced(r, 2 * pi * 100, 2 * pi * 10e3);
    plan.coupling = fill(K, r, 1);
    plan.edges = fill(n, r, 1e-3f);
    plan.squares = fill(K, n, 1);
    plan.probes = fill(32, r, 1e3f);
    return plan;
}

void step(benchmark::State& state) {
    const long r = state.range(0), K = r, n = 6 * r, samples = 64;
    const ShellPlan plan = any_plan(r, K, n);
    ShellStepper stepper(plan, {.sample_rate_hz = rate, .xi = Eigen::VectorXd::Zero(r), .most_substeps = 1});
    stepper.set_state(Eigen::VectorXd::Constant(r, 1e-4), Eigen::VectorXd::Zero(r));
    for (auto _ : state) benchmark::DoNotOptimize(stepper.advance(samples).data());
    using benchmark::Counter;
    const double steps = double(samples) * double(state.iterations());
    const double flops = 2 * (2.0 * double(n) * double(r + K) + 2.0 * double(r * K));
    state.counters["us_per_step"] = Counter(steps * 1e-6, Counter::kIsRate | Counter::kInvert);
    state.counters["times_realtime"] = Counter(steps / rate, Counter::kIsRate);
    state.counters["fma_fraction"] = Counter(steps * flops / fma_peak(), Counter::kIsRate);
    const double bytes = 4.0 * double(n * (r + K) + r * K);
    state.counters["megabytes"] = 1e-6 * bytes;
    state.counters["gigabytes"] = Counter(2e-9 * bytes * steps, Counter::kIsRate);
}

void fused_peak(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(fma_peak());
    state.counters["gigaflops"] = fma_peak() / 1e9;
}

// A can with a bottom and no lid, 0.3 m wide and 0.45 m high, of 0.8 mm steel.
ThinShell can(int around, double h) {
    const double radius = 0.15, height = 0.45, edge = 2 * pi * radius / around;
    const int along = int(std::lround(height / (edge * std::sqrt(3.0) / 2)));
    std::vector<Eigen::RowVector3d> points;
    std::vector<Eigen::RowVector3i> faces;
    for (int j = 0; j <= along; ++j)
        for (int i = 0; i < around; ++i) {
            const double angle = 2 * pi * (i + 0.5 * (j % 2)) / around;
            points.emplace_back(radius * std::cos(angle), height * j / along, -radius * std::sin(angle));
        }
    const auto id = [around](int i, int j) { return j * around + (i + around) % around; };
    for (int j = 0; j < along; ++j)
        for (int i = 0; i < around; ++i) {
            const int a = id(i, j), b = id(i + 1, j), c = id(i + 1, j + 1), d = id(i, j + 1);
            if (j % 2) {
                faces.emplace_back(a, b, c), faces.emplace_back(a, c, d);
            } else {
                faces.emplace_back(a, b, d), faces.emplace_back(b, c, d);
            }
        }
    // The bottom: rings that lose six vertices each would not meet the wall; each is halved where its edges get short.
    std::vector<int> outer(static_cast<size_t>(around));
    for (int i = 0; i < around; ++i) outer[size_t(i)] = i;
    for (int rings = int(std::lround(radius / edge)), j = rings - 1; j >= 0; --j) {
        const double r = radius * j / rings;
        const int count = j == 0 ? 1 : std::max(3, int(std::lround(2 * pi * r / edge)));
        std::vector<int> inner;
        for (int i = 0; i < count; ++i) {
            const double angle = 2 * pi * i / count;
            inner.push_back(int(points.size()));
            points.emplace_back(r * std::cos(angle), 0, -r * std::sin(angle));
        }
        const int m = int(outer.size());
        for (int o = 0, i = 0; o < m || (count > 1 && i < count);) {
            const bool takes_outer = count == 1 || i >= count || (o < m && (o + 0.5) * count <= (i + 0.5) * m);
            if (takes_outer) {
                faces.emplace_back(outer[size_t((o + 1) % m)], outer[size_t(o % m)], inner[size_t(i % count)]), ++o;
            } else {
                faces.emplace_back(inner[size_t(i % count)], inner[size_t((i + 1) % count)], outer[size_t(o % m)]), ++i;
            }
        }
        outer = inner;
    }
    ThinShell shell;
    shell.middle.vertices.resize(std::ssize(points), 3);
    shell.middle.faces.resize(std::ssize(faces), 3);
    for (size_t i = 0; i < points.size(); ++i) shell.middle.vertices.row(long(i)) = points[i];
    for (size_t i = 0; i < faces.size(); ++i) shell.middle.faces.row(long(i)) = faces[i];
    shell.thickness = Eigen::VectorXd::Constant(1, h);
    return shell;
}

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

void bake(benchmark::State& state) {
    const ThinShell shell = can(int(state.range(0)), 8e-4);
    const Modes modes =
        vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 20e3, .max_count = int(state.range(1))});
    ShellPlan plan;
    double taken = 0;
    for (auto _ : state) {
        const std::clock_t begin = std::clock();
        plan = shell_plan(shell, steel, modes);
        taken += double(std::clock() - begin) / CLOCKS_PER_SEC;
    }
    state.counters["triangles"] = double(shell.middle.faces.rows());
    state.counters["modes"] = double(plan.modes());
    state.counters["misfit"] = plan.misfit;
    state.counters["cpu_seconds"] = taken / double(state.iterations());
    state.counters["megabytes"] =
        4e-6 * double(plan.edges.size() + plan.squares.size() + plan.coupling.size() + plan.probes.size());
}

// r modes and n triangles of random numbers that hardly couple.
void subspace_step(benchmark::State& state) {
    const long r = state.range(0), n = state.range(1), samples = 64;
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    const auto fill = [&](long rows, long columns, float size) -> FloatRows {
        return FloatRows::NullaryExpr(rows, columns, [&] { return size * normal(random); });
    };
    SubspacePlan plan;
    plan.omega = Eigen::VectorXd::LinSpaced(r, 2 * pi * 100, 2 * pi * 10e3);
    plan.triangles.resize(size_t(n));
    plan.weights = Eigen::VectorXd::Ones(n);
    plan.rows = fill(15 * n, r, 1e-3f);
    plan.membrane = fill(n, 36, 1e-6f), plan.bending = fill(n, 36, 1e-6f);
    plan.probes = fill(96, r, 1e3f);
    SubspaceStepper stepper(plan, {.sample_rate_hz = rate, .xi = Eigen::VectorXd::Zero(r), .most_substeps = 1});
    stepper.set_state(Eigen::VectorXd::Constant(r, 1e-4), Eigen::VectorXd::Zero(r));
    const std::clock_t begin = std::clock();
    for (auto _ : state) benchmark::DoNotOptimize(stepper.advance(samples).data());
    const double taken = double(std::clock() - begin) / CLOCKS_PER_SEC;
    const double each = taken / (double(samples) * double(state.iterations()));
    state.counters["ms_per_step"] = 1e3 * each;
    state.counters["s_per_second"] = each * 44100;
    state.counters["megabytes"] = 4e-6 * double(plan.rows.size());
}

void subspace_bake(benchmark::State& state) {
    const ThinShell shell = can(int(state.range(0)), 8e-4);
    const Modes modes =
        vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 20e3, .max_count = int(state.range(1))});
    SubspacePlan plan;
    double taken = 0;
    for (auto _ : state) {
        const std::clock_t begin = std::clock();
        plan = subspace_plan(shell, steel, modes, {.triangles = int(state.range(2)), .whole = state.range(3) != 0});
        taken += double(std::clock() - begin) / CLOCKS_PER_SEC;
    }
    state.counters["mesh"] = double(shell.middle.faces.rows());
    state.counters["triangles"] = double(plan.triangles.size());
    state.counters["misfit"] = plan.misfit;
    state.counters["misfit_of_whole"] = plan.misfit_of_whole;
    state.counters["area_ratio"] = plan.weights.sum() / plan.area;
    state.counters["cpu_seconds"] = taken / double(state.iterations());
}

// f/f_lin of mode 1 of a square plate, let go at so many tenths of a thickness, by the first quarter of its period.
template <class Stepper, class Options, class Plan>
double let_go(const Plan& plan, const Eigen::VectorXd& q) {
    const double steps = 2000;
    Options options;
    options.sample_rate_hz = std::max(steps * plan.omega[0], 2.02 * plan.omega.maxCoeff()) / (2 * pi);
    options.xi = Eigen::VectorXd::Zero(q.size());
    Stepper stepper(plan, options);
    stepper.set_state(q, Eigen::VectorXd::Zero(q.size()));
    const double period = options.sample_rate_hz * 2 * pi / plan.omega[0];
    const Eigen::VectorXd y = stepper.advance(long(period / 2)).row(0);
    long s = 1;
    while (y[s] > 0) ++s;
    return 0.25 * period / (double(s - 1) + y[s - 1] / (y[s - 1] - y[s]));
}

void backbone(benchmark::State& state) {
    constexpr int cells = 16;
    const double h = 0.002;
    ThinShell shell{{Points((cells + 1) * (cells + 1), 3), Triangles(2 * cells * cells, 3)},
                    Eigen::VectorXd::Constant(1, h)};
    const auto id = [](int i, int j) { return i * (cells + 1) + j; };
    for (int i = 0; i <= cells; ++i)
        for (int j = 0; j <= cells; ++j) shell.middle.vertices.row(id(i, j)) << 0.4 * i / cells, 0.4 * j / cells, 0;
    for (int i = 0, f = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
            const int a = id(i, j), b = id(i + 1, j), c = id(i + 1, j + 1), d = id(i, j + 1), turn = (i + j) % 2;
            shell.middle.faces.row(f++) << a, b, (turn ? d : c);
            shell.middle.faces.row(f++) << (turn ? b : a), c, d;
        }
    const Modes modes = vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_count = 20});
    const ShellPlan relaxed = shell_plan(shell, steel, modes);
    const SubspacePlan locked = subspace_plan(shell, steel, modes, {.triangles = int(state.range(1))});
    const Eigen::VectorXd u = modes.shapes.col(0).head(modes.shapes.rows() / 2);
    const double unit = h / std::sqrt(u.reshaped(3, u.size() / 3).colwise().squaredNorm().maxCoeff());
    const double w = 0.1 * double(state.range(0));
    for (auto _ : state) {
        state.counters["thicknesses"] = w;
        state.counters["stress_modes"] =
            let_go<ShellStepper, ShellStepperOptions>(relaxed, w * unit * Eigen::VectorXd::Unit(relaxed.modes(), 0));
        state.counters["linear_modes"] =
            let_go<SubspaceStepper, SubspaceStepperOptions>(locked, w * unit * Eigen::VectorXd::Unit(20, 0));
        state.counters["misfit"] = locked.misfit;
    }
}

}  // namespace

BENCHMARK(fused_peak)->Iterations(1);
BENCHMARK(step)->Arg(50)->Arg(100)->Arg(150)->Arg(200)->Arg(300)->Unit(benchmark::kMicrosecond);
BENCHMARK(bake)->Args({40, 30})->Args({180, 200})->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(subspace_step)
    ->Args({200, 800})
    ->Args({300, 900})
    ->Args({300, 1200})
    ->Args({500, 1500})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(subspace_bake)
    ->Args({40, 30, 30, 1})
    ->Args({40, 30, 60, 1})
    ->Args({40, 30, 120, 1})
    ->Args({40, 30, 180, 1})
    ->Args({40, 30, 30, 0})
    ->Args({40, 30, 60, 0})
    ->Args({40, 30, 120, 0})
    ->Args({40, 30, 180, 0})
    ->Args({180, 200, 800, 1})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK(backbone)
    ->Args({1, 512})
    ->Args({5, 512})
    ->Args({10, 512})
    ->Args({20, 512})
    ->Args({10, 120})
    ->Args({20, 120})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_MAIN();
