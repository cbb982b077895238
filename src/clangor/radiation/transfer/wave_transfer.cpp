#include <clangor/radiation/transfer/wave_transfer.hpp>

#include <clangor/radiation/transfer/band_run.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

namespace clangor::modal_transfer {
namespace {

// A wave of so few cells still has the right mean length (grid_omega), but that along an axis is off by 2.6 %: no grid
// is coarser.
constexpr double least_cells_per_wavelength = 5;

// Above this, lobes are finer than anyone follows by ear, and coarse waves are not worth a warning: at 5 cells a bowl's
// levels at 19 to 20 kHz were still right to 0.6 … 1.5 dB in the median over directions, and their mean over all to 0.7
// dB.
constexpr double fine_directions_hz = 12e3;

// With fewer, whoever bakes is told. At 7 the far maps of a bowl are off by 0.3 dB (median).
constexpr double coarse_cells_per_wavelength = 6;

// Absorbing layers and what the interpolation reads, on both sides together.
constexpr int border_cells = 24;

// Where the air rings on, a second attempt lets it, up to so many times the settling time of the first: 512 R/c, 0.1 s
// around a mug. Its chords are planned as if it took the smaller number.
constexpr int attempts = 2;
constexpr double longest_wait = 64, expected_wait = 8;

// Part of a mode that is missing after the last attempt: 0.4 dB.
constexpr double worth_a_warning = 0.05;

// √(∫(n·u)² dS / ∫dS): modes are driven with unit strength, so that a loud mode does not drown a quiet one of its
// chord.
double normal_strength(const Surface& surface, const Points& shape) {
    double flow = 0, area = 0;
    for (long f = 0; f < surface.faces.rows(); ++f) {
        const auto corner = [&](int i) { return Vec3(surface.vertices.row(surface.faces(f, i))); };
        const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)) / 2;  // times the area
        const double face = normal.norm();
        if (!(face > 0)) continue;
        Vec3 along;
        for (int i = 0; i < 3; ++i) along[i] = shape.row(surface.faces(f, i)).dot(normal) / face;
        flow += face * (along.squaredNorm() + square(along.sum())) / 12;  // ∫ of the square of a linear function
        area += face;
    }
    return area > 0 ? std::sqrt(flow / area) : 0;
}

/// One bake.
struct Work {
    const VibratingSurface& body;
    const TransferOptions& options;
    const TransferResume& resume;
    const Progress& progress;
    BoundingSphere sphere = {};
    HeardModes heard = {};
    WaveTransfer result = {};
    std::vector<ModeTrial> trials = {};  ///< one per mode of the body
    double done = 0, total = 0;          ///< cell updates
    std::mutex mutex = {};               ///< of all that bands share, which run side by side: what is above

    double crossing() const { return sphere.radius / body.air.speed_of_sound; }
    double cell(double top_hz) const { return transfer_cell(body.surface, sphere.radius, top_hz, body.air, options); }
    double cells(double top_hz) const {
        return cube(2 * spheres_around(sphere, 0).radii.back() / cell(top_hz) + border_cells);
    }
    double updates_per_second(double top_hz) const {
        return cells(top_hz) * body.air.speed_of_sound / (0.55 * cell(top_hz));
    }
    std::size_t mode_of(int index) const { return heard.mode[index]; }
    ModeTransfer& transfer_of(int index) { return result.bake.transfer.modes[mode_of(index)]; }
    ModeTrial& trial_of(int index) { return trials[mode_of(index)]; }

    bool is_solved(int index) { return transfer_of(index).degree >= 0; }
    bool was_tried(const Chord& chord, int attempt) {
        return std::all_of(chord.begin(), chord.end(), [&](int index) { return trial_of(index).attempts >= attempt; });
    }
    void store(const SolvedMode& solved, int attempt, BandReport& report) {
        trial_of(solved.index) = {attempt, solved.missing, report.lost_area};
        if (!(solved.missing < settled || attempt == attempts)) return;  // a longer run is needed
        transfer_of(solved.index) = solved.transfer;
        report.residual = std::max(report.residual, solved.residual);
    }
    void keep(const BegunRun& run) const {
        if (resume.keep) resume.keep({result.bake.transfer, trials, run});
    }
    void add_to_total(double updates) {
        const std::lock_guard lock(mutex);
        total += updates;
    }
};

void start(Work& work) {
    const VibratingSurface& body = work.body;
    work.sphere = bounding_sphere(body.surface.vertices);
    ModalTransfer& transfer = work.result.bake.transfer;
    transfer = {.centre = work.sphere.centre,
                .radius = work.sphere.radius,
                .reference_radius = spheres_around(work.sphere, 0).radii.front(),
                .air = body.air};
    transfer.modes.resize(body.omega.size());
    work.trials.resize(transfer.modes.size());
    const BegunTransfer& begun = work.resume.begun;
    const bool goes_on =
        begun.trials.size() == transfer.modes.size() && begun.transfer.modes.size() == transfer.modes.size();
    std::vector<int> order(transfer.modes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return body.omega[a] < body.omega[b]; });
    for (const int j : order) {
        const double hz = body.omega[j] / (2 * pi), strength = normal_strength(body.surface, body.shapes[j]);
        const double largest = body.shapes[j].rowwise().norm().maxCoeff();
        // Where only rounding moves the surface along its normals (a ball that is twisted), there is nothing to hear
        // either.
        if (hz > work.options.max_hz || !(strength > 1e-9 * largest)) {
            transfer.modes[j] = {body.omega[j], 0, Eigen::VectorXcf::Zero(1)};
            continue;
        }
        if (goes_on) {
            transfer.modes[j] = begun.transfer.modes[j];
            work.trials[j] = begun.trials[j];
        }
        transfer.modes[j].omega = body.omega[j];
        work.heard.mode.push_back(j);
        work.heard.hz.push_back(hz);
        work.heard.strength.push_back(strength);
    }
}

std::vector<Band> bands_of(const Work& work, std::size_t modes) {
    const std::vector<double> hz(work.heard.hz.begin(), work.heard.hz.begin() + static_cast<long>(modes));
    return cheapest_bands(
        hz, {[&](double top_hz) { return work.updates_per_second(top_hz); }, (arrival + settling) * work.crossing()});
}

// Of one field with its record, in the band that ends with the highest mode.
double field_bytes(const Work& work, const Band& band, double settling_time) {
    const double top_hz = work.heard.hz[band.last - 1];
    const int degree = radiated_degree(2 * pi * top_hz / work.body.air.speed_of_sound, work.sphere.radius);
    return grid_bytes(work.cells(top_hz)) +
           record_bytes(top_hz, degree, run_duration(band, work.crossing(), settling_time));
}
double field_bytes(const Work& work, const Band& band) { return field_bytes(work, band, settling * work.crossing()); }

// How many modes, from the lowest, have sound fields that max_updates and max_bytes allow. Both are constants rather
// than what a machine has free, so that the same body sounds the same everywhere.
std::size_t affordable_modes(const Work& work) {
    const auto is_affordable = [&](std::size_t modes) {
        double updates = 0;
        const std::vector<Band> bands = bands_of(work, modes);
        for (const Band& band : bands) updates += band.cost;
        return updates <= work.options.max_updates &&
               field_bytes(work, bands.back()) <= static_cast<double>(work.options.max_bytes);
    };
    const std::size_t all = work.heard.hz.size();
    if (all == 0 || is_affordable(all)) return all;
    std::size_t enough = 0, too_many = all;
    while (too_many - enough > 1) {
        const std::size_t middle = (enough + too_many) / 2;
        (is_affordable(middle) ? enough : too_many) = middle;
    }
    return enough;
}

// Gives up the modes whose sound fields would be too costly, and says so.
void leave_out_costly(Work& work) {
    const std::size_t all = work.heard.hz.size(), kept = affordable_modes(work);
    if (kept == all) return;
    TransferBake& bake = work.result.bake;
    const double top_hz = kept > 0 ? work.heard.hz[kept - 1] : 1.0;
    const std::vector<Band> bands = bands_of(work, all);
    double updates = 0;
    for (const Band& band : bands) updates += band.cost;
    bake.transfer.solved_hz = top_hz;
    bake.warnings.push_back(
        fmt::format("above {:.3g} kHz the sound of {} of {} modes is an estimate, by small sources on the surface: "
                    "in the air around a body of {:.2g} m, sound fields of all modes up to {:.3g} kHz would take "
                    "{:.2g} times the work that is allowed, and {:.2g} GB. A lower max_hz leaves these modes out",
                    1e-3 * top_hz, all - kept, all, 2 * work.sphere.radius, 1e-3 * work.heard.hz.back(),
                    updates / work.options.max_updates, 1e-9 * field_bytes(work, bands.back())));
    for (std::size_t i = kept; i < all; ++i) {
        const std::size_t at = work.heard.mode[i];
        bake.transfer.modes[at] = {work.body.omega[work.heard.mode[i]], 0, Eigen::VectorXcf::Zero(1)};
        work.trials[at] = {};
    }
    work.heard.mode.resize(kept);
    work.heard.hz.resize(kept);
    work.heard.strength.resize(kept);
}

// One field at least must fit: how many more run together is BandRun's business.
void check_memory(const Work& work, const Band& band) {
    const double needed = 1.1 * field_bytes(work, band), allowed = static_cast<double>(work.options.memory_limit);
    if (allowed == 0 || needed <= allowed) return;
    throw Error(
        fmt::format("sound fields of modes up to {:.3g} kHz around a body of {:.2g} m take {:.2g} GB of memory, but "
                    "{:.2g} GB may be used; allow more (--memory), lower max_hz, or choose \"radiation\": "
                    "\"compact\"",
                    1e-3 * work.heard.hz[band.last - 1], 2 * work.sphere.radius, 1e-9 * needed, 1e-9 * allowed),
        Blame::Memory);
}

// Larger snapshots are not kept.
constexpr double largest_snapshot = 5e8;  // [bytes]

WaveResume resume_of(Work& work, const std::vector<Chord>& group, int attempt) {
    std::vector<int> modes;
    for (const Chord& chord : group) {
        for (const int index : chord) modes.push_back(static_cast<int>(work.mode_of(index)));
        modes.push_back(-1);
    }
    WaveResume resume{.keep_seconds = work.options.keep_seconds};
    const BegunRun& begun = work.resume.begun.run;
    if (begun.attempt == attempt && begun.modes == modes) resume.begun = begun.snapshot;
    if (!work.resume.keep) return resume;
    resume.keep = [&work, attempt, modes](const WaveSnapshot& snapshot) {
        double bytes = 0;
        for (const auto& part : snapshot.states) bytes += 4.0 * static_cast<double>(part.size());
        for (const auto& part : snapshot.recorded) bytes += 4.0 * static_cast<double>(part.size());
        if (bytes > largest_snapshot) return;
        const std::lock_guard lock(work.mutex);
        work.keep({attempt, modes, snapshot});
    };
    return resume;
}

// Runs chords, as many together as BandRun allows, and keeps what each group gave: a bake that is stopped loses no more
// than one group of each band.
void run_chords(Work& work, const BandRun& run, const Band& band, const SettlingTime& settling_time, int attempt,
                BandReport& report) {
    const double longest = run_duration(band, work.crossing(), settling_time.longest),
                 expected = run_duration(band, work.crossing(), settling_time.expected);
    const std::size_t together = run.fields_at_once(longest);
    for (std::size_t i = 0; i < band.chords.size(); i += together) {
        const std::size_t end = std::min(i + together, band.chords.size());
        const std::vector<Chord> group(band.chords.begin() + static_cast<long>(i),
                                       band.chords.begin() + static_cast<long>(end));
        const double cost = run.updates(expected) * static_cast<double>(group.size());
        double done = 0;
        const auto report_progress = [&](double fraction) {
            const double now = std::min(1.0, fraction * longest / expected) * cost;
            work.done += now - done;
            done = now;
            work.progress("acoustic transfer", std::min(1.0, work.done / work.total));
        };
        const Progress part{[&](std::string_view, double fraction) {
            const std::lock_guard lock(work.mutex);
            report_progress(fraction);
        }};
        const WaveResume resume = resume_of(work, group, attempt);
        const std::vector<SolvedMode> solved = run.run(group, band, settling_time, part, resume);
        const std::lock_guard lock(work.mutex);
        for (const SolvedMode& mode : solved) work.store(mode, attempt, report);
        work.keep({});
        report_progress(1);
        report.runs += static_cast<int>(group.size());
    }
}

// Until the record of one field takes as much as it may.
double longest_settling(const Work& work, const Band& band) {
    const double most = longest_wait * settling * work.crossing();
    const double without = field_bytes(work, band, 0), with = field_bytes(work, band, most);
    const double share = (static_cast<double>(work.options.max_bytes) - without) / (with - without);
    return most * std::clamp(share, expected_wait / longest_wait, 1.0);
}

// Modes of a band whose air rings on: longer runs, in which more modes find room. Which modes these are follows from
// the trials alone, finished or not, so that a bake that goes on plans as one that was never stopped.
void run_longer(Work& work, const BandRun& run, const Band& of_all, BandReport& report) {
    std::vector<int> left;
    std::vector<double> hz;
    for (int index = of_all.first; index < of_all.last; ++index) {
        if (work.is_solved(index) && work.trial_of(index).attempts < 2) continue;
        left.push_back(index);
        hz.push_back(work.heard.hz[index]);
    }
    if (left.empty()) return;
    const double first = settling * work.crossing(), expected = expected_wait * first, speed = run.updates(1);
    Band band = cheapest_spacing(hz, {[speed](double) { return speed; }, arrival * work.crossing() + expected});
    for (Chord& chord : band.chords)
        for (int& index : chord) index = left[index];
    const double chord_cost = band.cost / static_cast<double>(band.chords.size());
    std::erase_if(band.chords, [&](const Chord& chord) { return work.was_tried(chord, 2); });
    work.add_to_total(chord_cost * static_cast<double>(band.chords.size()));
    run_chords(work, run, band, {3 * first, expected, longest_settling(work, of_all)}, 2, report);
}

BandReport report_of(const Work& work, const Band& band) {
    const double top_hz = work.heard.hz[band.last - 1];
    return {.modes = band.last - band.first,
            .bottom_hz = work.heard.hz[band.first],
            .top_hz = top_hz,
            .spacing_hz = band.spacing_hz,
            .chords = static_cast<int>(band.chords.size()),
            .cells = work.cells(top_hz),
            .cell_size = work.cell(top_hz),
            .duration = run_duration(band, work.crossing(), settling * work.crossing())};
}

BandReport run_band(Work& work, Band band, const TransferOptions& options) {
    BandReport report = report_of(work, band);
    // Chords are planned as if nothing had been solved before, so that a bake that goes on gives the same bytes as one
    // that was never stopped. Only then those that were tried are left out.
    const double chord_cost = band.cost / static_cast<double>(band.chords.size());
    work.add_to_total(-chord_cost * static_cast<double>(std::erase_if(
                                        band.chords, [&](const Chord& chord) { return work.was_tried(chord, 1); })));
    bool is_finished = true;
    for (int index = band.first; index < band.last; ++index) is_finished = is_finished && work.is_solved(index);
    if (is_finished) {
        report.lost_area = work.trial_of(band.first).lost_area;
        return report;
    }
    const Stopwatch watch;
    const BandRun run(work.body, work.heard, work.sphere, band, options);
    report.lost_area = run.grid().lost_area;
    report.cells = run.cells();
    // What was planned is an estimate.
    work.add_to_total((run.updates(report.duration) - chord_cost) * static_cast<double>(band.chords.size()));
    const double first = settling * work.crossing();
    run_chords(work, run, band, {first, first, first}, 1, report);
    run_longer(work, run, band, report);
    report.seconds = watch.seconds();
    return report;
}

// Side by side, as far as memory goes; the highest first, which takes longest.
void run_bands(Work& work, const std::vector<Band>& bands) {
    const double allowed = static_cast<double>(work.options.memory_limit);
    long together = std::min<long>(std::ssize(bands), thread_count());
    while (together > 1 && allowed > 0 && 1.1 * field_bytes(work, bands.back()) > allowed / double(together))
        --together;
    TransferOptions options = work.options;
    if (together > 1) options.memory_limit /= together;
    work.result.bands.resize(bands.size());
    parallel_for(std::ssize(bands), AtMost{together}, [&](long i) {
        const long b = std::ssize(bands) - 1 - i;
        work.result.bands[b] = run_band(work, bands[b], options);
    });
}

void finish(Work& work) {
    const double c = work.body.air.speed_of_sound, area = area_of(work.body.surface);
    TransferBake& bake = work.result.bake;
    for (const BandReport& band : work.result.bands) {
        bake.runs += band.runs;
        bake.fit_residual = std::max(bake.fit_residual, band.residual);
        if (band.lost_area > 0.01 * area)
            bake.warnings.push_back(
                fmt::format("modes up to {:.3g} kHz: {:.0f} % of the surface lies in slots finer than the grid's "
                            "cells of {:.3g} mm and makes no sound; reference quality needs no grid",
                            1e-3 * band.top_hz, 100 * band.lost_area / area, 1e3 * band.cell_size));
        const double fine_hz = c / band.cell_size / coarse_cells_per_wavelength;
        if (band.top_hz > 1.05 * fine_hz && fine_hz < fine_directions_hz)
            bake.warnings.push_back(
                fmt::format("modes from {:.3g} to {:.3g} kHz have only {:.1f} cells per wavelength, so that their "
                            "directions are roughly right only; reference quality solves for them better",
                            1e-3 * fine_hz, 1e-3 * band.top_hz, c / band.cell_size / band.top_hz));
    }
    const double directed_hz = largest_directed_wave_number(work.sphere.radius) * c / (2 * pi);
    if (!work.heard.hz.empty() && work.heard.hz.back() > 1.05 * directed_hz && directed_hz < fine_directions_hz)
        bake.warnings.push_back(fmt::format(
            "the body is so large ({:.2g} m) that sound above {:.3g} kHz has finer directions than are kept of it: "
            "there it is only roughly right",
            2 * work.sphere.radius, 1e-3 * directed_hz));
    int unsettled = 0;
    double worst_missing = 0;
    for (const ModeTrial& trial : work.trials) {
        unsettled += trial.missing >= worth_a_warning;
        worst_missing = std::max(worst_missing, trial.missing);
    }
    if (unsettled > 0)
        bake.warnings.push_back(fmt::format(
            "the air in the body's hollows still rings after the longest run: {} mode{} may be off by {:.0f} %",
            unsettled, unsettled == 1 ? "" : "s", 100 * std::min(1.0, worst_missing)));
}

}  // namespace

// Mean over all directions of Σ 4 sin²(k n_i Δx/2)/Δx²:  k²(1 − (kΔx)²/20 + (kΔx)⁴/840), and in time (2/Δt)²
// sin²(ω′Δt/2) = c² times that.
double grid_omega(double omega, double cell_size, double time_step, const Air& air) {
    const double kx = omega / air.speed_of_sound * cell_size;
    const double slowed = std::sqrt(1 - square(kx) / 20 + square(square(kx)) / 840);
    return 2 / time_step * std::asin(std::min(1.0, omega * slowed * time_step / 2));
}

// A plane wall across an axis, of whose last cell the part α is air, makes waves 1 + (1/6 − (α − ½)²/2)(kΔx)² times too
// strong: 1/8 on average over α. A ball has walls of all directions; with 10 and with 16 cells per radius it gave 0.093
// to 0.103 for l = 0, and about as much for l = 1 and 3 at ka > 4 and 6. Waves that cling to the wall (ka < l) lose a
// little instead, which stays: 0.1 dB for l = 4 at 12 cells per radius.
double wall_gain(double omega, double cell_size, const Air& air) {
    return 1 + 0.1 * square(omega / air.speed_of_sound * cell_size);
}

// As fine as waves, the body (12 cells per radius) and its walls (volume/area: half a wall) ask for; walls no finer
// than R/24, because the solver sees thinner ones too.
double transfer_cell(const Surface& surface, double radius, double top_hz, const Air& air,
                     const TransferOptions& options) {
    const double wavelength = air.speed_of_sound / top_hz, volume = mass_properties(surface).volume;
    const double by_wave = wavelength / options.cells_per_wavelength, by_body = radius / 12;
    const double by_wall = volume > 0 ? std::max(volume / area_of(surface), radius / 24) : radius / 24;
    const double across = std::cbrt(options.max_cells) - border_cells;
    const double affordable = 2 * spheres_around({Vec3::Zero(), radius}, 0).radii.back() / std::max(across, 8.0);
    return std::min(std::max(std::min({by_wave, by_body, by_wall}), affordable),
                    wavelength / least_cells_per_wavelength);
}

WaveTransfer wave_transfer(const VibratingSurface& body, const TransferOptions& options, const TransferResume& resume,
                           const Progress& progress) {
    const Stopwatch watch;
    Work work{.body = body, .options = options, .resume = resume, .progress = progress};
    start(work);
    leave_out_costly(work);
    const std::vector<Band> bands = bands_of(work, work.heard.hz.size());
    if (!bands.empty()) check_memory(work, bands.back());
    for (const Band& band : bands) work.total += band.cost;
    if (!bands.empty()) run_bands(work, bands);
    finish(work);
    progress("acoustic transfer", 1);
    work.result.bake.seconds = watch.seconds();
    return std::move(work.result);
}

}  // namespace clangor::modal_transfer
