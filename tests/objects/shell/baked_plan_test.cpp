// Plans of shells in files: what is read is what was written, or nothing.
#include <clangor/objects/shell/baked_plan.hpp>
#include <clangor/objects/shell/shell.hpp>

#include <doctest/doctest.h>

#include <io/scratch.hpp>

#include <limits>
#include <random>

namespace baked_plan_test {

using namespace clangor;
using test::message_of;
using test::Scratch;

namespace {

const std::string key(64, 'b');

// Numbers that are easy to tell apart.
FloatRows numbers(long rows, long columns, float from) {
    FloatRows all(rows, columns);
    for (long i = 0; i < all.size(); ++i) all.data()[i] = from + 0.5f * float(i);
    return all;
}

BakedShellPlan small_plan() {
    BakedShellPlan baked{.name = "lid",
                         .inputs_hash = key,
                         .plan = {.kept = {0, 2, 3},
                                  .omega = Eigen::Vector3d(100, 230, 300),
                                  .coupling = numbers(4, 3, 1),
                                  .edges = numbers(6, 3, 100),
                                  .squares = numbers(4, 6, 200),
                                  .probes = numbers(2, 3, 300),
                                  .misfit = 0.01,
                                  .prestress = 0.3}};
    baked.plan.coupling.row(0).setZero();  // modes by themselves do not make what is frozen into the wall
    return baked;
}

BakedSubspacePlan small_subspace() {
    return {.name = "lid",
            .inputs_hash = key,
            .plan = {.omega = Eigen::Vector3d(100, 230, 300),
                     .triangles = {4, 17},
                     .weights = Eigen::Vector2d(0.25, 0.5),
                     .area = 0.75,
                     .rows = numbers(30, 3, 1),
                     .membrane = numbers(2, 36, 100),
                     .bending = numbers(2, 36, 200),
                     .probes = numbers(3, 3, 300),
                     .misfit = 0.01,
                     .misfit_of_whole = 0.02}};
}

void check_same(const ShellPlan& a, const ShellPlan& b) {
    CHECK(a.kept == b.kept);
    CHECK((a.omega == b.omega) == true);
    CHECK((a.coupling == b.coupling) == true);
    CHECK((a.edges == b.edges) == true);
    CHECK((a.squares == b.squares) == true);
    CHECK((a.probes == b.probes) == true);
    CHECK(a.misfit == b.misfit);
    CHECK(a.prestress == b.prestress);
}

void check_same(const SubspacePlan& a, const SubspacePlan& b) {
    CHECK((a.omega == b.omega) == true);
    CHECK(a.triangles == b.triangles);
    CHECK((a.weights == b.weights) == true);
    CHECK(a.area == b.area);
    CHECK((a.rows == b.rows) == true);
    CHECK((a.membrane == b.membrane) == true);
    CHECK((a.bending == b.bending) == true);
    CHECK((a.probes == b.probes) == true);
    CHECK(a.misfit == b.misfit);
    CHECK(a.misfit_of_whole == b.misfit_of_whole);
}

template <class Baked>
std::string reading(std::span<const std::byte> bytes) {
    return message_of<Error>([&] { io::baked_from_bytes<Baked>(bytes, "lid.h5"); });
}

template <class Baked>
void check_file(const Baked& baked) {
    const Scratch scratch;
    io::write_baked(scratch / "lid.h5", baked);
    const Baked read = io::read_baked<Baked>(scratch / "lid.h5");
    CHECK(read.name == "lid");
    CHECK(read.inputs_hash == key);
    check_same(read.plan, baked.plan);
    const std::vector<std::byte> good = io::bytes_of_baked(baked);
    CHECK(io::bytes_of_baked(read) == good);
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> bad = good;
        bad[random() % bad.size()] ^= std::byte(1 << random() % 8);
        CHECK(reading<Baked>(bad).find("lid.h5 is ") != std::string::npos);
    }
    for (int i = 0; i < 50; ++i)
        CHECK(reading<Baked>(std::span(good).first(random() % good.size())).find("lid.h5 is ") != std::string::npos);
}

}  // namespace

TEST_CASE("a plan comes back bit for bit, or is refused: stress modes and edges") { check_file(small_plan()); }

TEST_CASE("a plan comes back bit for bit, or is refused: linear modes and triangles") { check_file(small_subspace()); }

TEST_CASE("one kind of plan is not taken for the other") {
    CHECK(reading<BakedSubspacePlan>(io::bytes_of_baked(small_plan())).find("but no Clangor subspace plan") !=
          std::string::npos);
    CHECK(reading<BakedShellPlan>(io::bytes_of_baked(small_subspace())).find("but no Clangor shell plan") !=
          std::string::npos);
}

TEST_CASE("plans whose parts do not fit are told apart from those that do") {
    CHECK(problems_of(small_plan()).empty());
    CHECK(problems_of(small_subspace()).empty());
    const auto broken = [](auto baked, const auto& change) {
        change(baked.plan);
        return !problems_of(baked).empty();
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(broken(small_plan(), [](ShellPlan& p) { p.kept = {0, 2}; }));
    CHECK(broken(small_plan(), [](ShellPlan& p) { p.kept = {0, 3, 2}; }));
    CHECK(broken(small_plan(), [](ShellPlan& p) { p.kept = {-1, 2, 3}; }));
    CHECK(broken(small_plan(), [&](ShellPlan& p) { p.omega[1] = nan; }));
    CHECK(broken(small_plan(), [](ShellPlan& p) { p.omega[1] = 0; }));
    CHECK(broken(small_plan(), [](ShellPlan& p) { p.coupling = numbers(5, 3, 1); }));
    CHECK(broken(small_plan(), [](ShellPlan& p) { p.edges = numbers(6, 2, 1); }));
    CHECK(broken(small_plan(), [](ShellPlan& p) { p.squares = numbers(4, 5, 1); }));
    CHECK(broken(small_plan(), [&](ShellPlan& p) { p.probes(1, 1) = float(nan); }));
    CHECK(broken(small_subspace(), [](SubspacePlan& p) { p.rows = numbers(29, 3, 1); }));
    CHECK(broken(small_subspace(), [](SubspacePlan& p) { p.triangles = {4}; }));
    CHECK(broken(small_subspace(), [](SubspacePlan& p) { p.membrane = numbers(2, 35, 1); }));
    CHECK(broken(small_subspace(), [&](SubspacePlan& p) { p.weights[0] = nan; }));
}

TEST_CASE("shells find their plans again in the cache: the same sizes, another file for more modes") {
    const Scratch scratch;
    const Material steel{"steel", 7800, 200e9, 0.3, {.loss_factor = 1e-3}, ""};
    scene::Shell sheet{
        .body = {.name = "sheet", .mesh = Sheet{0.2, 0.15}, .material = steel, .options = {.max_hz = 800}},
        .thickness = 0.001,
        .nonlinear_modes = 5};
    const auto baked = [&](const scene::Shell& shell) {
        BakeContext context{.quality = Quality::Draft};
        context.cache.folder = scratch.folder();
        return moving_shell(shell, context);
    };
    const MovingShell first = baked(sheet), again = baked(sheet);
    CHECK_FALSE(first.model.from_cache);
    CHECK(again.model.from_cache);
    REQUIRE(again.coupled);
    CHECK(first.coupled->modes == again.coupled->modes);
    sheet.nonlinear_modes = 8;
    const MovingShell more = baked(sheet);
    CHECK_FALSE(more.model.from_cache);
    CHECK(more.coupled->modes.size() > first.coupled->modes.size());
    sheet.method = scene::ShellMethod::Linear;
    sheet.nonlinear_modes = 0;
    const MovingShell linear = baked(sheet);
    CHECK(linear.model.from_cache);  // its modes are those of the others
    CHECK_FALSE(linear.coupled);
}

}  // namespace baked_plan_test
