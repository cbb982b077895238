// Mallets: what a scene may say of the thing that strikes.
#pragma once

#include <clangor/material/material.hpp>
#include <clangor/scene/record.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clangor::scene {

/// A ball that flies freely against an object: the head of a mallet, a knuckle, a fingertip. Its stick weighs nothing,
/// unless a part of it is counted in its mass.
struct Mallet {
    double mass = 0;    ///< > 0 [kg]
    double radius = 0;  ///< of its head where it strikes, > 0 [m]
    Material material = {};
    double speed = 0;                    ///< at which it meets the object, > 0 [m/s]
    std::optional<Vec3> direction = {};  ///< in which it moves, in the body frame; none: straight into the surface
};

/// Its keys in a scene file.
Record record_of(Mallet& mallet);

/// A mallet as one finds it, by the name of its material.
struct MalletPreset {
    std::string_view name;
    double mass = 0;    ///< [kg]
    double radius = 0;  ///< [m]
    double speed = 0;   ///< of a stroke that is neither soft nor hard [m/s]
    std::string_view remark = {};
};
std::span<const MalletPreset> mallet_presets();

/// What a mallet of that name is made of: a preset, or a material of the library. "wood" is maple here.
std::optional<Material> mallet_material(std::string_view name);

/// The whole mallet of that name; none where there is no such preset.
std::optional<Mallet> preset_mallet(std::string_view name);

}  // namespace clangor::scene
