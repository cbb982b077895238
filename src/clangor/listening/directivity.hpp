// How strongly a channel takes sound from each direction.
#pragma once

#include <clangor/listening/microphone_array.hpp>

namespace clangor::listening {

/// One channel's gain for each direction.
struct ChannelGain {
    int channel = 0;  ///< of the array
    Eigen::VectorXd gains;
};

/// What a capsule feeds, for unit directions towards the source. Not for Binaural, whose ears filter.
///     mono                1
///     cardioid, axis a    ½(1 + a·d)
///     ambisonic           W 1, Y d_y, Z d_z, X d_x (AmbiX: SN3D, ordered by ACN)  [Nachbar2011]
std::vector<ChannelGain> channel_gains(ListenerKind kind, int capsule, const Points& directions);

}  // namespace clangor::listening
