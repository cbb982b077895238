// The modal body: all that an elastic body needs to ring, in one HDF5 file (docs/guide/model-files.md).
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/io/io.hpp>
#include <clangor/material/material.hpp>
#include <clangor/objects/objects.hpp>
#include <clangor/radiation/compact/compact.hpp>

#include <string>
#include <vector>

namespace clangor {

/// An elastic body that rings, baked. Modes are mass-normalised and ascending; damping is the material's and is applied
/// when rendering.
struct ModalBody {
    static constexpr io::BakedKind kind = {
        .format = "clangor model", .version = "1", .title = "Clangor model", .noun = "model", .ending = ".h5"};

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

void write(io::Hdf5Writer& file, const ModalBody& model);
void read(const io::Hdf5Reader& file, ModalBody& model);

/// Every way in which sizes or values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const ModalBody& model);

/// uᵀJ of each mode at a point of flat(skin) [N·s·kg^-1/2].
Eigen::VectorXd modal_impulse(const ModalBody& model, const ContactPoint& contact, const Vec3& impulse);

}  // namespace clangor
