// Where a blow lands on a body, and what it does to each mode.
#include <clangor/render/excite.hpp>

#include <clangor/motion/contact/contact.hpp>

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

}  // namespace

ContactFinder::ContactFinder(const io::BakedSolid* model, Surface surface)
    : model_(model), flat_(std::move(surface)), curvatures_(mean_curvatures(flat_)), closest_(flat_) {}
ContactFinder::ContactFinder(const io::BakedSolid& model) : ContactFinder(&model, flat(model.skin)) {}
ContactFinder::ContactFinder(const Surface& surface) : ContactFinder(nullptr, surface) {}

ContactPoint ContactFinder::operator()(const Vec3& at) const {
    const ClosestPoint hit = closest_(at);
    ContactPoint contact{hit.point, hit.distance, curvature_at(flat_, curvatures_, hit), {}, {}};
    if (!model_) return contact;
    // Flat triangles a face: 1 or 4, side by side.
    const int per_face = int(flat_.faces.rows() / model_->skin.faces.rows());
    const Eigen::VectorXi face = model_->skin.faces.row(hit.face / per_face).transpose();
    contact.nodes = {face.data(), face.data() + face.size()};
    if (face.size() == 3) {
        contact.weights = hit.barycentric;
        return contact;
    }
    Eigen::Vector2d local = Eigen::Vector2d::Zero();
    for (int corner = 0; corner < 3; ++corner)
        for (int i = 0; i < 6; ++i)
            if (face[i] == flat_.faces(hit.face, corner))
                local += hit.barycentric[corner] * reference.row(i).transpose();
    contact.weights = quadratic_weights(local[0], local[1]);
    return contact;
}

Eigen::VectorXd modal_impulse(const io::BakedSolid& model, const ContactPoint& contact, const Vec3& impulse) {
    Eigen::VectorXd result = Eigen::VectorXd::Zero(model.shapes.cols());
    for (size_t i = 0; i < contact.nodes.size(); ++i)
        result += contact.weights[long(i)] *
                  (model.shapes.middleRows<3>(3 * contact.nodes[i]).cast<double>().transpose() * impulse);
    return result;
}

}  // namespace clangor
