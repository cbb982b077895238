// The JSON Schema of scene files, from the same records that the reader follows.
#include <fmt/format.h>
#include <clangor/io/scene/scene.hpp>
#include <clangor/scene/scene.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor::io {

using namespace scene;  // records and their fields

namespace {

using Schema = nlohmann::ordered_json;

// A double that is a whole number reads better as one: 48000, not 48000.0.
Schema number(double value) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    return whole ? Schema(static_cast<std::int64_t>(value)) : Schema(value);
}

void add_range(Schema& schema, const Range& range) {
    if (std::isfinite(range.min)) schema[range.above ? "exclusiveMinimum" : "minimum"] = number(range.min);
    if (std::isfinite(range.max)) schema[range.below ? "exclusiveMaximum" : "maximum"] = number(range.max);
}

Schema reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

// What a record asks of several of its keys at once.
Schema demands_of(const Record& record) {
    Schema demands = Schema::array();
    for (const std::vector<std::string>& group : record.exclusive) {
        for (std::size_t a = 0; a < group.size(); ++a) {
            for (std::size_t b = a + 1; b < group.size(); ++b) {
                demands.push_back({{"not", {{"required", {group[a], group[b]}}}}});
            }
        }
    }
    Schema any = Schema::array();
    for (const std::string& key : record.any_required) any.push_back({{"required", Schema::array({key})}});
    if (!any.empty()) demands.push_back({{"anyOf", any}});
    return demands;
}

// Writes each record once, under $defs.
class SchemaWriter {
public:
    Schema object(const Record& record) {
        Schema schema = {{"type", "object"}, {"description", record.doc}};
        Schema properties = Schema::object();
        Schema required = Schema::array();
        for (const Field& field : record.fields) {
            properties[field.key] = property(field);
            const bool is_one_of = std::ranges::find(record.any_required, field.key) != record.any_required.end();
            if (is_one_of) properties[field.key].erase("default");
            if (field.required) required.push_back(field.key);
        }
        schema["properties"] = properties;
        if (!required.empty()) schema["required"] = required;
        if (const Schema demands = demands_of(record); !demands.empty()) schema["allOf"] = demands;
        schema["additionalProperties"] = false;
        return schema;
    }
    Schema definitions() const { return definitions_; }

private:
    Schema property(const Field& field) {
        Schema schema = std::visit([&](const auto& value) { return content(value); }, field.value);
        schema["description"] = field.unit.empty() ? field.doc : fmt::format("{} [{}]", field.doc, field.unit);
        if (field.required) schema.erase("default");
        return schema;
    }

    Schema content(const NumberField& field) {
        Schema schema = {{"type", field.whole ? "integer" : "number"}};
        add_range(schema, field.range);
        if (field.or_zero) schema = {{"anyOf", Schema::array({Schema{{"const", 0}}, schema})}};
        if (!std::isnan(*field.target)) schema["default"] = number(*field.target);
        return schema;
    }
    Schema content(const CountField& field) {
        if (field.min == field.max) return {{"const", field.min}};
        return {{"type", "integer"}, {"minimum", field.min}, {"maximum", field.max}, {"default", *field.target}};
    }
    Schema content(const SeedField& field) {
        const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        return {{"type", "integer"}, {"minimum", 0}, {"maximum", most}, {"default", *field.target}};
    }
    Schema content(const FlagField& field) { return {{"type", "boolean"}, {"default", *field.target}}; }
    Schema content(const TextField&) { return {{"type", "string"}}; }
    Schema content(const NameField&) {
        return {{"type", "string"},
                {"minLength", 1},
                {"maxLength", 100},
                {"pattern", "^(?!\\.\\.?$)[^/\\\\\\u0000-\\u001f\\u007f]+$"}};
    }
    Schema content(const VectorField& field) {
        Schema component = {{"type", "number"}};
        add_range(component, field.range);
        Schema schema = {{"type", "array"}, {"items", component}, {"minItems", 3}, {"maxItems", 3}};
        const Vec3& value = *field.target;
        schema["default"] = Schema::array({number(value.x()), number(value.y()), number(value.z())});
        if (field.nonzero) schema["not"] = {{"const", Schema::array({0, 0, 0})}};
        if (field.along) schema = {{"anyOf", Schema::array({schema, Schema{{"type", "number"}, {"minimum", 0}}})}};
        return schema;
    }
    Schema content(const OptionalVectorField& field) {
        Vec3 none = Vec3::Zero();
        Schema schema = content(VectorField{&none, field.range});
        schema.erase("default");
        return schema;
    }
    Schema content(const FileField&) { return {{"type", "string"}, {"minLength", 1}}; }
    Schema content(const ChoiceField& field) { return {{"enum", field.names}, {"default", field.names.front()}}; }
    Schema content(const ConstantField& field) { return {{"const", field.text}}; }
    Schema content(const RemarkField&) { return {{"type", "string"}}; }
    Schema content(const RecordField& field) { return define(field.record()); }
    Schema content(const ListField& field) {
        Schema choices = Schema::array();
        for (std::size_t kind = 0; kind < std::max<std::size_t>(field.kinds.size(), 1); ++kind) {
            choices.push_back(define(field.append(kind)));
        }
        const Schema item = choices.size() == 1 ? choices.front() : Schema{{"oneOf", choices}};
        Schema schema = {{"type", "array"}, {"items", item}, {"minItems", field.min_items}};
        if (!field.single_kind.empty()) {
            const Schema kind = {{"kind", {{"const", field.single_kind}}}};
            schema["contains"] = {{"type", "object"}, {"properties", kind}, {"required", Schema::array({"kind"})}};
            schema["minContains"] = 0;
            schema["maxContains"] = 1;
        }
        return schema;
    }
    Schema content(const ProfileField& field) {
        Schema component = {{"type", "number"}};
        add_range(component, field.range);
        const Schema point = {{"type", "array"}, {"items", component}, {"minItems", 2}, {"maxItems", 2}};
        Schema standard = Schema::array();
        for (const Eigen::Vector2d& p : *field.target)
            standard.push_back(Schema::array({number(p.x()), number(p.y())}));
        return {{"type", "array"},
                {"items", point},
                {"minItems", field.min_points},
                {"maxItems", field.max_points},
                {"default", standard}};
    }
    Schema content(const PointsField& field) {
        Vec3 none = Vec3::Zero();
        Schema point = content(VectorField{&none, field.range});
        point.erase("default");
        return {{"type", "array"}, {"items", point}, {"minItems", field.min_points}, {"maxItems", field.max_points}};
    }
    Schema content(const MeshField&) {
        Schema shapes = Schema::object();
        for (Shape shape : every_shape()) {
            const Record record = shape_record(shape);
            shapes[record.name] = define(record);
        }
        const Schema file = {{"type", "string"}, {"minLength", 1}};
        const Schema shape = {{"type", "object"},
                              {"properties", shapes},
                              {"minProperties", 1},
                              {"maxProperties", 1},
                              {"additionalProperties", false}};
        definitions_["mesh"] = {{"anyOf", Schema::array({file, shape})}};
        return reference("mesh");
    }
    Schema content(const MaterialField&) { return material(); }
    Schema content(const MaterialTableField&) { return {{"type", "object"}, {"additionalProperties", material()}}; }

    Schema material() {
        Material scratch;
        Schema names = Schema::array();
        for (const Material& built_in : material_library()) names.push_back(built_in.name);
        const Schema name = {{"type", "string"}, {"minLength", 1}, {"examples", names}};
        const Schema object = define(material_record(scratch));
        definitions_["any_material"] = {{"anyOf", Schema::array({name, object})}};
        return reference("any_material");
    }
    Schema define(const Record& record) {
        if (!definitions_.contains(record.name)) {
            Schema schema = object(record);
            definitions_[record.name] = std::move(schema);
        }
        return reference(record.name);
    }

    Schema definitions_ = Schema::object();
};

}  // namespace

std::string scene_schema() {
    Scene scratch;
    SchemaWriter writer;
    const Schema scene = writer.object(scene_record(scratch));
    Schema schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Clangor scene"}};
    schema.update(scene);
    schema["$defs"] = writer.definitions();
    return schema.dump(2) + "\n";
}

}  // namespace clangor::io
