// What the two emitters of a modal body share.
#pragma once

#include <clangor/objects/modal/modal.hpp>

namespace clangor {

/// A body with the modes that this sample rate and its damping let ring, and what drives them.
struct Vibration {
    ModalSource source = {};
    std::vector<long> kept = {};  ///< modes of the model
    OscillatorBank bank = {};
    std::vector<ModalImpulse> impulses = {};  ///< per kept mode
    std::vector<DampingKnot> damping = {};
    std::shared_ptr<const DampedBanks> banks = {};         ///< that the damping leads to
    std::shared_ptr<const ModalRadiation> radiation = {};  ///< of all modes of the model
};

/// Where a listener is for a body that vibrates, from its first impulse on.
struct PathKnots {
    std::vector<ListenerKnot> knots;
    bool is_near = false;  ///< within the body's near field, at one of them
};
PathKnots knots_along(const Vibration& vibration, const SoundPath& path, const EmissionContext& context);

/// Oscillators, weighted by how each mode sounds in the direction of the listener.
Emission ringing_emission(const std::shared_ptr<const Vibration>& vibration, const SoundPath& path,
                          const EmissionContext& context);

class CoupledSound;

/// Modes that move together, heard along one path. To be asked for before any of them is played.
Emission coupled_emission(const std::shared_ptr<CoupledSound>& sound, const SoundPath& path,
                          const EmissionContext& context);

/// A body's accelerations, and how they sound.
struct Clicks {
    ModalSource source = {};
    std::vector<ContactPulse> pulses = {};
    std::shared_ptr<const PreparedNoise> noise = {};
    double click_angle = 0;  ///< QualitySettings
};

/// Clicks: each pulse changes the body's velocity and spin while it lasts. Throws Error for a listener that is too near
/// and wants to know.
Emission click_emission(const std::shared_ptr<const Clicks>& clicks, const SoundPath& path);

template <class Vector>
Vector picked(const Vector& all, const std::vector<long>& which) {
    Vector result(long(which.size()));
    for (size_t i = 0; i < which.size(); ++i) result[long(i)] = all[which[i]];
    return result;
}

}  // namespace clangor
