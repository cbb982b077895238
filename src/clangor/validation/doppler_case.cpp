// A tone that passes the listener, and a listener who passes a tone.
#include <clangor/validation/cases.hpp>

#include <clangor/listening/listening.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <complex>

namespace clangor::validation {
namespace {

constexpr double sound_speed = 343.2, sample_rate = 48000, pass_speed = 30, closest = 2, tone_hz = 1000,
                 pass_duration = 2;
constexpr long first_frame = 7200;  // until then the tone's abrupt start arrives

/// Along x at 30 m/s, 2 m beside the origin at t = 1 s.
Vec3 on_the_line(double time) { return {pass_speed * (time - 1), closest, 0}; }

/// The source on the line, the listener at the origin: with τ = t_e − 1 and T = t − 1,
///     c²(T − τ)² = v²τ² + b²   ⇒   (c² − v²)τ² − 2c²Tτ + c²T² − b² = 0, the smaller root.
double emitted_by_moving_source(double time) {
    const double c = sound_speed, T = time - 1, a = square(c) - square(pass_speed);
    return 1 + (square(c) * T - std::sqrt(square(square(c) * T) - a * (square(c * T) - square(closest)))) / a;
}

/// The source at the origin, the listener on the line.
double emitted_to_moving_listener(double time) { return time - on_the_line(time).norm() / sound_speed; }

struct Pass {
    const char* name;
    double (*exact)(double);  ///< time of emission over time of arrival
    std::function<Vec3(double)> listener;
    std::function<MovingPoint(double)> source;
};

// What the engine makes of the pass: its own times of emission, its own delays.
Audio heard(const Pass& pass, double hz) {
    std::vector<float> emitted(size_t(pass_duration * sample_rate));
    for (size_t i = 0; i < emitted.size(); ++i)
        emitted[i] = float(std::cos(2 * pi * std::fmod(hz * double(i) / sample_rate, 1.0)));
    DelayCurve delay_curve;
    const long count = long(pass_duration * delay_curve.control_hz) + 1;
    delay_curve.delays.resize(count);
    delay_curve.directions.resize(count, 3);
    for (long i = 0; i < count; ++i) {
        const double time = double(i) / delay_curve.control_hz;
        const double emission = emission_time(time, pass.listener(time), pass.source, sound_speed);
        delay_curve.delays[i] = time - emission;
        delay_curve.directions.row(i) = (pass.source(emission).position - pass.listener(time)).normalized();
    }
    const MicrophoneArray post = microphone_array("mic", ListenerKind::Mono);
    Audio audio = silence(sample_rate, post.channels, long(pass_duration * sample_rate));
    add_arrival(audio, 0, post, 0, emitted, delay_curve, 1.0, sound_speed);
    return audio;
}

// Power of what differs from cos 2πf t_e(t), over that tone's [dB].
double residual_db(const Audio& audio, const Pass& pass, double hz) {
    double error = 0, power = 0;
    for (long i = first_frame; i < audio.frames(); ++i) {
        const double expected = std::cos(2 * pi * hz * pass.exact(double(i) / sample_rate));
        error += square(double(audio.samples(0, i)) - expected);
        power += square(expected);
    }
    return 10 * std::log10(error / power);
}

struct Frequency {
    double time, exact_hz, found_hz;
};

// The sound times e^{−2πif t_e}, under windows of Hann of 20 ms, which take away the image at twice the frequency: the
// turning of its phase from one half window to the next is what the frequency is off by.
std::vector<Frequency> frequencies(const Audio& audio, const Pass& pass) {
    constexpr long window = 960, hop = window / 2;
    std::vector<Frequency> result;
    double before = std::nan("");
    for (long start = first_frame; start + window < audio.frames(); start += hop) {
        std::complex<double> sum = 0;
        for (long i = start; i < start + window; ++i)
            sum += (1 - std::cos(2 * pi * (double(i - start) + 0.5) / double(window))) * double(audio.samples(0, i)) *
                   std::polar(1.0, -2 * pi * tone_hz * pass.exact(double(i) / sample_rate));
        const double phase = std::arg(sum), time = double(start) / sample_rate + double(hop) / (2 * sample_rate);
        const double exact_hz = tone_hz * (pass.exact(time + 1e-5) - pass.exact(time - 1e-5)) / 2e-5;
        if (!std::isnan(before))
            result.push_back(
                {time, exact_hz,
                 exact_hz + std::remainder(phase - before, 2 * pi) / (2 * pi * double(hop) / sample_rate)});
        before = phase;
    }
    return result;
}

}  // namespace

Case doppler_case(const Progress&) {
    Case result{.name = "doppler",
                .title = "A tone of 1 kHz that passes at 30 m/s, 2 m away",
                .source = "the quadratic equation of a straight pass",
                .plots = {{.x_label = "time [s]", .y_label = "frequency [Hz]"}}};
    const auto origin = [](double) { return Vec3(Vec3::Zero()); };
    const std::vector<Pass> passes = {
        {"source moves", emitted_by_moving_source, origin,
         [](double time) {
             return MovingPoint{on_the_line(time), {pass_speed, 0, 0}};
         }},
        {"listener moves", emitted_to_moving_listener, on_the_line, [](double) { return MovingPoint{}; }}};
    for (const Pass& pass : passes) {
        const Audio audio = heard(pass, tone_hz);
        Curve exact{fmt::format("{}, exact", pass.name), {}, {}, CurveStyle::Band},
            found{fmt::format("{}, found", pass.name), {}, {}};
        double worst = 0, next_row = 0.5;
        for (const Frequency& at : frequencies(audio, pass)) {
            worst = worse(worst, std::abs(at.found_hz / at.exact_hz - 1));
            exact.x.push_back(at.time);
            exact.y.push_back(at.exact_hz);
            found.x.push_back(at.time);
            found.y.push_back(at.found_hz);
            if (at.time < next_row) continue;
            result.rows.push_back(
                {fmt::format("{}, {:.2f} s", pass.name, at.time), at.exact_hz, at.found_hz, 1e-3, "Hz"});
            next_row += 0.5;
        }
        result.bounds.push_back({fmt::format("{}: worst relative error of the frequency", pass.name), worst, 1e-3});
        result.bounds.push_back({fmt::format("{}: level of all that is not the exact tone [dB]", pass.name),
                                 residual_db(audio, pass, tone_hz), -80});
        double loudest = -300;
        for (const double hz : {100.0, 5000.0, 10000.0, 18000.0})
            loudest = worse(loudest, residual_db(heard(pass, hz), pass, hz));
        result.bounds.push_back(
            {fmt::format("{}: the same, worst of tones from 100 Hz to 18 kHz", pass.name), loudest, -80});
        result.plots[0].curves.push_back(std::move(exact));
        result.plots[0].curves.push_back(std::move(found));
    }
    return result;
}

}  // namespace clangor::validation
