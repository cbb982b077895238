// The widest vector registers of the machine, with a fused multiply-add. The compiler's own vector types do the rest:
// plain loops were tried first, and g++ 12 turned a third of the fused operations into scalar ones.
#pragma once

#if defined(__AVX512F__) || defined(__FMA__)
#include <immintrin.h>
#endif
#include <cmath>
#include <cstring>

namespace clangor::oscillator {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__) && defined(__FMA__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <class Real>
struct RegisterOf;
template <>
struct RegisterOf<float> {
    typedef float type __attribute__((vector_size(register_bytes)));
};
template <>
struct RegisterOf<double> {
    typedef double type __attribute__((vector_size(register_bytes)));
};

template <class Real>
using Register = typename RegisterOf<Real>::type;
using Lanes = Register<double>;

template <class Real>
inline constexpr int register_lanes = register_bytes / int(sizeof(Real));

template <class Real>
inline Register<Real> load(const Real* from) noexcept {
    Register<Real> value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class Real>
inline void store(Real* to, Register<Real> value) noexcept {
    std::memcpy(to, &value, sizeof value);
}

#if defined(__AVX512F__)
inline Register<float> fused(Register<float> a, Register<float> b, Register<float> c) noexcept {
    return _mm512_fmadd_ps(a, b, c);
}
inline Register<double> fused(Register<double> a, Register<double> b, Register<double> c) noexcept {
    return _mm512_fmadd_pd(a, b, c);
}
#elif defined(__AVX__) && defined(__FMA__)
inline Register<float> fused(Register<float> a, Register<float> b, Register<float> c) noexcept {
    return _mm256_fmadd_ps(a, b, c);
}
inline Register<double> fused(Register<double> a, Register<double> b, Register<double> c) noexcept {
    return _mm256_fmadd_pd(a, b, c);
}
#elif defined(FP_FAST_FMA) && defined(FP_FAST_FMAF)
template <class Vector>
inline Vector fused(Vector a, Vector b, Vector c) noexcept {
    Vector sum;
    for (size_t i = 0; i < sizeof(a) / sizeof(a[0]); ++i) sum[i] = std::fma(a[i], b[i], c[i]);
    return sum;
}
#else
// No such instruction: rounds twice, so that the last bits differ from those of other machines.
template <class Vector>
inline Vector fused(Vector a, Vector b, Vector c) noexcept {
    return a * b + c;
}
#endif

}  // namespace clangor::oscillator
