// The click of mallets: balls that are stopped and thrown back. Internal to render.
#pragma once

#include <clangor/render/placed_strikes.hpp>

#include <vector>

namespace clangor {

/// Of all mallets that strike one object, on its path; `mechanism` is "mallet". `pulses` are those that the mallets
/// receive, strike by strike in the order of those that have one.
struct MalletEmitter {
    int object = -1;
    Emitter emitter;
};
std::vector<MalletEmitter> mallet_emitters(const std::vector<PlacedStrike>& strikes,
                                           std::span<const Excitation> mallets, const Motion& motion,
                                           const EmissionContext& context);

}  // namespace clangor
