#include <clangor/io/file/atomic_file.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

namespace clangor::io {
namespace {

namespace fs = std::filesystem;

class FileDescriptor {
public:
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&&) = delete;
    ~FileDescriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    bool valid() const { return fd_ >= 0; }
    int get() const { return fd_; }

private:
    int fd_;
};

/// Removes a name again unless it was kept.
class TemporaryName {
public:
    explicit TemporaryName(fs::path path) : path_(std::move(path)) {}
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    ~TemporaryName() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }
    const fs::path& path() const { return path_; }
    void keep() { path_.clear(); }

private:
    fs::path path_;
};

std::string advice(int code, const fs::path& path) {
    switch (code) {
        case ENOENT:
        case ENOTDIR:
            return fmt::format("Make the folder {} first.", path.parent_path().string());
        case EACCES:
        case EPERM:
        case EROFS:
            return "Choose a place that you may write to.";
        case ENOSPC:
        case EDQUOT:
            return "Free some space, or choose another disk.";
        case EFBIG:
            return "Choose a disk that takes larger files, or raise the limit on file sizes.";
        case EISDIR:
            return "Name a file in it.";
        case ENAMETOOLONG:
            return "Choose a shorter name.";
        default:
            return "Check the disk, or choose another place.";
    }
}

[[noreturn]] void fail(const fs::path& path, int code) {
    throw Error(fmt::format("cannot write {}: {}. {}", path.string(), std::strerror(code), advice(code, path)));
}

void write_all(int fd, std::span<const std::byte> bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path, errno);
        bytes = bytes.subspan(written);
    }
}

using Produce = std::function<void(const TakeBytes&)>;

void write_all(int fd, const Produce& produce, const fs::path& path) {
    produce([&](std::span<const std::byte> bytes) { write_all(fd, bytes, path); });
}

void write_durably(int fd, const Produce& produce, const fs::path& path) {
    write_all(fd, produce, path);
    if (::fsync(fd) != 0 && errno != EINVAL) fail(path, errno);  // EINVAL: nothing there to synchronise
}

fs::path temporary_path(const fs::path& path) {
    static std::atomic<unsigned> counter = 0;
    return path.parent_path() / fmt::format(".clangor-{}-{}.tmp", ::getpid(), counter++);
}

void replace(TemporaryName& temporary, const fs::path& path) {
    if (::rename(temporary.path().c_str(), path.c_str()) != 0) fail(path, errno);
    temporary.keep();
}

// A file without a name vanishes by itself when the process is killed. It is given its name once it is complete. False
// where the file system (or a system without /proc) cannot do this.
bool write_unnamed(const fs::path& path, const Produce& produce) {
    const FileDescriptor file(::open(path.parent_path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    if (!file.valid()) return false;
    write_durably(file.get(), produce, path);
    const std::string source = fmt::format("/proc/self/fd/{}", file.get());
    const auto link_as = [&](const fs::path& name) {
        return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (link_as(path)) return true;
    if (errno != EEXIST) return false;
    TemporaryName temporary(temporary_path(path));  // linkat replaces nothing, rename does
    ::unlink(temporary.path().c_str());             // left over from a killed process with our number
    if (!link_as(temporary.path())) fail(path, errno);
    replace(temporary, path);
    return true;
}

void write_named(const fs::path& path, const Produce& produce) {
    TemporaryName temporary(temporary_path(path));
    const FileDescriptor file(::open(temporary.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file.valid()) fail(path, errno);
    write_durably(file.get(), produce, path);
    replace(temporary, path);
}

void synchronise_folder(const fs::path& folder) {
    const FileDescriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.valid()) ::fsync(directory.get());  // best effort: the file itself is safe already
}

// A symbolic link stays one: what it points to is replaced.
fs::path resolved(const fs::path& path) {
    std::error_code ignored;
    const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
    return target.has_parent_path() ? target : fs::path(".") / target;
}

}  // namespace

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
    write_file(path, [&](const TakeBytes& take) { take(bytes); });
}

void write_file(const fs::path& path, const Produce& produce) {
    const fs::path target = resolved(path);
    struct stat status {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) fail(path, EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {  // renaming onto /dev/null would destroy it
        const FileDescriptor device(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
        if (!device.valid()) fail(path, errno);
        return write_all(device.get(), produce, path);
    }
    if (exists && ::access(target.c_str(), W_OK) != 0) fail(path, errno);  // a write-protected file stays
    if (!write_unnamed(target, produce)) write_named(target, produce);
    synchronise_folder(target.parent_path());
}

// By age, not by the number in the name: a process on another machine, or in another container, may be at work.
void delete_left_over(const fs::path& folder) {
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(".clangor-") || !name.ends_with(".tmp")) continue;
        std::error_code gone;
        const fs::file_time_type written = fs::last_write_time(at->path(), gone);
        if (!gone && written < old) fs::remove(at->path(), gone);
    }
}

std::vector<std::byte> read_bytes(const fs::path& path) {
    const auto give_up = [&](int code) {
        throw Error(
            fmt::format("cannot read {}: {}. Check the path and its permissions.", path.string(), std::strerror(code)));
    };
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) give_up(errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) give_up(errno);
    if (S_ISDIR(status.st_mode)) give_up(EISDIR);
    std::vector<std::byte> bytes(status.st_size);
    std::size_t filled = 0;
    while (true) {
        if (filled == bytes.size()) bytes.resize(filled + 4096);  // a pipe, or the file grew; also finds the end
        const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) give_up(errno);
        if (got == 0) break;
        filled += got;
    }
    bytes.resize(filled);
    return bytes;
}

std::string read_text_file(const fs::path& path, std::size_t largest) {
    const Error too_large(fmt::format("{}: is larger than {} MB, the most that is read", path.string(), largest >> 20));
    std::error_code error;
    if (fs::is_directory(path, error)) throw Error(fmt::format("{}: is a folder, not a file", path.string()));
    if (fs::is_regular_file(path, error) && fs::file_size(path, error) > largest) throw too_large;
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw Error(fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)));
    std::string text;
    std::vector<char> block(1 << 16);
    while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
        text.append(block.data(), stream.gcount());
        if (text.size() > largest) throw too_large;  // a pipe has no size to ask for
    }
    return text;
}

}  // namespace clangor::io
