/// @file wave.hpp — the sound around one body at rest whose surface moves a little, in the time domain.
/// Model     p_tt = c²∇²p outside the body,  ∂p/∂n = −ρ0 a_n on its surface        docs/theory/wave-solver.md
/// In        a surface (closed, thin-walled or an open sheet), how it accelerates, and points in the air.
/// Out       the pressure at these points over time, one waveform a point and field.
/// Not here  maps that are fitted to it (radiation/acceleration, radiation/transfer), rooms, bodies that travel.
///
///     const std::array<Points, 6> rigid = rigid_motions(ball, Vec3::Zero());
///     const WaveSolver solver(ball, sphere_points, Air{}, {.cell_size = 0.75e-3});
///     const WaveRecord record = solver.run({{{{rigid[0], pulse}}}, {{{rigid[1], pulse}}}}, {.max_duration = 1e-3});
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace clangor {

/// The surface accelerates by acceleration(x)·signal(t). Only its component along the faces' normals makes sound.
struct SurfaceMotion {
    Points acceleration;                   ///< a row per vertex, linear over each face [m/s² per unit of signal]
    std::function<double(double)> signal;  ///< of the time in seconds; zero before the start of a run
};

/// What is heard as one pressure: usually one motion; the modes of a chord are several, each with its own tone.
struct WaveField {
    std::vector<SurfaceMotion> motions = {};
};

/// Unit accelerations of a rigid body: along x, y, z [1 m/s²], then about x, y, z through `centre` [1 rad/s²].
std::array<Points, 6> rigid_motions(const Surface& surface, const Vec3& centre);

struct WaveGridOptions {
    double cell_size = 0;   ///< edge of the cubic cells [m]; waves want 10 cells per wavelength, more near the body
    int layer_cells = 8;    ///< thickness of the absorbing layer on each side
    double courant = 0.95;  ///< c Δt √3 / Δx, in (0, 1]: part of the largest stable time step
    std::size_t memory_limit = 0;  ///< for one run [bytes]; 0: 80 % of what the machine has free
};

struct WaveRunOptions {
    double start_time = 0;    ///< all signals are zero before it [s]
    double max_duration = 0;  ///< the run ends here at the latest [s]
    double decay_db = 0;      ///< ends once every field has sunk this far below its peak, e.g. 70; 0: never earlier
    double decay_window = 0;  ///< … and has stayed there for so long [s]; 0: the time that sound takes across the grid
    double signal_end = 0;    ///< with decay_db: no earlier than this, for signals that pause [s]
    int record_every = 1;     ///< steps from sample to sample
    /// A field that has enough ends before the others. Asked within 128 steps after each of `ask_at` [s, ascending], on
    /// any thread, with what was recorded of it so far (samples × points), and must depend on that alone.
    std::function<bool(std::size_t field, const Eigen::MatrixXf& pressure)> has_enough = {};
    std::vector<double> ask_at = {};
};

/// Pressure at the points. Sample k of every field is at time(k).
struct WaveRecord {
    double start_time = 0;   ///< of sample 0, which is zero [s]
    double sample_step = 0;  ///< [s]
    /// One per field: samples × points, fewer samples of those that had enough [Pa].
    std::vector<Eigen::MatrixXf> pressure;
    bool died_out = false;   ///< ended by decay_db; otherwise by max_duration
    double residual_db = 0;  ///< of the field that decayed least: its last window against its peak, ≤ 0

    double time(long k) const { return start_time + sample_step * static_cast<double>(k); }
    long samples() const { return pressure.empty() ? 0 : static_cast<long>(pressure.front().rows()); }  ///< of field 0
};

/// Where a run is: enough to go on from there to the same bytes.
struct WaveSnapshot {
    long step = 0;  ///< 0: silence, nothing has begun
    /// One per field: its two pressures and the memory of its layers; empty for those that had enough.
    std::vector<std::vector<float>> states = {};
    std::vector<std::vector<float>> recorded = {};  ///< one per field: what was recorded so far
};

/// A long run that is stopped goes on where it was: `begun` is of the same grid, fields and options, or is not used;
/// `keep` is told where the run is, so many seconds after the last time.
struct WaveResume {
    WaveSnapshot begun = {};
    std::function<void(const WaveSnapshot&)> keep = {};
    double keep_seconds = 10;
};

/// What was made of the surface. Areas and volumes tell whether the grid resolves the body.
struct WaveGridReport {
    std::array<int, 3> cells = {};  ///< along x, y, z, absorbing layer included
    double cell_size = 0;           ///< [m]
    double time_step = 0;           ///< [s]
    long cut_cells = 0;             ///< that hold a part of the surface with air on one side only
    long divided_cells = 0;         ///< where a wall thinner than a cell, or a sheet, has air on both sides
    long cavity_cells = 0;          ///< air that is shut in; it is left out, since no sound of it comes out
    double solid_volume = 0;        ///< of what is not air, cavities not counted [m³]
    double lost_area = 0;           ///< surface that found no air beside it, in slots finer than a cell [m²]
    std::size_t bytes_per_field = 0;
};

/// Keeps the grid, the walls and the interpolation to the points. Runs are const and independent of each other; each of
/// them uses all threads. The bytes of a record do not depend on the number of threads.
class WaveSolver {
public:
    /// The grid holds the body and all points. Closed pieces of the surface must face outward (see `clean`). Throws for
    /// bad input, for points inside the body, and if one field would not fit into the memory.
    WaveSolver(const Surface& surface, const Points& points, const Air& air, const WaveGridOptions& options);
    ~WaveSolver();
    WaveSolver(WaveSolver&&) noexcept;
    WaveSolver& operator=(WaveSolver&&) noexcept;

    const WaveGridReport& report() const;

    /// Advances all fields together from silence. Throws if the fields do not fit into the memory, and Error
    /// (Blame::Work) if a pressure grows beyond what its surface can cause. `progress` is told the fraction of
    /// max_duration and may stop the run.
    WaveRecord run(const std::vector<WaveField>& fields, const WaveRunOptions& options, const Progress& progress = {},
                   const WaveResume& resume = {}) const;

private:
    struct Impl;
    std::unique_ptr<const Impl> impl_;
};

}  // namespace clangor
