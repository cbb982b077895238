// Values of a scene that may be files: meshes, materials, and motion.
#include <fmt/format.h>
#include <clangor/io/file/file.hpp>
#include <clangor/io/scene/reader.hpp>

#include <algorithm>
#include <fstream>

namespace clangor::io {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> shape_names() {
    std::vector<std::string> names;
    for (Shape shape : every_shape()) names.push_back(shape_record(shape).name);
    return names;
}

bool looks_like_a_file(const std::string& name) {
    return name.ends_with(".json") || name.find_first_of("/\\") != std::string::npos;
}

// Names come from JSON and are UTF-8, whatever the system's own encoding is.
fs::path path_of(const std::string& utf8) { return {std::u8string(utf8.begin(), utf8.end())}; }

Material named(Material material, const std::string& name) {
    if (material.name.empty()) material.name = name;
    return material;
}

// Empty if the file can be opened.
std::string problem_of_file(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return "does not exist";
    if (!fs::is_regular_file(status)) return "is not a file";
    return std::ifstream(path).good() ? "" : "cannot be read; check its permissions";
}

}  // namespace

// "shot.glb#Cup" is a part of shot.glb, unless a file is really called so.
void SceneReader::note_file(const fs::path& path) {
    const std::string name = path.string();
    std::error_code error;
    const bool is_part = !fs::exists(path, error) && name.find('#') != std::string::npos;
    files_.push_back(is_part ? fs::path(name.substr(0, name.rfind('#'))) : path);
}

void SceneReader::read_mesh(const Json& json, scene::MeshSource& target) {
    if (const std::string* const name = std::get_if<std::string>(&json.value))
        return read_mesh_file(*name, json.at, target);
    if (const JsonObject* const shape = std::get_if<JsonObject>(&json.value))
        return read_shape(*shape, json.at, target);
    complain(json.at,
             fmt::format("must be a file name or a shape such as {{\"bowl\": {{}}}}, but is {}", kind_of(json)));
}

void SceneReader::read_shape(const JsonObject& object, Place at, scene::MeshSource& target) {
    const std::vector<std::string> names = shape_names();
    if (object.size() != 1) {
        return complain(at, fmt::format("must hold exactly one shape, but holds {}; known: {}", object.size(),
                                        fmt::join(names, ", ")));
    }
    const JsonMember& member = object.front();
    const auto found = std::ranges::find(names, member.key);
    if (found == names.end()) {
        return complain(member.at,
                        fmt::format("unknown shape \"{}\"; {}", excerpt(member.key), suggestion(member.key, names)));
    }
    Shape shape = every_shape()[found - names.begin()];
    context_.push_back(member.key);
    read(shape_record(shape), member.value);
    context_.pop_back();
    target = shape;
}

void SceneReader::read_mesh_file(const std::string& name, Place at, scene::MeshSource& target) {
    if (name.empty()) return complain(at, "the file name is empty");
    if (name.find('\0') != std::string::npos) return complain(at, "the file name holds a zero byte");
    const fs::path path = surroundings_.folder / path_of(name);
    const fs::path in_file = file_part(path).file;
    const std::string problem = surroundings_.files ? problem_of_file(in_file) : "";
    if (problem.empty()) {
        note_file(path);
        target = path;
        return;
    }
    const std::vector<std::string> shapes = shape_names();
    const bool shape = std::ranges::find(shapes, name) != shapes.end();
    const std::string hint = shape ? fmt::format("; for the shape, write {{\"{}\": {{}}}}", name) : "";
    complain(at, fmt::format("file {} {}{}", excerpt(in_file.string()), problem, hint));
}

void SceneReader::read_material(const Json& json, Material& target, const NamedMaterial& named) {
    if (const std::string* const name = std::get_if<std::string>(&json.value)) {
        return read_named_material(*name, json.at, target, named);
    }
    if (!std::holds_alternative<JsonObject>(json.value)) {
        return complain(json.at, fmt::format("must be a name, a file name or an object, but is {}", kind_of(json)));
    }
    Material material;
    const std::size_t before = problems_.size();
    read(material_record(material), json);
    if (problems_.size() > before) return;
    target = material;
}

void SceneReader::read_named_material(const std::string& name, Place at, Material& target, const NamedMaterial& named) {
    if (const auto own = own_materials_.find(name); own != own_materials_.end()) {
        target = own->second;
        return;
    }
    if (const std::optional<Material> built_in = named(name)) {
        target = *built_in;
        return;
    }
    if (looks_like_a_file(name)) return read_material_file(name, at, target);
    std::vector<std::string> known;
    for (const auto& [own, material] : own_materials_) known.push_back(own);
    for (const Material& material : material_library()) known.push_back(material.name);
    const std::vector<std::string> family = materials_of_family(name);
    const std::optional<std::string> nearest = nearest_name(name, known);
    const std::string meant = !family.empty() ? listed(family, "or") : nearest ? fmt::format("\"{}\"", *nearest) : "";
    complain(at, fmt::format("unknown material \"{}\"; {}`clangor materials` lists them all", excerpt(name),
                             meant.empty() ? "" : fmt::format("did you mean {}? ", meant)));
}

void SceneReader::read_material_file(const std::string& name, Place at, Material& target) {
    if (!surroundings_.files) return complain(at, "files cannot be named here");
    if (name.find('\0') != std::string::npos) return complain(at, "the file name holds a zero byte");
    const fs::path path = surroundings_.folder / path_of(name);
    try {
        if (const std::string problem = problem_of_file(path); !problem.empty()) {
            return complain(at, fmt::format("file {} {}", excerpt(path.string()), problem));
        }
        note_file(path);
        const JsonDocument document = parse_json(read_text_file(path, largest_material));
        throw_if_any(path.string(), document.problems);
        Material material;
        SceneReader reader({.files = false});  // a material file names no other file
        reader.read_material(document.root, material);
        throw_if_any(path.string(), reader.problems());
        target = named(std::move(material), path.stem().string());
    } catch (const Error& error) {
        complain(at, error.what());
    }
}

void SceneReader::fill(const Field& field, const MeshField& mesh, const Json& json) {
    context_.push_back(field.key);
    read_mesh(json, *mesh.target);
    context_.pop_back();
}

void SceneReader::fill(const Field& field, const FileField& file, const Json& json) {
    const std::string* const name = text_of(field, json);
    if (!name) return;
    if (name->empty()) return complain(json.at, fmt::format("{}: the file name is empty", field.key));
    if (name->find('\0') != std::string::npos) {
        return complain(json.at, fmt::format("{}: the file name holds a zero byte", field.key));
    }
    const fs::path path = surroundings_.folder / path_of(*name);
    const fs::path in_file = file.part ? surroundings_.folder / path_of(name->substr(0, name->rfind('#'))) : path;
    const std::string problem = surroundings_.files && !problem_of_file(path).empty() ? problem_of_file(in_file) : "";
    if (!problem.empty()) {
        return complain(json.at, fmt::format("{}: file {} {}", field.key, excerpt(in_file.string()), problem));
    }
    note_file(path);
    *file.target = path;
}

void SceneReader::fill(const Field& field, const MaterialField& material, const Json& json) {
    context_.push_back(field.key);
    read_material(json, *material.target, material.named);
    *material.target = named(std::move(*material.target), "custom");
    context_.pop_back();
}

void SceneReader::fill(const Field& field, const MaterialTableField&, const Json& json) {
    const JsonObject* const table = std::get_if<JsonObject>(&json.value);
    if (!table) return complain(json.at, fmt::format("{} must be an object, but is {}", field.key, kind_of(json)));
    for (const JsonMember& member : *table) {
        context_.push_back(fmt::format("material \"{}\"", excerpt(member.key)));
        Material material;
        read_material(member.value, material);
        own_materials_[member.key] = named(std::move(material), member.key);
        context_.pop_back();
    }
}

}  // namespace clangor::io
