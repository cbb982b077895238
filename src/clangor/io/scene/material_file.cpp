#include <fmt/format.h>
#include <clangor/io/scene/material_file.hpp>
#include <clangor/io/scene/reader.hpp>

namespace clangor::io {

Material parse_material(std::string_view text) {
    Material material;
    SceneReader reader({});
    if (text.find_first_not_of(" \t\r\n") != std::string_view::npos && text[text.find_first_not_of(" \t\r\n")] == '{') {
        const JsonDocument document = parse_json(text);
        throw_if_any("material", document.problems);
        reader.read_material(document.root, material);
        throw_if_any("material", reader.problems());
    } else {
        reader.read_material(Json{{}, std::string(text)}, material);
        if (!reader.problems().empty()) throw Error(fmt::format("material: {}", reader.problems().front().message));
    }
    if (material.name.empty()) material.name = "custom";
    return material;
}

}  // namespace clangor::io
