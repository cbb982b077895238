// The sound of modes that move together, along one path   docs/theory/oscillator.md
#include <clangor/objects/modal/coupled_sound.hpp>

#include <clangor/signal/signal.hpp>

#include <algorithm>

namespace clangor {
namespace {

// p = Re{P x_a} = Σ Re(P) x − H[Σ Im(P) x], x_a = x + iH[x] the analytic signal; less what lies below all modes, which
// is how far contacts press them.
class CoupledPath {
public:
    CoupledPath(std::shared_ptr<CoupledSound> sound, std::vector<ListenerKnot> knots)
        : sound_(std::move(sound)),
          path_(sound_->add_path(std::move(knots))),
          quadrature_(lowest_hz(*sound_), sound_->vibration().bank.sample_rate_hz),
          high_pass_(lowest_hz(*sound_) / 4, sound_->vibration().bank.sample_rate_hz),
          imaginary_(size_t(quadrature_.reach()), 0.0f) {}

    void next(std::span<float> out) {
        if (!begun_) {
            std::vector<float> before(size_t(-SampledPulses::first_sample));
            make(before);
            begun_ = true;
        }
        make(out);
    }
    bool over() const { return silent_ && high_pass_.silent() && sound_->over(); }

private:
    static double lowest_hz(const CoupledSound& sound) { return sound.vibration().bank.omega.minCoeff() / (2 * pi); }

    void make(std::span<float> out) {
        const size_t count = out.size(), reach = size_t(quadrature_.reach());
        const size_t more = count + 2 * reach - imaginary_.size(), held = real_.size();
        real_.resize(held + more);
        imaginary_.resize(count + 2 * reach);
        sound_->next(path_, std::span(real_).subspan(held), std::span(imaginary_).last(more));
        quadrature_(imaginary_, out);
        for (size_t k = 0; k < count; ++k) out[k] = real_[k] - out[k];
        high_pass_(out);
        real_.erase(real_.begin(), real_.begin() + long(count));
        imaginary_.erase(imaginary_.begin(), imaginary_.begin() + long(count));
        silent_ = std::ranges::all_of(out, [](float x) { return x == 0; });
    }

    std::shared_ptr<CoupledSound> sound_;
    size_t path_;
    Quadrature quadrature_;
    HighPass high_pass_;
    std::vector<float> real_, imaginary_;  // from the next sample on; the latter from `reach` before it
    bool begun_ = false, silent_ = false;
};

}  // namespace

Emission coupled_emission(const std::shared_ptr<CoupledSound>& sound, const SoundPath& path,
                          const EmissionContext& context) {
    PathKnots along = knots_along(sound->vibration(), path, context);
    const auto voice = std::make_shared<CoupledPath>(sound, std::move(along.knots));
    return {.next = [voice](long, std::span<float> out) { voice->next(out); },
            .over = [voice] { return voice->over(); },
            .is_near = along.is_near};
}

}  // namespace clangor
