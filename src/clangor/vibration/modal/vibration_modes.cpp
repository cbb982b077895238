// All modes in a band, shift by shift, each stretch of the spectrum proven complete by inertia counts.
//
// Shifts σ₀ < σ₁ < … walk up the spectrum. At each, block Lanczos finds the modes between the last one found and the
// shift, whose number the inertia count gives exactly, and more on the right. Vectors found on the right of the
// previous shift are locked, so that a multiple eigenvalue at the seam is neither lost nor counted twice
// docs/theory/modal.md, "Slices"
#include <clangor/vibration/modal/modal.hpp>

#include <clangor/vibration/modal/block_lanczos.hpp>
#include <clangor/vibration/modal/ldl.hpp>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace clangor {
namespace {

double omega_sq_of(double hz) { return square(2 * pi * hz); }
double hz_of(double omega_sq) { return std::sqrt(std::max(0.0, omega_sq)) / (2 * pi); }

// What a factorisation is worth, from (K − σM)x = b with a random b.
struct Trial {
    double backward_error;  // ‖(K − σM)x − b‖/(‖K − σM‖‖x‖ + ‖b‖): what doing without pivots cost
    double distance;  // |xᵀb|/xᵀMx: of the nearest eigenvalue from σ, where x is nearly its vector [rad²/s²]
};

// The largest diagonal entry stands for the norm.
Trial try_out(const StiffnessMass& body, const ShiftedFactor& factor) {
    RowBlock b(body.mass.cols(), 1);
    unsigned state = 12345;
    for (long i = 0; i < b.rows(); ++i) {
        state = state * 1664525u + 1013904223u;
        b(i, 0) = double(state) / 4294967296.0 - 0.5;
    }
    RowBlock x = b;
    factor.solve(x);
    const RowBlock Mx = multiply(body.mass, x);
    const RowBlock residual = multiply(body.stiffness, x) - factor.sigma() * Mx - b;
    const double norm = (body.stiffness.diagonal() - factor.sigma() * body.mass.diagonal()).cwiseAbs().maxCoeff();
    return {residual.norm() / (norm * x.norm() + b.norm()),
            std::abs(x.cwiseProduct(b).sum() / x.cwiseProduct(Mx).sum())};
}

// The largest K_ii/M_ii: within a small factor of the largest ω² that the mesh has [rad²/s²].
double largest_eigenvalue_estimate(const StiffnessMass& body) {
    return (body.stiffness.diagonal().array() / body.mass.diagonal().array()).maxCoeff();
}

/// A mode as it was found, or, once nothing is compared with it any more, mass-normalised with what is kept of it.
struct FoundMode {
    double lambda = 0;  ///< ω² [rad²/s²]
    Eigen::VectorXd shape = {};
    bool is_finished = false;
    double omega = 0, residual = 0;
};

// So many shapes at once: each number of K and M is then read once for all of them.
constexpr long batch_size = 16;

// Mass-normalised, each with its own frequency and residual.
void normalise(std::span<FoundMode> modes, const StiffnessMass& body) {
    RowBlock shapes = RowBlock::Zero(body.mass.cols(), batch_size);
    for (long i = 0; i < std::ssize(modes); ++i) shapes.col(i) = modes[i].shape;
    const RowBlock Mu = multiply(body.mass, shapes), Ku = multiply(body.stiffness, shapes);
    parallel_for(std::ssize(modes), [&](long i) {
        FoundMode& mode = modes[i];
        Eigen::VectorXd& u = mode.shape;
        const double norm = std::sqrt(u.dot(Mu.col(i)));
        const double lambda = u.dot(Ku.col(i)) / square(norm);  // Rayleigh quotient
        mode.omega = std::sqrt(lambda);
        mode.residual = (Ku.col(i) - lambda * Mu.col(i)).norm() / (lambda * Mu.col(i).norm());
        // Signs are free; fix them so that a mode does not depend on how it was found.
        long largest = 0;
        u.cwiseAbs().maxCoeff(&largest);
        u *= (u[largest] < 0 ? -1 : 1) / norm;
    });
}

// Calls body with so many of them at a time.
template <class Body>
void in_batches(std::span<FoundMode> modes, const Body& body) {
    for (std::size_t first = 0; first < modes.size(); first += batch_size)
        body(modes.subspan(first, std::min<std::size_t>(batch_size, modes.size() - first)));
}

// Never more than a third of ω²: beyond, the mode is not resolved, and nobody knows.
constexpr double most_excess = 1.0 / 3;

void take_excess_off(std::span<FoundMode> modes, const ModeExcess& excess) {
    Eigen::MatrixXd shapes(modes[0].shape.size(), std::ssize(modes));
    for (long i = 0; i < shapes.cols(); ++i) shapes.col(i) = modes[i].shape;
    const Eigen::VectorXd found = excess(shapes);
    for (long i = 0; i < shapes.cols(); ++i) {
        const double lambda = square(modes[i].omega);
        modes[i].omega = std::sqrt(lambda - std::clamp(found[i], 0.0, most_excess * lambda));
    }
}

void keep(FoundMode& mode, const std::vector<int>& kept_rows) {
    mode.is_finished = true;
    if (kept_rows.empty()) return;
    Eigen::VectorXd kept(std::ssize(kept_rows));
    for (long i = 0; i < kept.size(); ++i) kept[i] = mode.shape[kept_rows[i]];
    mode.shape = std::move(kept);
}

long kept_rows(const StiffnessMass& body, const ModeOptions& options) {
    return options.kept_rows.empty() ? body.mass.cols() : std::ssize(options.kept_rows);
}

void finish(std::span<FoundMode> found, const StiffnessMass& body, const ModeOptions& options) {
    // Those that are finished come first.
    const auto first = std::ranges::find(found, false, &FoundMode::is_finished);
    const std::span<FoundMode> rest(first, found.end());
    in_batches(rest, [&](std::span<FoundMode> batch) {
        normalise(batch, body);
        if (options.excess) take_excess_off(batch, options.excess);
        for (FoundMode& mode : batch) keep(mode, options.kept_rows);
    });
}

// The finished modes, each with so many rows, ascending: what was taken off may have changed their order.
void collect(std::vector<FoundMode>& found, long rows, Modes& modes) {
    std::ranges::stable_sort(found, {}, &FoundMode::omega);
    const long count = std::ssize(found);
    modes.omega.resize(count);
    modes.residuals.resize(count);
    modes.shapes.resize(rows, count);
    for (long i = 0; i < count; ++i) {
        modes.omega[i] = found[i].omega;
        modes.residuals[i] = found[i].residual;
        modes.shapes.col(i) = found[i].shape;
        found[i].shape = {};
    }
}

Error not_one_piece(long zeros, long rigid) {
    return Error(fmt::format(
        "the body has {} motions without strain instead of {}: it is in pieces, or has loose elements", zeros, rigid));
}

class Walk {
public:
    Walk(const StiffnessMass& body, const ModeOptions& options, const Progress& progress)
        : body_(body),
          options_(options),
          progress_(progress),
          factor_(std::in_place, body.stiffness, body.mass),
          rigid_(orthonormalized(body.rigid, body.mass)) {}

    Modes run();

private:
    long count_below(double sigma);
    void check_rigid(long below_bottom);
    void advance(long wanted_right);
    Eigen::MatrixXd locked() const;
    void accept(const RitzPairs& pairs, long missing_left);
    long below_last_shift() const;
    void prove_first(long count);
    void check_memory(long modes) const;
    Modes finished(double top);
    void report(double fraction) const { progress_("modes", std::min(1.0, fraction)); }

    const StiffnessMass& body_;
    const ModeOptions& options_;
    const Progress& progress_;
    std::optional<ShiftedFactor> factor_;
    Eigen::MatrixXd rigid_;
    std::vector<FoundMode> found_;  // ascending
    double last_shift_ = 0;         // vectors above it are locked
    long below_ = 0;                // elastic modes under min_hz
    long goal_ = 0;                 // how many modes are wanted in all
    long dull_ = 0;                 // modes of the band that are not wanted
    int factorizations_ = 0;
};

// Factors at σ, nudging it where an eigenvalue sits on it, and counts. Nearer than 1e-8 σ, what rounding leaves of that
// one mode would drown the others, which are 1e-2 σ away: they never converge.
long Walk::count_below(double sigma) {
    for (int attempt = 0; attempt < 4; ++attempt) {
        factor_->factor(sigma);
        ++factorizations_;
        const Trial trial = try_out(body_, *factor_);
        if (trial.backward_error < 1e-9 && trial.distance > 1e-8 * sigma) return factor_->inertia();
        sigma *= 1 + 1e-4;
    }
    throw Error(
        fmt::format("the factorisation near {:.1f} Hz is unstable: the mesh may have very bad elements", hz_of(sigma)),
        Blame::Work);
}

// Below min_hz there are the rigid motions, and perhaps soft elastic modes; more zero modes than rigid ones mean
// separate pieces.
void Walk::check_rigid(long below_bottom) {
    below_ = below_bottom - rigid_.cols();
    if (below_ < 0)
        throw Error(fmt::format("{} motions without strain were expected, but only {} modes are below {} Hz",
                                rigid_.cols(), below_bottom, options_.min_hz),
                    Blame::Work);
    if (below_ == 0 || body_.is_held) return;
    // Zero in floating point is about 1e-16 of the largest eigenvalue.
    const long zeros = count_below(1e-12 * largest_eigenvalue_estimate(body_));
    if (zeros != rigid_.cols()) throw not_one_piece(zeros, rigid_.cols());
}

Eigen::MatrixXd Walk::locked() const {
    const long first = below_last_shift(), count = long(found_.size()) - first;
    Eigen::MatrixXd vectors(body_.mass.cols(), rigid_.cols() + count);
    vectors.leftCols(rigid_.cols()) = rigid_;
    for (long i = 0; i < count; ++i) vectors.col(rigid_.cols() + i) = found_[first + i].shape;
    return vectors;
}

void Walk::accept(const RitzPairs& pairs, long missing_left) {
    // Of those on the left only the nearest `missing_left` are new; lower ones were found before.
    for (long i = pairs.left - missing_left; i < pairs.lambda.size(); ++i)
        found_.push_back({.lambda = pairs.lambda[i], .shape = pairs.vectors.col(i)});
    // A seam inside a cluster can leave the new ones slightly out of order.
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.lambda < b.lambda; });
}

// So many of the found modes lie there: all that there are, and nothing is compared with them any more.
long Walk::below_last_shift() const {
    return std::upper_bound(found_.begin(), found_.end(), last_shift_,
                            [](double shift, const FoundMode& mode) { return shift < mode.lambda; }) -
           found_.begin();
}

// From the current factorisation: all missing modes below the shift, and `wanted_right` above it.
void Walk::advance(long wanted_right) {
    const long missing = factor_->inertia() - rigid_.cols() - below_ - long(found_.size());
    CLANGOR_ASSERT(missing >= 0, "no mode is found twice");
    const Progress inner{[&](std::string_view, double fraction) {
        report((double(found_.size()) + fraction * double(missing + wanted_right)) / double(goal_));
    }};
    const RitzPairs pairs =
        block_lanczos(*factor_, body_.mass, locked(), {.left = missing, .right = wanted_right}, inner);
    if (!pairs.converged)
        throw Error(fmt::format("the modes around {:.0f} Hz did not converge", hz_of(factor_->sigma())), Blame::Work);
    accept(pairs, missing);
    last_shift_ = factor_->sigma();
    finish(std::span(found_).first(below_last_shift()), body_, options_);
}

// The first `count` modes were found from one shift: an inertia count in a gap just above proves it.
void Walk::prove_first(long count) {
    long best = count - 1;  // the gap above this index
    double widest = -1;
    for (long i = count - 1; i + 1 < long(found_.size()); ++i) {
        const double gap = found_[i + 1].lambda / found_[i].lambda - 1;
        if (gap > widest) widest = gap, best = i;
    }
    CLANGOR_ASSERT(widest > 0, "more modes than asked for were sought");
    const double sigma = found_[best].lambda * (1 + 0.5 * widest);
    const long expected = rigid_.cols() + below_ + best + 1;
    const long counted = count_below(sigma);
    if (counted != expected)
        throw Error(
            fmt::format("{} modes below {:.1f} Hz were found, but there are {}", expected, hz_of(sigma), counted),
            Blame::Work);
}

Modes Walk::finished(double top) {
    long count = 0;
    while (count < long(found_.size()) && found_[count].lambda <= top && count < goal_) ++count;
    Modes modes;
    modes.below = int(below_);
    modes.dull = int(dull_);
    modes.factorizations = factorizations_;
    found_.resize(count);
    finish(found_, body_, options_);
    factor_.reset();  // makes room for the second copy
    collect(found_, kept_rows(body_, options_), modes);
    return modes;
}

void Walk::check_memory(long modes) const {
    const double unknowns = double(body_.mass.cols()), entries = double(factor_->factor_entries());
    const double needed = mode_bytes(unknowns, entries, double(modes), double(kept_rows(body_, options_)));
    if (needed <= options_.memory_limit) return;
    throw Error(
        fmt::format("{} modes of a mesh with {:.0f} unknowns take {:.3g} GB of memory, but {:.3g} GB may be used; "
                    "ask for longer elements or fewer modes, or allow more memory",
                    modes, unknowns, 1e-9 * needed, 1e-9 * options_.memory_limit),
        Blame::Memory);
}

Modes Walk::run() {
    const double bottom = omega_sq_of(options_.min_hz), top = omega_sq_of(options_.max_hz);
    if (options_.max_count > 0) {
        goal_ = options_.max_count;
        // Few modes: one shift at the bottom, then the proof. Many: count first and walk.
        if (goal_ <= options_.slice) {
            check_memory(goal_);
            check_rigid(count_below(bottom));
            if (below_ > 0) count_below(bottom);
            advance(goal_ + 4);
            prove_first(goal_);
            return finished(top);
        }
    }
    check_memory(0);
    const long total = count_below(top);
    const bool may_be_dull = options_.max_count == 0 && options_.dull_hz < options_.max_hz && total > options_.enough;
    const long lively = may_be_dull ? count_below(omega_sq_of(std::max(options_.dull_hz, options_.min_hz))) : total;
    check_rigid(count_below(bottom));
    if (below_ > 0) count_below(bottom);
    const long available = total - rigid_.cols() - below_;
    goal_ = options_.max_count > 0 ? std::min<long>(options_.max_count, available) : available;
    if (may_be_dull) goal_ = std::min(goal_, std::max<long>(options_.enough, lively - rigid_.cols() - below_));
    dull_ = options_.max_count > 0 ? 0 : available - goal_;
    check_memory(goal_);
    if (goal_ == 0) return finished(top);
    advance(std::min<long>(options_.slice, available));
    while (long(found_.size()) < goal_) {
        // Aim half a slice beyond the last mode by the local density; the inertia count says what is really there.
        const long have = long(found_.size()), half = options_.slice / 2;
        const double last = found_.back().lambda, before = found_[std::max<long>(0, have - 1 - half)].lambda;
        double sigma = std::min(top, last + (last - before) * (half / double(std::min(half, have))));
        if (sigma <= last) sigma = last * (1 + 1e-6);
        long missing = count_below(sigma) - rigid_.cols() - below_ - have;
        while (missing > options_.slice) {
            sigma = last + (sigma - last) * 0.6 * double(half) / double(missing);
            missing = count_below(sigma) - rigid_.cols() - below_ - have;
        }
        const long beyond = available - have - missing;
        advance(std::min<long>(beyond, half));
    }
    return finished(top);
}

// Small bodies: all eigenvalues at once, so none can be missing.
Modes dense_modes(const StiffnessMass& body, const ModeOptions& options) {
    const Eigen::MatrixXd K = body.stiffness, M = body.mass;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eig(K, M);
    const Eigen::VectorXd& lambda = eig.eigenvalues();
    const long zeros = body.is_held ? body.rigid.cols() : long((lambda.array() < 1e-12 * lambda.maxCoeff()).count());
    if (zeros != body.rigid.cols()) throw not_one_piece(zeros, body.rigid.cols());
    std::vector<FoundMode> found;
    Modes modes;
    for (long i = zeros; i < lambda.size() && lambda[i] <= omega_sq_of(options.max_hz); ++i) {
        if (lambda[i] < omega_sq_of(options.min_hz)) {
            ++modes.below;
        } else if (options.max_count == 0 || std::ssize(found) < options.max_count) {
            found.push_back({.lambda = lambda[i], .shape = eig.eigenvectors().col(i)});
        }
    }
    finish(found, body, options);
    collect(found, kept_rows(body, options), modes);
    return modes;
}

}  // namespace

// Measured on a block, a ball, a plate and a bowl: docs/theory/modal.md, "Memory".
double mode_bytes(double unknowns, double factor_entries, double modes, double kept_rows) {
    return 3e3 * unknowns + 8 * factor_entries + 16 * kept_rows * modes;
}

double estimated_factor_entries(double unknowns, double across) { return 250 * unknowns + 2 * square(across); }

Modes vibration_modes(const StiffnessMass& body, const ModeOptions& options, const Progress& progress) {
    CLANGOR_ASSERT(0 < options.min_hz && options.min_hz < options.max_hz, "callers check the band");
    // The Lanczos basis must have room: about twice a slice and a half, and locked vectors.
    const bool is_small = body.mass.cols() < 4 * options.slice + 160;
    Modes modes = is_small ? dense_modes(body, options) : Walk(body, options, progress).run();
    progress("modes", 1.0);
    // A slender body's lowest ω² is so far below the mesh's highest that rounding in Ku alone exceeds the tolerance.
    // The frequency, a Rayleigh quotient, is then still right to the square of the residual.
    const double rounding = 1e-13 * largest_eigenvalue_estimate(body);
    for (long i = 0; i < modes.omega.size(); ++i)
        if (!(modes.residuals[i] <= std::max(options.tolerance, rounding / square(modes.omega[i]))))
            throw Error(fmt::format("the mode at {:.1f} Hz has a residual of {:.1e}, above the {:.0e} asked for",
                                    modes.omega[i] / (2 * pi), modes.residuals[i], options.tolerance),
                        Blame::Work);
    return modes;
}

}  // namespace clangor
