#include <clangor/io/file/file.hpp>
#include <clangor/io/motion/collision_file.hpp>
#include <clangor/io/motion/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace clangor::io {
namespace {

constexpr ColumnKind collision_columns[] = {
    {"time", Quantity::Time, "t"},  {"frame", Quantity::Number},  {"x", Quantity::Length},
    {"y", Quantity::Length},        {"z", Quantity::Length},      {"nx", Quantity::Number},
    {"ny", Quantity::Number},       {"nz", Quantity::Number},     {"speed", Quantity::Speed, "normal_speed"},
    {"jx", Quantity::Impulse},      {"jy", Quantity::Impulse},    {"jz", Quantity::Impulse},
    {"first", Quantity::Number},    {"second", Quantity::Number}, {"radius_1", Quantity::Length},
    {"radius_2", Quantity::Length},
};
constexpr std::array<std::string_view, 7> needed_columns = {"x", "y", "z", "nx", "ny", "nz", "speed"};
constexpr std::array<std::string_view, 3> push_columns = {"jx", "jy", "jz"};
constexpr std::array<std::string_view, 2> radius_columns = {"radius_1", "radius_2"};

// More names than this are no kinds, but numbers of grains.
constexpr std::size_t most_kinds = 1000;

Vec3 three(const TableReader& table, std::string_view x, std::string_view y, std::string_view z) {
    return y_up(table.units(), Vec3(table.number(x), table.number(y), table.number(z)));
}

// Of what lies across the normal, over what lies along it: no coefficient of friction comes near this.
constexpr double most_friction = 1e6;

// Beyond these nothing can be meant [s], [m], [m/s].
constexpr double most_time = 1e9, most_distance = 1e7, most_speed = 1e5;

class CollisionTable {
public:
    CollisionTable(std::string_view text, const std::string& name) : table_(text, name, collision_columns) {
        has_time_ = table_.has("time");
        if (has_time_ && table_.has("frame"))
            fail(table_.where_header(), "time and frame are both there; leave one of them out");
        if (!has_time_ && !table_.has("frame"))
            fail(table_.where_header(), "the column \"time\" is missing, and so is \"frame\"");
        table_.require(needed_columns);
        has_push_ = table_.has_all(push_columns);
        has_radii_ = table_.has_all(radius_columns);
    }

    CollisionList list() {
        while (table_.next()) {
            list_.encounters.push_back(encounter());
            if (has_radii_) list_.radii.push_back({radius("radius_1"), radius("radius_2")});
        }
        return std::move(list_);
    }

private:
    Encounter encounter() {
        Encounter encounter;
        encounter.time =
            has_time_ ? table_.number("time") : time_of_frame(table_.units(), table_.number("frame"), table_.where());
        encounter.point = three(table_, "x", "y", "z");
        encounter.speed = table_.number("speed");
        encounter.kind = kind();
        std::optional<Vec3> impulse;
        if (has_push_) impulse = three(table_, "jx", "jy", "jz");
        return checked_encounter(encounter, three(table_, "nx", "ny", "nz"), impulse, table_.where());
    }

    int kind() {
        const std::array<std::string, 2> names = {std::string(table_.text("first")),
                                                  std::string(table_.text("second"))};
        const auto [at, is_new] = kinds_.try_emplace(names, static_cast<int>(kinds_.size()));
        if (is_new) {
            list_.kinds.push_back(names);
            if (kinds_.size() > most_kinds)
                fail(table_.where(),
                     "more than {} kinds of things meet; first and second name materials, not single grains",
                     most_kinds);
        }
        return at->second;
    }

    // Empty for what is no ball.
    float radius(std::string_view column) {
        if (table_.empty(column)) return 0;
        return checked_radius(table_.number(column), column, table_.where());
    }

    TableReader table_;
    bool has_time_ = false, has_push_ = false, has_radii_ = false;
    std::map<std::array<std::string, 2>, int> kinds_;
    CollisionList list_;
};

}  // namespace

void check_moment(double time, const Vec3& point, const std::string& where) {
    if (!(std::abs(time) < most_time)) fail(where, "the time {} s is too far away", time);
    if (!(point.cwiseAbs().maxCoeff() < most_distance))
        fail(where, "the place is {} m away; is the unit right?", point.cwiseAbs().maxCoeff());
}

void check_speed(double speed, const std::string& where) {
    if (!(speed <= most_speed)) fail(where, "the speed {} m/s is none of grains", speed);
}

Encounter checked_encounter(Encounter encounter, const Vec3& normal, const std::optional<Vec3>& impulse,
                            const std::string& where) {
    check_moment(encounter.time, encounter.point, where);
    if (normal.isZero(0)) fail(where, "the normal is zero; it points from the second of the two into the first");
    encounter.normal = normal / normal.stableNorm();
    if (!(encounter.speed > 0)) fail(where, "the speed of approach must be positive, but is {} m/s", encounter.speed);
    check_speed(encounter.speed, where);
    if (impulse) {
        const double along = impulse->dot(encounter.normal);
        if (!(along * most_friction > impulse->stableNorm()))
            fail(where, "the impulse pulls; it is what the first receives, and the normal points into the first");
        encounter.friction = *impulse / along - encounter.normal;
    }
    return encounter;
}

float checked_radius(double radius, std::string_view name, const std::string& where) {
    if (!(radius > 0 && radius < 1e3))
        fail(where, "{} must be positive, but is {} m; leave it empty for what is no ball", name, radius);
    return static_cast<float>(radius);
}

CollisionList parse_collision_table(std::string_view text, const std::string& name) {
    return CollisionTable(text, name).list();
}

CollisionList read_collision_table(const std::filesystem::path& path) {
    return parse_collision_table(text_of_table(path, "list of collisions"), path.string());
}

}  // namespace clangor::io
