// Databanks as text.
#include <fmt/format.h>
#include <clangor/motion/grain_databank/classes.hpp>

#include <charconv>

namespace clangor {
namespace {

const std::string_view title = "clangor grain databank 1";

[[noreturn]] void fail(const std::string& name, long line, std::string_view what) {
    throw Error(fmt::format("{}:{}: {}; learn it again", name, line, what));
}

// Numbers between spaces.
std::vector<double> numbers_of(std::string_view line, const std::string& name, long number) {
    std::vector<double> values;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \r"), line.size()));
        if (line.empty()) return values;
        double value = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (error != std::errc() || !std::isfinite(value)) fail(name, number, "there should be numbers only");
        values.push_back(value);
        line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    }
}

bool is_whole(double value, double least, double most) {
    return value >= least && value <= most && value == std::floor(value);
}

// place, expected, count, then class, count and friction of each class that has any
DatabankEntry entry_of(const std::vector<double>& values, const std::string& name, long line) {
    if (values.size() < 5 || (values.size() - 5) % 3 != 0) fail(name, line, "numbers are missing");
    DatabankEntry entry{.expected = values[3],
                        .count = values[4],
                        .counts = std::vector<double>(grain_databank::classes),
                        .friction_sq = std::vector<double>(grain_databank::classes)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!is_whole(values[axis], -1000, 1000)) fail(name, line, "a place should be three whole numbers");
        entry.place[axis] = static_cast<int>(values[axis]);
    }
    double sum = 0;
    for (std::size_t i = 5; i < values.size(); i += 3) {
        if (!is_whole(values[i], 0, grain_databank::classes - 1)) fail(name, line, "there is no such class");
        if (!(values[i + 1] > 0) || !(values[i + 2] >= 0)) fail(name, line, "a count is not positive");
        entry.counts[static_cast<std::size_t>(values[i])] = values[i + 1];
        entry.friction_sq[static_cast<std::size_t>(values[i])] = values[i + 2];
        sum += values[i + 1];
    }
    if (!(entry.expected >= 0) || !(std::abs(sum - entry.count) <= 1e-3 * (1 + entry.count)))
        fail(name, line, "counts do not add up");
    return entry;
}

}  // namespace

std::string text_of(const GrainDatabank& databank) {
    std::string text = fmt::format("{}\n{} {} {}\n", title, databank.traits.restitution, databank.traits.friction,
                                   databank.traits.sheared ? 1 : 0);
    for (const DatabankEntry& entry : databank.entries) {
        text += fmt::format("{} {} {} {:.6g} {}", entry.place[0], entry.place[1], entry.place[2], entry.expected,
                            entry.count);
        for (std::size_t i = 0; i < entry.counts.size(); ++i)
            if (entry.counts[i] > 0) text += fmt::format(" {} {} {:.4g}", i, entry.counts[i], entry.friction_sq[i]);
        text += '\n';
    }
    return text;
}

GrainDatabank parse_databank(std::string_view text, const std::string& name) {
    GrainDatabank databank;
    for (long number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (number == 1) {
            if (line != title) fail(name, number, "this is no databank of grains");
            continue;
        }
        const std::vector<double> values = numbers_of(line, name, number);
        if (number == 2) {
            if (values.size() != 3 || !is_whole(values[2], 0, 1))
                fail(name, number, "restitution, friction and 0 or 1 should stand here");
            databank.traits = {values[0], values[1], values[2] == 1};
            continue;
        }
        if (values.empty()) continue;
        databank.entries.push_back(entry_of(values, name, number));
        if (databank.entries.size() > 1 && !((databank.entries.end() - 2)->place < databank.entries.back().place))
            fail(name, number, "entries should stand in order");
    }
    return databank;
}

}  // namespace clangor
