#include <clangor/radiation/transfer/band_run.hpp>

#include <clangor/radiation/transfer/demodulate.hpp>
#include <clangor/radiation/transfer/extrapolate.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace clangor::modal_transfer {
namespace {

// More gain nothing, but for each thread one.
constexpr int most_fields = 8;

// Of the record, per shortest period.
constexpr double samples_per_period = 6;

// What is still to come, from three estimates at equal distances in time. If one ringing is left, each change is z
// times the one before, and all further ones add up to z/(1 − z) of the last   docs/theory/transfer-chords.md, Eq. 8.
// Several ringings make changes unlike each other; then their sizes tell |z|, while the angle between them still tells
// whether they turn or pile up.
double part_missing(const Eigen::VectorXcd& first, const Eigen::VectorXcd& second, const Eigen::VectorXcd& third) {
    const Eigen::VectorXcd before = second - first, now = third - second;
    const double size = third.norm();
    if (!(size > 0)) return 0;
    // Changes of this size are rounding: they do not decay.
    if (now.norm() < 2e-4 * size || before.norm() < 2e-4 * size) return now.norm() / size;
    const std::complex<double> z = std::polar(std::min(now.norm() / before.norm(), 0.97), std::arg(before.dot(now)));
    return now.norm() / size * std::abs(z) / std::abs(1.0 - z);
}

// Of a mode, over the settling time. More than ten tell more ringings apart, and were wrong more often.
constexpr int estimate_count = 10;

// How much longer air that still rings is let ring before it is asked again.
constexpr double longer = 1.5;

// Where the grid is coarse, this part of its own error may be missing.
constexpr double share_of_grid_error = 0.1;

// So many times the difference of two limits may be missing: in a mug, modes with less than 1 % of it were off by up
// to 6.7 %.
constexpr double extrapolation_risk = 6;

}  // namespace

double grid_bytes(double cells) { return 2 * 4 * 1.125 * cells; }

double record_bytes(double top_hz, int degree, double duration) {
    const double samples = 2 * samples_per_period * top_hz * duration, points = 4.0 * square(degree + 1);
    return 2 * 4 * samples * points;
}

double run_duration(const Band& band, double crossing, double settling_time) {
    return band.rise + arrival * crossing + settling_time + band.window;
}

BandRun::BandRun(const VibratingSurface& body, const HeardModes& modes, const BoundingSphere& sphere, const Band& band,
                 const TransferOptions& options)
    : body_(body),
      modes_(modes),
      options_(options),
      crossing_(sphere.radius / body.air.speed_of_sound),
      top_hz_(modes.hz[band.last - 1]),
      shells_(spheres_around(sphere, radiated_degree(2 * pi * top_hz_ / body.air.speed_of_sound, sphere.radius))),
      solver_(body.surface, shell_points(shells_), body.air,
              {.cell_size = transfer_cell(body.surface, sphere.radius, top_hz_, body.air, options),
               .memory_limit = options.memory_limit}) {}

double BandRun::cells() const { return double(grid().cells[0]) * grid().cells[1] * grid().cells[2]; }

double BandRun::updates(double duration) const { return cells() / grid().time_step * duration; }

double BandRun::driven_omega(int index) const {
    return grid_omega(2 * pi * modes_.hz[index], grid().cell_size, grid().time_step, body_.air);
}

double BandRun::phase_error(int index) const {
    const double k = 2 * pi * modes_.hz[index] / body_.air.speed_of_sound,
                 radius = crossing_ * body_.air.speed_of_sound;
    return k * radius * square(k * grid().cell_size) * 0.4 / 24;
}

WaveField BandRun::field_of(const Chord& chord, double rise) const {
    WaveField field;
    for (const int index : chord) {
        const double omega = driven_omega(index);
        field.motions.push_back({body_.shapes[modes_.mode[index]] / modes_.strength[index],
                                 [omega, rise](double t) { return onset(t, rise) * std::cos(omega * t); }});
    }
    return field;
}

std::vector<SolvedMode> BandRun::heard(const Chord& chord, const Eigen::MatrixXf& pressure, double sample_step,
                                       const Band& band, const SettlingTime& settling_time) const {
    const auto tones = static_cast<long>(chord.size());
    Eigen::VectorXd driven(tones), omega(tones), scale(tones);
    for (long j = 0; j < tones; ++j) {
        const int index = chord[j];
        driven[j] = driven_omega(index);
        omega[j] = body_.omega[modes_.mode[index]];
        // Of a unit displacement: its acceleration is −ω² u.
        scale[j] = -square(omega[j]) * modes_.strength[index] / wall_gain(omega[j], grid().cell_size, body_.air);
    }
    const auto count = static_cast<long>(band.window / sample_step);
    // Pressures in a window that ends so many samples before the record does.
    const auto pressures = [&](long before_end) {
        const long first = pressure.rows() - count - before_end;
        const Demodulator demodulate(driven, sample_step * static_cast<double>(first), sample_step, count);
        return Eigen::MatrixXcd(demodulate(pressure.middleRows(first, count)) * scale.asDiagonal());
    };
    // The last sample is less than a sample before the end of the run.
    const double ran = sample_step * static_cast<double>(pressure.rows()),
                 had = std::min(ran - run_duration(band, crossing_, 0), settling_time.longest);
    const auto part_of_settling = [&](int parts) { return static_cast<long>(had / parts / sample_step); };
    const auto fit = [&](const Eigen::MatrixXcd& p) {
        return fit_waves(shells_, p, omega, body_.air, options_.accuracy);
    };
    const auto waves_of = [&](const WaveFit& fitted, long j) {
        return heard_waves(shells_, fitted.modes[j], body_.air);
    };
    std::array<WaveFit, 3> fits;
    parallel_for(3, [&](long i) { fits[i] = fit(pressures((2 - i) * part_of_settling(2))); });
    std::vector<SolvedMode> solved;
    for (long j = 0; j < tones; ++j) {
        const std::array<Eigen::MatrixXcd, 3> waves = {waves_of(fits[0], j), waves_of(fits[1], j),
                                                       waves_of(fits[2], j)};
        const double near = part_missing(waves[0].col(0), waves[1].col(0), waves[2].col(0)),
                     far = part_missing(waves[0].col(1), waves[1].col(1), waves[2].col(1));
        solved.push_back({chord[j], fits[2].modes[j], fits[2].residuals[j], std::max(near, far)});
    }
    const long apart = part_of_settling(estimate_count - 1);
    if (apart == 0 ||
        std::all_of(solved.begin(), solved.end(), [](const SolvedMode& mode) { return mode.missing < settled; }))
        return solved;

    std::vector<Eigen::MatrixXcd> estimates(estimate_count);
    parallel_for(estimate_count, [&](long i) { estimates[i] = pressures((estimate_count - 1 - i) * apart); });
    const std::span<const Eigen::MatrixXcd> all = estimates;
    WaveFit before, now;
    parallel_for(2, [&](long i) {
        if (i == 0) before = fit(limit_of(all.first(estimate_count - 1)));
        if (i == 1) now = fit(limit_of(all.last(estimate_count - 1)));
    });
    for (long j = 0; j < tones; ++j) {
        const Eigen::MatrixXcd last = waves_of(now, j), change = last - waves_of(before, j);
        const double missing = extrapolation_risk * std::max(change.col(0).norm() / last.col(0).norm(),
                                                             change.col(1).norm() / last.col(1).norm());
        if (solved[j].missing < settled || !(missing < solved[j].missing)) continue;
        solved[j] = {chord[j], now.modes[j], now.residuals[j], missing};
    }
    return solved;
}

std::vector<SolvedMode> BandRun::run(const std::vector<Chord>& chords, const Band& band,
                                     const SettlingTime& settling_time, const Progress& progress,
                                     const WaveResume& resume) const {
    std::vector<WaveField> fields;
    for (const Chord& chord : chords) fields.push_back(field_of(chord, band.rise));
    WaveRunOptions options{.max_duration = run_duration(band, crossing_, settling_time.longest)};
    options.record_every = std::max(1, static_cast<int>(1 / (samples_per_period * top_hz_ * grid().time_step)));
    const double sample_step = grid().time_step * options.record_every;
    for (double time = settling_time.shortest; time < settling_time.longest; time *= longer)
        options.ask_at.push_back(run_duration(band, crossing_, time));
    options.has_enough = [&](std::size_t field, const Eigen::MatrixXf& pressure) {
        const std::vector<SolvedMode> solved = heard(chords[field], pressure, sample_step, band, settling_time);
        return std::all_of(solved.begin(), solved.end(), [&](const SolvedMode& mode) {
            return mode.missing < std::max(settled, share_of_grid_error * phase_error(mode.index));
        });
    };
    const WaveRecord record = solver_.run(fields, options, progress, resume);
    std::vector<std::vector<SolvedMode>> by_chord(chords.size());
    parallel_for(static_cast<long>(chords.size()),
                 [&](long i) { by_chord[i] = heard(chords[i], record.pressure[i], sample_step, band, settling_time); });
    std::vector<SolvedMode> solved;
    for (std::vector<SolvedMode>& chord : by_chord) std::move(chord.begin(), chord.end(), std::back_inserter(solved));
    return solved;
}

std::size_t BandRun::fields_at_once(double duration) const {
    double fit = std::max(options_.group_updates / updates(duration), double(thread_count()));
    if (options_.memory_limit > 0) {
        const double bytes =
            static_cast<double>(grid().bytes_per_field) + record_bytes(top_hz_, shells_.degree, duration);
        fit = std::min(fit, 0.9 * static_cast<double>(options_.memory_limit) / bytes);
    }
    return static_cast<std::size_t>(std::clamp(fit, 1.0, double(std::max(most_fields, thread_count()))));
}

}  // namespace clangor::modal_transfer
