// What a command will write, and whether it may: asked before any work, so that no input is lost and no work is in
// vain.
#pragma once

#include "commands.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace clangor::app {

/// A file to be written.
struct Output {
    std::filesystem::path path;
    std::string option;                                       ///< that asked for it, as the user knows it: "--motion"
    bool (*is_ours)(const std::filesystem::path&) = nullptr;  ///< given: what is there already must pass, or it is kept
};

std::vector<Output> outputs_of(const RenderOptions& options, const Scene& scene);
std::vector<Output> outputs_of_sound(const std::string& out);    ///< the sound and its report
std::vector<Output> outputs_of_maps(const std::string& folder);  ///< those that would replace something

/// A file that stands for one listener where each has its own.
std::filesystem::path split_path(const std::filesystem::path& out, const std::string& listener);

/// The texts that name files, with the files that those name in turn. Library names and JSON texts are no files.
std::vector<std::filesystem::path> files_among(const std::vector<std::string>& texts);

/// Throws Error where an output is an input (by whatever name or link), where two are one file, where one would replace
/// a file that it should not, and where its folder is missing or read-only.
void check_outputs(const std::vector<Output>& outputs, const std::vector<std::filesystem::path>& inputs);

/// Throws Error unless files can be made in the folder; it need not exist yet.
void require_folder(const std::string& folder, const std::string& option);

}  // namespace clangor::app
