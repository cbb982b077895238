// Acoustic transfer by the wave solver: many modes in one simulation.
#pragma once

#include <clangor/radiation/transfer/transfer.hpp>

namespace clangor::modal_transfer {

/// What was done for neighbouring modes on one grid.
struct BandReport {
    int modes = 0;
    double bottom_hz = 0, top_hz = 0;  ///< the lowest and the highest of them
    double spacing_hz = 0;             ///< at least, between the modes of a chord
    int chords = 0;
    int runs = 0;                     ///< more than chords where the air rang on
    double cells = 0, cell_size = 0;  ///< cell_size in [m]
    double duration = 0;              ///< of a chord's first run, in the simulation [s]
    double residual = 0;              ///< of the fit, the worst mode
    double lost_area = 0;             ///< see WaveGridReport [m²]
    double seconds = 0;
};

struct WaveTransfer {
    TransferBake bake = {};
    std::vector<BandReport> bands = {};
};

/// Ranges, sizes and finiteness are the caller's business (bake_transfer checks them).
WaveTransfer wave_transfer(const VibratingSurface& body, const TransferOptions& options, const TransferResume& resume,
                           const Progress& progress);

/// What the frequency of a tone must be in the grid, so that its mean wavelength over all directions is that of ω in
/// air: differences in space make waves shorter, those in time longer.   docs/theory/transfer-chords.md, Eq. 3
double grid_omega(double omega, double cell_size, double time_step, const Air& air);

/// How much too loud the walls of the grid are at short waves.   docs/theory/transfer-chords.md, Eq. 7
double wall_gain(double omega, double cell_size, const Air& air);

/// Edge of the cells for modes up to `top_hz` around a body, within options.max_cells unless waves would be lost.
double transfer_cell(const Surface& surface, double radius, double top_hz, const Air& air,
                     const TransferOptions& options);

}  // namespace clangor::modal_transfer
