#include <clangor/io/file/file.hpp>
#include <clangor/io/motion/impact_file.hpp>

#include <clangor/io/motion/impact_check.hpp>
#include <clangor/io/motion/table.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace clangor::io {
namespace {

constexpr ColumnKind impact_columns[] = {
    {"time", Quantity::Time, "t"}, {"frame", Quantity::Number},    {"object", Quantity::Number},
    {"other", Quantity::Number},   {"x", Quantity::Length},        {"y", Quantity::Length},
    {"z", Quantity::Length},       {"jx", Quantity::Impulse},      {"jy", Quantity::Impulse},
    {"jz", Quantity::Impulse},     {"impulse", Quantity::Impulse}, {"nx", Quantity::Number},
    {"ny", Quantity::Number},      {"nz", Quantity::Number},       {"speed", Quantity::Speed, "approach_speed"},
    {"space", Quantity::Number},
};
constexpr std::array<std::string_view, 3> place_columns = {"x", "y", "z"};
constexpr std::array<std::string_view, 3> impulse_columns = {"jx", "jy", "jz"};
constexpr std::array<std::string_view, 3> normal_columns = {"nx", "ny", "nz"};

// The three cells of a vector, unless all of them are empty.
std::optional<Vec3> vector_in(const TableReader& table, const std::array<std::string_view, 3>& names) {
    if (std::ranges::all_of(names, [&](std::string_view name) { return table.empty(name); })) return std::nullopt;
    return Vec3(table.number(names[0]), table.number(names[1]), table.number(names[2]));
}

std::optional<double> number_in_cell(const TableReader& table, std::string_view name) {
    return table.empty(name) ? std::nullopt : std::optional(table.number(name));
}

// Which columns there are, looked up once rather than for each of a million rows.
struct Layout {
    bool has_time, has_impulse, has_normal;
    std::string_view space;  // the column that says world or body; "" for none
};

Layout layout_of(const TableReader& table) {
    const bool has_time = table.has("time"), has_frame = table.has("frame");
    if (!has_time && !has_frame) {
        fail(table.where_header(), "the column \"time\" is missing, and so is \"frame\"");
    }
    constexpr std::array<std::string_view, 4> needed = {"object", "x", "y", "z"};
    table.require(needed);
    const bool has_impulse = table.has_all(impulse_columns), has_normal = table.has_all(normal_columns);
    if (!has_impulse && !table.has("impulse")) {
        fail(table.where_header(), "the impulse is missing; give jx, jy and jz, or its magnitude as impulse");
    }
    if (has_time && has_frame && table.has("space")) {
        fail(table.where_header(), "time and frame are both there; leave one of them out");
    }
    // Beside a time, a frame can only be the frame of reference.
    return {has_time, has_impulse, has_normal, table.has("space") ? "space" : has_time && has_frame ? "frame" : ""};
}

ImportedImpact event_of(const TableReader& table, const Layout& layout) {
    ImportedImpact event;
    event.where = table.where();
    event.time =
        layout.has_time ? table.number("time") : time_of_frame(table.units(), table.number("frame"), event.where);
    event.object = table.text("object");
    event.other = table.text("other");
    if (!layout.space.empty() && !table.empty(layout.space)) {
        event.in_body_frame = is_body_frame(table.text(layout.space), event.where);
    }
    event.point = {table.number("x"), table.number("y"), table.number("z")};
    if (layout.has_impulse) event.impulse = vector_in(table, impulse_columns);
    if (layout.has_normal) event.normal = vector_in(table, normal_columns);
    event.magnitude = number_in_cell(table, "impulse");
    event.approach_speed = number_in_cell(table, "speed");
    finish_impact(event, table.units());
    return event;
}

}  // namespace

bool is_body_frame(std::string_view text, const std::string& where) {
    const std::string frame = tidy(text);
    if (frame != "world" && frame != "body") {
        fail(where, "frame should be world or body, but is \"{}\"", printable(text));
    }
    return frame == "body";
}

void finish_impact(ImportedImpact& event, const MotionUnits& units) {
    if (event.object.empty()) fail(event.where, "object is empty; name what is hit");
    if (event.impulse && event.magnitude) {
        fail(event.where, "the impulse is there twice, as a vector and as a magnitude; leave one of them out");
    }
    if (!event.impulse && !event.magnitude) fail(event.where, "the impulse is missing; without it nothing sounds");
    if (event.magnitude && *event.magnitude < 0) {
        fail(event.where, "the magnitude of the impulse must not be negative, but is {} N·s", *event.magnitude);
    }
    if (event.normal && event.normal->isZero(0)) {
        fail(event.where, "the normal is zero; leave it out, and it is taken from the mesh");
    }
    if (event.approach_speed && *event.approach_speed < 0) {
        fail(event.where, "the approach speed must not be negative, but is {} m/s", *event.approach_speed);
    }
    event.point = y_up(units, event.point);
    if (event.impulse) event.impulse = y_up(units, *event.impulse);
    if (event.normal) event.normal = y_up(units, Vec3(*event.normal / event.normal->stableNorm()));
}

std::vector<ImportedImpact> parse_impact_table(std::string_view text, const std::string& name) {
    TableReader table(text, name, impact_columns);
    const Layout layout = layout_of(table);
    std::vector<ImportedImpact> events;
    while (table.next()) events.push_back(event_of(table, layout));
    return events;
}

std::vector<ImportedImpact> read_impacts(const std::filesystem::path& path) {
    const std::string ending = tidy(path.extension().string());
    const std::string name = path.string();
    if (ending == ".csv" || ending == ".tsv" || ending == ".txt") {
        return parse_impact_table(read_text_file(path, largest_table), name);
    }
    if (ending == ".jsonl" || ending == ".ndjson") return parse_impact_lines(read_text_file(path, largest_table), name);
    fail(name, "is no list of impacts that is known here; use .csv, .tsv, .txt, .jsonl or .ndjson");
}

}  // namespace clangor::io
