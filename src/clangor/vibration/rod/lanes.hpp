// Eight numbers at a time, in the compiler's own vector type, and three-vectors of them. Internal to rod.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif
#include <array>
#include <cmath>
#include <cstring>

namespace clangor::rods {

inline constexpr long pack = 8;
typedef double Lanes __attribute__((vector_size(64)));
typedef long long LaneBits __attribute__((vector_size(64)));

[[gnu::always_inline]] inline Lanes load(const double* from) noexcept {
    Lanes value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
[[gnu::always_inline]] inline void store(double* to, Lanes value) noexcept { std::memcpy(to, &value, sizeof value); }
[[gnu::always_inline]] inline Lanes all(double x) noexcept { return Lanes{} + x; }

[[gnu::always_inline]] inline Lanes root(Lanes x) noexcept {
#ifdef __AVX512F__
    return Lanes(_mm512_sqrt_pd(__m512d(x)));
#else
    for (int i = 0; i < pack; ++i) x[i] = std::sqrt(x[i]);
    return x;
#endif
}

[[gnu::always_inline]] inline double sum(Lanes x) noexcept {
    return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}

/// Four numbers each of eight points, one point after the other, to four columns; and back.
[[gnu::always_inline]] inline void columns_of(const double* rows, double* columns, long stride) {
    constexpr LaneBits first{0, 4, 8, 12, 1, 5, 9, 13}, second{2, 6, 10, 14, 3, 7, 11, 15};
    constexpr LaneBits low{0, 1, 2, 3, 8, 9, 10, 11}, high{4, 5, 6, 7, 12, 13, 14, 15};
    const Lanes a = load(rows), b = load(rows + pack), c = load(rows + 2 * pack), d = load(rows + 3 * pack);
    const Lanes ab = __builtin_shuffle(a, b, first), cd = __builtin_shuffle(c, d, first);
    const Lanes ab2 = __builtin_shuffle(a, b, second), cd2 = __builtin_shuffle(c, d, second);
    store(columns, __builtin_shuffle(ab, cd, low)), store(columns + stride, __builtin_shuffle(ab, cd, high));
    store(columns + 2 * stride, __builtin_shuffle(ab2, cd2, low));
    store(columns + 3 * stride, __builtin_shuffle(ab2, cd2, high));
}
[[gnu::always_inline]] inline void rows_of(const std::array<Lanes, 4>& columns, double* rows) {
    constexpr LaneBits low{0, 8, 1, 9, 2, 10, 3, 11}, high{4, 12, 5, 13, 6, 14, 7, 15};
    constexpr LaneBits first{0, 1, 8, 9, 2, 3, 10, 11}, second{4, 5, 12, 13, 6, 7, 14, 15};
    const auto& [x, y, z, u] = columns;
    const Lanes xy = __builtin_shuffle(x, y, low), zu = __builtin_shuffle(z, u, low);
    const Lanes xy2 = __builtin_shuffle(x, y, high), zu2 = __builtin_shuffle(z, u, high);
    store(rows, __builtin_shuffle(xy, zu, first)), store(rows + pack, __builtin_shuffle(xy, zu, second));
    store(rows + 2 * pack, __builtin_shuffle(xy2, zu2, first));
    store(rows + 3 * pack, __builtin_shuffle(xy2, zu2, second));
}

struct LaneVec {
    Lanes x, y, z;
};
[[gnu::always_inline]] inline LaneVec operator+(LaneVec a, LaneVec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
[[gnu::always_inline]] inline LaneVec operator-(LaneVec a, LaneVec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
[[gnu::always_inline]] inline LaneVec operator-(LaneVec a) { return {-a.x, -a.y, -a.z}; }
[[gnu::always_inline]] inline LaneVec operator*(Lanes s, LaneVec a) { return {s * a.x, s * a.y, s * a.z}; }
[[gnu::always_inline]] inline Lanes dot(LaneVec a, LaneVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[gnu::always_inline]] inline LaneVec cross(LaneVec a, LaneVec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Columns `first` to `first + 2` of arrays that are `stride` apart.
[[gnu::always_inline]] inline LaneVec load_vec(const double* from, long stride) {
    return {load(from), load(from + stride), load(from + 2 * stride)};
}
[[gnu::always_inline]] inline void store_vec(double* to, long stride, LaneVec v) {
    store(to, v.x), store(to + stride, v.y), store(to + 2 * stride, v.z);
}

/// Carries u, which is across the unit vector `from`, to the unit vector `to` by the smallest rotation.
[[gnu::always_inline]] inline LaneVec transported(LaneVec u, LaneVec from, LaneVec to) {
    const LaneVec b = cross(from, to);
    const Lanes c = dot(from, to);
    return c * u + cross(b, u) + (dot(b, u) / (1.0 + c)) * b;
}

/// Taylor's series within π/4 of a multiple of π/2: the next terms are below 1e-16.
struct SineCosine {
    Lanes sine, cosine;
};
[[gnu::always_inline]] inline SineCosine sine_cosine(Lanes x) {
    constexpr double magic = 6755399441055744.0;  // 1.5·2⁵², which leaves whole numbers in the lowest bits
    const Lanes shifted = x * 0.63661977236758134308 + magic, k = shifted - magic;
    const Lanes r =
        ((x - k * 1.57079632673412561417) - k * 6.07710050630396597660e-11) - k * 2.02226624879595063154e-21;
    const Lanes z = r * r;
    const Lanes s =
        r * (1.0 +
             z * (-1.0 / 6 +
                  z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                                               z * (1.0 / 6227020800.0 +
                                                                                    z * (-1.0 / 1307674368000.0))))))));
    const Lanes c =
        1.0 +
        z * (-0.5 + z * (1.0 / 24 +
                         z * (-1.0 / 720 +
                              z * (1.0 / 40320 + z * (-1.0 / 3628800 +
                                                      z * (1.0 / 479001600 + z * (-1.0 / 87178291200.0 +
                                                                                  z * (1.0 / 20922789888000.0))))))));
    LaneBits quadrant;
    std::memcpy(&quadrant, &shifted, sizeof quadrant);
    const LaneBits odd = (quadrant & 1) != 0, turned = (quadrant & 2) != 0, past = ((quadrant + 1) & 2) != 0;
    const Lanes sine = odd ? c : s, cosine = odd ? s : c;
    return {turned ? -sine : sine, past ? -cosine : cosine};
}

/// The angle in [−π, π] with that sine and cosine, whose squares add to one.
[[gnu::always_inline]] inline Lanes angle_of(Lanes sine, Lanes cosine) {
    const LaneBits behind = cosine < 0;
    const Lanes ahead = behind ? -cosine : cosine;
    Lanes t = sine / (1.0 + ahead);     // tangent of a half, at most one
    t = t / (1.0 + root(1.0 + t * t));  // of a quarter
    t = t / (1.0 + root(1.0 + t * t));  // of an eighth, below 0.199: the next term is below 1e-18
    const Lanes z = t * t;
    const Lanes series =
        1.0 -
        z * (1.0 / 3 -
             z * (1.0 / 5 -
                  z * (1.0 / 7 -
                       z * (1.0 / 9 -
                            z * (1.0 / 11 -
                                 z * (1.0 / 13 -
                                      z * (1.0 / 15 -
                                           z * (1.0 / 17 - z * (1.0 / 19 - z * (1.0 / 21 - z * (1.0 / 23)))))))))));
    const Lanes angle = 8.0 * t * series;
    const Lanes half_turn = sine < 0 ? all(-3.14159265358979323846) : all(3.14159265358979323846);
    return behind ? half_turn - angle : angle;
}

/// The whole number of turns nearest to that.
[[gnu::always_inline]] inline Lanes whole(Lanes turns) {
    constexpr double magic = 6755399441055744.0;
    const Lanes shifted = turns + magic;
    return shifted - magic;
}

}  // namespace clangor::rods
