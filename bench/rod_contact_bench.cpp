// What a step of rods that touch costs. Run:  taskset -c 0 build/release/bin/rod_contact_bench
#include <clangor/vibration/rod_contact/rod_contact.hpp>

#include <benchmark/benchmark.h>

#include <cmath>

using namespace clangor;

namespace {

const Material steel{"steel", 7850, 205e9, 0.29, {}, ""};
const Material aluminium{"aluminium", 2700, 68.9e9, 0.33, {}, ""};
constexpr double rate = 88200;
const Vec3 down = {0, -9.81, 0};

void report(benchmark::State& state, const RodContacts& world, long points) {
    using benchmark::Counter;
    const RodContactReport& told = world.report();
    state.counters["points"] = double(points);
    state.counters["contacts"] = double(told.contacts) / double(std::max(told.steps, 1L));
    state.counters["sweeps"] = double(told.sweeps) / double(std::max(told.contact_steps, 1L));
    state.counters["unsolved"] = double(told.unsolved) / double(std::max(told.steps, 1L));
    state.counters["s_per_s"] = Counter(double(state.iterations()) / rate, Counter::kIsRate | Counter::kInvert);
}

// A rod of 2 feet and a quarter inch that is dropped, and one that lies.
void rod_on_the_ground(benchmark::State& state) {
    const bool falls = state.range(0) != 0;
    const double r = 0.00635;
    const RodPlan plan =
        rod_plan({.points = straight_points({0, r, 0}, {0.61, falls ? r + 0.03 : r, 0}, 50), .section = round_wire(r)},
                 aluminium);
    RodStepper rod(plan, {.damping = {.beta = 1e-7}, .gravity = down});
    RodContacts world({{.rod = &rod, .radius = r}}, {RodObstacle{}});
    for (auto _ : state) world.step(1 / rate);
    report(state, world, plan.points);
}

// A closed spring that stands on its end: every turn lies on the next, rigid or by Hertz's law.
void standing_spring(benchmark::State& state) {
    const long turns = state.range(0), per_turn = 48;
    const RodContactLaw law{.stiffness = state.range(1) ? 2.06e9 : 0.0};
    const double r = 0.00019, size = 0.0325;
    Points helix(turns * per_turn + 1, 3);
    for (long i = 0; i < helix.rows(); ++i) {
        const double angle = 2 * pi * double(i) / double(per_turn);
        helix.row(i) << size * std::cos(angle), r + 1.9999 * r * angle / (2 * pi), size * std::sin(angle);
    }
    const RodPlan plan = rod_plan({.points = helix, .section = flat_bar(2 * r, 0.00095)}, steel);
    RodStepper rod(plan, {.damping = {.beta = 1e-7}, .gravity = down});
    RodContacts world({{.rod = &rod, .radius = r}}, {RodObstacle{}}, {.law = law});
    for (auto _ : state) world.step(1 / rate);
    report(state, world, plan.points);
}

// Zigzag wires hooked into each other side by side, held at both ends, as a fence of chain links is.
void chain_link_fence(benchmark::State& state) {
    const long wires = state.range(0), bends = 24, per_bend = 16;
    const double r = 0.00145, wide = 0.03, high = 0.03;
    std::vector<RodPlan> plans;
    std::vector<RodStepper> rods;
    plans.reserve(size_t(wires));
    for (long wire = 0; wire < wires; ++wire) {
        Points zigzag(bends * per_bend + 1, 3);
        for (long i = 0; i < zigzag.rows(); ++i) {
            // In the plane a rounded zigzag, across it a swing that passes each neighbour on both sides.
            const double phase = pi * (double(i) / double(per_bend) + double(wire % 2));
            zigzag.row(i) << (wide - 5.4 * r) * double(wire) + 0.5 * wide * std::sin(phase),
                high * double(i) / double(per_bend), 1.6 * r * std::cos(phase);
        }
        RodSupports held;
        held.edges = {0, zigzag.rows() - 2};
        plans.push_back(rod_plan({.points = zigzag, .section = round_wire(r)}, aluminium, {.supports = held}));
    }
    std::vector<ContactRod> touching;
    for (const RodPlan& plan : plans)
        rods.emplace_back(plan, RodStepperOptions{.damping = {.beta = 1e-7}, .gravity = down});
    for (RodStepper& rod : rods) touching.push_back({.rod = &rod, .radius = r});
    rods[size_t(wires / 2)].strike({.at = 0.3, .impulse = {0.02, 0, 0.05}, .duration = 5e-4});
    RodContacts world(touching, {}, {.law = {.restitution = 0.5, .stiffness = 1.96e9}});  // aluminium on aluminium
    for (auto _ : state) world.step(1 / rate);
    report(state, world, wires * plans[0].points);
}

}  // namespace

BENCHMARK(rod_on_the_ground)->Arg(1)->Arg(0)->Iterations(8820)->Unit(benchmark::kMicrosecond);
BENCHMARK(standing_spring)
    ->Args({3, 0})
    ->Args({10, 0})
    ->Args({10, 1})
    ->Args({81, 1})
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(chain_link_fence)->Arg(5)->Arg(35)->Iterations(100)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
