#include <clangor/geometry/thickness.hpp>

#include <algorithm>

namespace clangor {

double typical_thickness(const Surface& surface) {
    constexpr int sample_count = 400;
    std::vector<geometry::ThicknessSample> samples = geometry::thickness_samples(surface, sample_count);
    std::ranges::stable_sort(samples, {}, &geometry::ThicknessSample::thickness);
    double area = 0, seen = 0;
    for (const geometry::ThicknessSample& sample : samples) area += sample.area;
    for (const geometry::ThicknessSample& sample : samples)
        if ((seen += sample.area) >= area / 2) return sample.thickness;
    return 0;
}

}  // namespace clangor
