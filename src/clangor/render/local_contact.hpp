// Two bodies where they touch. Internal to render.
#pragma once

#include <clangor/motion/contact/contact.hpp>
#include <clangor/render/excite.hpp>

#include <array>

namespace clangor {

/// A side without a body (an imported impact from nowhere) is fixed.
struct LocalContact {
    std::array<ContactPoint, 2> at;
    HertzContact hertz;
};

LocalContact local_contact(const std::array<ContactSide, 2>& sides, const std::vector<ContactBody>& bodies);

/// Of a rigid pair; where nothing can move, that of a hard mallet [s].
double contact_time(const HertzContact& hertz, double speed);

/// None where it does not ring.
const ModalMobility* mobility_of(const ContactSide& side, const std::vector<ContactBody>& bodies);

}  // namespace clangor
