// What a rod is at rest, and what cannot be one
#include <clangor/vibration/rod/rod.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clangor {
namespace {

// Beyond so much turning from edge to edge, 2 tan(φ/2) is no curvature any more: a rod that folds back on itself.
constexpr double sharpest_turn_deg = 150;

Vec3 point_of(const RodShape& shape, long i) { return shape.points.row(i % shape.points.rows()).transpose(); }

void section_problems(const RodSection& section, std::vector<std::string>& problems) {
    const std::pair<const char*, double> sizes[] = {{"area", section.area},           {"bending_1", section.bending_1},
                                                    {"bending_2", section.bending_2}, {"torsion", section.torsion},
                                                    {"shear_1", section.shear_1},     {"shear_2", section.shear_2}};
    for (const auto& [name, size] : sizes)
        if (!(size > 0 && std::isfinite(size)))
            problems.push_back(fmt::format("the section's {} must be positive, but is {}", name, size));
}

void point_problems(const RodShape& shape, std::vector<std::string>& problems) {
    const long n = shape.points.rows(), edges = shape.closed ? n : n - 1;
    double total = 0;
    for (long j = 0; j < edges; ++j) total += (point_of(shape, j + 1) - point_of(shape, j)).norm();
    const auto is_short = [&](long j) {
        return (point_of(shape, j + 1) - point_of(shape, j)).norm() < 1e-6 * total / double(edges);
    };
    for (long j = 0; j < edges; ++j)
        if (is_short(j)) {
            problems.push_back(
                fmt::format("points {} and {} of the rod are at one place; leave one of them out", j, (j + 1) % n));
            return;
        }
    for (long i = shape.closed ? 0 : 1; i < edges; ++i) {
        const Vec3 here = point_of(shape, i), e = here - point_of(shape, i + n - 1), f = point_of(shape, i + 1) - here;
        const double turn = std::atan2(e.cross(f).norm(), e.dot(f));
        if (turn * 180 / pi > sharpest_turn_deg) {
            problems.push_back(
                fmt::format("the rod folds back by {:.0f}° at point {}; give a bend more points, so that "
                            "each turns it by less than {}°",
                            turn * 180 / pi, i, sharpest_turn_deg));
            return;
        }
        const double radius = 0.5 * (e.norm() + f.norm()) / (2 * std::tan(turn / 2) + 1e-300);
        const double gyration =
            std::sqrt(std::min(shape.section.bending_1, shape.section.bending_2) / shape.section.area);
        if (radius < gyration) {
            problems.push_back(
                fmt::format("the rod is bent at point {} to a radius of {:.3g} mm, tighter than its own "
                            "section, whose radius of gyration is {:.3g} mm",
                            i, radius * 1e3, gyration * 1e3));
            return;
        }
    }
}

}  // namespace

RodSection round_wire(double radius) {
    const double I = pi * square(square(radius)) / 4;
    return {
        .area = pi * square(radius), .bending_1 = I, .bending_2 = I, .torsion = 2 * I, .shear_1 = 0.9, .shear_2 = 0.9};
}

RodSection flat_bar(double width, double height) {
    const double a = std::max(width, height), b = std::min(width, height);
    double series = 0;  // Saint-Venant's, docs/theory/rod.md
    for (int k = 1; k < 40; k += 2) series += std::tanh(k * pi * a / (2 * b)) / std::pow(k, 5);
    const double J = a * cube(b) * (1. / 3 - 64 / std::pow(pi, 5) * b / a * series);
    return {.area = width * height,
            .bending_1 = height * cube(width) / 12,
            .bending_2 = width * cube(height) / 12,
            .torsion = J};
}

Points straight_points(const Vec3& from, const Vec3& to, long count) {
    Points points(count, 3);
    for (long i = 0; i < count; ++i) points.row(i) = (from + (to - from) * double(i) / double(count - 1)).transpose();
    return points;
}

std::vector<std::string> problems_of(const RodShape& shape) {
    std::vector<std::string> problems;
    const long n = shape.points.rows(), least = shape.closed ? 5 : 3;
    if (n < least)
        return {fmt::format("{} rod needs {} points at least, but has {}", shape.closed ? "a closed" : "an open", least,
                            n)};
    if (!shape.points.allFinite()) return {"the rod's points must be finite"};
    section_problems(shape.section, problems);
    if (problems.empty()) point_problems(shape, problems);
    const long edges = shape.closed ? n : n - 1;
    if (shape.twist.size() != 0 && shape.twist.size() != edges)
        problems.push_back(fmt::format("twist is given for {} edges of {}", shape.twist.size(), edges));
    if (!shape.twist.allFinite()) problems.emplace_back("twist must be finite");
    if (!shape.first_direction.allFinite()) problems.emplace_back("the first direction must be finite");
    return problems;
}

}  // namespace clangor
