#include <doctest/doctest.h>
#include <fmt/format.h>
#include <clangor/io/file/json.hpp>

namespace json_parse_test {

using namespace clangor::io;

namespace {

// The first problem as line:column: message.
std::string first_problem(std::string_view text) {
    const JsonDocument document = parse_json(text);
    if (document.problems.empty()) return "none";
    const Problem& problem = document.problems.front();
    return fmt::format("{}:{}: {}", problem.at.line, problem.at.column, problem.message);
}

std::string nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("every value and key knows its line and column, counted in characters") {
    const JsonDocument document = parse_json("{\n  \"größe\" : [1, -2.5e0,\n\t\"é\", {\"b\":null}],\"c\":true}");
    REQUIRE(document.complete);
    CHECK(document.problems.empty());
    const JsonObject& root = std::get<JsonObject>(document.root.value);
    REQUIRE(root.size() == 2);
    CHECK(root[0].key == "größe");
    CHECK(root[0].at.line == 2);
    CHECK(root[0].at.column == 3);
    const JsonArray& items = std::get<JsonArray>(root[0].value.value);
    REQUIRE(items.size() == 4);
    CHECK(items[0].at.column == 14);
    CHECK(items[1].at.column == 17);
    CHECK(items[2].at.line == 3);
    CHECK(items[2].at.column == 2);
    CHECK(items[3].at.column == 7);
    CHECK(root[1].at.column == 19);
    CHECK(root[1].value.at.column == 23);
    CHECK(std::get<bool>(root[1].value.value));
    CHECK(std::get<JsonNumber>(items[1].value).value == -2.5);
}

TEST_CASE("whole numbers keep all their 64 bits") {
    const JsonDocument document = parse_json("[18446744073709551615, 1e3, 1.5, -1, 18446744073709551616]");
    const JsonArray& items = std::get<JsonArray>(document.root.value);
    CHECK(std::get<JsonNumber>(items[0].value).natural == 18446744073709551615ULL);
    CHECK(std::get<JsonNumber>(items[1].value).natural == 1000ULL);
    CHECK_FALSE(std::get<JsonNumber>(items[2].value).natural);
    CHECK_FALSE(std::get<JsonNumber>(items[3].value).natural);
    CHECK_FALSE(std::get<JsonNumber>(items[4].value).natural);
}

TEST_CASE("what is not JSON is refused where it stands") {
    CHECK(first_problem("") == "1:1: the file is empty");
    CHECK(first_problem(" \n ") == "1:1: the file is empty");
    CHECK(first_problem("{\"a\": 1} x") == "1:10: not valid JSON: error while parsing value - invalid literal");
    CHECK(first_problem("[1] 2") ==
          "1:5: not valid JSON: error while parsing value - unexpected number literal; expected end of input");
    CHECK(first_problem("[1,,2]") ==
          "1:4: not valid JSON: error while parsing value - unexpected ','; expected '[', '{', or a literal");
    CHECK(first_problem("{\"a\" 1}") ==
          "1:6: not valid JSON: error while parsing object separator - unexpected number literal; expected ':'");
    CHECK(first_problem("{\"a\": [1, 2") ==
          "1:12: the file ends too early: a bracket or a quotation mark is not closed");
}

TEST_CASE("the usual slips are named") {
    CHECK(first_problem("{\"a\": 1, // half\n}") ==
          "1:10: comments are not allowed in JSON; use a \"description\" key for remarks");
    CHECK(first_problem("[1,\n NaN]") == "2:2: NaN and infinity are not allowed in JSON");
    CHECK(first_problem("[-Infinity]") == "1:2: NaN and infinity are not allowed in JSON");
    CHECK(first_problem("[True]") == "1:2: JSON writes true, false and null in lower case");
    CHECK(first_problem("{'a': 1}") == "1:2: text stands between double quotation marks (\") in JSON");
    CHECK(first_problem("{\"a\": 1,\n}") == "2:1: a comma stands before the closing bracket; remove it");
    CHECK(first_problem("{\"a\": 1e999}") == "1:7: the number 1e999 is too large");
    CHECK(first_problem("{\"a\": 1,\n \"b\": 2,\n \"a\": 3}") == "3:2: key \"a\" is given twice (before at line 1)");
}

TEST_CASE("bytes that are no UTF-8 text are refused where they stand") {
    CHECK(first_problem("\xEF\xBB\xBF{}") ==
          "1:1: the file starts with a byte-order mark; save it as UTF-8 without BOM");
    CHECK(first_problem("\xFF\xFE{") == "1:1: the file is UTF-16; save it as UTF-8");
    CHECK(first_problem("{\n\"a\": \"\xE9\"}") == "2:7: byte 0xE9 is not valid UTF-8; save the file as UTF-8");
    CHECK(first_problem("[\"\xC0\xAF\"]") == "1:3: byte 0xC0 is not valid UTF-8; save the file as UTF-8");  // overlong
    CHECK(first_problem("[\"\xED\xA0\x80\"]") ==
          "1:3: byte 0xED is not valid UTF-8; save the file as UTF-8");  // surrogate
    CHECK(first_problem("[\"\xF4\x90\x80\x80\"]") == "1:3: byte 0xF4 is not valid UTF-8; save the file as UTF-8");
    CHECK(first_problem("[\"\xE2\x82") == "1:3: byte 0xE2 is not valid UTF-8; save the file as UTF-8");  // cut short
    CHECK(first_problem(std::string_view("{}\0x", 4)) == "1:3: a zero byte: this is not a text file");
    CHECK(first_problem("[\"𝄞 ü €\"]") == "none");
}

TEST_CASE("nesting is allowed to a depth of 64") {
    CHECK(first_problem(nested(64)) == "none");
    CHECK(first_problem(nested(65)) == "1:65: brackets are nested more than 64 deep");
    CHECK(first_problem(std::string(1'000'000, '[')) == "1:65: brackets are nested more than 64 deep");
}

TEST_CASE("excerpts for messages are short and printable") {
    CHECK(excerpt("a\nb\x7F") == "a?b?");
    CHECK(excerpt(std::string(61, 'x')) == std::string(60, 'x') + "…");
    CHECK(excerpt("ääää") == "ääää");
}

}  // namespace json_parse_test
