// Eight numbers at a time, in the compiler's own vector type, and three-vectors of them. Internal to rod.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif
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
