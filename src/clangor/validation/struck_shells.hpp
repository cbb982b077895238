// A plate and a cymbal that are let go, or struck, in large motion. Internal to validation.
#pragma once

#include <clangor/vibration/subspace/subspace.hpp>

namespace clangor::validation {

constexpr double shell_rate_hz = 48e3;

struct StruckShell {
    std::string name;
    Material material;
    ThinShell shell;
    Modes modes;
    ShellPlan plan;

    Eigen::VectorXd shape(long p) const { return modes.shapes.col(plan.kept[size_t(p)]); }

    /// The modal amplitude at which mode p of the plan moves farthest by one thickness.
    double thickness_in(long p) const;

    /// How far motion goes where it goes farthest [thicknesses].
    double thicknesses(const Eigen::VectorXd& q) const;

    /// Of the plan's modes, displacements across the wall at a vertex.
    Eigen::VectorXd across(int vertex) const;

    /// Modal forces of a Hertzian pulse there [N s], which lasts so long: a column per sample.
    Eigen::MatrixXd hit(int vertex, double impulse, double seconds, double rate_hz = shell_rate_hz) const;
};

/// Free steel plate of 0.4 m, 1 mm thick, 24×24 cells, which follow waves up to 1 kHz: some 50 modes.
StruckShell struck_plate(int modes);

/// A free cap of bronze: vertex 0 is its middle, the last its rim.
struct BronzeCap {
    double width, rise, thickness;  ///< [m]
    int rings;                      ///< of triangles
};
StruckShell struck_cap(std::string name, const BronzeCap& cap, int modes);

/// 0.4 m wide, 1 mm thick, with a rise of 25 mm, like a cymbal without its bell. 20 rings, which follow waves up to
/// 1.9 kHz: some 100 modes.
StruckShell struck_cymbal(int modes);

struct StruckOptions {
    double xi;      ///< of every mode
    long samples;   ///< of the motion that is wanted, at 48 kHz
    int steps = 1;  ///< for each of them
};

struct StruckMotion {
    Eigen::MatrixXd q;  ///< a column per sample
    ShellReport report;
};

/// What a pulse makes of a shell at rest.
StruckMotion motion_after(const StruckShell& body, const Eigen::MatrixXd& pulse, const StruckOptions& options);

/// ½ω²q² + ½q̇² of each mode at each sample but the first and the last, q̇ by differences that are exact for its own
/// sine [J].
Eigen::MatrixXd modal_energies(const Eigen::VectorXd& omega, const Eigen::MatrixXd& q, double rate_hz);

}  // namespace clangor::validation
