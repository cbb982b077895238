#include <clangor/core/error.hpp>

#include <cstdio>
#include <cstdlib>

namespace clangor::core {

void assertion_failed(const char* condition, const char* reason, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", file, line, condition, reason);
    std::abort();
}

}  // namespace clangor::core
