#include <clangor/listening/spherical_head.hpp>

#include <clangor/listening/delayed.hpp>
#include <clangor/listening/ears.hpp>

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <complex>

namespace clangor::listening {

double ear_delay(double theta, double head_radius, double speed_of_sound) {
    return head_radius / speed_of_sound * (theta < pi / 2 ? -std::cos(theta) : theta - pi / 2);
}

double ear_brightness(double theta) {
    constexpr double lowest = 0.1, theta_lowest = 150 * pi / 180;
    return (1 + lowest / 2) + (1 - lowest / 2) * std::cos(theta / theta_lowest * pi);
}

// L(z) = Σ b_k z^{−k} / (1 − p z^{−1}) with the pole of the analogue filter, p = e^{−2ω₀h}, and the b_k that fit its
// response best, in the sense of least squares, up to 0.42 of the sample rate; Σ b_k = 1 − p keeps low frequencies
// exact. The bilinear transform would have L = 0 at half the sample rate, which makes the shadow 1.2 dB too deep at 20
// kHz and 48 kHz.
HeadShadow::HeadShadow(double head_radius, double speed_of_sound, double sample_rate) {
    using Complex = std::complex<double>;
    const double corner = 2 * speed_of_sound / head_radius / sample_rate;  // 2ω₀ [rad/sample]
    pole_ = std::exp(-corner);
    constexpr int frequencies = 64, unknowns = 2 * reach;  // all b_k but b_0, which the sum determines
    Eigen::MatrixXd A(2 * frequencies, unknowns);
    Eigen::VectorXd y(2 * frequencies);
    for (int i = 0; i < frequencies; ++i) {
        const double omega = 2 * pi * 0.42 * (i + 0.5) / frequencies;  // [rad/sample]
        const Complex wanted = (1.0 - pole_ * std::polar(1.0, -omega)) / Complex(1, omega / corner) - (1 - pole_);
        y[2 * i] = wanted.real();
        y[2 * i + 1] = wanted.imag();
        for (int k = -reach, column = 0; k <= reach; ++k) {
            if (k == 0) continue;
            const Complex basis = std::polar(1.0, -k * omega) - 1.0;
            A(2 * i, column) = basis.real();
            A(2 * i + 1, column++) = basis.imag();
        }
    }
    const Eigen::VectorXd b = A.householderQr().solve(y);
    for (int k = 0; k < reach; ++k) taps_[k] = b[k];
    for (int k = 0; k < reach; ++k) taps_[reach + 1 + k] = b[reach + k];
    taps_[reach] = 1 - pole_ - b.sum();
}

long HeadShadow::decay_samples() const { return static_cast<long>(std::ceil(-16 / std::log(pole_))) + reach; }

std::vector<float> HeadShadow::high_passed(std::span<const float> signal, double& low) const {
    const long size = static_cast<long>(signal.size()) - 2 * reach;
    std::vector<float> out(static_cast<size_t>(std::max(0L, size)));
    for (long n = 0; n < size; ++n) {
        const float* const now = signal.data() + n + reach;
        double fed = 0;
        for (int k = -reach; k <= reach; ++k) fed += taps_[k + reach] * double(now[-k]);
        low = pole_ * low + fed;
        out[n] = static_cast<float>(double(*now) - low);
    }
    return out;
}

std::vector<float> HeadShadow::high_passed(std::span<const float> signal) const {
    std::vector<float> padded(signal.size() + 2 * reach);
    std::copy(signal.begin(), signal.end(), padded.begin() + reach);
    double low = 0;
    return high_passed(padded, low);
}

namespace {

/// Angles between the directions and an ear's axis, which points straight left or right. Brown and Duda put the ears at
/// ±100°; at ±90° left and right, front and back are exact mirrors, and the difference of delays is Woodworth's.
Eigen::VectorXd ear_angles(const Points& directions, int ear) {
    const double side = ear == 0 ? 1 : -1;
    return (side * directions.col(1)).array().min(1.0).max(-1.0).acos();
}

}  // namespace

BothEars SphericalEars::next(const SignalPart& emitted, bool over, const DelayCurve& delay_curve,
                             const FrameRange& window) {
    BothEars both;
    for (int side = 0; side < 2; ++side) {
        Ear& ear = ears_[side];
        if (ear.end && window.begin >= *ear.end) ear.low = 0;
        if (ear.low == 0 && (ear.end || emitted.silent())) continue;
        const Eigen::VectorXd angles = ear_angles(delay_curve.directions, side);
        Eigen::VectorXd delays(angles.size()), brightness(angles.size());
        for (long i = 0; i < angles.size(); ++i) {
            // Not before it was emitted, for sources nearer than the ear.
            delays[i] = std::max(
                0.0, delay_curve.delays[i] + ear_delay(angles[i], options_.head_radius, options_.speed_of_sound));
            brightness[i] = ear_brightness(angles[i]);
        }
        const ControlCurve curve(std::move(delays), delay_curve.control_hz, delay_curve.first, delay_curve.total);
        const ControlCurve alpha(std::move(brightness), delay_curve.control_hz, delay_curve.first, delay_curve.total);
        if (over && !ear.end && all_arrived(emitted, curve, options_.sample_rate, window.end)) {
            const FrameRange audible = audible_frames(emitted, curve, options_.sample_rate, window);
            ear.end = (audible.empty() ? window.begin : audible.end) + shadow_.decay_samples();
        }
        // Nothing is heard before the first frame and after the last, however far the filter looks.
        const FrameRange needed = {std::max(0L, window.begin - frames_around),
                                   std::min(options_.frames, window.end + frames_around)};
        std::vector<float> sound(static_cast<size_t>(window.end - window.begin + 2 * frames_around));
        const std::vector<float> known = delayed(emitted, curve, options_.sample_rate, needed);
        std::copy(known.begin(), known.end(), sound.begin() + (needed.begin - (window.begin - frames_around)));
        const std::vector<float> high = shadow_.high_passed(sound, ear.low);
        const long end = ear.end ? std::min(window.end, *ear.end) : window.end;
        both[side].assign(sound.begin() + frames_around, sound.begin() + frames_around + (end - window.begin));
        for (long n = 0; n < end - window.begin; ++n) {
            const double time = static_cast<double>(window.begin + n) / options_.sample_rate;
            both[side][n] += static_cast<float>(alpha.at(time) - 1) * high[n];
        }
    }
    return both;
}

}  // namespace clangor::listening
