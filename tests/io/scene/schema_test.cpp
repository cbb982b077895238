#include <doctest/doctest.h>
#include <clangor/io/scene/scene.hpp>
#include <generated_docs.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace schema_test {

using namespace clangor;
using nlohmann::json;

namespace {

bool has_type(const json& value, const std::string& type) {
    if (type == "integer")
        return value.is_number_integer() || (value.is_number() && value == std::floor(value.get<double>()));
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
                               : type == "number" && value.is_number();
}

bool valid(const json& schema, const json& value, const json& root);

bool valid_object(const json& schema, const json& value, const json& root) {
    for (const auto& key : schema.value("required", json::array())) {
        if (!value.contains(key.get<std::string>())) return false;
    }
    if (value.size() < schema.value("minProperties", 0u) || value.size() > schema.value("maxProperties", 1000u))
        return false;
    for (const auto& [key, inner] : value.items()) {
        const json properties = schema.value("properties", json::object());
        const json rest = schema.value("additionalProperties", json(true));
        if (properties.contains(key) ? !valid(properties[key], inner, root)
                                     : rest == json(false) || (rest.is_object() && !valid(rest, inner, root))) {
            return false;
        }
    }
    return true;
}

bool valid_number(const json& schema, double value) {
    return value >= schema.value("minimum", -1e300) && value <= schema.value("maximum", 1e300) &&
           value > schema.value("exclusiveMinimum", -1e300) && value < schema.value("exclusiveMaximum", 1e300);
}

// As much of JSON Schema as ours uses, written from its definition and knowing nothing of the reader.
bool valid(const json& schema, const json& value, const json& root) {
    if (schema.contains("$ref")) {
        const std::string name = schema["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
        if (!valid(root["$defs"].at(name), value, root)) return false;
    }
    if (schema.contains("type") && !has_type(value, schema["type"])) return false;
    if (schema.contains("const") && value != schema["const"]) return false;
    if (schema.contains("not") && valid(schema["not"], value, root)) return false;
    const auto fits = [&](const json& choice) { return valid(choice, value, root); };
    if (schema.contains("anyOf") && std::none_of(schema["anyOf"].begin(), schema["anyOf"].end(), fits)) return false;
    if (schema.contains("allOf") && !std::all_of(schema["allOf"].begin(), schema["allOf"].end(), fits)) return false;
    if (schema.contains("oneOf") && std::count_if(schema["oneOf"].begin(), schema["oneOf"].end(), fits) != 1)
        return false;
    if (schema.contains("enum")) {
        if (std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end()) return false;
    }
    if (value.is_object()) return valid_object(schema, value, root);
    if (value.is_number()) return valid_number(schema, value);
    if (value.is_string()) return value.get<std::string>().size() >= schema.value("minLength", 0u);
    if (!value.is_array()) return true;
    if (value.size() < schema.value("minItems", 0u) || value.size() > schema.value("maxItems", 1000u)) return false;
    if (schema.contains("contains")) {
        const auto contained = [&](const json& item) { return valid(schema["contains"], item, root); };
        if (std::count_if(value.begin(), value.end(), contained) > schema.value("maxContains", 1000)) return false;
    }
    return std::all_of(value.begin(), value.end(), [&](const json& item) {
        return !schema.contains("items") || valid(schema["items"], item, root);
    });
}

bool reader_accepts(const json& document) {
    try {
        io::parse_scene(document.dump(), "scene");
        return true;
    } catch (const Error&) {
        return false;
    }
}

const json good = json::parse(R"({"clangor": 1, "duration": 2,
 "objects": [{"name": "bowl", "kind": "solid", "mesh": {"bowl": {"radius": 0.1}},
               "material": {"density": 1, "young": 1, "poisson": 0}}],
 "strikes": [{"object": "bowl", "at": [0, 0, 0], "impulse": [0, -1, 0]}],
 "listeners": [{"name": "mic", "position": [0, 0, 1]}]})");

struct Change {
    const char* pointer;
    const char* value;
};

// The ```json blocks of a page.
std::vector<std::string> examples_in(const std::string& page) {
    std::vector<std::string> examples;
    const std::string fence = "```json\n";
    for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
        at += fence.size();
        examples.push_back(page.substr(at, page.find("```", at) - at));
    }
    return examples;
}

}  // namespace

TEST_CASE("the committed schema and reference page are those of the reader") {
    check_generated_file("docs/scene.schema.json", io::scene_schema());
    check_generated_part("docs/guide/scene-file.md", io::scene_reference_markdown());
}

TEST_CASE("schema and reader agree on what is a scene") {
    const json schema = json::parse(io::scene_schema());
    CHECK(valid(schema, good, schema));
    CHECK(reader_accepts(good));
    for (const auto& [pointer, value] :
         {Change{"/sample_rate", "44100"},
          Change{"/objects/0/material", "\"oak\""},
          Change{"/objects/0/mesh", "\"a.obj\""},
          Change{"/objects/0/elements", "\"linear\""},
          Change{"/strikes", "[]"},
          Change{"/materials", "{\"x\": \"oak\"}"},
          Change{"/objects/0/mesh", "{\"mug\": {\"handle\": false}}"},
          Change{"/objects/0/mesh", R"({"revolution": {"profile": [[0, 0], [0.1, 0], [0.1, 0.2]], "ribs": 12}})"},
          Change{"/air", "{}"},
          Change{"/description", "\"x\""},
          Change{"/objects/0/material/loss_factor", "0.5"},
          Change{"/objects/0/material/damping", "{\"gamma\": 2}"},
          Change{"/objects/1", R"({"name": "floor", "kind": "ground", "material": "concrete"})"},
          Change{"/motion", R"({"step_hz": 0, "gravity": [0, 0, 0]})"},
          Change{"/motion/step_hz", "200"},
          Change{"/objects/0/hangs_at", "[0, 0, 0]"},
          Change{"/objects/0/trajectory", "\"a.glb#b\""},
          Change{"/objects/0/motion", "\"fixed\""},
          Change{"/listeners/0/kind", "\"ortf\""},
          Change{"/listeners/0", R"({"name": "a", "path": [{"time": 0, "position": [0, 0, 0]}]})"},
          Change{"/listeners/0", R"({"name": "a", "attached_to": "bowl", "position": [0, 0, 0]})"}}) {
        json document = good;
        document[json::json_pointer(pointer)] = json::parse(value);
        INFO(pointer << " = " << value);
        CHECK(valid(schema, document, schema));
        CHECK(reader_accepts(document));
    }
}

TEST_CASE("schema and reader agree on what is not a scene") {
    const json schema = json::parse(io::scene_schema());
    for (const auto& [pointer, value] : {Change{"/clangor", "2"},
                                         Change{"/duration", "0"},
                                         Change{"/duration", "\"1\""},
                                         Change{"/duratoin", "1"},
                                         Change{"/sample_rate", "7999"},
                                         Change{"/sample_rate", "48000.5"},
                                         Change{"/seed", "-1"},
                                         Change{"/objects", "[]"},
                                         Change{"/objects/0/kind", "\"shell\""},
                                         Change{"/objects/0/name", "\"\""},
                                         Change{"/objects/0/scale", "0"},
                                         Change{"/objects/0/mesh", "{}"},
                                         Change{"/objects/0/mesh", R"({"revolution": {"profile": [[0, 0]]}})"},
                                         Change{"/objects/0/mesh", R"({"revolution": {"profile": [[0, 0], [1]]}})"},
                                         Change{"/objects/0/mesh", R"({"revolution": {"profile": [[0, 0], 1]}})"},
                                         Change{"/objects/0/mesh", R"({"revolution": {"profile": [0, 0]}})"},
                                         Change{"/objects/0/mesh", R"({"revolution": {"profile": [[0,0],[2e3,0]]}})"},
                                         Change{"/objects/0/mesh", "{\"cone\": {}}"},
                                         Change{"/objects/0/mesh", "\"\""},
                                         Change{"/objects/0/mesh/bowl/radius", "-1"},
                                         Change{"/objects/0/mesh/bowl/radios", "1"},
                                         Change{"/objects/0/material", "7"},
                                         Change{"/objects/0/material/density", "0"},
                                         Change{"/objects/0/material/poisson", "0.5"},
                                         Change{"/objects/0/material/damping", "{\"alpha\": -1}"},
                                         Change{"/objects/0/position", "[0, 0]"},
                                         Change{"/objects/0/elements", "\"cubic\""},
                                         Change{"/strikes/0/impulse", "[0, 0, 0]"},
                                         Change{"/strikes/0/contact_time", "-1"},
                                         Change{"/listeners/0/position", "[0, 0, \"0\"]"},
                                         Change{"/listeners", "null"},
                                         Change{"/motion/step_hz", "199"},
                                         Change{"/motion/impacts", "\"\""},
                                         Change{"/objects/0/friction", "-1"},
                                         Change{"/objects/0/restitution", "1.1"},
                                         Change{"/objects/0/motion", "\"free\""},
                                         Change{"/objects/0/silent", "1"},
                                         Change{"/objects/1", R"({"name": "floor", "kind": "ground"})"},
                                         Change{"/listeners/0", R"({"name": "a"})"},
                                         Change{"/listeners/0/facing", "[0, 0, 0]"},
                                         Change{"/listeners/0/path", R"([{"time": 0, "position": [0, 0, 0]}])"},
                                         Change{"/listeners/0/head_radius", "1"},
                                         Change{"/air/density", "0"}}) {
        json document = good;
        document[json::json_pointer(pointer)] = json::parse(value);
        INFO(pointer << " = " << value);
        CHECK_FALSE(valid(schema, document, schema));
        CHECK_FALSE(reader_accepts(document));
    }
}

TEST_CASE("schema and reader agree on keys that exclude each other, and on one ground") {
    const json schema = json::parse(io::scene_schema());
    json two_grounds = good;
    for (const char* name : {"a", "b"}) {
        two_grounds["objects"].push_back({{"name", name}, {"kind", "ground"}, {"material", "oak"}});
    }
    CHECK_FALSE(valid(schema, two_grounds, schema));
    CHECK_FALSE(reader_accepts(two_grounds));
    for (const char* key : {"motion", "velocity", "spin_deg", "hangs_at"}) {
        json document = good;
        document["objects"][0]["trajectory"] = "a.csv";
        CHECK(valid(schema, document, schema));
        CHECK(reader_accepts(document));
        if (std::string_view(key) == "motion")
            document["objects"][0][key] = "auto";
        else
            document["objects"][0][key] = {0, 0, 0};
        CHECK_FALSE(valid(schema, document, schema));
        CHECK_FALSE(reader_accepts(document));
    }
}

TEST_CASE("the schema describes every key and gives the defaults that the reader uses") {
    const json schema = json::parse(io::scene_schema());
    for (const auto& [name, definition] : schema["$defs"].items()) {
        const json properties = definition.value("properties", json::object());
        for (const auto& [key, property] : properties.items()) {
            CHECK_MESSAGE(!property.value("description", "").empty(), name << "." << key);
        }
    }
    CHECK(schema["properties"]["sample_rate"]["default"] == Scene{}.sample_rate);
    CHECK(schema["$defs"]["strike"]["properties"]["contact_time"]["default"] == scene::Strike{}.contact_time);
    CHECK(schema["$defs"]["bowl"]["properties"]["depth"]["default"] == Bowl{}.depth);
    CHECK(schema["$defs"]["air"]["properties"]["density"]["description"] == "Density. [kg/m³]");
}

TEST_CASE("every scene in the guides can be read") {
    int scenes = 0;
    for (const char* page : {"docs/guide/scene-file.md", "docs/guide/materials.md", "docs/howto/add-a-material.md",
                             "docs/guide/imported-motion.md"}) {
        for (const std::string& example : examples_in(file_text(page))) {
            const json document = json::parse(example);
            if (!document.contains("clangor")) continue;
            INFO(page << ": " << example);
            CHECK(reader_accepts(document));
            ++scenes;
        }
    }
    CHECK(scenes >= 2);
}

TEST_CASE("what is required has no default, in the schema as in the reference") {
    const json schema = json::parse(io::scene_schema());
    const json listener = schema["$defs"]["listener"];
    CHECK_FALSE(listener["properties"]["position"].contains("default"));
    CHECK(listener["properties"]["facing"].contains("default"));
    const std::string page = io::scene_reference_markdown();
    const std::size_t row = page.find("| `position` |", page.find("Each of `listeners`"));
    CHECK(page.substr(row, page.find('\n', row) - row).find("| **required**: `position` or `path` or `trajectory` |") !=
          std::string::npos);
    for (const char* key : {"position", "path", "trajectory"}) {  // one of them, and the schema says so
        json scene = good;
        scene["listeners"][0] = {{"name", "mic"}, {"attached_to", "bowl"}};
        CHECK_FALSE(valid(schema, scene, schema));
        CHECK_FALSE(reader_accepts(scene));
        scene["listeners"][0] = {{"name", "mic"}};
        scene["listeners"][0][key] = key == std::string("position") ? json({0, 0, 1})
                                     : key == std::string("path")
                                         ? json::parse(R"([{"time": 0, "position": [0, 0, 1]}])")
                                         : json("path.csv");
        CHECK(valid(schema, scene, schema));
        CHECK(reader_accepts(scene));
    }
}

}  // namespace schema_test
