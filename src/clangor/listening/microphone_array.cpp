#include <clangor/listening/microphone_array.hpp>

#include <utility>

namespace clangor {
namespace {

std::vector<std::string> channels_of(ListenerKind kind) {
    switch (kind) {
        case ListenerKind::Mono:
            return {""};
        case ListenerKind::Ortf:
        case ListenerKind::Xy:
        case ListenerKind::Binaural:
            return {" left", " right"};
        case ListenerKind::Ambisonic:
            return {" W", " Y", " Z", " X"};
    }
    return {};
}

}  // namespace

MicrophoneArray microphone_array(const std::string& name, ListenerKind kind, double head_radius,
                                 HeadMeasurementPtr head) {
    CLANGOR_ASSERT(head_radius > 0, "a head has a size");
    MicrophoneArray array;
    array.kind = kind;
    for (const std::string& channel : channels_of(kind)) array.channels.push_back(name + channel);
    array.capsules = Points::Zero(kind == ListenerKind::Ortf ? 2 : 1, 3);
    if (kind == ListenerKind::Ortf) array.capsules.col(1) << 0.085, -0.085;  // 17 cm apart, the left one first
    array.head_radius = head_radius;
    array.head = std::move(head);
    return array;
}

}  // namespace clangor
