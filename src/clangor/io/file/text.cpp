#include <clangor/io/file/text.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace clangor::io {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::optional<double> number_in(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || word.empty()) return std::nullopt;
    if (error == std::errc()) return value;
    if (error != std::errc::result_out_of_range) return std::nullopt;
    return std::strtod(std::string(word).c_str(), nullptr);  // tells 1e-999, which is 0, from 1e999
}

std::string printable(std::string_view word) {
    std::string shown;
    for (const char c : word.substr(0, 24)) shown += c >= ' ' && c <= '~' ? c : '?';
    return word.size() > 24 ? shown + "..." : shown;
}

std::string_view take_word(std::string_view& line) {
    std::size_t first = 0;
    while (first < line.size() && is_space(line[first])) ++first;
    std::size_t last = first;
    while (last < line.size() && !is_space(line[last])) ++last;
    const std::string_view word = line.substr(first, last - first);
    line.remove_prefix(last);
    return word;
}

std::string_view LineReader::take_line() {
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++taken_;
    return line;
}

bool LineReader::next(std::string_view& line) {
    if (rest_.empty()) return false;
    number_ = taken_ + 1;
    line = take_line();
    if (!joins_ || !line.ends_with('\\')) return true;
    joined_.clear();
    while (line.ends_with('\\') && !rest_.empty()) {
        joined_.append(line.substr(0, line.size() - 1)) += ' ';
        line = take_line();
    }
    joined_.append(line);
    line = joined_;
    return true;
}

WordReader::WordReader(std::string_view text, std::string name, long first_line)
    : at_(text.data()), end_(text.data() + text.size()), name_(std::move(name)), line_(first_line) {}

std::string_view WordReader::word() {
    while (at_ < end_ && is_space(*at_)) line_ += *at_++ == '\n';
    const char* const first = at_;
    while (at_ < end_ && !is_space(*at_)) ++at_;
    return {first, static_cast<std::size_t>(at_ - first)};
}

double WordReader::number() {
    const std::string_view text = word();
    if (text.empty()) fail(where(), "the file ends where a number should be; it is truncated: export the mesh again");
    const std::optional<double> value = number_in(text);
    if (!value) fail(where(), "\"{}\" should be a number", printable(text));
    if (!std::isfinite(*value)) fail(where(), "{} is not a finite number; export the mesh again", text);
    return *value;
}

void WordReader::skip_line() {
    while (at_ < end_ && *at_ != '\n') ++at_;
}

std::string WordReader::where() const { return at_line(name_, line_); }

}  // namespace clangor::io
