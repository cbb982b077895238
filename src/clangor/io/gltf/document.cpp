#include <clangor/io/gltf/document.hpp>

#include <clangor/io/file/file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace clangor::io::gltf {
namespace {

std::size_t size_of_component(int type) {
    switch (type) {
        case 5120:
        case 5121:
            return 1;
        case 5122:
        case 5123:
            return 2;
        case 5125:
        case 5126:
            return 4;
        default:
            return 0;
    }
}

template <class T>
double loaded_as(const std::byte* at, bool normalized) {
    T value;
    std::memcpy(&value, at, sizeof value);
    if (!normalized) return static_cast<double>(value);
    return std::max(static_cast<double>(value) / static_cast<double>(std::numeric_limits<T>::max()), -1.0);
}

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    if (c == '/' || c == '_') return 63;
    return -1;
}

std::vector<std::byte> base64(std::string_view text, const std::string& name) {
    while (text.ends_with('=')) text.remove_suffix(1);
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const int digit = base64_digit(c);
        if (digit < 0) fail(name, "a buffer's base64 text is damaged; export it again");
        bits = (bits << 6) | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<std::byte>(bits >> count & 0xFF));
    }
    return bytes;
}

}  // namespace

std::string percent_decoded(std::string_view uri) {
    std::string path;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        unsigned code = 0;
        const char* const digits = uri.data() + i + 1;
        const bool is_code = uri[i] == '%' && i + 2 < uri.size() &&
                             std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2 && code != 0;
        path += is_code ? static_cast<char>(code) : uri[i];
        if (is_code) i += 2;
    }
    return path;
}

const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

std::optional<std::uint64_t> whole(const Document& document, const Json& object, const char* key, std::uint64_t most) {
    const Json* const value = member(object, key);
    if (!value) return std::nullopt;
    if (value->is_number_unsigned() && value->get<std::uint64_t>() <= most) return value->get<std::uint64_t>();
    fail(document.name, "\"{}\" should be a whole number from 0 to {}; export it again", key, most);
}

const Json& entry(const Document& document, const char* list, std::uint64_t index) {
    const Json* const entries = member(document.root, list);
    const std::size_t count = entries && entries->is_array() ? entries->size() : 0;
    if (index >= count) {
        fail(document.name, "something refers to {}[{}], but there are {}; export it again", list, index, count);
    }
    return (*entries)[index];
}

double Accessor::value(std::size_t element, int component) const {
    const std::size_t size = size_of_component(component_type);
    const std::byte* const at = data + element * stride + component * size;
    switch (component_type) {
        case 5120:
            return loaded_as<std::int8_t>(at, normalized);
        case 5121:
            return loaded_as<std::uint8_t>(at, normalized);
        case 5122:
            return loaded_as<std::int16_t>(at, normalized);
        case 5123:
            return loaded_as<std::uint16_t>(at, normalized);
        case 5125:
            return loaded_as<std::uint32_t>(at, normalized);
        default:
            return loaded_as<float>(at, false);
    }
}

std::vector<std::byte> Buffers::loaded(const std::string& uri) const {
    if (uri.starts_with("data:")) {
        const std::size_t start = uri.find(";base64,");
        if (start == std::string::npos) fail(document_.name, "a buffer's data is not in base64; export it again");
        return base64(std::string_view(uri).substr(start + 8), document_.name);
    }
    if (uri.find("://") != std::string::npos || uri.starts_with('/') || uri.find('\0') != std::string::npos) {
        fail(document_.name, "a buffer is at \"{}\", but only files beside the glTF are read; export it as .glb",
             printable(uri));
    }
    return document_.sibling(percent_decoded(uri));
}

Bytes Buffers::buffer(std::uint64_t index) {
    const Json& buffer = entry(document_, "buffers", index);
    const Json* const uri = member(buffer, "uri");
    if (uri && !uri->is_string()) fail(document_.name, "buffers[{}].uri should be text; export it again", index);
    Bytes bytes = document_.glb_chunk;
    if (uri) {
        auto found = loaded_.find(index);
        if (found == loaded_.end()) found = loaded_.emplace(index, loaded(uri->get_ref<const std::string&>())).first;
        bytes = found->second;
    } else if (index != 0 || bytes.empty()) {
        fail(document_.name, "buffers[{}] has neither a uri nor a binary chunk; export it again", index);
    }
    const std::uint64_t promised = whole(document_, buffer, "byteLength", std::uint64_t(1) << 52).value_or(0);
    if (promised > bytes.size()) {
        fail(document_.name, "buffers[{}] promises {} bytes, but has {}; it is truncated: export it again", index,
             promised, bytes.size());
    }
    return bytes.first(promised);
}

Bytes Buffers::view(std::uint64_t index, std::size_t& stride) {
    const Json& view = entry(document_, "bufferViews", index);
    if (const Json* const extensions = member(view, "extensions");
        extensions && extensions->contains("EXT_meshopt_compression")) {
        fail(document_.name, "is compressed with meshopt, which is not read here; export it without compression");
    }
    const Bytes bytes = buffer(whole(document_, view, "buffer", 1u << 31).value_or(0));
    const std::uint64_t offset = whole(document_, view, "byteOffset", std::uint64_t(1) << 52).value_or(0);
    const std::uint64_t length = whole(document_, view, "byteLength", std::uint64_t(1) << 52).value_or(0);
    stride = whole(document_, view, "byteStride", 252).value_or(0);
    if (offset > bytes.size() || length > bytes.size() - offset) {
        fail(document_.name, "bufferViews[{}] reaches beyond its buffer of {} bytes; export it again", index,
             bytes.size());
    }
    return bytes.subspan(offset, length);
}

Accessor Buffers::accessor(std::uint64_t index, std::string_view type) {
    const Json& json = entry(document_, "accessors", index);
    const Json* const stated = member(json, "type");
    if (!stated || *stated != type)
        fail(document_.name, "accessors[{}] should be of type {}; export it again", index, type);
    if (member(json, "sparse"))
        fail(document_.name, "accessors[{}] is sparse, which is not read here; export it in full", index);
    const auto view_index = whole(document_, json, "bufferView", 1u << 31);
    if (!view_index) fail(document_.name, "accessors[{}] has no data; export it again (without compression)", index);

    Accessor accessor;
    const Bytes bytes = view(*view_index, accessor.stride);
    accessor.components = type == "VEC4" ? 4 : type == "VEC3" ? 3 : 1;
    accessor.component_type = static_cast<int>(whole(document_, json, "componentType", 10000).value_or(0));
    accessor.count = whole(document_, json, "count", std::numeric_limits<int>::max()).value_or(0);
    const Json* const normalized = member(json, "normalized");
    accessor.normalized = normalized && *normalized == true;
    const std::size_t component = size_of_component(accessor.component_type);
    if (component == 0) fail(document_.name, "accessors[{}] has an unknown componentType; export it again", index);
    const std::size_t element = component * static_cast<std::size_t>(accessor.components);
    if (accessor.stride == 0) accessor.stride = element;
    const std::uint64_t offset = whole(document_, json, "byteOffset", std::uint64_t(1) << 52).value_or(0);
    // count < 2³¹ and stride < 2⁸, so that no product here overflows.
    const std::uint64_t needed = accessor.count == 0 ? 0 : (accessor.count - 1) * accessor.stride + element;
    if (offset > bytes.size() || needed > bytes.size() - offset) {
        fail(document_.name, "accessors[{}] promises {} entries, which its {} bytes do not hold; export it again",
             index, accessor.count, bytes.size());
    }
    accessor.data = bytes.data() + offset;
    return accessor;
}

}  // namespace clangor::io::gltf
