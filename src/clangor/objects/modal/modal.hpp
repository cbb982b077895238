/// @file modal.hpp — bodies that ring and click, whatever they are made of: solids now, shells likewise.
/// Model     modes (ModalBody), their sound fields (ModalTransfer) and the click of accelerations (AccelerationNoise),
///           all baked and cached; then oscillators weighted by direction, and clicks added up.
/// In        a surface, a material, and whoever finds the modes (objects/solid).
/// Out       emitters "modal" and "acceleration".
/// Not here  meshing and elasticity (objects/solid), delays (render).
///
///     const io::Cached<BakedTransfer> fields = cached_transfer(model, context);
///     const std::vector<Emitter> emitters = emitters_of(source, excitation, emission, warnings);
#pragma once

#include <clangor/objects/modal/baked_noise.hpp>
#include <clangor/objects/modal/baked_transfer.hpp>
#include <clangor/objects/modal/modal_body.hpp>
#include <clangor/objects/modal/modal_radiation.hpp>
#include <clangor/objects/objects.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clangor {

/// What a body is, whatever is baked of it. Damping and the material's name are applied when rendering.
io::Fingerprint body_fingerprint(std::string_view algorithm, const Surface& surface, const Material& material);

/// The click of one body. A ball's is known in closed form; others take a wave simulation, seconds to a minute.
BakedNoise bake_noise(const std::string& name, const Surface& surface, const Material& material,
                      const BakeContext& context, const AccelerationResume& resume = {}, const Progress& progress = {});

/// The same, found in the cache or kept there; a bake that was stopped goes on where it was.
io::Cached<BakedNoise> cached_noise(const std::string& name, const Surface& surface, const Material& material,
                                    const BakeContext& context, const Progress& progress = {});
std::string noise_key(const Surface& surface, const Material& material, const Air& air, Quality quality);

/// The sound fields of a model's modes. Seconds to minutes; for reference quality, minutes to hours.
BakedTransfer bake_transfer(const ModalBody& model, const BakeContext& context, const TransferResume& resume = {},
                            const Progress& progress = {});
io::Cached<BakedTransfer> cached_transfer(const ModalBody& model, const BakeContext& context,
                                          const Progress& progress = {});

/// A modal body of the scene.
struct ModalSource {
    std::string name = {};  ///< of the object
    std::shared_ptr<const Body> body = {};
    std::shared_ptr<const ModalBody> model = {};
    std::shared_ptr<const ModalTransfer> transfer = {};   ///< none: its modes are compact sources
    std::shared_ptr<const AccelerationNoise> noise = {};  ///< none: its accelerations are not heard
    bool magnitude_only = false;                          ///< of the sound fields
};

/// "modal", and "acceleration" where that is heard. `warnings` gets what was left out.
std::vector<Emitter> emitters_of(const ModalSource& source, Excitation excitation, const EmissionContext& context,
                                 std::vector<std::string>& warnings);

/// Where its click is known from: a ball's from its surface, others' from the first sphere that is recorded.
NearLimit click_limit(const Surface& surface);

}  // namespace clangor
