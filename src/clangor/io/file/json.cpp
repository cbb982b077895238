#include <fmt/format.h>
#include <clangor/io/file/json_text.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace clangor::io {
namespace {

constexpr std::size_t deepest = 64;
constexpr std::size_t most_values = 10'000'000;

// Walks the text for nlohmann's parser, which keeps no positions, and counts what it has taken.
struct CountingIterator {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* here;
    std::size_t* taken;

    const char& operator*() const { return *here; }
    CountingIterator& operator++() {
        ++here;
        ++*taken;
        return *this;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.here == b.here; }
    friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.here != b.here; }
};

// What nlohmann says, without its error number and position.
std::string plain_reason(std::string_view what) {
    const std::size_t start = what.find("syntax error ");
    const std::string_view reason = start == std::string_view::npos ? what : what.substr(start + 13);
    return std::string(reason.substr(0, reason.find("; last read")));
}

// The usual slips by name; the parser's own words for the rest.
std::string syntax_message(std::string_view text, std::size_t offset, std::string_view what) {
    const std::string_view rest = text.substr(std::min(offset, text.size()));
    const auto opens_with = [&](auto... words) { return (rest.starts_with(words) || ...); };
    if (rest.empty()) return "the file ends too early: a bracket or a quotation mark is not closed";
    if (opens_with("//", "/*", "#")) return "comments are not allowed in JSON; use a \"description\" key for remarks";
    if (opens_with("NaN", "nan", "Inf", "inf", "-Inf", "-inf")) return "NaN and infinity are not allowed in JSON";
    if (opens_with("True", "False", "None")) return "JSON writes true, false and null in lower case";
    if (opens_with("'")) return "text stands between double quotation marks (\") in JSON";
    const std::size_t before = text.substr(0, offset).find_last_not_of(" \t\r\n");
    if (opens_with("}", "]") && before != std::string_view::npos && text[before] == ',') {
        return "a comma stands before the closing bracket; remove it";
    }
    return fmt::format("not valid JSON: error {}", plain_reason(what));
}

// Receives nlohmann's events and builds the tree. A method that returns false stops the parser.
class TreeBuilder {
public:
    TreeBuilder(std::string_view text, const std::size_t& taken) : text_(text), taken_(taken), locator_(text) {}

    bool null() { return add(Json{start(), nullptr}); }
    bool boolean(bool value) { return add(Json{start(), value}); }
    bool string(std::string& value) { return add(Json{start(), std::move(value)}); }
    bool binary(nlohmann::json::binary_t&) { return false; }
    bool number_integer(std::int64_t value) { return add(Json{start(), JsonNumber{static_cast<double>(value)}}); }
    bool number_unsigned(std::uint64_t value) {
        return add(Json{start(), JsonNumber{static_cast<double>(value), value}});
    }
    bool number_float(double value, const std::string&) {
        const bool whole = value >= 0 && value <= 0x1p53 && value == std::floor(value);
        JsonNumber number{value};
        if (whole) number.natural = static_cast<std::uint64_t>(value);
        return add(Json{start(), number});
    }
    bool start_object(std::size_t) { return open(Json{start(), JsonObject()}); }
    bool start_array(std::size_t) { return open(Json{start(), JsonArray()}); }
    bool end_array() { return close(); }
    bool end_object() {
        report_repeated_keys(std::get<JsonObject>(open_.back().value));
        return close();
    }
    bool key(std::string& value) {
        const Place place = start();
        std::get<JsonObject>(open_.back().value).push_back({std::move(value), place, {}});
        return true;
    }
    bool parse_error(std::size_t, const std::string& last, const nlohmann::detail::exception& error) {
        // An unexpected bracket or comma is the byte just taken; anything else starts where the last token ended.
        const bool bracket = std::string_view(error.what()).find("unexpected '") != std::string_view::npos;
        const std::size_t offset = bracket && taken_ > 0 ? taken_ - 1 : token_start();
        const bool overflow = error.id == 406;
        problems_.push_back({locator_.at(offset), overflow ? fmt::format("the number {} is too large", excerpt(last))
                                                           : syntax_message(text_, offset, error.what())});
        return false;
    }

    JsonDocument document(bool complete) && { return {std::move(root_), complete, std::move(problems_)}; }

private:
    // A token starts at the first byte after the last token that is neither space nor comma nor colon.
    std::size_t token_start() const { return std::min(text_.find_first_not_of(" \t\r\n,:", last_end_), text_.size()); }
    Place start() {
        const Place place = locator_.at(token_start());
        last_end_ = taken_;
        return place;
    }
    bool add(Json json) {
        if (++count_ > most_values) {
            problems_.push_back({json.at, fmt::format("more than {} values in one file", most_values)});
            return false;
        }
        if (open_.empty()) {
            root_ = std::move(json);
        } else if (auto* const array = std::get_if<JsonArray>(&open_.back().value)) {
            array->push_back(std::move(json));
        } else {
            std::get<JsonObject>(open_.back().value).back().value = std::move(json);
        }
        return true;
    }
    bool open(Json json) {
        if (open_.size() == deepest) {
            problems_.push_back({json.at, fmt::format("brackets are nested more than {} deep", deepest)});
            return false;
        }
        open_.push_back(std::move(json));
        return true;
    }
    bool close() {
        last_end_ = taken_;
        Json json = std::move(open_.back());
        open_.pop_back();
        return add(std::move(json));
    }
    void report_repeated_keys(const JsonObject& object) {
        std::vector<const JsonMember*> members;
        for (const JsonMember& member : object) members.push_back(&member);
        std::ranges::stable_sort(members, {}, [](const JsonMember* m) -> const std::string& { return m->key; });
        for (std::size_t i = 1; i < members.size(); ++i) {
            if (members[i]->key != members[i - 1]->key) continue;
            problems_.push_back({members[i]->at, fmt::format("key \"{}\" is given twice (before at line {})",
                                                             excerpt(members[i]->key), members[i - 1]->at.line)});
        }
    }

    std::string_view text_;
    const std::size_t& taken_;
    Locator locator_;
    std::size_t last_end_ = 0;
    std::size_t count_ = 0;
    std::vector<Json> open_;
    Json root_;
    std::vector<Problem> problems_;
};

}  // namespace

JsonDocument parse_json(std::string_view text) {
    if (std::optional<Problem> problem = problem_of_text(text)) return {{}, false, {std::move(*problem)}};
    std::size_t taken = 0;
    TreeBuilder builder(text, taken);
    const CountingIterator begin{text.data(), &taken};
    const CountingIterator end{text.data() + text.size(), &taken};
    const bool complete = nlohmann::json::sax_parse(begin, end, &builder);
    return std::move(builder).document(complete);
}

const Json* find(const JsonObject& object, std::string_view key) {
    const auto found = std::ranges::find(object, key, &JsonMember::key);
    return found == object.end() ? nullptr : &found->value;
}

std::string_view kind_of(const Json& json) {
    constexpr std::string_view kinds[] = {"null", "true or false", "a number", "a string", "an array", "an object"};
    return kinds[json.value.index()];
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string result;
    std::size_t characters = 0;
    for (const char c : text) {
        const unsigned byte = static_cast<unsigned char>(c);
        const bool starts = (byte & 0xC0) != 0x80;
        if (starts && ++characters > longest) return result + "…";
        result += byte < 0x20 || byte == 0x7F ? '?' : c;
    }
    return result;
}

}  // namespace clangor::io
