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

/// The modes of one solid, from a cleaned surface (in metres). Throws, before it has begun, if it would take more than
/// `memory`, which is that of BakeContext.
ModalBody bake_solid(const std::string& name, const CleanSurface& surface, const Material& material,
                     const scene::SolidOptions& options, const Progress& progress = {}, double memory = 0);

ModalModel solid_model(const scene::Solid& solid, const BakeContext& context);

/// The solid as it sounds with a model that is there already; the mesh is not read where it has modes.
SoundingObject sounding(const scene::Solid& solid, const ModalModel& model, const BakeContext& context);

}  // namespace clangor
