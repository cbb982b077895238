#include <clangor/core/nearest_name.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace clangor {
namespace {

char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment: edits of one letter, and swaps of two neighbours.
int edits_between(std::string_view a, std::string_view b) {
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
            const bool swapped =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
    constexpr std::size_t longest = 64;  // nobody misspells more, and the table is quadratic
    if (name.empty() || name.size() > longest) return std::nullopt;
    std::optional<std::string> best;
    int best_edits = 0;
    for (const std::string& candidate : known) {
        if (candidate.size() > longest) continue;
        const int allowed = std::max(1, static_cast<int>(std::max(name.size(), candidate.size()) / 3));
        const int edits = edits_between(name, candidate);
        if (edits <= allowed && (!best || edits < best_edits)) {
            best = candidate;
            best_edits = edits;
        }
    }
    return best;
}

std::string suggestion(std::string_view name, std::span<const std::string> known) {
    if (const std::optional<std::string> nearest = nearest_name(name, known))
        return fmt::format("did you mean \"{}\"?", *nearest);
    return fmt::format("known: {}", fmt::join(known, ", "));
}

}  // namespace clangor
