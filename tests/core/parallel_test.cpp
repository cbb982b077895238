#include <threads.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace clangor {
namespace parallel_test {

using testing::Threads;

TEST_CASE("a loop makes each of its calls once, however long the loops before it were") {
    for (const int count : {1, 2, 5, 16}) {
        CAPTURE(count);
        const Threads threads(count);
        std::vector<int> calls(500, 0);
        for (int loop = 0; loop < 2000; ++loop) parallel_for(loop % 500, [&](long i) { ++calls[i]; });
        for (int i = 0; i < 500; ++i) CHECK(calls[i] == 4 * (499 - i));
        long made = 0;  // short loops before long ones: whoever comes late must not take the next one's calls
        for (int loop = 0; loop < 5'000; ++loop) {
            std::atomic<long> own = 0;
            parallel_for(loop % 2 == 0 ? 2 : 9, [&](long) { ++own; });
            made += own;
        }
        CHECK(made == 27'500);
    }
}

TEST_CASE("the failure of the first call that fails is handed on, and the next loop is whole") {
    const Threads threads(4);
    for (int loop = 0; loop < 100; ++loop) {
        std::string what;
        try {
            parallel_for(64, [](long i) {
                if (i % 2 == 1) throw Error(std::to_string(i));
            });
        } catch (const Error& error) {
            what = error.what();
        }
        CHECK(what == "1");
    }
    std::atomic<long> sum = 0;
    parallel_for(100, [&](long i) { sum += i; });
    CHECK(sum == 4950);
}

TEST_CASE("loops within loops within loops make all their calls, and their failures come out at the top") {
    for (const int count : {1, 2, 3, 16}) {
        CAPTURE(count);
        const Threads threads(count);
        std::vector<long> sums(7, 0);
        for (int round = 0; round < 50; ++round)
            parallel_for(7, [&](long i) {
                std::vector<long> parts(5, 0);
                parallel_for(5, [&](long j) {
                    std::vector<long> ones(11, 0);
                    parallel_for(11, [&](long k) { ones[k] = 1 + i + j; });
                    parts[j] = std::accumulate(ones.begin(), ones.end(), 0L);
                });
                sums[i] += std::accumulate(parts.begin(), parts.end(), 0L);
            });
        for (long i = 0; i < 7; ++i) CHECK(sums[i] == 50 * 11 * (5 * (1 + i) + 10));
        CHECK_THROWS_WITH(parallel_for(4,
                                       [](long i) {
                                           parallel_for(4, [i](long j) {
                                               if (i >= 2 && j >= 1) throw Error(std::to_string(10 * i + j));
                                           });
                                       }),
                          "21");
    }
}

// The outer loop has a call for each thread, and one of them takes a loop of its own: those that are done help it.
TEST_CASE("threads that have done their part of a loop help the loops within the others' parts") {
    const Threads threads(3);
    std::atomic<int> inside = 0;
    parallel_for(3, [&](long i) {
        if (i != 0) return;
        parallel_for(3, [&](long) {
            ++inside;
            while (inside < 3) std::this_thread::yield();  // each waits until three are here
        });
    });
    CHECK(inside == 3);
}

TEST_CASE("no more calls run at once than are asked for, and all of them run") {
    const Threads threads(8);
    std::atomic<int> at_once = 0, most = 0, made = 0;
    parallel_for(200, AtMost{3}, [&](long) {
        const int now = ++at_once;
        for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {}
        std::this_thread::yield();
        ++made;
        --at_once;
    });
    CHECK(made == 200);
    CHECK(most <= 3);
}

TEST_CASE("loops that are started on several threads share the others") {
    const Threads threads(4);
    std::atomic<long> sum = 0;
    {
        std::vector<std::jthread> starters;
        for (int s = 0; s < 4; ++s)
            starters.emplace_back([&] {
                for (int loop = 0; loop < 200; ++loop) parallel_for(20, [&](long i) { sum += i; });
            });
    }
    CHECK(sum == 4 * 200 * 190);
}

}  // namespace parallel_test
}  // namespace clangor
