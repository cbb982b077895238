// The meshes of a scene, each read and cleaned once.
#pragma once

#include <clangor/objects/shared.hpp>
#include <clangor/scene/scene.hpp>

#include <memory>
#include <string>

namespace clangor {

struct SceneMesh {
    Surface raw;         ///< as it was read, but for oversampled scans, which are decimated [m]
    std::string hash;    ///< of raw
    CleanSurface clean;  ///< of raw
    Topology topology;   ///< of the clean surface
    std::string clean_hash;
};

class Meshes {
public:
    std::shared_ptr<const SceneMesh> operator()(const scene::MeshSource& source, double scale) const;

    /// Of the raw surface in units of its file, which is not cleaned for it.
    std::string hash(const scene::MeshSource& source) const;

private:
    Shared shared_;
};

/// Whether a mesh is closed, and bounds the body of that volume [m³]: else sheets were given a thickness.
bool bounds_all_of(const SceneMesh& mesh, double volume);

/// Metres per unit of its mesh: its scale, or what gives the mesh its size.
double scale_of(const scene::Solid& solid, const Meshes& meshes);

/// By its vertices and faces.
std::string hash_of(const Surface& surface);

}  // namespace clangor
