/// @file imported.hpp — motion from another program, completed to what sound needs.
/// Model     what is missing follows from geometry (normals) and from the trajectories (approach speeds), or is
///           refused.
/// In        events as a file states them, the bodies' surfaces and trajectories.
/// Out       Impacts, with a sentence for everything that was left out.
/// Not here  reading the files (io), finding collisions from motion alone (motion/rigid).
///
///     const CompletedImpacts done = complete_impacts(events, bodies, {.duration = 3});
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/motion/record/record.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clangor {

/// One impact as another program tells it. The frame of all vectors is the world, or the body's own.
struct ImportedImpact {
    double time = 0;                            ///< [s]
    std::string object = {};                    ///< who is hit
    std::string other = {};                     ///< by whom; "" where the file does not say: only `object` sounds
    bool in_body_frame = false;                 ///< point, normal and impulse are in the frame of `object`
    Vec3 point = Vec3::Zero();                  ///< [m]
    std::optional<Vec3> impulse = {};           ///< that `object` receives [N·s]
    std::optional<double> magnitude = {};       ///< of the impulse, instead of it; it then acts along the normal [N·s]
    std::optional<Vec3> normal = {};            ///< of the contact, out of `object`
    std::optional<double> approach_speed = {};  ///< [m/s]
    std::string where = {};                     ///< "hits.csv:12", for messages
};

/// A body that imported events may name.
struct ImportedBody {
    std::string name = {};
    std::shared_ptr<const Surface> surface = {};  ///< in the body frame; none for the ground
    Trajectory path = {};
    bool ground = false;  ///< everything below y = 0 of its frame
};

struct ImportOptions {
    double duration = 0;  ///< of the clip [s]
    double far = 0.02;    ///< a point farther from the surface than this part of the body's size is a mistake
};

struct CompletedImpacts {
    std::vector<Impact> impacts;  ///< by time; a side whose body is unknown has body −1
    std::vector<std::string>
        warnings;  ///< one for each kind of event that was left out, with the count and the first place
};

/// Points inside a body are moved to its surface where they are near it; normals come from the closest surface;
/// approach speeds from the trajectories just before the impact. Throws Error for an unknown object (with the nearest
/// name), a point far from its body, an event with neither impulse nor magnitude, and where an approach speed cannot be
/// had: no trajectory moves, and the file gives none. Events outside the clip are left out with a warning.
CompletedImpacts complete_impacts(const std::vector<ImportedImpact>& events, const std::vector<ImportedBody>& bodies,
                                  const ImportOptions& options);

}  // namespace clangor
