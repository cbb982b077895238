// Contacts whose force follows what coupled modes do under it. Internal to objects/modal.
#pragma once

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <span>
#include <vector>

namespace clangor {

/// A contact was followed with modes that ring by themselves. Where modes couple, the wall gives way further, or less:
/// this corrects the force by the difference, and by nothing where there is none   docs/theory/oscillator.md, section 9
class YieldingContacts {
public:
    /// Only of contacts that last and know how they give way. The impulses outlive it.
    YieldingContacts(std::span<const ModalImpulse> impulses, const OscillatorBank& bank);

    bool act_in(long first, long end) const;  ///< any of them, at samples from `first` to before `end`

    /// Modal forces at a sample, as they were followed, are made those that act. `before` and `last` are q at the two
    /// samples before this one, `pushed` the forces at the last. Samples come in order, all at which any of them acts.
    void correct(long sample, const Eigen::VectorXd& before, const Eigen::VectorXd& last, const Eigen::VectorXd& pushed,
                 Eigen::Ref<Eigen::VectorXd> force);

private:
    struct Contact {
        const GivingWay* giving = nullptr;
        long first = 0;                     ///< sample
        std::vector<double> followed = {};  ///< F₀ at this and the next ones [N]
        bool is_begun = false;
        Eigen::VectorXd before = {}, at = {};  ///< q of modes that ring by themselves under the force as followed
        double behind = 0, speed = 0;          ///< how much further the bodies have closed than as followed [m], [m/s]
        double give = 0;                       ///< of `behind` and q at the next sample per force [m/N]

        long end() const { return first + std::ssize(followed); }
    };

    Eigen::VectorXd free_step(const Eigen::VectorXd& before, const Eigen::VectorXd& at,
                              const Eigen::VectorXd& force) const;

    std::vector<Contact> contacts_;  ///< by their first sample
    double step_;                    ///< [s]
    Eigen::ArrayXd twice_real_, square_, kick_;
};

}  // namespace clangor
