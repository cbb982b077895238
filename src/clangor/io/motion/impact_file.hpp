// Impacts from other programs: tables (.csv) and JSON lines (.jsonl, .ndjson).
//
//     const std::vector<ImportedImpact> hits = io::read_impacts("hits.csv");
#pragma once

#include <clangor/motion/imported/imported.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

/// All events of the file, in its order. Throws Error with file, line and what to do.
std::vector<ImportedImpact> read_impacts(const std::filesystem::path& path);

/// Events from text that is in no file. `name` stands in messages.
std::vector<ImportedImpact> parse_impact_table(std::string_view text, const std::string& name);
std::vector<ImportedImpact> parse_impact_lines(std::string_view text, const std::string& name);

}  // namespace clangor::io
