#include <clangor/listening/arrival.hpp>

#include <clangor/listening/delayed.hpp>
#include <clangor/listening/directivity.hpp>
#include <clangor/listening/ears.hpp>
#include <clangor/listening/measured_head.hpp>

#include <optional>

namespace clangor {
namespace {

void scale(std::vector<float>& samples, double factor) {
    if (factor == 1.0) return;
    for (float& sample : samples) sample *= static_cast<float>(factor);
}

bool constant(const Eigen::VectorXd& values) { return values.minCoeff() == values.maxCoeff(); }

/// Samples from frame `begin` on, times a gain that follows the control points.
std::vector<float> weighted(std::vector<float> sound, const Eigen::VectorXd& gains, const Passage& passage, long begin,
                            double sample_rate) {
    if (constant(gains)) {
        scale(sound, gains[0]);
        return sound;
    }
    const detail::ControlCurve curve(gains, passage.control_hz, passage.first, passage.total);
    for (size_t i = 0; i < sound.size(); ++i)
        sound[i] *= static_cast<float>(curve.at(static_cast<double>(begin + static_cast<long>(i)) / sample_rate));
    return sound;
}

void check(const Audio& audio, int first_channel, const ListeningPost& post, const Passage& passage) {
    (void)audio, (void)first_channel, (void)post;  // used by checked builds only
    CLANGOR_ASSERT(
        first_channel >= 0 && first_channel + static_cast<long>(post.channels.size()) <= audio.samples.rows(),
        "the audio has the post's channels");
    CLANGOR_ASSERT(passage.delays.size() >= 1 && passage.directions.rows() == passage.delays.size(),
                   "a passage has a delay and a direction at each control point");
    if (!passage.delays.allFinite() || !passage.directions.allFinite())
        throw Error("the way from a source to a listener is not finite. Please report this with the scene.",
                    Blame::Work);
}

}  // namespace

struct ArrivalStream::Impl {
    const ListeningPost& post;
    int capsule;
    Options options;
    std::optional<detail::SphericalEars> ears;  ///< where it has such

    detail::EarOptions ear_options() const {
        return {options.sample_rate, options.frames, post.head_radius, options.speed_of_sound};
    }
};

ArrivalStream::ArrivalStream(const ListeningPost& post, int capsule, const Options& options)
    : impl_(new Impl{post, capsule, options, {}}) {
    CLANGOR_ASSERT(0 <= capsule && capsule < post.capsules.rows(), "the capsule exists");
    if (post.kind == ListenerKind::Binaural && !post.head) impl_->ears.emplace(impl_->ear_options());
}
ArrivalStream::~ArrivalStream() = default;
ArrivalStream::ArrivalStream(ArrivalStream&&) noexcept = default;
ArrivalStream& ArrivalStream::operator=(ArrivalStream&&) noexcept = default;

ArrivalStream::Needs ArrivalStream::needs() const {
    if (impl_->post.kind != ListenerKind::Binaural) return {};
    if (const HeadMeasurementPtr& head = impl_->post.head)
        return {head->data.taps - 1, 0, detail::longest_delay(*head)};
    constexpr long around = detail::SphericalEars::frames_around;
    return {around, around, impl_->ears->longest_delay()};
}

bool ArrivalStream::at_rest() const { return !impl_->ears || impl_->ears->at_rest(); }

void ArrivalStream::add(Audio& window, int first_channel, long begin, const EmittedPart& emitted,
                        const Passage& passage) {
    const Options& options = impl_->options;
    check(window, first_channel, impl_->post, passage);
    if (window.frames() == 0 || options.factor == 0) return;
    const detail::SignalPart part = {emitted.first, emitted.samples};
    const detail::FrameRange frames = {begin, begin + window.frames()};
    if (impl_->post.kind == ListenerKind::Binaural) {
        detail::BothEars both =
            impl_->post.head ? detail::measured_ears(part, passage, *impl_->post.head, frames, impl_->ear_options())
                             : impl_->ears->next(part, emitted.over, passage, frames);
        for (int ear = 0; ear < 2; ++ear) {
            scale(both[ear], options.factor);
            clangor::add(window, first_channel + ear, both[ear], 0);
        }
        return;
    }
    const detail::ControlCurve delays(passage.delays, passage.control_hz, passage.first, passage.total);
    const detail::FrameRange heard = detail::audible_frames(part, delays, options.sample_rate, frames);
    if (heard.empty()) return;
    const std::vector<float> sound = detail::delayed(part, delays, options.sample_rate, heard);
    for (const auto& [channel, gains] : detail::channel_gains(impl_->post.kind, impl_->capsule, passage.directions))
        clangor::add(window, first_channel + channel,
                     weighted(sound, options.factor * gains, passage, heard.begin, options.sample_rate),
                     heard.begin - begin);
}

void add_arrival(Audio& audio, int first_channel, const ListeningPost& post, int capsule,
                 std::span<const float> emitted, const Passage& passage, double factor, double speed_of_sound) {
    ArrivalStream(post, capsule, {audio.sample_rate, audio.frames(), factor, speed_of_sound})
        .add(audio, first_channel, 0, {0, emitted, true}, passage);
}

}  // namespace clangor
