#include <clangor/io/motion/grain_file.hpp>

#include <clangor/io/file/file.hpp>
#include <clangor/io/motion/table.hpp>

#include <array>
#include <cmath>

namespace clangor::io {
namespace {

constexpr ColumnKind grain_columns[] = {
    {"x", Quantity::Length},           {"y", Quantity::Length},    {"z", Quantity::Length},
    {"radius", Quantity::Length, "r"}, {"vx", Quantity::Speed},    {"vy", Quantity::Speed},
    {"vz", Quantity::Speed},           {"kind", Quantity::Number}, {"diameter", Quantity::Length, "d"},
};
constexpr std::array<std::string_view, 3> grain_place = {"x", "y", "z"};
constexpr std::array<std::string_view, 3> grain_velocity = {"vx", "vy", "vz"};
constexpr double largest_kind = 254;

Vec3 grain_vector(const TableReader& table, const std::array<std::string_view, 3>& columns) {
    return y_up(table.units(), {table.number(columns[0]), table.number(columns[1]), table.number(columns[2])});
}

}  // namespace

std::vector<Grain> parse_grains(std::string_view text, const std::string& name, const Grain& otherwise) {
    TableReader table(text, name, grain_columns);
    table.require(grain_place);
    const bool has_velocity = table.has_all(grain_velocity);
    if (table.has("radius") && table.has("diameter"))
        fail(table.where_header(), "sizes are there twice, as radius and as diameter; leave one of them out");
    std::vector<Grain> grains;
    while (table.next()) {
        Grain grain = otherwise;
        grain.position = grain_vector(table, grain_place);
        if (has_velocity) grain.velocity = grain_vector(table, grain_velocity);
        if (table.has("radius")) grain.radius = table.number("radius");
        if (table.has("diameter")) grain.radius = 0.5 * table.number("diameter");
        if (!(grain.radius > 0)) fail(table.where(), "the radius must be positive, but is {} m", grain.radius);
        if (table.has("kind")) {
            const double kind = table.number("kind");
            if (!(kind >= 0 && kind <= largest_kind && kind == std::floor(kind)))
                fail(table.where(), "the kind must be a whole number from 0 on, but is {}", kind);
            grain.kind = int(kind);
        }
        grains.push_back(grain);
    }
    if (grains.empty()) fail(name, "holds no row below its column names; write one for each grain");
    return grains;
}

std::vector<Grain> read_grains(const std::filesystem::path& path, const Grain& otherwise) {
    return parse_grains(read_text_file(path, largest_table), path.string(), otherwise);
}

}  // namespace clangor::io
