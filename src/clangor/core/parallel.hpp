// Parallel loops whose result does not depend on the number of threads.
#pragma once

#include <exception>
#include <mutex>

#ifdef __SANITIZE_THREAD__
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>
#endif

namespace clangor {
namespace core {

#ifdef __SANITIZE_THREAD__

inline thread_local bool in_parallel_loop = false;

/// ThreadSanitizer does not know the barriers of GNU's OpenMP and takes all that they order for races. So the same
/// loop runs on threads that it knows; on four at least, so that races show on small machines too. As in OpenMP, a
/// loop within a loop is serial.
template <class Body>
void run_parallel(long count, const Body& body) {
    const long most = in_parallel_loop ? 1 : std::max(4, omp_get_max_threads());
    std::atomic<long> next = most;       // relaxed: anything else would order the calls, and hide their races
    const auto take = [&](long first) {  // one call at least is each thread's own, however short the loop
        const bool outer = std::exchange(in_parallel_loop, true);
        for (long i = first; i < count; i = next.fetch_add(1, std::memory_order_relaxed)) body(i);
        in_parallel_loop = outer;
    };
    std::vector<std::jthread> threads;
    for (long t = 1; t < std::min(most, count); ++t) threads.emplace_back(take, t);
    take(0);
}

#else

template <class Body>
void run_parallel(long count, const Body& body) {
#pragma omp parallel for schedule(dynamic, 1)
    for (long i = 0; i < count; ++i) body(i);
}

#endif

}  // namespace core

/// Runs body(i) for i in [0, count) on the threads that OpenMP has. Each call must write only what belongs
/// to its own i: then the bytes are the same for any number of threads. The first exception (lowest i that
/// was reached) is thrown again here.
template <class Body>
void parallel_for(long count, const Body& body) {
    if (count == 1) return void(body(0));
    std::exception_ptr failure;
    long failed_at = count;
    std::mutex mutex;
    core::run_parallel(count, [&](long i) {
        try {
            body(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (i < failed_at) {
                failed_at = i;
                failure = std::current_exception();
            }
        }
    });
    if (failure) std::rethrow_exception(failure);
}

}  // namespace clangor
