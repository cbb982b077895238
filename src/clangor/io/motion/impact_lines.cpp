// Impacts as JSON lines: one object a line. The first may state units instead of an event.
#include <fmt/format.h>
#include <clangor/io/file/file.hpp>
#include <clangor/io/motion/impact_check.hpp>
#include <clangor/io/motion/impact_file.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::io {
namespace {

const std::vector<std::string> known_keys = {"time",    "frame",  "object", "other", "point",
                                             "impulse", "normal", "speed",  "space"};

// One line, for messages and for conversion.
class EventLine {
public:
    EventLine(const JsonObject& object, const MotionUnits& units, std::string where)
        : object_(object), units_(units), where_(std::move(where)) {}

    ImportedImpact event() const {
        check_keys();
        ImportedImpact event;
        event.where = where_;
        event.time = time();
        event.object = text("object");
        event.other = text("other");
        event.in_body_frame = in_body_frame();
        const Json* const point = find(object_, "point");
        if (!point) fail(where_, "\"point\" is missing");
        event.point = vector("point", *point) * units_.length;
        if (const Json* const impulse = find(object_, "impulse")) {
            if (std::holds_alternative<JsonArray>(impulse->value))
                event.impulse = vector("impulse", *impulse);
            else
                event.magnitude = number("impulse", *impulse);
        }
        if (const Json* const normal = find(object_, "normal")) event.normal = vector("normal", *normal);
        if (const Json* const speed = find(object_, "speed")) {
            event.approach_speed = number("speed", *speed) * units_.length;
        }
        finish_impact(event, units_);
        return event;
    }

private:
    void check_keys() const {
        for (const JsonMember& member : object_) {
            if (member.key.starts_with('_') || std::ranges::find(known_keys, member.key) != known_keys.end()) continue;
            fail(where_, "unknown key \"{}\"; {}", excerpt(member.key), suggestion(member.key, known_keys));
        }
    }
    double number(std::string_view key, const Json& json) const {
        const JsonNumber* const value = std::get_if<JsonNumber>(&json.value);
        if (!value) fail(where_, "{} must be a number, but is {}", key, kind_of(json));
        return value->value;
    }
    Vec3 vector(std::string_view key, const Json& json) const {
        const JsonArray* const items = std::get_if<JsonArray>(&json.value);
        if (!items || items->size() != 3) fail(where_, "{} must be three numbers [x, y, z]", key);
        return {number(key, (*items)[0]), number(key, (*items)[1]), number(key, (*items)[2])};
    }
    std::string text(std::string_view key) const {
        const Json* const json = find(object_, key);
        if (!json) return {};
        const std::string* const value = std::get_if<std::string>(&json->value);
        if (!value) fail(where_, "{} must be a string, but is {}", key, kind_of(*json));
        return *value;
    }
    double time() const {
        if (const Json* const time = find(object_, "time")) return number("time", *time) * units_.time;
        const Json* const frame = find(object_, "frame");
        if (!frame || !std::holds_alternative<JsonNumber>(frame->value)) fail(where_, "\"time\" is missing");
        return time_of_frame(units_, number("frame", *frame), where_);
    }
    // A frame that is a number is one of the film; a text says whose coordinates these are.
    bool in_body_frame() const {
        const Json* const frame = find(object_, "frame");
        if (frame && std::holds_alternative<JsonNumber>(frame->value) && find(object_, "time")) {
            fail(where_, "time and frame are both there; leave one of them out");
        }
        if (find(object_, "space")) return is_body_frame(text("space"), where_);
        const bool counts = !frame || std::holds_alternative<JsonNumber>(frame->value);
        return !counts && is_body_frame(text("frame"), where_);
    }

    const JsonObject& object_;
    const MotionUnits& units_;
    std::string where_;
};

// {"fps": 24, "unit": "cm", "up": "z"} in front of all events.
void read_units(MotionUnits& units, const JsonObject& object, const std::string& where) {
    for (const JsonMember& member : object) {
        const std::string* const text = std::get_if<std::string>(&member.value.value);
        const JsonNumber* const number = std::get_if<JsonNumber>(&member.value.value);
        const std::string value = text ? *text : number ? fmt::format("{}", number->value) : "";
        if (member.key.starts_with('_') || state_unit(units, member.key, value, where)) continue;
        fail(where, "unknown key \"{}\"; units are stated with unit, time, fps, start and up", excerpt(member.key));
    }
}

}  // namespace

std::vector<ImportedImpact> parse_impact_lines(std::string_view text, const std::string& name) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    LineReader lines(text, false);
    MotionUnits units;
    std::vector<ImportedImpact> events;
    bool first = true;
    std::string_view line;
    while (lines.next(line)) {
        const std::size_t start = line.find_first_not_of(" \t");
        if (start == std::string_view::npos) continue;
        const std::string where = at_line(name, lines.number());
        if (line[start] == '#') {
            if (first) read_comment(units, line.substr(start), where);
            continue;
        }
        const JsonDocument document = parse_json(line);
        if (!document.problems.empty()) {
            const Problem& problem = document.problems.front();
            fail(fmt::format("{}:{}", where, problem.at.column), "{}", problem.message);
        }
        const JsonObject* const object = std::get_if<JsonObject>(&document.root.value);
        if (!object) fail(where, "each line must be an object, but this is {}", kind_of(document.root));
        if (first && !find(*object, "object") && !find(*object, "point"))
            read_units(units, *object, where);
        else
            events.push_back(EventLine(*object, units, where).event());
        first = false;
    }
    return events;
}

}  // namespace clangor::io
