// Pages under docs/ that hold generated parts, and how tests keep them up to date.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

/// The whole of a file under the source tree, where tests run; empty if it is not there.
inline std::string file_text(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// Checks that `path` is `expected`; with CLANGOR_UPDATE_DOCS set, makes it so.
inline void check_generated_file(const std::string& path, const std::string& expected) {
    if (std::getenv("CLANGOR_UPDATE_DOCS")) std::ofstream(path, std::ios::binary) << expected;
    INFO(path << " is out of date: run the tests once with CLANGOR_UPDATE_DOCS=1");
    CHECK(file_text(path) == expected);
}

/// Checks that what stands between <!-- generated --> and <!-- end --> in `path` is `expected`.
inline void check_generated_part(const std::string& path, const std::string& expected) {
    const std::string begin = "<!-- generated -->\n";
    const std::string end = "<!-- end -->\n";
    const std::string page = file_text(path);
    const std::size_t from = page.find(begin);
    const std::size_t to = page.find(end);
    REQUIRE(from != std::string::npos);
    REQUIRE(to != std::string::npos);
    check_generated_file(path, page.substr(0, from + begin.size()) + expected + page.substr(to));
}
