// The terminal: progress, warnings and results. Results go to stdout, everything else to stderr.
#pragma once

#include <clangor/core/core.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace clangor::app {

/// A bar with the time left on a terminal, a line per stage otherwise, nothing if quiet.
Progress progress_on_stderr(bool quiet);

/// Ends the bar's line.
void finish_progress();

/// On Ctrl-C: end the bar's line, then die of the signal as usual. Files appear whole or not at all (io/atomic_file),
/// so there is nothing else to clean up.
void end_line_on_interrupt();

void warn(const std::string& text, bool quiet);
void say(const std::string& text, bool quiet);  ///< on stderr

/// On stdout, checked: a full disk or a closed pipe is an Error.
void print(const std::string& text);
void print_json(const nlohmann::json& value);

}  // namespace clangor::app
