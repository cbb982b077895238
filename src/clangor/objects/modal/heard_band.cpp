#include <clangor/objects/modal/heard_band.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace clangor {
namespace {

// e^{−ξωt} is 1/1000 after N periods 2π/ω: ξ = ln(1000)/2πN.
double ratio_of(double periods) { return std::log(1000.0) / (2 * pi * periods); }

constexpr double dead_periods = 3, dull_periods = 20;

// The highest frequency of the band at which modes ring for longer than so many periods: max_hz, the frequency where ξ
// has risen to the limit, or nothing. ξ = ½(α/ω + βω + γ/ω³) falls, then rises: from above, the first crossing is that
// one.
std::optional<double> highest_ringing_hz(const Damping& damping, const scene::SolidOptions& options, double periods) {
    const double limit = ratio_of(periods);
    const auto rings = [&](double hz) { return damping_ratio(damping, 2 * pi * hz) < limit; };
    if (rings(options.max_hz)) return options.max_hz;
    double high = options.max_hz, low = high;
    while (low > options.min_hz && !rings(low)) high = low, low *= 0.98;
    if (!rings(low)) return {};
    while (high - low > 1e-9 * high) {
        const double middle = (low + high) / 2;
        (rings(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace

HeardBand heard_band(const Damping& damping, const scene::SolidOptions& options) {
    const double dull_hz = highest_ringing_hz(damping, options, dull_periods).value_or(options.min_hz);
    return {.max_hz = highest_ringing_hz(damping, options, dead_periods).value_or(options.max_hz),
            .dull_hz = dull_hz < options.max_hz ? dull_hz : std::numeric_limits<double>::infinity()};
}

HeardBand contact_band(const Damping& damping, const scene::SolidOptions& options) {
    constexpr double times = 4, highest_hz = 20e3;
    scene::SolidOptions wider = options;
    wider.max_hz = std::max(options.max_hz, std::min(times * options.max_hz, highest_hz));
    return heard_band(damping, wider);
}

void add_band_messages(ModalBody& model, const Modes& modes, double heard_hz, double max_hz) {
    if (heard_hz < max_hz)
        model.messages.push_back(
            fmt::format("modes above {:.3g} kHz were not sought: the material damps them so much that they die "
                        "within three periods",
                        1e-3 * heard_hz));
    if (modes.dull > 0 && modes.omega[modes.omega.size() - 1] < 2 * pi * heard_hz)
        model.messages.push_back(fmt::format(
            "only the {} lowest modes, up to {:.3g} kHz, were sought: the {} above overlap and die within twenty "
            "periods, so that no pitch is heard of them; max_modes (--count) asks for more",
            modes.omega.size(), 1e-3 * modes.omega[modes.omega.size() - 1] / (2 * pi), modes.dull));
}

}  // namespace clangor
