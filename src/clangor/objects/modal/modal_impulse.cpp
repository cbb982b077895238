// What a force at a point does to each mode.
#include <clangor/objects/modal/modal_impulse.hpp>

namespace clangor {
namespace {

// Corners and mid-edge nodes of the reference triangle.
const Eigen::Matrix<double, 6, 2> reference =
    (Eigen::Matrix<double, 6, 2>() << 0, 0, 1, 0, 0, 1, 0.5, 0, 0.5, 0.5, 0, 0.5).finished();

// Shape functions of the 6-node triangle (corners, then 01 12 20) at (ξ, η).
Eigen::VectorXd quadratic_weights(double xi, double eta) {
    const double L0 = 1 - xi - eta, L1 = xi, L2 = eta;
    Eigen::VectorXd weights(6);
    weights << L0 * (2 * L0 - 1), L1 * (2 * L1 - 1), L2 * (2 * L2 - 1), 4 * L0 * L1, 4 * L1 * L2, 4 * L2 * L0;
    return weights;
}

// The shape functions of the skin's face at a point of flat(skin).
Eigen::VectorXd weights_at(const Skin& skin, const ContactPoint& contact) {
    if (skin.faces.cols() == 3) return contact.barycentric;
    Eigen::Vector2d local = Eigen::Vector2d::Zero();
    for (int corner = 0; corner < 3; ++corner)
        local += contact.barycentric[corner] * reference.row(flat_parts[contact.face % 4][corner]).transpose();
    return quadratic_weights(local[0], local[1]);
}

}  // namespace

Eigen::VectorXd modal_impulse(const ModalBody& model, const ContactPoint& contact, const Vec3& impulse) {
    const Eigen::VectorXd weights = weights_at(model.skin, contact);
    const int parts = model.skin.faces.cols() == 3 ? 1 : 4;
    const long heard = model.shapes.cols(), unheard = model.unheard.shapes.cols();
    Eigen::VectorXd result = Eigen::VectorXd::Zero(heard + unheard);
    for (long i = 0; i < model.skin.faces.cols(); ++i) {
        const long row = 3L * model.skin.faces(contact.face / parts, i);
        const Vec3 share = weights[i] * impulse;
        result.head(heard) += model.shapes.middleRows<3>(row).cast<double>().transpose() * share;
        if (unheard > 0)
            result.tail(unheard) += model.unheard.shapes.middleRows<3>(row).cast<double>().transpose() * share;
    }
    return result;
}

}  // namespace clangor
