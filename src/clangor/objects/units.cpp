#include <clangor/objects/units.hpp>

#include <fmt/format.h>

#include <array>

namespace clangor {
namespace {

// Between a screw and a piano.
constexpr double smallest = 3e-3, largest = 3;

struct Unit {
    const char* name;
    double metres;
};
constexpr std::array<Unit, 4> units = {
    {{"millimetres", 1e-3}, {"centimetres", 1e-2}, {"inches", 0.0254}, {"metres", 1}}};

Vec3 sides_of(const Surface& surface) {
    const Bounds bounds = bounds_of(surface.vertices);
    return bounds.high - bounds.low;
}

}  // namespace

std::string length_text(double length) {
    return length < 1 ? fmt::format("{:.3g} mm", 1e3 * length) : fmt::format("{:.3g} m", length);
}

std::string size_text(const Surface& surface) {
    const Vec3 sides = sides_of(surface);
    const bool is_small = sides.maxCoeff() < 1;
    const Vec3 shown = (is_small ? 1e3 : 1.0) * sides;
    return fmt::format("{:.3g} × {:.3g} × {:.3g} {}", shown.x(), shown.y(), shown.z(), is_small ? "mm" : "m");
}

std::string unit_remark(const Surface& surface, double scale) {
    const double longest = sides_of(surface).maxCoeff();
    if (surface.vertices.rows() == 0 || (longest >= smallest && longest <= largest)) return {};
    std::string likely;
    for (const Unit& unit : units) {
        const double length = longest / scale * unit.metres;
        if (unit.metres == scale || length < smallest || length > largest) continue;
        likely += fmt::format("{}in {} its scale is {:g} ({})", likely.empty() ? "" : ", ", unit.name, unit.metres,
                              length_text(length));
    }
    if (likely.empty()) return fmt::format("{} long: check the scale of its mesh", length_text(longest));
    return fmt::format("{} long: if its mesh is {} (\"scale\" in a scene, --scale)", length_text(longest), likely);
}

}  // namespace clangor
