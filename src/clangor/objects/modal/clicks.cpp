#include <clangor/objects/modal/emitters.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

namespace clangor {
namespace {

// Directions in which an object has been heard already. Clicks are short and apart: unlike ringing, they need no smooth
// path from one direction to the next, so that what is known within half a degree, or six after the first hundred of
// them (QualitySettings::click_angle), serves again; far away also at up to twice or half the distance, where pressure
// follows 1/r. Not at reference quality: there each click is heard from where it is.
class KnownDirections {
public:
    KnownDirections(const PreparedNoise& noise, double angle)
        : noise_(noise), reuses_(angle > 0), cos_near_(std::cos(0.1 * angle)), cos_far_(std::cos(angle)) {}

    struct Known {
        Vec3 arm;
        double r;
        DirectedNoise noise;
    };
    const Known& operator()(const Vec3& listener) {
        const Vec3 arm = listener - noise_.centre;
        const double r = arm.norm(), cos_angle = asked_++ < 100 ? cos_near_ : cos_far_;
        if (reuses_)
            for (const Known& known : known_)
                if (serves(known, r) && arm.dot(known.arm) >= cos_angle * r * known.r) return known;
        return known_.emplace_back(Known{arm, r, toward(noise_, listener)});
    }

private:
    bool serves(const Known& known, double r) const {
        if (std::min(r, known.r) > 2.5 * noise_.reference_radius) return known.r < 2 * r && r < 2 * known.r;
        return std::abs(known.r - r) <= 0.02 * r;
    }
    const PreparedNoise& noise_;
    const bool reuses_;
    const double cos_near_, cos_far_;
    long asked_ = 0;
    std::deque<Known> known_;  // its elements stay where they are
};

constexpr const char* advice =
    "Move the listener, set \"near_field\": \"clamp\" for it to hear the click as at that "
    "distance (too quiet by the ratio of the distances or more), or set \"acceleration_noise\": false for the object";

[[noreturn]] void refuse_near(const Clicks& clicks, const SoundPath& path, double time, double distance) {
    throw Error(fmt::format(
        "listener \"{}\" is {:.2g} m from the centre of {} when that is hit at {:.3g} s, but the click is known "
        "from {:.2g} m on. {}",
        path.listener.listener->name, distance, object_named(clicks.source.name), time, clicks.noise->reference_radius,
        advice));
}

class Clicker {
public:
    Clicker(std::shared_ptr<const Clicks> clicks, const SoundPath& path)
        : path_(path),
          clicks_(std::move(clicks)),
          mass_(clicks_->source.body->mass.volume * clicks_->source.body->material.density),
          centre_(clicks_->source.body->mass.centre),
          inertia_(Mat3(clicks_->source.body->mass.inertia * clicks_->source.body->material.density)),
          directions_(*clicks_->noise, clicks_->click_angle) {
        const PreparedNoise& noise = *clicks_->noise;
        for (const ContactPulse& pulse : clicks_->pulses) {
            const Vec3 listener = capsule_for(path, pulse.start);
            const double distance = (listener - noise.centre).norm();
            if (!path.reflector && distance < noise.reference_radius) {
                if (path.listener.listener->near_field == scene::NearField::Refuse)
                    refuse_near(*clicks_, path, pulse.start, distance);
                is_near_ = true;
            }
            known_.push_back(&directions_(listener));
            const double length = double(noise.block_samples) + pulse.duration * noise.sample_rate_hz;
            end_ = std::max(end_, long(std::ceil(pulse.start * noise.sample_rate_hz + length)) + 1);
        }
    }

    void next(long first, std::span<float> out) {
        std::ranges::fill(out, 0.f);
        made_ = first + long(out.size());
        const PreparedNoise& noise = *clicks_->noise;
        for (size_t i = 0; i < clicks_->pulses.size(); ++i) {
            const ContactPulse& pulse = clicks_->pulses[i];
            const double from = pulse.start * noise.sample_rate_hz - double(noise.lead_samples) - 1;
            const double to = from + double(noise.block_samples) + pulse.duration * noise.sample_rate_hz + 2;
            if (to < double(first) || from > double(made_)) continue;
            add_click(out, noise, known_[i]->noise, click_of(pulse, *known_[i]), first);
        }
    }
    bool over() const { return made_ >= end_; }
    bool is_near() const { return is_near_; }

private:
    Click click_of(const ContactPulse& pulse, const KnownDirections::Known& known) const {
        const Vec3 listener = capsule_for(path_, pulse.start);
        const double nearer = known.r / std::max((listener - clicks_->noise->centre).norm(), 1e-9);
        const double part = std::min(nearer, 2.0) / mass_;
        return {.time = pulse.start,
                .duration = pulse.duration,
                .shape = pulse.shape,
                .velocity_change = part * pulse.impulse,
                .spin_change = part * mass_ * inertia_.solve((pulse.point - centre_).cross(pulse.impulse)),
                .listener = listener};
    }

    SoundPath path_;
    std::shared_ptr<const Clicks> clicks_;
    double mass_;  // [kg]
    Vec3 centre_;
    Eigen::LDLT<Mat3> inertia_;
    KnownDirections directions_;
    std::vector<const KnownDirections::Known*> known_;  // of each pulse
    bool is_near_ = false;
    long end_ = 0, made_ = 0;
};

}  // namespace

Emission click_emission(const std::shared_ptr<const Clicks>& clicks, const SoundPath& path) {
    const auto clicker = std::make_shared<Clicker>(clicks, path);
    return {.next = [clicker](long first, std::span<float> out) { clicker->next(first, out); },
            .over = [clicker] { return clicker->over(); },
            .is_near = clicker->is_near()};
}

NearLimit click_limit(const Surface& surface) {
    const MassProperties mass = mass_properties(surface);
    const double radius = (surface.vertices.rowwise() - mass.centre.transpose()).rowwise().norm().maxCoeff();
    const std::optional<double> ball = ball_radius(surface, mass);
    return {.centre = mass.centre,
            .known_from = ball ? *ball : AccelerationOptions{}.recording_radii.front() * radius,
            .sound = "click",
            .advice = advice};
}

}  // namespace clangor
