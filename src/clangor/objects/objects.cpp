#include <clangor/objects/objects.hpp>

namespace clangor {

std::string object_named(const std::string& name) { return "object \"" + name + "\""; }

}  // namespace clangor
