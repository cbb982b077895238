#include <clangor/io/file/atomic_file.hpp>

#include <doctest/doctest.h>

#include <io/scratch.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <fstream>

namespace atomic_file_test {

using namespace clangor;
using test::message_of;
using test::Scratch;

namespace {

std::vector<std::byte> filled(std::size_t size, int value) { return std::vector<std::byte>(size, std::byte(value)); }

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Runs the action in a child process and returns its exit status, or −1 if it was killed.
template <class Action>
int in_child(const Action& action) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(action());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a file comes back as it was written, new or in place of another, and leaves nothing beside it") {
    const Scratch scratch;
    for (const std::size_t size : {std::size_t(5), std::size_t(0), std::size_t(3'000'000)}) {
        io::write_file(scratch / "out.bin", filled(size, 7));
        CHECK(io::read_bytes(scratch / "out.bin") == filled(size, 7));
    }
    CHECK(scratch.files() == 1);
}

TEST_CASE("a file without a folder in its name goes into the current folder") {
    const Scratch scratch;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.folder());
    io::write_file("plain.bin", filled(3, 1));
    std::filesystem::current_path(before);
    CHECK(io::read_bytes(scratch / "plain.bin").size() == 3);
}

TEST_CASE("a symbolic link stays a link") {
    const Scratch scratch;
    io::write_file(scratch / "real.bin", filled(1, 1));
    std::filesystem::create_symlink(scratch / "real.bin", scratch / "link.bin");
    io::write_file(scratch / "link.bin", filled(2, 2));
    CHECK(std::filesystem::is_symlink(scratch / "link.bin"));
    CHECK(io::read_bytes(scratch / "real.bin") == filled(2, 2));
}

TEST_CASE("devices and pipes are written to, not replaced") {
    io::write_file("/dev/null", filled(10, 1));
    CHECK(std::filesystem::is_character_file("/dev/null"));
    const std::string message = message_of<Error>([] { io::write_file("/dev/full", filled(10, 1)); });
    CHECK(contains(message, "/dev/full"));
    CHECK(contains(message, "No space left on device"));
    CHECK(contains(message, "Free some space"));
}

TEST_CASE("what cannot be written is told with path, reason and what to do, and leaves nothing behind") {
    const Scratch scratch;
    const auto writing = [&](const std::string& name) {
        return message_of<Error>([&] { io::write_file(scratch / name, filled(10, 1)); });
    };
    const std::string missing = writing("nowhere/out.wav");
    CHECK(contains(missing, "nowhere/out.wav: No such file or directory"));
    CHECK(contains(missing, "Make the folder"));

    io::write_file(scratch / "file", filled(1, 1));
    CHECK(contains(writing("file/out.wav"), "Not a directory"));

    std::filesystem::create_directory(scratch / "folder");
    CHECK(contains(writing("folder"), "Is a directory"));
    CHECK(contains(writing(std::string(300, 'x')), "Choose a shorter name"));
    CHECK(scratch.files() == 2);
}

TEST_CASE("a disk that fills up half-way leaves the old file and no other") {
    const Scratch scratch;
    io::write_file(scratch / "out.wav", filled(100, 1));
    // A limit on file sizes fails like a full disk: some bytes go in, then write() gives an error.
    const int status = in_child([&] {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const std::string message = message_of<Error>([&] { io::write_file(scratch / "out.wav", filled(100'000, 2)); });
        return contains(message, "File too large") ? 0 : 1;
    });
    CHECK(status == 0);
    CHECK(io::read_bytes(scratch / "out.wav") == filled(100, 1));
    CHECK(scratch.files() == 1);
}

TEST_CASE("a process that is killed while writing leaves a whole file, old or new") {
    const Scratch scratch;
    const std::size_t size = 4'000'000;
    io::write_file(scratch / "out.wav", filled(size, 1));
    for (int attempt = 0; attempt < 12; ++attempt) {
        const pid_t child = ::fork();
        if (child == 0)
            for (int value = 2;; ++value) io::write_file(scratch / "out.wav", filled(size, value));
        ::usleep(1500 * (attempt + 1));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const std::vector<std::byte> bytes = io::read_bytes(scratch / "out.wav");
        REQUIRE(bytes.size() == size);
        CHECK(bytes == filled(size, std::to_integer<int>(bytes[0])));
    }
}

TEST_CASE("temporary names of killed processes are deleted when they are old, and nothing else is") {
    const Scratch scratch;
    for (const char* name : {".clangor-1-0.tmp", ".clangor-1-1.tmp", "out.tmp", ".clangor-notes"})
        io::write_file(scratch / name, filled(3, 1));
    const auto hours_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(2);
    for (const char* name : {".clangor-1-0.tmp", "out.tmp", ".clangor-notes"})
        std::filesystem::last_write_time(scratch / name, hours_ago);
    io::delete_left_over(scratch.folder());
    CHECK_FALSE(std::filesystem::exists(scratch / ".clangor-1-0.tmp"));
    CHECK(scratch.files() == 3);
    io::delete_left_over(scratch / "none");
}

TEST_CASE("a missing file cannot be read, and the message says so") {
    const Scratch scratch;
    const std::string message = message_of<Error>([&] { io::read_bytes(scratch / "none.h5"); });
    CHECK(contains(message, "none.h5: No such file or directory"));
    CHECK(contains(message_of<Error>([&] { io::read_bytes(scratch.folder()); }), "Is a directory"));
}

}  // namespace atomic_file_test
