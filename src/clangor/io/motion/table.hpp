// Tables as other programs write them: comments that may state units, a line of column names, then rows.
//
// Commas, semicolons or tabs; quotation marks, blank lines, a byte-order mark and Windows line ends are all right.
#pragma once

#include <clangor/io/file/file.hpp>
#include <clangor/io/motion/units.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

/// The largest file of motion that is read [bytes].
inline constexpr std::size_t largest_table = std::size_t(4) << 30;

/// Its text; throws Error where the ending of its name is that of no table. `what` stands in the message.
std::string text_of_table(const std::filesystem::path& path, std::string_view what);

/// A column that a table may have.
struct ColumnKind {
    std::string_view name;
    Quantity quantity;
    std::string_view also = {};  ///< another name for the same
};

/// Reads row after row. Cells are valid until the next row; `text` must outlive the reader.
class TableReader {
public:
    /// Reads up to the line of names. Throws Error with file and line where that is missing or names a column that is
    /// not known; one that starts with an underscore is skipped.
    TableReader(std::string_view text, std::string name, std::span<const ColumnKind> known);

    const MotionUnits& units() const { return units_; }
    bool has(std::string_view column) const { return index_of(column) >= 0; }

    /// Throws Error unless all of these columns are there.
    void require(std::span<const std::string_view> columns) const;
    /// True if all are there, false if none is; throws Error for a part of them.
    bool has_all(std::span<const std::string_view> columns) const;

    bool next();  ///< false at the end of the text
    std::string_view text(std::string_view column) const;
    bool empty(std::string_view column) const { return text(column).empty(); }
    double number(std::string_view column) const;  ///< finite, in SI units (angles in degrees), or throws
    std::string where() const { return at_line(name_, lines_.number()); }
    std::string where_header() const { return at_line(name_, header_line_); }

private:
    struct Column {
        std::string_view name;  ///< one of the known
        double factor = 1;
    };
    void read_header(std::string_view line, std::span<const ColumnKind> known);
    Column column_of(std::string_view header, std::span<const ColumnKind> known) const;
    double default_factor(Quantity quantity) const;
    int index_of(std::string_view column) const;
    void split(std::string_view line);

    std::string name_;
    LineReader lines_;
    long header_line_ = 0;
    char separator_ = ',';
    MotionUnits units_;
    std::vector<Column> columns_;
    std::vector<std::string_view> cells_;
    std::vector<std::string> unquoted_;  ///< cells whose doubled quotation marks had to be undone
};

}  // namespace clangor::io
