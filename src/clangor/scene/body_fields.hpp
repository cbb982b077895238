// Keys that solids and shells have alike: all that is elastic and moves as one body. Internal to scene.
#pragma once

#include <clangor/scene/solid.hpp>

#include <string>
#include <vector>

namespace clangor::scene {

/// "name", "kind", "mesh" and "material".
std::vector<Field> named_fields(Solid& body, const std::string& kind, const std::string& mesh_doc);

/// Where it is, how it moves, and what holds it.
std::vector<Field> place_fields(Solid& body);

/// How it sounds.
std::vector<Field> radiation_fields(Solid& body);

/// Which of its modes are kept.
std::vector<Field> band_fields(SolidOptions& options);

/// Keys of these of which one says what the other says.
std::vector<std::vector<std::string>> exclusive_keys();
std::vector<Conflict> conflicts_of(const Solid& body);

}  // namespace clangor::scene
