// What pairs of close elements contribute to the system: a sparse matrix, and a part of the right side.
#pragma once

#include <clangor/radiation/bem/corner_values.hpp>
#include <clangor/radiation/bem/galerkin.hpp>

#include <complex>
#include <span>
#include <vector>

namespace clangor::bem {

/// Rows of unknowns, columns ascending. Holds the mass matrix as well.
struct CloseMatrix {
    std::vector<long> begin = {0};
    std::vector<int> column;
    std::vector<std::complex<float>> value;

    /// Adds the part that lies in the block whose corner is (row, first_column).
    void add_to(BlockMatrix& block, int row, int first_column) const;
    std::size_t bytes() const { return column.size() * (sizeof(int) + sizeof(std::complex<float>)); }
};

struct ClosePart {
    CloseMatrix matrix;
    Eigen::VectorXcd right_side;  ///< of the close pairs, and of the mass
};

/// The unknowns are numbered so that neighbours are near each other; rows are made in ranges of them, one after the
/// other.
ClosePart close_part(const Elements& elements, const std::vector<std::vector<int>>& at_node,
                     const std::vector<std::vector<int>>& close, const Equation& equation, const CornerValues& q,
                     const Progress& progress);

/// Right side of all pairs that are not close.
Eigen::VectorXcd far_right_side(const Elements& elements, const std::vector<std::vector<int>>& close,
                                const Equation& equation, const CornerValues& q, const Progress& progress);

}  // namespace clangor::bem
