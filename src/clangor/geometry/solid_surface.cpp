#include <clangor/geometry/body_depth.hpp>
#include <clangor/geometry/solid_surface.hpp>
#include <clangor/geometry/thickened.hpp>
#include <clangor/geometry/wrap.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace clangor::geometry {
namespace {

// Wraps take some 0.1 ms for each of their faces, and meshing them ten times as long.
constexpr double most_wrap_faces = 60e3;

/// True if a vertex joins fans of faces that share no edge there, as the tips of two cones do. On a closed surface the
/// edges that leave a vertex number as many as its faces, and following them from face to face passes all of one fan.
bool has_pinched_vertex(const Surface& surface) {
    const std::size_t count = surface.vertices.rows();
    std::vector<std::vector<std::array<int, 2>>> steps(count);  // around each vertex, from one neighbour to the next
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k)
            steps[surface.faces(f, k)].push_back({surface.faces(f, (k + 1) % 3), surface.faces(f, (k + 2) % 3)});
    return std::any_of(steps.begin(), steps.end(), [](const auto& around) {
        if (around.empty()) return false;
        std::size_t passed = 1;
        for (int now = around[0][1]; now != around[0][0]; ++passed)
            now = (*std::find_if(around.begin(), around.end(), [&](const auto& step) { return step[0] == now; }))[1];
        return passed < around.size();
    });
}

/// Half the area times the thickness is the volume of a wall.
double mean_thickness(const Surface& surface) { return 2 * mass_properties(surface).volume / area_of(surface); }

/// The median depth of the body behind the surface. An open surface may look inward as well as outward, and the rays
/// that leave it the wrong way go far.
double typical_wall(const Surface& surface) {
    const auto median = [](std::vector<ThicknessSample> samples) {
        const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
        std::nth_element(samples.begin(), middle, samples.end(),
                         [](const auto& a, const auto& b) { return a.thickness < b.thickness; });
        return middle->thickness;
    };
    const Surface reversed{surface.vertices, surface.faces.rowwise().reverse()};
    return std::min(median(thickness_samples(surface, 2000)), median(thickness_samples(reversed, 2000)));
}

struct FilledWrap {
    Surface surface;
    double gap = 0;  ///< below which openings were closed [m]
};

/// The finest wrap that does not run through a gap to the inside, where it would leave a mere skin around the faces;
/// fine ones keep cavities and detail. Nothing if even the coarsest does.
std::optional<FilledWrap> filled_wrap(const Surface& surface) {
    const Bounds bounds = bounds_of(surface.vertices);
    const double wall = typical_wall(surface);
    const double widest = std::min((bounds.high - bounds.low).maxCoeff() / 12, 2 * wall);
    std::optional<FilledWrap> finest;
    for (const double candidate : {widest, widest / 2, widest / 4}) {
        if (2.3 * area_of(surface) > most_wrap_faces * square(candidate)) break;  // regular triangles of that edge
        // The volume grows by twice the offset over the wall.
        const Surface wrapped = wrap(surface, {candidate, 0.01 * std::min(wall, widest)});
        const bool is_skin = mean_thickness(wrapped) < 0.25 * wall;
        if (is_skin) break;
        finest = FilledWrap{wrapped, candidate};
    }
    return finest;
}

}  // namespace

std::string complaint(const Topology& topology) {
    if (topology.open_edges > 0)
        return fmt::format("the surface has {} open edges (first at vertex {})", topology.open_edges,
                           topology.first_open_vertex);
    if (topology.nonmanifold_edges > 0)
        return fmt::format("the surface has {} edges with more than two faces", topology.nonmanifold_edges);
    return "the surface cuts or touches itself";
}

SolidSurface solid_surface_of(const Surface& surface, const TetOptions& options) {
    const Topology topology = topology_of(surface);
    if (topology.closed() && !has_pinched_vertex(surface) && !self_intersects(surface)) {
        if (mass_properties(surface).volume <= 0) throw NotThisWay("the surface encloses no volume");
        if (topology.solids > 1) throw NotThisWay(fmt::format("the mesh has {} parts", topology.solids));
        return {surface, false, false, {}};
    }
    if (topology.pieces > 1)
        throw NotThisWay(fmt::format("{}, and it is in {} pieces", complaint(topology), topology.pieces));

    const Bounds bounds = bounds_of(surface.vertices);
    const double size = (bounds.high - bounds.low).maxCoeff();
    const double thickness = options.thickness > 0 ? options.thickness : size / 100;
    if (is_sheet(surface, least_winding_of_bodies(options.thickness > 0))) {
        const std::optional<Surface> solid = thickened(surface, thickness);
        if (!solid)
            throw NotThisWay(fmt::format("{}, and it is a sheet that cuts itself or branches", complaint(topology)));
        return {.surface = *solid,
                .thickened = true,
                .messages = {fmt::format("{}: it is a sheet, and was made {:.3g} mm thick{}", complaint(topology),
                                         thickness * 1e3,
                                         options.thickness > 0 ? "" : ", a hundredth of its size; thickness sets it")}};
    }

    const std::optional<FilledWrap> wrapped = filled_wrap(surface);
    if (!wrapped) throw NotThisWay(fmt::format("{}, and its gaps are too wide to be wrapped", complaint(topology)));
    if (const int solids = topology_of(wrapped->surface).solids; solids > 1)
        throw NotThisWay(fmt::format("{}, and its wrap is in {} pieces", complaint(topology), solids));
    const double before = std::abs(mass_properties(surface).volume), after = mass_properties(wrapped->surface).volume;
    return {.surface = wrapped->surface,
            .wrapped = true,
            .messages = {fmt::format(
                "{}, so that it was wrapped: gaps below {:.2g} mm are closed, enclosed voids filled; the "
                "volume changed from {:.4g} to {:.4g} cm³ ({:+.1f} %)",
                complaint(topology), wrapped->gap * 1e3, before * 1e6, after * 1e6, (after / before - 1) * 100)}};
}

}  // namespace clangor::geometry
