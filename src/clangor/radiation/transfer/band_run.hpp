// All modes of a band: one grid, many runs of the wave solver.
#pragma once

#include <clangor/radiation/transfer/chords.hpp>
#include <clangor/radiation/transfer/fit_waves.hpp>
#include <clangor/radiation/transfer/wave_transfer.hpp>

#include <functional>
#include <vector>

namespace clangor::modal_transfer {

/// The modes that are heard, by ascending frequency; chords and bands index them.
struct HeardModes {
    std::vector<int> mode = {};         ///< of the body
    std::vector<double> hz = {};        ///< ascending
    std::vector<double> strength = {};  ///< √mean (n·u)² over the surface: each is driven with unit strength [kg^-1/2]
};

/// One mode, solved.
struct SolvedMode {
    int index = 0;  ///< into HeardModes
    ModeTransfer transfer = {};
    double residual = 0;  ///< of the fit
    double missing = 0;   ///< part that would still change if the air were let ring for longer
};

/// Sound needs so long from the far side of the body to the second sphere, and what then rings in its hollows is first
/// given so long to settle [R/c]. 4 R/c would do on a bowl within 0.01 %, 6 R/c on a bell within 0.2 %.
constexpr double arrival = 3.7, settling = 8;

/// A mode has settled if less than this part of it is missing: 0.1 dB.
constexpr double settled = 0.01;

/// How long the air of a run may settle: until all modes of its chord have, asked first after the shorter time and then
/// again and again after half as long once more; no longer than the longer time [s].
struct SettlingTime {
    double shortest = 0, expected = 0, longest = 0;
};

/// Keeps the grid of a band. Fields are independent of each other, so that no result depends on which chords run
/// together.
class BandRun {
public:
    BandRun(const VibratingSurface& body, const HeardModes& modes, const BoundingSphere& sphere, const Band& band,
            const TransferOptions& options);

    const WaveGridReport& grid() const { return solver_.report(); }
    double cells() const;
    double updates(double duration) const;  ///< of cells, in one field that runs for so long

    /// Simulates the chords together, each until the air has settled, and returns all their modes in order.
    std::vector<SolvedMode> run(const std::vector<Chord>& chords, const Band& band, const SettlingTime& settling_time,
                                const Progress& progress, const WaveResume& resume) const;

    /// As many fields as fit into the options' memory and take a few seconds together, so that little is lost if the
    /// bake is stopped; at most 8, and at least one for each thread, however long they take.
    std::size_t fields_at_once(double duration) const;

private:
    WaveField field_of(const Chord& chord, double rise) const;
    std::vector<SolvedMode> heard(const Chord& chord, const Eigen::MatrixXf& pressure, double sample_step,
                                  const Band& band, const SettlingTime& settling_time) const;
    double driven_omega(int index) const;
    /// By how much a wave along an axis of the grid is late after a body's radius   docs/theory/transfer-chords.md, Eq.
    /// 3 [rad].
    double phase_error(int index) const;

    const VibratingSurface& body_;
    const HeardModes& modes_;
    const TransferOptions& options_;
    double crossing_, top_hz_;
    RecordingSpheres shells_;
    WaveSolver solver_;
};

/// What one field takes: its two pressures in so many cells, with an eighth more for layers and padding; and what is
/// recorded of it on two spheres, in two copies [bytes].
double grid_bytes(double cells);
double record_bytes(double top_hz, int degree, double duration);

/// Of a run [s].
double run_duration(const Band& band, double crossing, double settling_time);

}  // namespace clangor::modal_transfer
