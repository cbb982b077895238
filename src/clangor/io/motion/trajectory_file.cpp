#include <clangor/io/motion/trajectory_file.hpp>

#include <clangor/io/file/file.hpp>
#include <clangor/io/motion/gltf_motion.hpp>
#include <clangor/io/motion/table.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace clangor::io {
namespace {

namespace fs = std::filesystem;

constexpr ColumnKind trajectory_columns[] = {
    {"time", Quantity::Time, "t"}, {"frame", Quantity::Number},   {"x", Quantity::Length, "tx"},
    {"y", Quantity::Length, "ty"}, {"z", Quantity::Length, "tz"}, {"qx", Quantity::Number},
    {"qy", Quantity::Number},      {"qz", Quantity::Number},      {"qw", Quantity::Number},
    {"rx", Quantity::Angle},       {"ry", Quantity::Angle},       {"rz", Quantity::Angle},
};
constexpr std::array<std::string_view, 3> place = {"x", "y", "z"};
constexpr std::array<std::string_view, 4> quaternion = {"qx", "qy", "qz", "qw"};
constexpr std::array<std::string_view, 3> euler = {"rx", "ry", "rz"};
constexpr double farthest = 1e6;  // as in a scene [m]

enum class Turns { No, Quaternion, Euler };

Turns turns_of(const TableReader& table) {
    const bool has_quaternion = table.has_all(quaternion), has_euler = table.has_all(euler);
    if (has_quaternion && has_euler) {
        fail(table.where_header(), "rotations are there twice, as qx…qw and as rx…rz; leave one of them out");
    }
    return has_quaternion ? Turns::Quaternion : has_euler ? Turns::Euler : Turns::No;
}

double time_of(const TableReader& table) {
    if (table.has("time")) return table.number("time");
    return time_of_frame(table.units(), table.number("frame"), table.where());
}

Vec3 place_of(const TableReader& table) {
    Vec3 position;
    for (int axis = 0; axis < 3; ++axis) {
        position[axis] = table.number(place[axis]);
        if (std::abs(position[axis]) <= farthest) continue;
        fail(table.where(), "{} is {} m, which is too far away; check the unit", place[axis], position[axis]);
    }
    return y_up(table.units(), position);
}

Eigen::Quaterniond rotation_of(const TableReader& table, Turns turns) {
    if (turns == Turns::No) return Eigen::Quaterniond::Identity();
    Eigen::Quaterniond rotation;
    if (turns == Turns::Quaternion) {
        for (int i = 0; i < 4; ++i) rotation.coeffs()[i] = table.number(quaternion[i]);
        const double norm = rotation.coeffs().stableNorm();
        if (!(norm > 1e-6 && norm < 1e6)) {
            fail(table.where(), "the quaternion has the length {}, which is no rotation; its length should be 1", norm);
        }
        rotation.coeffs() /= norm;
    } else {
        const auto about = [&](int i, const Vec3& axis) {
            return Eigen::AngleAxisd(table.number(euler[i]) * (pi / 180), axis);
        };
        rotation = about(2, Vec3::UnitZ()) * about(1, Vec3::UnitY()) * about(0, Vec3::UnitX());
    }
    return y_up(table.units(), rotation);
}

void check_time(const TableReader& table, const std::vector<double>& times, double time) {
    if (times.empty() || time > times.back()) return;
    if (time == times.back()) {
        fail(table.where(), "the time {} s is that of the row before; leave one of them out", time);
    }
    fail(table.where(), "times must ascend, but {} s follows {} s; sort the rows", time, times.back());
}

bool is_gltf(const fs::path& path) {
    const std::string ending = tidy(path.extension().string());
    return ending == ".gltf" || ending == ".glb";
}

}  // namespace

Trajectory parse_trajectory(std::string_view text, const std::string& name) {
    TableReader table(text, name, trajectory_columns);
    if (!table.has("time") && !table.has("frame")) {
        fail(table.where_header(), "the column \"time\" is missing, and so is \"frame\"");
    }
    table.require(place);
    const Turns turns = turns_of(table);
    std::vector<double> times, positions, rotations;
    Eigen::Quaterniond before = Eigen::Quaterniond::Identity();
    while (table.next()) {
        const double time = time_of(table);
        check_time(table, times, time);
        const Vec3 position = place_of(table);
        Eigen::Quaterniond rotation = rotation_of(table, turns);
        if (rotation.dot(before) < 0) rotation.coeffs() *= -1;  // q and −q are one rotation; neighbours agree in sign
        before = rotation;
        times.push_back(time);
        positions.insert(positions.end(), position.data(), position.data() + 3);
        rotations.insert(rotations.end(), rotation.coeffs().data(), rotation.coeffs().data() + 4);
    }
    if (times.empty()) fail(name, "holds no row below its column names; export the motion again");
    const Eigen::Index rows = static_cast<Eigen::Index>(times.size());
    return {Eigen::Map<const Eigen::VectorXd>(times.data(), rows), Eigen::Map<const Points>(positions.data(), rows, 3),
            Eigen::Map<const Rotations>(rotations.data(), rows, 4)};
}

ImportedPath read_trajectory(const fs::path& path, const std::string& object) {
    const auto [file, part] = file_part(path);
    if (is_gltf(file)) return read_node_motion(file, part, object);
    const std::string ending = tidy(file.extension().string());
    if (ending != ".csv" && ending != ".tsv" && ending != ".txt") {
        fail(file.string(), "is no trajectory that is known here; use .csv, .tsv, .txt, .gltf or .glb");
    }
    if (!part.empty()) {
        fail(file.string(), "is a table, which has no part \"{}\"; leave out what follows the #", part);
    }
    return {parse_trajectory(read_text_file(file, largest_table), file.string()), {}};
}

}  // namespace clangor::io
