#include <clangor/vibration/rod_contact/surface_law.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::rod_contact {
namespace {

// ∫ F dδ = (2/5) K δ^{5/2}
double stored(double K, double overlap) { return overlap > 0 ? 0.4 * K * square(overlap) * std::sqrt(overlap) : 0; }
double force(double K, double overlap) { return overlap > 0 ? K * overlap * std::sqrt(overlap) : 0; }

}  // namespace

double restitution_at(double restitution, double speed, double rest_speed) {
    return restitution * std::clamp(speed / rest_speed - 1, 0.0, 1.0);
}

// Work is done at the mean of the velocities before and after: none by what parts already and is pulled back.
double rigid_target(const TouchLaw& touch) {
    return touch.u_before < 0 ? -touch.restitution * touch.u_before : -touch.u_before;
}

// F = (V(x₁) − V(x₀))/(x₁ − x₀) · (1 + χ (x₁ − x₀)/h), V = (2/5) K max(x, 0)^{5/2}   docs/theory/rod-contact.md, Eq. 10
ContactForce force_over_step(const TouchLaw& touch, double overlap_before, double overlap, double step) {
    const double K = touch.law.stiffness, change = overlap - overlap_before;
    const double size = std::max(std::abs(overlap), std::abs(overlap_before));
    ContactForce elastic;
    if (std::abs(change) > 1e-6 * size) {
        elastic.force = (stored(K, overlap) - stored(K, overlap_before)) / change;
        elastic.stiffness = (force(K, overlap) - elastic.force) / change;
    } else {  // the quotient would lose its digits
        const double middle = 0.5 * (overlap + overlap_before);
        elastic.force = force(K, middle);
        elastic.stiffness = middle > 0 ? 0.75 * K * std::sqrt(middle) : 0;
    }
    const double speed = change / step, rubbing = 1 + touch.loss * speed;
    if (rubbing <= 0) return {};
    return {elastic.force * rubbing, elastic.stiffness * rubbing + elastic.force * touch.loss / step};
}

double overlap_after(const TouchLaw& touch, double u, double step) {
    return -touch.gap_free - 0.5 * step * (u - touch.u_free);
}

// p(u) ≈ p* − ½h² F′ (u − u*):  u + c p = u* + c p*,  c = 1/(½ h² F′)
FrictionalContact linearized(const TouchLaw& touch, double u, double step) {
    constexpr double least_overlap = 1e-12;  // [m]: where nothing touches, the stiffness of so much
    const double softest = 1.5 * touch.law.stiffness * std::sqrt(least_overlap);
    const ContactForce now = force_over_step(touch, -touch.gap_before, overlap_after(touch, u, step), step);
    const double c = 1 / (0.5 * step * step * std::max(now.stiffness, softest));
    return {.friction = touch.law.friction, .target = u + c * step * now.force, .compliance = c};
}

}  // namespace clangor::rod_contact
