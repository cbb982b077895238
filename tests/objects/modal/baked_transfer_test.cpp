#include <clangor/objects/modal/modal.hpp>

#include <doctest/doctest.h>

#include <io/scratch.hpp>

#include <limits>
#include <random>

namespace baked_transfer_test {

using namespace clangor;
using test::message_of;
using test::Scratch;

namespace {

const std::string key(64, 'c');

/// Modes of degrees 3, 0 and 5.
BakedTransfer small_transfer() {
    BakedTransfer baked{.name = "Glöckchen",
                        .inputs_hash = key,
                        .transfer = {.centre = {0.1, -0.2, 0.3},
                                     .radius = 0.05,
                                     .reference_radius = 0.0675,
                                     .air = {.density = 1.19, .speed_of_sound = 345.6},
                                     .solved_hz = 12345.6,
                                     .modes = {}},
                        .messages = {"coarse above 12 kHz"}};
    for (const int degree : {3, 0, 5})
        baked.transfer.modes.push_back({.omega = 1000.0 + degree,
                                        .degree = degree,
                                        .coefficients = Eigen::VectorXcf::Random((degree + 1) * (degree + 1))});
    return baked;
}

std::string reading(std::span<const std::byte> bytes) {
    return message_of<Error>([&] { io::baked_from_bytes<BakedTransfer>(bytes, "bell.h5"); });
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void check_same(const ModalTransfer& a, const ModalTransfer& b) {
    CHECK(a.centre == b.centre);
    CHECK(a.radius == b.radius);
    CHECK(a.reference_radius == b.reference_radius);
    CHECK(a.air.speed_of_sound == b.air.speed_of_sound);
    CHECK(a.solved_hz == b.solved_hz);
    REQUIRE(a.modes.size() == b.modes.size());
    for (std::size_t j = 0; j < a.modes.size(); ++j) {
        CHECK(a.modes[j].omega == b.modes[j].omega);
        CHECK(a.modes[j].degree == b.modes[j].degree);
        CHECK(a.modes[j].coefficients == b.modes[j].coefficients);
    }
}

}  // namespace

TEST_CASE("transfer comes back bit for bit, and the same transfer makes the same bytes") {
    const Scratch scratch;
    const BakedTransfer baked = small_transfer();
    io::write_baked(scratch / "bell.h5", baked);
    const BakedTransfer again = io::read_baked<BakedTransfer>(scratch / "bell.h5");
    check_same(again.transfer, baked.transfer);
    CHECK(again.name == baked.name);
    CHECK(again.messages == baked.messages);
    CHECK(io::bytes_of_baked(again) == io::bytes_of_baked(baked));
}

TEST_CASE("damage to transfer is noticed anywhere") {
    const std::vector<std::byte> good = io::bytes_of_baked(small_transfer());
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> bad = good;
        bad[random() % bad.size()] ^= std::byte(1 << random() % 8);
        CHECK(contains(reading(bad), "Bake it again"));
    }
    for (int i = 0; i < 50; ++i) CHECK(contains(reading(std::span(good).first(random() % good.size())), "bell.h5 is "));
}

TEST_CASE("sealed transfer whose sizes do not fit is refused") {
    const auto sealed_with = [](std::vector<std::int32_t> degrees, std::size_t coefficients) {
        io::Hdf5Writer file;
        io::describe(file, {.format = "clangor transfer", .version = "2", .title = "", .noun = "", .ending = ""}, key);
        file.write("name", "bell");
        io::write_messages(file, {});
        const std::vector<double> centre(3), omega = {1000, 2000};
        file.write("centre", centre, {3}, "m");
        for (const char* name : {"radius", "reference_radius", "air/density", "air/speed_of_sound", "solved_hz"})
            file.write(name, 1.0, "");
        file.write("modes/omega", omega, {2}, "rad/s");
        file.write("modes/degree", degrees, {degrees.size()}, "1");
        const std::vector<float> values(2 * coefficients);
        file.write("modes/coefficients", values, {coefficients, 2}, "");
        return io::sealed(file.bytes());
    };
    CHECK(io::baked_from_bytes<BakedTransfer>(sealed_with({1, 2}, 13), "bell.h5").transfer.modes.size() == 2);
    CHECK(contains(reading(sealed_with({1, 2}, 12)), "too few"));
    CHECK(contains(reading(sealed_with({1, 2}, 14)), "too many"));
    CHECK(contains(reading(sealed_with({1}, 4)), "modes/degree of the wrong size"));
    CHECK(contains(reading(sealed_with({1, 2'000'000'000}, 4)), "degree 2000000000"));
    CHECK(contains(reading(sealed_with({-2, 1}, 4)), "degree -2"));
}

TEST_CASE("transfer whose parts do not fit is told apart from transfer that does") {
    const auto broken = [](const auto& change) {
        BakedTransfer baked = small_transfer();
        change(baked.transfer);
        return problems_of(baked).size();
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(broken([](ModalTransfer&) {}) == 0);
    CHECK(broken([&](ModalTransfer& t) { t.centre[0] = nan; }) == 1);
    CHECK(broken([&](ModalTransfer& t) { t.reference_radius = 0.04; }) == 1);
    CHECK(broken([](ModalTransfer& t) { t.air.speed_of_sound = 0; }) == 1);
    CHECK(broken([](ModalTransfer& t) { t.modes[0].omega = 0; }) == 1);
    CHECK(broken([](ModalTransfer& t) { t.modes[0].degree = 2; }) == 1);
    CHECK(broken([&](ModalTransfer& t) { t.modes[2].coefficients[7] = static_cast<float>(nan); }) == 1);
}

TEST_CASE("what a stopped bake had finished is found again, until the whole is stored") {
    const Scratch scratch;
    const io::Cache cache{scratch / "cache"};
    const BakedTransfer whole = small_transfer();
    BegunTransferFile begun{
        .name = whole.name,
        .inputs_hash = key,
        .begun = {.transfer = whole.transfer,
                  .trials = {{1, 0.001, 0}, {2, 0.3, 1e-4}, {3, 0.002, 0}},
                  .run = {.attempt = 2,
                          .modes = {1, -1, 0, -1, 2, -1},
                          .snapshot = {
                              .step = 1234, .states = {{1, 2, 3}, {}, {4, 5, 6}}, .recorded = {{7, 8}, {9}, {10}}}}}};
    begun.begun.transfer.modes[1] = {.omega = 1000, .degree = -1};
    CHECK_FALSE(io::load<BegunTransferFile>(cache, key).found);
    io::store(cache, begun);
    const BegunTransfer again = io::load<BegunTransferFile>(cache, key).found.value().begun;
    check_same(again.transfer, begun.begun.transfer);
    REQUIRE(again.trials.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(again.trials[i].attempts == begun.begun.trials[i].attempts);
        CHECK(again.trials[i].missing == begun.begun.trials[i].missing);
        CHECK(again.trials[i].lost_area == begun.begun.trials[i].lost_area);
    }
    CHECK(again.run.attempt == 2);
    CHECK(again.run.modes == begun.begun.run.modes);
    CHECK(again.run.snapshot.step == 1234);
    CHECK(again.run.snapshot.states == begun.begun.run.snapshot.states);
    CHECK(again.run.snapshot.recorded == begun.begun.run.snapshot.recorded);
    CHECK_FALSE(io::load<BakedTransfer>(cache, key).found);  // the whole is not there yet
    CHECK(io::store(cache, whole) == "");
    check_same(io::load<BakedTransfer>(cache, key).found->transfer, whole.transfer);
    CHECK_FALSE(io::load<BegunTransferFile>(cache, key).found);
    begun.begun.trials.pop_back();
    CHECK(problems_of(begun).size() == 1);

    const NoiseField field{
        .harmonics = Eigen::VectorXi::Constant(1, 3), .start = -1e-4, .pressure = Eigen::MatrixXf::Random(20, 1)};
    const BegunNoise noise{.name = "die",
                           .inputs_hash = key,
                           .motions = {{.motion = 4,
                                        .field = field,
                                        .sample_step = 1e-6,
                                        .far_energy = 2,
                                        .fit_residual = 0.01,
                                        .died_out = true,
                                        .residual_db = -31,
                                        .end_time = 1e-3}}};
    io::store(cache, noise);
    const std::vector<NoiseMotion> found = io::load<BegunNoise>(cache, key).found.value().motions;
    REQUIRE(found.size() == 1);
    CHECK(found[0].motion == 4);
    CHECK(found[0].field.pressure == field.pressure);
    CHECK(found[0].died_out);
    CHECK(found[0].residual_db == -31);
    const AccelerationNoise ball = sphere_noise(0.0075, 7e-6, Air{});
    CHECK(io::store(cache, BakedNoise{.name = "die", .inputs_hash = key, .noise = ball, .messages = {}}) == "");
    CHECK_FALSE(io::load<BegunNoise>(cache, key).found);
}

TEST_CASE("what was begun is forgotten when the whole is found: someone was stopped after it was stored") {
    const Scratch scratch;
    const io::Cache cache{scratch / "cache"};
    const AccelerationNoise ball = sphere_noise(0.0075, 7e-6, Air{});
    CHECK(io::store(cache, small_transfer()) == "");
    CHECK(io::store(cache, BakedNoise{.name = "die", .inputs_hash = key, .noise = ball, .messages = {}}) == "");
    io::store(cache, BegunTransferFile{"bell", key, {small_transfer().transfer, {}, {}}});
    std::filesystem::copy_file(cache.folder / (key + ".transfer.begun.h5"), cache.folder / (key + ".noise.begun.h5"));
    const auto files = [&] {
        return std::distance(std::filesystem::directory_iterator(cache.folder), std::filesystem::directory_iterator());
    };
    CHECK(files() == 4);
    CHECK(io::load<BakedTransfer>(cache, key).found);
    CHECK(files() == 3);
    CHECK(io::load<BakedNoise>(cache, key).found);
    CHECK(files() == 2);
}

TEST_CASE("a damaged begun bake is begun anew") {
    const Scratch scratch;
    const io::Cache cache{scratch / "cache"};
    io::store(cache, BegunTransferFile{"bell", key, {small_transfer().transfer, {}, {}}});
    for (const auto& entry : std::filesystem::directory_iterator(cache.folder))
        std::filesystem::resize_file(entry.path(), 100);
    CHECK_FALSE(io::load<BegunTransferFile>(cache, key).found);
}

}  // namespace baked_transfer_test
