#include <clangor/io/file/hash.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace clangor::io {
namespace {

// The constants are the first 32 bits of the fractional parts of the cube roots of the first 64 primes [FIPS180,
// §4.2.2]. Deriving them costs microseconds once and cannot be mistyped: a root needs 3 + 32 bits, and a long double
// has 53 or more.
std::array<std::uint32_t, 64> round_constants() {
    std::array<std::uint32_t, 64> constants{};
    std::size_t found = 0;
    for (unsigned candidate = 2; found < constants.size(); ++candidate) {
        bool prime = true;
        for (unsigned d = 2; d * d <= candidate; ++d) prime = prime && candidate % d != 0;
        if (!prime) continue;
        const long double root = std::cbrt(static_cast<long double>(candidate));
        constants[found++] = static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
    }
    return constants;
}

std::uint32_t big_endian(const std::byte* bytes) {
    return std::to_integer<std::uint32_t>(bytes[0]) << 24 | std::to_integer<std::uint32_t>(bytes[1]) << 16 |
           std::to_integer<std::uint32_t>(bytes[2]) << 8 | std::to_integer<std::uint32_t>(bytes[3]);
}

}  // namespace

// [FIPS180, §6.2.2]
void Sha256::compress(const std::byte* block) {
    static const std::array<std::uint32_t, 64> K = round_constants();
    using std::rotr;
    std::array<std::uint32_t, 64> W;
    for (int t = 0; t < 16; ++t) W[t] = big_endian(block + 4 * t);
    for (int t = 16; t < 64; ++t) {
        const std::uint32_t s0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ (W[t - 15] >> 3);
        const std::uint32_t s1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ (W[t - 2] >> 10);
        W[t] = s1 + W[t - 7] + s0 + W[t - 16];
    }
    auto [a, b, c, d, e, f, g, h] = state_;
    for (int t = 0; t < 64; ++t) {
        const std::uint32_t S1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
        const std::uint32_t T1 = h + S1 + ((e & f) ^ (~e & g)) + K[t] + W[t];
        const std::uint32_t S0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
        const std::uint32_t T2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + T2;
    }
    const std::array<std::uint32_t, 8> added = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i) state_[i] += added[i];
}

void Sha256::update(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const std::size_t used = length_ % 64;
        const std::size_t taken = std::min(bytes.size(), 64 - used);
        std::copy_n(bytes.begin(), taken, block_.begin() + static_cast<long>(used));
        length_ += taken;
        bytes = bytes.subspan(taken);
        if (length_ % 64 == 0) compress(block_.data());
    }
}

std::string Sha256::hex() const {
    Sha256 padded = *this;  // a one bit, zeros, and the length in bits fill the last block [FIPS180, §5.1.1]
    std::vector<std::byte> padding(1 + (119 - length_ % 64) % 64 + 8, std::byte{0});
    padding[0] = std::byte{0x80};
    for (int i = 0; i < 8; ++i) padding[padding.size() - 1 - i] = std::byte(length_ * 8 >> 8 * i & 0xff);
    padded.update(padding);
    std::string text;
    for (const std::uint32_t word : padded.state_) text += fmt::format("{:08x}", word);
    return text;
}

// Four independent multiply-and-rotate chains over 32 bytes at a time, so that multiplications overlap.
std::uint64_t checksum(std::span<const std::byte> bytes) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2⁶⁴/golden ratio: odd, its bits well mixed
    std::array<std::uint64_t, 4> lanes = {odd, 2 * odd, 3 * odd, 4 * odd + bytes.size()};
    const auto mix = [](std::uint64_t lane, std::uint64_t word) { return std::rotl(lane ^ word * odd, 31) * odd; };
    std::size_t at = 0;
    for (; at + 32 <= bytes.size(); at += 32)
        for (std::size_t lane = 0; lane < 4; ++lane) {
            std::uint64_t word;
            std::memcpy(&word, bytes.data() + at + 8 * lane, 8);
            lanes[lane] = mix(lanes[lane], word);
        }
    for (; at < bytes.size(); ++at) lanes[at % 4] = mix(lanes[at % 4], std::to_integer<std::uint64_t>(bytes[at]) + 1);
    std::uint64_t sum = 0;
    for (const std::uint64_t lane : lanes) sum = mix(sum, lane ^ lane >> 29);
    return sum ^ sum >> 32;
}

void Fingerprint::begin(std::string_view label, char kind, std::uint64_t rows, std::uint64_t columns) {
    const std::string header = fmt::format("{}:{}{}:{}x{}\n", label.size(), label, kind, rows, columns);
    hash_.update(std::as_bytes(std::span(header)));
}

Fingerprint& Fingerprint::add(std::string_view label, double value) {
    begin(label, 'd', 1, 1);
    const double plain = value + 0.0;  // −0 and 0 are the same input
    hash_.update(std::as_bytes(std::span(&plain, 1)));
    return *this;
}

Fingerprint& Fingerprint::add(std::string_view label, std::string_view text) {
    begin(label, 't', text.size(), 1);
    hash_.update(std::as_bytes(std::span(text)));
    return *this;
}

Fingerprint& Fingerprint::add(std::string_view label, std::span<const double> values) {
    begin(label, 'v', values.size(), 1);
    std::vector<double> plain(values.begin(), values.end());
    for (double& value : plain) value += 0.0;
    hash_.update(std::as_bytes(std::span(plain)));
    return *this;
}

Fingerprint& Fingerprint::add(std::string_view label, const Points& points) {
    begin(label, 'p', points.rows(), 3);
    const Points plain = points.array() + 0.0;
    hash_.update(std::as_bytes(std::span(plain.data(), plain.size())));
    return *this;
}

Fingerprint& Fingerprint::add(std::string_view label, const Triangles& indices) { return add(label, Cells(indices)); }

Fingerprint& Fingerprint::add(std::string_view label, const Cells& indices) {
    begin(label, 'i', indices.rows(), indices.cols());
    hash_.update(std::as_bytes(std::span(indices.data(), indices.size())));
    return *this;
}

}  // namespace clangor::io
