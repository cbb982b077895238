#include <clangor/objects/meshes.hpp>

#include <clangor/io/io.hpp>

#include <fmt/format.h>

#include <optional>

namespace clangor {

std::string hash_of(const Surface& surface) {
    return io::Fingerprint().add("vertices", surface.vertices).add("faces", surface.faces).hex();
}

namespace {

struct ReadSurface {
    Surface surface;
    std::optional<Repairs> decimation;  ///< of a scan that was cleaned and decimated at once
};

/// In the source's own unit.
ReadSurface surface_of_source(const scene::MeshSource& source) {
    Surface surface = std::visit(overloaded{
                                     [](const std::filesystem::path& path) { return io::read_mesh(path); },
                                     [](const Shape& shape) { return surface_of(shape); },
                                 },
                                 source);
    if (surface.faces.rows() <= oversampled_faces) return {std::move(surface), std::nullopt};
    CleanSurface fewer = decimated(clean(surface));
    return {std::move(fewer.surface), fewer.repairs};
}

// A file is known by its name; a shape by the surface that it makes, which takes no time.
std::shared_ptr<const ReadSurface> read(const scene::MeshSource& source, const Shared& shared) {
    const std::filesystem::path* const file = std::get_if<std::filesystem::path>(&source);
    const auto make = [&] { return std::make_shared<const ReadSurface>(surface_of_source(source)); };
    return file ? shared.get<ReadSurface>(file->string(), make) : make();
}

}  // namespace

std::string Meshes::hash(const scene::MeshSource& source) const { return hash_of(read(source, shared_)->surface); }

std::shared_ptr<const SceneMesh> Meshes::operator()(const scene::MeshSource& source, double scale) const {
    const std::shared_ptr<const ReadSurface> made = read(source, shared_);
    Surface raw{made->surface.vertices * scale, made->surface.faces};
    const std::string hash = hash_of(raw);
    return shared_.get<SceneMesh>(hash, [&] {
        SceneMesh mesh{.raw = std::move(raw), .hash = hash, .clean = {}, .topology = {}, .clean_hash = {}};
        if (made->decimation) {
            mesh.clean = {mesh.raw, *made->decimation};
            mesh.clean.repairs.merged_by *= scale;
        } else {
            mesh.clean = clean(mesh.raw);
        }
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
