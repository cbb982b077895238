// A mallet as it stands on a command line.
#include <fmt/format.h>
#include <clangor/io/file/file.hpp>
#include <clangor/io/scene/reader.hpp>
#include <clangor/io/scene/scene.hpp>

#include <algorithm>
#include <charconv>

namespace clangor::io {
namespace {

std::vector<std::string_view> between_commas(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Json value_of_text(std::string_view text) {
    JsonNumber number;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
    if (error == std::errc() && end == text.data() + text.size()) return {{}, number};
    return {{}, std::string(text)};
}

void set(JsonObject& object, std::string_view key, Json value) {
    const auto found = std::ranges::find(object, key, &JsonMember::key);
    if (found != object.end())
        found->value = std::move(value);
    else
        object.push_back({std::string(key), {}, std::move(value)});
}

void set_preset(JsonObject& object, const scene::MalletPreset& preset) {
    set(object, "mass", {{}, JsonNumber{preset.mass}});
    set(object, "radius", {{}, JsonNumber{preset.radius}});
    set(object, "material", {{}, std::string(preset.name)});
    set(object, "speed", {{}, JsonNumber{preset.speed}});
}

const scene::MalletPreset* preset_named(std::string_view name) {
    const std::span<const scene::MalletPreset> all = scene::mallet_presets();
    const auto found = std::ranges::find(all, name, &scene::MalletPreset::name);
    return found == all.end() ? nullptr : &*found;
}

// "felt,speed=2" as an object with all keys that are known.
JsonObject members_of(std::string_view text) {
    const std::vector<std::string_view> parts = between_commas(text);
    JsonObject object;
    for (const std::string_view part : parts) {
        const std::size_t equals = part.find('=');
        const std::string_view name = equals == std::string_view::npos ? part : part.substr(equals + 1);
        const bool is_material = part.starts_with("material=");
        if (equals != std::string_view::npos && !is_material) continue;
        if (const scene::MalletPreset* const preset = preset_named(name)) {
            set_preset(object, *preset);
        } else if (!is_material) {
            std::vector<std::string> known;
            for (const scene::MalletPreset& one : scene::mallet_presets()) known.emplace_back(one.name);
            throw Error(
                fmt::format("--mallet: there is no mallet \"{}\"; known: {}. Any other is described by what it is: "
                            "mass=0.02,radius=0.01,material=nylon,speed=1.5",
                            excerpt(part), fmt::join(known, ", ")));
        }
    }
    for (const std::string_view part : parts)
        if (const std::size_t equals = part.find('='); equals != std::string_view::npos)
            set(object, part.substr(0, equals), value_of_text(part.substr(equals + 1)));
    return object;
}

}  // namespace

scene::Mallet parse_mallet(std::string_view text) {
    scene::Mallet mallet;
    SceneReader reader({});
    if (text.starts_with('{')) {
        const JsonDocument document = parse_json(text);
        throw_if_any("--mallet", document.problems);
        reader.read(record_of(mallet), document.root);
    } else {
        reader.read(record_of(mallet), {{}, members_of(text)});
    }
    if (reader.problems().empty()) return mallet;
    std::vector<std::string> lines;
    for (const Problem& problem : reader.problems()) lines.push_back("--mallet: " + problem.message);
    throw Error(fmt::format("{}", fmt::join(lines, "\n")));
}

}  // namespace clangor::io
