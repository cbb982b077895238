// A file without a name: it takes place on the disk until it is closed, or is given a name when it is complete. Private
// to io.
#pragma once

#include <clangor/core/core.hpp>

#include <cstddef>
#include <filesystem>
#include <span>

namespace clangor::io {

class UnnamedFile {
public:
    /// Throws Error where the folder cannot be written to.
    explicit UnnamedFile(const std::filesystem::path& folder);
    ~UnnamedFile();
    UnnamedFile(UnnamedFile&& other) noexcept;
    UnnamedFile& operator=(UnnamedFile&&) = delete;

    /// What is added reads as zeros.
    void resize(long long size);

    /// Throw Error where the disk is full, or the file ends before.
    void write(long long offset, std::span<const std::byte> bytes);
    void read(long long offset, std::span<std::byte> bytes) const;

    int descriptor() const { return descriptor_; }

private:
    int descriptor_ = -1;
    std::filesystem::path folder_;
};

}  // namespace clangor::io
