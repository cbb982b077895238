// How a body is held: what every kind of object that can be held may say.
#pragma once

#include <clangor/scene/record.hpp>

#include <optional>
#include <vector>

namespace clangor::scene {

/// Clamped: nothing of the patch moves. Pinned: it stays in its place, but may turn. Felt: springs with losses.
enum class SupportKind { Clamped, Pinned, Felt };

/// A side of the box around a body, in the body's own axes.
enum class Side { None, LowX, HighX, LowY, HighY, LowZ, HighZ };

/// One support: the patch of the surface that it holds, around a point or on a side, and how.
struct Support {
    SupportKind kind = SupportKind::Clamped;
    std::optional<Vec3> at = {};  ///< in the body frame; the closest surface point is meant [m]
    double radius = 0;            ///< of the patch around the point; 0: a hundredth of the longest side [m]
    double beyond = 0;            ///< instead: all that is farther away from `at` than this; 0: not so [m]
    Side side = Side::None;       ///< or all that is near this side
    double depth = 0;             ///< how near; 0: the face itself [m]
    double stiffness = 0;         ///< of felt, per area [N/m³]
    double loss_factor = 0.2;     ///< of felt; chosen
};

/// Its keys in a scene file.
Record record_of(Support& support);

/// "supports", a list of them.
Field supports_field(std::vector<Support>& supports);

}  // namespace clangor::scene
