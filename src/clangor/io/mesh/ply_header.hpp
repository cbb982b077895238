// What the header of a PLY file promises about the rest.
#pragma once

#include <clangor/io/mesh/parsers.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io::ply {

enum class Scalar { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };
enum class Encoding { Text, LittleEndian, BigEndian };

constexpr std::size_t size_of(Scalar type) {
    constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<int>(type)];
}

struct Property {
    std::string name;
    Scalar type;
    std::optional<Scalar> list_count;  ///< for a list: the type of its length
};

struct Element {
    std::string name;
    std::uint64_t count;
    std::vector<Property> properties;
};

struct Header {
    Encoding encoding = Encoding::Text;
    std::vector<Element> elements;
    std::size_t size = 0;  ///< up to and including the line "end_header"
    long lines = 0;
};

/// Throws if it is not a PLY header.
Header parse_header(std::string_view text, const std::string& name);

}  // namespace clangor::io::ply
