// Objects are baked side by side, and nobody can tell.
#include <objects/toy/beeper.hpp>
#include <threads.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

namespace bake_test {

using namespace clangor;

namespace {

Scene beepers(int count) {
    Scene scene{.duration = 0.1};
    for (int i = 0; i < count; ++i) scene.objects.push_back(scene::Beeper{.name = std::to_string(i)});
    scene.listeners = {{.name = "mic", .position = {1, 0, 0}}};
    return scene;
}

/// For a scope: so many threads, and what happens during a bake.
class Bakery {
public:
    Bakery(int threads, std::function<void(int beeper, double memory)> happens) : threads_(threads) {
        scene::while_baking = [happens](const scene::Beeper& beeper, const BakeContext& context) {
            happens(std::stoi(beeper.name), context.memory);
        };
    }
    ~Bakery() { scene::while_baking = {}; }
    Bakery(const Bakery&) = delete;
    Bakery& operator=(const Bakery&) = delete;

private:
    testing::Threads threads_;
};

std::string failure_of(const Scene& scene, double memory) {
    try {
        bake(scene, {.cache = {}, .memory = memory});
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("three objects are baked at once on three threads, and stay in their order") {
    std::atomic<int> here = 0;
    const Bakery bakery(3, [&](int beeper, double) {
        if (beeper > 2) return;
        for (++here; here < 3;) std::this_thread::yield();  // each waits for the other two
    });
    const Baked baked = bake(beepers(9), {.cache = {}, .memory = 100e9});
    REQUIRE(baked.objects.size() == 9);
    for (int i = 0; i < 9; ++i) CHECK(baked.objects[i].name == std::to_string(i));
}

TEST_CASE("what needs more than its share of the memory is baked alone, with all of it") {
    std::atomic<int> at_once = 0, beside = 0;
    const Bakery bakery(4, [&](int beeper, double memory) {
        const int others = at_once++;
        std::this_thread::yield();
        --at_once;
        if (beeper != 1) return;
        if (memory < 7e9) throw Error("more memory", Blame::Memory);
        beside = others;
    });
    CHECK(bake(beepers(6), {.cache = {}, .memory = 8e9}).objects.size() == 6);
    CHECK(beside == 0);
    CHECK(failure_of(beepers(6), 6e9) == "object \"1\": more memory");
}

TEST_CASE("of several objects that cannot be baked the first one is named, on any number of threads") {
    for (const int threads : {1, 2, 3, 5, 16})
        for (int round = 0; round < 20; ++round) {
            const Bakery bakery(threads, [&](int beeper, double) {
                if (beeper == 3) std::this_thread::sleep_for(std::chrono::milliseconds(round % 4));
                if (beeper % 4 == 3) throw Error("it is broken");
            });
            CHECK(failure_of(beepers(12), 100e9) == "object \"3\": it is broken");
        }
}

TEST_CASE("progress is told by one thread at a time, and goes from nothing to everything") {
    const Bakery bakery(5, [](int, double) {});
    std::atomic<int> inside = 0, clashes = 0;
    double last = 0;
    const Progress progress{[&](std::string_view, double fraction) {
        clashes += inside++ > 0;
        CHECK(fraction >= last);
        last = fraction;
        --inside;
    }};
    bake(beepers(40), {.cache = {}, .memory = 100e9}, progress);
    CHECK(clashes == 0);
    CHECK(last == 1);
}

}  // namespace bake_test
