#include <clangor/render/missed_strike.hpp>

#include <fmt/format.h>

namespace clangor {

void refuse_missed(std::size_t index, const scene::Strike& strike, const Vec3& closest, double size) {
    const double distance = (closest - strike.at).norm();
    if (distance <= 0.1 * size) return;
    throw Error(fmt::format(
        "strike {} misses \"{}\": ({:g}, {:g}, {:g}) is {:.3g} m away from it, more than a tenth of its size "
        "({:.3g} m). The closest point of its surface is ({:.4g}, {:.4g}, {:.4g})",
        index + 1, strike.object, strike.at[0], strike.at[1], strike.at[2], distance, size, closest[0], closest[1],
        closest[2]));
}

}  // namespace clangor
