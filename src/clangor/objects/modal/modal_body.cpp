#include <clangor/objects/modal/modal_body.hpp>
#include <clangor/objects/modal/modal_impulse.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using namespace io;

std::uint64_t size(long n) { return static_cast<std::uint64_t>(n); }

void write_body(Hdf5Writer& file, const ModalBody& model) {
    write_messages(file, model.messages);
    file.write("mesh/degrees_of_freedom", model.degrees_of_freedom, "1");
    file.write("mesh/elements", model.elements, "1");
    file.write("material/name", model.material.name);
    file.write("material/source", model.material.source);
    file.write("material/density", model.material.density, "kg/m^3");
    file.write("material/young", model.material.young, "Pa");
    file.write("material/poisson", model.material.poisson, "1");
    file.write("material/damping_alpha", model.material.damping.alpha, "1/s");
    file.write("material/damping_beta", model.material.damping.beta, "s");
    file.write("material/damping_gamma", model.material.damping.gamma, "1/s^3");
    file.write("material/loss_factor", model.material.damping.loss_factor, "1");
    std::vector<double> losses;
    for (const LossPoint& point : model.material.damping.losses)
        losses.insert(losses.end(), {point.hz, point.loss_factor});
    file.write("material/loss_factors", std::span<const double>(losses), {losses.size() / 2, 2}, "Hz, 1");
    file.write("material/thermal_expansion", model.material.thermal.expansion, "1/K");
    file.write("material/heat_capacity", model.material.thermal.heat_capacity, "J/(kg K)");
    file.write("material/conductivity", model.material.thermal.conductivity, "W/(m K)");
    file.write("mass/wall_thickness", model.wall_thickness, "m");
    file.write("mass/volume", model.mass.volume, "m^3");
    file.write("mass/centre", flat_values(model.mass.centre), {3}, "m");
    file.write("mass/inertia_per_density", flat_values(model.mass.inertia), {3, 3}, "m^5");
    file.write("skin/nodes", flat_values(model.skin.nodes), {size(model.skin.nodes.rows()), 3}, "m");
    file.write("skin/faces", flat_values(model.skin.faces),
               {size(model.skin.faces.rows()), size(model.skin.faces.cols())}, "1");
    file.write("skin/mesh_nodes", std::span(model.skin.mesh_nodes), {model.skin.mesh_nodes.size()}, "1");
}

// Eigen's columns are contiguous, so that one mode's three displacements a node come out as [mode, node, axis].
void write_modes(Hdf5Writer& file, const ModalBody& model) {
    const std::uint64_t modes = size(model.omega.size());
    file.write("modes/min_frequency", model.min_hz, "Hz");
    file.write("modes/max_frequency", model.max_hz, "Hz");
    file.write("modes/omega", flat_values(model.omega), {modes}, "rad/s");
    file.write("modes/residuals", flat_values(model.residuals), {modes}, "1");
    file.write("modes/support_share", flat_values(model.support_share), {size(model.support_share.size())}, "1");
    file.write("modes/support_loss", flat_values(model.support_loss), {size(model.support_loss.size())}, "1");
    file.write("modes/shapes", flat_values(model.shapes), {modes, size(model.skin.nodes.rows()), 3}, "kg^-1/2");
    const std::uint64_t sources = size(model.compact.positions.rows());
    file.write("compact/positions", flat_values(model.compact.positions), {sources, 3}, "m");
    file.write("compact/radii", flat_values(model.compact.radii), {sources}, "m");
    file.write("compact/strengths", flat_values(model.compact.strengths), {modes, sources}, "m^2 kg^-1/2");
    file.write("compact/centre", flat_values(model.compact.centre), {3}, "m");
    file.write("compact/radius", model.compact.radius, "m");
}

// Bodies without any have the files that they had before there were any.
void write_unheard(Hdf5Writer& file, const ModalBody& model) {
    const UnheardModes& unheard = model.unheard;
    const std::uint64_t modes = size(unheard.omega.size());
    if (modes == 0) return;
    file.write("unheard/omega", flat_values(unheard.omega), {modes}, "rad/s");
    file.write("unheard/support_share", flat_values(unheard.support_share), {size(unheard.support_share.size())}, "1");
    file.write("unheard/support_loss", flat_values(unheard.support_loss), {size(unheard.support_loss.size())}, "1");
    file.write("unheard/shapes", flat_values(unheard.shapes), {modes, size(model.skin.nodes.rows()), 3}, "kg^-1/2");
}

long rows_of(const std::vector<std::uint64_t>& dims) { return dims.empty() ? 0 : static_cast<long>(dims[0]); }
long columns_of(const std::vector<std::uint64_t>& dims) { return dims.size() < 2 ? 1 : static_cast<long>(dims[1]); }

int natural(const Hdf5Reader& file, const std::string& name) {
    const double value = file.number(name);
    if (!(value >= 0 && value <= 2147483647.0 && value == std::floor(value)))
        throw Error(fmt::format("has a {} that is no natural number", name));
    return static_cast<int>(value);
}

void read_body(const Hdf5Reader& file, ModalBody& model) {
    model.messages = read_messages(file);
    model.degrees_of_freedom = natural(file, "mesh/degrees_of_freedom");
    model.elements = natural(file, "mesh/elements");
    model.material = {.name = file.text("material/name"),
                      .density = file.number("material/density"),
                      .young = file.number("material/young"),
                      .poisson = file.number("material/poisson"),
                      .damping = {.alpha = file.number("material/damping_alpha"),
                                  .beta = file.number("material/damping_beta"),
                                  .gamma = file.number("material/damping_gamma"),
                                  .loss_factor = file.number("material/loss_factor")},
                      .source = file.text("material/source"),
                      .thermal = {.expansion = file.number("material/thermal_expansion"),
                                  .heat_capacity = file.number("material/heat_capacity"),
                                  .conductivity = file.number("material/conductivity")}};
    const Hdf5Array<double> losses = file.doubles("material/loss_factors");
    for (std::size_t i = 0; i + 1 < losses.values.size(); i += 2)
        model.material.damping.losses.push_back({losses.values[i], losses.values[i + 1]});
    model.wall_thickness = file.number("mass/wall_thickness");
    model.mass.volume = file.number("mass/volume");
    model.mass.centre = matrix_of<Vec3>(file.doubles("mass/centre"), 3, 1, "mass/centre");
    model.mass.inertia = matrix_of<Mat3>(file.doubles("mass/inertia_per_density"), 3, 3, "mass/inertia_per_density");
    const Hdf5Array<double> nodes = file.doubles("skin/nodes");
    model.skin.nodes = matrix_of<Points>(nodes, rows_of(nodes.dims), 3, "skin/nodes");
    const Hdf5Array<std::int32_t> faces = file.integers("skin/faces");
    model.skin.faces = matrix_of<Cells>(faces, rows_of(faces.dims), columns_of(faces.dims), "skin/faces");
    model.skin.mesh_nodes = file.integers("skin/mesh_nodes").values;
}

Eigen::VectorXd vector_of(const Hdf5Reader& file, const std::string& name) {
    const Hdf5Array<double> values = file.doubles(name);
    return matrix_of<Eigen::VectorXd>(values, rows_of(values.dims), 1, name);
}

void read_unheard(const Hdf5Reader& file, ModalBody& model) {
    if (!file.has("unheard/omega")) return;
    UnheardModes& unheard = model.unheard;
    unheard.omega = vector_of(file, "unheard/omega");
    unheard.support_share = vector_of(file, "unheard/support_share");
    unheard.support_loss = vector_of(file, "unheard/support_loss");
    unheard.shapes = matrix_of<Eigen::MatrixXf>(file.floats("unheard/shapes"), 3 * model.skin.nodes.rows(),
                                                unheard.omega.size(), "unheard/shapes");
}

void read_modes(const Hdf5Reader& file, ModalBody& model) {
    model.min_hz = file.number("modes/min_frequency");
    model.max_hz = file.number("modes/max_frequency");
    const Hdf5Array<double> omega = file.doubles("modes/omega");
    const long modes = static_cast<long>(omega.values.size());
    model.omega = matrix_of<Eigen::VectorXd>(omega, modes, 1, "modes/omega");
    model.residuals = matrix_of<Eigen::VectorXd>(file.doubles("modes/residuals"), modes, 1, "modes/residuals");
    model.support_share = vector_of(file, "modes/support_share");
    model.support_loss = vector_of(file, "modes/support_loss");
    model.shapes =
        matrix_of<Eigen::MatrixXf>(file.floats("modes/shapes"), 3 * model.skin.nodes.rows(), modes, "modes/shapes");
    const Hdf5Array<double> positions = file.doubles("compact/positions");
    const long sources = rows_of(positions.dims);
    model.compact.positions = matrix_of<Points>(positions, sources, 3, "compact/positions");
    model.compact.radii = matrix_of<Eigen::VectorXd>(file.doubles("compact/radii"), sources, 1, "compact/radii");
    model.compact.strengths =
        matrix_of<Eigen::MatrixXf>(file.floats("compact/strengths"), sources, modes, "compact/strengths");
    model.compact.centre = matrix_of<Vec3>(file.doubles("compact/centre"), 3, 1, "compact/centre");
    model.compact.radius = file.number("compact/radius");
}

Eigen::VectorXd damping_of(const ModalBody& model, const Material& material, const Eigen::VectorXd& omega,
                           const Eigen::VectorXd& support_share, const Eigen::VectorXd& support_loss) {
    Eigen::VectorXd xi(omega.size());
    for (long i = 0; i < xi.size(); ++i) {
        xi[i] = damping_ratio(material.damping, omega[i]) +
                0.5 * thermoelastic_loss(material, model.wall_thickness, omega[i]);
        if (support_share.size() > 0) xi[i] = (1 - support_share[i]) * xi[i] + 0.5 * support_loss[i];
    }
    return xi;
}

}  // namespace

void write(Hdf5Writer& file, const ModalBody& model) {
    write_body(file, model);
    write_modes(file, model);
    write_unheard(file, model);
}

void read(const Hdf5Reader& file, ModalBody& model) {
    read_body(file, model);
    read_modes(file, model);
    read_unheard(file, model);
}

long nodes_of_one_side(const ModalBody& model) {
    const std::vector<int>& nodes = model.skin.mesh_nodes;
    const long half = std::ssize(nodes) / 2;
    const bool is_shell = half > 0 && std::ssize(nodes) == 2 * half &&
                          std::equal(nodes.begin(), nodes.begin() + half, nodes.begin() + half);
    return is_shell ? half : 0;
}

Eigen::VectorXd own_damping(const ModalBody& model, const Material& material) {
    return damping_of(model, material, model.omega, model.support_share, model.support_loss);
}

ModalMobility mobility_of(const std::shared_ptr<const ModalBody>& model, const Material& material) {
    const UnheardModes& unheard = model->unheard;
    ModalMobility mobility{
        .omega = Eigen::VectorXd(model->omega.size() + unheard.omega.size()),
        .modal_impulse = [model](const ContactPoint& contact,
                                 const Vec3& impulse) { return modal_impulse(*model, contact, impulse); },
        .xi = Eigen::VectorXd(model->omega.size() + unheard.omega.size())};
    mobility.omega << model->omega, unheard.omega;
    mobility.xi << own_damping(*model, material),
        damping_of(*model, material, unheard.omega, unheard.support_share, unheard.support_loss);
    return mobility;
}

}  // namespace clangor
