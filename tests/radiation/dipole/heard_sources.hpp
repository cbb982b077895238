// Moving sources, and what is heard of them.
#pragma once

#include <clangor/radiation/dipole/dipole.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace clangor::test {

inline PointSources one_dipole(const Vec3& position, const Vec3& force) {
    return {.positions = position.transpose(), .forces = force.transpose(), .flows = Eigen::VectorXd::Zero(1)};
}

/// The first samples of what is heard of sources(t).
inline std::vector<float> heard(const DipoleSumOptions& options, long samples,
                                const std::function<PointSources(double)>& sources,
                                const std::function<EmissionPlace(double)>& place) {
    DipoleSum sum(options, Air{});
    std::vector<float> out;
    for (long k = 0; long(out.size()) < samples; ++k) {
        const double time = double(k) / options.source_rate;
        sum.add(sources(time), place(time));
        std::vector<float> block(size_t(sum.ready()));
        sum.take(block);
        out.insert(out.end(), block.begin(), block.end());
    }
    out.resize(size_t(samples));
    return out;
}

/// The largest difference to expected(time of emission at the centre), between two samples.
inline double largest_error(const std::vector<float>& out, double rate, long from,
                            const std::function<double(double)>& expected) {
    double largest = 0;
    for (long j = from; j < long(out.size()); ++j)
        largest = std::max(largest, std::abs(double(out[size_t(j)]) - expected(double(j) / rate)));
    return largest;
}

}  // namespace clangor::test
