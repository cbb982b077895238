#include <fmt/format.h>
#include <clangor/io/file/json_text.hpp>

namespace clangor::io {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Length of the UTF-8 character that starts at i, 0 if there is none (RFC 3629: no overlong forms, no surrogates,
// nothing above U+10FFFF).
std::size_t character_length(std::string_view text, std::size_t i) {
    const unsigned first = byte_at(text, i);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || i + length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte_at(text, i + k) & 0xC0) != 0x80) return 0;
    }
    const unsigned second = byte_at(text, i + 1);
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second >= 0xA0;
    const bool too_high = first == 0xF4 && second >= 0x90;
    return overlong || surrogate || too_high ? 0 : length;
}

std::optional<Problem> problem_of_bytes(std::string_view text) {
    Locator locator(text);
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        if (length == 0) {
            return Problem{locator.at(i),
                           fmt::format("byte 0x{:02X} is not valid UTF-8; save the file as UTF-8", byte_at(text, i))};
        }
        if (text[i] == '\0') return Problem{locator.at(i), "a zero byte: this is not a text file"};
        i += length;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Problem> problem_of_text(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) {
        return Problem{{}, "the file starts with a byte-order mark; save it as UTF-8 without BOM"};
    }
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        return Problem{{}, "the file is UTF-16; save it as UTF-8"};
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return Problem{{}, "the file is empty"};
    return problem_of_bytes(text);
}

Place Locator::at(std::size_t offset) {
    for (; offset_ < offset && offset_ < text_.size(); ++offset_) {
        const bool continues = (byte_at(text_, offset_) & 0xC0) == 0x80;
        if (text_[offset_] == '\n') {
            place_ = {place_.line + 1, 1};
        } else if (!continues) {
            ++place_.column;
        }
    }
    return place_;
}

}  // namespace clangor::io
