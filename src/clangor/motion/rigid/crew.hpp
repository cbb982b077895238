// Threads for many short loops.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace clangor::rigid {

/// Runs short loops one after another, tens of thousands of them, on as many threads as OpenMP has. A loop of OpenMP
/// ends when every thread has come to its end: where other programs take a core away, each of them waits for that
/// core's next turn, and steps of 1 ms took 16. Here a loop ends when its calls are done, and a thread that comes late
/// finds nothing left to do.
class Crew {
public:
    Crew() {
#ifdef __SANITIZE_THREAD__
        const int most = std::max(4, omp_get_max_threads());  // so that races show on small machines too
#else
        const int most = omp_get_max_threads();
#endif
        // Between two loops of a step there are some 20 µs; to be woken takes longer. Where cores are to be shared,
        // whoever waits must not keep others from working.
        patience_ = most <= int(std::thread::hardware_concurrency()) ? 40'000 : 2'000;
        for (int i = 1; i < most; ++i) threads_.emplace_back([this] { work(); });
    }
    ~Crew() {
        ends_ = true;
        calls_.fetch_add(one_loop, std::memory_order_release);
        calls_.notify_all();
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// As parallel_for: body(i) for i in [0, count); each call must write only what belongs to its own i. The first
    /// exception (lowest i) is thrown again here.
    template <class Body>
    void run(long count, const Body& body) {
        if (count <= 1 || threads_.empty()) {
            for (long i = 0; i < count; ++i) body(i);
            return;
        }
        call_ = [](const void* with, long i) { (*static_cast<const Body*>(with))(i); };
        with_ = &body;
        count_ = count;
        done_.store(0, std::memory_order_relaxed);
        const std::uint64_t loop = (calls_.load(std::memory_order_relaxed) / one_loop + 1) * one_loop;
        calls_.store(loop + std::uint64_t(count), std::memory_order_release);
        calls_.notify_all();
        take_calls(loop);
        for (int round = 0; done_.load(std::memory_order_acquire) != count; ++round)
            if (round > patience_) std::this_thread::yield();
        if (failure_) {
            failed_at_ = -1;
            std::rethrow_exception(std::exchange(failure_, nullptr));
        }
    }

private:
    // The number of a loop and, in the lower half, how many of its calls are left.
    static constexpr std::uint64_t one_loop = std::uint64_t(1) << 32;

    void take_calls(std::uint64_t loop) {
        std::uint64_t next = calls_.load(std::memory_order_acquire);
        while (next / one_loop == loop / one_loop && next % one_loop > 0) {
            if (!calls_.compare_exchange_weak(next, next - 1, std::memory_order_acq_rel)) continue;
            // Who has a call to make may read what belongs to the loop, which does not end before that is done.
            const long i = count_ - long(next % one_loop);
            try {
                call_(with_, i);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (failed_at_ < 0 || i < failed_at_) {
                    failed_at_ = i;
                    failure_ = std::current_exception();
                }
            }
            done_.fetch_add(1, std::memory_order_acq_rel);
            next = calls_.load(std::memory_order_acquire);
        }
    }

    void work() {
        for (std::uint64_t seen = 0;;) {
            std::uint64_t now = calls_.load(std::memory_order_acquire);
            for (int round = 0; now / one_loop == seen / one_loop && round < patience_; ++round)
                now = calls_.load(std::memory_order_acquire);
            if (now / one_loop == seen / one_loop) {
                calls_.wait(now, std::memory_order_acquire);
                continue;
            }
            if (ends_) return;
            seen = now;
            take_calls(now);
        }
    }

    std::atomic<std::uint64_t> calls_ = 0;
    void (*call_)(const void*, long) = nullptr;
    const void* with_ = nullptr;
    long count_ = 0;
    std::atomic<long> done_ = 0;
    std::atomic<bool> ends_ = false;
    int patience_ = 0;  ///< in looks, about a nanosecond each
    std::mutex mutex_;
    long failed_at_ = -1;
    std::exception_ptr failure_;
    std::vector<std::jthread> threads_;
};

}  // namespace clangor::rigid
