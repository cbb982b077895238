// A JSON text as a tree whose values and keys know where they stand, so that every complaint can name its line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace clangor::io {

/// Where something stands in a text, counted from 1; columns count characters, not bytes.
struct Place {
    int line = 1;
    int column = 1;
};

struct Problem {
    Place at;
    std::string message;
};

struct JsonNumber {
    double value = 0;
    std::optional<std::uint64_t> natural = {};  ///< the exact value, where it is a whole number in [0, 2⁶⁴)
};

struct Json;
struct JsonMember;
using JsonArray = std::vector<Json>;
using JsonObject = std::vector<JsonMember>;

struct Json {
    Place at;
    std::variant<std::nullptr_t, bool, JsonNumber, std::string, JsonArray, JsonObject> value;
};

struct JsonMember {
    std::string key;
    Place at;  ///< of the key
    Json value;
};

struct JsonDocument {
    Json root;                      ///< null where the text is not JSON
    bool complete = false;          ///< false: the text is not JSON, and the last problem says why
    std::vector<Problem> problems;  ///< a syntax error ends the tree; repeated keys do not
};

/// Strict JSON (RFC 8259): no comments, no NaN, no byte-order mark. Refuses invalid UTF-8, nesting deeper than 64,
/// numbers beyond double, repeated keys, and more than ten million values. Never throws for what the text holds.
JsonDocument parse_json(std::string_view text);

/// The value of a key, or null.
const Json* find(const JsonObject& object, std::string_view key);

/// "a number", "a string", "an array", …: for messages.
std::string_view kind_of(const Json& json);

/// A piece of the user's text for a message: cut to 60 characters, control characters replaced.
std::string excerpt(std::string_view text);

}  // namespace clangor::io
