// What a force at a point does to each mode. Internal to objects/modal.
#pragma once

#include <clangor/objects/modal/modal_body.hpp>

namespace clangor {

/// uᵀJ of each mode at a point of flat(skin), heard and then unheard [N·s·kg^-1/2].
Eigen::VectorXd modal_impulse(const ModalBody& model, const ContactPoint& contact, const Vec3& impulse);

}  // namespace clangor
