#include <clangor/render/collisions_file.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using namespace io;

/// One column of a table of impacts or touches: so many numbers of each row.
template <class Row>
struct Column {
    const char* name;
    const char* units;
    std::uint64_t width;
    double* (*at)(Row&, std::size_t i);  ///< the i-th of them
};

template <class Row>
double* of_sides(Row& row, std::size_t i, Vec3 ContactSide::*vector) {
    return (row.sides[i / 3].*vector).data() + i % 3;
}

template <class Row>
const std::vector<Column<Row>>& side_columns() {
    static const std::vector<Column<Row>> columns = {
        {"points", "m", 6, [](Row& row, std::size_t i) { return of_sides(row, i, &ContactSide::point); }},
        {"normals", "1", 6, [](Row& row, std::size_t i) { return of_sides(row, i, &ContactSide::normal); }},
        {"side_impulses", "N s", 6, [](Row& row, std::size_t i) { return of_sides(row, i, &ContactSide::impulse); }},
    };
    return columns;
}

const std::vector<Column<Impact>>& columns_of(const Impact*) {
    static const std::vector<Column<Impact>> columns = {
        {"time", "s", 1, [](Impact& row, std::size_t) { return &row.time; }},
        {"impulse", "N s", 3, [](Impact& row, std::size_t i) { return row.impulse.data() + i; }},
        {"approach_speed", "m/s", 1, [](Impact& row, std::size_t) { return &row.approach_speed; }},
    };
    return columns;
}

const std::vector<Column<Touch>>& columns_of(const Touch*) {
    static const std::vector<Column<Touch>> columns = {
        {"time", "s", 1, [](Touch& row, std::size_t) { return &row.time; }},
        {"duration", "s", 1, [](Touch& row, std::size_t) { return &row.duration; }},
        {"impulse", "N s", 3, [](Touch& row, std::size_t i) { return row.impulse.data() + i; }},
        {"slip_speed", "m/s", 1, [](Touch& row, std::size_t) { return &row.slip_speed; }},
        {"travel_speed", "m/s", 1, [](Touch& row, std::size_t) { return &row.travel_speed; }},
    };
    return columns;
}

template <class Row, class Use>
void for_columns(const Use& use) {
    for (const Column<Row>& column : columns_of(static_cast<const Row*>(nullptr))) use(column);
    for (const Column<Row>& column : side_columns<Row>()) use(column);
}

template <class Row>
void write_table(Hdf5Writer& file, const std::string& table, std::vector<Row> rows) {
    for_columns<Row>([&](const Column<Row>& column) {
        std::vector<double> values;
        values.reserve(rows.size() * column.width);
        for (Row& row : rows)
            for (std::size_t i = 0; i < column.width; ++i) values.push_back(*column.at(row, i));
        file.write(table + "/" + column.name, std::span<const double>(values), {rows.size(), column.width},
                   column.units);
    });
    std::vector<std::int32_t> bodies;
    for (const Row& row : rows)
        for (const ContactSide& side : row.sides) bodies.push_back(side.body);
    file.write(table + "/bodies", std::span<const std::int32_t>(bodies), {rows.size(), 2}, "1");
}

template <class Row>
std::vector<Row> read_table(const Hdf5Reader& file, const std::string& table) {
    const Hdf5Array<std::int32_t> bodies = file.integers(table + "/bodies");
    if (bodies.dims.size() != 2 || bodies.dims[1] != 2)
        throw Error(fmt::format("has a {}/bodies of the wrong size", table));
    std::vector<Row> rows(bodies.dims[0]);
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t s = 0; s < 2; ++s) rows[r].sides[s].body = bodies.values[2 * r + s];
    for_columns<Row>([&](const Column<Row>& column) {
        const std::string name = table + "/" + column.name;
        const Hdf5Array<double> values = file.doubles(name);
        if (values.values.size() != rows.size() * column.width)
            throw Error(fmt::format("has a {} of the wrong size", name));
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t i = 0; i < column.width; ++i) *column.at(rows[r], i) = values.values[r * column.width + i];
    });
    return rows;
}

template <class Row>
void check_table(std::vector<std::string>& problems, const char* table, std::vector<Row> rows, int body_count) {
    bool finite = true, known = true;
    for (Row& row : rows) {
        for_columns<Row>([&](const Column<Row>& column) {
            for (std::size_t i = 0; i < column.width; ++i) finite = finite && std::isfinite(*column.at(row, i));
        });
        for (const ContactSide& side : row.sides) known = known && side.body >= -1 && side.body < body_count;
    }
    if (!finite) problems.push_back(fmt::format("the {} hold values that are not finite", table));
    if (!known) problems.push_back(fmt::format("the {} name bodies that are not there", table));
    if (!std::ranges::is_sorted(rows, {}, &Row::time))
        problems.push_back(fmt::format("the {} are not in the order of time", table));
}

}  // namespace

std::vector<std::string> problems_of(const BakedCollisions& collisions) {
    std::vector<std::string> problems;
    check_table(problems, "impacts", collisions.impacts, collisions.bodies);
    check_table(problems, "touches", collisions.touches, collisions.bodies);
    return problems;
}

void write(Hdf5Writer& file, const BakedCollisions& collisions) {
    file.write("body_count", collisions.bodies, "1");
    const IgnoredContacts ignored = collisions.ignored.value_or(IgnoredContacts{});
    const std::int32_t counts[] = {collisions.ignored.has_value(), std::int32_t(ignored.merged),
                                   std::int32_t(ignored.touching), std::int32_t(ignored.slow),
                                   std::int32_t(ignored.without_effect)};
    file.write("ignored", std::span<const std::int32_t>(counts), {5}, "1");
    write_messages(file, collisions.messages);
    write_table(file, "impacts", collisions.impacts);
    write_table(file, "touches", collisions.touches);
}

void read(const Hdf5Reader& file, BakedCollisions& collisions) {
    collisions.bodies = static_cast<int>(file.number("body_count"));
    collisions.impacts = read_table<Impact>(file, "impacts");
    collisions.touches = read_table<Touch>(file, "touches");
    collisions.messages = read_messages(file);
    const Hdf5Array<std::int32_t> ignored = file.integers("ignored");
    if (ignored.values.size() != 5) throw Error("has counts of ignored contacts of the wrong size");
    const std::vector<std::int32_t>& n = ignored.values;
    if (n[0] != 0) collisions.ignored = {.merged = n[1], .touching = n[2], .slow = n[3], .without_effect = n[4]};
}

}  // namespace clangor
