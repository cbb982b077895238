// Hilbert's transform by a long windowed kernel.
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace clangor {
namespace {

// 68 dB: twice that is 0.01 dB of the amplitude, where the kernel has settled [Kaiser1974].
constexpr double quadrature_beta = 6.5;
// So many cycles of the lowest frequency in the length of the kernel (2·reach).
constexpr double settled_cycles = 2.1;

}  // namespace

// h_n = 2/(πn) for odd n, 0 for even ones.
Quadrature::Quadrature(double lowest_hz, double rate_hz)
    : reach_(std::max(16L, std::lround(settled_cycles * rate_hz / (2 * lowest_hz)))) {
    for (long n = 1; n < reach_; n += 2) {
        const double u = double(n) / double(reach_);
        const double window =
            std::cyl_bessel_i(0, quadrature_beta * std::sqrt(1 - u * u)) / std::cyl_bessel_i(0, quadrature_beta);
        kernel_.push_back(2 / (pi * double(n)) * window);
    }
}

// Each sample is summed in one order, however the signal is cut.
void Quadrature::operator()(std::span<const float> in, std::span<float> out) const {
    CLANGOR_ASSERT(std::ssize(in) == std::ssize(out) + 2 * reach_, "what stands before and after is there");
    constexpr long block = 64;
    std::array<double, block> sums;
    for (long first = 0; first < std::ssize(out); first += block) {
        const long count = std::min(block, std::ssize(out) - first);
        sums.fill(0);
        for (size_t i = 0; i < kernel_.size(); ++i) {
            const float* const before = in.data() + first + reach_ - long(2 * i + 1);
            const float* const after = in.data() + first + reach_ + long(2 * i + 1);
            for (long k = 0; k < count; ++k) sums[size_t(k)] += kernel_[i] * (double(before[k]) - double(after[k]));
        }
        for (long k = 0; k < count; ++k) out[size_t(first + k)] = static_cast<float>(sums[size_t(k)]);
    }
}

}  // namespace clangor
