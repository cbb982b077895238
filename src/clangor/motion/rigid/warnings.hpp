// Warnings that say a thing once, and how often it happened.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

namespace clangor::rigid {

class Warnings {
public:
    void add(const std::string& line) {
        for (auto& [known, count] : lines_)
            if (known == line) return void(++count);
        lines_.emplace_back(line, 1);
    }
    std::vector<std::string> lines() const {
        std::vector<std::string> all;
        for (const auto& [line, count] : lines_)
            all.push_back(count == 1 ? line : fmt::format("{} ({} times)", line, count));
        return all;
    }

private:
    std::vector<std::pair<std::string, long>> lines_;
};

}  // namespace clangor::rigid
