#include <clangor/radiation/spheres/spheres.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <threads.hpp>

#include <cmath>
#include <complex>
#include <random>

namespace sound_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material glass{.name = "glass", .density = 2520, .young = 72e9, .poisson = 0.22};
const Material plastic{.name = "plastic", .density = 1180, .young = 3.2e9, .poisson = 0.37};

template <class Samples>
std::complex<double> transform(const Samples& samples, double start, double step, double hz) {
    const std::complex<double> turn = std::polar(1.0, -2 * pi * hz * step);
    std::complex<double> sum = 0, phase = std::polar(step, -2 * pi * hz * start);
    for (const auto value : samples) {
        sum += static_cast<double>(value) * phase;
        phase *= turn;
    }
    return sum;
}

// The largest difference up to 20 kHz of the sound's spectrum from that of exact samples 125 ns apart, relative to the
// largest value there.
double spectral_error(const SphereCollision& collision, const SphereSoundOptions& options) {
    constexpr double fine = 1.25e-7;
    const double begin = collision.time + (collision.point - options.listener).norm() / 343.2 - 1e-4;
    const auto count = long((2e-4 + collision.duration + 60 * collision.radii[0] / 343) / fine);
    const std::vector<double> exact =
        collision_pressure(collision, options.listener, options.air, options.shape, {begin, fine, count});
    const std::vector<float> heard = sphere_sound(std::span(&collision, 1), options, 0.1).pressure;
    double worst = 0, largest = 0;
    for (double hz = 100; hz <= 20000; hz += 398) {
        const std::complex<double> expected = transform(exact, begin, fine, hz);
        worst = std::max(worst, std::abs(transform(heard, 0, 1 / options.sample_rate_hz, hz) - expected));
        largest = std::max(largest, std::abs(expected));
    }
    return worst / largest;
}

std::vector<SphereCollision> shower(long count, double seconds, std::span<const double> radii) {
    std::mt19937_64 random(7);
    const auto uniform = [&] { return double(random() >> 11) * 0x1p-53; };
    const auto centred = [&] { return 2 * uniform() - 1; };
    std::vector<SphereCollision> collisions;
    for (long i = 0; i < count; ++i) {
        const double a = radii[random() % radii.size()], b = radii[random() % radii.size()];
        collisions.push_back(collision_of(sphere_pair({a, glass}, {b, glass}),
                                          {.time = seconds * double(i) / double(count),
                                           .point = 0.1 * Vec3(centred(), centred(), centred()),
                                           .normal = Vec3(centred(), centred(), centred()).normalized(),
                                           .speed = 0.001 + uniform(),
                                           .restitution = 0.9}));
    }
    return collisions;
}

}  // namespace

TEST_CASE("one ball of each collision has its exact spectrum up to 20 kHz, at every rate and between samples") {
    constexpr double forever = std::numeric_limits<double>::infinity();
    for (const double rate : {44100.0, 48000.0, 96000.0}) {
        for (const Material& stuff : {glass, plastic}) {
            for (const double a : {0.0003, 0.001, 0.004}) {
                for (const double speed : {0.001, 0.05, 2.0}) {
                    const SpherePair pair = sphere_pair({a, stuff}, {forever, stuff});
                    const SphereCollision collision =
                        collision_of(pair, {.time = 0.0213 + speed * 1e-5, .point = {0.01, 0, 0.02}, .speed = speed});
                    const SphereSoundOptions options{
                        .sample_rate_hz = rate, .listener = {0.3, 0.1, 0}, .threshold = 0, .radii = {a}};
                    CHECK(spectral_error(collision, options) < 1e-4);
                }
            }
        }
    }
}

TEST_CASE("two balls, near by and far away, have their exact spectrum up to 20 kHz") {
    for (const Vec3& listener : {Vec3(0.3, 0.1, 0), Vec3(0.012, 0.003, 0), Vec3(0, 0, 5)}) {
        for (const double other : {0.001, 0.0023}) {
            for (const double speed : {0.01, 0.7}) {
                const SphereCollision collision =
                    collision_of(sphere_pair({0.001, glass}, {other, glass}),
                                 {.time = 0.0213, .normal = Vec3(0.6, 0.64, 0.48), .speed = speed});
                const double error =
                    spectral_error(collision, {.listener = listener, .threshold = 0, .radii = {0.001, other}});
                CHECK(error < 2e-4);
            }
        }
    }
}

TEST_CASE("balls of more sizes than are kept apart: spectra between those of others") {
    std::vector<double> radii;
    for (int i = 0; i <= 30; ++i) radii.push_back(0.0005 + 0.0001 * i);
    for (const double a : {0.00057, 0.0012, 0.00263, 0.0034}) {
        const SphereCollision collision = collision_of(
            sphere_pair({a, glass}, {std::numeric_limits<double>::infinity(), glass}), {.time = 0.0213, .speed = 0.3});
        const double error = spectral_error(collision, {.listener = {0.3, 0.1, 0}, .threshold = 0, .radii = radii});
        CHECK(error < 2e-4);
    }
    const SphereCollision stranger = collision_of(sphere_pair({0.01, glass}, {0.01, glass}), {.speed = 1});
    CHECK_THROWS_WITH_AS(sphere_sound(std::span(&stranger, 1), {.listener = {1, 0, 0}, .radii = radii}, 0.1),
                         doctest::Contains("a ball of radius 0.01 m collides, which is not among"), Error);
    CHECK_THROWS_WITH_AS(SphereSound(SphereSoundOptions{}), doctest::Contains("needs their radii"), Error);
}

TEST_CASE("nothing is left from half the sample rate on: a sound at twice the rate adds no more below 20 kHz") {
    // a contact of 3 µs has as much above 22 kHz as below; samples of it would alias
    const SphereCollision collision =
        collision_of(sphere_pair({0.0003, glass}, {0.0003, glass}), {.time = 0.01, .speed = 5});
    const SphereSoundOptions options{
        .sample_rate_hz = 192000, .listener = {0.1, 0, 0}, .threshold = 0, .radii = {0.0003}};
    const std::vector<float> heard = sphere_sound(std::span(&collision, 1), options, 0.04).pressure;
    const double inside = std::abs(transform(heard, 0, 1 / 192000.0, 80000));
    CHECK(std::abs(transform(heard, 0, 1 / 192000.0, 96000)) < 1e-4 * inside);
}

TEST_CASE("the same bytes for any number of threads and any cut of the stream") {
    const std::array radii = {0.0005, 0.001, 0.0013};
    const std::vector<SphereCollision> collisions = shower(30000, 0.6, radii);
    const SphereSoundOptions options{.listener = {0.3, 0.4, 0}, .radii = {radii.begin(), radii.end()}};
    const SphereSoundResult whole = sphere_sound(collisions, options, 0.7);
    REQUIRE(whole.count.heard > 1000);
    for (const int threads : {1, 2, 3, 5, 16}) {
        const testing::Threads set(threads);
        CHECK(sphere_sound(collisions, options, 0.7).pressure == whole.pressure);
    }
    for (const std::size_t block : {777UL, 20000UL}) {
        SphereSound sound(options);
        std::vector<float> joined;
        for (std::size_t i = 0; i < collisions.size(); i += block) {
            const auto some = std::span(collisions).subspan(i, std::min(block, collisions.size() - i));
            for (const float sample : sound.take_before(some.front().time)) joined.push_back(sample);
            sound.add(some);
        }
        CHECK(joined.size() > 10000);  // it streams
        for (const float sample : sound.take_until(std::lround(0.7 * 48000))) joined.push_back(sample);
        CHECK(joined == whole.pressure);
        CHECK(sound.count().heard == whole.count.heard);
    }
}

TEST_CASE("a sound that begins later is the later part of the whole") {
    const std::array radii = {0.001};
    const std::vector<SphereCollision> collisions = shower(3000, 0.3, radii);
    const SphereSoundOptions options{.listener = {0.3, 0.4, 0}, .radii = {0.001}};
    const std::vector<float> whole = sphere_sound(collisions, options, 0.4).pressure;
    SphereSound late(options, 7001);
    late.add(collisions);
    const std::vector<float> part = late.take_until(std::ssize(whole));
    REQUIRE(std::ssize(part) == std::ssize(whole) - 7001);
    double error = 0, largest = 0;
    for (std::size_t k = 0; k < part.size(); ++k) {
        error = std::max(error, std::abs(double(part[k]) - double(whole[k + 7001])));
        largest = std::max(largest, std::abs(double(whole[k + 7001])));
    }
    CHECK(error < 1e-6 * largest);
}

TEST_CASE("a collision is left out only where all of it stays below the threshold of hearing") {
    // A bead of 1 mm radius at 15 cm ahead reaches 20 µPa with half-sines of its momentum at 3.244e-4 m/s;
    // what is left out is known to stay below it, here from 0.975 of that speed.
    const Vec3 listener(0.151, 0, 0);
    const SpherePair pair = sphere_pair({0.001, glass}, {0.001, glass});
    const auto alone = [&](double speed) {
        SphereCollision collision = collision_of(pair, {.time = 0.01, .speed = speed});
        collision.radii[1] = 0;
        return collision;
    };
    const SphereSoundOptions options{.listener = listener, .shape = PulseShape::HalfSine, .radii = {0.001}};
    const std::vector<SphereCollision> below = {alone(3.1e-4)}, above = {alone(3.29e-4)};
    const SphereSoundResult silent = sphere_sound(below, options, 0.05), heard = sphere_sound(above, options, 0.05);
    CHECK(silent.count.quiet == 1);
    CHECK(silent.count.heard == 0);
    CHECK(heard.count.heard == 1);
    CHECK(heard.count.loudest == Approx(2e-5 * 1.027).epsilon(0.03));
    for (const float sample : silent.pressure) CHECK(sample == 0);
    CHECK(*std::ranges::max_element(heard.pressure) > 0);
}

TEST_CASE("contacts of any length and times without end do no harm") {
    const SpherePair pair = sphere_pair({0.001, glass}, {0.001, glass});
    SphereCollision soft = collision_of(pair, {.time = 0.01, .speed = 1}), later = soft;
    soft.duration = 10;
    later.time = 1e300;
    const SphereSoundOptions options{.listener = {0.1, 0, 0}, .threshold = 0, .radii = {0.001}};
    const std::vector<SphereCollision> both = {soft, later};
    for (const float sample : sphere_sound(both, options, 0.1).pressure) {
        CHECK(std::isfinite(sample));
        CHECK(std::abs(sample) < 1e-3f);
    }
}

TEST_CASE("far below its size two equal balls cancel: their sound falls as ω², that of one as ω") {
    // the centres are 2a apart: |p₁ + p₂|/|p₁| → 2a cosθ ω/c
    const SpherePair pair = sphere_pair({0.001, glass}, {0.001, glass});
    SphereCollision both = collision_of(pair, {.time = 0.0213, .speed = 0.5}), one = both;
    one.radii[1] = 0;
    const SphereSoundOptions options{.listener = {20, 0, 0}, .threshold = 0, .radii = {0.001}};
    const std::vector<float> p = sphere_sound(std::span(&both, 1), options, 0.2).pressure;
    const std::vector<float> p1 = sphere_sound(std::span(&one, 1), options, 0.2).pressure;
    for (const double hz : {1000.0, 2000.0}) {
        const double ratio = std::abs(transform(p, 0, 1 / 48000.0, hz)) / std::abs(transform(p1, 0, 1 / 48000.0, hz));
        CHECK(ratio == Approx(2 * 0.001 * 2 * pi * hz / 343.2).epsilon(0.02));
    }
}

}  // namespace sound_test
