#include <clangor/radiation/wave/wave.hpp>

#include <clangor/radiation/wave/advance.hpp>
#include <clangor/radiation/wave/decay.hpp>
#include <clangor/radiation/wave/grid_plan.hpp>
#include <clangor/radiation/wave/points.hpp>
#include <clangor/radiation/wave/walls.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor {

struct WaveSolver::Impl {
    Surface surface;
    Points points;
    Air air;
    WaveGridOptions options;
    wave::StepPlan plan;
    wave::Walls walls;
    WaveGridReport report;
};

namespace {

void check(const Surface& surface, const Points& points, const Air& air, const WaveGridOptions& options) {
    if (surface.faces.rows() == 0) throw Error("the wave solver needs a surface, but this one has no faces");
    if (!surface.vertices.allFinite()) throw Error("the surface has vertices that are not finite; clean it first");
    if (surface.faces.minCoeff() < 0 || surface.faces.maxCoeff() >= surface.vertices.rows())
        throw Error("the surface has faces with vertices that do not exist; clean it first");
    if (!points.allFinite()) throw Error("the points of the wave solver must be finite");
    if (!(options.cell_size > 0) || !std::isfinite(options.cell_size))
        throw Error(fmt::format("cell_size of the wave solver must be positive, but is {:g} m", options.cell_size));
    if (!(options.courant > 0 && options.courant <= 1))
        throw Error(
            fmt::format("courant must lie in (0, 1], but is {:g}; beyond 1 no time step is stable", options.courant));
    if (options.layer_cells < 4 || options.layer_cells > 64)
        throw Error(fmt::format("layer_cells must lie between 4 and 64, but is {}", options.layer_cells));
    if (!(air.density > 0) || !(air.speed_of_sound > 0))
        throw Error("the air needs a positive density and speed of sound");
}

// Six times the volume of what the closed pieces enclose.
void check_orientation(const Surface& surface, const std::vector<char>& closed) {
    const Vec3 middle = surface.vertices.row(0);
    double volume = 0;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        if (!closed[f]) continue;
        const Vec3 x = surface.vertices.row(surface.faces(f, 0)).transpose() - middle,
                   y = surface.vertices.row(surface.faces(f, 1)).transpose() - middle,
                   z = surface.vertices.row(surface.faces(f, 2)).transpose() - middle;
        volume += x.cross(y).dot(z);
    }
    if (volume < 0)
        throw Error("the closed surface is inside out: its faces turn clockwise seen from outside; clean it first");
}

WaveGridReport report_of(const wave::Grid& grid, const wave::AirCells& air, const wave::Walls& walls,
                         double time_step) {
    WaveGridReport report;
    report.cells = grid.cells;
    report.cell_size = grid.cell_size;
    report.time_step = time_step;
    report.lost_area = walls.lost_area;
    report.bytes_per_field = wave::field_bytes(grid);
    double air_volume = 0;
    for (std::size_t i = 0; i < air.kind.size(); ++i) {
        report.cavity_cells += air.kind[i] == wave::PartKind::Cavity;
        air_volume += double(air.volume[i]);
        if (i >= air.divided.size()) continue;
        report.divided_cells += air.divided[i] != 0;
        report.cut_cells += air.kind[i] == wave::PartKind::Air && !air.divided[i] && air.volume[i] < 1;
    }
    const double solid = static_cast<double>(air.box.size()) - air_volume;
    report.solid_volume = solid * cube(grid.cell_size);
    return report;
}

}  // namespace

WaveSolver::WaveSolver(const Surface& surface, const Points& points, const Air& air, const WaveGridOptions& options) {
    check(surface, points, air, options);
    wave::check_memory(surface, points, options, 1, 0);
    auto impl = std::make_unique<Impl>(Impl{surface, points, air, options, {}, {}, {}});
    wave::Grid& grid = impl->plan.grid;
    grid = wave::grid_around(surface, points, options);
    const std::vector<char> closed = wave::closed_faces(surface);
    const std::vector<wave::SurfacePiece> pieces = wave::surface_pieces(surface, grid.origin, grid.cell_size);
    check_orientation(surface, closed);
    const wave::Sight sight(surface);
    const wave::AirCells air_cells = wave::air_cells(wave::line_survey(grid, surface, closed, pieces));
    impl->walls = wave::walls_of(grid, surface, closed, pieces, air_cells, sight);

    const double size = grid.cell_size * *std::min_element(grid.cells.begin(), grid.cells.end());
    impl->plan.layer = wave::layer_profile(grid.layer_cells, grid.cell_size, grid.courant_sq, size);
    impl->plan.walls = impl->walls.cells;
    impl->plan.taps = wave::point_taps(grid, points, air_cells, sight);
    impl->plan.points = static_cast<int>(points.rows());
    wave::finish(impl->plan);
    const double time_step = std::sqrt(grid.courant_sq) * grid.cell_size / air.speed_of_sound;
    impl->report = report_of(grid, air_cells, impl->walls, time_step);
    impl_ = std::move(impl);
}

WaveSolver::~WaveSolver() = default;
WaveSolver::WaveSolver(WaveSolver&&) noexcept = default;
WaveSolver& WaveSolver::operator=(WaveSolver&&) noexcept = default;

const WaveGridReport& WaveSolver::report() const { return impl_->report; }

namespace {

/// Integrates |signal|: with the acceleration's peak it bounds the speed of the surface.
struct Sampled {
    std::vector<float> values;
    double integral = 0;
};

Sampled sampled(const std::function<double(double)>& signal, double start, double step, long count, std::size_t field) {
    Sampled out;
    out.values.reserve(count);
    for (long n = 0; n < count; ++n) {
        const double t = start + step * static_cast<double>(n), value = signal(t);
        if (!(std::abs(value) < 3e38))
            throw Error(fmt::format("the signal of field {} is not finite at {:g} s", field, t));
        out.values.push_back(static_cast<float>(value));
        out.integral += std::abs(value) * step;
    }
    return out;
}

void check(const WaveRunOptions& options) {
    if (!(options.max_duration > 0) || !std::isfinite(options.max_duration))
        throw Error(fmt::format("max_duration of a wave run must be positive, but is {:g} s", options.max_duration));
    if (!std::isfinite(options.start_time)) throw Error("start_time of a wave run must be finite");
    if (options.record_every < 1) throw Error("record_every of a wave run must be at least 1");
    if (!(options.decay_db >= 0) || !(options.decay_window >= 0))
        throw Error("decay_db and decay_window must not be negative");
}

/// Whether all is over is asked at multiples of this, so that a record's length does not depend on how many steps the
/// threads at hand take in one go. Most numbers of those divide it or nearly do.
constexpr long decision_steps = 24;

/// And whether pressures grow at multiples of this: reading all of them costs a tenth of a step.
constexpr long check_steps = 128;

/// The fields of a run: those that still run, in order, and what was recorded of those that had enough.
struct Fields {
    std::vector<wave::FieldState> running;
    std::vector<std::size_t> number;           ///< of each that runs
    std::vector<std::vector<float>> recorded;  ///< of all; empty for those that run
    std::vector<double> bounds;                ///< of all: pressures beyond them can only be an instability [Pa]
};

void check_growth(const wave::StepPlan& plan, const Fields& fields, long step) {
    for (std::size_t i = 0; i < fields.running.size(); ++i) {
        const std::size_t f = fields.number[i];
        const float peak = wave::largest_pressure(plan, fields.running[i]);
        if (double(peak) <= fields.bounds[f]) continue;  // false for NaN
        throw Error(
            fmt::format("the pressure of field {} has grown to {:g} Pa after {} steps, beyond anything its surface "
                        "can cause ({:g} Pa): the time step is unstable. Lower courant",
                        f, double(peak), step, fields.bounds[f]),
            Blame::Work);
    }
}

void check(const SurfaceMotion& motion, const Surface& surface, std::size_t field) {
    if (motion.acceleration.rows() != surface.vertices.rows() || !motion.acceleration.allFinite())
        throw Error(
            fmt::format("field {}: accelerations must be finite, one row for each of the surface's {} vertices, but "
                        "there are {}",
                        field, surface.vertices.rows(), motion.acceleration.rows()));
    if (!motion.signal) throw Error(fmt::format("field {}: a motion has no signal", field));
}

Eigen::MatrixXf waveforms(const std::vector<float>& history, long points) {
    using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const long samples = points == 0 ? 0 : static_cast<long>(history.size()) / points;
    Eigen::MatrixXf out(samples, points);
    const Eigen::Map<const Rows> rows(history.data(), samples, points);
    constexpr long strip = 64;  // of columns, whose cache lines are read once
    parallel_for((points + strip - 1) / strip, [&](long s) {
        const long width = std::min(strip, points - s * strip);
        out.middleCols(s * strip, width) = rows.middleCols(s * strip, width);
    });
    return out;
}

// All that changes from step to step, in one order.
template <class State, class Visit>
void visit_arrays(State& state, const Visit& visit) {
    for (auto* array : {&state.now, &state.before, &state.layer.x_psi, &state.layer.x_zeta, &state.layer.y_psi,
                        &state.layer.y_zeta, &state.layer.z_psi, &state.layer.z_zeta})
        visit(*array);
}

WaveSnapshot snapshot_of(const Fields& fields, long step) {
    WaveSnapshot snapshot{.step = step, .states = {}, .recorded = fields.recorded};
    snapshot.states.resize(fields.recorded.size());
    for (std::size_t i = 0; i < fields.running.size(); ++i) {
        const std::size_t f = fields.number[i];
        visit_arrays(fields.running[i], [&](const wave::FloatArray& array) {
            snapshot.states[f].insert(snapshot.states[f].end(), array.data(), array.data() + array.size());
        });
        snapshot.recorded[f] = fields.running[i].recorded;
    }
    return snapshot;
}

// Of those for which `ended` has something else than 0.
void end(Fields& fields, const std::vector<char>& ended) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < fields.running.size(); ++i) {
        if (ended[i]) {
            fields.recorded[fields.number[i]] = std::move(fields.running[i].recorded);
            continue;
        }
        if (kept != i) {
            fields.running[kept] = std::move(fields.running[i]);
            fields.number[kept] = fields.number[i];
        }
        ++kept;
    }
    fields.running.erase(fields.running.begin() + static_cast<long>(kept), fields.running.end());
    fields.number.resize(kept);
}

// The step that a snapshot is of; 0 where it does not fit. All fields run yet.
long restore(Fields& fields, const WaveSnapshot& snapshot, long points, int record_every) {
    const std::size_t count = fields.running.size();
    if (snapshot.step <= 0 || snapshot.states.size() != count || snapshot.recorded.size() != count) return 0;
    const std::size_t rows = snapshot.step / record_every + 1;
    std::vector<char> ended(count);
    for (std::size_t f = 0; f < count; ++f) {
        std::size_t size = 0;
        visit_arrays(fields.running[f], [&](const wave::FloatArray& array) { size += array.size(); });
        const std::size_t recorded = snapshot.recorded[f].size();
        ended[f] = snapshot.states[f].empty();
        if (ended[f] ? recorded == 0 || recorded > rows * points || recorded % points != 0
                     : snapshot.states[f].size() != size || recorded != rows * points)
            return 0;
    }
    for (std::size_t f = 0; f < count; ++f) {
        fields.running[f].recorded = snapshot.recorded[f];
        if (ended[f]) continue;
        const float* from = snapshot.states[f].data();
        visit_arrays(fields.running[f], [&](wave::FloatArray& array) {
            std::copy_n(from, array.size(), array.data());
            from += array.size();
        });
    }
    end(fields, ended);
    return snapshot.step;
}

// How many of the times to ask at have come.
long asked(const WaveRunOptions& options, double time) {
    return std::upper_bound(options.ask_at.begin(), options.ask_at.end(), time) - options.ask_at.begin();
}

void end_those_with_enough(Fields& fields, const WaveRunOptions& options, long points) {
    std::vector<char> ended(fields.running.size());
    parallel_for(std::ssize(ended), [&](long i) {
        ended[i] = options.has_enough(fields.number[i], waveforms(fields.running[i].recorded, points));
    });
    end(fields, ended);
}

}  // namespace

WaveRecord WaveSolver::run(const std::vector<WaveField>& fields, const WaveRunOptions& options,
                           const Progress& progress, const WaveResume& resume) const {
    check(options);
    const wave::StepPlan& plan = impl_->plan;
    const double step = impl_->report.time_step;
    const auto max_steps = static_cast<long>(std::ceil(options.max_duration / step));
    const double samples = static_cast<double>(max_steps) / options.record_every + 1;
    wave::check_memory(impl_->surface, impl_->points, impl_->options, static_cast<int>(fields.size()),
                       8.0 * static_cast<double>(fields.size()) * plan.points * samples);

    Fields all{{}, {}, std::vector<std::vector<float>>(fields.size()), std::vector<double>(fields.size(), 0)};
    for (std::size_t f = 0; f < fields.size(); ++f) {
        all.running.emplace_back(plan);
        all.number.push_back(f);
    }
    parallel_for(std::ssize(fields), [&](long f) {
        wave::FieldState& state = all.running[f];
        state.recorded.assign(plan.points, 0.0f);
        for (const SurfaceMotion& motion : fields[f].motions) {
            check(motion, impl_->surface, f);
            Sampled signal = sampled(motion.signal, options.start_time, step, max_steps, f);
            state.drive.weights.push_back(
                source_weights(plan.grid, impl_->surface, impl_->walls, motion.acceleration, impl_->air.density));
            state.drive.signals.push_back(std::move(signal.values));
            const double speed = motion.acceleration.rowwise().norm().maxCoeff() * signal.integral;
            // ρ0 c v is the pressure of a plane wave; no body focuses it ten thousandfold.
            all.bounds[f] += 1e4 * impl_->air.density * impl_->air.speed_of_sound * speed;
        }
    });

    WaveRecord record{options.start_time, step * options.record_every, {}, false, 0};
    const int longest = *std::max_element(plan.grid.cells.begin(), plan.grid.cells.end());
    const double across = plan.grid.cell_size * longest / impl_->air.speed_of_sound;
    const double window = options.decay_window > 0 ? options.decay_window : across;
    wave::DecayWatch watch(fields.size(), static_cast<long>(std::ceil(window / record.sample_step)), options.decay_db);
    const auto time_of = [&](long n) { return options.start_time + step * static_cast<double>(n); };
    const bool may_die_out = options.decay_db > 0;
    Stopwatch since_kept;
    for (long n = restore(all, resume.begun, plan.points, options.record_every);
         n < max_steps && !record.died_out && !all.running.empty();) {
        // Fields run by themselves up to the next multiple.
        const long stretch = may_die_out ? decision_steps : check_steps;
        const long next = std::min((n / stretch + 1) * stretch, max_steps);
        const bool checks = n / check_steps != next / check_steps;
        const bool asks = options.has_enough && asked(options, time_of(n)) != asked(options, time_of(next));
        wave::advance(plan, all.running, n, next - n, options.record_every,
                      wave::fused_steps(plan, all.running.size()));
        n = next;
        parallel_for(std::ssize(all.running),
                     [&](long i) { watch.add(all.number[i], all.running[i].recorded, plan.points); });
        record.died_out = may_die_out && time_of(n) >= options.signal_end && watch.died_out();
        if (checks || n == max_steps || record.died_out) check_growth(plan, all, n);
        if (asks) end_those_with_enough(all, options, plan.points);
        if (resume.keep && n < max_steps && since_kept.seconds() >= resume.keep_seconds) {
            resume.keep(snapshot_of(all, n));
            since_kept = {};
        }
        progress("sound waves", static_cast<double>(n) / static_cast<double>(max_steps));
    }
    end(all, std::vector<char>(all.running.size(), 1));
    record.residual_db = watch.residual_db();
    record.pressure.resize(fields.size());
    parallel_for(std::ssize(fields), [&](long f) {
        record.pressure[f] = waveforms(all.recorded[f], plan.points);
        all.recorded[f] = {};
    });
    return record;
}

std::array<Points, 6> rigid_motions(const Surface& surface, const Vec3& centre) {
    std::array<Points, 6> motions;
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = Vec3::Unit(k);
        Points& along = motions[k];
        Points& about = motions[k + 3];
        along = axis.transpose().replicate(surface.vertices.rows(), 1);
        about.resize(surface.vertices.rows(), 3);
        for (long v = 0; v < surface.vertices.rows(); ++v)
            about.row(v) = axis.cross(Vec3(surface.vertices.row(v)) - centre);
    }
    return motions;
}

}  // namespace clangor
