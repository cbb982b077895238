#include <clangor/radiation/transfer/wave_transfer.hpp>

#include <clangor/radiation/transfer/band_run.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace clangor::detail {
namespace {

// A wave of so few cells still has the right mean length (grid_omega), but that along an axis is off by 2.6 %: no grid is coarser.
constexpr double least_cells_per_wavelength = 5;

// Above this, lobes are finer than anyone follows by ear, and coarse waves are not worth a warning: at 5 cells a bowl's levels at 19 to 20 kHz were still
// right to 0.6 … 1.5 dB in the median over directions, and their mean over all to 0.7 dB.
constexpr double fine_directions_hz = 12e3;

// With fewer, whoever bakes is told. At 7 the far maps of a bowl are off by 0.3 dB (median).
constexpr double coarse_cells_per_wavelength = 6;

// Absorbing layers and what the interpolation reads, on both sides together.
constexpr int border_cells = 24;

// Each attempt lets the air ring four times as long as the one before: up to 512 R/c, 0.1 s around a mug.
constexpr int attempts = 4;
constexpr double patience = 4;

// Part of a mode that is missing after the last attempt: 0.4 dB.
constexpr double worth_a_warning = 0.05;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// √(∫(n·u)² dS / ∫dS): modes are driven with unit strength, so that a loud mode does not drown a quiet one of its chord.
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
    double done = 0, total = 0;  ///< cell updates
    int unsettled = 0;
    double worst_missing = 0;

    double crossing() const { return sphere.radius / body.air.speed_of_sound; }
    double updates_per_second(double top_hz) const {
        const double cell = transfer_cell(body.surface, sphere.radius, top_hz, body.air, options);
        const double across = 2 * shells_around(sphere, 0).radii.back() / cell + border_cells;
        return cube(across) * body.air.speed_of_sound / (0.55 * cell);
    }
    ModeTransfer& transfer_of(int index) {
        return result.bake.transfer.modes[static_cast<std::size_t>(heard.mode[static_cast<std::size_t>(index)])];
    }
    void store(const SolvedMode& solved) {
        if (transfer_of(solved.index).degree >= 0) return;  // from an earlier bake
        transfer_of(solved.index) = solved.transfer;
        BandReport& report = result.bands.back();
        report.residual = std::max(report.residual, solved.residual);
        if (solved.missing < worth_a_warning) return;
        ++unsettled;
        worst_missing = std::max(worst_missing, solved.missing);
    }
    void keep() const {
        if (resume.keep) resume.keep(result.bake.transfer);
    }
};

void start(Work& work) {
    const VibratingSurface& body = work.body;
    work.sphere = bounding_sphere(body.surface.vertices);
    ModalTransfer& transfer = work.result.bake.transfer;
    transfer = {work.sphere.centre, work.sphere.radius, shells_around(work.sphere, 0).radii.front(), body.air, {}};
    transfer.modes.resize(static_cast<std::size_t>(body.omega.size()));
    std::vector<int> order(transfer.modes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return body.omega[a] < body.omega[b]; });
    for (const int j : order) {
        const auto at = static_cast<std::size_t>(j);
        const double hz = body.omega[j] / (2 * pi), strength = normal_strength(body.surface, body.shapes[at]);
        const double largest = body.shapes[at].rowwise().norm().maxCoeff();
        // Where only rounding moves the surface along its normals (a ball that is twisted), there is nothing to hear either.
        if (hz > work.options.max_hz || !(strength > 1e-9 * largest)) {
            transfer.modes[at] = {body.omega[j], 0, Eigen::VectorXcf::Zero(1)};
            continue;
        }
        if (at < work.resume.begun.modes.size()) transfer.modes[at] = work.resume.begun.modes[at];
        transfer.modes[at].omega = body.omega[j];
        work.heard.mode.push_back(j);
        work.heard.hz.push_back(hz);
        work.heard.strength.push_back(strength);
    }
}

// Runs chords, as many together as the memory allows.
template <class Then>
void run_chords(Work& work, const BandRun& run, const Band& band, double settling_time, const Then& then) {
    const double duration = run_duration(band, work.crossing(), settling_time);
    const std::size_t together = run.fields_at_once(duration);
    for (std::size_t i = 0; i < band.chords.size(); i += together) {
        const std::size_t end = std::min(i + together, band.chords.size());
        const std::vector<Chord> group(band.chords.begin() + static_cast<long>(i),
                                       band.chords.begin() + static_cast<long>(end));
        const double cost = run.cells() / run.grid().time_step * duration * static_cast<double>(group.size());
        const Progress part{[&](std::string_view, double fraction) {
            work.progress("acoustic transfer", std::min(1.0, (work.done + fraction * cost) / work.total));
        }};
        then(run.run(group, band, settling_time, part));
        work.done += cost;
        work.result.bands.back().runs += static_cast<int>(group.size());
    }
}

// Modes whose air rings on: longer runs, in which more modes find room. They are stored all at once, after the last attempt, so that
// an interrupted bake finds the same modes left and gives the same bytes.
void run_longer(Work& work, const BandRun& run, std::vector<int> left) {
    std::vector<SolvedMode> finished;
    double settling_time = settling * work.crossing();
    for (int attempt = 2; attempt <= attempts && !left.empty(); ++attempt) {
        settling_time *= patience;
        std::sort(left.begin(), left.end());
        std::vector<double> hz;
        for (const int index : left) hz.push_back(work.heard.hz[static_cast<std::size_t>(index)]);
        const double speed = run.cells() / run.grid().time_step;
        Band band =
            cheapest_spacing(hz, {[speed](double) { return speed; }, arrival * work.crossing() + settling_time});
        for (Chord& chord : band.chords)
            for (int& index : chord) index = left[static_cast<std::size_t>(index)];
        work.total += band.cost;
        left.clear();
        run_chords(work, run, band, settling_time, [&](const std::vector<SolvedMode>& solved) {
            for (const SolvedMode& mode : solved) {
                if (mode.missing < settled || attempt == attempts)
                    finished.push_back(mode);
                else
                    left.push_back(mode.index);
            }
        });
    }
    for (const SolvedMode& mode : finished) work.store(mode);
    if (!finished.empty()) work.keep();
}

BandReport report_of(const Work& work, const BandRun& run, const Band& band) {
    return {.modes = band.last - band.first,
            .bottom_hz = work.heard.hz[static_cast<std::size_t>(band.first)],
            .top_hz = work.heard.hz[static_cast<std::size_t>(band.last - 1)],
            .spacing_hz = band.spacing_hz,
            .chords = static_cast<int>(band.chords.size()),
            .cells = run.cells(),
            .cell_size = run.grid().cell_size,
            .duration = run_duration(band, work.crossing(), settling * work.crossing()),
            .lost_area = run.grid().lost_area};
}

void run_band(Work& work, Band band) {
    // Chords are planned as if nothing had been solved before, so that a bake that goes on gives the same bytes as one that was
    // never stopped. Only then those that are finished are left out.
    const auto is_finished = [&](const Chord& chord) {
        return std::all_of(chord.begin(), chord.end(), [&](int index) { return work.transfer_of(index).degree >= 0; });
    };
    const double chord_cost = band.cost / static_cast<double>(band.chords.size());
    work.total -= chord_cost * static_cast<double>(std::erase_if(band.chords, is_finished));
    if (band.chords.empty()) return;
    const double begin = seconds();
    const BandRun run(work.body, work.heard, work.sphere, band, work.options);
    work.result.bands.push_back(report_of(work, run, band));
    // What was planned is an estimate.
    work.total += (run.cells() / run.grid().time_step * work.result.bands.back().duration - chord_cost) *
                  static_cast<double>(band.chords.size());
    std::vector<int> left;
    run_chords(work, run, band, settling * work.crossing(), [&](const std::vector<SolvedMode>& solved) {
        for (const SolvedMode& mode : solved) {
            if (mode.missing < settled)
                work.store(mode);
            else
                left.push_back(mode.index);
        }
        work.keep();
    });
    run_longer(work, run, left);
    work.result.bands.back().seconds = seconds() - begin;
}

void finish(Work& work) {
    const double c = work.body.air.speed_of_sound, area = area_of(work.body.surface);
    TransferBake& bake = work.result.bake;
    for (const BandReport& band : work.result.bands) {
        bake.runs += band.runs;
        bake.fit_residual = std::max(bake.fit_residual, band.residual);
        if (band.lost_area > 0.01 * area)
            bake.warnings.push_back(
                fmt::format("modes up to {:.3g} kHz: {:.0f} % of the surface lies in slots finer than the grid's cells "
                            "of {:.3g} mm and makes no sound; reference quality needs no grid",
                            1e-3 * band.top_hz, 100 * band.lost_area / area, 1e3 * band.cell_size));
        const double fine_hz = c / band.cell_size / coarse_cells_per_wavelength;
        if (band.top_hz > 1.05 * fine_hz && fine_hz < fine_directions_hz)
            bake.warnings.push_back(
                fmt::format("modes from {:.3g} to {:.3g} kHz have only {:.1f} cells a wavelength, so that their "
                            "directions are roughly right only; reference quality needs no grid",
                            1e-3 * fine_hz, 1e-3 * band.top_hz, c / band.cell_size / band.top_hz));
    }
    if (work.unsettled > 0)
        bake.warnings.push_back(fmt::format(
            "the air in the body's hollows still rings after the longest run: {} mode{} may be off by {:.0f} %",
            work.unsettled, work.unsettled == 1 ? "" : "s", 100 * std::min(1.0, work.worst_missing)));
}

}  // namespace

// Mean over all directions of Σ 4 sin²(k n_i Δx/2)/Δx²:  k²(1 − (kΔx)²/20 + (kΔx)⁴/840), and in time (2/Δt)² sin²(ω′Δt/2) = c² times that.
double grid_omega(double omega, double cell_size, double time_step, const Air& air) {
    const double kx = omega / air.speed_of_sound * cell_size;
    const double slowed = std::sqrt(1 - square(kx) / 20 + square(square(kx)) / 840);
    return 2 / time_step * std::asin(std::min(1.0, omega * slowed * time_step / 2));
}

// A plane wall across an axis, of whose last cell the part α is air, makes waves 1 + (1/6 − (α − ½)²/2)(kΔx)² times too strong: 1/8 on
// average over α. A ball has walls of all directions; with 10 and with 16 cells a radius it gave 0.093 to 0.103 for l = 0, and about as much
// for l = 1 and 3 at ka > 4 and 6. Waves that cling to the wall (ka < l) lose a little instead, which stays: 0.1 dB for l = 4 at 12 cells a
// radius.
double wall_gain(double omega, double cell_size, const Air& air) {
    return 1 + 0.1 * square(omega / air.speed_of_sound * cell_size);
}

// As fine as waves, the body (12 cells a radius) and its walls (volume/area: half a wall) ask for; walls no finer than R/24, because the
// solver sees thinner ones too.
double transfer_cell(const Surface& surface, double radius, double top_hz, const Air& air,
                     const TransferOptions& options) {
    const double wavelength = air.speed_of_sound / top_hz, volume = mass_properties(surface).volume;
    const double by_wave = wavelength / options.cells_per_wavelength, by_body = radius / 12;
    const double by_wall = volume > 0 ? std::max(volume / area_of(surface), radius / 24) : radius / 24;
    const double across = std::cbrt(options.max_cells) - border_cells;
    const double affordable = 2 * shells_around({Vec3::Zero(), radius}, 0).radii.back() / std::max(across, 8.0);
    return std::min(std::max(std::min({by_wave, by_body, by_wall}), affordable),
                    wavelength / least_cells_per_wavelength);
}

WaveTransfer wave_transfer(const VibratingSurface& body, const TransferOptions& options, const TransferResume& resume,
                           const Progress& progress) {
    const double begin = seconds();
    Work work{.body = body, .options = options, .resume = resume, .progress = progress};
    start(work);
    const std::vector<Band> bands = cheapest_bands(
        work.heard.hz,
        {[&](double top_hz) { return work.updates_per_second(top_hz); }, (arrival + settling) * work.crossing()});
    for (const Band& band : bands) work.total += band.cost;
    for (const Band& band : bands) run_band(work, band);
    finish(work);
    progress("acoustic transfer", 1);
    work.result.bake.seconds = seconds() - begin;
    return std::move(work.result);
}

}  // namespace clangor::detail
