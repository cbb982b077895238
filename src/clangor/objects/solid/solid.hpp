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

ModalModel solid_model(const scene::Solid& solid, const BakeContext& context);

/// The solid as it sounds with a model that is there already; the mesh is not read where it has modes.
SoundingObject sounding(const scene::Solid& solid, const ModalModel& model, const BakeContext& context);

}  // namespace clangor
