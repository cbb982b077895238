// Levels over frequency, and over time. Internal to validation.
#pragma once

#include <clangor/validation/validation.hpp>

#include <span>

namespace clangor::validation {

struct SpectrogramOptions {
    double rate_hz = 48e3;
    long window = 4096;  ///< samples under Hann's window, a power of two
    long hop = 512;      ///< samples from column to column
    double max_hz = 20e3;
};

/// Times are those of the middles of windows. 0 dB is the loudest of all.
LevelMap spectrogram(std::span<const double> samples, const SpectrogramOptions& options);

/// |X|² from 0 to half the sample rate, under Hann's window; of a power of two of samples.
Eigen::VectorXd power_spectrum(const Eigen::VectorXd& samples);

}  // namespace clangor::validation
