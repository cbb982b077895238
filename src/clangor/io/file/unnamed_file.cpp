#include <clangor/io/file/unnamed_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace clangor::io {
namespace {

[[noreturn]] void fail_to_keep(const std::filesystem::path& folder, int code) {
    throw Error(fmt::format("cannot keep a temporary file in {}: {}. Free some space, or write to another folder.",
                            folder.string(), std::strerror(code)),
                Blame::Work);
}

// Where a file cannot begin without a name, it loses the one it had at once.
int open_unnamed(const std::filesystem::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0) return descriptor;
    std::string name = (folder / ".clangor-XXXXXX").string();
    const int named = ::mkstemp(name.data());
    if (named >= 0) ::unlink(name.c_str());
    return named;
}

}  // namespace

UnnamedFile::UnnamedFile(const std::filesystem::path& folder)
    : descriptor_(open_unnamed(folder.empty() ? "." : folder)), folder_(folder.empty() ? "." : folder) {
    if (descriptor_ < 0) fail_to_keep(folder_, errno);
}

UnnamedFile::~UnnamedFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

UnnamedFile::UnnamedFile(UnnamedFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), folder_(std::move(other.folder_)) {}

void UnnamedFile::resize(long long size) {
    if (::ftruncate(descriptor_, size) != 0) fail_to_keep(folder_, errno);
}

void UnnamedFile::write(long long offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), offset);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail_to_keep(folder_, written < 0 ? errno : ENOSPC);
        bytes = bytes.subspan(written);
        offset += written;
    }
}

void UnnamedFile::read(long long offset, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), offset);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) fail_to_keep(folder_, got < 0 ? errno : EIO);
        bytes = bytes.subspan(got);
        offset += got;
    }
}

}  // namespace clangor::io
