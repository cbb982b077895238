#include <clangor/objects/modal/modal_radiation.hpp>

namespace clangor {
namespace {

// Modes that were too costly for sound fields.
std::vector<long> unsolved_modes(const ModalBody& model, const ModalTransfer& transfer) {
    std::vector<long> unsolved;
    for (long i = 0; i < model.omega.size(); ++i)
        if (model.omega[i] > 2 * pi * transfer.solved_hz * (1 + 1e-12)) unsolved.push_back(i);
    return unsolved;
}

CompactSources sources_of(const CompactSources& all, const std::vector<long>& modes) {
    return {.positions = all.positions,
            .radii = all.radii,
            .strengths = all.strengths(Eigen::all, modes),
            .centre = all.centre,
            .radius = all.radius};
}

}  // namespace

ModalRadiation::ModalRadiation(const ModalBody& model, const Air& air)
    : model_(model),
      air_(air),
      centre_(model.compact.centre),
      radius_(model.compact.radius),
      directions_(std::make_unique<const DirectionTable>(model.compact, model.omega, air)) {}

ModalRadiation::ModalRadiation(const ModalBody& model, const ModalTransfer& transfer)
    : model_(model),
      air_(transfer.air),
      transfer_(&transfer),
      centre_(transfer.centre),
      radius_(transfer.radius),
      unsolved_(unsolved_modes(model, transfer)) {
    if (unsolved_.empty()) return;
    sources_ = std::make_unique<const CompactSources>(sources_of(model.compact, unsolved_));
    unsolved_omega_ = model.omega(unsolved_);
    directions_ = std::make_unique<const DirectionTable>(*sources_, unsolved_omega_, air_);
}

bool ModalRadiation::in_near_field(const Vec3& listener) const {
    return transfer_ ? clangor::in_near_field(*transfer_, listener) : clangor::in_near_field(model_.compact, listener);
}

Eigen::VectorXcd ModalRadiation::exact(const Vec3& listener) const {
    if (!transfer_) return transfer(model_.compact, model_.omega, listener, air_);
    if (unsolved_.empty()) return transfer(*transfer_, listener);
    return with_unsolved(transfer(*transfer_, listener), transfer(*sources_, unsolved_omega_, listener, air_),
                         listener);
}

Eigen::VectorXcd ModalRadiation::quick(const Vec3& listener) const {
    if (!transfer_) return (*directions_)(listener);
    std::call_once(mapped_, [this] { maps_ = std::make_unique<const TransferMaps>(*transfer_); });
    std::vector<std::complex<float>> pressures(transfer_->modes.size());
    maps_->pressures(listener, pressures);
    const Eigen::VectorXcd solved =
        Eigen::Map<const Eigen::VectorXcf>(pressures.data(), long(pressures.size())).cast<std::complex<double>>();
    return unsolved_.empty() ? solved : with_unsolved(solved, (*directions_)(listener), listener);
}

// Compact sources count delays from a centre of their own.
Eigen::VectorXcd ModalRadiation::with_unsolved(Eigen::VectorXcd pressures, const Eigen::VectorXcd& unsolved,
                                               const Vec3& listener) const {
    const double farther = (listener - centre_).norm() - (listener - sources_->centre).norm();
    for (std::size_t i = 0; i < unsolved_.size(); ++i)
        pressures[unsolved_[i]] =
            unsolved[long(i)] * std::polar(1.0, unsolved_omega_[long(i)] / air_.speed_of_sound * farther);
    return pressures;
}

Eigen::VectorXd radiation_damping_of(const ModalBody& model, const ModalTransfer& transfer) {
    Eigen::VectorXd damping = radiation_damping(transfer);
    const std::vector<long> unsolved = unsolved_modes(model, transfer);
    if (unsolved.empty()) return damping;
    const Eigen::VectorXd omega = model.omega(unsolved);
    const Eigen::VectorXd estimate = radiation_damping(sources_of(model.compact, unsolved), omega, transfer.air);
    for (std::size_t i = 0; i < unsolved.size(); ++i) damping[unsolved[i]] = estimate[long(i)];
    return damping;
}

Eigen::VectorXd radiation_damping_of(const ModalBody& model, const ModalTransfer* transfer, const Air& air) {
    return transfer ? radiation_damping_of(model, *transfer) : radiation_damping(model.compact, model.omega, air);
}

}  // namespace clangor
