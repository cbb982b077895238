// What impacts, sliding and rest do to each object. Internal to render.
#pragma once

#include <clangor/motion/record/record.hpp>
#include <clangor/objects/objects.hpp>

namespace clangor {

/// An object as contacts see it. What it points at outlives it.
struct ContactBody {
    const Body* body = nullptr;               ///< none: nothing touches it
    const ModalMobility* mobility = nullptr;  ///< none: it does not ring
    double restitution = 1;                   ///< of its material on itself
    bool is_movable = false;
    bool hears_pulses = false;    ///< its accelerations are heard
    bool is_one_of_many = false;  ///< its contacts are pulses of the impulse that motion says
};
ContactBody contact_body(const SoundingObject& object);

struct ExciteOptions {
    double duration = 0;  ///< [s]
    double sample_rate = 48000;
    double roughness = 1;
    double contact_damping = 1;
    double gravity = 9.81;  ///< that presses grains against what they lie on [m/s²]
    std::uint64_t seed = 0;
    std::vector<RigidPair> pairs = {};  ///< of objects with a restitution of their own
    std::vector<Impact> strikes = {};   ///< by mallets, beside the impacts of the motion
};

/// One for each object: impacts by Hertz's pulse, touches by the roughness of surfaces and by contact damping.
std::vector<Excitation> excite(const Motion& motion, const std::vector<ContactBody>& bodies,
                               const ExciteOptions& options, std::vector<std::string>& warnings);

/// Both lists as one.
std::vector<Impact> by_time(const std::vector<Impact>& some, const std::vector<Impact>& others);

/// Impulses so dense that single ones cannot be told apart (over 256 in a block of samples) are put together where they
/// begin within an eighth of a sample of each other and last equally long to 10 %. The modal impulses are added: the
/// ringing after them stays exact in strength. Returns how many were merged away.
long merge_dense(std::vector<ModalImpulse>& impulses, double sample_rate);

}  // namespace clangor
