#include <clangor/radiation/transfer/bem_transfer.hpp>

#include <clangor/radiation/transfer/curved_refinement.hpp>
#include <clangor/radiation/transfer/fit_waves.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace clangor::modal_transfer {
namespace {

// The shape itself: six edges a radius, and where the body is slender two across it, unless that takes more than so
// many faces. Against the finest mesh that was tried, a square bar is then off by 1 % (8 % with edges of R/6), a tuning
// fork by 4 % (29 %), a bowl and a plate by less than 1 %.
constexpr double edges_per_radius = 6, faces_for_shape = 1000;

// More are not solved for in reasonable time.
constexpr double most_faces = 60000;

// A mode whose waves on the surface are shorter than half of those in the air is heard by what little its lobes leave
// of each other: 7e-5 of the flux of n = 4 at ka = 0.5, gone astray, are 15 % of its far field. Its elements are half
// as long, as far as these many allow.
constexpr double slow_wave = 0.5, slow_fineness = 2, most_slow_faces = 6000;

// Of GMRES, for the same reason.
constexpr double wanted_residual = 1e-5;

// The given surface is refined until so many of its edges make a wave of the mode, but to half an element at least and
// a quarter at most. On a ball that leaves 0.1 to 0.6 % of n = 4 at ka = 0.5, far away, where it is felt most.
constexpr double refined_per_wave = 32, most_refined_faces = 300e3;

// Meshes are shared between modes: edges come in steps of 19 %, the next shorter one is taken.
constexpr double steps_per_octave = 4;

const double triangle = std::sqrt(3.0) / 4;  // area of the equilateral one of edge 1

Vec3 corner(const Surface& surface, int face, int k) { return surface.vertices.row(surface.faces(face, k)); }

Vec3 area_vector(const Surface& surface, int face) {
    const Vec3 a = corner(surface, face, 0);
    return (corner(surface, face, 1) - a).cross(corner(surface, face, 2) - a) / 2;
}

// ∫ n·u dS over each face, exact for a displacement that is linear on it.
Eigen::VectorXd fluxes_of(const Surface& surface, const Points& shape) {
    Eigen::VectorXd fluxes(surface.faces.rows());
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 mean =
            (shape.row(surface.faces(f, 0)) + shape.row(surface.faces(f, 1)) + shape.row(surface.faces(f, 2))) / 3;
        fluxes[f] = area_vector(surface, f).dot(mean);
    }
    return fluxes;
}

// By more than rounding.
bool moves_air(const Surface& surface, const Points& shape, const Eigen::VectorXd& fluxes) {
    return fluxes.cwiseAbs().sum() > 1e-9 * area_of(surface) * shape.rowwise().norm().maxCoeff();
}

/// Which connected piece each vertex belongs to, by the lowest vertex of the piece.
std::vector<int> pieces_of(const Surface& surface) {
    std::vector<int> root(surface.vertices.rows());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int v) {
        while (root[v] != v) {
            int& up = root[v];
            v = up = root[up];
        }
        return v;
    };
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int k = 1; k < 3; ++k) {
            const int a = find(surface.faces(f, 0)), b = find(surface.faces(f, k));
            root[std::max(a, b)] = std::min(a, b);
        }
    for (int v = 0; v < surface.vertices.rows(); ++v) root[v] = find(v);
    return root;
}

/// One mode that is to be solved.
struct Task {
    int mode = 0;
    double along = 0;  ///< length of the waves on the surface [m]
    int step = 0;      ///< of the mesh: edges of plan.longest/2^(step/4)
    double cost = 0;   ///< grows with the square of the number of faces
};

/// The given surface as it is between its vertices, and the mesh that radiates in its place.
struct MeshOfStep {
    CurvedRefinement given = {};
    RadiatingMesh radiating = {};
};

// How often the given faces are cut in four: motion and walls are straight between the vertices that come out.
int refinement_levels(const EdgePlan& plan, const Surface& surface, double edge, double along) {
    const double length = std::clamp(along / refined_per_wave, edge / 4, edge / 2);
    const int wanted = static_cast<int>(std::ceil(std::log2(plan.given / length) - 1e-6));
    const double room = most_refined_faces / static_cast<double>(surface.faces.rows());
    return std::clamp(wanted, 0, static_cast<int>(std::log2(std::max(1.0, room)) / 2));
}

MeshOfStep mesh_of_step(const Surface& surface, double edge, int levels) {
    MeshOfStep mesh{.given = curved_refinement(surface, levels)};
    mesh.radiating = radiating_mesh(mesh.given.surface, edge);
    return mesh;
}

struct Work {
    VibratingSurface body = {};
    const TransferOptions& options;
    BoundingSphere sphere = {};
    EdgePlan plan = {};
    std::map<std::pair<int, int>, MeshOfStep> meshes = {};  ///< by step and levels of refinement
    TransferBake bake = {};
    int coarse_modes = 0;  ///< that would need a finer mesh than is allowed
    int warned_modes = 0;  ///< of whose solution something was said
    std::string first_warning = {};

    double edge(int step) const { return plan.longest * std::exp2(-step / steps_per_octave); }
};

// The tasks, after all silent and finished modes have their result.
std::vector<Task> start(Work& work, const ModalTransfer& begun) {
    const VibratingSurface& body = work.body;
    ModalTransfer& transfer = work.bake.transfer;
    transfer = {.centre = work.sphere.centre,
                .radius = work.sphere.radius,
                .reference_radius = spheres_around(work.sphere, 0).radii.front(),
                .air = body.air};
    transfer.modes.resize(body.omega.size());
    std::vector<Task> tasks;
    for (int j = 0; j < body.omega.size(); ++j) {
        const double omega = body.omega[j], hz = omega / (2 * pi);
        ModeTransfer& mode = transfer.modes[j];
        mode.omega = omega;
        if (hz > work.options.max_hz || !(omega > 0) ||
            !moves_air(body.surface, body.shapes[j], fluxes_of(body.surface, body.shapes[j]))) {
            mode.degree = 0;
            mode.coefficients = Eigen::VectorXcf::Zero(1);
            continue;
        }
        const double wavelength = body.air.speed_of_sound / hz,
                     along = surface_wavelength(body.surface, body.shapes[j]);
        const double edge = edge_length(work.plan, wavelength, along, work.options.elements_per_wavelength);
        work.coarse_modes += edge > wavelength / work.options.elements_per_wavelength * (1 + 1e-9);
        if (j < std::ssize(begun.modes) && begun.modes[j].degree >= 0) {
            mode = begun.modes[j];
            continue;
        }
        const int step = static_cast<int>(std::ceil(steps_per_octave * std::log2(work.plan.longest / edge) - 1e-6));
        tasks.push_back({j, along, step, square(area_of(body.surface) / (triangle * square(work.edge(step))))});
    }
    return tasks;
}

ModeTransfer solved(Work& work, const Task& task, const Progress& progress) {
    const VibratingSurface& body = work.body;
    const double edge = work.edge(task.step);
    const int levels = refinement_levels(work.plan, body.surface, edge, task.along);
    auto found = work.meshes.find({task.step, levels});
    if (found == work.meshes.end())
        found = work.meshes.emplace(std::pair(task.step, levels), mesh_of_step(body.surface, edge, levels)).first;
    const MeshOfStep& mesh = found->second;
    const double omega = body.omega[task.mode], k = omega / body.air.speed_of_sound;
    // u e^{iωt} is accelerated by −ω²u, so that ∂p/∂n = −ρ0 a_n = ω²ρ0 n·u   docs/theory/transfer.md
    const Eigen::VectorXd fluxes = fluxes_of(mesh.given.surface, mesh.given(body.shapes[task.mode]));
    const CornerGradient q = density_on(mesh.radiating, square(omega) * body.air.density * fluxes);
    const BemSolution sound =
        solve_radiation(mesh.radiating.surface, q, k,
                        {.tolerance = wanted_residual, .memory_limit = work.options.memory_limit}, progress);
    if (!sound.warnings.empty() && work.warned_modes++ == 0)
        work.first_warning =
            fmt::format("mode {} at {:.4g} Hz: {}", task.mode + 1, omega / (2 * pi), fmt::join(sound.warnings, "; "));
    // What is solved for outside is made of outgoing waves only: one sphere tells all of them. It must also tell those
    // that die out nearby from those that are heard: the lobes of the mode on the surface, though the air carries none
    // as short.
    const double finest = std::max(k, 2 * pi / task.along);
    const RecordingSpheres sphere{
        work.sphere, {spheres_around(work.sphere, 0).radii.front()}, radiated_degree(finest, work.sphere.radius)};
    const Eigen::VectorXd one_omega = Eigen::VectorXd::Constant(1, omega);
    return fit_waves(sphere, pressure_at(sound, shell_points(sphere)), one_omega, body.air, work.options.accuracy)
        .modes.front();
}

void warn(Work& work) {
    if (work.warned_modes == 1) work.bake.warnings.push_back(work.first_warning);
    if (work.warned_modes > 1)
        work.bake.warnings.push_back(
            fmt::format("{} (something like this for {} modes)", work.first_warning, work.warned_modes));
    if (work.coarse_modes == 0) return;
    work.bake.warnings.push_back(fmt::format(
        "{} mode{} would need more than {:.0f} boundary elements for {:g} a wavelength and had to do with fewer; "
        "lower max_hz, or use the wave solver",
        work.coarse_modes, work.coarse_modes == 1 ? "" : "s", most_faces, work.options.elements_per_wavelength));
}

}  // namespace

double surface_wavelength(const Surface& surface, const Points& shape) {
    double square_sum = 0, gradient_sum = 0;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 area = area_vector(surface, f);
        const double A = area.norm();
        if (!(A > 0)) continue;
        Mat3 u, gradient = Mat3::Zero();  // a corner a column; ∇u = Σ u_k (n × edge opposite to k)ᵀ/2A
        for (int k = 0; k < 3; ++k) u.col(k) = shape.row(surface.faces(f, k));
        for (int k = 0; k < 3; ++k)
            gradient +=
                u.col(k) * area.cross(corner(surface, f, (k + 2) % 3) - corner(surface, f, (k + 1) % 3)).transpose();
        square_sum +=
            A * (u.squaredNorm() + u.rowwise().sum().squaredNorm()) / 12;  // ∫ of the square of a linear function
        gradient_sum += gradient.squaredNorm() / (4 * cube(A));
    }
    return gradient_sum > 0 ? 2 * pi * std::sqrt(square_sum / gradient_sum) : std::numeric_limits<double>::infinity();
}

EdgePlan edge_plan(const Surface& surface, double radius) {
    const double area = area_of(surface);
    const auto edge_of = [&](double faces) { return std::sqrt(area / (triangle * faces)); };
    EdgePlan plan{radius / edges_per_radius, edge_of(most_faces), edge_of(static_cast<double>(surface.faces.rows())),
                  edge_of(most_slow_faces)};
    // 4V/A is the side of a square bar; half of it puts two edges across.
    if (topology_of(surface).closed())
        plan.longest = std::min(
            plan.longest, std::max(2 * std::abs(mass_properties(surface).volume) / area, edge_of(faces_for_shape)));
    plan.longest = std::max(plan.longest, plan.shortest);
    return plan;
}

double edge_length(const EdgePlan& plan, double wavelength, double surface_wavelength, double elements_per_wavelength) {
    double along = std::max(surface_wavelength / elements_per_wavelength, plan.given);
    if (surface_wavelength < slow_wave * wavelength)
        along = std::min(along, std::max(along / slow_fineness, plan.slow_shortest));
    return std::clamp(std::min(wavelength / elements_per_wavelength, along), plan.shortest, plan.longest);
}

VibratingSurface without_voids(const VibratingSurface& body) {
    const Surface& surface = body.surface;
    if (!topology_of(surface).closed()) return body;
    const std::vector<int> piece = pieces_of(surface);
    Eigen::VectorXd volume = Eigen::VectorXd::Zero(surface.vertices.rows());  // by piece, six times
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const int p = piece[surface.faces(f, 0)];
        const Vec3 origin = surface.vertices.row(p);
        volume[p] += 2 * area_vector(surface, f).dot(corner(surface, f, 0) - origin);
    }
    std::vector<int> kept;  // the wall of a void faces it, and so encloses a negative volume
    for (int f = 0; f < surface.faces.rows(); ++f)
        if (volume[piece[surface.faces(f, 0)]] >= 0) kept.push_back(f);
    if (kept.empty() || static_cast<long>(kept.size()) == surface.faces.rows()) return body;
    VibratingSurface outer = body;
    outer.surface.faces.resize(static_cast<long>(kept.size()), 3);
    for (std::size_t i = 0; i < kept.size(); ++i)
        outer.surface.faces.row(static_cast<long>(i)) = surface.faces.row(kept[i]);
    return outer;
}

TransferBake bem_transfer(const VibratingSurface& body, const TransferOptions& options, const TransferResume& resume,
                          const Progress& progress) {
    const Stopwatch watch;
    Work work{.body = without_voids(body), .options = options, .sphere = bounding_sphere(body.surface.vertices)};
    work.plan = edge_plan(work.body.surface, work.sphere.radius);
    const std::vector<Task> tasks = start(work, resume.begun.transfer);
    double done = 0, total = 0;
    for (const Task& task : tasks) total += task.cost;
    for (const Task& task : tasks) {
        double reached = 0;  // a solution has stages that each begin at 0
        const Progress part{[&](std::string_view, double fraction) {
            reached = std::clamp(fraction, reached, 1.0);
            progress("acoustic transfer", (done + reached * task.cost) / total);
        }};
        part("", 0);
        const std::size_t at = task.mode;
        try {
            work.bake.transfer.modes[at] = solved(work, task, part);
        } catch (const Error& error) {
            throw Error(fmt::format("acoustic transfer of mode {} at {:.4g} Hz: {}", task.mode + 1,
                                    work.body.omega[task.mode] / (2 * pi), error.what()),
                        error.blame());
        }
        ++work.bake.runs;
        done += task.cost;
        if (resume.keep) resume.keep({work.bake.transfer, {}, {}});
    }
    progress("acoustic transfer", 1);
    warn(work);
    work.bake.seconds = watch.seconds();
    return std::move(work.bake);
}

}  // namespace clangor::modal_transfer
