#include <clangor/listening/arrival.hpp>

#include <clangor/listening/delayed.hpp>
#include <clangor/listening/directivity.hpp>
#include <clangor/listening/ears.hpp>

namespace clangor {
namespace {

void scale(std::vector<float>& samples, double factor) {
    if (factor == 1.0) return;
    for (float& sample : samples) sample *= static_cast<float>(factor);
}

bool constant(const Eigen::VectorXd& values) { return values.minCoeff() == values.maxCoeff(); }

/// Samples from frame `begin` on, times a gain that follows the control points.
std::vector<float> weighted(const detail::Delayed& sound, const Eigen::VectorXd& gains, double control_hz,
                            double sample_rate) {
    std::vector<float> out = sound.samples;
    if (constant(gains)) {
        scale(out, gains[0]);
        return out;
    }
    const detail::ControlCurve curve(gains, control_hz);
    for (size_t i = 0; i < out.size(); ++i)
        out[i] *= static_cast<float>(curve.at(static_cast<double>(sound.begin + static_cast<long>(i)) / sample_rate));
    return out;
}

void check(const Audio& audio, int first_channel, const ListeningPost& post, int capsule, const Passage& passage) {
    (void)audio, (void)first_channel, (void)post, (void)capsule;  // used by checked builds only
    CLANGOR_ASSERT(0 <= capsule && capsule < post.capsules.rows(), "the capsule exists");
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

void add_arrival(Audio& audio, int first_channel, const ListeningPost& post, int capsule,
                 std::span<const float> emitted, const Passage& passage, double factor, double speed_of_sound) {
    check(audio, first_channel, post, capsule, passage);
    if (audio.frames() == 0 || factor == 0) return;
    if (post.kind == ListenerKind::Binaural) {
        const detail::EarOptions options = {audio.sample_rate, audio.frames(), post.head_radius, speed_of_sound};
        detail::BothEars ears = post.head ? detail::measured_ears(emitted, passage, *post.head, options)
                                          : detail::spherical_ears(emitted, passage, options);
        for (int ear = 0; ear < 2; ++ear) {
            scale(ears[ear].samples, factor);
            add(audio, first_channel + ear, ears[ear].samples, ears[ear].begin);
        }
        return;
    }
    const detail::Delayed sound =
        detail::delayed(emitted, {passage.delays, passage.control_hz}, {audio.sample_rate, audio.frames()});
    for (const auto& [channel, gains] : detail::channel_gains(post.kind, capsule, passage.directions))
        add(audio, first_channel + channel, weighted(sound, factor * gains, passage.control_hz, audio.sample_rate),
            sound.begin);
}

}  // namespace clangor
