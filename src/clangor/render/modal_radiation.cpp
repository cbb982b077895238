#include <clangor/render/modal_radiation.hpp>

namespace clangor {

ModalRadiation::ModalRadiation(const io::BakedSolid& model, const Air& air)
    : model_(model),
      air_(air),
      centre_(model.compact.centre),
      radius_(model.compact.radius),
      directions_(std::make_unique<const DirectionTable>(model.compact, model.omega, air)) {}

ModalRadiation::ModalRadiation(const io::BakedSolid& model, const ModalTransfer& transfer)
    : model_(model), air_(transfer.air), transfer_(&transfer), centre_(transfer.centre), radius_(transfer.radius) {}

bool ModalRadiation::in_near_field(const Vec3& listener) const {
    return transfer_ ? clangor::in_near_field(*transfer_, listener) : clangor::in_near_field(model_.compact, listener);
}

Eigen::VectorXcd ModalRadiation::exact(const Vec3& listener) const {
    return transfer_ ? transfer(*transfer_, listener) : transfer(model_.compact, model_.omega, listener, air_);
}

Eigen::VectorXcd ModalRadiation::quick(const Vec3& listener) const {
    if (!transfer_) return (*directions_)(listener);
    std::call_once(mapped_, [this] { maps_ = std::make_unique<const TransferMaps>(*transfer_); });
    std::vector<std::complex<float>> pressures(transfer_->modes.size());
    maps_->pressures(listener, pressures);
    return Eigen::Map<const Eigen::VectorXcf>(pressures.data(), long(pressures.size())).cast<std::complex<double>>();
}

}  // namespace clangor
