#include <clangor/objects/modal/sampled_pulses.hpp>

#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {

SampledPulses::SampledPulses(std::span<const ModalImpulse> impulses, double rate_hz) : rate_(rate_hz) {
    for (const ModalImpulse& impulse : impulses) order_.push_back(&impulse);
    std::ranges::stable_sort(order_, {}, &ModalImpulse::start);
}

// Midpoints, of which 32 leave 1e-4 of a pulse that grows as x^1.6; longer ones have four in each sample.
SampledPulses::Acting SampledPulses::sampled(const ModalImpulse& pulse) const {
    const double start = pulse.start * rate_, length = pulse.duration * rate_;
    const long first = long(std::floor(start)) - read_between_reach;
    std::vector<double> samples(size_t(2 * read_between_reach + 2 + long(std::ceil(length))), 0.0);
    const long points = pulse.duration > 0 ? std::max(32L, long(4 * length)) : 1;
    std::vector<double> heights(size_t(points), 1.0);
    double sum = 0;
    for (long i = 0; i < points; ++i) {
        if (points > 1) heights[size_t(i)] = unit_pulse(pulse.shape, (double(i) + 0.5) / double(points));
        sum += heights[size_t(i)];
    }
    for (long i = 0; i < points; ++i)
        add_between(samples, start + length * (points > 1 ? (double(i) + 0.5) / double(points) : 0.0) - double(first),
                    heights[size_t(i)] / sum);
    return {first, Eigen::Map<const Eigen::VectorXd>(samples.data(), long(samples.size())), &pulse.impulse};
}

Eigen::MatrixXd SampledPulses::next(long count) {
    const long modes = order_.empty() ? 0 : order_.front()->impulse.size(), end = next_ + count;
    Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(modes, count);
    for (; waiting_ < order_.size() && order_[waiting_]->start * rate_ - read_between_reach - 1 < double(end);
         ++waiting_)
        acting_.push_back(sampled(*order_[waiting_]));
    for (const Acting& one : acting_) {
        const long from = std::max(one.first, next_), to = std::min(one.first + one.share.size(), end);
        for (long n = from; n < to; ++n) forces.col(n - next_) += one.share[n - one.first] * rate_ * *one.impulse;
    }
    std::erase_if(acting_, [&](const Acting& one) { return one.first + one.share.size() <= end; });
    next_ = end;
    return forces;
}

}  // namespace clangor
