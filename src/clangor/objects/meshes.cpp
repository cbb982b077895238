#include <clangor/objects/meshes.hpp>

#include <clangor/io/io.hpp>

#include <fmt/format.h>

namespace clangor {

std::string hash_of(const Surface& surface) {
    return io::Fingerprint().add("vertices", surface.vertices).add("faces", surface.faces).hex();
}

Surface surface_of_source(const scene::MeshSource& source, double scale) {
    Surface surface = std::visit(overloaded{
                                     [](const std::filesystem::path& path) { return io::read_mesh(path); },
                                     [](const Shape& shape) { return surface_of(shape); },
                                 },
                                 source);
    surface.vertices *= scale;
    return surface;
}

// A file is known by its name; a shape by the surface that it makes, which takes no time.
std::shared_ptr<const Surface> Meshes::read(const scene::MeshSource& source, double scale) const {
    const std::filesystem::path* const file = std::get_if<std::filesystem::path>(&source);
    const auto make = [&] { return std::make_shared<const Surface>(surface_of_source(source, scale)); };
    return file ? shared_.get<Surface>(file->string() + fmt::format(" {:a}", scale), make) : make();
}

std::string Meshes::hash(const scene::MeshSource& source) const { return hash_of(*read(source, 1)); }

std::shared_ptr<const SceneMesh> Meshes::operator()(const scene::MeshSource& source, double scale) const {
    const std::shared_ptr<const Surface> made = read(source, scale);
    const std::string hash = hash_of(*made);
    return shared_.get<SceneMesh>(hash, [&] {
        SceneMesh mesh{.raw = *made, .hash = hash, .clean = clean(*made), .topology = {}, .clean_hash = {}};
        mesh.topology = topology_of(mesh.clean.surface);
        mesh.clean_hash = hash_of(mesh.clean.surface);
        return std::make_shared<const SceneMesh>(std::move(mesh));
    });
}

bool bounds_all_of(const SceneMesh& mesh, double volume) {
    return mesh.topology.closed() && mass_properties(mesh.clean.surface).volume > 0.5 * volume;
}

double scale_of(const scene::Solid& solid, const Meshes& meshes) {
    if (!(solid.size > 0)) return solid.scale;
    const std::shared_ptr<const SceneMesh> mesh = meshes(solid.mesh, 1);
    if (mesh->raw.vertices.rows() == 0) return solid.scale;
    const Bounds bounds = bounds_of(mesh->raw.vertices);
    const double longest = (bounds.high - bounds.low).maxCoeff();
    return longest > 0 ? solid.size / longest : solid.scale;
}

}  // namespace clangor
