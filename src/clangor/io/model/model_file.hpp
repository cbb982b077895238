// Baked models: all that a body needs to ring, in one HDF5 file (docs/guide/model-files.md).
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>
#include <clangor/radiation/compact/compact.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace clangor::io {

/// A ringing solid. Modes are mass-normalised and ascending; damping is the material's and is applied when rendering.
struct BakedSolid {
    std::string name;
    std::string inputs_hash;  ///< of everything that it was baked from: its key in the cache
    Material material;
    MassProperties mass;        ///< of the meshed body at unit density; material.density makes kilograms of it
    Skin skin;                  ///< of the tetrahedral mesh
    Eigen::VectorXd omega;      ///< undamped angular frequencies [rad/s]
    Eigen::VectorXd residuals;  ///< of the eigenproblem, relative
    Eigen::MatrixXf shapes;     ///< 3·skin nodes × modes [kg^-1/2]
    CompactSources compact;     ///< how each mode sounds
    double min_hz = 0;          ///< modes below were left out
    double max_hz = 0;          ///< modes above were left out
    int degrees_of_freedom = 0;
    int elements = 0;                   ///< tetrahedra
    std::vector<std::string> messages;  ///< what the user should know about the mesh
};

/// The whole file. The same model gives the same bytes.
std::vector<std::byte> model_bytes(const BakedSolid& model);

/// Checks everything: that the bytes are undamaged, that they are a model of this version, all sizes, ranges and
/// finiteness. Throws Error; `where` stands in its message.
BakedSolid model_from_bytes(std::span<const std::byte> bytes, const std::string& where);

void write_model(const std::filesystem::path& path, const BakedSolid& model);
BakedSolid read_model(const std::filesystem::path& path);

/// Every way in which sizes or values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const BakedSolid& model);

}  // namespace clangor::io
