#include <clangor/geometry/sizing.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor::geometry {
namespace {

constexpr int sample_count = 20000;
// Torsion warps a bar's section, which one layer of elements sees poorly: 2 % too stiff. Bodies so simple that the
// other rules give them few elements can well afford these. Tuned on the bar of 200×20×10 mm.
constexpr double min_elements = 5000;

/// Lengths of waves in a wall of typical stiff matter (steel, glass and aluminium alike: thin-plate speed c = 5400 m/s,
/// shear speed 3100 m/s): λ² = (2π/√12) c t/f in bending, and never more than the shear wave's.
double shortest_wave(double t, double f_hz) {
    return std::min(std::sqrt(2 * pi / std::sqrt(12.0) * 5400 * t / f_hz), 3100 / f_hz);
}

double elements_if(const Sizing& sizing, double (Sizing::*length)(double) const) {
    // Measured: 13 elements in a cube of the wanted length, 17 in a slab that is flatter than it is wide.
    double count = 0;
    for (const auto& [thickness, volume] : sizing.parts) {
        const double edge = (sizing.*length)(thickness);
        count += 15 * volume / (square(edge) * std::min(edge, thickness));
    }
    return count;
}

/// The wanted lengths shrink or grow alike until the body has neither too few nor too many elements.
double suitable_scale(Sizing sizing) {
    sizing.scale = 1;
    while (estimated_elements(sizing) < min_elements) sizing.scale *= 0.95;
    while (estimated_elements(sizing) > max_chosen_elements) sizing.scale *= 1.05;
    return sizing.scale;
}

[[noreturn]] void refuse(Sizing sizing) {
    const double count = estimated_elements(sizing);
    if (sizing.edge_length > 0) {
        const double asked = sizing.edge_length;
        while (estimated_elements(sizing) > max_elements && sizing.edge_length < sizing.body_size)
            sizing.edge_length *= 1.1;
        if (estimated_elements(sizing) <= max_elements)
            throw Error(
                fmt::format("elements of {:.3g} mm would number about {:.2g} million, and 5 million is the most "
                            "that is meshed; ask for an edge length of {:.3g} mm or more",
                            asked * 1e3, count / 1e6, sizing.edge_length * 1e3));
    }
    const auto by_thickness = [](const auto& a, const auto& b) { return a.thickness < b.thickness; };
    const auto thinnest = std::min_element(sizing.parts.begin(), sizing.parts.end(), by_thickness);
    throw Error(
        fmt::format("the body is {:.3g} m long and {:.3g} mm thin: filling it would take about {:.2g} million "
                    "elements, and 5 million is the most that is meshed; thicken its walls, or ask for less "
                    "refinement",
                    sizing.body_size, thinnest->thickness * 1e3, count / 1e6));
}

}  // namespace

double Sizing::wanted(double t) const {
    if (edge_length > 0) return edge_length;
    return scale * std::min({3.6 * t, shortest_wave(t, max_hz) / 3, body_size / 6});
}

double Sizing::refined(double t) const { return std::min(wanted(t), 1.3 * t); }

double Sizing::longest() const {
    double length = 0;
    for (const Part& part : parts) length = std::max(length, wanted(part.thickness));
    return length;
}

double refined_elements(const Sizing& sizing) { return elements_if(sizing, &Sizing::refined); }

double estimated_elements(const Sizing& sizing) { return elements_if(sizing, &Sizing::wanted); }

std::vector<std::string> too_long(double scale, const TetOptions& options) {
    const double told_hz = options.told_hz > 0 ? options.told_hz : options.max_hz;
    const double times = scale * std::sqrt(told_hz / options.max_hz);  // waves of bending: f λ² is constant
    if (!(times > 1)) return {};
    return {fmt::format(
        "the body is so large, or its walls are so thin, that elements were made {:.2g} times as long as modes up to "
        "{:.3g} kHz need; up to {:.2g} kHz they are right, and a finer edge length can be asked for",
        times, 1e-3 * told_hz, 1e-3 * told_hz / square(times))};
}

Sizing sizing_of(const Surface& surface, const TetOptions& options) {
    const std::vector<ThicknessSample> samples = thickness_samples(surface, sample_count);
    std::vector<GradedField::Sample> known;
    for (const ThicknessSample& sample : samples) known.push_back({sample.point, sample.thickness, sample.spacing});
    const Bounds bounds = bounds_of(surface.vertices);
    Sizing sizing{{},
                  GradedField(known, 0.5),
                  options.edge_length,
                  (bounds.high - bounds.low).maxCoeff(),
                  options.max_hz,
                  1.0,
                  0.0,
                  {}};

    double total = 0;  // area times thickness: twice the volume in walls, more in compact bodies
    for (const ThicknessSample& sample : samples) {
        const double thickness = sizing.thickness(sample.point);
        sizing.parts.push_back({thickness, sample.area * thickness});
        total += sizing.parts.back().volume;
    }
    const double volume = mass_properties(surface).volume;
    for (Sizing::Part& part : sizing.parts) part.volume *= volume / total;

    if (options.edge_length <= 0) {
        const double suitable = suitable_scale(sizing);
        sizing.scale = suitable / options.refinement;
        sizing.messages = too_long(suitable, options);
    }
    if (estimated_elements(sizing) > max_elements) refuse(sizing);
    return sizing;
}

}  // namespace clangor::geometry
