// The way of sound from each body to each listener, as both move. Internal to render.
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/listening/listening.hpp>
#include <clangor/motion/record/record.hpp>
#include <clangor/scene/scene.hpp>
#include <clangor/vibration/oscillator/oscillator.hpp>

#include <memory>
#include <optional>

namespace clangor {

/// A listener of the scene, ready to listen.
struct Ear {
    const scene::Listener* listener = nullptr;
    ListeningPost post;
    int first_channel = 0;
    Trajectory track;  ///< of what it is attached to, of its own path, or at rest
    Eigen::Isometry3d track_from_ear = Eigen::Isometry3d::Identity();  ///< x front, y left, z up
};

/// All listeners, with their SOFA files and paths read. `messages` gets what the user should know.
std::vector<Ear> ears_of(const Scene& scene, const Motion& motion, std::vector<std::string>& messages);

Eigen::Isometry3d pose_of(const Ear& ear, double time);

/// A floor that mirrors sound.
struct Mirror {
    double height = 0;      ///< [m]
    double reflection = 1;  ///< of the pressure
};
std::optional<Mirror> mirror_of(const Scene& scene);

/// One way from one body to one capsule: straight, or by the floor.
struct Way {
    const Ear& ear;
    int capsule = 0;
    const Mirror* mirror = nullptr;  ///< none: straight
    const Trajectory& source;
    Vec3 centre = Vec3::Zero();  ///< of the source, in its body frame: delays are counted from here
    Air air = {};
};

/// Where the capsule is, in the source's frame, for what is emitted at this time.
Vec3 capsule_for(const Way& way, double emission);

/// Delays and directions over the time of arrival, a part at a time.
class PassageCourse {
public:
    PassageCourse(const Way& way, double duration);
    ~PassageCourse();
    PassageCourse(PassageCourse&&) noexcept;

    /// The control points from two before `begin` to two after `end`, and a few more [s].
    Passage between(double begin, double end);

    /// No sound is longer under way [s].
    double longest_delay() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Where a capsule is for the body (in its frame) as it emits, at the samples where that has changed enough to matter,
/// or at all within a tenth of a second: what comes later then has no part in how it is followed before.
struct Station {
    long sample = 0;  ///< of emission, a multiple of Resonators::block_samples
    Vec3 capsule = Vec3::Zero();
};

struct StationOptions {
    double sample_rate = 48000;
    long first_sample = 0;  ///< nothing is emitted before
    long samples = 0;
    double angle = 0.05;     ///< a new one where the direction has turned by so much [rad]
    double distance = 0.02;  ///< or the distance has changed by this part
};
std::vector<Station> stations_of(const Way& way, const StationOptions& options);

}  // namespace clangor
