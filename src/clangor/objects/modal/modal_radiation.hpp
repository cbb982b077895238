// How the modes of one model sound at a place, whatever their sound fields are known by.
#pragma once

#include <clangor/objects/modal/modal_body.hpp>
#include <clangor/radiation/transfer/transfer.hpp>

#include <memory>
#include <mutex>

namespace clangor {

/// Threads may share it.
class ModalRadiation {
public:
    ModalRadiation(const ModalBody& model, const Air& air);  ///< by compact sources
    ModalRadiation(const ModalBody& model,
                   const ModalTransfer& transfer);  ///< by outgoing waves, where solved for

    const Vec3& centre() const { return centre_; }  ///< delays are counted from here, in the body frame [m]
    double radius() const { return radius_; }       ///< about the centre, of all of the body [m]
    bool in_near_field(const Vec3& listener) const;

    /// Complex pressure of each mode with its delay taken out, as `transfer` of either kind has it. The quick one is
    /// interpolated, for bodies and listeners that move.
    Eigen::VectorXcd exact(const Vec3& listener) const;
    Eigen::VectorXcd quick(const Vec3& listener) const;

private:
    Eigen::VectorXcd with_unsolved(Eigen::VectorXcd pressures, const Eigen::VectorXcd& unsolved,
                                   const Vec3& listener) const;

    const ModalBody& model_;
    Air air_;
    const ModalTransfer* transfer_ = nullptr;
    Vec3 centre_;
    double radius_;
    std::vector<long> unsolved_;                     // modes without waves: the compact sources speak for them
    std::unique_ptr<const CompactSources> sources_;  // of these
    Eigen::VectorXd unsolved_omega_;
    std::unique_ptr<const DirectionTable> directions_;  // of compact sources
    mutable std::once_flag mapped_;
    mutable std::unique_ptr<const TransferMaps> maps_;  // of waves, made when they are first asked for
};

/// What its own sound takes from each mode, as a part of critical damping: from sound fields where there are any, else
/// by compact sources.
Eigen::VectorXd radiation_damping_of(const ModalBody& model, const ModalTransfer& transfer);

/// The same; without sound fields estimated by its compact sources (docs/theory/compact-radiation.md says how well).
Eigen::VectorXd radiation_damping_of(const ModalBody& model, const ModalTransfer* transfer, const Air& air);

}  // namespace clangor
