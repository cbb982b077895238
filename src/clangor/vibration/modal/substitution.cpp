// A general matrix product would copy the panel into its own layout first, as expensive as using it: with eight
// right-hand sides each number of L is used once a pass. These loops read the panel in place, down eight columns at
// a time, which is how it lies in memory.
#include <clangor/vibration/modal/substitution.hpp>

#include <algorithm>

namespace clangor {
namespace {

using Vector = Lanes::Vector;

// out[r] −= Σ_c L(r, c) y[c],  c < C
template <int C>
inline void subtract_columns_times(const double* L, long stride, long rows, const Lanes* y, Lanes* out) {
    Vector factors[C];
    for (int c = 0; c < C; ++c) factors[c] = y[c].v;
    for (long r = 0; r < rows; ++r) {
        Vector sum = out[r].v;
        for (int c = 0; c < C; ++c) sum -= L[r + c * stride] * factors[c];
        out[r].v = sum;
    }
}

// out[i] −= Σ_r L(r, i) y[r],  i < R
template <int R>
inline void subtract_columns(const double* L, long stride, long rows, const Lanes* y, Lanes* out) {
    Vector acc[R];
    for (int i = 0; i < R; ++i) acc[i] = out[i].v;
    for (long r = 0; r < rows; ++r) {
        const Vector yr = y[r].v;
        for (int i = 0; i < R; ++i) acc[i] -= L[r + i * stride] * yr;
    }
    for (int i = 0; i < R; ++i) out[i].v = acc[i];
}

constexpr long run = 8;

}  // namespace

void forward_substitute(const double* L, long rows, long k, Lanes* y) {
    for (long first = 0; first < k; first += run) {
        const long width = std::min(run, k - first), below = first + width;
        for (long c = first; c < below; ++c)
            for (long r = c + 1; r < below; ++r) y[r].v -= L[r + c * rows] * y[c].v;
        if (width == run) {
            subtract_columns_times<run>(L + below + first * rows, rows, rows - below, y + first, y + below);
        } else {
            for (long c = first; c < below; ++c)
                subtract_columns_times<1>(L + below + c * rows, rows, rows - below, y + c, y + below);
        }
    }
}

void backward_substitute(const double* L, long rows, long k, Lanes* y) {
    for (long last = k; last > 0; last -= std::min(run, last)) {
        const long width = std::min(run, last), c = last - width;
        const double* below = L + last + c * rows;
        if (width == run) {
            subtract_columns<run>(below, rows, rows - last, y + last, y + c);
        } else {
            for (long i = 0; i < width; ++i)
                subtract_columns<1>(below + i * rows, rows, rows - last, y + last, y + c + i);
        }
        for (long j = width - 1; j >= 0; --j)
            for (long i = j + 1; i < width; ++i) y[c + j].v -= L[(c + i) + (c + j) * rows] * y[c + i].v;
    }
}

}  // namespace clangor
