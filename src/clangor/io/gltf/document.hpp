// The numbers behind a glTF: buffers, and the accessors that look into them. Nothing in the file is trusted.
#pragma once

#include <clangor/io/file/file.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

/// Gives the content of a file that a glTF names, by its path relative to the glTF.
using SiblingReader = std::function<std::vector<std::byte>(const std::string& relative)>;

/// The files beside a .gltf or .glb that hold its numbers and pictures; none for any other file, nor for a damaged one.
std::vector<std::filesystem::path> buffers_beside(const std::filesystem::path& path);

}  // namespace clangor::io

namespace clangor::io::gltf {

using Json = nlohmann::json;

/// A glTF document, with where to find its buffers.
struct Document {
    const std::string& name;
    const Json& root;
    Bytes glb_chunk;  ///< the binary chunk of a .glb; empty otherwise
    const SiblingReader& sibling;
};

enum class Container { Text, Binary };  ///< .gltf, .glb

/// Reads what is around the numbers and hands the document to `use`, for whose duration it lives. Throws Error where
/// the bytes are no glTF 2.0.
void open_document(Bytes bytes, Container container, const std::string& name, const SiblingReader& sibling,
                   const std::function<void(const Document&)>& use);

/// A node's member that is a list of `count` finite numbers; empty if it is missing. Throws for anything else.
std::vector<double> numbers(const Document& document, const Json& node, const char* key, std::size_t count);

/// A member that is a list of whole numbers; empty if it is missing. Throws for anything else.
std::vector<std::uint64_t> indices(const Document& document, const Json& object, const char* key);

/// How many entries root[list] has.
std::size_t list_size(const Document& document, const char* list);

/// A member that is a whole number in [0, most]; nothing if it is missing. Throws for anything else.
std::optional<std::uint64_t> whole(const Document& document, const Json& object, const char* key, std::uint64_t most);

/// root[list][index]; throws if there is no such entry.
const Json& entry(const Document& document, const char* list, std::uint64_t index);

/// "my%20cup.bin" → "my cup.bin"
std::string percent_decoded(std::string_view uri);

/// The member of an object, or nothing.
const Json* member(const Json& object, const char* key);

/// A checked view of `count` elements: element i starts at data + i·stride, and all of them lie inside the buffer.
struct Accessor {
    const std::byte* data = nullptr;
    std::size_t count = 0, stride = 0;
    int component_type = 0;   ///< 5120…5126, glTF's numbers for the types
    int components = 0;       ///< 1 for SCALAR, 3 for VEC3, 4 for VEC4
    bool normalized = false;  ///< integers stand for [−1, 1] or [0, 1]

    double value(std::size_t element, int component) const;
};

/// Loads each buffer once.
class Buffers {
public:
    explicit Buffers(const Document& document) : document_(document) {}
    Accessor accessor(std::uint64_t index, std::string_view type);

private:
    Bytes buffer(std::uint64_t index);
    Bytes view(std::uint64_t index, std::size_t& stride);
    std::vector<std::byte> loaded(const std::string& uri) const;

    const Document& document_;
    std::map<std::uint64_t, std::vector<std::byte>> loaded_;
};

}  // namespace clangor::io::gltf
