// What is heard of collisions of grains: their places, their normals, those that are slow.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/falling_beads.hpp>

#include <fmt/format.h>

#include <functional>

namespace clangor::validation {
namespace {

constexpr double importance_seconds = 0.3;
constexpr long importance_beads = 512;
constexpr std::uint64_t importance_runs = 24;

using Runs = std::vector<std::vector<Encounter>>;

/// False: it is left out.
using ChangeOfEncounter = std::function<bool(Encounter&, Random&)>;

ChangeOfEncounter anywhere_in_cells(double cell) {
    return [cell](Encounter& e, Random& random) {
        for (double& x : e.point) x = (std::floor(x / cell) + random.uniform()) * cell;
        return true;
    };
}

ChangeOfEncounter any_normal_below(double speed) {
    return [speed](Encounter& e, Random& random) {
        if (e.speed >= speed) return true;
        const double friction = e.friction.norm();
        e.normal = drawn_direction(random);
        e.friction = friction * e.normal.unitOrthogonal();
        return true;
    };
}

ChangeOfEncounter without_slower(double speed) {
    return [speed](Encounter& e, Random&) { return e.speed >= speed; };
}

double energy_heard(std::span<const Encounter> encounters, const Vec3& listener) {
    double energy = 0;
    for (const float p : sound_of(encounters, listener, importance_seconds)) energy += square(double(p));
    return energy;
}

/// Who hears all runs, and how much.
struct Hearer {
    std::string name;
    Vec3 place;
    double energy = 0;
};

// Level of all runs with the change, over that without it [dB].
double level_after(const Runs& runs, const Hearer& hearer, const ChangeOfEncounter& change) {
    Random random(1);
    double after = 0;
    for (const std::vector<Encounter>& run : runs) {
        std::vector<Encounter> changed;
        for (Encounter e : run)
            if (change(e, random)) changed.push_back(e);
        after += energy_heard(changed, hearer.place);
    }
    return 10 * std::log10(after / hearer.energy);
}

double part_slower(const Runs& runs, double speed) {
    double all = 0, slow = 0;
    for (const std::vector<Encounter>& run : runs)
        for (const Encounter& e : run) {
            all += 1;
            slow += e.speed < speed ? 1 : 0;
        }
    return slow / all;
}

// All changes of one kind, over the number that they take.
Plot importance_plot(const Runs& runs, const std::vector<Hearer>& hearers, Plot plot, const std::vector<double>& over,
                     const std::function<ChangeOfEncounter(double)>& change) {
    plot.y_label = "level changes by [dB]";
    for (const Hearer& hearer : hearers) {
        Curve curve{.label = hearer.name, .x = over};
        for (const double x : over) curve.y.push_back(level_after(runs, hearer, change(x)));
        plot.curves.push_back(std::move(curve));
    }
    return plot;
}

Plot speeds_plot(const Runs& runs, const std::vector<double>& speeds) {
    Curve curve{.label = "collisions", .x = speeds};
    for (const double speed : speeds) curve.y.push_back(100 * part_slower(runs, speed));
    return {.title = "how many are slower",
            .x_label = "speed [m/s]",
            .y_label = "part of all collisions [%]",
            .log_x = true,
            .curves = {curve}};
}

}  // namespace

Case grain_importance_case(const Progress& progress) {
    Case result{
        .name = "grain-importance",
        .title = "What is heard of the collisions of falling beads: places, normals, slow ones",
        .source = "the same collisions as they were simulated [dB]",
        .settings =
            fmt::format("{} falls of {} glass beads of 2 mm into a box, heard over {} s at 0.4 m, above the box "
                        "and beside it",
                        importance_runs, importance_beads, importance_seconds),
        .remark =
            "Places may be anywhere in cells of centimetres, and the normals of the slower seven eighths any way, "
            "but not those of the few fast ones: what falls is heard along its fall. Without the slower seven "
            "eighths the sound is 0.6 dB quieter above and 1.7 dB beside"};
    Runs runs;
    for (std::uint64_t seed = 1; seed <= importance_runs; ++seed)
        runs.push_back(falling_beads(importance_beads, seed, importance_seconds));
    std::vector<Hearer> hearers = {{"above", {0, 0.4, 0}}, {"beside", {0.4, 0.01, 0}}};
    for (Hearer& hearer : hearers)
        for (const std::vector<Encounter>& run : runs) hearer.energy += energy_heard(run, hearer.place);
    progress("grain-importance", 0.3);
    const std::vector<double> speeds = {0.1, 0.2, 0.35, 0.5, 0.7, 1, 1.4}, cells_cm = {0.5, 1, 2, 4};
    const auto plot = [&](const std::string& title, const auto& change) {
        return importance_plot(runs, hearers, {.title = title, .x_label = "speed [m/s]", .log_x = true}, speeds,
                               change);
    };
    result.plots = {importance_plot(runs, hearers, {.title = "anywhere in cells", .x_label = "edge of cells [cm]"},
                                    cells_cm, [](double cm) { return anywhere_in_cells(cm / 100); }),
                    plot("any normals of those that are slower", any_normal_below),
                    plot("without those that are slower", without_slower), speeds_plot(runs, speeds)};
    const auto add = [&](const std::string& what, double found, double limit, bool at_least = false) {
        result.bounds.push_back({what, found, limit, at_least});
    };
    add("part of collisions below 0.5 m/s", part_slower(runs, 0.5), 0.8, true);
    for (const Hearer& hearer : hearers) {
        const auto changed = [&](const ChangeOfEncounter& change) { return level_after(runs, hearer, change); };
        for (const double cell : {0.01, 0.02})
            add(fmt::format("{}, anywhere in cells of {:g} cm, change of level [dB]", hearer.name, 100 * cell),
                std::abs(changed(anywhere_in_cells(cell))), 0.2);
        add(hearer.name + ", any normals below 0.5 m/s, change of level [dB]", std::abs(changed(any_normal_below(0.5))),
            0.2);
    }
    // What falls meets what lies from above, and is heard along its normal.
    constexpr double any_speed = 1e9;
    add("above, any normals of all, change of level [dB]", level_after(runs, hearers[0], any_normal_below(any_speed)),
        -2);
    add("beside, any normals of all, change of level [dB]", level_after(runs, hearers[1], any_normal_below(any_speed)),
        1, true);
    return result;
}

}  // namespace clangor::validation
