// Which other files a glTF is made of.
#include <clangor/io/file/file.hpp>
#include <clangor/io/gltf/document.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace clangor::io {
namespace {

namespace fs = std::filesystem;

bool is_gltf(const fs::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending == ".gltf" || ending == ".glb";
}

}  // namespace

std::vector<fs::path> buffers_beside(const fs::path& path) {
    if (!is_gltf(path)) return {};
    std::vector<fs::path> files;
    const auto collect = [&](const gltf::Document& document) {
        for (const char* list : {"buffers", "images"})
            for (std::size_t i = 0; i < gltf::list_size(document, list); ++i) {
                const gltf::Json* const uri = gltf::member(gltf::entry(document, list, i), "uri");
                if (!uri || !uri->is_string()) continue;
                const std::string& text = uri->get_ref<const std::string&>();
                if (!text.starts_with("data:")) files.push_back(path.parent_path() / gltf::percent_decoded(text));
            }
    };
    try {
        const std::vector<std::byte> bytes = read_bytes(path);
        const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                                     std::min<std::size_t>(bytes.size(), 4));
        const SiblingReader none = [](const std::string&) { return std::vector<std::byte>(); };
        gltf::open_document(bytes, start == "glTF" ? gltf::Container::Binary : gltf::Container::Text, path.string(),
                            none, collect);
    } catch (const Error&) {
        return {};  // whoever reads the mesh or the motion says what is wrong with it
    }
    return files;
}

}  // namespace clangor::io
