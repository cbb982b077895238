#include <clangor/objects/modal/sampled_pulses.hpp>

#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {

namespace {

double start_of(const ModalImpulse& pulse) { return pulse.giving ? pulse.giving->force.start : pulse.start; }

}  // namespace

SampledPulses::SampledPulses(std::span<const ModalImpulse> impulses, double rate_hz) : rate_(rate_hz) {
    for (const ModalImpulse& impulse : impulses) order_.push_back(&impulse);
    std::ranges::stable_sort(order_, {}, [](const ModalImpulse* pulse) { return start_of(*pulse); });
}

// Midpoints, of which 32 leave 1e-4 of a pulse that grows as x^1.6; longer ones have four in each sample.
std::vector<SampledPulses::Piece> SampledPulses::pieces_of(const ModalImpulse& pulse) const {
    const double start = pulse.start * rate_, length = pulse.duration * rate_;
    const long count = pulse.duration > 0 ? std::max(32L, long(4 * length)) : 1;
    std::vector<Piece> pieces;
    double sum = 0;
    for (long i = 0; i < count; ++i) {
        const double x = (double(i) + 0.5) / double(count);
        pieces.push_back({start + (count > 1 ? x * length : 0), count > 1 ? unit_pulse(pulse.shape, x) : 1});
        sum += pieces.back().amount;
    }
    for (Piece& piece : pieces) piece.amount /= sum;
    return pieces;
}

std::vector<SampledPulses::Piece> SampledPulses::pieces_of(const ForceHistory& force) const {
    const long parts = std::max(1L, long(std::ceil(4 * force.step * rate_)));
    std::vector<Piece> pieces;
    for (size_t k = 0; k < force.forces.size(); ++k)
        for (long i = 0; i < parts; ++i)
            pieces.push_back({(force.start + (double(k) + (double(i) + 0.5) / double(parts)) * force.step) * rate_,
                              force.forces[k] * force.step / double(parts)});
    return pieces;
}

SampledPulses::Acting SampledPulses::laid_out(std::span<const Piece> pieces, const Eigen::VectorXd& drive) const {
    const long first = long(std::floor(pieces.front().at)) - read_between_reach,
               last = long(std::ceil(pieces.back().at)) + read_between_reach;
    std::vector<double> samples(size_t(last - first + 1), 0.0);
    for (const Piece& piece : pieces) add_between(samples, piece.at - double(first), piece.amount);
    return {first, Eigen::Map<const Eigen::VectorXd>(samples.data(), long(samples.size())), &drive};
}

SampledPulses::Acting SampledPulses::sampled(const ModalImpulse& pulse) const {
    if (pulse.giving) return laid_out(pieces_of(pulse.giving->force), pulse.giving->drive);
    return laid_out(pieces_of(pulse), pulse.impulse);
}

Eigen::MatrixXd SampledPulses::next(long count) {
    const long modes = order_.empty() ? 0 : order_.front()->impulse.size(), end = next_ + count;
    Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(modes, count);
    for (; waiting_ < order_.size() && start_of(*order_[waiting_]) * rate_ - read_between_reach - 1 < double(end);
         ++waiting_)
        acting_.push_back(sampled(*order_[waiting_]));
    for (const Acting& one : acting_) {
        const long from = std::max(one.first, next_), to = std::min(one.first + one.share.size(), end);
        for (long n = from; n < to; ++n) forces.col(n - next_) += one.share[n - one.first] * rate_ * *one.drive;
    }
    std::erase_if(acting_, [&](const Acting& one) { return one.first + one.share.size() <= end; });
    next_ = end;
    return forces;
}

}  // namespace clangor
