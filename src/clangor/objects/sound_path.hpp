// From a source to a capsule of a listener, directly or by a reflector, as both move.
#pragma once

#include <clangor/listening/listening.hpp>
#include <clangor/motion/record/record.hpp>
#include <clangor/scene/scene.hpp>

#include <vector>

namespace clangor {

/// A listener of the scene, ready to listen.
struct PlacedListener {
    const scene::Listener* listener = nullptr;
    MicrophoneArray array;
    int first_channel = 0;
    Trajectory track;  ///< of what it is attached to, of its own path, or at rest
    Eigen::Isometry3d track_from_listener = Eigen::Isometry3d::Identity();  ///< x front, y left, z up
};
Eigen::Isometry3d pose_of(const PlacedListener& listener, double time);

/// A floor that reflects sound.
struct Reflector {
    double height = 0;      ///< [m]
    double reflection = 1;  ///< of the pressure
};

/// Where a point is heard from by the reflector: its image below the floor.
Vec3 reflected(const Vec3& point, const Reflector& reflector);

/// From one source to one capsule.
struct SoundPath {
    const PlacedListener& listener;
    int capsule = 0;
    const Reflector* reflector = nullptr;  ///< none: direct
    const Trajectory& source;
    Vec3 centre = Vec3::Zero();  ///< of the source, in its body frame: delays are counted from here
    Air air = {};
};

/// Where the capsule is; for a reflected path its image, from which the straight line to the source is as long.
Vec3 capsule_world(const SoundPath& path, double time);

/// Where the capsule is, in the source's frame, for what is emitted at this time.
Vec3 capsule_for(const SoundPath& path, double emission);

/// Neither the source nor the listener moves.
bool is_at_rest(const SoundPath& path);

/// Where a capsule is for the body (in its frame) as it emits, at the samples where that has changed enough to matter,
/// or at all within a tenth of a second: what comes later then has no part in how it is followed before.
struct ListenerKnot {
    long sample = 0;  ///< of emission, a multiple of Resonators::block_samples
    Vec3 capsule = Vec3::Zero();
};

struct KnotOptions {
    double sample_rate = 48000;
    long first_sample = 0;  ///< nothing is emitted before
    long samples = 0;
    double angle = 0.05;     ///< a new one where the direction has turned by so much [rad]
    double distance = 0.02;  ///< or the distance has changed by this part
};
std::vector<ListenerKnot> listener_knots(const SoundPath& path, const KnotOptions& options);

}  // namespace clangor
