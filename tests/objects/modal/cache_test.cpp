#include <clangor/objects/modal/modal.hpp>

#include <doctest/doctest.h>

#include <io/scratch.hpp>
#include <objects/modal/models.hpp>

#include <sys/wait.h>

#include <cstdlib>

namespace cache_test {

using namespace clangor;
using io::Cache;
using io::CacheLookup;
using test::Scratch;
using test::small_model;

namespace {

const std::string key_a(64, 'a');
const std::string key_b(64, 'b');

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

BakedNoise ball_noise(const std::string& key) {
    return {.name = "marble", .inputs_hash = key, .noise = sphere_noise(0.0075, 7e-6, Air{}), .messages = {}};
}

/// Sets an environment variable, and puts back what was there.
class Setting {
public:
    Setting(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        value ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("the cache stands where the environment says") {
    const Setting clangor("CLANGOR_CACHE", nullptr);
    const Setting xdg("XDG_CACHE_HOME", nullptr);
    const Setting home("HOME", "/home/someone");
    CHECK(io::default_cache().cache.folder == "/home/someone/.cache/clangor");
    {
        const Setting relative("XDG_CACHE_HOME", "not/absolute");
        CHECK(io::default_cache().cache.folder == "/home/someone/.cache/clangor");
        const Setting absolute("XDG_CACHE_HOME", "/var/caches");
        CHECK(io::default_cache().cache.folder == "/var/caches/clangor");
        const Setting own("CLANGOR_CACHE", "here");
        CHECK(io::default_cache().cache.folder == "here");
    }
    const Setting homeless("HOME", nullptr);
    CHECK(io::default_cache().cache.folder.empty());
    CHECK(contains(io::default_cache().warning, "Set CLANGOR_CACHE"));
    const Setting none("CLANGOR_CACHE", "");
    CHECK(io::default_cache().cache.folder.empty());
    CHECK(io::default_cache().warning.empty());
}

TEST_CASE("a stored model is found by its key, and by no other") {
    const Scratch scratch;
    const Cache cache{scratch / "deep/inside"};
    CHECK_FALSE(io::load<ModalBody>(cache, key_a).found);
    CHECK(io::store(cache, small_model(5, key_a)) == "");
    const CacheLookup<ModalBody> found = io::load<ModalBody>(cache, key_a);
    REQUIRE(found.found);
    CHECK(found.warning == "");
    CHECK(found.found->omega == small_model(5, key_a).omega);
    CHECK_FALSE(io::load<ModalBody>(cache, key_b).found);
    CHECK(io::load<ModalBody>(cache, key_b).warning == "");
}

TEST_CASE("without a folder nothing is kept, silently") {
    CHECK(io::store({}, small_model(5, key_a)) == "");
    CHECK_FALSE(io::load<ModalBody>({}, key_a).found);
}

TEST_CASE("a damaged, foreign or misplaced entry is reported, not used, and replaced by the next bake") {
    const Scratch scratch;
    const Cache cache{scratch.folder()};
    const auto path = scratch / (key_a + ".h5");
    const auto put = [&](const std::vector<std::byte>& bytes) { io::write_file(path, bytes); };
    const std::vector<std::byte> good = io::bytes_of_baked(small_model(5, key_a));
    const auto replaced = [&](const char* complaint) {
        const CacheLookup<ModalBody> found = io::load<ModalBody>(cache, key_a);
        CHECK_FALSE(found.found);
        CHECK(contains(found.warning, complaint));
        CHECK(contains(found.warning, key_a.c_str()));
        CHECK(io::store(cache, small_model(5, key_a)) == "");
        CHECK(io::load<ModalBody>(cache, key_a).found);
    };

    std::vector<std::byte> flipped = good;
    flipped[good.size() / 2] ^= std::byte(4);
    put(flipped);
    replaced("checksum");

    put({good.begin(), good.begin() + static_cast<long>(good.size() / 2)});
    replaced("cut short");

    put({});
    replaced("no Clangor model");

    put(io::bytes_of_baked(small_model(5, key_b)));
    replaced("another model");

    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    replaced("Is a directory");
}

TEST_CASE("stored noise is found by its key, beside a model of the same key") {
    const Scratch scratch;
    const Cache cache{scratch / "deep/inside"};
    CHECK_FALSE(io::load<BakedNoise>(cache, key_a).found);
    CHECK(io::store(cache, ball_noise(key_a)) == "");
    CHECK(std::filesystem::exists(cache.folder / (key_a + ".noise.h5")));
    CHECK_FALSE(io::load<ModalBody>(cache, key_a).found);
    CHECK(io::store(cache, small_model(5, key_a)) == "");
    const CacheLookup<BakedNoise> found = io::load<BakedNoise>(cache, key_a);
    REQUIRE(found.found);
    CHECK(found.warning == "");
    CHECK(found.found->noise.fields[0].pressure == ball_noise(key_a).noise.fields[0].pressure);
    CHECK(io::load<ModalBody>(cache, key_a).found);
    CHECK_FALSE(io::load<BakedNoise>(cache, key_b).found);
    CHECK(io::load<BakedNoise>(cache, key_b).warning == "");
    CHECK(io::store({}, ball_noise(key_a)) == "");
    CHECK_FALSE(io::load<BakedNoise>({}, key_a).found);
}

TEST_CASE("damaged, foreign or misplaced noise is reported, not used, and replaced by the next bake") {
    const Scratch scratch;
    const Cache cache{scratch.folder()};
    const std::vector<std::byte> good = io::bytes_of_baked(ball_noise(key_a));
    const auto replaced = [&](const std::vector<std::byte>& bytes, const char* complaint) {
        io::write_file(scratch / (key_a + ".noise.h5"), bytes);
        const CacheLookup<BakedNoise> found = io::load<BakedNoise>(cache, key_a);
        CHECK_FALSE(found.found);
        CHECK(contains(found.warning, complaint));
        CHECK(contains(found.warning, key_a.c_str()));
        CHECK(io::store(cache, ball_noise(key_a)) == "");
        CHECK(io::load<BakedNoise>(cache, key_a).found);
    };
    std::vector<std::byte> flipped = good;
    flipped[good.size() / 2] ^= std::byte(4);
    replaced(flipped, "checksum");
    replaced({good.begin(), good.begin() + static_cast<long>(good.size() / 2)}, "cut short");
    replaced(io::bytes_of_baked(ball_noise(key_b)), "another acceleration noise");
    replaced(io::bytes_of_baked(small_model(5, key_a)), "no Clangor acceleration noise");
}

TEST_CASE("a cache that cannot be written to is a warning that says what to do") {
    const Scratch scratch;
    io::write_file(scratch / "file", std::vector<std::byte>(1));
    const Cache cache{scratch / "file"};  // root may write anywhere, but not below a file
    CHECK_FALSE(io::load<ModalBody>(cache, key_a).found);
    CHECK(io::load<ModalBody>(cache, key_a).warning == "");
    const std::string warning = io::store(cache, small_model(5, key_a));
    CHECK(contains(warning, "was not kept"));
    CHECK(contains(warning, "Set CLANGOR_CACHE"));
    CHECK(contains(io::store(cache, ball_noise(key_a)), "the acceleration noise of marble was not kept"));
}

TEST_CASE("two processes may store and load at once") {
    const Scratch scratch;
    const Cache cache{scratch.folder()};
    const ModalBody model = small_model(300, key_a);
    const pid_t child = ::fork();
    if (child == 0) {
        bool fine = true;
        for (int i = 0; i < 40; ++i) fine = io::store(cache, model).empty() && fine;
        ::_exit(fine ? 0 : 1);
    }
    for (int i = 0; i < 40; ++i) {
        CHECK(io::store(cache, model) == "");
        const CacheLookup<ModalBody> found = io::load<ModalBody>(cache, key_a);
        CHECK(found.found);
        CHECK(found.warning == "");
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(scratch.files() == 1);
}

}  // namespace cache_test
