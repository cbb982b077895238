#include <clangor/io/media/audio_spool.hpp>

#include <clangor/io/file/file.hpp>

#include <algorithm>
#include <optional>

namespace clangor::io {
namespace {

constexpr long window_frames = 1L << 19;

}  // namespace

// Channel after channel. What was never written is a hole in the file, which reads as silence and takes no place on the
// disk.
struct AudioSpool::Impl {
    double sample_rate;
    std::vector<std::string> channels;
    long frames;
    Samples memory;
    std::optional<UnnamedFile> file;

    long long offset(long channel, long frame) const {
        return (static_cast<long long>(channel) * frames + frame) * static_cast<long long>(sizeof(float));
    }
    void read_row(long channel, long begin, std::span<float> to) const {
        file->read(offset(channel, begin), std::as_writable_bytes(to));
    }
    void write_row(long channel, long begin, std::span<const float> from) {
        file->write(offset(channel, begin), std::as_bytes(from));
    }
};

AudioSpool::AudioSpool(double sample_rate, const std::vector<std::string>& channels, long frames,
                       const std::filesystem::path& folder, double most_bytes_in_memory)
    : impl_(new Impl{sample_rate, channels, frames, {}, {}}) {
    const long rows = static_cast<long>(channels.size());
    if (sizeof(float) * static_cast<double>(rows) * static_cast<double>(frames) <= most_bytes_in_memory)
        impl_->memory = Samples::Zero(rows, frames);
    else
        impl_->file.emplace(folder).resize(impl_->offset(rows, 0));
}
AudioSpool::~AudioSpool() = default;
AudioSpool::AudioSpool(AudioSpool&&) noexcept = default;
AudioSpool& AudioSpool::operator=(AudioSpool&&) noexcept = default;

double AudioSpool::sample_rate() const { return impl_->sample_rate; }
const std::vector<std::string>& AudioSpool::channels() const { return impl_->channels; }
long AudioSpool::frames() const { return impl_->frames; }
bool AudioSpool::on_disk() const { return impl_->file.has_value(); }

void AudioSpool::add(long begin, const Samples& samples) {
    CLANGOR_ASSERT(samples.rows() == static_cast<long>(impl_->channels.size()) && begin >= 0 &&
                       begin + samples.cols() <= impl_->frames,
                   "the window lies within the sound");
    if (!impl_->file) {
        impl_->memory.middleCols(begin, samples.cols()) += samples;
        return;
    }
    if ((samples.array() == 0).all()) return;
    std::vector<float> row(samples.cols());
    for (long channel = 0; channel < samples.rows(); ++channel) {
        impl_->read_row(channel, begin, row);
        for (long i = 0; i < samples.cols(); ++i) row[i] += samples(channel, i);
        impl_->write_row(channel, begin, row);
    }
}

void AudioSpool::replace(const Samples& samples) {
    CLANGOR_ASSERT(samples.rows() == static_cast<long>(impl_->channels.size()) && samples.cols() == impl_->frames,
                   "the sound keeps its size");
    if (!impl_->file) {
        impl_->memory = samples;
        return;
    }
    for (long channel = 0; channel < samples.rows(); ++channel)
        impl_->write_row(channel, 0,
                         {samples.data() + channel * samples.cols(), static_cast<std::size_t>(samples.cols())});
}

Audio AudioSpool::read(long begin, long frames) const {
    Audio audio = silence(impl_->sample_rate, impl_->channels, frames);
    if (!impl_->file) {
        audio.samples = impl_->memory.middleCols(begin, frames);
        return audio;
    }
    for (long channel = 0; channel < audio.samples.rows(); ++channel)
        impl_->read_row(channel, begin, {audio.samples.data() + channel * frames, static_cast<std::size_t>(frames)});
    return audio;
}

void AudioSpool::for_windows(const std::function<void(long, const Audio&)>& use) const {
    for (long begin = 0; begin < impl_->frames; begin += window_frames)
        use(begin, read(begin, std::min(window_frames, impl_->frames - begin)));
}

}  // namespace clangor::io
