#include <fmt/format.h>
#include <clangor/io/file/file.hpp>
#include <clangor/io/scene/reader.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::io {
namespace {

constexpr std::size_t most_problems = 1000;  // a list of a million wrong numbers should not fill the memory

std::string with_unit(double value, const std::string& unit) {
    return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

// "must be in (0, 3600] s", "must be positive", …
std::string demand(const Range& range, const std::string& unit) {
    if (std::isfinite(range.min) && std::isfinite(range.max)) {
        const std::string interval =
            fmt::format("{}{}, {}{}", range.above ? '(' : '[', range.min, range.max, range.below ? ')' : ']');
        return fmt::format("must be in {}{}{}", interval, unit.empty() ? "" : " ", unit);
    }
    if (range.min == 0) return range.above ? "must be positive" : "must not be negative";
    return std::isfinite(range.min) ? fmt::format("must be at least {}", with_unit(range.min, unit))
                                    : fmt::format("must be at most {}", with_unit(range.max, unit));
}

std::string missing(const Field& field) {
    return fmt::format("\"{}\" is missing{}", field.key,
                       field.unit.empty() ? "" : fmt::format("; give it, in {}", field.unit));
}

std::string type_message(const std::string& key, std::string_view wanted, const Json& json) {
    return fmt::format("{} must be {}, but is {}", key, wanted, kind_of(json));
}

// Names become parts of file names (stems), so what no file can be called is refused here, with its line.
std::string problem_of_name(const std::string& key, const std::string& name) {
    const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    const auto letters = std::ranges::count_if(name, starts);
    if (letters < 1 || letters > 100) return fmt::format("{} must have 1 to 100 characters, but has {}", key, letters);
    const bool slashes = name.find_first_of("/\\") != std::string::npos || name == "." || name == "..";
    if (!slashes && std::ranges::none_of(name, control)) return {};
    return fmt::format("{} must hold no slash and no control character, but is \"{}\"", key, excerpt(name));
}

// object "bowl" where the item has a name, strike 3 where not.
std::string label_of(const std::string& item, const Json& json, std::size_t index) {
    const JsonObject* const object = std::get_if<JsonObject>(&json.value);
    const Json* const name = object ? find(*object, "name") : nullptr;
    const std::string* const text = name ? std::get_if<std::string>(&name->value) : nullptr;
    return text ? fmt::format("{} \"{}\"", item, excerpt(*text)) : fmt::format("{} {}", item, index + 1);
}

}  // namespace

std::string listed(const std::vector<std::string>& keys, std::string_view last) {
    if (keys.size() == 1) return keys[0];
    const std::vector<std::string> front(keys.begin(), keys.end() - 1);
    return fmt::format("{} {} {}", fmt::join(front, ", "), last, keys.back());
}

void SceneReader::complain(Place at, std::string message) {
    if (problems_.size() >= most_problems) return;
    std::string context;
    for (const std::string& part : context_) context += part + ": ";
    problems_.push_back({at, context + message});
}

void SceneReader::read(const Record& record, const Json& json) {
    const JsonObject* const object = std::get_if<JsonObject>(&json.value);
    if (!object) return complain(json.at, fmt::format("must be an object, but is {}", kind_of(json)));
    const std::size_t before = problems_.size();
    check_keys(record, *object, json.at);
    // In the order of the description, not of the text: materials must be known before objects name them.
    for (const Field& field : record.fields) {
        const Json* const value = io::find(*object, field.key);
        if (value) std::visit([&](const auto& kind) { fill(field, kind, *value); }, field.value);
    }
    if (!record.conflicts || problems_.size() > before) return;
    const Given given = [&](std::string_view key) { return io::find(*object, key) != nullptr; };
    for (const Conflict& conflict : record.conflicts(given)) {
        const Json* const value = io::find(*object, conflict.key);
        complain(value ? value->at : json.at, conflict.message);
    }
}

void SceneReader::check_keys(const Record& record, const JsonObject& object, Place at) {
    std::vector<std::string> known;
    for (const Field& field : record.fields) known.push_back(field.key);
    for (const JsonMember& member : object) {
        if (std::ranges::find(known, member.key) != known.end()) continue;
        complain(member.at, fmt::format("unknown key \"{}\"; {}", excerpt(member.key), suggestion(member.key, known)));
    }
    const auto given = [&](const std::string& key) { return io::find(object, key) != nullptr; };
    for (const Field& field : record.fields) {
        if (field.required && !given(field.key)) complain(at, missing(field));
    }
    if (!record.any_required.empty() && std::ranges::none_of(record.any_required, given)) {
        const std::vector<std::string> others(record.any_required.begin() + 1, record.any_required.end());
        complain(at, fmt::format("\"{}\" is missing; give it, or {}", record.any_required[0], listed(others, "or")));
    }
    for (const std::vector<std::string>& group : record.exclusive) {
        if (std::ranges::count_if(group, given) < 2) continue;
        complain(at, fmt::format("only one of {} may be given", listed(group, "and")));
    }
}

const std::string* SceneReader::text_of(const Field& field, const Json& json) {
    const std::string* const text = std::get_if<std::string>(&json.value);
    if (!text) complain(json.at, type_message(field.key, "a string", json));
    return text;
}

void SceneReader::fill(const Field& field, const NumberField& number, const Json& json) {
    const JsonNumber* const given = std::get_if<JsonNumber>(&json.value);
    if (!given) return complain(json.at, type_message(field.key, "a number", json));
    const double value = given->value;
    if (!number.range.holds(value) && !(number.or_zero && value == 0)) {
        std::string must = demand(number.range, field.unit);
        if (number.or_zero) must.replace(0, std::string_view("must be").size(), "must be 0 or");
        return complain(json.at, fmt::format("{} {}, but is {}", field.key, must, with_unit(value, field.unit)));
    }
    if (number.whole && value != std::floor(value)) {
        return complain(json.at, fmt::format("{} must be a whole number, but is {}", field.key, value));
    }
    *number.target = value;
}

void SceneReader::fill(const Field& field, const CountField& count, const Json& json) {
    const JsonNumber* const given = std::get_if<JsonNumber>(&json.value);
    if (!given) return complain(json.at, type_message(field.key, "a whole number", json));
    const Range range = {.min = static_cast<double>(count.min), .max = static_cast<double>(count.max)};
    if (given->natural && range.holds(given->value)) {
        *count.target = static_cast<int>(*given->natural);
        return;
    }
    const std::string must = count.min == count.max ? fmt::format("{}", count.min)
                                                    : fmt::format("a whole number in [{}, {}]", count.min, count.max);
    complain(json.at, fmt::format("{} must be {}, but is {}", field.key, must, given->value));
}

void SceneReader::fill(const Field& field, const SeedField& seed, const Json& json) {
    const JsonNumber* const given = std::get_if<JsonNumber>(&json.value);
    if (!given) return complain(json.at, type_message(field.key, "a whole number", json));
    if (!given->natural) {
        return complain(json.at,
                        fmt::format("{} must be a whole number in [0, 2^64), but is {}", field.key, given->value));
    }
    *seed.target = *given->natural;
}

void SceneReader::fill(const Field& field, const FlagField& flag, const Json& json) {
    const bool* const given = std::get_if<bool>(&json.value);
    if (!given) return complain(json.at, type_message(field.key, "true or false", json));
    *flag.target = *given;
}

void SceneReader::fill(const Field& field, const TextField& text, const Json& json) {
    if (const std::string* const given = text_of(field, json)) *text.target = *given;
}

void SceneReader::fill(const Field& field, const NameField& name, const Json& json) {
    const std::string* const given = text_of(field, json);
    if (!given) return;
    const std::string problem = problem_of_name(field.key, *given);
    if (!problem.empty()) return complain(json.at, problem);
    *name.target = *given;
}

void SceneReader::fill(const Field& field, const VectorField& vector, const Json& json) {
    if (vector.along && std::holds_alternative<JsonNumber>(json.value))
        return fill(field, NumberField{vector.along, {.min = 0, .max = vector.range.max}}, json);
    const JsonArray* const items = std::get_if<JsonArray>(&json.value);
    if (!items) return complain(json.at, type_message(field.key, "three numbers [x, y, z]", json));
    if (items->size() != 3) {
        return complain(json.at,
                        fmt::format("{} must be three numbers [x, y, z], but has {}", field.key, items->size()));
    }
    Vec3 value = Vec3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
        const Json& item = (*items)[axis];
        const NumberField number = {&value[axis], vector.range};
        const Field component = {fmt::format("{}[{}]", field.key, axis), "", field.unit, false, number};
        const std::size_t before = problems_.size();
        fill(component, number, item);
        if (problems_.size() > before) return;
    }
    if (vector.nonzero && value.isZero(0)) return complain(json.at, fmt::format("{} must not be zero", field.key));
    *vector.target = value;
}

void SceneReader::fill(const Field& field, const OptionalVectorField& vector, const Json& json) {
    Vec3 value = Vec3::Zero();
    const std::size_t before = problems_.size();
    fill(field, VectorField{&value, vector.range}, json);
    if (problems_.size() == before) *vector.target = value;
}

void SceneReader::fill(const Field& field, const ProfileField& profile, const Json& json) {
    const JsonArray* const items = std::get_if<JsonArray>(&json.value);
    if (!items) return complain(json.at, type_message(field.key, "an array of " + profile.pair, json));
    if (items->size() < profile.min_points || items->size() > profile.max_points) {
        return complain(json.at, fmt::format("{} must have {} to {} points, but has {}", field.key, profile.min_points,
                                             profile.max_points, items->size()));
    }
    const std::size_t before = problems_.size();
    std::vector<Eigen::Vector2d> points;
    for (const Json& item : *items) {
        const std::string key = fmt::format("{}[{}]", field.key, points.size());
        const JsonArray* const pair = std::get_if<JsonArray>(&item.value);
        if (!pair || pair->size() != 2) return complain(item.at, fmt::format("{} must be {}", key, profile.pair));
        points.emplace_back(0, 0);
        for (int k = 0; k < 2; ++k) {
            const NumberField number = {&points.back()[k], profile.range};
            fill({fmt::format("{}[{}]", key, k), "", field.unit, false, number}, number, (*pair)[k]);
        }
    }
    if (problems_.size() == before) *profile.target = points;
}

void SceneReader::fill(const Field& field, const PointsField& points, const Json& json) {
    const JsonArray* const items = std::get_if<JsonArray>(&json.value);
    if (!items) return complain(json.at, type_message(field.key, "an array of [x, y, z]", json));
    if (items->size() < points.min_points || items->size() > points.max_points) {
        return complain(json.at, fmt::format("{} must have {} to {} points, but has {}", field.key, points.min_points,
                                             points.max_points, items->size()));
    }
    const std::size_t before = problems_.size();
    std::vector<Vec3> all(items->size());
    for (std::size_t i = 0; i < items->size() && problems_.size() == before; ++i)
        fill({fmt::format("{}[{}]", field.key, i), "", field.unit, false, VectorField{&all[i], points.range}},
             VectorField{&all[i], points.range}, (*items)[i]);
    if (problems_.size() == before) *points.target = all;
}

void SceneReader::fill(const Field& field, const ChoiceField& choice, const Json& json) {
    const std::string* const given = text_of(field, json);
    if (!given) return;
    const auto found = std::ranges::find(choice.names, *given);
    if (found != choice.names.end()) return choice.choose(found - choice.names.begin());
    complain(json.at,
             fmt::format("unknown {} \"{}\"; {}", field.key, excerpt(*given), suggestion(*given, choice.names)));
}

void SceneReader::fill(const Field&, const ConstantField&, const Json&) {}  // chose the record, so it has been read

void SceneReader::fill(const Field& field, const RemarkField&, const Json& json) { text_of(field, json); }

void SceneReader::fill(const Field& field, const RecordField& inner, const Json& json) {
    context_.push_back(field.key);
    read(inner.record(), json);
    context_.pop_back();
}

void SceneReader::fill(const Field& field, const ListField& list, const Json& json) {
    const JsonArray* const items = std::get_if<JsonArray>(&json.value);
    if (!items) return complain(json.at, type_message(field.key, "an array", json));
    if (items->size() < list.min_items) {
        complain(json.at, fmt::format("{} must hold at least {} {}", field.key, list.min_items, list.item));
    }
    if (!list.single_kind.empty()) check_single_kind(list, *items);
    for (std::size_t i = 0; i < items->size(); ++i) {
        context_.push_back(label_of(list.item, (*items)[i], i));
        read_item(list, (*items)[i]);
        context_.pop_back();
    }
}

void SceneReader::check_single_kind(const ListField& list, const JsonArray& items) {
    const Json* first = nullptr;
    for (const Json& item : items) {
        const JsonObject* const object = std::get_if<JsonObject>(&item.value);
        const Json* const kind = object ? io::find(*object, "kind") : nullptr;
        const std::string* const name = kind ? std::get_if<std::string>(&kind->value) : nullptr;
        if (!name || *name != list.single_kind) continue;
        if (first) {
            complain(kind->at, fmt::format("a scene has at most one {}, and there is one at line {} already", *name,
                                           first->at.line));
        } else {
            first = kind;
        }
    }
}

void SceneReader::read_item(const ListField& list, const Json& item) {
    if (list.kinds.empty()) return read(list.append(0), item);
    const JsonObject* const object = std::get_if<JsonObject>(&item.value);
    if (!object) return complain(item.at, fmt::format("must be an object, but is {}", kind_of(item)));
    const Json* const kind = io::find(*object, "kind");
    if (!kind) return complain(item.at, fmt::format("\"kind\" is missing; known: {}", fmt::join(list.kinds, ", ")));
    const std::string* const name = std::get_if<std::string>(&kind->value);
    if (!name) return complain(kind->at, type_message("kind", "a string", *kind));
    const auto found = std::ranges::find(list.kinds, *name);
    if (found == list.kinds.end()) {
        return complain(kind->at,
                        fmt::format("unknown kind \"{}\"; known: {}", excerpt(*name), fmt::join(list.kinds, ", ")));
    }
    read(list.append(found - list.kinds.begin()), item);
}

}  // namespace clangor::io
