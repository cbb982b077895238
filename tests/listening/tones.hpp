// Tones, and what is left of them in a channel.
#pragma once

#include <clangor/listening/listening.hpp>

#include <cmath>
#include <complex>
#include <vector>

namespace clangor::test {

inline std::vector<float> tone(double hz, double rate, long frames) {
    std::vector<float> out(frames);
    for (long i = 0; i < frames; ++i)
        out[i] = static_cast<float>(std::cos(2 * pi * std::fmod(hz * static_cast<double>(i) / rate, 1.0)));
    return out;
}

/// A path that does not change.
inline DelayCurve steady(double delay, const Vec3& direction, double duration) {
    DelayCurve delay_curve;
    const long count = static_cast<long>(duration * delay_curve.control_hz) + 1;
    delay_curve.delays = Eigen::VectorXd::Constant(count, delay);
    delay_curve.directions = direction.transpose().replicate(count, 1);
    return delay_curve;
}

inline Audio heard(const MicrophoneArray& array, int capsule, std::span<const float> emitted,
                   const DelayCurve& delay_curve, double rate = 48000, double factor = 1.0) {
    Audio audio = silence(rate, array.channels, static_cast<long>(emitted.size()));
    add_arrival(audio, 0, array, capsule, emitted, delay_curve, factor, 343.2);
    return audio;
}

/// Amplitude and phase of a tone in the second half of a channel, under a window of Hann: 2/N Σ w p e^{−iωt}.
inline std::complex<double> amplitude(const Audio& audio, int channel, double hz) {
    std::complex<double> sum = 0;
    double weights = 0;
    const long half = audio.frames() / 2;
    for (long i = half; i < audio.frames(); ++i) {
        const double weight = 1 - std::cos(2 * pi * (double(i - half) + 0.5) / double(audio.frames() - half));
        sum += weight * double(audio.samples(channel, i)) *
               std::polar(1.0, -2 * pi * std::fmod(hz * double(i) / audio.sample_rate, 1.0));
        weights += weight;
    }
    return 2.0 * sum / weights;
}

inline double db(double ratio) { return 20 * std::log10(std::abs(ratio)); }

/// Unit direction, `azimuth_deg` to the left of the front.
inline Vec3 towards(double azimuth_deg, double elevation_deg = 0) {
    const double a = azimuth_deg * pi / 180, e = elevation_deg * pi / 180;
    return {std::cos(a) * std::cos(e), std::sin(a) * std::cos(e), std::sin(e)};
}

}  // namespace clangor::test
