// docs/theory/oscillator.md, section 9: "Walls that give way"
#include <clangor/objects/modal/yielding_contacts.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Shorter ones are over before the wall has stretched.
constexpr double least_samples = 8;

// F − F₀ with F = k max(0, δ₀ + further − give (F − F₀))^{3/2}, F₀ = k δ₀^{3/2}: the left side grows with F, so that
// halving finds it, whatever the stiffness.
double change_of_force(double k, double followed, double further, double give) {
    const double delta = std::pow(followed / k, 2.0 / 3);
    const auto excess = [&](double change) {
        return followed + change - k * std::pow(std::max(0.0, delta + further - give * change), 1.5);
    };
    double low = -followed, high = 0;
    if (further > 0) {
        low = 0;
        high = std::min(further / give, k * std::pow(delta + further, 1.5) - followed);
    }
    for (int i = 0; i < 60 && high - low > 1e-12 * std::max(std::abs(low), std::abs(high)); ++i) {
        const double middle = 0.5 * (low + high);
        (excess(middle) > 0 ? high : low) = middle;
    }
    return 0.5 * (low + high);
}

/// The mean force about each sample, from one on.
struct SampledForce {
    long first = 0;
    std::vector<double> newtons = {};
};

SampledForce sampled(const ForceHistory& force, double rate) {
    const double begin = force.start * rate + 0.5, step = force.step * rate;  // samples; each takes from its number on
    SampledForce out{.first = long(std::floor(begin))};
    out.newtons.resize(size_t(std::floor(begin + double(force.forces.size()) * step) - double(out.first)) + 1, 0.0);
    for (size_t k = 0; k < force.forces.size(); ++k) {
        const double from = begin + double(k) * step - double(out.first), to = from + step;
        for (double at = from; at < to;) {
            const double until = std::min(to, std::floor(at) + 1);
            out.newtons[size_t(at)] += force.forces[k] * (until - at);
            at = until;
        }
    }
    return out;
}

}  // namespace

YieldingContacts::YieldingContacts(std::span<const ModalImpulse> impulses, const OscillatorBank& bank)
    : step_(1 / bank.sample_rate_hz) {
    const Eigen::VectorXcd lambda = poles(bank);
    const Eigen::ArrayXcd turned = (lambda.array() * step_).exp();
    twice_real_ = 2 * turned.real();
    square_ = turned.abs2();
    kick_ = turned.imag() / lambda.imag().array();
    for (const ModalImpulse& impulse : impulses) {
        if (!impulse.giving) continue;
        const GivingWay& giving = *impulse.giving;
        SampledForce force = sampled(giving.force, bank.sample_rate_hz);
        if (double(giving.force.forces.size()) * giving.force.step < least_samples * step_) continue;
        contacts_.push_back({.giving = &giving,
                             .first = force.first,
                             .followed = std::move(force.newtons),
                             .give = square(step_) * giving.inverse_mass +
                                     step_ * (giving.shape.array() * giving.drive.array() * kick_).sum()});
    }
    std::ranges::stable_sort(contacts_, {}, &Contact::first);
}

bool YieldingContacts::act_in(long first, long end) const {
    return std::ranges::any_of(contacts_,
                               [&](const Contact& contact) { return contact.first < end && contact.end() > first; });
}

Eigen::VectorXd YieldingContacts::free_step(const Eigen::VectorXd& before, const Eigen::VectorXd& at,
                                            const Eigen::VectorXd& force) const {
    return (twice_real_ * at.array() - square_ * before.array() + step_ * kick_ * force.array()).matrix();
}

void YieldingContacts::correct(long sample, const Eigen::VectorXd& before, const Eigen::VectorXd& last,
                               const Eigen::VectorXd& pushed, Eigen::Ref<Eigen::VectorXd> force) {
    const Eigen::VectorXd followed = force;
    const Eigen::VectorXd here = free_step(before, last, pushed), next = free_step(last, here, followed);
    for (Contact& contact : contacts_) {
        if (sample < contact.first) break;
        if (sample >= contact.end()) continue;
        if (!contact.is_begun) {
            contact.before = last;
            contact.at = here;
            contact.is_begun = true;
        }
        const GivingWay& giving = *contact.giving;
        Eigen::VectorXd alone = free_step(contact.before, contact.at, followed);
        const double further = contact.behind + step_ * contact.speed + giving.shape.dot(alone - next);
        const double change =
            change_of_force(giving.stiffness, contact.followed[size_t(sample - contact.first)], further, contact.give);
        contact.speed -= step_ * giving.inverse_mass * change;
        contact.behind += step_ * contact.speed;
        contact.before = std::exchange(contact.at, std::move(alone));
        force += change * giving.drive;
    }
}

}  // namespace clangor
