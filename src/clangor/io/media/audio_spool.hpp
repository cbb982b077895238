// Sound that is too long to be in memory, as it is being made.
#pragma once

#include <clangor/listening/listening.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clangor::io {

/// Silent at first. In memory where it is small, otherwise in a file without a name, which vanishes with the program
/// however that ends.
class AudioSpool {
public:
    /// `folder` is where the file would be. Throws Error where it cannot be made.
    AudioSpool(double sample_rate, const std::vector<std::string>& channels, long frames,
               const std::filesystem::path& folder, double most_bytes_in_memory = 64e6);
    ~AudioSpool();
    AudioSpool(AudioSpool&&) noexcept;
    AudioSpool& operator=(AudioSpool&&) noexcept;

    double sample_rate() const;
    const std::vector<std::string>& channels() const;
    long frames() const;
    bool on_disk() const;

    /// Adds samples (channels × frames) from frame `begin` on. Throws Error where the disk is full.
    void add(long begin, const Samples& samples);

    /// Instead of what is there: as many channels and frames.
    void replace(const Samples& samples);

    Audio read(long begin, long frames) const;

    /// All of it in the order of time, a few megabytes at a time.
    void for_windows(const std::function<void(long begin, const Audio& window)>& use) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clangor::io
