#include <clangor/geometry/decimate.hpp>

#include <clangor/geometry/edge_collapse.hpp>
#include <clangor/geometry/thickness.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

constexpr int enough_faces = 120'000;  // meshing takes a second more for each 100 000

// Rays through more faces than this take seconds, so that those are merged before the walls are measured, by a part of
// the mean edge: no scan resolves walls thinner than its edges.
constexpr int faces_for_rays = 1'000'000;
constexpr double deviation_of_edge = 0.04;

// A hundredth of the wall, the scanner's noise included, which merging averages out: the wall itself hardly changes.
constexpr double deviation_of_wall = 0.01;
constexpr double thin_share = 0.05;  // of the surface, whose walls are thinner

double mean_edge(const Surface& surface) {
    return std::sqrt(area_of(surface) / static_cast<double>(surface.faces.rows()) * 4 / std::sqrt(3.0));
}

double thin_wall(const Surface& surface) {
    std::vector<geometry::ThicknessSample> samples = geometry::thickness_samples(surface, 2000);
    std::ranges::sort(samples, {}, &geometry::ThicknessSample::thickness);
    double area = 0;
    for (const geometry::ThicknessSample& sample : samples) area += sample.area;
    double passed = 0;
    for (const geometry::ThicknessSample& sample : samples) {
        passed += sample.area;
        if (passed >= thin_share * area) return sample.thickness;
    }
    return 0;
}

}  // namespace

CleanSurface decimated(const CleanSurface& given) {
    if (given.surface.faces.rows() <= oversampled_faces) return given;
    geometry::EdgeCollapse collapse(given.surface);
    collapse.run(deviation_of_edge * mean_edge(given.surface), faces_for_rays);
    collapse.run(deviation_of_wall * thin_wall(collapse.surface()), enough_faces);
    CleanSurface result{collapse.surface(), given.repairs};
    result.repairs.merged_faces = static_cast<int>(given.surface.faces.rows() - result.surface.faces.rows());
    result.repairs.merged_by = collapse.deviation();
    return result;
}

}  // namespace clangor
