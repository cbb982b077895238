// Which modes damping leaves anything of.
#pragma once

#include <clangor/material/material.hpp>
#include <clangor/objects/modal/modal_body.hpp>
#include <clangor/scene/scene.hpp>
#include <clangor/vibration/modal/modal.hpp>

namespace clangor {

/// Both follow from the material's damping alone, before any mode is known   docs/theory/modal.md, "Dead modes".
struct HeardBand {
    /// at most the options'; above it a mode is 60 dB down within three periods. The options' where all modes are
    double max_hz = 0;
    /// above it within twenty: no pitch is heard; min_hz where that holds for all, infinite where for none
    double dull_hz = 0;
};
HeardBand heard_band(const Damping& damping, const scene::SolidOptions& options);

/// The band whose modes take part in contacts. It reaches up to four times the options' max_hz, but for that no farther
/// than 20 kHz: contacts end before higher modes matter, and a body whose max_hz is low is too large for all of them.
HeardBand contact_band(const Damping& damping, const scene::SolidOptions& options);

/// What users should know of the band that is heard, where max_hz was asked for, and of the modes in it.
void add_band_messages(ModalBody& model, const Modes& modes, double heard_hz, double max_hz);

}  // namespace clangor
