// Parallel loops whose result does not depend on the number of threads.
#pragma once

#include <exception>
#include <mutex>

namespace clangor {

/// Runs body(i) for i in [0, count) on the threads that OpenMP has. Each call must write only what belongs
/// to its own i: then the bytes are the same for any number of threads. The first exception (lowest i that
/// was reached) is thrown again here.
template <class Body>
void parallel_for(long count, const Body& body) {
    if (count == 1) return void(body(0));
    std::exception_ptr failure;
    long failed_at = count;
    std::mutex mutex;
#pragma omp parallel for schedule(dynamic, 1)
    for (long i = 0; i < count; ++i) {
        try {
            body(i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (i < failed_at) {
                failed_at = i;
                failure = std::current_exception();
            }
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace clangor
