#include <clangor/io/mesh/ply_header.hpp>

#include <clangor/io/file/file.hpp>

#include <charconv>

namespace clangor::io::ply {
namespace {

class HeaderParser {
public:
    HeaderParser(std::string_view text, const std::string& name)
        : name_(name), lines_(text, false), size_(text.size()) {}

    Header parse() {
        std::string_view line;
        lines_.next(line);
        if (take_word(line) != "ply")
            fail(name_, "does not start with \"ply\", so it is no PLY file; export the mesh again");
        while (lines_.next(line)) {
            const std::string_view keyword = take_word(line);
            if (keyword == "end_header") return finished();
            if (keyword == "format") read_format(line);
            if (keyword == "element") read_element(line);
            if (keyword == "property") read_property(line);
        }
        fail(name_, "the header has no \"end_header\"; the file is truncated: export the mesh again");
    }

private:
    std::string where() const { return at_line(name_, lines_.number()); }

    Header finished() {
        if (!has_format_) fail(name_, "the header names no format; export the mesh again");
        header_.size = size_ - lines_.rest().size();
        header_.lines = lines_.number();
        return header_;
    }

    void read_format(std::string_view line) {
        const std::string_view word = take_word(line);
        if (word == "ascii")
            header_.encoding = Encoding::Text;
        else if (word == "binary_little_endian")
            header_.encoding = Encoding::LittleEndian;
        else if (word == "binary_big_endian")
            header_.encoding = Encoding::BigEndian;
        else
            fail(where(), "\"{}\" is no PLY format; use ascii or binary_little_endian", printable(word));
        has_format_ = true;
    }

    void read_element(std::string_view line) {
        const std::string_view element = take_word(line), word = take_word(line);
        std::uint64_t count = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
        if (error != std::errc() || end != word.data() + word.size()) {
            fail(where(), "\"{}\" should be how many of \"{}\" there are", printable(word), printable(element));
        }
        header_.elements.push_back({std::string(element), count, {}});
    }

    void read_property(std::string_view line) {
        if (header_.elements.empty()) fail(where(), "a property stands before any element; export the mesh again");
        std::string_view word = take_word(line);
        Property property;
        if (word == "list") {
            property.list_count = scalar(take_word(line));
            word = take_word(line);
        }
        property.type = scalar(word);
        property.name = take_word(line);
        header_.elements.back().properties.push_back(property);
    }

    Scalar scalar(std::string_view word) const {
        constexpr std::pair<std::string_view, Scalar> names[] = {
            {"char", Scalar::Int8},      {"int8", Scalar::Int8},       {"uchar", Scalar::UInt8},
            {"uint8", Scalar::UInt8},    {"short", Scalar::Int16},     {"int16", Scalar::Int16},
            {"ushort", Scalar::UInt16},  {"uint16", Scalar::UInt16},   {"int", Scalar::Int32},
            {"int32", Scalar::Int32},    {"uint", Scalar::UInt32},     {"uint32", Scalar::UInt32},
            {"float", Scalar::Float32},  {"float32", Scalar::Float32}, {"double", Scalar::Float64},
            {"float64", Scalar::Float64}};
        for (const auto& [known, type] : names) {
            if (word == known) return type;
        }
        fail(where(), "\"{}\" is no PLY type; export the mesh again", printable(word));
    }

    const std::string& name_;
    LineReader lines_;
    std::size_t size_;
    Header header_;
    bool has_format_ = false;
};

}  // namespace

Header parse_header(std::string_view text, const std::string& name) { return HeaderParser(text, name).parse(); }

}  // namespace clangor::io::ply
