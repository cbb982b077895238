/// @file transfer.hpp — acoustic transfer: how each mode of a body really radiates, in every direction.
/// Model     p_j(x) = Σ_lm b_lm Y_lm(direction) h_l(kr)/h_l(kr₀) outside the body (baked, exact);
///           p_j(x) = e^{−ikr−iκR/r} Σ_m Ψ_m(direction)(R/r)^m, m ≤ 4 (far-field maps, for moving listeners)
///           docs/theory/transfer.md
/// In        a surface, how each mode moves it, and its frequency.
/// Out       ModalTransfer (baked), TransferMaps (fast), and the pressure of each mode at a listener.
/// Not here  the two solvers (radiation/wave, radiation/bem), files (io), the sound itself (render).
///
///     const TransferBake bake = bake_transfer({skin, shapes, omega, air}, {.solver = TransferSolver::Wave});
///     const TransferMaps maps(bake.transfer);
///     maps.pressures({0, 0.3, 1}, pressures);
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/radiation/bem/bem.hpp>
#include <clangor/radiation/spherical/spherical.hpp>
#include <clangor/radiation/wave/wave.hpp>

#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace clangor {

/// Outgoing waves of one mode, per unit of its coordinate q.
struct ModeTransfer {
    double omega = 0;  ///< [rad/s]
    int degree = -1;   ///< of the highest harmonic; −1: not solved yet
    /// b_lm on the reference sphere at l² + l + m, delay kr₀ taken out [Pa kg^-1/2 m^-1]
    Eigen::VectorXcf coefficients = {};
};

/// How all modes of one body radiate. Outside the reference sphere each degree l goes on as an outgoing spherical wave.
struct ModalTransfer {
    Vec3 centre = Vec3::Zero();   ///< in the frame of the surface: origin of directions, distances and delays [m]
    double radius = 0;            ///< R: of the sphere about the centre that holds the body [m]
    double reference_radius = 0;  ///< r₀ > R; nearer listeners hear what is heard there [m]
    Air air = {};
    /// Modes above have no sound field, because it was too costly to find: they are silent here, and render takes their
    /// compact sources [Hz]
    double solved_hz = std::numeric_limits<double>::infinity();
    std::vector<ModeTransfer> modes = {};

    bool complete() const;      ///< every mode is solved
    std::size_t bytes() const;  ///< of all coefficients
};

/// Complex pressure of each mode at a point, per unit of its coordinate q, with the delay of r = |listener − centre|
/// taken out: p(t) = Re{ P_j q_a(t − r/c) }, q_a the analytic signal of q_j  [Pa kg^-1/2 m^-1]. Exact for the baked
/// waves at any distance outside the reference sphere; inside, that of the nearest point on it. Costs (degree+1)² a
/// mode.
Eigen::VectorXcd transfer(const ModalTransfer& baked, const Vec3& listener);

/// What its own sound takes from each mode, as a part of critical damping: ξ = P/ω³ with the power P that a mode of
/// unit amplitude radiates [W kg^-1 m^-2], since its energy is ½ω²   (docs/theory/transfer.md, Eq. 10).
Eigen::VectorXd radiation_damping(const ModalTransfer& baked);

/// True inside the reference sphere, where the pressure is finite but only that of the nearest point outside.
bool in_near_field(const ModalTransfer& baked, const Vec3& listener);

struct MapOptions {
    int terms = 4;                ///< M, 1 … 4
    double nearest = 2.5;         ///< of the spheres that are fitted [R] …
    double growth = 1.54;         ///< … each so much farther than the last …
    int spheres = 6;              ///< … so many: out to 21 R, and one far away for the limit
    double samples_per_lobe = 4;  ///< grid points per shortest wave of the highest harmonic
};

/// Far-field maps of all modes, for listeners that move: a constant time per mode, whatever the frequency.
/// Interpolation is smooth everywhere, at the poles and around. Nearer than `nearest` spheres the waves themselves are
/// summed.
class TransferMaps {
public:
    TransferMaps(const ModalTransfer& baked, const MapOptions& options = {});
    ~TransferMaps();
    TransferMaps(TransferMaps&&) noexcept;
    TransferMaps& operator=(TransferMaps&&) noexcept;

    long modes() const;
    std::size_t bytes() const;  ///< of the maps, and of the waves that are kept for near listeners

    /// As transfer(). Allocates nothing outside `nearest`; threads may share the maps.
    void pressures(const Vec3& listener, std::span<std::complex<float>> result) const;

    /// Pressure of one mode at one distance from the centre, for pictures: `rows` of θ from +z, twice as many columns
    /// of φ, both from half a step. At infinity the limit of p r/R, which is Ψ_1.
    Eigen::MatrixXcf image(long mode, double distance, int rows) const;

private:
    struct Impl;
    std::unique_ptr<const Impl> impl_;
};

/// Wave: many modes in one simulation in the time domain, fast. BoundaryElements: one mode after the other, the
/// reference.
enum class TransferSolver { Wave, BoundaryElements };

/// What vibrates.
struct VibratingSurface {
    Surface surface = {};             ///< closed and facing outward, or an open sheet
    std::vector<Points> shapes = {};  ///< displacement of each vertex, one entry per mode [kg^-1/2]
    Eigen::VectorXd omega = {};       ///< [rad/s]
    Air air = {};
};

struct TransferOptions {
    TransferSolver solver = TransferSolver::Wave;
    double max_hz = 20e3;              ///< modes above are silent: no coefficients, degree 0
    double cells_per_wavelength = 10;  ///< Wave: of the highest mode of a run
    double max_cells = 1e6;            ///< Wave: of a grid; more where a wave would have fewer than 5 cells
    double max_updates = 3e11;         ///< Wave: of cells, in all first runs together; higher modes are left unsolved
    double group_updates = 5e9;        ///< Wave: of cells, for which fields run together; after each group …
    double keep_seconds = 10;          ///< … and so often within one what was done is kept
    std::size_t max_bytes = 4'000'000'000;  ///< Wave: of one field and its record, likewise
    double elements_per_wavelength = 8;     ///< BoundaryElements
    double accuracy = 1e-3;                 ///< harmonics are kept while they matter more than this, far away and at 2R
    std::size_t memory_limit = 0;           ///< [bytes]; 0: 80 % of what the machine has free
};

/// What a bake did, for reports.
struct TransferBake {
    ModalTransfer transfer = {};
    int runs = 0;  ///< chords, or boundary element solutions
    /// Wave: part of the recorded pressure (L2) that no outgoing waves explain, the worst mode
    double fit_residual = 0;
    double seconds = 0;
    std::vector<std::string> warnings = {};
};

/// How far the wave solver has come with one mode. Each attempt lets the air ring for longer than the one before.
struct ModeTrial {
    int attempts = 0;      ///< that were made; the last one succeeded if the mode has a degree
    double missing = 0;    ///< part of the mode that would still change if the air were let ring for longer
    double lost_area = 0;  ///< see WaveGridReport [m²]
};

/// A group of chords while it runs.
struct BegunRun {
    int attempt = 0;
    std::vector<int> modes = {};  ///< of the chords, one after the other, with −1 after each
    WaveSnapshot snapshot = {};
};

/// What a bake that was stopped had done.
struct BegunTransfer {
    ModalTransfer transfer = {};         ///< modes that are not finished have degree −1
    std::vector<ModeTrial> trials = {};  ///< Wave: one per mode; without them nothing counts as begun
    BegunRun run = {};                   ///< Wave: what was running, if it is long and not too large to keep
};

/// A bake that is stopped goes on where it was: `begun` holds what an earlier one did, and `keep` is called with all
/// that is done after each group of chords, or each mode, and every few seconds of a long one. A bake that goes on ends
/// with the same bytes as one that was never stopped.
struct TransferResume {
    BegunTransfer begun = {};
    std::function<void(const BegunTransfer&)> keep = {};
};

TransferBake bake_transfer(const VibratingSurface& body, const TransferOptions& options = {},
                           const TransferResume& resume = {}, const Progress& progress = {});

}  // namespace clangor
