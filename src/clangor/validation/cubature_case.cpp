// Forces of shells in large motion from few edges, or few triangles, against those of all.
#include <clangor/validation/cases.hpp>
#include <clangor/validation/gamma.hpp>
#include <clangor/validation/shell_meshes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace clangor::validation {
namespace {

const Material cubature_steel{"steel", 7800, 200e9, 0.3, {}, ""};
constexpr int cubature_modes = 30;

struct CubatureBody {
    std::string name;
    ThinShell shell;
    Modes modes;
    Eigen::MatrixXd poses;  // a motion of one thickness per column

    CubatureBody(std::string its_name, const Surface& middle)
        : name(std::move(its_name)),
          shell(of_thickness(middle, 0.001)),
          modes(vibration_modes(assemble(shell, cubature_steel),
                                {.min_hz = 1, .max_hz = 1e5, .max_count = cubature_modes})),
          poses(cubature_modes, 24) {
        std::mt19937_64 random(7);
        std::normal_distribution<double> normal;
        for (auto q : poses.colwise()) {
            for (long i = 0; i < q.size(); ++i) q[i] = normal(random) / modes.omega[i];
            q *= shell.thickness[0] / largest_displacement(modes.shapes * q);
        }
    }
};

// Beyond Λq, all triangles summed, the wall relaxed outside the modes at each pose: with n = n(Uq), σ = σ(n, Uq + z),
// z = −(K⁺ − UΛ⁻¹Uᵀ)f(n), it is Uᵀf(n) + (∂n/∂q)ᵀσ, for z is where energy is least.
Eigen::MatrixXd relaxed_forces(const CubatureBody& body) {
    const WallStretch wall(body.shell, cubature_steel);
    const Eigen::MatrixXd& U = body.modes.shapes;
    const Eigen::VectorXd omega_sq = body.modes.omega.cwiseAbs2();
    const Compliance compliance(assemble(body.shell, cubature_steel), 1e-4 * omega_sq[0]);
    const Eigen::MatrixXd alone = wall.quadratic(U);
    Eigen::MatrixXd forces(body.poses.rows(), body.poses.cols());
    for (long t = 0; t < body.poses.cols(); ++t) {
        const Eigen::VectorXd u = U * body.poses.col(t), n = wall.quadratic(u).col(0), f = wall.forces(n).col(0);
        const Eigen::VectorXd in_modes = U.transpose() * f;
        const Eigen::VectorXd z = U * in_modes.cwiseQuotient(omega_sq) - compliance(f).col(0);
        const Eigen::VectorXd sigma = wall.stresses(n, u + z).col(0);
        // n is quadratic: ∂n/∂q_i = n(u + U_i) − n(u) − n(U_i).
        const Eigen::MatrixXd along = (wall.quadratic(U.colwise() + u) - alone).colwise() - n;
        forces.col(t) = in_modes + along.transpose() * sigma;
    }
    return forces;
}

template <class Plan>
Eigen::MatrixXd forces_of(const Plan& plan, const Eigen::MatrixXd& poses) {
    Eigen::MatrixXd forces(poses.rows(), poses.cols());
    for (long t = 0; t < poses.cols(); ++t) forces.col(t) = nonlinear_force(plan, poses.col(t)).gradient;
    return forces;
}

// rms over motions, of the force beyond Λq and of all of it.
struct ForceError {
    double beyond, all;
};

ForceError error_of(const CubatureBody& body, const Eigen::MatrixXd& found, const Eigen::MatrixXd& exact) {
    const Eigen::RowVectorXd error = (found - exact).colwise().squaredNorm();
    const Eigen::MatrixXd whole = exact + body.modes.omega.cwiseAbs2().asDiagonal() * body.poses;
    return {std::sqrt(error.cwiseQuotient(exact.colwise().squaredNorm()).mean()),
            std::sqrt(error.cwiseQuotient(whole.colwise().squaredNorm()).mean())};
}

void add_body(Case& result, const CubatureBody& body) {
    const Eigen::MatrixXd relaxed = relaxed_forces(body);
    const SubspacePlan every =
        subspace_plan(body.shell, cubature_steel, body.modes, {.triangles = int(body.shell.middle.faces.rows())});
    const Eigen::MatrixXd locked = forces_of(every, body.poses);
    Plot of_all{.title = body.name + ": error of all of the force",
                .x_label = "edges or triangles per mode",
                .y_label = "rms error, relative",
                .log_y = true};
    Plot of_beyond = of_all;
    of_beyond.title = body.name + ": error of the force beyond Λq";
    const auto add = [&](const std::string& label, const auto& error_with) {
        Curve all{.label = label}, beyond{.label = label};
        for (const int each : {1, 2, 4, 6, 8}) {
            const ForceError error = error_with(each * cubature_modes);
            all.x.push_back(each);
            all.y.push_back(error.all);
            beyond.x.push_back(each);
            beyond.y.push_back(error.beyond);
        }
        of_all.curves.push_back(all);
        of_beyond.curves.push_back(beyond);
        return all.y;
    };
    for (const int times : {1, 2}) {
        const std::vector<double> errors =
            add(times == 1 ? "edges, one stress per mode" : "edges, two stresses per mode", [&](int edges) {
                const ShellPlan plan = shell_plan(body.shell, cubature_steel, body.modes,
                                                  {.stresses = times * cubature_modes, .edges = edges});
                return error_of(body, forces_of(plan, body.poses), relaxed);
            });
        if (times == 1)
            result.bounds.push_back(
                {body.name + ": 6 edges and one stress per mode, error of all of the force", errors[3], 0.01});
    }
    for (const bool whole : {true, false}) {
        const std::vector<double> errors =
            add(whole ? "triangles, fitted to all of the force" : "triangles, fitted to what is beyond Λq",
                [&](int triangles) {
                    const SubspacePlan plan =
                        subspace_plan(body.shell, cubature_steel, body.modes,
                                      {.triangles = triangles, .poses = 40, .candidates = 100, .whole = whole});
                    return error_of(body, forces_of(plan, body.poses), locked);
                });
        if (whole)
            result.bounds.push_back({body.name + ": 4 triangles per mode, error of all of the force", errors[2], 0.1});
    }
    result.plots.push_back(std::move(of_all));
    result.plots.push_back(std::move(of_beyond));
}

}  // namespace

Case cubature_case(const Progress& progress) {
    Case result{
        .name = "cubature",
        .title = "Forces at random motions of one thickness, from few edges or few triangles",
        .source =
            "the sum over all triangles: for edges with the wall relaxed at each pose, for triangles in "
            "linear modes alone; [Chadwick2009, Fig. 5] for about 10 % at 4 triangles per mode",
        .settings =
            "30 modes; plate of 16×16 cells and cap of 12 rings with a rise of 12 h, 1 mm thick; 24 motions that "
            "nothing was fitted to",
        .remark = "What edges leave of the force beyond Λq is more, since a wall that relaxes has less of it"};
    Surface square = unit_square(16, Grid::Alternating);
    square.vertices *= 0.4;
    add_body(result, CubatureBody("plate", square));
    progress("cubature", 0.5);
    add_body(result, CubatureBody("cap", spherical_cap(12, 1.0, 0.155)));
    return result;
}

}  // namespace clangor::validation
