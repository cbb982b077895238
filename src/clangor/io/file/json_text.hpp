// What can be wrong with a JSON text before any bracket is looked at, and where a byte stands.
#pragma once

#include <clangor/io/file/json.hpp>

namespace clangor::io {

/// Byte-order marks, zero bytes, invalid UTF-8, nothing at all.
std::optional<Problem> problem_of_text(std::string_view text);

/// Turns byte offsets into places. Offsets must not decrease from call to call: then a whole file costs one pass.
class Locator {
public:
    explicit Locator(std::string_view text) : text_(text) {}
    Place at(std::size_t offset);

private:
    std::string_view text_;
    std::size_t offset_ = 0;
    Place place_;
};

}  // namespace clangor::io
