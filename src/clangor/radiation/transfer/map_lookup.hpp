// The inner loop: where a direction lies on many maps, and what cubic splines make of the sixteen texels around it.
#pragma once

#include "map_grid.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif
#include <cmath>
#include <complex>
#include <cstring>

namespace clangor::modal_transfer {

/// Modes are looked up in blocks of so many: while one is summed, the texels of the next are on their way from memory.
inline constexpr int block_modes = 16;
inline constexpr int max_terms = 4;

/// What is read of a mode beside its texels. Those of a block lie side by side; modes that only fill it are silent.
struct alignas(64) ModeBlock {
    const std::int16_t* texels[block_modes] = {};
    std::int32_t rows[block_modes] = {};
    float turns[block_modes] = {};              ///< κ/2π
    float scales[max_terms][block_modes] = {};  ///< value of one unit of Ψ_m [Pa kg^-1/2 m^-1]
};

/// A listener seen from the centre, common to all modes.
struct Bearing {
    double theta = 0;              ///< over π, in [0, 1]
    double phi = 0;                ///< over 2π, in [0, 1)
    float u = 0;                   ///< R/r
    float powers[max_terms] = {};  ///< u^m
};

/// Where the modes of a block are read.
struct alignas(64) Places {
    float along[4][block_modes];   ///< weights of four rows
    float around[4][block_modes];  ///< and of four columns
    std::int32_t stride[block_modes], offset[block_modes];
    const std::int16_t* texel[block_modes];
};

/// Uniform cubic B-splines at t past the second of four knots.
inline void spline_weights(const float (&t)[block_modes], float (&w)[4][block_modes]) noexcept {
    for (int j = 0; j < block_modes; ++j) {
        const float s = 1 - t[j], tt = t[j] * t[j], ss = s * s;
        w[0][j] = ss * s * (1.0f / 6);
        w[1][j] = 2.0f / 3 - tt * (1 - 0.5f * t[j]);
        w[2][j] = 2.0f / 3 - ss * (1 - 0.5f * s);
        w[3][j] = tt * t[j] * (1.0f / 6);
    }
}

template <int terms>
inline void locate(const ModeBlock& block, const Bearing& bearing, Places& places) noexcept {
    alignas(64) float down[block_modes], right[block_modes];  // past the grid point before
    for (int j = 0; j < block_modes; ++j) {
        const int rows = block.rows[j], columns = 2 * rows;
        const double row = bearing.theta * rows + 0.5, column = bearing.phi * columns;
        const int i = static_cast<int>(row), k = static_cast<int>(column);
        down[j] = static_cast<float>(row - i);
        right[j] = static_cast<float>(column - k);
        places.stride[j] = (columns + 4) * 2 * terms;
        places.offset[j] = i * places.stride[j] + k * 2 * terms;
    }
    spline_weights(down, places.along);
    spline_weights(right, places.around);
    for (int j = 0; j < block_modes; ++j) {
        const std::int16_t* texel = block.texels[j] + places.offset[j];
        places.texel[j] = texel;
        // A row of four texels lies in one or two cache lines. They are called into the second level, since the first
        // can wait for few at a time: 200 modes at random directions take 3.9 µs so, 4.9–5.9 by way of the first level,
        // 5.3–7.2 uncalled.
        for (int r = 0; r < 4; ++r, texel += places.stride[j]) {
            __builtin_prefetch(texel, 0, 2);
            __builtin_prefetch(texel + 8 * terms - 1, 0, 2);
        }
    }
}

typedef float Floats __attribute__((vector_size(32)));

// g++ 12 widens in two halves and joins them, four instructions instead of one. By reference, as registers of this size
// cannot be returned where there is no AVX.
inline void widen(const std::int16_t* from, Floats& to) noexcept {
#if defined(__AVX2__)
    to = (Floats)_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
    for (int i = 0; i < 8; ++i) to[i] = from[i];
#endif
}

/// Σ_m Ψ_m u^m of mode j of a block. Real and imaginary parts take turns, whatever the texel and the term: all goes
/// into one register, even and odd lanes are told apart at the end.
template <int terms>
inline std::complex<float> interpolate(const Places& places, const float (&weights)[max_terms][block_modes],
                                       int j) noexcept {
    Floats sum = {};
    for (int v = 0; v < terms; ++v) {  // four texels are 8·terms numbers
        Floats weight;
        for (int i = 0; i < 8; ++i) {
            const int number = 8 * v + i, texel = number / (2 * terms), term = number % (2 * terms) / 2;
            weight[i] = places.around[texel][j] * weights[term][j];
        }
        Floats row[4];
        for (int r = 0; r < 4; ++r) widen(places.texel[j] + r * static_cast<long>(places.stride[j]) + 8 * v, row[r]);
        sum += weight * ((places.along[0][j] * row[0] + places.along[1][j] * row[1]) +
                         (places.along[2][j] * row[2] + places.along[3][j] * row[3]));
    }
    return {(sum[0] + sum[4]) + (sum[2] + sum[6]), (sum[1] + sum[5]) + (sum[3] + sum[7])};
}

/// cos 2πx and −sin 2πx for |x| < 1e4, to 1e-6: Taylor's series within a quarter of a turn, signs by half turns. All
/// modes of a block at once; std::sin and std::cos would take as long as the maps.
inline void turn(const float (&x)[block_modes], float (&cosine)[block_modes],
                 float (&minus_sine)[block_modes]) noexcept {
    for (int j = 0; j < block_modes; ++j) {
        const float half = std::nearbyint(2 * x[j]);
        const float a = (x[j] - 0.5f * half) * static_cast<float>(2 * pi), b = a * a;  // |a| ≤ π/2
        const float sign = 1 - 2 * std::abs(half - 2 * std::nearbyint(0.5f * half));
        cosine[j] =
            sign *
            (1 - b * (1.0f / 2 - b * (1.0f / 24 - b * (1.0f / 720 - b * (1.0f / 40320 - b * (1.0f / 3628800))))));
        minus_sine[j] = -sign * a * (1 - b * (1.0f / 6 - b * (1.0f / 120 - b * (1.0f / 5040 - b * (1.0f / 362880)))));
    }
}

/// e^{−iκu} Σ_m Ψ_m u^m of the modes of a block     docs/theory/transfer.md, Eq. 5
template <int terms>
inline void sum_block(const ModeBlock& block, const Bearing& bearing, const Places& places,
                      std::complex<float> (&result)[block_modes]) noexcept {
    alignas(64) float weights[max_terms][block_modes], turns[block_modes], cosine[block_modes], minus_sine[block_modes];
    for (int m = 0; m < terms; ++m)
        for (int j = 0; j < block_modes; ++j) weights[m][j] = block.scales[m][j] * bearing.powers[m];
    for (int j = 0; j < block_modes; ++j) turns[j] = block.turns[j] * bearing.u;
    turn(turns, cosine, minus_sine);
    for (int j = 0; j < block_modes; ++j) {
        const std::complex<float> p = interpolate<terms>(places, weights, j);
        result[j] = {p.real() * cosine[j] - p.imag() * minus_sine[j], p.real() * minus_sine[j] + p.imag() * cosine[j]};
    }
}

}  // namespace clangor::modal_transfer
