#include <clangor/listening/listening.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {

Audio silence(double sample_rate, const std::vector<std::string>& channels, long frames) {
    CLANGOR_ASSERT(sample_rate > 0 && frames >= 0, "audio has a rate and a length");
    return {sample_rate, channels, Samples::Zero(static_cast<long>(channels.size()), frames)};
}

void add(Audio& audio, int channel, std::span<const float> pressure, long start) {
    CLANGOR_ASSERT(0 <= channel && channel < audio.samples.rows(), "the channel exists");
    const long begin = std::max(0L, start);
    const long end = std::min(audio.frames(), start + static_cast<long>(pressure.size()));
    for (long frame = begin; frame < end; ++frame) audio.samples(channel, frame) += pressure[frame - start];
}

double peak_pa(const Audio& audio, int channel) {
    return audio.frames() == 0 ? 0.0 : double(audio.samples.row(channel).cwiseAbs().maxCoeff());
}

double peak_pa(const Audio& audio) {
    return audio.samples.size() == 0 ? 0.0 : double(audio.samples.cwiseAbs().maxCoeff());
}

double rms_pa(const Audio& audio, int channel) {
    if (audio.frames() == 0) return 0.0;
    double sum = 0;  // in order and in double: the same on every machine
    for (long frame = 0; frame < audio.frames(); ++frame) sum += square(double(audio.samples(channel, frame)));
    return std::sqrt(sum / static_cast<double>(audio.frames()));
}

double rms_pa(const Audio& audio) {
    if (audio.samples.rows() == 0) return 0.0;
    double mean_square = 0;
    for (int channel = 0; channel < audio.samples.rows(); ++channel) mean_square += square(rms_pa(audio, channel));
    return std::sqrt(mean_square / static_cast<double>(audio.samples.rows()));
}

double sound_pressure_level_db(double pressure) { return 20.0 * std::log10(pressure / 20e-6); }

double factor_of_db(double gain_db) { return std::pow(10.0, gain_db / 20.0); }

double auto_gain_db(const Audio& audio) { return auto_gain_db(peak_pa(audio)); }

double auto_gain_db(double peak) { return peak > 0 ? -1.0 - 20.0 * std::log10(peak) : 0.0; }

}  // namespace clangor
