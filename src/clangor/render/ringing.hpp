// How bodies ring from one impact to the next. Internal to render.
#pragma once

#include <clangor/render/excite.hpp>

#include <memory>

namespace clangor {

/// Impacts that may not be over when the next one comes.
struct Unfinished;

/// From where motion has a body to where it is, in its frame: contacts last, but are over in an instant for motion.
struct Lag {
    double time = 0;            ///< of the last impact that made it [s]
    Vec3 shift = Vec3::Zero();  ///< of its centre of mass [m]
    Vec3 turn = Vec3::Zero();   ///< [rad]
};

/// The modes of one body after the last impact on it.
struct Ringing {
    double time = 0;                                    ///< of the state below [s]
    Eigen::VectorXd q = {}, q_dot = {};                 ///< empty: it does not ring [m·kg^½] and [m·kg^½/s]
    std::shared_ptr<const Unfinished> unfinished = {};  ///< none: what came before is over
    Lag lag = {};
};

/// One for each body, all of them silent.
using RingingBodies = std::vector<Ringing>;

/// The same at another time: later with the losses of the body itself, earlier without any.
Ringing ringing_at(const Ringing& ringing, const ModalMobility& mobility, double time);

}  // namespace clangor
