#include <clangor/objects/modal/modal.hpp>

#include <doctest/doctest.h>

#include <io/scratch.hpp>
#include <objects/modal/models.hpp>

#include <cstring>
#include <limits>
#include <random>

namespace baked_noise_test {

using namespace clangor;
using test::message_of;
using test::Scratch;

namespace {

const std::string key(64, 'a');

/// Motions of different sizes, the last one silent; 300 samples of 12 harmonics are enough to be compressed.
BakedNoise small_noise() {
    BakedNoise baked{.name = "Würfel",
                     .inputs_hash = key,
                     .noise = {.centre = {0.1, -0.0, 0.3},
                               .frame = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix(),
                               .radius = 0.01,
                               .reference_radius = 0.0135,
                               .pulse_scale = 1.1e-5,
                               .sample_step = 5e-6,
                               .air = {.density = 1.19, .speed_of_sound = 345.6},
                               .fields = {}},
                     .messages = {"a slot is not resolved", "the sound had not died out"}};
    for (int motion = 0; motion < 5; ++motion) {
        NoiseField& field = baked.noise.fields[motion];
        const int count = 12 - 2 * motion;
        field.harmonics = Eigen::VectorXi::LinSpaced(count, motion, motion + 7 * (count - 1));
        field.start = -6.1e-5 + 1e-6 * motion;
        field.pressure = Eigen::MatrixXf::Random(300 - motion, count);
    }
    baked.noise.fields[0].pressure(0, 0) = -0.0F;
    baked.noise.fields[0].pressure(1, 0) = std::numeric_limits<float>::denorm_min();
    return baked;
}

template <class Matrix>
bool same_bits(const Matrix& a, const Matrix& b) {
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(*a.data()) * a.size()) == 0);
}

std::string reading(std::span<const std::byte> bytes) {
    return message_of<Error>([&] { io::baked_from_bytes<BakedNoise>(bytes, "die.h5"); });
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void check_same(const BakedNoise& a, const BakedNoise& b) {
    CHECK(a.name == b.name);
    CHECK(a.inputs_hash == b.inputs_hash);
    CHECK(a.messages == b.messages);
    CHECK(same_bits(a.noise.centre, b.noise.centre));
    CHECK(same_bits(a.noise.frame, b.noise.frame));
    CHECK(a.noise.radius == b.noise.radius);
    CHECK(a.noise.reference_radius == b.noise.reference_radius);
    CHECK(a.noise.pulse_scale == b.noise.pulse_scale);
    CHECK(a.noise.sample_step == b.noise.sample_step);
    CHECK(a.noise.air.density == b.noise.air.density);
    CHECK(a.noise.air.speed_of_sound == b.noise.air.speed_of_sound);
    for (std::size_t motion = 0; motion < 6; ++motion) {
        CHECK(same_bits(a.noise.fields[motion].harmonics, b.noise.fields[motion].harmonics));
        CHECK(a.noise.fields[motion].start == b.noise.fields[motion].start);
        CHECK(same_bits(a.noise.fields[motion].pressure, b.noise.fields[motion].pressure));
    }
}

}  // namespace

TEST_CASE("acceleration noise comes back bit for bit") {
    const Scratch scratch;
    const BakedNoise ball{.name = "", .inputs_hash = key, .noise = sphere_noise(0.0075, 7e-6, Air{}), .messages = {}};
    BakedNoise silent = small_noise();
    silent.noise.fields = {};
    for (const BakedNoise& noise : {small_noise(), ball, silent}) {
        io::write_baked(scratch / "die.h5", noise);
        check_same(io::read_baked<BakedNoise>(scratch / "die.h5"), noise);
    }
}

TEST_CASE("the same noise makes the same bytes") {
    const BakedNoise noise = small_noise();
    CHECK(io::bytes_of_baked(noise) == io::bytes_of_baked(BakedNoise(noise)));
    const BakedNoise again = io::baked_from_bytes<BakedNoise>(io::bytes_of_baked(noise), "die.h5");
    CHECK(io::bytes_of_baked(again) == io::bytes_of_baked(noise));
}

TEST_CASE("other programs see one row of samples a harmonic") {
    const BakedNoise noise = small_noise();
    const std::vector<std::byte> bytes = io::bytes_of_baked(noise);
    const io::Hdf5Reader file(bytes);
    const auto pressure = file.floats("fields/1/pressure");
    REQUIRE(pressure.dims == std::vector<std::uint64_t>{10, 299});
    CHECK(pressure.values[2 * 299 + 7] == noise.noise.fields[1].pressure(7, 2));
    CHECK(file.integers("fields/5/harmonics").dims == std::vector<std::uint64_t>{0});
    CHECK(file.doubles("frame").values[1] == noise.noise.frame(1, 0));  // the first row is the axis x
    CHECK(file.description("format") == "clangor acceleration noise");
}

TEST_CASE("damage to noise is noticed anywhere") {
    const std::vector<std::byte> good = io::bytes_of_baked(small_noise());
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> bad = good;
        bad[random() % bad.size()] ^= std::byte(1 << random() % 8);
        const std::string message = reading(bad);
        CHECK(contains(message, "die.h5 is "));
        CHECK(contains(message, "Bake it again"));
    }
    for (int i = 0; i < 50; ++i) CHECK(contains(reading(std::span(good).first(random() % good.size())), "die.h5 is "));
    CHECK(contains(reading(std::span(good).first(good.size() - 1)), "cut short"));
}

TEST_CASE("a model is no noise, and noise is no model") {
    CHECK(contains(reading(io::bytes_of_baked(test::small_model(3, key))),
                   "HDF5 file, but no Clangor acceleration noise"));
    const std::vector<std::byte> noise = io::bytes_of_baked(small_noise());
    const std::string message = message_of<Error>([&] { io::baked_from_bytes<ModalBody>(noise, "bell.h5"); });
    CHECK(contains(message, "bell.h5 is an HDF5 file, but no Clangor model"));
    CHECK(contains(reading({}), "no Clangor acceleration noise"));

    io::Hdf5Writer newer, empty;
    io::describe(newer, {.format = "clangor acceleration noise", .version = "2", .title = "", .noun = "", .ending = ""},
                 key);
    CHECK(contains(reading(io::sealed(newer.bytes())), "version 2"));
    io::describe(empty, {.format = "clangor acceleration noise", .version = "1", .title = "", .noun = "", .ending = ""},
                 key);
    CHECK(contains(reading(io::sealed(empty.bytes())), "has no name"));
}

TEST_CASE("a sealed file whose pressures have the wrong shape is refused") {
    io::Hdf5Writer file;
    io::describe(file, {.format = "clangor acceleration noise", .version = "1", .title = "", .noun = "", .ending = ""},
                 key);
    file.write("name", "die");
    io::write_messages(file, {});
    const std::vector<double> axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    file.write("centre", std::span(axes).first(3), {3}, "m");
    file.write("frame", axes, {3, 3}, "1");
    for (const char* name : {"radius", "reference_radius", "pulse_scale", "sample_step", "air/density"})
        file.write(name, 1.0, "");
    file.write("air/speed_of_sound", 343.0, "m/s");
    const std::vector<std::int32_t> harmonics = {1, 2};
    const std::vector<float> pressure(6);
    file.write("fields/0/harmonics", harmonics, {2}, "1");
    file.write("fields/0/start", 0.0, "s");
    file.write("fields/0/pressure", pressure, {3, 2}, "");  // samples × harmonics: the wrong way round
    CHECK(contains(reading(io::sealed(file.bytes())), "has a fields/0/pressure of the wrong size"));
}

TEST_CASE("noise whose parts do not fit is told apart from noise that does") {
    const BakedNoise good = small_noise();
    CHECK(problems_of(good).empty());
    const auto broken = [&](const auto& change) {
        BakedNoise baked = good;
        change(baked.noise);
        return problems_of(baked).size();
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(broken([&](AccelerationNoise& n) { n.centre[1] = nan; }) == 1);
    CHECK(broken([&](AccelerationNoise& n) { n.frame(1, 1) = nan; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.frame *= 1.001; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.radius = 0; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.reference_radius = -1; }) == 1);
    CHECK(broken([&](AccelerationNoise& n) { n.pulse_scale = nan; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.sample_step = 0; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.air.density = 0; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.fields[2].harmonics[3] = n.fields[2].harmonics[2]; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.fields[0].harmonics[0] = -1; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.fields[0].harmonics[11] = 10'001; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.fields[0].harmonics[11] = 10'000; }) == 0);
    CHECK(broken([](AccelerationNoise& n) { n.fields[1].pressure.conservativeResize(299, 9); }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.fields[1].pressure.resize(0, 10); }) == 1);
    CHECK(broken([&](AccelerationNoise& n) { n.fields[4].pressure(5, 1) = static_cast<float>(nan); }) == 1);
    CHECK(broken([&](AccelerationNoise& n) { n.fields[4].start = nan; }) == 1);
    CHECK(broken([](AccelerationNoise& n) { n.fields[4].start = -1e9; }) == 1);
}

}  // namespace baked_noise_test
