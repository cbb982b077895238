#include <fmt/format.h>
#include <clangor/io/gltf/gltf.hpp>
#include <clangor/io/scene/reader.hpp>
#include <clangor/io/scene/scene.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace clangor::io {
namespace {

namespace fs = std::filesystem;

struct Reading {
    Scene scene;
    std::vector<Problem> problems;
    std::vector<fs::path> files;
    std::vector<Place> objects, strikes, listeners;
    Place motion;
};

Place place_of(const Json& root, std::string_view key) {
    const JsonObject* const object = std::get_if<JsonObject>(&root.value);
    const Json* const value = object ? find(*object, key) : nullptr;
    return value ? value->at : root.at;
}

std::vector<Place> places_of(const Json& root, std::string_view key) {
    const JsonObject* const object = std::get_if<JsonObject>(&root.value);
    const Json* const list = object ? find(*object, key) : nullptr;
    const JsonArray* const items = list ? std::get_if<JsonArray>(&list->value) : nullptr;
    std::vector<Place> places;
    for (const Json& item : items ? *items : JsonArray()) places.push_back(item.at);
    return places;
}

Reading read_text(std::string_view text, const Surroundings& surroundings) {
    Reading reading;
    const JsonDocument document = parse_json(text);
    reading.problems = document.problems;
    if (!document.complete) return reading;
    SceneReader reader(surroundings);
    reader.read(scene_record(reading.scene), document.root);
    reading.problems.insert(reading.problems.end(), reader.problems().begin(), reader.problems().end());
    check_names(document.root, reading.problems);
    reading.files = reader.files();
    reading.objects = places_of(document.root, "objects");
    reading.strikes = places_of(document.root, "strikes");
    reading.listeners = places_of(document.root, "listeners");
    reading.motion = place_of(document.root, "motion");
    return reading;
}

Reading read_file(const fs::path& path) {
    return read_text(read_text_file(path, largest_scene), {.folder = path.parent_path()});
}

}  // namespace

std::vector<std::string> located(std::string_view name, std::vector<Problem> problems) {
    const auto place = [](const Problem& problem) { return std::pair(problem.at.line, problem.at.column); };
    std::ranges::stable_sort(problems, {}, place);
    std::vector<std::string> lines;
    for (const Problem& problem : problems) {
        lines.push_back(fmt::format("{}:{}:{}: {}", name, problem.at.line, problem.at.column, problem.message));
    }
    return lines;
}

void throw_if_any(std::string_view name, std::vector<Problem> problems) {
    if (problems.empty()) return;
    throw Error(fmt::format("{}", fmt::join(located(name, std::move(problems)), "\n")));
}

Scene read_scene(const fs::path& path) { return read_scene_file(path).scene; }

SceneFile read_scene_file(const fs::path& path) {
    Reading reading = read_file(path);
    throw_if_any(path.string(), std::move(reading.problems));
    SceneFile file{.scene = std::move(reading.scene), .files = {path}};
    const auto text = [&](Place at) { return fmt::format("{}:{}:{}", path.string(), at.line, at.column); };
    std::ranges::transform(reading.objects, std::back_inserter(file.objects), text);
    std::ranges::transform(reading.strikes, std::back_inserter(file.strikes), text);
    std::ranges::transform(reading.listeners, std::back_inserter(file.listeners), text);
    file.motion = text(reading.motion);
    for (const fs::path& named : reading.files) {
        file.files.push_back(named);
        const std::vector<fs::path> buffers = buffers_beside(named);
        file.files.insert(file.files.end(), buffers.begin(), buffers.end());
    }
    return file;
}

std::vector<std::string> check_scene(const fs::path& path) {
    try {
        return located(path.string(), read_file(path).problems);
    } catch (const Error& error) {
        return {error.what()};
    }
}

Scene parse_scene(std::string_view text, std::string_view name) {
    Reading reading = read_text(text, {.files = false});
    throw_if_any(name, std::move(reading.problems));
    return std::move(reading.scene);
}

scene::MeshSource parse_mesh_source(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) throw Error("mesh: the file name is empty");
    if (text[first] != '{') return fs::path(text);
    const JsonDocument document = parse_json(text);
    throw_if_any("mesh", document.problems);
    scene::MeshSource mesh;
    SceneReader reader({});
    reader.read_mesh(document.root, mesh);
    throw_if_any("mesh", reader.problems());
    return mesh;
}

std::vector<scene::Support> parse_supports(std::string_view text) {
    const JsonDocument document = parse_json(text);
    throw_if_any("supports", document.problems);
    std::vector<scene::Support> supports;
    SceneReader reader({});
    const JsonArray* const items = std::get_if<JsonArray>(&document.root.value);
    if (items && items->empty()) throw Error("supports: there is none in []; give one, or leave the option out");
    if (items) {
        for (const Json& item : *items) reader.read(record_of(supports.emplace_back()), item);
    } else {
        reader.read(record_of(supports.emplace_back()), document.root);
    }
    throw_if_any("supports", reader.problems());
    return supports;
}

}  // namespace clangor::io
