// What stands at a listener's place, and how it takes sound from each direction.
#pragma once

#include <clangor/core/core.hpp>

#include <memory>
#include <string>
#include <vector>

namespace clangor {

/// What stands at a listener's place. Frame of a listener: x to the front, y to the left, z up.
enum class ListenerKind {
    Mono,       ///< one microphone, all directions alike
    Ortf,       ///< two cardioids 17 cm apart, 110° between their axes
    Xy,         ///< two cardioids at one point, 90° between their axes
    Binaural,   ///< two ears on a rigid sphere, or as a SOFA file measured them
    Ambisonic,  ///< first order, AmbiX: W Y Z X, SN3D
};

/// Measured ears. Opaque; immutable, so that threads may share it.
struct HeadMeasurement;
using HeadMeasurementPtr = std::shared_ptr<const HeadMeasurement>;

/// A SOFA file's impulse responses, resampled where its rate is another (`message` says so). Throws Error where the
/// file is damaged, or holds no head-related impulse responses.
struct LoadedHead {
    HeadMeasurementPtr head;
    std::string message;  ///< "" or a sentence for the report
};
LoadedHead load_head(const std::string& sofa_path, double sample_rate);

/// How a listener takes sound. Made by microphone_array.
struct MicrophoneArray {
    ListenerKind kind = ListenerKind::Mono;
    std::vector<std::string> channels;  ///< "mic"; "mic left", "mic right"; "mic W", …
    Points capsules;                    ///< where pressure is taken, in the listener's frame [m]
    double head_radius = 0.0875;        ///< of the spherical head [m]
    HeadMeasurementPtr head = {};       ///< none: the spherical head
};
MicrophoneArray microphone_array(const std::string& name, ListenerKind kind, double head_radius = 0.0875,
                                 HeadMeasurementPtr head = {});

}  // namespace clangor
