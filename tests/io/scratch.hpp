// A folder that is gone after the test.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace clangor::test {

class Scratch {
public:
    Scratch() {
        std::string pattern = (std::filesystem::temp_directory_path() / "clangor-test-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
    const std::filesystem::path& folder() const { return folder_; }

    long files() const {  ///< all entries, hidden ones too
        return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
    }

private:
    std::filesystem::path folder_;
};

/// The message of the Error that `action` throws, or "" if it throws none.
template <class ErrorType, class Action>
std::string message_of(const Action& action) {
    try {
        action();
    } catch (const ErrorType& error) {
        return error.what();
    }
    return "";
}

}  // namespace clangor::test
