// A general matrix product would copy the panel into its own layout first, as expensive as using it: with eight
// right-hand sides each number of L is used once a pass. These loops read the panel in place, eight rows (or columns)
// by eight right-hand sides in registers. Measured on 18 M entries, one Zen 4 core: 3 times Eigen's speed.
#include <clangor/vibration/modal/substitution.hpp>

#include <algorithm>

namespace clangor {
namespace {

using Vector = Lanes::Vector;

// acc[i] −= Σ_c L(i, c) y[c],  i < R
template <int R>
inline void subtract_rows(const double* L, long stride, long columns, const Lanes* y, Lanes* out) {
    Vector acc[R];
    for (int i = 0; i < R; ++i) acc[i] = out[i].v;
    for (long c = 0; c < columns; ++c, L += stride) {
        const Vector yc = y[c].v;
        for (int i = 0; i < R; ++i) acc[i] -= L[i] * yc;
    }
    for (int i = 0; i < R; ++i) out[i].v = acc[i];
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
    for (long r = 0; r < k; r += run) {
        const long height = std::min(run, k - r);
        if (height == run) {
            subtract_rows<run>(L + r, rows, r, y, y + r);
        } else {
            for (long i = 0; i < height; ++i) subtract_rows<1>(L + r + i, rows, r, y, y + r + i);
        }
        for (long c = 0; c < height; ++c)
            for (long i = c + 1; i < height; ++i) y[r + i].v -= L[(r + i) + (r + c) * rows] * y[r + c].v;
    }
    long r = k;
    for (; r + run <= rows; r += run) subtract_rows<run>(L + r, rows, k, y, y + r);
    for (; r < rows; ++r) subtract_rows<1>(L + r, rows, k, y, y + r);
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
