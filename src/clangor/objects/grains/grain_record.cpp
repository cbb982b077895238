#include <clangor/objects/grains/grain_record.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace clangor {
namespace {

// In memory: 64 MB. The others are written in pieces.
constexpr long most_kept = 1'000'000, piece = 8192;

[[noreturn]] void fail_on_disk(const char* what, int code) {
    throw Error(fmt::format("cannot {} collisions of grains in a temporary file: {}. Free some space, or set TMPDIR to "
                            "another folder.",
                            what, std::strerror(code)),
                Blame::Work);
}

}  // namespace

void GrainRecord::add(const RecordedCollision& collision) {
    if (size_++ < most_kept) {
        kept_.push_back(collision);
        return;
    }
    waiting_.push_back(collision);
    if (std::ssize(waiting_) == piece) finish();
}

void GrainRecord::finish() {
    if (waiting_.empty()) return;
    if (!file_) file_.reset(std::tmpfile());
    if (!file_) fail_on_disk("keep", errno);
    if (std::fwrite(waiting_.data(), sizeof(RecordedCollision), waiting_.size(), file_.get()) != waiting_.size() ||
        std::fflush(file_.get()) != 0)
        fail_on_disk("keep", errno);
    waiting_.clear();
}

std::span<const RecordedCollision> GrainRecord::read(long first, std::span<RecordedCollision> out) const {
    const long count = std::clamp(size_ - first, 0L, long(out.size()));
    const long in_memory = std::clamp(long(kept_.size()) - first, 0L, count);
    std::copy_n(kept_.begin() + std::min(first, long(kept_.size())), in_memory, out.begin());
    std::span<std::byte> rest = std::as_writable_bytes(out.subspan(size_t(in_memory), size_t(count - in_memory)));
    long at = (first + in_memory - long(kept_.size())) * long(sizeof(RecordedCollision));
    while (!rest.empty()) {
        const ssize_t got = ::pread(fileno(file_.get()), rest.data(), rest.size(), at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) fail_on_disk("read", got < 0 ? errno : EIO);
        rest = rest.subspan(size_t(got));
        at += got;
    }
    return out.first(size_t(count));
}

}  // namespace clangor
