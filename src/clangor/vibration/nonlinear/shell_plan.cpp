// From a shell and its modes to the arrays that a step needs   docs/theory/nonlinear-shell.md
#include <clangor/vibration/nonlinear/edge_cubature.hpp>
#include <clangor/vibration/nonlinear/nonlinear.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Modes whose squared displacement across the wall is below this part of all stay in the wall.
constexpr double least_bending = 1e-4;
// Of ω² of the first mode: how soft the bed is that holds the body while its wall relaxes.
constexpr double bed = 1e-4;
// Edges that are tried, per edge that is taken.
constexpr int candidates_each = 5;
constexpr int probe_count = 32;

// Displacements across the wall: one row per vertex.
Eigen::MatrixXd across(const Surface& middle, const Eigen::MatrixXd& shapes) {
    const Points normals = vertex_normals(middle);
    Eigen::MatrixXd result(normals.rows(), shapes.cols());
    for (long v = 0; v < normals.rows(); ++v) result.row(v) = normals.row(v) * shapes.middleRows<3>(3 * v);
    return result;
}

std::vector<int> bending_modes(const Surface& middle, const Modes& modes) {
    const Eigen::RowVectorXd out = across(middle, modes.shapes).colwise().squaredNorm();
    const Eigen::RowVectorXd all = modes.shapes.topRows(3 * middle.vertices.rows()).colwise().squaredNorm();
    std::vector<int> kept;
    for (int i = 0; i < int(modes.omega.size()); ++i)
        if (out[i] > least_bending * all[i]) kept.push_back(i);
    return kept;
}

// The rows that span most of what all rows do in motions with q_i ~ N(0, 1/ω_i²): each time the one that has most left.
std::vector<long> liveliest(Eigen::MatrixXd rows, const Eigen::VectorXd& omega, long count) {
    rows = rows * omega.cwiseInverse().asDiagonal();
    std::vector<long> chosen;
    while (std::ssize(chosen) < std::min(count, rows.rows())) {
        long best = 0;
        rows.rowwise().squaredNorm().maxCoeff(&best);
        chosen.push_back(best);
        const Eigen::RowVectorXd direction = rows.row(best).normalized();
        rows -= (rows * direction.transpose()).eval() * direction;
    }
    return chosen;
}

double misfit_of(const ShellPlan& plan, const BendingModes& modes, const StressModes& stress, std::uint64_t seed) {
    const Eigen::MatrixXd poses = random_poses(modes, 32, seed);
    const Eigen::MatrixXd exact = stretches(modes, stress, poses);
    const Eigen::MatrixXd v = plan.edges.cast<double>() * poses;
    const Eigen::MatrixXd fitted = plan.squares.cast<double>() * v.cwiseAbs2();
    return std::sqrt(((fitted - exact).colwise().squaredNorm().array() / exact.colwise().squaredNorm().array()).mean());
}

bool is_self_stress_first(const ShellPlan& plan) {
    return plan.squares.rows() > 0 && (plan.coupling.rows() == 0 || plan.coupling.row(0).isZero(0));
}

// The bed holds what supports leave free.
Relaxation relaxation_of(const StiffnessMass& body, const SparseMatrix& expansion, const Eigen::VectorXd& omega) {
    return {Compliance(body, body.rigid.cols() > 0 ? bed * square(omega.minCoeff()) : 0.0), expansion};
}

ShellPlan plan_of(const ThinShell& shell, const Material& material, const Modes& modes, const ConstrainedBody* held,
                  const ShellPlanOptions& options, const Progress& progress) {
    const long vertices = shell.middle.vertices.rows();
    const WallStretch wall(shell, material);
    if (modes.shapes.rows() != 6 * vertices)
        throw Error(fmt::format("modes with {} rows are not those of a shell of {} vertices, which have {}",
                                modes.shapes.rows(), vertices, 6 * vertices));
    if (const long faces = shell.middle.faces.rows(), given = options.growth.size(); given != 0 && given != faces)
        throw Error(fmt::format("growth of {} triangles is not that of a shell of {}", given, faces));
    ShellPlan plan;
    plan.kept = bending_modes(shell.middle, modes);
    if (plan.kept.empty()) throw Error("none of the shell's modes bends it; ask for more of them");
    plan.omega = modes.omega(plan.kept);
    const BendingModes bending{wall, modes.shapes(Eigen::all, plan.kept), plan.omega, shell.thickness.minCoeff()};
    const long r = plan.modes();
    const StressModes stress = [&] {
        const Relaxation relaxation = held ? relaxation_of(held->body, held->expansion, plan.omega)
                                           : relaxation_of(assemble(shell, material), {}, plan.omega);
        // What supports hold in the wall is spread over more stresses: with r of them Γ of a supported square's first
        // mode is 2.5 % short, and of its fourth 7 %; with 2r, 0.1 and 0.3 %.
        const long usual = held ? 2 * r : r;
        const FrozenStress frozen =
            options.growth.size() > 0 ? frozen_stress(wall, relaxation, options.growth) : FrozenStress{};
        plan.prestress = frozen.amplitude;
        return stress_modes(bending, relaxation, frozen, options.stresses > 0 ? options.stresses : usual, options.seed,
                            progress);
    }();
    const long edges = options.edges > 0 ? options.edges : 6 * r;
    const Eigen::MatrixXd candidates = edge_turns(shell.middle, bending.shapes, candidates_each * edges, options.seed);
    const EdgeCubature cubature =
        edge_cubature(bending, stress, candidates, std::min(edges, candidates.rows()), progress);
    plan.coupling = stress.coupling.cast<float>();
    plan.edges = cubature.edges.cast<float>();
    plan.squares = cubature.squares.cast<float>();
    const Eigen::MatrixXd out = across(shell.middle, bending.shapes) / bending.thickness;
    plan.probes = out(liveliest(out, plan.omega, probe_count), Eigen::all).cast<float>();
    plan.misfit = misfit_of(plan, bending, stress, options.seed + 1);
    progress("edges", 1.0);
    return plan;
}

}  // namespace

ShellPlan shell_plan(const ThinShell& shell, const Material& material, const Modes& modes,
                     const ShellPlanOptions& options, const Progress& progress) {
    return plan_of(shell, material, modes, nullptr, options, progress);
}

ShellPlan shell_plan(const ThinShell& shell, const Material& material, const Modes& modes, const ConstrainedBody& held,
                     const ShellPlanOptions& options, const Progress& progress) {
    if (const long rows = 6 * shell.middle.vertices.rows(); held.expansion.rows() != rows)
        throw Error(fmt::format("supports of a body with {} degrees of freedom are not those of a shell with {}",
                                held.expansion.rows(), rows));
    return plan_of(shell, material, modes, &held, options, progress);
}

std::vector<std::string> problems_of(const ShellPlan& plan) {
    std::vector<std::string> problems;
    const long r = plan.modes();
    if (r == 0) problems.emplace_back("the plan has no modes");
    if (std::ssize(plan.kept) != r) problems.push_back(fmt::format("{} modes are kept of {}", plan.kept.size(), r));
    if (!plan.kept.empty() && (plan.kept.front() < 0 ||
                               std::ranges::adjacent_find(plan.kept, std::ranges::greater_equal()) != plan.kept.end()))
        problems.emplace_back("the modes that are kept must ascend");
    if (plan.coupling.cols() != r || plan.edges.cols() != r || plan.probes.cols() != r)
        problems.push_back(fmt::format("coupling, edges and probes need a column for each of {} modes", r));
    if (plan.coupling.rows() != plan.squares.rows() || plan.edges.rows() != plan.squares.cols())
        problems.emplace_back("squares need a row for each stress and a column for each edge");
    if (!plan.omega.allFinite() || !plan.coupling.allFinite() || !plan.edges.allFinite() || !plan.squares.allFinite() ||
        !plan.probes.allFinite() || !(plan.omega.array() > 0).all())
        problems.emplace_back("frequencies must be positive and all numbers finite");
    if (!std::isfinite(plan.prestress) || (plan.prestress != 0 && !is_self_stress_first(plan)))
        problems.emplace_back("a prestress needs a first stress that modes do not make");
    return problems;
}

}  // namespace clangor
