// Where a sequence tends to that has not arrived.
#pragma once

#include <clangor/core/core.hpp>

#include <span>

namespace clangor::modal_transfer {

/// Of estimates x_i at equal distances in time, one column a mode. While no more ringings are left in a mode than there
/// are estimates but two, each of which decays and turns at its own rate, Σ γ_i x_i with Σ γ_i = 1 is free of them
/// where Σ γ_i (x_{i+1} − x_i) vanishes: reduced rank extrapolation [Eddy1979]   docs/theory/transfer-chords.md, Eq. 9.
Eigen::MatrixXcd limit_of(std::span<const Eigen::MatrixXcd> estimates);

}  // namespace clangor::modal_transfer
