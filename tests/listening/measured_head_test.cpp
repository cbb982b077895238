#include <clangor/listening/measured_head.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <temporary.hpp>

#include "tones.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace measured_head_test {

using namespace clangor;
using namespace clangor::test;
using clangor::listening::EarPairs;
namespace fs = std::filesystem;

namespace {

constexpr double rate = 48000;

/// Six measurements along the axes: a response is one click, three samples late, of the height given for each ear.
HeadMeasurementPtr head_of_clicks(const EarPairs& heights, const EarPairs& delays) {
    HeadMeasurement head;
    head.sample_rate = rate;
    head.data.taps = 5;
    head.data.directions.resize(6, 3);
    head.data.directions << 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1;
    head.data.delays = delays;
    head.data.responses.assign(6 * 2 * 5, 0.f);
    for (long i = 0; i < 6; ++i) {
        for (int ear = 0; ear < 2; ++ear)
            head.data.responses[(2 * i + ear) * 5 + 3] = static_cast<float>(heights(i, ear));
    }
    return std::make_shared<const HeadMeasurement>(head);
}

Audio through(const HeadMeasurementPtr& head, std::span<const float> emitted, const DelayCurve& delay_curve,
              double at_rate = rate) {
    return heard(microphone_array("head", ListenerKind::Binaural, 0.0875, head), 0, emitted, delay_curve, at_rate);
}

/// The file that Debian's libmysofa brings along; the tests that need it pass over where it is not.
const std::string packaged = "/usr/share/libmysofa/default.sofa";

std::string message_of_loading(const std::string& path) {
    try {
        load_head(path, rate);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a measured head plays the response and the delay of the direction") {
    EarPairs heights = EarPairs::Ones(6, 2), delays = EarPairs::Zero(6, 2);
    heights.row(2) << 0.9, 0.2;     // from the left
    delays.row(2) << 0, 30 / rate;  // 30 samples later at the right ear
    const HeadMeasurementPtr head = head_of_clicks(heights, delays);
    std::vector<float> click(4800);
    click[200] = 1;
    const Audio audio = through(head, click, steady(480 / rate, towards(90), 0.1));
    for (long n = 0; n < 4800; ++n) {
        REQUIRE(double(audio.samples(0, n)) ==
                clangor::test::Approx(n == 200 + 480 + 3 ? 0.9 : 0).epsilon(1e-6).scale(1));
        REQUIRE(double(audio.samples(1, n)) ==
                clangor::test::Approx(n == 200 + 480 + 33 ? 0.2 : 0).epsilon(1e-6).scale(1));
    }
}

TEST_CASE("between measurements the mixture is continuous, adds up to one and meets each of them") {
    Points directions(200, 3);
    for (long i = 0; i < 200; ++i) {  // a spiral
        const double z = 1 - (2.0 * double(i) + 1) / 200, around = std::sqrt(1 - z * z), angle = 2.39996 * double(i);
        directions.row(i) << around * std::cos(angle), around * std::sin(angle), z;
    }
    const auto weights = [&](const Vec3& direction) {
        Eigen::VectorXd all = Eigen::VectorXd::Zero(200);
        const listening::Mixture mixture = listening::mixture_at(directions, direction);
        for (int i = 0; i < mixture.count; ++i) all[mixture.measurement[i]] += mixture.weight[i];
        return all;
    };
    CHECK(weights(directions.row(17))[17] == clangor::test::Approx(1).epsilon(1e-9));
    double largest_step = 0;
    Eigen::VectorXd before = weights(towards(0, 10));
    for (double azimuth = 0; azimuth < 360; azimuth += 0.01) {
        const Eigen::VectorXd now = weights(towards(azimuth, 10));
        REQUIRE(now.sum() == clangor::test::Approx(1).epsilon(1e-12));
        largest_step = std::max(largest_step, (now - before).cwiseAbs().maxCoeff());
        before = now;
    }
    CHECK(largest_step <
          0.01);  // measurements are 14° apart: a hundredth of a degree moves no weight by more than this
}

TEST_CASE("a source that moves from one response to another leaves no clicks") {
    EarPairs heights = EarPairs::Ones(6, 2);
    heights.row(2) << 2, 0.5;
    const HeadMeasurementPtr head = head_of_clicks(heights, EarPairs::Zero(6, 2));
    DelayCurve delay_curve = steady(0.01, towards(0), 1);
    for (long k = 0; k < delay_curve.delays.size(); ++k)
        delay_curve.directions.row(k) = towards(90.0 * double(k) / 1000);
    const Audio audio = through(head, tone(100, rate, 48000), delay_curve);
    // The sound is at most 2 cos 2πft, whose second difference is 2(2πf/rate)² = 3.4e-4; a click would stand out.
    double largest = 0;
    for (long n = 2000; n + 2 < 48000; ++n)
        largest = std::max(largest, std::abs(double(audio.samples(0, n)) - 2 * double(audio.samples(0, n + 1)) +
                                             double(audio.samples(0, n + 2))));
    CHECK(largest < 4e-4);
    CHECK(double(audio.samples.row(0).tail(2000).maxCoeff()) == clangor::test::Approx(2).epsilon(0.01));
}

TEST_CASE("convolution is the sum that defines it, for any length") {
    std::vector<float> x(300), taps(37);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(std::sin(0.7 * double(i * i)));
    for (size_t i = 0; i < taps.size(); ++i) taps[i] = static_cast<float>(std::cos(1.3 * double(i)));
    for (const long count : {1L, 47L, 48L, 49L, 130L}) {
        std::vector<float> out(count);
        listening::convolve(x.data() + 36, taps, out.data(), count);
        for (long n = 0; n < count; ++n) {
            double sum = 0;
            for (long k = 0; k < 37; ++k) sum += double(taps[k]) * double(x[36 + n - k]);
            REQUIRE(double(out[n]) == clangor::test::Approx(sum).epsilon(1e-5).scale(1));
        }
    }
}

TEST_CASE("what is no SOFA file is refused with its name and what to do") {
    CHECK(message_of_loading("no/such.sofa").find("no/such.sofa: cannot be read") == 0);
    const fs::path path = testing::temporary("head.sofa");
    std::ofstream(path) << std::string(1000, 'x');
    const std::string message = message_of_loading(path.string());
    fs::remove(path);
    CHECK(message.find("not a SOFA (HDF5) file") != std::string::npos);
    CHECK(message.find("leave \"sofa\" out") != std::string::npos);
}

TEST_CASE("KEMAR hears a source on the left first and loudest on the left") {
    if (!fs::exists(packaged)) return;
    const LoadedHead loaded = load_head(packaged, rate);
    CHECK(loaded.message.find("measured at 44100 Hz, resampled to 48000 Hz") != std::string::npos);
    CHECK(load_head(packaged, 44100).message == "");
    std::vector<float> click(9600);
    click[100] = 1;
    const Audio left = through(loaded.head, click, steady(0.01, towards(90), 0.2));
    Eigen::Index peak_left = 0, peak_right = 0;
    left.samples.row(0).cwiseAbs().maxCoeff(&peak_left);
    left.samples.row(1).cwiseAbs().maxCoeff(&peak_right);
    CHECK(double(peak_right - peak_left) / rate == clangor::test::Approx(0.66e-3).epsilon(0.2));  // Woodworth: 0.656 ms
    CHECK(db(rms_pa(left, 0) / rms_pa(left, 1)) > 8);
    const Audio mirrored = through(loaded.head, click, steady(0.01, towards(-90), 0.2));
    CHECK(rms_pa(mirrored, 1) == clangor::test::Approx(rms_pa(left, 0)).epsilon(0.05));

    const Audio ahead = through(loaded.head, tone(500, rate, 9600), steady(0.01, towards(0), 0.2));
    CHECK(std::abs(db(std::abs(amplitude(ahead, 0, 500)))) <
          3);  // calibrated over 200 Hz to 1 kHz, where it varies by that
    CHECK(std::abs(db(std::abs(amplitude(ahead, 1, 500)))) < 3);
}

TEST_CASE("damaged SOFA files are refused, or still a head, but never a crash") {
    if (!fs::exists(packaged)) return;
    std::ifstream file(packaged, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    int refused = 0;
    const auto attempt = [&](const std::string& bytes) {
        try {
            const listening::SofaData data =
                listening::read_sofa(std::as_bytes(std::span(bytes)), 44100, "damaged.sofa");
            REQUIRE(data.responses.size() == std::size_t(2 * data.taps * data.directions.rows()));
        } catch (const Error& error) {
            REQUIRE(std::string(error.what()).find("damaged.sofa: cannot be used as a head: ") == 0);
            ++refused;
        }
    };
    for (int part = 0; part < 8; ++part) attempt(whole.substr(0, whole.size() * part / 8));
    CHECK(refused == 8);
    unsigned seed = 1;
    for (int round = 0; round < 24; ++round) {
        std::string bytes = whole;
        for (int flip = 0; flip < 4; ++flip) {
            seed = seed * 1664525u + 1013904223u;
            bytes[(seed >> 4) % (round % 2 ? 60000u : bytes.size())] ^= static_cast<char>(1u << (seed >> 29));
        }
        attempt(bytes);
    }
    CHECK(refused > 8);
}

}  // namespace measured_head_test
