#include <clangor/io/media/picture_file.hpp>

#include <doctest/doctest.h>

#include <string>

namespace picture_file_test {

using namespace clangor;

namespace {

std::string hex(const std::vector<std::byte>& bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
        text += "0123456789abcdef"[std::to_integer<int>(byte) >> 4];
        text += "0123456789abcdef"[std::to_integer<int>(byte) & 15];
    }
    return text;
}

}  // namespace

TEST_CASE("a red and a blue pixel are the PNG file that its specification describes") {
    // Written out by hand: chunks are length, name, content, CRC-32; the pixels are one stored block with their
    // Adler-32. Sums checked with Python's zlib.
    CHECK(hex(io::png_bytes({.width = 2, .height = 1, .rgb = {255, 0, 0, 0, 0, 255}})) ==
          "89504e470d0a1a0a"                                    // signature
          "0000000d49484452000000020000000108020000007b40e8dd"  // IHDR: 2 × 1 pixels, 8 bits, RGB
          // IDAT: one stored block of 7 bytes: no filter, red, blue
          "00000012494441547801010700f8ff00ff00000000ff070001ff5536bac70000000049454e44ae426082");
}

TEST_CASE("heat grows lighter all the way and ends at black and pale yellow") {
    int before = -1;
    for (int i = 0; i <= 100; ++i) {
        const auto [r, g, b] = io::heat_colour(i / 100.0);
        const int lightness = 30 * r + 59 * g + 11 * b;
        CHECK(lightness > before);
        before = lightness;
    }
    CHECK(io::heat_colour(-1) == std::array<std::uint8_t, 3>{0, 0, 0});
    CHECK(io::heat_colour(7) == io::heat_colour(1));
    CHECK(io::heat_colour(std::numeric_limits<double>::quiet_NaN()) == io::heat_colour(0));
}

}  // namespace picture_file_test
