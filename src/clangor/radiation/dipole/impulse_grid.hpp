// Sums of impulses that come between samples, low-passed; and their derivative. Internal to radiation/dipole.
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <complex>
#include <functional>
#include <span>
#include <vector>

namespace clangor::dipoles {

/// Impulses are spread over this many cells a sample, by a cubic B-spline. What lies one multiple of their rate away
/// from a tone at 0.42 of the sample rate is (0.42/7.58)⁴ of it: −100 dB.
inline constexpr int cells_per_sample = 8;

/// How the sum is filtered.
struct GridFilter {
    double cut_off = 0.46;  ///< −6 dB, in cycles per sample; 0.04 below it passes, 0.04 above it stops [1]
    double reach = 46;      ///< of the kernel, in samples
    /// What else is done to e^{2πift}, f in cycles per sample; none: nothing.
    std::function<std::complex<double>(double f)> response = {};
};

/// Some impulses, each with a value and a slope.
struct Impulses {
    static constexpr long most = 256;
    long count = 0;
    std::array<double, most> position, value, slope;
};

/// Of impulses: out(t) = Σ value·h(t − t_i) + slope·h′(t − t_i), t in samples.
class ImpulseGrid {
public:
    ImpulseGrid(const GridFilter& filter, double earliest);  ///< no impulse comes before [samples]

    /// Room for impulses up to there [samples].
    void reserve(double latest);

    /// Positions are counted from a whole sample, and positive [samples].
    void add(long from, const Impulses& impulses) noexcept;

    /// The sum at whole samples, in turn from 0 on; what is before them is forgotten.
    void take(std::span<float> out) noexcept;

    long taken() const { return taken_; }
    long reach() const { return reach_; }  ///< an impulse matters to samples nearer than this

private:
    long reach_;
    std::vector<double> kernel_;  ///< h(−d), h′(−d) by cells d
    std::vector<double> cells_;   ///< value, slope
    long first_cell_ = 0;         ///< a multiple of cells_per_sample
    long taken_ = 0;
};

}  // namespace clangor::dipoles
