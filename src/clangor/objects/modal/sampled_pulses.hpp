// Contact pulses as samples of force. Internal to objects/modal.
#pragma once

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <deque>
#include <span>
#include <vector>

namespace clangor {

/// Modal forces for motion in steps: each pulse band-limited, so that modes up to 0.42 of the sample rate get what the
/// pulse has at their frequency, however short it is and whenever it starts. What says how it gives way drives them
/// by its own force, others by their pulse   docs/theory/oscillator.md, section 9
class SampledPulses {
public:
    /// The impulses outlive it.
    SampledPulses(std::span<const ModalImpulse> impulses, double rate_hz);

    /// So many samples of force, a row per mode [N kg^-1/2], that follow those of the call before; the first are from
    /// `first_sample` on.
    Eigen::MatrixXd next(long count);

    bool over() const { return waiting_ == order_.size() && acting_.empty(); }  ///< nothing pushes any more

    /// A pulse at time 0 has nothing before it.
    static constexpr long first_sample = -64;

private:
    struct Acting {
        long first = 0;  ///< sample
        Eigen::VectorXd share;
        const Eigen::VectorXd* drive = nullptr;
    };
    struct Piece {
        double at = 0, amount = 0;  ///< samples, and what it gives
    };
    std::vector<Piece> pieces_of(const ModalImpulse& pulse) const;
    std::vector<Piece> pieces_of(const ForceHistory& force) const;
    Acting laid_out(std::span<const Piece> pieces, const Eigen::VectorXd& drive) const;
    Acting sampled(const ModalImpulse& pulse) const;

    std::vector<const ModalImpulse*> order_;  ///< by their start
    std::size_t waiting_ = 0;                 ///< the first of them that does not act yet
    std::deque<Acting> acting_;
    double rate_;
    long next_ = first_sample;
};

}  // namespace clangor
