// A kernel that writes an impulse between the points of a grid, and is divided out of the spectrum afterwards.
#pragma once

#include <clangor/core/core.hpp>

#include <vector>

namespace clangor::spheres {

/// Points of the grid that an impulse is written to, as one register of floats.
inline constexpr int kernel_width = 8;
typedef float Lanes __attribute__((vector_size(4 * kernel_width)));

/// The window of Kaiser and Bessel, φ(t) = I0(β√(1 − (2t/w)²))/I0(β), t in points; φ̂ is known  [Kaiser1974]. On a
/// grid twice as fine as the signal needs, what aliases is below 1e-6.
class GriddingKernel {
public:
    GriddingKernel();
    static const GriddingKernel& of();

    /// delta·φ + doublet·φ′ at the eight points around an impulse, `fraction` in [0, 1) behind the fourth of them.
    void write(double fraction, float delta, float doublet, Lanes& at_points) const {
        const auto row = static_cast<float>(fraction) * phases;
        const auto at = static_cast<int>(row);
        const float between = row - static_cast<float>(at);
        const Row &near = rows_[static_cast<std::size_t>(at)], &far = rows_[static_cast<std::size_t>(at) + 1];
        const Lanes here = near.value * delta + near.slope * doublet;
        const Lanes next = far.value * delta + far.slope * doublet;
        at_points = here + (next - here) * between;
    }
    static constexpr int points_before = kernel_width / 2 - 1;  ///< … of these, before the one it lies behind

    /// ∫ φ e^{−2πift} dt, f in cycles per point.
    static double spectrum(double frequency);

private:
    // Between two rows straight lines: (1/1024)²/8 of φ″, 1.4e-7.
    static constexpr int phases = 1024;
    struct Row {
        Lanes value, slope;
    };
    std::vector<Row> rows_;
};

}  // namespace clangor::spheres
