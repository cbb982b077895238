#include <clangor/io/collisions/collisions.hpp>

#include <clangor/io/collisions/datasets.hpp>
#include <clangor/io/file/file.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::io {
namespace {

constexpr std::size_t most_kinds = 1000;

std::vector<std::array<std::string, 2>> kinds_of(const std::string& text) {
    std::vector<std::array<std::string, 2>> kinds;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        const std::size_t comma = line.find(',');
        if (comma == std::string::npos) throw Error("has kinds without a comma; give two names a line, as glass,bowl");
        kinds.push_back({line.substr(0, comma), line.substr(comma + 1)});
        if (kinds.size() > most_kinds)
            throw Error(fmt::format("has more than {} kinds; they are no single grains", most_kinds));
        begin = end + 1;
    }
    return kinds;
}

CollisionList list_of(const Hdf5Reader& file, const std::string& name) {
    const std::uint64_t n = file.doubles("time").values.size();
    const std::vector<double> time = rows_of(file, "time", n, 1), point = rows_of(file, "point", n, 3),
                              normal = rows_of(file, "normal", n, 3), speed = rows_of(file, "speed", n, 1);
    const auto optional = [&](const char* dataset, std::uint64_t columns) {
        return file.has(dataset) ? rows_of(file, dataset, n, columns) : std::vector<double>();
    };
    const std::vector<double> impulse = optional("impulse", 3), radii = optional("radii", 2);
    CollisionList list;
    list.kinds = file.has("kinds") ? kinds_of(file.text("kinds")) : std::vector<std::array<std::string, 2>>{{"", ""}};
    const std::vector<std::int32_t> kind =
        file.has("kind") ? file.integers("kind").values : std::vector<std::int32_t>(n);
    if (kind.size() != n) throw Error(fmt::format("has a kind of {} rows; give {}", kind.size(), n));
    for (std::size_t i = 0; i < n; ++i) {
        const std::string where = fmt::format("{}: row {}", name, i);
        if (kind[i] < 0 || static_cast<std::size_t>(kind[i]) >= list.kinds.size())
            fail(where, "there is no kind {}; count the lines of kinds from 0", kind[i]);
        list.encounters.push_back(checked_encounter(
            {.time = time[i], .point = vector_in_row(point, i), .speed = speed[i], .kind = kind[i]},
            vector_in_row(normal, i), impulse.empty() ? std::optional<Vec3>() : vector_in_row(impulse, i), where));
        if (!radii.empty()) {
            const auto radius = [&](std::size_t at) {
                return radii[at] == 0 ? 0.0f : checked_radius(radii[at], "a radius", where);
            };
            list.radii.push_back({radius(2 * i), radius(2 * i + 1)});
        }
    }
    return list;
}

}  // namespace

CollisionList parse_collision_datasets(std::span<const std::byte> bytes, const std::string& name) {
    return named_in_errors(name, [&] { return list_of(Hdf5Reader(bytes), name); });
}

std::vector<std::byte> collision_datasets(const CollisionList& list) {
    const std::uint64_t n = list.encounters.size();
    std::vector<double> time, point, normal, impulse, speed;
    std::vector<std::int32_t> kind;
    for (const Encounter& encounter : list.encounters) {
        time.push_back(encounter.time);
        speed.push_back(encounter.speed);
        kind.push_back(encounter.kind);
        const Vec3 push = encounter.normal + encounter.friction;
        point.insert(point.end(), encounter.point.begin(), encounter.point.end());
        normal.insert(normal.end(), encounter.normal.begin(), encounter.normal.end());
        impulse.insert(impulse.end(), push.begin(), push.end());
    }
    std::string kinds;
    for (const auto& [first, second] : list.kinds) kinds += first + ',' + second + '\n';
    Hdf5Writer file;
    file.write("time", time, {n}, "s");
    file.write("point", point, {n, 3}, "m");
    file.write("normal", normal, {n, 3}, "1");
    file.write("speed", speed, {n}, "m/s");
    file.write("impulse", impulse, {n, 3}, "1");
    file.write("kind", kind, {n}, "1");
    file.write("kinds", kinds);
    if (!list.radii.empty()) {
        std::vector<double> radii;
        for (const auto& pair : list.radii) radii.insert(radii.end(), pair.begin(), pair.end());
        file.write("radii", radii, {n, 2}, "m");
    }
    return file.bytes();
}

CollisionList read_collisions(const std::filesystem::path& path) {
    if (is_hdf5(path)) return parse_collision_datasets(read_bytes(path), path.string());
    return read_collision_table(path);
}

}  // namespace clangor::io
