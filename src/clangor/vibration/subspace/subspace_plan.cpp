// From a shell and its modes to the arrays that a step needs   docs/theory/subspace-shell.md
#include <clangor/vibration/subspace/subspace_force.hpp>
#include <clangor/vibration/subspace/triangle_cubature.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clangor {
namespace {

constexpr long probe_count = 32, test_motions = 32;

TriangleCubature all_of(const std::vector<ShellTriangle>& triangles) {
    TriangleCubature all{std::vector<int>(triangles.size()), Eigen::VectorXd(std::ssize(triangles))};
    std::iota(all.triangles.begin(), all.triangles.end(), 0);
    for (size_t f = 0; f < triangles.size(); ++f) all.weights[long(f)] = triangles[f].area;
    return all;
}

// Where each of the lowest modes moves most, in thicknesses.
FloatRows probes_of(const SubspaceModes& modes, double thickness) {
    const long count = std::min(probe_count, modes.shapes.cols());
    FloatRows probes(3 * count, modes.shapes.cols());
    for (long p = 0; p < count; ++p) {
        long place = 0;
        const Eigen::VectorXd u = modes.shapes.col(p).head(3 * modes.vertices());
        u.reshaped(3, modes.vertices()).colwise().squaredNorm().maxCoeff(&place);
        probes.middleRows<3>(3 * p) = (modes.shapes.middleRows<3>(3 * place) / thickness).cast<float>();
    }
    return probes;
}

void measure(SubspacePlan& plan, const SubspaceModes& modes, double largest, std::uint64_t seed) {
    const Eigen::MatrixXd q = random_motions(modes, largest, test_motions, seed);
    const Eigen::MatrixXd exact = forces_beyond_linear(modes, q);
    const Eigen::MatrixXd whole = exact + plan.omega.cwiseAbs2().asDiagonal() * q;
    Eigen::ArrayXd beyond_sq(q.cols()), whole_sq(q.cols());
    parallel_for(q.cols(), [&](long t) {
        const double error_sq = (nonlinear_force(plan, q.col(t)).gradient - exact.col(t)).squaredNorm();
        beyond_sq[t] = error_sq / exact.col(t).squaredNorm();
        whole_sq[t] = error_sq / whole.col(t).squaredNorm();
    });
    plan.misfit = std::sqrt(beyond_sq.mean());
    plan.misfit_of_whole = std::sqrt(whole_sq.mean());
}

}  // namespace

SubspacePlan subspace_plan(const ThinShell& shell, const Material& material, const Modes& modes,
                           const SubspacePlanOptions& options, const Progress& progress) {
    const std::vector<ShellTriangle> triangles = shell_triangles(shell, material);
    const long vertices = shell.middle.vertices.rows(), r = modes.omega.size();
    if (modes.shapes.rows() != 6 * vertices)
        throw Error(fmt::format("modes with {} rows are not those of a shell of {} vertices, which have {}",
                                modes.shapes.rows(), vertices, 6 * vertices));
    if (r == 0) throw Error("the shell has no modes to move in; ask for more of them");
    CLANGOR_ASSERT(options.poses > 0 && options.candidates > 0 && options.amplitude > 0, "something to be fitted to");
    const SubspaceModes basis{triangles, modes.shapes, modes.omega};
    const double thickness = shell.thickness.minCoeff();
    const long count = options.triangles > 0 ? options.triangles : 6 * r;
    const TriangleCubature cubature = count < std::ssize(triangles)
                                          ? triangle_cubature(basis, thickness, options, count, progress)
                                          : all_of(triangles);
    SubspacePlan plan;
    plan.omega = modes.omega;
    plan.triangles = cubature.triangles;
    plan.weights = cubature.weights;
    const long n = std::ssize(plan.triangles);
    plan.rows.resize(15 * n, r);
    plan.membrane.resize(n, 36), plan.bending.resize(n, 36);
    for (long i = 0; i < n; ++i) {
        const ShellTriangle& triangle = triangles[size_t(plan.triangles[size_t(i)])];
        const double weight = plan.weights[i] / triangle.area;
        plan.rows.middleRows<15>(15 * i) = rows_of(basis, plan.triangles[size_t(i)]).cast<float>();
        plan.membrane.row(i) = (weight * triangle.membrane).reshaped().transpose().cast<float>();
        plan.bending.row(i) = (weight * triangle.bending).reshaped().transpose().cast<float>();
    }
    for (const ShellTriangle& triangle : triangles) plan.area += triangle.area;
    plan.probes = probes_of(basis, thickness);
    measure(plan, basis, options.amplitude * thickness, options.seed + 1);
    progress("cubature", 1.0);
    return plan;
}

std::vector<std::string> problems_of(const SubspacePlan& plan) {
    std::vector<std::string> problems;
    const long r = plan.modes(), n = std::ssize(plan.triangles);
    if (r == 0) problems.emplace_back("the plan has no modes");
    if (plan.rows.cols() != r || plan.probes.cols() != r || plan.probes.rows() % 3 != 0 || plan.probes.rows() == 0)
        problems.push_back(fmt::format("rows and probes need a column for each of {} modes", r));
    if (plan.rows.rows() != 15 * n || plan.weights.size() != n || plan.membrane.rows() != n ||
        plan.bending.rows() != n || plan.membrane.cols() != 36 || plan.bending.cols() != 36)
        problems.push_back(fmt::format("{} triangles need 15 rows, a weight and two forms each", n));
    if (!plan.omega.allFinite() || !plan.weights.allFinite() || !plan.rows.allFinite() || !plan.membrane.allFinite() ||
        !plan.bending.allFinite() || !plan.probes.allFinite() || !(plan.omega.array() > 0).all())
        problems.emplace_back("frequencies must be positive and all numbers finite");
    return problems;
}

}  // namespace clangor
