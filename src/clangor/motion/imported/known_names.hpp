// What a body may have been meant that nobody is called.
#pragma once

#include <clangor/motion/imported/imported.hpp>

#include <string>
#include <vector>

namespace clangor {

/// "did you mean "cup"?" where a name is close, else all of them.
std::string known_names(const std::string& name, const std::vector<ImportedBody>& bodies);

}  // namespace clangor
