// Supernodal left-looking L D Lᵀ. Notation as in [Davis2006, ch. 4 and 6]: a supernode is a run of columns of L that
// share their rows below; it is stored as one dense panel.
#include <clangor/vibration/modal/ldl.hpp>
#include <clangor/vibration/modal/substitution.hpp>

#include <cholmod.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

namespace clangor {

using Panel = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// One supernode's panel has rows `rows[first_row[s] …]`, the first columns(s) of which are its own columns.
struct ShiftedFactor::Structure {
    long n = 0;
    std::vector<long> permutation;       // row of the factor → row of the matrix
    std::vector<long> first_column;      // of each supernode, and n
    std::vector<long> first_row;         // into rows
    std::vector<long> first_value;       // into the panels
    std::vector<int> rows;               // ascending within a supernode
    std::vector<long> update_start;      // into updates
    std::vector<int> updates;            // supernodes whose rows meet the columns of s, ascending
    std::vector<double> update_flops;    // of subtracting them all from s
    std::vector<int> parent;             // in the supernodal elimination tree, −1 for a root
    std::vector<std::vector<int>> bins;  // disjoint bottom subtrees, each in postorder
    std::vector<int> top;                // the supernodes above them, in postorder
    double flops = 0;

    // The lower triangle of the permuted K and M on their common pattern.
    std::vector<long> a_start;
    std::vector<int> a_row;
    std::vector<double> k_value, m_value;

    long supernodes() const { return long(first_column.size()) - 1; }
    long columns(long s) const { return first_column[s + 1] - first_column[s]; }
    long panel_rows(long s) const { return first_row[s + 1] - first_row[s]; }
    const int* rows_of(long s) const { return rows.data() + first_row[s]; }
};

struct ShiftedFactor::Numbers {
    double sigma = 0;
    std::vector<double> panels;
    std::vector<double> d;  // the diagonal D
};

namespace {

// Rows of a panel are updated in runs of this many, one after the other or on several threads, always the same runs.
constexpr long row_run = 384;
// Columns of a panel are eliminated this many at a time.
constexpr long column_run = 48;

// Ordering and supernodal structure from CHOLMOD.
struct Analysis {
    cholmod_common common;
    cholmod_factor* factor = nullptr;

    explicit Analysis(const SparseMatrix& pattern) {
        cholmod_l_start(&common);
        common.supernodal = CHOLMOD_SUPERNODAL;
        common.nmethods = 1;
        common.method[0].ordering = CHOLMOD_METIS;
        common.print = 0;
        std::vector<SuiteSparse_long> outer(pattern.outerIndexPtr(), pattern.outerIndexPtr() + pattern.cols() + 1);
        std::vector<SuiteSparse_long> inner(pattern.innerIndexPtr(), pattern.innerIndexPtr() + pattern.nonZeros());
        cholmod_sparse A{};
        A.nrow = A.ncol = size_t(pattern.cols());
        A.nzmax = size_t(pattern.nonZeros());
        A.p = outer.data();
        A.i = inner.data();
        A.stype = -1;  // the lower triangle counts
        A.itype = CHOLMOD_LONG;
        A.xtype = CHOLMOD_PATTERN;
        A.dtype = CHOLMOD_DOUBLE;
        A.sorted = A.packed = 1;
        static std::mutex metis;  // which takes its numbers from rand(), so that two at once would share their chance
        const std::lock_guard lock(metis);
        factor = cholmod_l_analyze(&A, &common);
    }
    ~Analysis() {
        cholmod_l_free_factor(&factor, &common);
        cholmod_l_finish(&common);
    }
    Analysis(const Analysis&) = delete;
    Analysis& operator=(const Analysis&) = delete;
};

template <class T>
std::vector<T> copied(const void* data, size_t count) {
    const auto* source = static_cast<const SuiteSparse_long*>(data);
    return std::vector<T>(source, source + count);
}

}  // namespace

namespace {

// Flops of supernode s alone: eliminating its columns and updating its ancestors.
double elimination_flops(long columns, long rows) {
    double sum = 0;
    for (long j = 0; j < columns; ++j) sum += square(double(rows - j));
    return sum;
}

}  // namespace

ShiftedFactor::ShiftedFactor(const SparseMatrix& K, const SparseMatrix& M) : numbers_(std::make_unique<Numbers>()) {
    auto s = std::make_unique<Structure>();
    s->n = K.cols();

    // The common pattern. Eigen's sum keeps entries that happen to be zero.
    SparseMatrix lower = (K + M).triangularView<Eigen::Lower>();
    {
        const Analysis analysis(lower);
        const cholmod_factor* L = analysis.factor;
        if (!L || !L->is_super) throw Error("out of memory while ordering the stiffness matrix", Blame::Work);
        s->permutation = copied<long>(L->Perm, L->n);
        s->first_column = copied<long>(L->super, L->nsuper + 1);
        s->first_row = copied<long>(L->pi, L->nsuper + 1);
        s->first_value = copied<long>(L->px, L->nsuper + 1);
        s->rows = copied<int>(L->s, L->ssize);
    }

    // Permute: entry (i, j) of the matrix goes to the lower triangle at (place[i], place[j]).
    std::vector<long> place(s->n);
    for (long i = 0; i < s->n; ++i) place[s->permutation[i]] = i;
    s->a_start.assign(s->n + 1, 0);
    for (int j = 0; j < lower.cols(); ++j)
        for (SparseMatrix::InnerIterator it(lower, j); it; ++it) ++s->a_start[std::min(place[it.row()], place[j]) + 1];
    for (long j = 0; j < s->n; ++j) s->a_start[j + 1] += s->a_start[j];
    const long entries = s->a_start[s->n];
    s->a_row.resize(entries);
    s->k_value.resize(entries);
    s->m_value.assign(entries, 0.0);
    std::vector<long> next(s->a_start.begin(), s->a_start.end() - 1);
    for (int j = 0; j < lower.cols(); ++j) {
        SparseMatrix::InnerIterator k(K, j), m(M, j);
        for (SparseMatrix::InnerIterator it(lower, j); it; ++it) {
            while (k && k.row() < it.row()) ++k;
            while (m && m.row() < it.row()) ++m;
            const long target = next[std::min(place[it.row()], place[j])]++;
            s->a_row[target] = int(std::max(place[it.row()], place[j]));
            s->k_value[target] = k && k.row() == it.row() ? k.value() : 0.0;
            s->m_value[target] = m && m.row() == it.row() ? m.value() : 0.0;
        }
    }
    lower = SparseMatrix();

    // Who updates whom, and the tree.
    const long supernodes = s->supernodes();
    std::vector<int> supernode_of(s->n);
    for (long t = 0; t < supernodes; ++t)
        std::fill(supernode_of.begin() + s->first_column[t], supernode_of.begin() + s->first_column[t + 1], int(t));
    std::vector<std::vector<int>> updates(supernodes);
    s->parent.assign(supernodes, -1);
    s->update_flops.assign(supernodes, 0.0);
    std::vector<double> subtree_flops(supernodes, 0.0);
    for (long t = 0; t < supernodes; ++t) {
        int last = -1;
        for (long r = s->columns(t); r < s->panel_rows(t); ++r) {
            const int ancestor = supernode_of[s->rows_of(t)[r]];
            s->update_flops[ancestor] += 2.0 * double(s->panel_rows(t) - r) * double(s->columns(t));
            if (ancestor == last) continue;
            if (last < 0) s->parent[t] = ancestor;
            updates[ancestor].push_back(int(t));
            last = ancestor;
        }
        subtree_flops[t] += elimination_flops(s->columns(t), s->panel_rows(t));
        if (s->parent[t] >= 0)
            subtree_flops[s->parent[t]] += subtree_flops[t];
        else
            s->flops += subtree_flops[t];
    }
    s->update_start.push_back(0);
    for (const std::vector<int>& list : updates) {
        s->updates.insert(s->updates.end(), list.begin(), list.end());
        s->update_start.push_back(long(s->updates.size()));
    }

    // Cut the tree: bottom subtrees of at most 1/24 of the work run in parallel, the supernodes above them one by one
    // with parallel rows. A supernode's number is above its descendants': descending order visits parents first.
    std::vector<int> root_of(supernodes, -1);
    for (long t = supernodes - 1; t >= 0; --t) {
        const int parent = s->parent[t];
        if (parent >= 0 && root_of[parent] >= 0)
            root_of[t] = root_of[parent];
        else if (subtree_flops[t] <= s->flops / 24)
            root_of[t] = int(t);
    }
    std::vector<std::vector<int>> members(supernodes);
    for (long t = 0; t < supernodes; ++t) {
        if (root_of[t] >= 0)
            members[root_of[t]].push_back(int(t));
        else
            s->top.push_back(int(t));
    }
    std::vector<int> roots;
    for (long t = 0; t < supernodes; ++t)
        if (!members[t].empty()) roots.push_back(int(t));
    std::stable_sort(roots.begin(), roots.end(), [&](int a, int b) { return subtree_flops[a] > subtree_flops[b]; });
    // There may be thousands of small ones: they share 48 bins, the largest first into the emptiest.
    s->bins.resize(std::min<size_t>(48, roots.size()));
    std::vector<double> load(s->bins.size(), 0.0);
    for (const int root : roots) {
        const long bin = std::min_element(load.begin(), load.end()) - load.begin();
        s->bins[bin].insert(s->bins[bin].end(), members[root].begin(), members[root].end());
        load[bin] += subtree_flops[root];
    }
    structure_ = std::move(s);
}

ShiftedFactor::~ShiftedFactor() = default;

double ShiftedFactor::sigma() const { return numbers_->sigma; }
long ShiftedFactor::factor_entries() const { return structure_->first_value.back(); }
double ShiftedFactor::factor_flops() const { return structure_->flops; }

long ShiftedFactor::inertia() const {
    return std::count_if(numbers_->d.begin(), numbers_->d.end(), [](double d) { return d < 0; });
}

namespace {

// Scratch memory of one thread.
struct Workspace {
    std::vector<int> position;  // of a row of the factor within the current panel
    Eigen::MatrixXd product, scaled;
};

// Runs body(first, last) over fixed runs of rows; in parallel where that pays. Threads take some microseconds to meet,
// and a whole time slice on a busy machine: below a millisecond of work one goes alone. The runs are the same either
// way.
template <class Body>
void for_row_runs(long first, long last, double flops, const Body& body) {
    const long runs = (last - first + row_run - 1) / row_run;
    const auto run = [&](long i) { body(first + i * row_run, std::min(last, first + (i + 1) * row_run)); };
    if (flops > 3e7) return parallel_for(runs, run);
    for (long i = 0; i < runs; ++i) run(i);
}

// Unblocked L D Lᵀ of a small diagonal block, in place: unit L below, D on the diagonal and in d.
void factor_diagonal(Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>> A, double* d, double tiny) {
    const long n = A.cols();
    for (long j = 0; j < n; ++j) {
        // A pivot of exactly zero would be an eigenvalue of a leading block hit to the last bit.
        if (std::abs(A(j, j)) < tiny) A(j, j) = A(j, j) < 0 ? -tiny : tiny;
        d[j] = A(j, j);
        const long below = n - j - 1;
        const Eigen::VectorXd column = A.col(j).tail(below) / d[j];
        for (long k = 0; k < below; ++k) A.col(j + 1 + k).tail(below - k) -= column.tail(below - k) * A(j + 1 + k, j);
        A.col(j).tail(below) = column;
    }
}

}  // namespace

namespace {

// The columns of one panel after all updates from below: L11 D L11ᵀ on top, L21 under it.
void factor_panel(Panel A, double* d, double tiny) {
    const long rows = A.rows(), columns = A.cols();
    for (long j = 0; j < columns; j += column_run) {
        const long width = std::min(column_run, columns - j);
        factor_diagonal(A.block(j, j, width, width), d + j, tiny);
        const Eigen::MatrixXd L11 = A.block(j, j, width, width);
        const Eigen::Map<const Eigen::VectorXd> D(d + j, width);
        const long below = j + width;
        // L21 = A21 L11⁻ᵀ D⁻¹
        for_row_runs(below, rows, double(rows - below) * double(width * width), [&](long first, long last) {
            auto A21 = A.block(first, j, last - first, width);
            L11.triangularView<Eigen::UnitLower>().transpose().template solveInPlace<Eigen::OnTheRight>(A21);
            A21.array().rowwise() /= D.transpose().array();
        });
        if (below == columns) continue;
        // A22 ← A22 − L21 D L21ᵀ, the lower part only
        const Eigen::MatrixXd scaled = (A.block(below, j, columns - below, width) * D.asDiagonal()).transpose();
        const double flops = 2.0 * double(rows - below) * double(columns - below) * double(width);
        for_row_runs(below, rows, flops, [&](long first, long last) {
            const long reach = std::min(last, columns) - below;
            A.block(first, below, last - first, reach).noalias() -=
                A.block(first, j, last - first, width) * scaled.leftCols(reach);
        });
    }
}

}  // namespace

void ShiftedFactor::factor(double sigma) {
    const Structure& S = *structure_;
    Numbers& N = *numbers_;
    N.sigma = sigma;
    N.panels.resize(S.first_value.back());
    N.d.resize(S.n);
    double largest = 0;
    for (long j = 0; j < S.n; ++j)
        largest = std::max(largest, std::abs(S.k_value[S.a_start[j]] - sigma * S.m_value[S.a_start[j]]));
    const double tiny = largest * 1e-30;

    const auto panel_of = [&](long s) {
        return Panel(N.panels.data() + S.first_value[s], S.panel_rows(s), S.columns(s),
                     Eigen::OuterStride<>(S.panel_rows(s)));
    };

    // Subtracts what descendant t contributes to rows [first, last) of panel s. `position` maps factor rows to panel
    // rows.
    const auto subtract_update = [&](long s, long t, long first, long last, const std::vector<int>& position,
                                     Workspace& work) {
        const int* rows = S.rows_of(t);
        const int* end = rows + S.panel_rows(t);
        const int* p1 = std::lower_bound(rows + S.columns(t), end, int(S.first_column[s]));
        const int* p2 = std::lower_bound(p1, end, int(S.first_column[s + 1]));
        const auto before = [&](int row, long limit) { return position[row] < limit; };
        const int* r1 = std::lower_bound(p1, end, first, before);
        const int* r2 = std::lower_bound(r1, end, last, before);
        if (r1 == r2) return;
        const Panel L = panel_of(t);
        const long k = L.cols();
        // Columns to the right of the run's last row lie above the diagonal.
        const long width = std::min<long>(p2 - p1, r2 - p1);
        const Eigen::Map<const Eigen::VectorXd> D(N.d.data() + S.first_column[t], k);
        work.scaled.noalias() = D.asDiagonal() * L.block(p1 - rows, 0, width, k).transpose();
        work.product.noalias() = L.block(r1 - rows, 0, r2 - r1, k) * work.scaled;
        Panel A = panel_of(s);
        for (long c = 0; c < width; ++c) {
            double* column = A.data() + A.outerStride() * (p1[c] - S.first_column[s]);
            for (long r = 0; r < r2 - r1; ++r) column[position[r1[r]]] -= work.product(r, c);
        }
    };

    const auto factor_supernode = [&](long s, std::vector<int>& position, std::vector<Workspace>& works) {
        Panel A = panel_of(s);
        A.setZero();
        const int* rows = S.rows_of(s);
        for (long r = 0; r < A.rows(); ++r) position[rows[r]] = int(r);
        for (long c = 0; c < A.cols(); ++c) {
            const long j = S.first_column[s] + c;
            for (long a = S.a_start[j]; a < S.a_start[j + 1]; ++a)
                A(position[S.a_row[a]], c) = S.k_value[a] - sigma * S.m_value[a];
        }
        const long runs = (A.rows() + row_run - 1) / row_run;
        if (long(works.size()) < runs) works.resize(runs);
        for_row_runs(0, A.rows(), S.update_flops[s], [&](long first, long last) {
            for (long u = S.update_start[s]; u < S.update_start[s + 1]; ++u)
                subtract_update(s, S.updates[u], first, last, position, works[first / row_run]);
        });
        factor_panel(A, N.d.data() + S.first_column[s], tiny);
    };

    parallel_for(long(S.bins.size()), [&](long i) {
        std::vector<int> position(S.n);
        std::vector<Workspace> works;
        for (const int s : S.bins[i]) factor_supernode(s, position, works);
    });
    std::vector<int> position(S.n);
    std::vector<Workspace> works;
    for (const int s : S.top) factor_supernode(s, position, works);
}

void ShiftedFactor::solve(RowBlock& X) const {
    const Structure& S = *structure_;
    // Each thread carries its own eight right-hand sides through the whole factor: no synchronisation, and the same
    // bits for any number of threads.
    const long groups = (X.cols() + Lanes::size - 1) / Lanes::size;
    parallel_for(groups, [&](long g) {
        const long first = g * Lanes::size, width = std::min<long>(Lanes::size, X.cols() - first);
        std::vector<Lanes> y(S.n), panel_y;
        for (long i = 0; i < S.n; ++i)
            for (long c = 0; c < width; ++c) y[i][c] = X(S.permutation[i], first + c);
        const auto with_panel = [&](long s, const auto& substitute) {
            const long k = S.columns(s), rows = S.panel_rows(s);
            panel_y.resize(std::max<size_t>(panel_y.size(), size_t(rows)));
            for (long r = 0; r < rows; ++r) panel_y[r] = y[S.rows_of(s)[r]];
            substitute(numbers_->panels.data() + S.first_value[s], rows, k, panel_y.data());
            for (long r = 0; r < rows; ++r) y[S.rows_of(s)[r]] = panel_y[r];
        };
        for (long s = 0; s < S.supernodes(); ++s) with_panel(s, forward_substitute);
        for (long i = 0; i < S.n; ++i) y[i] /= numbers_->d[i];
        for (long s = S.supernodes() - 1; s >= 0; --s) with_panel(s, backward_substitute);
        for (long i = 0; i < S.n; ++i)
            for (long c = 0; c < width; ++c) X(S.permutation[i], first + c) = y[i][c];
    });
}

}  // namespace clangor
