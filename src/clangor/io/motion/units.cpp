#include <clangor/io/motion/units.hpp>

#include <clangor/io/file/file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace clangor::io {
namespace {

struct Unit {
    std::string_view name;
    double factor;
};

constexpr Unit lengths[] = {{"m", 1},
                            {"cm", 0.01},
                            {"mm", 0.001},
                            {"km", 1000},
                            {"in", 0.0254},
                            {"ft", 0.3048},
                            {"metres", 1},
                            {"meters", 1},
                            {"metre", 1},
                            {"meter", 1},
                            {"centimetres", 0.01},
                            {"centimeters", 0.01},
                            {"millimetres", 0.001},
                            {"millimeters", 0.001}};
constexpr Unit times[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}, {"seconds", 1}, {"milliseconds", 1e-3}};
constexpr Unit angles[] = {{"deg", 1}, {"°", 1}, {"degrees", 1}, {"rad", 180 / pi}, {"radians", 180 / pi}};
constexpr Unit speeds[] = {{"m/s", 1}, {"cm/s", 0.01}, {"mm/s", 0.001}};
constexpr Unit impulses[] = {{"n·s", 1},    {"ns", 1},     {"n s", 1},   {"n*s", 1},
                             {"kg·m/s", 1}, {"kg*m/s", 1}, {"kg m/s", 1}};

std::span<const Unit> units_of(Quantity quantity) {
    switch (quantity) {
        case Quantity::Length:
            return lengths;
        case Quantity::Time:
            return times;
        case Quantity::Angle:
            return angles;
        case Quantity::Speed:
            return speeds;
        case Quantity::Impulse:
            return impulses;
        case Quantity::Number:
            return {};
    }
    return {};
}

double number_of(std::string_view key, std::string_view value, const std::string& where) {
    const std::optional<double> number = number_in(value);
    if (!number || !std::isfinite(*number)) fail(where, "{} should be a number, but is \"{}\"", key, printable(value));
    return *number;
}

}  // namespace

std::string tidy(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    std::string result(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
    std::ranges::transform(result, result.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return result;
}

double factor_of(std::string_view unit, Quantity quantity, const std::string& where) {
    const std::string wanted = tidy(unit);
    std::string known;
    for (const Unit& candidate : units_of(quantity)) {
        if (candidate.name == wanted) return candidate.factor;
        if (std::ranges::count(known, ',') < 4) known += fmt::format("{}{}", known.empty() ? "" : ", ", candidate.name);
    }
    if (known.empty()) fail(where, "\"{}\" is a unit of what has none; leave it out", printable(wanted));
    fail(where, "unknown unit \"{}\"; write one of {}", printable(wanted), known);
}

bool state_unit(MotionUnits& units, std::string_view key, std::string_view value, const std::string& where) {
    const std::string name = tidy(key), text = tidy(value);
    if (name == "unit" || name == "units" || name == "length" || name == "length_unit") {
        units.length = factor_of(text, Quantity::Length, where);
    } else if (name == "time" || name == "time_unit") {
        units.time = factor_of(text, Quantity::Time, where);
    } else if (name == "fps" || name == "frame_rate") {
        units.fps = number_of(name, text, where);
        if (!(units.fps > 0 && units.fps <= 1e6)) fail(where, "{} must be in (0, 1000000], but is {}", name, units.fps);
    } else if (name == "start" || name == "first_frame") {
        units.first_frame = number_of(name, text, where);
    } else if (name == "up" || name == "up_axis") {
        if (text != "y" && text != "z") fail(where, "up should be y or z, but is \"{}\"", printable(text));
        units.z_up = text == "z";
    } else {
        return false;
    }
    return true;
}

void read_comment(MotionUnits& units, std::string_view comment, const std::string& where) {
    comment.remove_prefix(std::min(comment.find_first_not_of("# \t"), comment.size()));
    const std::size_t colon = comment.find_first_of(":=");
    if (colon != std::string_view::npos) state_unit(units, comment.substr(0, colon), comment.substr(colon + 1), where);
}

double time_of_frame(const MotionUnits& units, double frame, const std::string& where) {
    if (units.fps == 0) {
        fail(where, "frames are counted, but the frame rate is not stated; put a line \"# fps: 24\" before the first");
    }
    return (frame - units.first_frame) / units.fps;
}

Vec3 y_up(const MotionUnits& units, const Vec3& vector) {
    return units.z_up ? Vec3(vector.x(), vector.z(), -vector.y()) : vector;
}

Eigen::Quaterniond y_up(const MotionUnits& units, const Eigen::Quaterniond& rotation) {
    const Vec3 axis = y_up(units, Vec3(rotation.vec()));
    return {rotation.w(), axis.x(), axis.y(), axis.z()};
}

}  // namespace clangor::io
