// From a surface to a model that can ring.
#include <clangor/objects/solid/solid.hpp>

#include <clangor/vibration/solid/solid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor {
namespace {

// The degrees of freedom of the skin's nodes.
std::vector<int> rows_of(const Skin& skin) {
    std::vector<int> rows;
    for (const int node : skin.mesh_nodes)
        for (int k = 0; k < 3; ++k) rows.push_back(3 * node + k);
    return rows;
}

// Fractions of one object's bake, by measurement on a bowl: meshing, modes and sources take about this share of the
// time.
Progress part_of(const Progress& whole, const std::string& stage, double from, double to) {
    return {
        [&whole, stage, from, to](std::string_view, double fraction) { whole(stage, from + (to - from) * fraction); }};
}

// Of a mesh: 10-node elements bring two nodes each, counted on bodies with few elements across their walls; 4-node ones
// a quarter.
double unknowns_of(double elements, scene::Elements kind) {
    return 3 * elements * (kind == scene::Elements::Linear ? 0.25 : 2);
}

// So many are found at once.
constexpr double modes_at_least = 128;

// About how many modes a body has up to the highest that is heard: waves of three polarisations in its volume
// [Weyl1912], N = 4π/3 V f³ (1/c_P³ + 2/c_S³). Walls have more of them.
double modes_in(double volume, const Material& material, const HeardBand& band) {
    if (std::isfinite(band.dull_hz)) return 0;  // then no more than those that matter are sought
    const double nu = material.poisson, shear = material.young / (2 * (1 + nu));
    const double pressure_wave = std::sqrt(2 * shear * (1 - nu) / ((1 - 2 * nu) * material.density));
    const double shear_wave = std::sqrt(shear / material.density);
    return 4 * pi / 3 * volume * cube(band.max_hz) * (1 / cube(pressure_wave) + 2 / cube(shear_wave));
}

[[noreturn]] void refuse(const Surface& surface, const std::string& what, double memory) {
    throw Error(fmt::format("it is {} large, and {}, but {:.3g} GB may be used. Ask for longer elements (edge_length, "
                            "--edge) or fewer modes (max_modes, --count), or allow more (--memory)",
                            size_text(surface), what, 1e-9 * memory),
                Blame::Memory);
}

// Refuses what would not fit before anything is meshed.
void check_memory(const Surface& surface, const Material& material, const TetOptions& meshing,
                  const scene::SolidOptions& options, const HeardBand& band, double memory) {
    const std::optional<TetEstimate> estimate = estimate_of(surface, meshing);
    if (!estimate) return;
    const double unknowns = unknowns_of(estimate->elements, options.elements);
    // A plane through all elements, or through those of a ball, which is cut nowhere so easily: whichever is less.
    const double across = std::min(unknowns * std::min(1.0, estimate->edge_length / estimate->body_size),
                                   4 * std::pow(unknowns, 2.0 / 3));
    const double modes = options.max_modes > 0 ? options.max_modes
                                               : std::clamp(modes_in(mass_properties(surface).volume, material, band),
                                                            modes_at_least, unknowns / 3);
    const double needed = mode_bytes(unknowns, estimated_factor_entries(unknowns, across), modes, unknowns);
    if (needed <= memory) return;
    refuse(surface,
           fmt::format("its modes would take about {:.2g} GB of memory for {:.0f} thousand elements", 1e-9 * needed,
                       1e-3 * estimate->elements),
           memory);
}

/// The modes that are sought, and how far up they are heard.
struct Bands {
    HeardBand sought;
    double heard_hz = 0;
};

Bands bands_of(const Material& material, const scene::SolidOptions& options, const SolidUse& use) {
    const HeardBand heard = heard_band(material.damping, options);
    const HeardBand felt = contact_band(material.damping, options);
    return {use.is_hit && felt.max_hz > heard.max_hz ? felt : heard, heard.max_hz};
}

// What a part of the body brings: bodies in one piece have one.
struct RingingPart {
    Skin skin;
    Modes modes;
    Eigen::MatrixXd shapes;  ///< on the skin
    int nodes = 0, elements = 0;
    Eigen::VectorXd support_share = {}, support_loss = {};  ///< see ModalBody; empty: nothing holds it
    std::vector<double> held_areas = {};                    ///< by support [m²]
    long free_motions = 6;                                  ///< without strain
    double edge_length = 0;                                 ///< the longest asked of the mesher [m]
};

// Rows of the expansion u = T v, and the unknowns that they name: what is kept of v, and how u follows from it.
struct KeptShapes {
    std::vector<int> unknowns;
    SparseMatrix from_unknowns;
};

KeptShapes kept_shapes(const SparseMatrix& expansion, const std::vector<int>& rows) {
    std::vector<int> place(static_cast<size_t>(expansion.rows()), -1);
    for (size_t i = 0; i < rows.size(); ++i) place[size_t(rows[i])] = int(i);
    KeptShapes kept;
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < expansion.cols(); ++j) {
        bool is_named = false;
        for (SparseMatrix::InnerIterator it(expansion, j); it; ++it) {
            if (place[size_t(it.row())] < 0) continue;
            entries.emplace_back(place[size_t(it.row())], int(kept.unknowns.size()), it.value());
            is_named = true;
        }
        if (is_named) kept.unknowns.push_back(j);
    }
    kept.from_unknowns.resize(long(rows.size()), long(kept.unknowns.size()));
    kept.from_unknowns.setFromTriplets(entries.begin(), entries.end());
    return kept;
}

// uᵀ A u of each mode, by the rows of A that belong to the skin, which has all that supports hold.
Eigen::VectorXd energies(const SparseMatrix& A, const std::vector<int>& rows, const Eigen::MatrixXd& shapes) {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(shapes.cols());
    std::vector<int> place(static_cast<size_t>(A.rows()), -1);
    for (size_t i = 0; i < rows.size(); ++i) place[size_t(rows[i])] = int(i);
    for (int j = 0; j < A.cols(); ++j)
        for (SparseMatrix::InnerIterator it(A, j); it; ++it)
            result +=
                it.value() * shapes.row(place[size_t(it.row())]).cwiseProduct(shapes.row(place[size_t(j)])).transpose();
    return result.cwiseMax(0.0);  // but for rounding
}

void add_held_modes(RingingPart& part, StiffnessMass body, const std::vector<PlacedSupport>& supports,
                    ModeOptions options, const Progress& progress) {
    std::vector<SolidSupport> holds;
    for (const PlacedSupport& placed : supports) holds.push_back(placed.support);
    const std::vector<int> rows = rows_of(part.skin);
    const HeldSolid solid = held(std::move(body), part.skin, holds);
    part.held_areas = solid.areas;
    part.free_motions = solid.constrained.body.rigid.cols();
    const KeptShapes kept = kept_shapes(solid.constrained.expansion, rows);
    options.kept_rows = kept.unknowns;
    part.modes = vibration_modes(solid.constrained.body, options, progress);
    part.shapes = kept.from_unknowns * part.modes.shapes;
    part.modes.shapes.resize(0, 0);
    // What felt holds of a mode's elastic energy ½ω²q², and that times its loss factor.
    const Eigen::VectorXd all = part.modes.omega.cwiseAbs2();
    part.support_share = energies(solid.felt, rows, part.shapes).cwiseQuotient(all).cwiseMin(1.0);
    part.support_loss = energies(solid.felt_loss, rows, part.shapes).cwiseQuotient(all);
}

RingingPart ringing_part(const Surface& surface, const Material& material, const scene::SolidOptions& options,
                         const std::vector<PlacedSupport>& supports, const Bands& bands, double memory,
                         std::vector<std::string>& messages, const std::string& name, const Progress& progress) {
    const HeardBand& band = bands.sought;
    const TetOptions meshing{.edge_length = options.edge_length,
                             .refinement = options.refinement,
                             .max_hz = band.max_hz,
                             .told_hz = bands.heard_hz,
                             .thickness = options.thickness};
    check_memory(surface, material, meshing, options, band, memory);
    Tetrahedralization tets = tetrahedralize(surface, meshing, part_of(progress, name + ": mesh", 0, 0.28));
    messages.insert(messages.end(), tets.messages.begin(), tets.messages.end());
    for (const PlacedSupport& placed : supports)
        if (placed.wants_cut)
            tets.mesh = cut_along(tets.mesh, tets.surface, placed.support.distance, placed.longest_edge);
    const TetMesh mesh = options.elements == scene::Elements::Linear ? tets.mesh : quadratic(tets.mesh, tets.surface);
    progress(name + ": modes", 0.28);
    RingingPart part{.skin = skin_of(mesh), .modes = {}, .shapes = {}};
    ModeOptions modes{.min_hz = options.min_hz,
                      .max_hz = band.max_hz,
                      .max_count = options.max_modes,
                      .dull_hz = band.dull_hz,
                      .memory_limit = memory,
                      .kept_rows = rows_of(part.skin)};
    const Progress modes_progress = part_of(progress, name + ": modes", 0.28, 1);
    if (supports.empty()) {
        // Not of held bodies: strain has no limit at the border of a clamp, where a smooth one is no better. A ruler's
        // first mode would come out 1.1 % low instead of 0.5 % high.
        modes.excess = excess_of(mesh, material);
        part.modes = vibration_modes(assemble(mesh, material), modes, modes_progress);
        part.shapes = std::move(part.modes.shapes);
    } else {
        add_held_modes(part, assemble(mesh, material), supports, std::move(modes), modes_progress);
    }
    part.nodes = int(mesh.nodes.rows());
    part.elements = int(mesh.cells.rows());
    part.edge_length = tets.edge_length;
    return part;
}

// Parts side by side: where one rings the others are at rest.
RingingPart together(std::vector<RingingPart> parts, int max_modes) {
    if (parts.size() == 1) return std::move(parts.front());
    RingingPart all;
    struct Origin {
        double omega;
        std::size_t part;
        long mode, row;  ///< the part's first row
    };
    std::vector<Origin> order;
    long nodes = 0, faces = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        for (long m = 0; m < parts[p].modes.omega.size(); ++m)
            order.push_back({parts[p].modes.omega[m], p, m, 3 * nodes});
        nodes += parts[p].skin.nodes.rows();
        faces += parts[p].skin.faces.rows();
        all.modes.below += parts[p].modes.below;
        all.modes.dull += parts[p].modes.dull;
        all.edge_length = std::max(all.edge_length, parts[p].edge_length);
        all.free_motions = std::max(p == 0 ? 0 : all.free_motions, parts[p].free_motions);
        all.held_areas.resize(parts[p].held_areas.size(), 0.0);
        for (size_t i = 0; i < parts[p].held_areas.size(); ++i) all.held_areas[i] += parts[p].held_areas[i];
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.omega < b.omega; });
    if (max_modes > 0 && std::ssize(order) > max_modes) order.resize(max_modes);

    all.skin = {Points(nodes, 3), Cells(faces, parts[0].skin.faces.cols()), {}};
    nodes = faces = 0;
    for (const RingingPart& part : parts) {
        all.skin.nodes.middleRows(nodes, part.skin.nodes.rows()) = part.skin.nodes;
        all.skin.faces.middleRows(faces, part.skin.faces.rows()) = part.skin.faces.array() + int(nodes);
        for (const int node : part.skin.mesh_nodes) all.skin.mesh_nodes.push_back(all.nodes + node);
        nodes += part.skin.nodes.rows();
        faces += part.skin.faces.rows();
        all.nodes += part.nodes;
        all.elements += part.elements;
    }
    all.shapes = Eigen::MatrixXd::Zero(3 * nodes, std::ssize(order));
    all.modes.omega.resize(std::ssize(order));
    all.modes.residuals.resize(std::ssize(order));
    const bool is_held = !parts[0].held_areas.empty();
    if (is_held) {
        all.support_share.resize(std::ssize(order));
        all.support_loss.resize(std::ssize(order));
    }
    for (long i = 0; i < std::ssize(order); ++i) {
        const RingingPart& part = parts[order[i].part];
        all.modes.omega[i] = order[i].omega;
        all.modes.residuals[i] = part.modes.residuals[order[i].mode];
        if (is_held) {
            all.support_share[i] = part.support_share[order[i].mode];
            all.support_loss[i] = part.support_loss[order[i].mode];
        }
        all.shapes.col(i).segment(order[i].row, part.shapes.rows()) = part.shapes.col(order[i].mode);
    }
    return all;
}

// Those that are heard, with their sound, and those that contacts alone feel.
void add_modes(ModalBody& model, const RingingPart& whole, const Bands& bands) {
    const Eigen::VectorXd& omega = whole.modes.omega;
    const long heard =
        bands.sought.max_hz > bands.heard_hz ? (omega.array() <= 2 * pi * bands.heard_hz).count() : omega.size();
    const long unheard = omega.size() - heard;
    model.omega = omega.head(heard);
    model.residuals = whole.modes.residuals.head(heard);
    model.compact = compact_sources(model.skin, whole.shapes.leftCols(heard));
    model.shapes = whole.shapes.leftCols(heard).cast<float>();
    model.unheard.omega = omega.tail(unheard);
    model.unheard.shapes = whole.shapes.rightCols(unheard).cast<float>();
    if (whole.support_share.size() == 0) return;
    model.support_share = whole.support_share.head(heard);
    model.support_loss = whole.support_loss.head(heard);
    model.unheard.support_share = whole.support_share.tail(unheard);
    model.unheard.support_loss = whole.support_loss.tail(unheard);
}

// Supports that the mesh has nothing for, and what they leave free.
void add_support_messages(ModalBody& model, const RingingPart& whole) {
    for (size_t i = 0; i < whole.held_areas.size(); ++i)
        if (!(whole.held_areas[i] > 0))
            throw Error(
                fmt::format("supports: support {} holds nothing of the body; give it a larger radius or depth", i + 1));
    if (!whole.held_areas.empty() && whole.free_motions > 0) model.messages.push_back(free_to_turn(whole.free_motions));
}

// Elements bend well enough up to some four times as long as the wall is thick.
void add_wall_message(ModalBody& model, double edge_length) {
    if (edge_length < 10 * model.wall_thickness) return;
    model.messages.push_back(fmt::format(
        "its walls, {:.2g} mm thin, are less than a tenth of its elements of {:.2g} mm; as a shell (\"kind\": "
        "\"shell\" in a scene, --shell {:.2g}), given by the surface in the middle of its walls, it is "
        "baked faster and rings truer",
        1e3 * model.wall_thickness, 1e3 * edge_length, model.wall_thickness));
}

}  // namespace

ModalBody bake_solid(const std::string& name, const CleanSurface& cleaned, const Material& material,
                     const scene::SolidOptions& options, const Progress& progress, const SolidUse& use) {
    const double allowed = allowed_memory(use.memory);
    const BodyParts bodies = parts_of(cleaned.surface, options.parts);
    const std::vector<PlacedSupport> supports = placed_supports(options.supports, cleaned.surface);
    const Bands bands = bands_of(material, options, use);
    ModalBody model;
    model.messages = cleaned.repairs.messages();
    model.messages.insert(model.messages.end(), bodies.messages.begin(), bodies.messages.end());
    std::vector<RingingPart> parts;
    const double share = 0.9 / double(bodies.surfaces.size());
    for (const Surface& surface : bodies.surfaces) {
        const double from = share * double(parts.size());
        const Progress part{[&](std::string_view stage, double done) { progress(stage, from + share * done); }};
        parts.push_back(ringing_part(surface, material, options, supports, bands, allowed, model.messages, name, part));
    }
    const RingingPart whole = together(std::move(parts), options.max_modes);
    const Modes& modes = whole.modes;
    model.name = name;
    model.material = material;
    model.skin = whole.skin;
    const Surface skin = flat(model.skin);
    model.mass = mass_properties(skin);
    model.wall_thickness = typical_thickness(skin);
    progress(name + ": radiation", 0.9);
    add_modes(model, whole, bands);
    model.min_hz = options.min_hz;
    model.max_hz = bands.heard_hz;
    model.degrees_of_freedom = 3 * whole.nodes;
    model.elements = whole.elements;
    if (modes.below > 0)
        model.messages.push_back(fmt::format("{} modes below {} Hz were left out", modes.below, options.min_hz));
    add_support_messages(model, whole);
    add_wall_message(model, whole.edge_length);
    add_band_messages(model, modes, bands.heard_hz, options.max_hz);
    progress(name, 1);
    return model;
}

}  // namespace clangor
