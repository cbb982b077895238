#include <clangor/radiation/bem/close_part.hpp>
#include <clangor/radiation/bem/far_sums.hpp>
#include <clangor/radiation/bem/pair_integrals.hpp>
#include <clangor/radiation/bem/triangle_rules.hpp>

#include <algorithm>

namespace clangor::bem {
namespace {

using Complex = std::complex<double>;
using Corners = std::array<Complex, 3>;

constexpr int range_size = 256;  // elements on the border of a range are integrated twice: 13 % of all here

// Some rows of the matrix, with only those columns that occur. The right side reaches as far as the columns do, since
// D′ of an element is felt by those around.
class RowRange {
public:
    RowRange(int begin, int end, int unknowns) : begin_(begin), slot_(unknowns, -1) { rows_.resize(end - begin); }
    bool holds(int node) const { return begin_ <= node && node < begin_ + static_cast<int>(rows_.size()); }
    void add(int row, int column, Complex value) { add_to(rows_[row - begin_], column, value); }
    void add_right(int row, Complex value) { add_to(right_side_, row, value); }
    void add_right_side_to(Eigen::VectorXcd& sum) const {
        for (std::size_t slot = 0; slot < right_side_.size(); ++slot) sum[columns_[slot]] += right_side_[slot];
    }
    CloseMatrix compressed() const {
        std::vector<int> sorted = columns_;
        std::sort(sorted.begin(), sorted.end());
        CloseMatrix out;
        for (const std::vector<Complex>& values : rows_) {
            for (const int column : sorted) {
                const std::size_t slot = slot_[column];
                if (slot >= values.size() || values[slot] == Complex(0)) continue;
                out.column.push_back(column);
                out.value.emplace_back(values[slot]);
            }
            out.begin.push_back(static_cast<long>(out.column.size()));
        }
        return out;
    }

private:
    void add_to(std::vector<Complex>& values, int column, Complex value) {
        int& slot = slot_[column];
        if (slot < 0) {
            slot = static_cast<int>(columns_.size());
            columns_.push_back(column);
        }
        if (values.size() < columns_.size()) values.resize(columns_.size(), Complex(0));
        values[slot] += value;
    }

    int begin_;
    std::vector<int> slot_, columns_;
    std::vector<std::vector<Complex>> rows_;
    std::vector<Complex> right_side_;
};

void add_own(const Element& e, const Equation& eq, const Corners& q, RowRange& rows) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (!rows.holds(e.nodes[i])) continue;
        for (std::size_t j = 0; j < 3; ++j) {
            const double mass = e.area * (i == j ? 1.0 / 6 : 1.0 / 12);  // ∫ N_i N_j dS
            rows.add_right(e.nodes[i], -eq.right_mass * q[j] * mass);
            if (e.nodes[j] >= 0) rows.add(e.nodes[i], e.nodes[j], eq.mass * mass);
        }
    }
}

void add_pair(const Element& x, const Element& y, const Equation& eq, const Corners& q_x, const Corners& q_y,
              bool owned, RowRange& rows) {
    const PairIntegrals pair = pair_integrals(x, y, eq.k);
    Complex total = 0;
    for (const auto& row : pair.single_layer)
        for (const Complex g : row) total += g;
    const Complex mixed = -eq.eta * eq.k * eq.k * x.normal.dot(y.normal);
    for (std::size_t i = 0; i < 3; ++i) {
        if (!rows.holds(x.nodes[i])) continue;
        Complex layer = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            layer += q_y[j] * pair.single_layer[i][j];
            if (y.nodes[j] < 0) continue;
            rows.add(x.nodes[i], y.nodes[j],
                     -eq.double_layer * pair.double_layer[i][j] + mixed * pair.single_layer[i][j] +
                         eq.eta * x.curls[i].dot(y.curls[j]) * total);
        }
        rows.add_right(x.nodes[i], -eq.single_layer * layer);
    }
    if (!owned || eq.right_adjoint == Complex(0)) return;
    // ∫_y N_j ∫_x ∂G/∂n_x: the same double integral as D, read the other way round. It is smoother than the integral
    // of ∂G/∂n over constants, which is infinite on edges.
    for (std::size_t j = 0; j < 3; ++j) {
        Complex adjoint = 0;
        for (std::size_t i = 0; i < 3; ++i) adjoint += q_x[i] * pair.double_layer[i][j];
        if (y.nodes[j] >= 0) rows.add_right(y.nodes[j], -eq.right_adjoint * adjoint);
    }
}

RowRange row_range(const Elements& elements, const std::vector<std::vector<int>>& at_node,
                   const std::vector<std::vector<int>>& close, const Equation& eq, const CornerValues& q, int begin,
                   int end) {
    RowRange rows(begin, end, elements.unknowns);
    std::vector<int> members;
    for (int node = begin; node < end; ++node)
        members.insert(members.end(), at_node[node].begin(), at_node[node].end());
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    for (const int a : members) {
        const Element& x = elements.all[a];
        add_own(x, eq, q[a], rows);
        const bool owned = rows.holds(*std::max_element(x.nodes.begin(), x.nodes.end()));
        for (const int b : close[a]) add_pair(x, elements.all[b], eq, q[a], q[b], owned, rows);
    }
    return rows;
}

// Takes the rows of further ranges, and forgets nothing of the order in which they come.
void append(const CloseMatrix& more, CloseMatrix& matrix) {
    const long offset = static_cast<long>(matrix.column.size());
    for (std::size_t i = 1; i < more.begin.size(); ++i) matrix.begin.push_back(offset + more.begin[i]);
    matrix.column.insert(matrix.column.end(), more.column.begin(), more.column.end());
    matrix.value.insert(matrix.value.end(), more.value.begin(), more.value.end());
}

}  // namespace

void CloseMatrix::add_to(BlockMatrix& block, int row, int first_column) const {
    for (long i = 0; i < block.rows(); ++i) {
        const auto first = column.begin() + begin[row + i];
        const auto last = column.begin() + begin[row + i + 1];
        for (auto at = std::lower_bound(first, last, first_column); at != last && *at < first_column + block.cols();
             ++at)
            block(i, *at - first_column) += value[at - column.begin()];
    }
}

ClosePart close_part(const Elements& elements, const std::vector<std::vector<int>>& at_node,
                     const std::vector<std::vector<int>>& close, const Equation& equation, const CornerValues& q,
                     const Progress& progress) {
    struct RangePart {
        CloseMatrix matrix;
        Eigen::VectorXcd right_side;
    };
    ClosePart out;
    out.right_side = Eigen::VectorXcd::Zero(elements.unknowns);
    // A batch of ranges at a time, so that few of their right sides are in memory together, and progress is told.
    constexpr int batch = 8;
    const int ranges = (elements.unknowns + range_size - 1) / range_size;
    for (int first = 0; first < ranges; first += batch) {
        progress("close elements", static_cast<double>(first) / ranges);
        std::vector<RangePart> parts(std::min(batch, ranges - first));
        parallel_for(static_cast<long>(parts.size()), [&](long r) {
            const int begin = (first + static_cast<int>(r)) * range_size;
            const int end = std::min(begin + range_size, elements.unknowns);
            const RowRange rows = row_range(elements, at_node, close, equation, q, begin, end);
            RangePart& part = parts[r];
            part.matrix = rows.compressed();
            part.right_side = Eigen::VectorXcd::Zero(elements.unknowns);
            rows.add_right_side_to(part.right_side);
        });
        for (const RangePart& part : parts) {
            append(part.matrix, out.matrix);
            out.right_side += part.right_side;
        }
    }
    return out;
}

Eigen::VectorXcd far_right_side(const Elements& elements, const std::vector<std::vector<int>>& close,
                                const Equation& equation, const CornerValues& q, const Progress& progress) {
    Eigen::VectorXcd out = Eigen::VectorXcd::Zero(elements.unknowns);
    if (equation.single_layer == 0.0 && equation.right_adjoint == Complex(0)) return out;
    const PointSources sources = point_sources(elements, q, {});
    std::vector<std::array<Complex, 3>> at_points(elements.all.size());
    constexpr long group = 64, groups_at_once = 16;
    const long count = static_cast<long>(elements.all.size()), groups = (count + group - 1) / group;
    for (long first = 0; first < groups; first += groups_at_once) {
        progress("right side", static_cast<double>(first) / static_cast<double>(groups));
        parallel_for(std::min(groups_at_once, groups - first), [&](long g) {
            PointSources audible = sources;
            for (long e = (first + g) * group; e < std::min((first + g + 1) * group, count); ++e) {
                const Element& x = elements.all[e];
                for (const int b : close[e]) audible.mute(b);
                for (std::size_t p = 0; p < 3; ++p)
                    at_points[e][p] = layers_of_gradient(audible, x.at(rule_of_degree_2()[p].at), x.normal, equation.k,
                                                         equation.single_layer, equation.right_adjoint);
                for (const int b : close[e]) audible.restore(b, sources);
            }
        });
    }
    for (std::size_t e = 0; e < elements.all.size(); ++e)
        for (std::size_t p = 0; p < 3; ++p)
            for (std::size_t i = 0; i < 3; ++i) {
                const RulePoint& rule = rule_of_degree_2()[p];
                const int node = elements.all[e].nodes[i];
                if (node >= 0) out[node] -= rule.weight * rule.at[i] * elements.all[e].area * at_points[e][p];
            }
    return out;
}

}  // namespace clangor::bem
