// Sound that arrives window by window is the sound that arrives at once.
#include <clangor/listening/measured_head.hpp>

#include <doctest/doctest.h>

#include "tones.hpp"

#include <algorithm>

namespace stream_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double rate = 48000;
constexpr long frames = 48'100;

// A tone, a pause that lasts for windows, a click, and silence.
std::vector<float> emitted() {
    std::vector<float> out = tone(1234, rate, frames);
    std::fill(out.begin() + 9'000, out.end(), 0.f);
    out[30'000] = 1;
    return out;
}

// A source that flies past, 1 to 3 m away.
DelayCurve past() {
    DelayCurve delay_curve;
    const long count = long(std::ceil(frames / rate * delay_curve.control_hz)) + 2;
    delay_curve.delays.resize(count);
    delay_curve.directions.resize(count, 3);
    for (long i = 0; i < count; ++i) {
        const Vec3 place(1, 4 * (double(i) / delay_curve.control_hz - 0.5), 0.3);
        delay_curve.delays[i] = place.norm() / 343.2;
        delay_curve.directions.row(i) = place.normalized().transpose();
    }
    return delay_curve;
}

DelayCurve part_of(const DelayCurve& whole, long begin_frame, long end_frame) {
    const long total = whole.delays.size();
    const long first = std::clamp(long(double(begin_frame) / rate * whole.control_hz) - 4, 0L, total - 1);
    const long after = std::clamp(long(double(end_frame) / rate * whole.control_hz) + 6, first + 1, total);
    return {whole.control_hz, whole.delays.segment(first, after - first),
            Points(whole.directions.middleRows(first, after - first)), first, total};
}

Audio in_windows(const MicrophoneArray& array, int capsule, long window) {
    const std::vector<float> signal = emitted();
    const DelayCurve delay_curve = past();
    ArrivalStream stream(array, capsule, {rate, frames, 0.7, 343.2});
    const ArrivalStream::Needs needs = stream.needs();
    Audio audio = silence(rate, array.channels, frames);
    for (long begin = 0; begin < frames; begin += window) {
        const long end = std::min(frames, begin + window);
        // What is needed and no more: delays are below 9 ms.
        const long first = std::max(0L, begin - needs.frames_before - long((0.009 + needs.more_delay) * rate) - 34);
        const long last = std::min(frames, end + needs.frames_after + 33);
        const bool over = std::all_of(signal.begin() + last, signal.end(), [](float x) { return x == 0; });
        Audio part = silence(rate, array.channels, end - begin);
        stream.add(part, 0, begin, {first, std::span(signal).subspan(size_t(first), size_t(last - first)), over},
                   part_of(delay_curve, begin - needs.frames_before, end + needs.frames_after));
        audio.samples.middleCols(begin, end - begin) = part.samples;
    }
    return audio;
}

HeadMeasurementPtr some_head() {
    HeadMeasurement head;
    head.sample_rate = rate;
    head.data.taps = 100;
    head.data.directions.resize(6, 3);
    head.data.directions << 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1;
    head.data.delays = listening::EarPairs::Random(6, 2).cwiseAbs() * 1e-3;
    for (int i = 0; i < 6 * 2 * 100; ++i) head.data.responses.push_back(float(std::sin(0.37 * i * i)) / 10);
    return std::make_shared<const HeadMeasurement>(head);
}

}  // namespace

TEST_CASE("every kind of listener hears the same bits, whatever windows the sound is made in") {
    for (const ListenerKind kind :
         {ListenerKind::Mono, ListenerKind::Ortf, ListenerKind::Xy, ListenerKind::Binaural, ListenerKind::Ambisonic})
        for (const bool measured : {false, true}) {
            if (measured && kind != ListenerKind::Binaural) continue;
            CAPTURE(int(kind));
            CAPTURE(measured);
            const MicrophoneArray array = microphone_array("ear", kind, 0.0875, measured ? some_head() : nullptr);
            for (int capsule = 0; capsule < array.capsules.rows(); ++capsule) {
                const Audio whole = heard(array, capsule, emitted(), past(), rate, 0.7);
                CHECK(peak_pa(whole) > 0.1);
                for (const long window : {64L, 960L, 48'000L}) {
                    CAPTURE(window);
                    const bool same = in_windows(array, capsule, window).samples == whole.samples;
                    CHECK(same);
                }
            }
        }
}

}  // namespace stream_test
