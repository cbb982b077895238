#include <clangor/radiation/wave/decay.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::wave {

void DecayWatch::add(std::size_t field, const std::vector<float>& history, long points) {
    if (points == 0) return;
    Level& level = levels_[field];
    for (; level.seen < history.size(); level.seen += points) {
        double energy = 0;
        for (long i = 0; i < points; ++i) {
            const auto p = double(history[level.seen + static_cast<std::size_t>(i)]);
            energy += p * p;
        }
        level.energy.push_back(energy);
        level.peak = std::max(level.peak, energy);
    }
}

double DecayWatch::window_peak(const Level& level) const {
    const auto count = std::min<long>(window_, static_cast<long>(level.energy.size()));
    double peak = 0;
    for (auto e = level.energy.end() - count; e != level.energy.end(); ++e) peak = std::max(peak, *e);
    return peak;
}

bool DecayWatch::died_out() const {
    const double fraction = std::pow(10.0, -decay_db_ / 10);
    bool heard = false;
    for (const Level& level : levels_) {
        if (static_cast<long>(level.energy.size()) <= window_) return false;
        if (level.peak == 0) continue;
        heard = true;
        if (window_peak(level) > fraction * level.peak) return false;
    }
    return heard;
}

double DecayWatch::residual_db() const {
    double worst = -400;  // nothing is left, or nothing was heard
    for (const Level& level : levels_)
        if (level.peak > 0) worst = std::max(worst, 10 * std::log10(window_peak(level) / level.peak + 1e-40));
    return worst;
}

}  // namespace clangor::wave
