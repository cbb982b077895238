// Hashes: one that names content, one that notices damage.
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clangor::io {

/// SHA-256 [FIPS180], fed piece by piece.
class Sha256 {
public:
    void update(std::span<const std::byte> bytes);
    std::string hex() const;  ///< of all that was fed so far: 64 lower-case digits

private:
    void compress(const std::byte* block);

    std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, 64> block_{};
    std::uint64_t length_ = 0;
};

/// Notices accidental damage, 20 times as fast as SHA-256. Anyone can forge it.
std::uint64_t checksum(std::span<const std::byte> bytes);

/// Names a set of inputs. Every value goes in with its label, its kind and its length, so that two different sets never
/// make the same bytes.
class Fingerprint {
public:
    Fingerprint& add(std::string_view label, double value);
    Fingerprint& add(std::string_view label, std::string_view text);
    Fingerprint& add(std::string_view label, std::span<const double> values);
    Fingerprint& add(std::string_view label, const Points& points);
    Fingerprint& add(std::string_view label, const Triangles& indices);
    Fingerprint& add(std::string_view label, const Cells& indices);
    std::string hex() const { return hash_.hex(); }

private:
    void begin(std::string_view label, char kind, std::uint64_t rows, std::uint64_t columns);

    Sha256 hash_;
};

}  // namespace clangor::io
