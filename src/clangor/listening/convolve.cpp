#include <clangor/listening/measured_head.hpp>

#include <algorithm>
#include <cstring>

namespace clangor::listening {

// 48 outputs at a time, as many as there are between two control points at 48 kHz, stay in registers. Their sums run
// over the taps in order.
void convolve(const float* x, std::span<const float> taps, float* out, long count) {
    typedef float Lanes __attribute__((vector_size(64)));
    constexpr long lanes = 16;
    for (long first = 0; first < count; first += convolve_margin) {
        Lanes sums[convolve_margin / lanes] = {};
        for (long k = 0; k < static_cast<long>(taps.size()); ++k) {
            for (long j = 0; j < convolve_margin / lanes; ++j) {
                Lanes values;
                std::memcpy(&values, x + first + j * lanes - k, sizeof values);
                sums[j] += taps[k] * values;
            }
        }
        const long kept = std::min(convolve_margin, count - first);
        std::memcpy(out + first, sums, sizeof(float) * kept);
    }
}

}  // namespace clangor::listening
