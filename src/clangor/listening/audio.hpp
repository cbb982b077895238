// Sound pressure as samples, and how loud it is.
#pragma once

#include <clangor/core/core.hpp>

#include <span>
#include <string>
#include <vector>

namespace clangor {

/// Channels × frames, row-major: each channel is contiguous [Pa].
using Samples = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Audio {
    double sample_rate = 48000;         ///< [Hz]
    std::vector<std::string> channels;  ///< what each row of samples is: "mic", "head left", …
    Samples samples;                    ///< [Pa]

    long frames() const { return samples.cols(); }
    double duration() const { return static_cast<double>(samples.cols()) / sample_rate; }  ///< [s]
};

Audio silence(double sample_rate, const std::vector<std::string>& channels, long frames);

/// Adds a pressure to a channel, its first sample at frame `start` (which may be negative). What falls outside the
/// audio is dropped.
void add(Audio& audio, int channel, std::span<const float> pressure, long start);

double peak_pa(const Audio& audio);  ///< largest |p| of all channels [Pa]
double rms_pa(const Audio& audio);   ///< over all channels and frames [Pa]

double peak_pa(const Audio& audio, int channel);
double rms_pa(const Audio& audio, int channel);

/// 20 lg(pressure / 20 µPa); −∞ for silence.
double sound_pressure_level_db(double pressure);

/// The factor of a gain in decibels, 10^(gain/20).
double factor_of_db(double gain_db);

/// The gain that puts the peak 1 dB below full scale (1.0); 0 for silence.
double auto_gain_db(const Audio& audio);
double auto_gain_db(double peak);  ///< [Pa]

/// Largest magnitude of all channels between the samples [Pa].
double true_peak_pa(const Audio& audio);

/// Holds |p| under the ceiling, between the samples too: looks ahead 1.5 ms, lets go within 100 ms. The same gain for
/// all channels. Audio that stays under the ceiling is left as it is, bit by bit. Returns the deepest reduction [dB], 0
/// or more.
double limit_true_peak(Audio& audio, double ceiling);

}  // namespace clangor
