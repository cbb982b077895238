// "shot.glb#Lid": a part of a file.
#pragma once

#include <filesystem>
#include <string>

namespace clangor::io {

struct FilePart {
    std::filesystem::path file;
    std::string part;  ///< what follows the last #; "" where nothing does
};

/// A file whose own name holds a # is found too: it is taken as a whole.
inline FilePart file_part(const std::filesystem::path& path) {
    const std::string text = path.string();
    const std::size_t hash = text.rfind('#');
    std::error_code error;
    if (hash == std::string::npos || std::filesystem::exists(path, error)) return {path, ""};
    return {text.substr(0, hash), text.substr(hash + 1)};
}

}  // namespace clangor::io
