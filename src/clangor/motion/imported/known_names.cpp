#include <clangor/motion/imported/known_names.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace clangor {
namespace {

// Single edits between two names: letters to insert, drop or replace.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string known_names(const std::string& name, const std::vector<ImportedBody>& bodies) {
    std::string all;
    for (const ImportedBody& body : bodies) {
        if (edits(name, body.name) * 3 <= std::max<std::size_t>(name.size(), 3)) {
            return fmt::format("did you mean \"{}\"?", body.name);
        }
        all += (all.empty() ? "" : ", ") + body.name;
    }
    return "known: " + all;
}

}  // namespace clangor
