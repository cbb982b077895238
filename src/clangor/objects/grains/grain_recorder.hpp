// What a collision of grains does, however it is known: it is heard, and what is no grain gets an impact. Internal to
// objects/grains.
#pragma once

#include <clangor/motion/collision_density/collision_density.hpp>
#include <clangor/objects/grains/grain_run.hpp>

#include <array>
#include <optional>
#include <vector>

namespace clangor {

/// Which two things meet: a grain and another one, a neighbour, or something that has no name here.
struct GrainMeeting {
    std::array<double, 2> radii = {};               ///< 0: no grain [m]
    std::array<const Material*, 2> materials = {};  ///< of what has no name: that of the grain
    int wall = -1;                                  ///< the second is this neighbour
};

/// How they do.
struct GrainContact {
    double time = 0;              ///< [s]
    Vec3 point = Vec3::Zero();    ///< [m]
    Vec3 normal = Vec3::UnitY();  ///< unit, out of the second, into the first
    Vec3 impulse = Vec3::Zero();  ///< that the first receives [N·s]
    double speed = 0;             ///< of approach [m/s]
};

/// One over what bounces as a whole [1/kg].
double inverse_mass_of(const GrainMeeting& meeting);

/// With the impulse that follows from their masses and this restitution at 1 m/s.
GrainContact contact_of(const Encounter& encounter, const GrainMeeting& meeting, const GrainSurface& surface);

class GrainRecorder {
public:
    GrainRecorder(const GrainsHere& grains, const Surroundings& around, const Air& air, GrainRun& run, OwnMotion& own);

    /// By time. Slower ones than are told from the jitter of rest make no impact.
    void add(const GrainMeeting& meeting, const GrainContact& contact);

    /// Whether what is done to this neighbour makes a difference.
    bool answers(int wall) const;
    Eigen::Isometry3d pose_of(int wall, double time) const;
    /// The neighbour's side first.
    std::array<ContactSide, 2> sides_of(int wall, const GrainContact& contact) const;

private:
    void add_sound(const GrainMeeting& meeting, const GrainContact& contact);
    void add_impact(const GrainMeeting& meeting, const GrainContact& contact);

    GrainsHere grains_;
    const Surroundings& around_;
    const Air& air_;
    GrainRun& run_;
    OwnMotion& own_;
    std::vector<std::optional<Eigen::Isometry3d>> still_;
};

}  // namespace clangor
