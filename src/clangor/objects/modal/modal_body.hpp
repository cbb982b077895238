// The modal body: all that an elastic body needs to ring, in one HDF5 file (docs/guide/model-files.md).
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/io/io.hpp>
#include <clangor/material/material.hpp>
#include <clangor/objects/objects.hpp>
#include <clangor/radiation/compact/compact.hpp>

#include <memory>
#include <string>
#include <vector>

namespace clangor {

/// Modes above those that are heard. While a contact lasts they give way as all others do; they are not rung, and have
/// no sound.
struct UnheardModes {
    Eigen::VectorXd omega;                        ///< ascending, above all that are heard [rad/s]
    Eigen::VectorXd support_share, support_loss;  ///< as of the others
    Eigen::MatrixXf shapes;                       ///< 3·skin nodes × modes [kg^-1/2]
};

/// An elastic body that rings, baked. Modes are mass-normalised and ascending; damping is the material's and is applied
/// when rendering.
struct ModalBody {
    static constexpr io::BakedKind kind = {
        .format = "clangor model", .version = "2", .title = "Clangor model", .noun = "model", .ending = ".h5"};

    std::string name;
    std::string inputs_hash;  ///< of everything that it was baked from: its key in the cache
    Material material;
    MassProperties mass;            ///< of the meshed body at unit density; material.density makes kilograms of it
    double wall_thickness = 0;      ///< typical of it [m]
    Skin skin;                      ///< of the tetrahedral mesh, or both sides of a shell's wall and its rim
    Eigen::VectorXd omega;          ///< undamped angular frequencies [rad/s]
    Eigen::VectorXd residuals;      ///< of the eigenproblem, relative
    Eigen::VectorXd support_share;  ///< what felt has of each mode's elastic energy; empty: it is free or held firmly
    Eigen::VectorXd support_loss;   ///< the loss factor that it gives the mode: Σ η · share
    Eigen::MatrixXf shapes;         ///< 3·skin nodes × modes [kg^-1/2]
    CompactSources compact;         ///< how each mode sounds
    UnheardModes unheard;           ///< none where nothing hits it, and where max_hz leaves nothing out that matters
    double min_hz = 0;              ///< modes below were left out
    double max_hz = 0;              ///< modes above are not heard
    int degrees_of_freedom = 0;
    int elements = 0;                   ///< tetrahedra, or a shell's triangles
    std::vector<std::string> messages;  ///< what the user should know about the mesh
};

void write(io::Hdf5Writer& file, const ModalBody& model);
void read(const io::Hdf5Reader& file, ModalBody& model);

/// Every way in which sizes or values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const ModalBody& model);

/// Of a shell: how many of the skin's nodes are on one side of its wall; i and i + n are the two sides of one node of
/// its middle surface. 0: a solid.
long nodes_of_one_side(const ModalBody& model);

/// ξ of each mode by what the body is made of and lies on: its material, the heat that flows across its walls, and the
/// felt under it. What the air and passing contacts take comes on top      docs/theory/damping.md, Eq. 1
Eigen::VectorXd own_damping(const ModalBody& model, const Material& material);

/// What contacts feel of the body: all modes that there are, those that are heard first. Shares the model.
ModalMobility mobility_of(const std::shared_ptr<const ModalBody>& model, const Material& material);

}  // namespace clangor
