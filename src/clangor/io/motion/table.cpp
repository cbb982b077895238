#include <clangor/io/motion/table.hpp>

#include <fmt/format.h>
#include <clangor/io/file/file.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor::io {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A tab or a semicolon is hardly ever part of a name; a comma may stand in a unit or a quoted name.
char separator_in(std::string_view line) {
    if (line.find('\t') != std::string_view::npos) return '\t';
    return line.find(';') != std::string_view::npos ? ';' : ',';
}

// The hint for a misspelt column: the nearest known one, or all.
std::string column_hint(const std::string& name, std::span<const ColumnKind> known) {
    std::vector<std::string> names;
    for (const ColumnKind& kind : known) names.emplace_back(kind.name);
    if (const std::optional<std::string> nearest = nearest_name(name, names)) {
        return fmt::format("did you mean \"{}\"?", *nearest);
    }
    return fmt::format("known: {}; put an underscore before the name to have it skipped", fmt::join(names, ", "));
}

}  // namespace

std::string text_of_table(const std::filesystem::path& path, std::string_view what) {
    const std::string ending = tidy(path.extension().string());
    if (ending != ".csv" && ending != ".tsv" && ending != ".txt")
        fail(path.string(), "is no {} that is known here; use .csv, .tsv, .txt or .h5", what);
    return read_text_file(path, largest_table);
}

TableReader::TableReader(std::string_view text, std::string name, std::span<const ColumnKind> known)
    : name_(std::move(name)), lines_(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text, false) {
    std::string_view line;
    while (lines_.next(line)) {  // leaves the first line that is neither blank nor a comment, or the last
        line = trimmed(line);
        if (line.starts_with('#')) read_comment(units_, line, where());
        if (!line.empty() && !line.starts_with('#')) break;
    }
    if (!line.empty() && !line.starts_with('#'))
        read_header(line, known);
    else
        fail(name_, "holds no line of column names; write one, such as time,x,y,z");
}

void TableReader::read_header(std::string_view line, std::span<const ColumnKind> known) {
    header_line_ = lines_.number();
    separator_ = separator_in(line);
    split(line);
    if (!cells_.empty() && number_in(cells_[0])) {
        fail(where(), "a line of column names should stand before the numbers, such as time,x,y,z");
    }
    for (const std::string_view header : cells_) {
        const Column column = column_of(header, known);
        if (!column.name.empty() && has(column.name)) fail(where(), "the column \"{}\" is there twice", column.name);
        columns_.push_back(column);
    }
    while (!columns_.empty() && columns_.back().name.empty() && cells_[columns_.size() - 1].empty())
        columns_.pop_back();
}

// "X [cm]" → x, in centimetres. Without a unit, those of the comments hold.
TableReader::Column TableReader::column_of(std::string_view header, std::span<const ColumnKind> known) const {
    const std::size_t bracket = header.find_first_of("[(");
    const std::string name = tidy(header.substr(0, bracket));
    if (name.empty() || name.starts_with('_')) return {};
    const auto found = std::ranges::find_if(
        known, [&](const ColumnKind& kind) { return kind.name == name || (!kind.also.empty() && kind.also == name); });
    if (found == known.end()) fail(where(), "unknown column \"{}\"; {}", printable(name), column_hint(name, known));
    if (bracket == std::string_view::npos) return {found->name, default_factor(found->quantity)};
    std::string_view unit = header.substr(bracket + 1);
    unit = unit.substr(0, unit.find_first_of("])"));
    return {found->name, factor_of(unit, found->quantity, where())};
}

double TableReader::default_factor(Quantity quantity) const {
    if (quantity == Quantity::Length || quantity == Quantity::Speed) return units_.length;
    return quantity == Quantity::Time ? units_.time : 1;
}

int TableReader::index_of(std::string_view column) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i].name == column) return static_cast<int>(i);
    }
    return -1;
}

void TableReader::require(std::span<const std::string_view> columns) const {
    for (const std::string_view column : columns) {
        if (!has(column)) fail(where_header(), "the column \"{}\" is missing", column);
    }
}

bool TableReader::has_all(std::span<const std::string_view> columns) const {
    const auto count = std::ranges::count_if(columns, [&](std::string_view column) { return has(column); });
    if (count > 0) require(columns);
    return count > 0;
}

bool TableReader::next() {
    std::string_view line;
    while (lines_.next(line)) {
        const std::string_view content = trimmed(line);
        if (content.empty() || content.starts_with('#')) continue;
        split(separator_ == '\t' ? line : content);
        while (cells_.size() > columns_.size() && cells_.back().empty()) cells_.pop_back();
        if (cells_.size() != columns_.size()) {
            fail(where(), "has {} cells, but there are {} columns", cells_.size(), columns_.size());
        }
        return true;
    }
    return false;
}

void TableReader::split(std::string_view line) {
    cells_.clear();
    unquoted_.clear();
    unquoted_.reserve(std::ranges::count(line, '"'));  // so that no view into it moves
    while (true) {
        const std::size_t first = std::min(line.find_first_not_of(" "), line.size());
        if (line.substr(first).starts_with('"')) {
            std::string& cell = unquoted_.emplace_back();
            std::size_t at = first + 1;
            for (; at < line.size(); ++at) {
                if (line[at] == '"' && !(at + 1 < line.size() && line[++at] == '"')) break;
                cell += line[at];
            }
            cells_.push_back(cell);
            const std::size_t end = line.find(separator_, std::min(at, line.size()));
            if (end == std::string_view::npos) return;
            line.remove_prefix(end + 1);
            continue;
        }
        const std::size_t end = line.find(separator_);
        cells_.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos) return;
        line.remove_prefix(end + 1);
    }
}

std::string_view TableReader::text(std::string_view column) const {
    const int index = index_of(column);
    return index < 0 ? std::string_view() : cells_[index];
}

double TableReader::number(std::string_view column) const {
    const std::string_view cell = text(column);
    if (cell.empty()) fail(where(), "{} is empty; write a number", column);
    const std::optional<double> value = number_in(cell);
    if (!value) {
        const bool comma = cell.find(',') != std::string_view::npos;
        fail(where(), "{} should be a number, but is \"{}\"{}", column, printable(cell),
             comma ? "; write a point instead of the decimal comma" : "");
    }
    if (!std::isfinite(*value)) fail(where(), "{} is {}, which is not finite; export the motion again", column, *value);
    return *value * columns_[index_of(column)].factor;
}

}  // namespace clangor::io
