// Numbers and words of text formats, without streams: one pass over the bytes.
#pragma once

#include <clangor/core/core.hpp>

#include <fmt/core.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace clangor::io {

using Bytes = std::span<const std::byte>;

inline std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

template <class... Args>
[[noreturn]] void fail(const std::string& where, fmt::format_string<Args...> message, Args&&... args) {
    throw Error(where + ": " + fmt::format(message, std::forward<Args>(args)...));
}

/// "cup.obj:12"
inline std::string at_line(const std::string& name, long line) { return fmt::format("{}:{}", name, line); }

/// The whole word as a number, or nothing. Infinities and NaN are numbers here: the caller says where they stood.
std::optional<double> number_in(std::string_view word);

/// A word of a damaged file, short and safe to show in a message.
std::string printable(std::string_view word);

/// Takes the next word from the front of a line; empty if there is none.
std::string_view take_word(std::string_view& line);

/// The lines of a text, with "\n" or "\r\n" endings. `joins` glues a line that ends in a backslash to the next.
class LineReader {
public:
    LineReader(std::string_view text, bool joins) : rest_(text), joins_(joins) {}

    /// False at the end of the text. The line is valid until the next call.
    bool next(std::string_view& line);
    long number() const { return number_; }  ///< of the current line, from 1; the first of those joined
    std::string_view rest() const { return rest_; }

private:
    std::string_view take_line();

    std::string_view rest_;
    std::string joined_;
    bool joins_;
    long number_ = 0, taken_ = 0;
};

/// The words of a text, whatever line they stand on.
class WordReader {
public:
    WordReader(std::string_view text, std::string name, long first_line = 1);

    std::string_view word();  ///< empty at the end
    double number();          ///< throws if the next word is none, or not finite
    void skip_line();
    std::string where() const;  ///< "cup.stl:12"
    std::size_t bytes_left() const { return end_ - at_; }

private:
    const char* at_;
    const char* end_;
    std::string name_;
    long line_;
};

}  // namespace clangor::io
