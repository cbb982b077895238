// Ears as measured: impulse responses by direction.
#pragma once

#include <clangor/listening/ears.hpp>
#include <clangor/listening/sofa_file.hpp>

namespace clangor {

struct HeadMeasurement {
    double sample_rate = 48000;  ///< of the responses [Hz]
    listening::SofaData data;
};

namespace listening {

/// The measurements around a direction, and how much each counts; the weights sum to 1.
struct Mixture {
    static constexpr int most = 4;
    int count = 0;
    long measurement[most] = {};
    double weight[most] = {};

    bool operator==(const Mixture&) const = default;
};

/// Continuous over directions [Franke1980]: of the four nearest measurements, at distances d, each counts ((R − d)/(R
/// d))², where R is the distance of the fifth; a measurement has no weight yet when it becomes one of the four.
Mixture mixture_at(const Points& directions, const Vec3& direction);

/// Scales the responses so that a source straight ahead has, from 200 Hz to 1 kHz and on average of both ears, the
/// pressure of the free field, as it nearly has at a rigid sphere. What stands in files is relative to anything. False
/// where nothing is heard from ahead.
bool calibrate(SofaData& data, double sample_rate);

/// out[n] = Σ_k taps[k] x[n − k] for 0 ≤ n < count. Reads x from −(taps − 1) to count + convolve_margin.
void convolve(const float* x, std::span<const float> taps, float* out, long count);
inline constexpr long convolve_margin = 48;

}  // namespace listening
}  // namespace clangor
