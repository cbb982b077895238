#include <clangor/io/model/baked_file.hpp>

#include <clangor/io/file/file.hpp>

#include <algorithm>
#include <cstring>

namespace clangor::io {
namespace {

constexpr std::string_view seal = "clangor checksum";
constexpr std::size_t trailer_bytes = 24;

}  // namespace

std::vector<std::byte> sealed(std::vector<std::byte> image) {
    const std::uint64_t sum = checksum(image);
    const auto add = [&](std::span<const std::byte> bytes) { image.insert(image.end(), bytes.begin(), bytes.end()); };
    add(std::as_bytes(std::span(seal)));
    add(std::as_bytes(std::span(&sum, 1)));
    return image;
}

std::span<const std::byte> unsealed(std::span<const std::byte> bytes, const BakedKind& kind) {
    if (bytes.size() < trailer_bytes || std::memcmp(bytes.last(trailer_bytes).data(), seal.data(), seal.size()) != 0)
        throw Error(fmt::format("is no {}, or is cut short", kind.title));
    std::uint64_t sum = 0;
    std::memcpy(&sum, bytes.last(8).data(), 8);
    const std::span<const std::byte> image = bytes.first(bytes.size() - trailer_bytes);
    if (checksum(image) != sum) throw Error("is damaged (its checksum is wrong)");
    return image;
}

void describe(Hdf5Writer& file, const BakedKind& kind, const std::string& inputs_hash) {
    file.describe("format", kind.format);
    file.describe("schema_version", kind.version);
    file.describe("inputs_sha256", inputs_hash);
}

void require_kind(const Hdf5Reader& file, const BakedKind& kind) {
    if (file.description("format") != kind.format) throw Error(fmt::format("is an HDF5 file, but no {}", kind.title));
    const std::string version = file.description("schema_version");
    if (version != kind.version)
        throw Error(fmt::format("is of version {}, but this program reads version {}", version, kind.version));
}

void write_messages(Hdf5Writer& file, const std::vector<std::string>& messages) {
    file.write("messages", fmt::format("{}", fmt::join(messages, "\n")));
}

std::vector<std::string> read_messages(const Hdf5Reader& file) {
    const std::string text = file.text("messages");
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace clangor::io
