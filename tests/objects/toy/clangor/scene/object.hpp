// The kinds of objects, all of them: a new kind is a line here (docs/howto/add-an-object-kind.md).
#pragma once

#include <clangor/scene/grains.hpp>
#include <clangor/scene/ground.hpp>
#include <clangor/scene/rod.hpp>
#include <clangor/scene/shell.hpp>
#include <clangor/scene/solid.hpp>
#include <objects/toy/beeper.hpp>

#include <variant>

namespace clangor::scene {

/// Everything that can stand in a scene.
using Object = std::variant<Solid, Shell, Rod, Grains, Ground, Beeper>;

}  // namespace clangor::scene
