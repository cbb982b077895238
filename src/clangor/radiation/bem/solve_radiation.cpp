#include <clangor/radiation/bem/bem.hpp>
#include <clangor/radiation/bem/block_operator.hpp>
#include <clangor/radiation/bem/corner_values.hpp>
#include <clangor/radiation/bem/element_finder.hpp>
#include <clangor/radiation/bem/gmres.hpp>
#include <clangor/radiation/bem/numbering.hpp>
#include <clangor/radiation/bem/sounding_faces.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace clangor {
namespace {

using namespace bem;
using Complex = std::complex<double>;

// Below this a factorisation takes no longer than the assembly.
constexpr int direct_unknowns = 700;

// Above this, far blocks as thin products are faster than dense ones, and much smaller.
constexpr int dense_unknowns = 4000;

void check_size(const Surface& surface, long entries) {
    if (entries != surface.faces.rows())
        throw Error(fmt::format("the gradient has {} entries, but the radiating surface {} faces", entries,
                                surface.faces.rows()));
}

void check(const Surface& surface, const CornerGradient& gradient, double wave_number, const BemOptions& options) {
    check_size(surface, gradient.corners.rows());
    if (!gradient.corners.allFinite())
        throw Error("the gradient on the radiating surface has an entry that is not finite");
    if (!(wave_number > 0) || !std::isfinite(wave_number))
        throw Error(fmt::format("the wave number must be positive, but is {}", wave_number));
    if (!(options.tolerance > 0) || options.max_iterations < 1)
        throw Error("the tolerance of a boundary element solution and its iterations must be positive");
}

// Burton and Miller's equation with η = −i/k on closed bodies, but never longer than the body's radius: what k → 0
// would leave is the hypersingular equation alone, which does not see a constant pressure. Sheets: W μ = −q
// (docs/theory/boundary-elements.md, Eq. 4 and 5).
Equation equation_for(double k, double radius, bool open) {
    if (open) return {.k = k, .eta = 1.0, .right_mass = 1.0};
    const Complex eta(0, -1 / std::max(k, 1 / radius));
    return {.k = k,
            .mass = 0.5,
            .double_layer = 1,
            .eta = eta,
            .right_mass = 0.5 * eta,
            .single_layer = 1,
            .right_adjoint = eta};
}

// 16 bytes an entry with the factors beside the matrix.
double dense_bytes(int unknowns, bool factorised) { return (factorised ? 16.0 : 8.0) * unknowns * unknowns; }

// Balls of 2 562 to 10 242 unknowns at 8 to 17 elements a wavelength took 790 to 1180.
double hierarchical_bytes(int unknowns) { return 1200.0 * unknowns * std::log2(unknowns); }

BemMethod chosen_method(const BemOptions& options, int unknowns, double limit) {
    const double dense = dense_bytes(unknowns, unknowns <= direct_unknowns), thin = hierarchical_bytes(unknowns);
    const bool wants_dense = options.method == BemMethod::Dense ||
                             (options.method == BemMethod::Auto && unknowns <= dense_unknowns && dense <= limit);
    const double needed = wants_dense ? dense : thin;
    if (needed <= limit) return wants_dense ? BemMethod::Dense : BemMethod::Hierarchical;
    const double fits = wants_dense ? std::sqrt(limit / 8) : limit / 1200 / std::log2(unknowns);
    throw Error(fmt::format("the boundary element matrix of {} unknowns needs about {:.0f} MB, but {:.0f} MB may be "
                            "used: enough for about {:.0f} unknowns. Use longer edges{}, or allow more memory",
                            unknowns, needed / 1e6, limit / 1e6, fits,
                            wants_dense && thin <= limit ? " or the hierarchical method" : ""),
                Blame::Work);
}

// Inverses of the leaves' blocks on the diagonal: they know all of what neighbouring elements do to each other, which
// is what makes the hypersingular part slow to converge.
class LeafInverse {
public:
    explicit LeafInverse(const BlockOperator& A) : leaves_(A.leaves()), factors_(A.leaves().size()) {
        parallel_for(static_cast<long>(leaves_.size()), [&](long l) {
            const Cluster& leaf = leaves_[l];
            factors_[l].compute(A.diagonal_block(leaf.begin, leaf.end).cast<Complex>());
        });
    }
    Eigen::VectorXcd operator()(const Eigen::VectorXcd& x) const {
        Eigen::VectorXcd y(x.size());
        for (std::size_t l = 0; l < leaves_.size(); ++l)
            y.segment(leaves_[l].begin, leaves_[l].size()) =
                factors_[l].solve(x.segment(leaves_[l].begin, leaves_[l].size()));
        return y;
    }

private:
    const std::vector<Cluster>& leaves_;
    std::vector<Eigen::PartialPivLU<Eigen::MatrixXcd>> factors_;
};

// By factorisation in single precision, and corrections while they help.
GmresResult direct_solution(const BlockOperator& A, const LinearMap& apply, const Eigen::VectorXcd& b,
                            double tolerance) {
    const Eigen::PartialPivLU<Eigen::MatrixXcf> factors(A.to_dense());
    GmresResult out;
    out.x = Eigen::VectorXcd::Zero(b.size());
    const double scale = b.norm();
    if (scale == 0.0) return {.x = out.x, .converged = true};
    Eigen::VectorXcd rest = b;
    for (int correction = 0; correction < 4 && !out.converged; ++correction) {
        const Eigen::VectorXcf step = factors.solve((rest / scale).cast<std::complex<float>>());
        out.x += scale * step.cast<Complex>();
        rest = b - apply(out.x);
        out.residual = rest.norm() / scale;
        out.converged = out.residual <= tolerance;
    }
    return out;
}

// Crosses in single precision do not get better than the lower bound: with 1e-5 most blocks of 10 242 unknowns stayed
// dense.
double block_tolerance(const BemOptions& options) { return std::clamp(options.tolerance, 3e-5, 1e-3); }

struct Solved {
    GmresResult result;
    std::string method;
    std::vector<std::string> warnings;
};

Solved solved(const BlockOperator& A, const Eigen::VectorXcd& b, const BemOptions& options, bool dense, double limit,
              const Progress& progress) {
    const int unknowns = static_cast<int>(b.size());
    const LinearMap apply = [&](const Eigen::VectorXcd& x) -> Eigen::VectorXcd {
        return (A * x.cast<std::complex<float>>()).cast<Complex>();
    };
    Solved out;
    if (dense && unknowns <= direct_unknowns) {
        out = {direct_solution(A, apply, b, options.tolerance), "dense LU", {}};
    } else {
        const LeafInverse precondition(A);
        out = {gmres(apply, precondition, b, options.tolerance, options.max_iterations, progress),
               dense ? "dense GMRES" : "hierarchical GMRES",
               {}};
        const double left = limit - static_cast<double>(A.bytes());
        if (!out.result.converged && dense_bytes(unknowns, true) <= left) {
            out.warnings.push_back(
                fmt::format("GMRES stood at a residual of {:.1e} after {} iterations: solved directly instead",
                            out.result.residual, out.result.iterations));
            const int iterations = out.result.iterations;
            out.result = direct_solution(A, apply, b, options.tolerance);
            out.result.iterations = iterations;
            out.method = "dense LU";
        }
    }
    if (!out.result.converged || !out.result.x.allFinite())
        throw Error(fmt::format("the boundary element equations of {} unknowns were not solved: residual {:.1e} "
                                "after {} iterations, wanted {:.1e}. Allow more iterations, or memory for a direct "
                                "solution ({:.0f} MB)",
                                unknowns, out.result.residual, out.result.iterations, options.tolerance,
                                dense_bytes(unknowns, true) / 1e6),
                    Blame::Work);
    return out;
}

Surface part_of(const Surface& surface, const std::vector<int>& faces) {
    Surface part{surface.vertices, Triangles(static_cast<long>(faces.size()), 3)};
    for (std::size_t f = 0; f < faces.size(); ++f) part.faces.row(static_cast<long>(f)) = surface.faces.row(faces[f]);
    return part;
}

std::vector<std::string> resolution_warnings(const Elements& elements, double k) {
    double sum = 0;
    for (const Element& e : elements.all)
        sum += (e.corners[1] - e.corners[0]).norm() + (e.corners[2] - e.corners[1]).norm() +
               (e.corners[0] - e.corners[2]).norm();
    const double edge = sum / (3 * static_cast<double>(elements.all.size()));
    const double per_wavelength = 2 * pi / k / edge;
    if (per_wavelength >= 6) return {};
    return {
        fmt::format("only {:.1f} elements a wavelength; 6 are needed for a few per cent, 8 for one", per_wavelength)};
}

}  // namespace

BemSolution solve_radiation(const Surface& surface, const Eigen::VectorXcd& gradient, double wave_number,
                            const BemOptions& options, const Progress& progress) {
    check_size(surface, gradient.size());
    const SoundingFaces sounding = sounding_faces(surface);
    const Surface part = part_of(surface, sounding.faces);
    const std::vector<int> no_nodes(surface.vertices.rows(), -1);
    const CornerValues q = corner_values(elements_of(part, no_nodes, 0), part, gradient(sounding.faces));
    CornerGradient linear{gradient.replicate(1, 3)};
    for (std::size_t f = 0; f < q.size(); ++f)
        for (std::size_t i = 0; i < 3; ++i) linear.corners(sounding.faces[f], static_cast<long>(i)) = q[f][i];
    return solve_radiation(surface, linear, wave_number, options, progress);
}

BemSolution solve_radiation(const Surface& surface, const CornerGradient& gradient, double wave_number,
                            const BemOptions& options, const Progress& progress) {
    check(surface, gradient, wave_number, options);
    const SoundingFaces sounding = sounding_faces(surface);
    Numbering numbering = numbering_of(surface, sounding);
    const double limit = allowed_memory(static_cast<double>(options.memory_limit));
    const bool dense = chosen_method(options, numbering.unknowns, limit) == BemMethod::Dense;

    const Surface part = part_of(surface, sounding.faces);
    const Elements elements = elements_of(part, numbering.node_of, numbering.unknowns);
    const std::vector<std::vector<int>> at_node = elements_at_nodes(elements);
    widen_to_elements(numbering.tree, elements, at_node);
    const std::vector<std::vector<int>> close = close_lists(elements);
    const Equation equation = equation_for(wave_number, elements.radius, sounding.open);
    CornerValues q(sounding.faces.size());
    for (std::size_t f = 0; f < q.size(); ++f)
        for (std::size_t i = 0; i < 3; ++i) q[f][i] = gradient.corners(sounding.faces[f], static_cast<long>(i));
    const ClosePart near = close_part(elements, at_node, close, equation, q, progress);
    const Eigen::VectorXcd right_side = near.right_side + far_right_side(elements, close, equation, q, progress);
    const BlockOperator A({elements, at_node, close, near.matrix, equation, numbering.tree},
                          dense ? 0.0 : block_tolerance(options), limit, progress);
    const Solved solution = solved(A, right_side, options, dense, limit, progress);

    BemSolution out{.surface = surface,
                    .wave_number = wave_number,
                    .open = sounding.open,
                    .pressure = Eigen::VectorXcd::Zero(surface.faces.rows()),
                    .vertex_pressure = Eigen::VectorXcd::Zero(surface.vertices.rows()),
                    .gradient = {Eigen::MatrixX3cd::Zero(surface.faces.rows(), 3)},
                    .method = solution.method,
                    .iterations = solution.result.iterations,
                    .residual = solution.result.residual,
                    .bytes = A.bytes(),
                    .warnings = sounding.warnings};
    for (long v = 0; v < surface.vertices.rows(); ++v) {
        const int node = numbering.node_of[v];
        if (node >= 0) out.vertex_pressure[v] = solution.result.x[node];
    }
    for (const int f : sounding.faces) {
        out.gradient.corners.row(f) = gradient.corners.row(f);
        for (int i = 0; i < 3; ++i) out.pressure[f] += out.vertex_pressure[surface.faces(f, i)] / 3.0;
    }
    for (const auto& more : {resolution_warnings(elements, wave_number), solution.warnings})
        out.warnings.insert(out.warnings.end(), more.begin(), more.end());
    return out;
}

}  // namespace clangor
