/// @file modal.hpp — bodies that ring and click, whatever they are made of: solids and shells.
/// Model     modes (ModalBody), their sound fields (ModalTransfer) and the click of accelerations (AccelerationNoise),
///           all baked and cached; then oscillators weighted by direction, and clicks added up.
/// In        a surface, a material, and whoever finds the modes (objects/solid, objects/shell).
/// Out       emitters "modal" and "acceleration", and that of modes which move together, where a kind has such.
/// Not here  meshing and elasticity (objects/solid, objects/shell), delays (render).
///
///     const io::Cached<BakedTransfer> fields = cached_transfer(model, context);
///     const std::vector<Emitter> emitters = emitters_of(source, excitation, emission, warnings);
#pragma once

#include <clangor/objects/modal/baked_noise.hpp>
#include <clangor/objects/modal/baked_transfer.hpp>
#include <clangor/objects/modal/coupled_modes.hpp>
#include <clangor/objects/modal/heard_band.hpp>
#include <clangor/objects/modal/modal_body.hpp>
#include <clangor/objects/modal/modal_radiation.hpp>
#include <clangor/objects/modal/supports.hpp>
#include <clangor/objects/objects.hpp>

#include <functional>
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

/// What is baked of a body. Equal bodies share it.
struct ModalModel {
    std::shared_ptr<const ModalBody> modes = {};          ///< none: it is silent
    std::shared_ptr<const ModalTransfer> transfer = {};   ///< none: compact sources
    std::shared_ptr<const AccelerationNoise> noise = {};  ///< none: its accelerations are not heard
    bool from_cache = false;
    double seconds = 0;  ///< that it took
    std::vector<std::string> warnings = {};
};

/// How the modes of one body are found.
struct ModesBake {
    std::string key = {};  ///< in the cache: of all that they depend on
    std::function<ModalBody(const Progress&)> bake = {};
    bool scales = true;  ///< all its lengths grow with its mesh, so that its click serves other sizes of it
};
using ModesOf = std::function<ModesBake(const SceneMesh& mesh, const scene::SolidOptions& options)>;

/// Modes, sound fields and click of one body of the scene, as far as it has them, from the cache or into it.
ModalModel modal_model(const scene::Solid& body, const BakeContext& context, const ModesOf& modes_of);

/// Whether its accelerations are heard, which takes a bake: something may hit it, and it can move. Where nothing moves
/// in the scene, what is struck is free, unless it is fixed or held by supports.
bool clicks(const scene::Solid& body, const BakeContext& context);

/// Whether contacts act on it whose force is not given: where things move, and by mallets.
bool is_hit(const scene::Solid& body, const BakeContext& context);

/// How it moves, which needs no model: a SoundingObject to which the functions below add the rest.
SoundingObject moving(const scene::Solid& body);

/// Of one that rings: contacts see the skin of its elastic model.
Body ringing_body(const scene::Solid& body, const std::shared_ptr<const ModalBody>& modes, const BakeContext& context);

/// Of one that does not, or not yet: everybody sees this surface. The key is that of the surface.
Body silent_body(const scene::Solid& body, const std::shared_ptr<const Surface>& surface, const std::string& key,
                 const BakeContext& context);

/// The closed surface that a body collides with: its own, or its skin where its own is open, or much thinner than the
/// elastic body.
std::shared_ptr<const Surface> collision_surface(const std::shared_ptr<const SceneMesh>& mesh, const Body& seen);

/// What it collides with, and how it moves as one body. Equal surfaces share their shape.
void add_collisions(SoundingObject& object, const scene::Solid& body, const BakeContext& context);

/// How it gives way and sounds; with `coupled`, some of its modes move together.
void add_sound(SoundingObject& object, const scene::Solid& body, const ModalModel& model,
               const std::shared_ptr<const CoupledModes>& coupled = {});

/// A modal body of the scene.
struct ModalSource {
    std::string name = {};  ///< of the object
    std::shared_ptr<const Body> body = {};
    std::shared_ptr<const ModalBody> model = {};
    std::shared_ptr<const ModalTransfer> transfer = {};   ///< none: its modes are compact sources
    std::shared_ptr<const AccelerationNoise> noise = {};  ///< none: its accelerations are not heard
    bool magnitude_only = false;                          ///< of the sound fields
    std::shared_ptr<const CoupledModes> coupled = {};     ///< none: each mode rings by itself
};

/// "modal", that of its coupled modes, and "acceleration" where that is heard. `warnings` gets what was left out.
std::vector<Emitter> emitters_of(const ModalSource& source, Excitation excitation, const EmissionContext& context,
                                 std::vector<std::string>& warnings);

/// Where its click is known from: a ball's from its surface, others' from the first sphere that is recorded.
NearLimit click_limit(const Surface& surface);

}  // namespace clangor
