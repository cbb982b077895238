// The one exception type, and the check for broken preconditions.
#pragma once

#include <stdexcept>
#include <string>

namespace clangor {

/// Who has to act: the user (the input is wrong, or takes more memory than may be used) or nobody we can name (the work
/// failed).
enum class Blame { Input, Memory, Work };

/// The message says what is wrong, where, and what to do about it.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message, Blame blame = Blame::Input)
        : std::runtime_error(message), blame_(blame) {}
    Blame blame() const { return blame_; }

private:
    Blame blame_;
};

namespace core {
[[noreturn]] void assertion_failed(const char* condition, const char* reason, const char* file, int line);
}

}  // namespace clangor

// A caller broke a precondition. Aborts wherever CLANGOR_CHECKED is defined (debug, sanitizers and the
// tests' own build), and costs nothing in release.
#ifdef CLANGOR_CHECKED
#define CLANGOR_ASSERT(condition, reason) \
    ((condition) ? void(0) : ::clangor::core::assertion_failed(#condition, reason, __FILE__, __LINE__))
#else
#define CLANGOR_ASSERT(condition, reason) void(0)
#endif
