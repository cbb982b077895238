// A source that passes a listener, and a listener that passes a source, against closed forms.
#include <clangor/listening/listening.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

namespace doppler_test {

using namespace clangor;

namespace {

constexpr double c = 343.2, rate = 48000, speed = 30, closest = 2, tone_hz = 1000, duration = 2;

/// Along x at 30 m/s, 2 m beside the origin at t = 1 s.
Vec3 on_the_line(double time) { return {speed * (time - 1.0), closest, 0}; }

/// The emission time for a source on the line and a listener at the origin: with τ = t_e − 1 and T = t − 1,
///     c²(T − τ)² = v²τ² + b²   ⇒   (c² − v²)τ² − 2c²Tτ + c²T² − b² = 0, the smaller root.
double emitted_by_moving_source(double time) {
    const double T = time - 1, a = c * c - speed * speed;
    return 1 + (c * c * T - std::sqrt(square(c * c * T) - a * (square(c * T) - closest * closest))) / a;
}

/// The source at the origin, the listener on the line: t_e = t − |listener(t)|/c at once.
double emitted_to_moving_listener(double time) { return time - on_the_line(time).norm() / c; }

std::vector<float> tone(double hz) {
    std::vector<float> out(static_cast<size_t>(duration * rate));
    for (size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<float>(std::cos(2 * pi * std::fmod(hz * static_cast<double>(i) / rate, 1.0)));
    return out;
}

template <class EmissionTime>
DelayCurve delay_curve_of(const EmissionTime& emission) {
    DelayCurve delay_curve;
    const long count = static_cast<long>(duration * delay_curve.control_hz) + 1;
    delay_curve.delays.resize(count);
    delay_curve.directions = Points::Zero(count, 3);
    delay_curve.directions.col(0).setOnes();
    for (long i = 0; i < count; ++i) {
        const double time = static_cast<double>(i) / delay_curve.control_hz;
        delay_curve.delays[i] = time - emission(time);
    }
    return delay_curve;
}

Audio heard(const DelayCurve& delay_curve, std::span<const float> emitted) {
    const MicrophoneArray array = microphone_array("mic", ListenerKind::Mono);
    Audio audio = silence(rate, array.channels, static_cast<long>(duration * rate));
    add_arrival(audio, 0, array, 0, emitted, delay_curve, 1.0, c);
    return audio;
}

/// Power of what differs from cos 2πf t_e(t), over the power of that tone [dB]. The first 0.15 s are left out: until
/// then the tone's abrupt start arrives.
template <class Exact>
double residual_db(const Audio& audio, const Exact& exact, double hz) {
    double error = 0, power = 0;
    for (long i = 7200; i < audio.frames(); ++i) {
        const double expected = std::cos(2 * pi * hz * exact(static_cast<double>(i) / rate));
        error += square(double(audio.samples(0, i)) - expected);
        power += square(expected);
    }
    return 10 * std::log10(error / power);
}

/// Largest relative deviation of the instantaneous frequency from f dt_e/dt. The sound times e^{−2πif t_e} is a
/// constant if all is right, after a Hann window of 20 ms, which takes away its image at twice the frequency; the
/// turning of its phase from one half window to the next is the deviation.
template <class Exact>
double frequency_error(const Audio& audio, const Exact& exact) {
    constexpr long window = 960, hop = window / 2;
    double worst = 0, before = 0;
    for (long start = 7200; start + window < audio.frames(); start += hop) {
        std::complex<double> sum = 0;
        for (long i = start; i < start + window; ++i) {
            const double weight = 1 - std::cos(2 * pi * (static_cast<double>(i - start) + 0.5) / double(window));
            sum += weight * double(audio.samples(0, i)) *
                   std::polar(1.0, -2 * pi * tone_hz * exact(static_cast<double>(i) / rate));
        }
        const double phase = std::arg(sum);
        const double time = (static_cast<double>(start) + hop) / rate;
        const double expected_hz = tone_hz * (exact(time + 1e-5) - exact(time - 1e-5)) / 2e-5;
        if (start > 7200)
            worst = std::max(worst, std::abs(phase - before) / (2 * pi * double(hop) / rate) / expected_hz);
        before = phase;
    }
    return worst;
}

}  // namespace

TEST_CASE("emission times agree with the quadratic equation of a straight pass") {
    const auto source = [](double time) { return MovingPoint{on_the_line(time), {speed, 0, 0}}; };
    for (double time = -3; time < 5; time += 0.0371) {
        // 1e-13: the roundings of the closed form's difference of squares, c²T² ~ 2e6 against b² = 4
        CHECK(std::abs(emission_time(time, Vec3::Zero(), source, c) - emitted_by_moving_source(time)) < 1e-13);
    }
}

TEST_CASE("an emission time is finite and not later than the arrival, whatever the source does") {
    const auto check = [](const char* what, const std::function<MovingPoint(double)>& source) {
        CAPTURE(what);
        for (const double time : {-1.0, 0.0, 0.5, 3.0}) {
            const double emitted = emission_time(time, Vec3::Zero(), source, c);
            CHECK(std::isfinite(emitted));
            CHECK(emitted <= time);
        }
    };
    const auto line = [](double v) { return [v](double time) { return MovingPoint{{v * time, 1, 0}, {v, 0, 0}}; }; };
    check("at Mach 3", line(3 * c));
    check("at the speed of sound", line(c));
    check("at the listener's place", [](double) { return MovingPoint{}; });
    check("through the listener", [](double time) { return MovingPoint{{100 * time, 0, 0}, {100, 0, 0}}; });
    check("jumping", [](double time) { return MovingPoint{{time < 0.2 ? -40.0 : 40.0, 0, 0}, {0, 0, 0}}; });
    check("not a number", [](double) { return MovingPoint{Vec3::Constant(double(NAN)), Vec3::Constant(double(NAN))}; });
    check("with a wrong velocity", [](double time) { return MovingPoint{{20 * time, 3, 0}, {1e9, 0, 0}}; });
}

TEST_CASE("a source that passes at 30 m/s is heard as the closed form says") {
    const DelayCurve delay_curve = delay_curve_of(emitted_by_moving_source);
    const Audio audio = heard(delay_curve, tone(tone_hz));
    CHECK(frequency_error(audio, emitted_by_moving_source) < 1e-3);
    CHECK(residual_db(audio, emitted_by_moving_source, tone_hz) < -80);
    for (const double hz : {100., 5000., 10000., 18000.}) {
        CAPTURE(hz);
        CHECK(residual_db(heard(delay_curve, tone(hz)), emitted_by_moving_source, hz) < -80);
    }
}

TEST_CASE("a listener who passes at 30 m/s hears what the closed form says") {
    const Audio audio = heard(delay_curve_of(emitted_to_moving_listener), tone(tone_hz));
    CHECK(frequency_error(audio, emitted_to_moving_listener) < 1e-3);
    CHECK(residual_db(audio, emitted_to_moving_listener, tone_hz) < -80);
}

TEST_CASE("a source that comes at 30 m/s straight on is one line in the spectrum, at f/(1 − v/c)") {
    // From 70 m: r(t_e) = 70 − v t_e, so t_e = (t − 70/c)/(1 − v/c), and the first sound arrives after 70/c = 0.204 s.
    const auto emission = [](double time) { return (time - 70 / c) / (1 - speed / c); };
    const Audio audio = heard(delay_curve_of(emission), tone(tone_hz));
    const double shifted_hz = tone_hz / (1 - speed / c);
    // Under a window of Blackman–Harris over 32768 samples, whose main lobe is 6 Hz wide to each side and whose leakage
    // is below −92 dB, each frequency on its own.
    const auto level_db = [&](double hz) {
        std::complex<double> sum = 0, turn = 1;
        const std::complex<double> step = std::polar(1.0, -2 * pi * hz / rate);
        for (long n = 0; n < 32768; ++n, turn *= step) {
            const double x = 2 * pi * double(n) / 32768;
            const double window =
                0.35875 - 0.48829 * std::cos(x) + 0.14128 * std::cos(2 * x) - 0.01168 * std::cos(3 * x);
            sum += window * double(audio.samples(0, 20000 + n)) * turn;
        }
        return 20 * std::log10(std::abs(sum) * 2 / (0.35875 * 32768));
    };
    CHECK(std::abs(level_db(shifted_hz)) < 0.001);
    for (const double hz : {50., 500., 1000., 1050., shifted_hz - 12, shifted_hz + 12, 1500., 2000., shifted_hz + 1000,
                            2 * shifted_hz, 3 * shifted_hz, 10000., 20000., 23000.}) {
        CAPTURE(hz);
        CHECK(level_db(hz) < -90);
    }
}

}  // namespace doppler_test
