// Triangular substitution with one dense panel and eight right-hand sides. Internal to modal.
#pragma once

namespace clangor {

/// Eight doubles that are added and multiplied at once: one AVX-512 register, or two AVX ones.
struct Lanes {
    static constexpr int size = 8;
    typedef double Vector __attribute__((vector_size(64)));
    Vector v{};

    double operator[](long i) const { return v[i]; }
    double& operator[](long i) { return reinterpret_cast<double*>(&v)[i]; }
    Lanes& operator/=(double d) {
        v /= d;
        return *this;
    }
};

/// A panel holds k columns of L (unit lower trapezoid, column-major, `rows` rows); y holds one entry for each of its
/// rows. y₁ ← L₁₁⁻¹ y₁,  y₂ ← y₂ − L₂₁ y₁
void forward_substitute(const double* L, long rows, long k, Lanes* y);

/// y₁ ← L₁₁⁻ᵀ (y₁ − L₂₁ᵀ y₂)
void backward_substitute(const double* L, long rows, long k, Lanes* y);

}  // namespace clangor
