// What is around the numbers of a glTF: the two kinds of file, and the JSON in them.
#include <clangor/io/gltf/document.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>

namespace clangor::io::gltf {
namespace {

/// nlohmann's "[json.exception.parse_error.101] parse error at line 1, column 5: …" from where it gets useful; the rest
/// may quote raw bytes.
std::string reason(const Json::exception& error) {
    const std::string_view what = error.what();
    const std::size_t start = what.find("line "), end = what.find(':');
    return start < end && end != std::string_view::npos ? std::string(what.substr(start, end - start)) : "damaged text";
}

Json parsed(std::string_view text, const std::string& name) {
    constexpr int deepest = 64;  // a glTF needs about ten; unbounded nesting is an attack on memory
    const auto guard = [&](int depth, Json::parse_event_t, Json&) {
        if (depth > deepest)
            fail(name, "its JSON is nested more than {} deep; it is damaged: export it again", deepest);
        return true;
    };
    try {
        return Json::parse(text, guard);
    } catch (const Json::exception& error) {
        fail(name, "is not valid JSON ({}); export it again", reason(error));
    }
}

struct Chunks {
    Bytes json, numbers;
};

// "glTF", version, total length; then chunks of length, kind, content: one of JSON, and perhaps one of numbers.
Chunks chunks_of(Bytes bytes, const std::string& name) {
    const auto word = [&](std::size_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    if (bytes.size() < 20 || !text_of(bytes).starts_with("glTF")) {
        fail(name, "does not start as a .glb file does; it is truncated or damaged: export it again");
    }
    if (word(4) != 2) fail(name, "is version {} of .glb; export it as glTF 2.0", word(4));
    const auto chunk = [&](std::size_t at, std::uint32_t kind) -> Bytes {
        if (bytes.size() < at + 8 || word(at + 4) != kind) return {};
        if (word(at) > bytes.size() - at - 8) fail(name, "is truncated in the chunk at byte {}; export it again", at);
        return bytes.subspan(at + 8, word(at));
    };
    const Bytes json = chunk(12, 0x4E4F534A);
    if (json.empty()) fail(name, "has no JSON chunk; export it again");
    return {json, chunk(20 + (json.size() + 3) / 4 * 4, 0x004E4942)};
}

}  // namespace

void open_document(Bytes bytes, Container container, const std::string& name, const SiblingReader& sibling,
                   const std::function<void(const Document&)>& use) {
    const Chunks chunks = container == Container::Binary ? chunks_of(bytes, name) : Chunks{bytes, {}};
    const Json root = parsed(text_of(chunks.json), name);
    const Json* const asset = member(root, "asset");
    const Json* const version = asset ? member(*asset, "version") : nullptr;
    if (!version || !version->is_string() || !version->get_ref<const std::string&>().starts_with("2.")) {
        fail(name, "is not glTF 2.0 (asset.version should be \"2.0\"); export it as glTF 2.0");
    }
    use(Document{name, root, chunks.numbers, sibling});
}

std::vector<double> numbers(const Document& document, const Json& node, const char* key, std::size_t count) {
    const Json* const list = member(node, key);
    if (!list) return {};
    std::vector<double> values;
    for (const Json& item : list->is_array() ? *list : Json::array()) {
        if (item.is_number() && std::isfinite(item.get<double>())) values.push_back(item.get<double>());
    }
    if (!list->is_array() || list->size() != count || values.size() != count) {
        fail(document.name, "a node's \"{}\" should be {} numbers; export it again", key, count);
    }
    return values;
}

std::vector<std::uint64_t> indices(const Document& document, const Json& object, const char* key) {
    std::vector<std::uint64_t> result;
    const Json* const list = member(object, key);
    if (!list) return result;
    if (!list->is_array()) fail(document.name, "\"{}\" should be a list of numbers; export it again", key);
    for (const Json& item : *list) {
        if (!item.is_number_unsigned()) fail(document.name, "\"{}\" should be a list of numbers; export it again", key);
        result.push_back(item.get<std::uint64_t>());
    }
    return result;
}

std::size_t list_size(const Document& document, const char* list) {
    const Json* const entries = member(document.root, list);
    return entries && entries->is_array() ? entries->size() : 0;
}

}  // namespace clangor::io::gltf
