// Blocks of the system matrix: linear test functions against linear pressures.
#pragma once

#include <clangor/radiation/bem/elements.hpp>

#include <Eigen/Core>

#include <complex>
#include <vector>

namespace clangor::bem {

using BlockMatrix = Eigen::Matrix<std::complex<float>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// (m M − d D + η W) p = −(c M + s S + a D′) q: mass, double layer, hypersingular; single and adjoint double layer
/// (docs/theory/boundary-elements.md, Eq. 6).
struct Equation {
    double k = 0;                              ///< [1/m]
    double mass = 0;                           ///< m
    double double_layer = 0;                   ///< d
    std::complex<double> eta = 0.0;            ///< [m]
    std::complex<double> right_mass = 0.0;     ///< c [m]
    double single_layer = 0;                   ///< s
    std::complex<double> right_adjoint = 0.0;  ///< a [m]
};

/// Which elements hang on each unknown.
std::vector<std::vector<int>> elements_at_nodes(const Elements& elements);

/// The elements that hang on the unknowns [begin, end), as arrays of single precision that vector instructions run
/// along; the arrays are filled up with weightless elements to whole registers.
struct Patch {
    int begin = 0, end = 0;
    std::vector<int> element;        ///< ascending
    std::vector<float> point[3][3];  ///< [point of the quick rule][coordinate] [m]
    std::vector<float> normal[3];
    std::vector<float> curl[3][3];  ///< [corner][coordinate] [1/m]
    std::vector<float> weight;      ///< area/√(4π)/3 [m²]
    std::vector<int> column[3];     ///< of each corner, relative to begin; −1 if it is not in the range

    long count() const { return static_cast<long>(weight.size()); }
};
Patch patch_of(const Elements& elements, const std::vector<std::vector<int>>& at_node, int begin, int end);

/// All pairs of elements that are not close, three points on each; close pairs add nothing. Rows are the unknowns of x,
/// columns those of y. close: for each element those that are close to it, ascending.
BlockMatrix far_block(const Equation& equation, const Elements& elements, const Patch& x, const Patch& y,
                      const std::vector<std::vector<int>>& close);

/// One row of far_block(x, y), or one column, where there are no close pairs: of the unknown `node`, on which the
/// elements `around` hang.
Eigen::VectorXcf far_row(const Equation& equation, const Elements& elements, const std::vector<int>& around, int node,
                         const Patch& y);
Eigen::VectorXcf far_column(const Equation& equation, const Elements& elements, const std::vector<int>& around,
                            int node, const Patch& x);

}  // namespace clangor::bem
