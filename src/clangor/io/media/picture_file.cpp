#include <clangor/io/media/picture_file.hpp>

#include <clangor/core/core.hpp>
#include <clangor/io/file/file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace clangor::io {
namespace {

using ByteVector = std::vector<std::byte>;

void append(ByteVector& bytes, std::string_view text) {
    for (const char letter : text) bytes.push_back(static_cast<std::byte>(letter));
}

void append(ByteVector& bytes, std::uint32_t value) {  // most significant byte first, as PNG has it
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(value >> shift & 0xff));
}

// The cyclic redundancy check of PNG (ISO 3309), bit by bit: pictures are small.
std::uint32_t crc_of(std::span<const std::byte> bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const std::byte byte : bytes) {
        crc ^= std::to_integer<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

void append_chunk(ByteVector& file, std::string_view type, std::span<const std::byte> content) {
    append(file, static_cast<std::uint32_t>(content.size()));
    const std::size_t start = file.size();
    append(file, type);
    file.insert(file.end(), content.begin(), content.end());
    append(file, crc_of(std::span(file).subspan(start)));
}

// A zlib stream of stored blocks (RFC 1950, 1951): at most 65535 bytes each, little-endian lengths.
ByteVector stored_stream(std::span<const std::byte> content) {
    ByteVector stream = {std::byte{0x78}, std::byte{0x01}};
    std::uint32_t a = 1, b = 0;
    for (std::size_t at = 0; at < content.size() || at == 0;) {
        const std::size_t size = std::min<std::size_t>(65535, content.size() - at);
        stream.push_back(std::byte{at + size == content.size()});
        for (const std::size_t word : {size, ~size}) {
            stream.push_back(static_cast<std::byte>(word & 0xff));
            stream.push_back(static_cast<std::byte>(word >> 8 & 0xff));
        }
        const auto block = content.subspan(at, size);
        stream.insert(stream.end(), block.begin(), block.end());
        for (const std::byte byte : block) {
            a = (a + std::to_integer<std::uint32_t>(byte)) % 65521;
            b = (b + a) % 65521;
        }
        at += size;
        if (size == 0) break;
    }
    append(stream, b << 16 | a);
    return stream;
}

}  // namespace

std::vector<std::byte> png_bytes(const Picture& picture) {
    const auto width = static_cast<std::size_t>(picture.width), height = static_cast<std::size_t>(picture.height);
    CLANGOR_ASSERT(picture.width > 0 && picture.height > 0 && picture.rgb.size() == 3 * width * height,
                   "three bytes for each pixel");
    ByteVector file = {std::byte{0x89}};
    append(file, "PNG\r\n\x1a\n");
    ByteVector header;
    append(header, static_cast<std::uint32_t>(width));
    append(header, static_cast<std::uint32_t>(height));
    for (const int byte : {8, 2, 0, 0, 0}) header.push_back(static_cast<std::byte>(byte));  // 8 bits, RGB
    append_chunk(file, "IHDR", header);
    ByteVector rows;
    for (std::size_t y = 0; y < height; ++y) {
        rows.push_back(std::byte{0});  // no filter
        for (std::size_t x = 0; x < 3 * width; ++x) rows.push_back(std::byte{picture.rgb[3 * width * y + x]});
    }
    append_chunk(file, "IDAT", stored_stream(rows));
    append_chunk(file, "IEND", {});
    return file;
}

void write_png(const std::filesystem::path& path, const Picture& picture) { write_file(path, png_bytes(picture)); }

std::array<std::uint8_t, 3> heat_colour(double value) {
    static constexpr std::array<std::array<double, 3>, 6> stops = {
        {{0, 0, 0}, {60, 15, 110}, {140, 35, 120}, {220, 75, 70}, {250, 155, 50}, {255, 250, 190}}};
    const double at = std::clamp(std::isfinite(value) ? value : 0.0, 0.0, 1.0) * (stops.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    std::array<std::uint8_t, 3> colour{};
    for (std::size_t c = 0; c < 3; ++c)
        colour[c] = static_cast<std::uint8_t>(
            std::lround(std::lerp(stops[low][c], stops[low + 1][c], at - static_cast<double>(low))));
    return colour;
}

}  // namespace clangor::io
