/// @file solid.hpp — elastic solids: how they are baked, move and sound.
/// Model     surface → tetrahedra → modes → sound fields, and the click of its accelerations; a rigid body in motion.
/// In        scene::Solid.
/// Out       SoundingObject, by sounding(solid, context), which is declared beside the struct.
/// Not here  what any modal body does (objects/modal).
///
///     const ModalBody bell = bake_solid("bell", clean(io::read_mesh("bell.obj")), *find_material("bronze"), {});
#pragma once

#include <clangor/objects/modal/modal.hpp>

namespace clangor {

/// What a bake is for.
struct SolidUse {
    /// Contacts act on it, and ask for modes above max_hz, which are not heard   docs/theory/contact.md, section 5
    bool is_hit = false;
    double memory = 0;  ///< that of BakeContext
};

/// The modes of one solid, from a cleaned surface (in metres). Throws, before it has begun, if it would take more than
/// the memory that it may.
ModalBody bake_solid(const std::string& name, const CleanSurface& surface, const Material& material,
                     const scene::SolidOptions& options, const Progress& progress = {}, const SolidUse& use = {});

/// What is baked of a solid. Equal solids share it.
struct SolidModel {
    std::shared_ptr<const ModalBody> modes = {};          ///< none: it is silent
    std::shared_ptr<const ModalTransfer> transfer = {};   ///< none: compact sources
    std::shared_ptr<const AccelerationNoise> noise = {};  ///< none: its accelerations are not heard
    bool from_cache = false;
    double seconds = 0;  ///< that it took
    std::vector<std::string> warnings = {};
};
/// Whether its accelerations are heard, which takes a bake: something may hit it, and it can move. Where nothing moves
/// in the scene, what is struck is free, unless it is fixed or held by supports.
bool clicks(const scene::Solid& solid, const BakeContext& context);

/// Whether contacts act on it whose force is not given: where things move, and by mallets.
bool is_hit(const scene::Solid& solid, const BakeContext& context);

SolidModel solid_model(const scene::Solid& solid, const BakeContext& context);

/// The solid as it sounds with a model that is there already; the mesh is not read where it has modes.
SoundingObject sounding(const scene::Solid& solid, const SolidModel& model, const BakeContext& context);

}  // namespace clangor
