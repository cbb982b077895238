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
std::vector<float> weighted(std::vector<float> sound, const Eigen::VectorXd& gains, const DelayCurve& delay_curve,
                            long begin, double sample_rate) {
    if (constant(gains)) {
        scale(sound, gains[0]);
        return sound;
    }
    const listening::ControlCurve curve(gains, delay_curve.control_hz, delay_curve.first, delay_curve.total);
    for (size_t i = 0; i < sound.size(); ++i)
        sound[i] *= static_cast<float>(curve.at(static_cast<double>(begin + static_cast<long>(i)) / sample_rate));
    return sound;
}

void check(const Audio& audio, int first_channel, const MicrophoneArray& array, const DelayCurve& delay_curve) {
    (void)audio, (void)first_channel, (void)array;  // used by checked builds only
    CLANGOR_ASSERT(
        first_channel >= 0 && first_channel + static_cast<long>(array.channels.size()) <= audio.samples.rows(),
        "the audio has the array's channels");
    CLANGOR_ASSERT(delay_curve.delays.size() >= 1 && delay_curve.directions.rows() == delay_curve.delays.size(),
                   "a delay curve has a delay and a direction at each control point");
    if (!delay_curve.delays.allFinite() || !delay_curve.directions.allFinite())
        throw Error("the path from a source to a listener is not finite. Please report this with the scene.",
                    Blame::Work);
}

}  // namespace

struct ArrivalStream::Impl {
    const MicrophoneArray& array;
    int capsule;
    Options options;
    std::optional<listening::SphericalEars> ears;  ///< where it has such

    listening::EarOptions ear_options() const {
        return {options.sample_rate, options.frames, array.head_radius, options.speed_of_sound};
    }
};

ArrivalStream::ArrivalStream(const MicrophoneArray& array, int capsule, const Options& options)
    : impl_(new Impl{array, capsule, options, {}}) {
    CLANGOR_ASSERT(0 <= capsule && capsule < array.capsules.rows(), "the capsule exists");
    if (array.kind == ListenerKind::Binaural && !array.head) impl_->ears.emplace(impl_->ear_options());
}
ArrivalStream::~ArrivalStream() = default;
ArrivalStream::ArrivalStream(ArrivalStream&&) noexcept = default;
ArrivalStream& ArrivalStream::operator=(ArrivalStream&&) noexcept = default;

ArrivalStream::Needs ArrivalStream::needs() const {
    if (impl_->array.kind != ListenerKind::Binaural) return {};
    if (const HeadMeasurementPtr& head = impl_->array.head)
        return {head->data.taps - 1, 0, listening::longest_delay(*head)};
    constexpr long around = listening::SphericalEars::frames_around;
    return {around, around, impl_->ears->longest_delay()};
}

bool ArrivalStream::at_rest() const { return !impl_->ears || impl_->ears->at_rest(); }

void ArrivalStream::add(Audio& window, int first_channel, long begin, const EmittedPart& emitted,
                        const DelayCurve& delay_curve) {
    const Options& options = impl_->options;
    check(window, first_channel, impl_->array, delay_curve);
    if (window.frames() == 0 || options.factor == 0) return;
    const listening::SignalPart part = {emitted.first, emitted.samples};
    const listening::FrameRange frames = {begin, begin + window.frames()};
    if (impl_->array.kind == ListenerKind::Binaural) {
        listening::BothEars both = impl_->array.head ? listening::measured_ears(part, delay_curve, *impl_->array.head,
                                                                                frames, impl_->ear_options())
                                                     : impl_->ears->next(part, emitted.over, delay_curve, frames);
        for (int ear = 0; ear < 2; ++ear) {
            scale(both[ear], options.factor);
            clangor::add(window, first_channel + ear, both[ear], 0);
        }
        return;
    }
    const listening::ControlCurve delays(delay_curve.delays, delay_curve.control_hz, delay_curve.first,
                                         delay_curve.total);
    const listening::FrameRange heard = listening::audible_frames(part, delays, options.sample_rate, frames);
    if (heard.empty()) return;
    const std::vector<float> sound = listening::delayed(part, delays, options.sample_rate, heard);
    for (const auto& [channel, gains] :
         listening::channel_gains(impl_->array.kind, impl_->capsule, delay_curve.directions))
        clangor::add(window, first_channel + channel,
                     weighted(sound, options.factor * gains, delay_curve, heard.begin, options.sample_rate),
                     heard.begin - begin);
}

void add_arrival(Audio& audio, int first_channel, const MicrophoneArray& array, int capsule,
                 std::span<const float> emitted, const DelayCurve& delay_curve, double factor, double speed_of_sound) {
    ArrivalStream(array, capsule, {audio.sample_rate, audio.frames(), factor, speed_of_sound})
        .add(audio, first_channel, 0, {0, emitted, true}, delay_curve);
}

}  // namespace clangor
