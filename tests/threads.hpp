// The number of threads, for a scope of a test.
#pragma once

#include <clangor/core/core.hpp>

namespace clangor::testing {

class Threads {
public:
    explicit Threads(int count) : before_(thread_count()) { set_thread_count(count); }
    ~Threads() { set_thread_count(before_); }
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;

private:
    int before_;
};

}  // namespace clangor::testing
