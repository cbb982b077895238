// Sparse factorisation of K − σM for any shift σ, with its inertia. Internal to modal.
//
// Why our own: shift-invert inside the spectrum and Sylvester's inertia count both need L D Lᵀ of an indefinite matrix.
// CHOLMOD's fast (supernodal) factorisation is L Lᵀ only, its L D Lᵀ works column by column and is an order of
// magnitude slower at 10⁵ unknowns. So we take CHOLMOD's ordering and supernodal structure and do the numeric part
// here. There is no pivoting across the matrix: `backward_error` measures what that costs, and the caller moves σ if it
// is large.
#pragma once

#include <clangor/vibration/modal/block_products.hpp>

#include <memory>

namespace clangor {

/// Keeps the ordering and the structure of L for the pattern of K and M, and one numeric factor at a time.
class ShiftedFactor {
public:
    ShiftedFactor(const SparseMatrix& K, const SparseMatrix& M);
    ~ShiftedFactor();

    /// Factors K − σM. The result does not depend on the number of threads.
    void factor(double sigma);

    /// How many eigenvalues of (K, M) are below σ: the negative pivots, by Sylvester's law of inertia.
    long inertia() const;

    /// X ← (K − σM)⁻¹ X.
    void solve(RowBlock& X) const;

    double sigma() const;
    long factor_entries() const;  ///< numbers stored for L
    double factor_flops() const;

private:
    struct Structure;
    struct Numbers;
    std::unique_ptr<const Structure> structure_;
    std::unique_ptr<Numbers> numbers_;
};

}  // namespace clangor
