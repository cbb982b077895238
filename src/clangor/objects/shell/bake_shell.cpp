// From the surface in the middle of a wall to a model that can ring.
#include <clangor/objects/shell/shell.hpp>

#include <clangor/objects/shell/held_shell.hpp>
#include <clangor/objects/shell/ringing_shell.hpp>
#include <clangor/objects/shell/shell_mesh.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

constexpr double modes_at_least = 128;  // that are found at once

// Shear, which thin shells leave out, lowers a bending wave's frequency by (kh)²/(12 κ (1 − ν)), κ = 5/6, of the wave
// number k = √(ω √(ρh/D)).
double shear_error(const Material& material, double thickness, double hz) {
    const double nu = material.poisson;
    const double k_sq = 2 * pi * hz * std::sqrt(12 * (1 - square(nu)) * material.density / material.young) / thickness;
    return k_sq * square(thickness) / (10 * (1 - nu));
}

// About how many modes a plate of that area has: N = A k²/4π.
double modes_in(double area, const Material& material, double thickness, const HeardBand& band) {
    if (std::isfinite(band.dull_hz)) return 0;  // then no more than those that matter are sought
    const double wave = 6 * longest_edge(material, thickness, band.max_hz);
    return pi * area / square(wave);
}

// Refuses what would not fit before anything is meshed.
void check_memory(const Surface& surface, double thickness, const Material& material,
                  const scene::SolidOptions& options, const HeardBand& band, double memory) {
    const double edge = shell_edge(surface, thickness, material, options, band.max_hz), area = area_of(surface);
    const double vertices = area / (std::sqrt(3.0) / 2 * square(edge)), unknowns = 6 * vertices;
    const double modes = options.max_modes > 0 ? options.max_modes
                                               : std::clamp(modes_in(area, material, thickness, band), modes_at_least,
                                                            std::max(modes_at_least, unknowns / 3));
    // A line through a sheet, or around a vessel.
    const double across = 6 * 3 * std::sqrt(vertices);
    const double needed = mode_bytes(unknowns, estimated_factor_entries(unknowns, across), modes, unknowns);
    if (needed <= memory) return;
    throw Error(fmt::format("it is {} large, and its modes would take about {:.2g} GB of memory for {:.0f} thousand "
                            "triangles, but {:.3g} GB may be used. Ask for longer edges (edge_length, --edge), for "
                            "lower or fewer modes (max_hz, --max-hz, max_modes, --count), or allow more (--memory)",
                            size_text(surface), 1e-9 * needed, 2e-3 * vertices, 1e-9 * memory),
                Blame::Memory);
}

// At unit density: of all that is within half a thickness of the triangles.
MassProperties mass_of(const Surface& middle, double thickness) {
    MassProperties mass;
    Mat3 moment = Mat3::Zero();  // ∫ x xᵀ dV about the origin
    Vec3 first = Vec3::Zero();
    for (long f = 0; f < middle.faces.rows(); ++f) {
        const auto at = [&](int k) { return Vec3(middle.vertices.row(middle.faces(f, k))); };
        const Vec3 a = at(0), b = at(1), c = at(2), n = (b - a).cross(c - a), sum = a + b + c;
        const double volume = thickness * n.norm() / 2;
        const Mat3 corners = a * a.transpose() + b * b.transpose() + c * c.transpose();
        mass.volume += volume;
        first += volume / 3 * sum;
        moment += volume / 12 * (corners + sum * sum.transpose()) +
                  volume * square(thickness) / (12 * n.squaredNorm()) * n * n.transpose();
    }
    mass.centre = first / mass.volume;
    moment -= mass.volume * mass.centre * mass.centre.transpose();
    mass.inertia = moment.trace() * Mat3::Identity() - moment;
    return mass;
}

void add_held_modes(RingingShell& shell, StiffnessMass body, const std::vector<PlacedSupport>& supports,
                    const ModeOptions& options, const Progress& progress) {
    HeldSolid held = held_shell(std::move(body), shell.middle, supports);
    shell.free_motions = held.constrained.body.rigid.cols();
    shell.modes = vibration_modes(held.constrained.body, options, progress);
    shell.modes.shapes = (held.constrained.expansion * shell.modes.shapes).eval();
    const Eigen::MatrixXd& U = shell.modes.shapes;
    const Eigen::VectorXd all = shell.modes.omega.cwiseAbs2();
    const auto energies = [&](const SparseMatrix& felt) -> Eigen::VectorXd {
        return (felt * U).cwiseProduct(U).colwise().sum().transpose().cwiseMax(0.0);
    };
    shell.support_share = energies(held.felt).cwiseQuotient(all).cwiseMin(1.0);
    shell.support_loss = energies(held.felt_loss).cwiseQuotient(all);
    shell.held = std::move(held.constrained);
}

// Fibres across the wall stay straight and turn with its middle: u ± θ × d, d from the middle to the side.
Eigen::MatrixXd shapes_of_sides(const Surface& middle, const Surface& wall, const Eigen::MatrixXd& U) {
    const long n = middle.vertices.rows();
    Eigen::MatrixXd shapes(6 * n, U.cols());
    for (long side = 0; side < 2; ++side)
        for (long i = 0; i < n; ++i) {
            const Vec3 d = (wall.vertices.row(side * n + i) - middle.vertices.row(i)).transpose();
            for (long mode = 0; mode < U.cols(); ++mode) {
                const Vec3 u = U.col(mode).segment<3>(3 * i), theta = U.col(mode).segment<3>(3 * (n + i));
                shapes.col(mode).segment<3>(3 * (side * n + i)) = u + theta.cross(d);
            }
        }
    return shapes;
}

Skin skin_of_sides(const Surface& wall) {
    Skin skin{wall.vertices, wall.faces, std::vector<int>(size_t(wall.vertices.rows()))};
    const size_t half = skin.mesh_nodes.size() / 2;
    for (size_t i = 0; i < 2 * half; ++i) skin.mesh_nodes[i] = int(i % half);
    return skin;
}

void add_messages(ModalBody& model, const RingingShell& shell, const Material& material,
                  const scene::SolidOptions& options, const HeardBand& band) {
    const double thickness = model.wall_thickness;
    if (topology_of(shell.middle).closed())
        model.messages.push_back(
            fmt::format("its surface is closed, so that it is a hollow body with a wall of {:.3g} mm; if the surface "
                        "has both sides of a wall, make it a solid",
                        1e3 * thickness));
    if (options.edge_length > 0)
        for (const std::string& problem :
             resolution_problems({shell.middle, Eigen::VectorXd::Constant(1, thickness)}, material, band.max_hz))
            model.messages.push_back(problem);
    if (shell.modes.below > 0)
        model.messages.push_back(fmt::format("{} modes below {} Hz were left out", shell.modes.below, options.min_hz));
    if (!options.supports.empty() && shell.free_motions > 0) model.messages.push_back(free_to_turn(shell.free_motions));
    add_band_messages(model, shell.modes, band.max_hz, options.max_hz);
    const double highest = model.omega.size() > 0 ? model.omega[model.omega.size() - 1] / (2 * pi) : 0;
    if (const double error = shear_error(material, thickness, highest); error > 0.05)
        model.messages.push_back(
            fmt::format("its highest modes, at {:.3g} kHz, are some {:.0f} % too high: their waves are short against "
                        "the wall of {:.3g} mm, which then gives way to shear; a solid does that too",
                        1e-3 * highest, 100 * error, 1e3 * thickness));
}

}  // namespace

RingingShell ringing_shell(const std::string& name, const CleanSurface& cleaned, double thickness,
                           const Material& material, const scene::SolidOptions& options, double memory,
                           const Progress& progress) {
    const Surface& surface = cleaned.surface;
    check_shell(surface, thickness);
    const double allowed = allowed_memory(memory);
    const HeardBand band = heard_band(material.damping, options);
    check_memory(surface, thickness, material, options, band, allowed);
    const std::vector<PlacedSupport> supports = placed_supports(options.supports, surface);
    RingingShell shell{.middle = shell_mesh(surface, thickness, material, options, band.max_hz), .modes = {}};
    for (const PlacedSupport& placed : supports)
        if (placed.wants_cut)
            shell.middle = cut_along_border(shell.middle, placed.support.distance,
                                            std::max(placed.longest_edge, placed.longest_edge > 0 ? thickness : 0.0));
    progress(name + ": modes", 0.2);
    const Progress modes{[&](std::string_view, double done) { progress(name + ": modes", 0.2 + 0.8 * done); }};
    const ModeOptions search{.min_hz = options.min_hz,
                             .max_hz = band.max_hz,
                             .max_count = options.max_modes,
                             .dull_hz = band.dull_hz,
                             .memory_limit = allowed};
    StiffnessMass body = assemble(ThinShell{shell.middle, Eigen::VectorXd::Constant(1, thickness)}, material);
    if (supports.empty())
        shell.modes = vibration_modes(body, search, modes);
    else
        add_held_modes(shell, std::move(body), supports, search, modes);
    return shell;
}

ModalBody modal_body(const std::string& name, const RingingShell& shell, const CleanSurface& cleaned, double thickness,
                     const Material& material, const scene::SolidOptions& options) {
    const HeardBand band = heard_band(material.damping, options);
    const Surface wall = two_sided(shell.middle, thickness);
    const Eigen::MatrixXd shapes = shapes_of_sides(shell.middle, wall, shell.modes.shapes);
    ModalBody model{.name = name,
                    .inputs_hash = {},
                    .material = material,
                    .mass = mass_of(cleaned.surface, thickness),  // its rims are not cut short
                    .wall_thickness = thickness,
                    .skin = skin_of_sides(wall),
                    .omega = shell.modes.omega,
                    .residuals = shell.modes.residuals,
                    .support_share = shell.support_share,
                    .support_loss = shell.support_loss,
                    .shapes = shapes.cast<float>(),
                    .compact = {},
                    .unheard = {},
                    .min_hz = options.min_hz,
                    .max_hz = band.max_hz,
                    .degrees_of_freedom = int(6 * shell.middle.vertices.rows()),
                    .elements = int(shell.middle.faces.rows()),
                    .messages = cleaned.repairs.messages()};
    model.compact = compact_sources(model.skin, shapes);
    add_messages(model, shell, material, options, band);
    return model;
}

ModalBody bake_shell(const std::string& name, const CleanSurface& cleaned, double thickness, const Material& material,
                     const scene::SolidOptions& options, const Progress& progress, double memory) {
    const Progress modes{[&](std::string_view stage, double done) { progress(stage, 0.9 * done); }};
    const RingingShell shell = ringing_shell(name, cleaned, thickness, material, options, memory, modes);
    progress(name + ": radiation", 0.9);
    ModalBody model = modal_body(name, shell, cleaned, thickness, material, options);
    progress(name, 1);
    return model;
}

}  // namespace clangor
