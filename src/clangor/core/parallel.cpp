// Threads that all loops share. OpenMP would give every nested loop threads of its own, or none; and its loops end when
// every thread has come to their end, so that where another program takes a core away each of them waits for that
// core's next turn: steps of 1 ms took 16.
#include <clangor/core/parallel.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace clangor {
namespace {

// The number of a loop and, in the lower half, how many of its calls are left to take.
constexpr std::uint64_t one_loop = std::uint64_t(1) << 32;
std::uint64_t left_of(std::uint64_t calls) { return calls % one_loop; }

/// A place where one loop after another is open. Who has taken a call may read all that belongs to the loop, since it
/// does not end before that call is done.
struct alignas(64) Place {
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<bool> is_used = false;
    std::atomic<const Place*> outer = nullptr;  ///< the loop whose call opened this one
    std::atomic<int> depth = 0;
    void (*call)(const void* body, long i) = nullptr;
    const void* body = nullptr;
    long count = 0;
    std::atomic<long> done = 0;
    std::atomic<long> failed_at = 0;
    std::mutex mutex;  ///< of the failure
    std::exception_ptr failure;
};

// More loops than these are not open at once; one that finds no place runs on its own thread.
constexpr int most_places = 256;

// Looks that a thread takes around, some tens to a hundred microseconds, before it sleeps.
constexpr int patience = 4000;

void rest_a_little() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// The loop whose call this thread makes.
thread_local const Place* innermost = nullptr;

thread_local int own_index = 0;

void make_call(Place& place, long i) {
    if (i > place.failed_at.load(std::memory_order_relaxed)) return;
    const Place* const before = innermost;
    innermost = &place;
    try {
        place.call(place.body, i);
    } catch (...) {
        const std::lock_guard lock(place.mutex);
        if (i < place.failed_at.load(std::memory_order_relaxed)) {
            place.failed_at.store(i, std::memory_order_relaxed);
            place.failure = std::current_exception();
        }
    }
    innermost = before;
}

class Pool {
public:
    explicit Pool(int threads) {
        for (int i = 1; i < threads; ++i)
            threads_.emplace_back([this, i] {
                own_index = i;
                work();
            });
    }
    ~Pool() {
        ends_ = true;
        tell_all();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    bool is_alone() const { return threads_.empty(); }

    Place* free_place() {
        for (int p = 0; p < most_places; ++p) {
            if (places_[p].is_used.exchange(true, std::memory_order_acquire)) continue;
            for (int top = top_.load(); top < p + 1 && !top_.compare_exchange_weak(top, p + 1);) {}
            return &places_[p];
        }
        return nullptr;
    }

    void run(Place& place, long count, void (*call)(const void*, long), const void* body) {
        place.outer.store(innermost, std::memory_order_relaxed);
        place.depth.store(innermost ? innermost->depth.load(std::memory_order_relaxed) + 1 : 0,
                          std::memory_order_relaxed);
        place.call = call;
        place.body = body;
        place.count = count;
        place.done.store(0, std::memory_order_relaxed);
        place.failed_at.store(std::numeric_limits<long>::max(), std::memory_order_relaxed);
        const std::uint64_t calls =
            (place.calls.load(std::memory_order_relaxed) / one_loop + 1) * one_loop + std::uint64_t(count);
        place.calls.store(calls, std::memory_order_release);
        call_for(count - 1);
        take_calls(place, calls);
        finish(place);
        const std::exception_ptr failure = std::exchange(place.failure, nullptr);
        place.is_used.store(false, std::memory_order_release);
        if (failure) std::rethrow_exception(failure);
    }

private:
    void tell_all() {
        news_.fetch_add(1);
        news_.notify_all();
    }

    // Wakes no more than are of use: each takes the caller some microseconds. Who looks around sees the loop anyway.
    void call_for(long helpers) {
        news_.fetch_add(1);
        helpers -= looking_.load();
        if (helpers <= 0) return;
        if (waiting_.load() > 0 || helpers >= std::ssize(threads_)) return news_.notify_all();
        for (; helpers > 0; --helpers) news_.notify_one();
    }

    // Makes calls of the loop that `calls` was read of, until none is left.
    bool take_calls(Place& place, std::uint64_t calls) {
        const std::uint64_t loop = calls / one_loop;
        bool took = false;
        while (calls / one_loop == loop && left_of(calls) > 0) {
            if (!place.calls.compare_exchange_weak(calls, calls - 1)) continue;
            took = true;
            const long count = place.count;
            make_call(place, count - long(left_of(calls)));
            if (place.done.fetch_add(1) + 1 == count && waiting_.load() > 0) tell_all();
            calls = place.calls.load(std::memory_order_acquire);
        }
        return took;
    }

    // Others still make calls of this loop: loops within those may be helped meanwhile, but no others, which could take
    // longer than what is waited for.
    void finish(const Place& place) {
        for (int round = 0; place.done.load(std::memory_order_acquire) != place.count;) {
            if (help(&place)) {
                round = 0;
            } else if (++round < patience) {
                rest_a_little();
            } else {
                waiting_.fetch_add(1);  // before the last look: so whoever is done later tells
                const unsigned news = news_.load();
                if (place.done.load() != place.count && !help(&place)) news_.wait(news);
                waiting_.fetch_sub(1);
            }
        }
    }

    static bool is_within(const Place* place, const Place* outermost) {
        for (; place; place = place->outer.load(std::memory_order_relaxed))
            if (place == outermost) return true;
        return false;
    }

    // Makes calls of the outermost loop that has some left; only of loops within the given one, where there is one.
    bool help(const Place* within) {
        Place* best = nullptr;
        std::uint64_t best_calls = 0;
        int best_depth = std::numeric_limits<int>::max();
        for (int p = 0, top = top_.load(std::memory_order_relaxed); p < top; ++p) {
            Place& place = places_[p];
            const std::uint64_t calls = place.calls.load(std::memory_order_acquire);
            if (left_of(calls) == 0) continue;
            const int depth = place.depth.load(std::memory_order_relaxed);
            if (depth >= best_depth || (within && !is_within(&place, within))) continue;
            best = &place;
            best_calls = calls;
            best_depth = depth;
        }
        return best && take_calls(*best, best_calls);
    }

    void work() {
        for (;;) {
            const unsigned news = news_.load();
            if (ends_) return;
            if (help(nullptr)) continue;
            looking_.fetch_add(1);
            int round = 0;
            while (news_.load() == news && ++round < patience) rest_a_little();
            looking_.fetch_sub(1);
            if (round == patience) news_.wait(news);
        }
    }

    std::array<Place, most_places> places_;
    std::atomic<int> top_ = 0;        ///< no place above it was ever used
    std::atomic<unsigned> news_ = 0;  ///< a loop was opened, or one is done that somebody waits for
    std::atomic<int> waiting_ = 0;    ///< for a loop of their own to be done
    std::atomic<int> looking_ = 0;    ///< for work, awake
    std::atomic<bool> ends_ = false;
    std::vector<std::jthread> threads_;
};

int cores() { return std::max(1, int(std::thread::hardware_concurrency())); }

struct Threads {
    int count = 0;
    std::unique_ptr<Pool> pool = {};

    Threads() { start(0); }
    void start(int asked) {
        count = asked > 0 ? asked : cores();
        pool = nullptr;
#ifdef __SANITIZE_THREAD__
        pool = std::make_unique<Pool>(std::max(4, count));  // so that races show on small machines too
#else
        pool = std::make_unique<Pool>(count);
#endif
    }
};

Threads& threads() {
    static Threads instance;
    return instance;
}

}  // namespace

int thread_count() { return threads().count; }

int thread_index() { return own_index; }

void set_thread_count(int count) { threads().start(count); }

void core::run_loop(long count, void (*call)(const void* body, long i), const void* body) {
    Pool& pool = *threads().pool;
    if (count > 1 && count < long(one_loop) && !pool.is_alone())
        if (Place* const place = pool.free_place()) return pool.run(*place, count, call, body);
    for (long i = 0; i < count; ++i) call(body, i);
}

}  // namespace clangor
