// cos z and sin z together, in a form that the compiler turns into vector instructions.
#pragma once

#include <cmath>

namespace clangor::bem {

/// a·b + c, fused where the processor can; elsewhere std::fma would be a slow call.
inline float fused(float a, float b, float c) {
#ifdef __FMA__
    return std::fma(a, b, c);
#else
    return a * b + c;
#endif
}

struct Phase {
    float cosine, sine;
};

namespace unit_phases {

// On [−π/4, π/4]: minimax polynomials.
inline Phase reduced(float r) {
    const float s = r * r;
    const float sine = fused(r * s, fused(s, fused(s, -1.9515296e-4f, 8.3321609e-3f), -1.6666655e-1f), r);
    const float high = fused(s, fused(s, 2.4433157e-5f, -1.3887316e-3f), 4.1666646e-2f);
    return {fused(s * s, high, fused(-0.5f, s, 1.0f)), sine};
}

}  // namespace unit_phases

/// For 0 ≤ z < 1e5. The absolute error is that of z itself, 6e-8 z, plus 1e-7.
inline Phase unit_phase(float z) {
    // π/2 in three parts, of which the first two have few bits: quarter × part is exact.
    constexpr float two_over_pi = 0.63661977f, part1 = 1.5703125f, part2 = 4.837513e-4f, part3 = 7.5497899e-8f;
    constexpr float round = 12582912.0f;  // 1.5·2²³: adding it rounds to an integer
    const float quarter = (z * two_over_pi + round) - round;
    const float r = fused(-quarter, part3, fused(-quarter, part2, fused(-quarter, part1, z)));
    const int turns = static_cast<int>(quarter);
    const auto [c, s] = unit_phases::reduced(r);
    const bool swapped = (turns & 1) != 0;
    const float cosine = swapped ? s : c, sine = swapped ? c : s;
    return {((turns + 1) & 2) != 0 ? -cosine : cosine, (turns & 2) != 0 ? -sine : sine};
}

}  // namespace clangor::bem
