// What a blow at a point does to each mode of a body. Internal to render.
#pragma once

#include <clangor/io/io.hpp>

namespace clangor {

/// A point on a model's surface.
struct ContactPoint {
    Vec3 point = Vec3::Zero();  ///< on the surface, body frame [m]
    double distance = 0;        ///< from where it was asked for [m]
    std::vector<int> nodes;     ///< of the skin's face that it lies on
    Eigen::VectorXd weights;    ///< the face's shape functions there
};

/// Finds contact points of one model. Construction builds a search tree.
class ContactFinder {
public:
    explicit ContactFinder(const io::BakedSolid& model);
    ContactPoint operator()(const Vec3& at) const;

private:
    const io::BakedSolid& model_;
    Surface flat_;
    ClosestPointQuery closest_;
};

/// uᵀJ of each mode at a contact point [N·s·kg^-1/2].
Eigen::VectorXd modal_impulse(const io::BakedSolid& model, const ContactPoint& contact, const Vec3& impulse);

}  // namespace clangor
