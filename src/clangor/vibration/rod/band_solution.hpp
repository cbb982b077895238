// Both halves of a solution with factors of a band   docs/theory/rod.md, Eq. 16. Internal to rod.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif
#include <array>
#include <cstring>

namespace clangor::rods {

/// What a solution that is made in parts knows of the two blocks that were last: going forward, what the next two lose.
struct Neighbours {
    alignas(64) std::array<double, 16> near, far;
};

template <int lanes>
struct Vectors;
template <>
struct Vectors<4> {
    typedef double Column __attribute__((vector_size(32)));
    typedef float Short __attribute__((vector_size(16)));
    typedef long long Bits __attribute__((vector_size(32)));
};
template <>
struct Vectors<8> {
    typedef double Column __attribute__((vector_size(64)));
    typedef float Short __attribute__((vector_size(32)));
    typedef long long Bits __attribute__((vector_size(64)));
};
template <>
struct Vectors<16> {
    typedef double Column __attribute__((vector_size(128)));
    typedef float Short __attribute__((vector_size(64)));
    typedef long long Bits __attribute__((vector_size(128)));
};

/// Columns of blocks in registers; lanes beyond B hold what is never read.
template <int B>
struct Wide {
    static constexpr int lanes = B <= 4 ? 4 : B <= 8 ? 8 : 16;
    using Column = typename Vectors<lanes>::Column;
    using Short = typename Vectors<lanes>::Short;
    using Bits = typename Vectors<lanes>::Bits;

    [[gnu::always_inline]] static Column load(const double* from) {
        Column value;
        std::memcpy(&value, from, sizeof value);
        return value;
    }
    [[gnu::always_inline]] static Column load(const float* from) {
        // What __builtin_convertvector makes of it takes four instructions instead of one.
#ifdef __AVX512F__
        if constexpr (lanes == 4) return Column(_mm256_cvtps_pd(_mm_loadu_ps(from)));
        if constexpr (lanes == 8) return Column(_mm512_cvtps_pd(_mm256_loadu_ps(from)));
#endif
        Short value;
        std::memcpy(&value, from, sizeof value);
        return __builtin_convertvector(value, Column);
    }
    [[gnu::always_inline]] static Column load_block(const double* from) {
        Column value{};
        std::memcpy(&value, from, B * sizeof(double));
        return value;
    }
    [[gnu::always_inline]] static void store(double* to, Column value) { std::memcpy(to, &value, sizeof value); }
    [[gnu::always_inline]] static void store_block(double* to, Column value) {
        std::memcpy(to, &value, B * sizeof(double));
    }
    [[gnu::always_inline]] static Column lane(Column v, int k) {
        if constexpr (lanes <= 8)
            return __builtin_shuffle(v, Bits{} + k);
        else
            return Column{} + v[k];
    }
};

// What one block gives to the next is the whole of the time of a solution. Lᵀ's columns are 3B numbers each: of the
// inverse, and of what the next two blocks take.
template <int B, class Number>
void solve_forward(const Number* L, double* x, long blocks, Neighbours& neighbours) {
    using W = Wide<B>;
    using Column = typename W::Column;
    Column far = W::load(neighbours.far.data());
    Column y = (blocks > 0 ? W::load_block(x) : Column{}) - W::load(neighbours.near.data());
    for (long b = 0; b < blocks; ++b, x += B, L += 3 * B * B) {
        // What is known of the next block before this one is.
        const Column known = (b + 1 < blocks ? W::load_block(x + B) : Column{}) - far;
        Column next[2] = {known, Column{}}, second[2] = {}, here[2] = {};
#pragma GCC unroll 12
        for (int c = 0; c < B; ++c) {
            const Column yc = W::lane(y, c);
            const int half = c >= B / 2;
            here[half] += W::load(L + 3 * B * c) * yc;
            next[half] -= W::load(L + 3 * B * c + B) * yc;
            second[half] += W::load(L + 3 * B * c + 2 * B) * yc;
        }
        y = next[0] + next[1];
        far = second[0] + second[1];
        W::store_block(x, here[0] + here[1]);
    }
    W::store(neighbours.near.data(), -y);
    W::store(neighbours.far.data(), far);
}

template <int B, class Number>
void solve_backward(const Number* P, double* x, long blocks, Neighbours& neighbours) {
    using W = Wide<B>;
    using Column = typename W::Column;
    Column next = W::load(neighbours.near.data()), second = W::load(neighbours.far.data());
    x += blocks * B, P += blocks * 2 * B * B;
    for (long b = 0; b < blocks; ++b) {
        x -= B, P -= 2 * B * B;
        Column sum = W::load_block(x), rest{};
#pragma GCC unroll 12
        for (int r = 0; r < B; ++r) {
            Column& part = r >= B / 2 ? rest : sum;
            part -= W::load(P + (B + r) * B) * W::lane(second, r);
        }
        sum += rest, rest = Column{};
        second = next;
#pragma GCC unroll 12
        for (int r = 0; r < B; ++r) {
            Column& part = r >= B / 2 ? rest : sum;
            part -= W::load(P + r * B) * W::lane(second, r);
        }
        next = sum + rest;
        W::store_block(x, next);
    }
    W::store(neighbours.near.data(), next);
    W::store(neighbours.far.data(), second);
}

}  // namespace clangor::rods
