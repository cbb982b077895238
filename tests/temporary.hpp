// Where a test may write: no other run of the tests, and no other user, has the same place.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <unistd.h>

namespace clangor::testing {

inline std::filesystem::path temporary(std::string_view name) {
    return std::filesystem::temp_directory_path() / ("clangor-" + std::to_string(::getpid()) + "-" + std::string(name));
}

}  // namespace clangor::testing
