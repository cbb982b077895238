#include <clangor/objects/modal/emitters.hpp>

#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <complex>

namespace clangor {
namespace {

// How finely the path is followed. Lobes of a mode are about 1/ka wide.
double knot_angle(const Vibration& vibration, const EmissionContext& context) {
    const double omega = vibration.bank.omega.size() > 0 ? vibration.bank.omega.maxCoeff() : 0;
    const double lobe = context.air.speed_of_sound / std::max(omega * vibration.radiation->radius(), 1e-9);
    return std::clamp(0.5 * lobe, context.settings.knot_angle, 0.09);
}

// The weights −iP of p = Re{P q_a}, with the analytic signal q_a = −iζ of q = Im ζ        docs/theory/oscillator.md
// Few knots are worth the exact field; what moves for long needs thousands.
std::vector<WeightKnot> weights_along(const Vibration& vibration, std::span<const ListenerKnot> knots, long exact) {
    std::vector<WeightKnot> weights;
    for (const ListenerKnot& knot : knots) {
        Eigen::VectorXcd P = long(weights.size()) < exact ? vibration.radiation->exact(knot.capsule)
                                                          : vibration.radiation->quick(knot.capsule);
        if (vibration.source.magnitude_only) P = P.cwiseAbs().cast<std::complex<double>>().eval();
        weights.push_back({knot.sample, std::complex<double>(0, -1) * picked(P, vibration.kept)});
    }
    return weights;
}

class Ringer {
public:
    Ringer(std::shared_ptr<const Vibration> vibration, std::vector<ListenerKnot> knots, const EmissionContext& context)
        : vibration_(std::move(vibration)),
          knots_(std::move(knots)),
          exact_(context.settings.exact_knots),
          high_pass_(vibration_->bank.omega.minCoeff() / (2 * pi) / 4, vibration_->bank.sample_rate_hz),
          signal_(vibration_->banks, vibration_->impulses, context.frames,
                  context.settings.double_oscillators ? RingingSignal::Precision::Double
                                                      : RingingSignal::Precision::Float) {}

    void next(long first, std::span<float> out) {
        const auto after = [&](long sample) {  // the first knot after it
            return std::ranges::upper_bound(knots_, sample, {}, &ListenerKnot::sample) - knots_.begin();
        };
        const long from = std::max(0L, long(after(first)) - 1);
        const long to = std::min(long(knots_.size()), long(after(first + long(out.size()) - 1)) + 1);
        const std::vector<WeightKnot> weights =
            weights_along(*vibration_, std::span(knots_).subspan(size_t(from), size_t(to - from)), exact_ - from);
        signal_.next(weights, out);
        take_off_deflection(weights, first, out);
    }
    bool over() const {
        return signal_.over() && high_pass_.silent() && std::ranges::all_of(bent_, [](float x) { return x == 0; });
    }

private:
    // Sound comes from acceleration: what a contact bends a mode by while it presses is in q, but is not heard. Below
    // the lowest mode all of it is taken off: p ← p − σ + H σ  (docs/theory/oscillator.md, Eq. 16).
    void take_off_deflection(const std::vector<WeightKnot>& weights, long first, std::span<float> out) {
        const double rate = vibration_->bank.sample_rate_hz;
        const long end = first + long(out.size());
        bent_.resize(std::max(bent_.size(), out.size()));  // what earlier contacts left over stands at its beginning
        for (const ModalImpulse& impulse : vibration_->impulses) {
            const double start = impulse.start * rate;
            if (start >= double(end) || (start < double(first) && first > 0)) continue;
            bent_.resize(
                std::max(bent_.size(), size_t(std::max(0.0, start + impulse.duration * rate - double(first)) + 2)));
            add_static_deflection(vibration_->bank, {&impulse, 1}, weights, first, bent_);
        }
        for (size_t k = 0; k < out.size(); ++k) out[k] -= bent_[k];
        high_pass_(std::span(bent_).first(out.size()));
        for (size_t k = 0; k < out.size(); ++k) out[k] += bent_[k];
        bent_.erase(bent_.begin(), bent_.begin() + long(out.size()));
    }

    std::shared_ptr<const Vibration> vibration_;
    std::vector<ListenerKnot> knots_;
    long exact_;  // so many of the knots
    HighPass high_pass_;
    std::vector<float> bent_;
    RingingSignal signal_;
};

}  // namespace

PathKnots knots_along(const Vibration& vibration, const SoundPath& path, const EmissionContext& context) {
    double first = context.duration;
    for (const ModalImpulse& impulse : vibration.impulses) first = std::min(first, impulse.start);
    PathKnots along{listener_knots(path, {.sample_rate = context.sample_rate,
                                          .first_sample = long(std::max(0.0, first) * context.sample_rate),
                                          .samples = context.frames,
                                          .angle = knot_angle(vibration, context)})};
    along.is_near = !path.reflector && std::ranges::any_of(along.knots, [&](const ListenerKnot& knot) {
        return vibration.radiation->in_near_field(knot.capsule);
    });
    return along;
}

Emission ringing_emission(const std::shared_ptr<const Vibration>& vibration, const SoundPath& path,
                          const EmissionContext& context) {
    PathKnots along = knots_along(*vibration, path, context);
    const auto ringer = std::make_shared<Ringer>(vibration, std::move(along.knots), context);
    return {.next = [ringer](long from, std::span<float> out) { ringer->next(from, out); },
            .over = [ringer] { return ringer->over(); },
            .is_near = along.is_near};
}

}  // namespace clangor
