// Parallel loops whose result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>

namespace clangor {

/// How many threads loops share, with those that start them. At first one for each core that the process may use.
int thread_count();

/// 0: one for each core. Not while a loop runs.
void set_thread_count(int count);

/// Of the thread that asks, below thread_count(); those that start loops are all 0. For hints, never for results.
int thread_index();

namespace core {
void run_loop(long count, void (*call)(const void* body, long i), const void* body);
}

/// Runs body(i) for i in [0, count), in this order but side by side. Each call must write only what belongs to its own
/// i: then the bytes are the same for any number of threads. Loops may be nested, and all share the same threads: who
/// has nothing to do helps another loop, an outer one first. The loop ends when its calls are done, however late a
/// thread comes to help. The exception of the lowest i that throws is thrown again here; calls behind it may be left
/// out.
template <class Body>
void parallel_for(long count, const Body& body) {
    core::run_loop(
        count, [](const void* with, long i) { (*static_cast<const Body*>(with))(i); }, &body);
}

/// The same with no more than so many calls at once: for those that take much memory.
struct AtMost {
    long calls = 1;
};
template <class Body>
void parallel_for(long count, AtMost together, const Body& body) {
    std::atomic<long> next = 0;
    parallel_for(std::min(count, together.calls), [&](long) {
        for (long i = next++; i < count; i = next++) body(i);
    });
}

}  // namespace clangor
