#include "ringing.hpp"

#include "free_decay.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace clangor::oscillator {

namespace {

// Six times (y, v, −κ, ε²) and a sum fit into the 32 registers of AVX-512; with fewer registers, coefficients come from
// the cache instead.
constexpr int flight = 6;

void multiply(ModeRow& row, const double* re, const double* im) noexcept {
    for (int m = 0; m < row_modes; ++m) {
        const double a = row.zeta_re[m], b = row.zeta_im[m];
        row.zeta_re[m] = a * re[m] - b * im[m];
        row.zeta_im[m] = a * im[m] + b * re[m];
    }
}

// ζ ← E^samples ζ: by squaring where the block is not a whole one.
void advance(ModeRow& row, const ContactRow& contact, int samples) noexcept {
    if (samples == block_samples) return multiply(row, row.block_re, row.block_im);
    double re[row_modes], im[row_modes];
    std::copy_n(contact.step_re, row_modes, re);
    std::copy_n(contact.step_im, row_modes, im);
    for (int rest = samples; rest > 0; rest /= 2) {
        if (rest % 2 == 1) multiply(row, re, im);
        for (int m = 0; m < row_modes; ++m) {
            const double a = re[m], b = im[m];
            re[m] = a * a - b * b;
            im[m] = 2 * a * b;
        }
    }
}

// Pairwise, in an order that is fixed and that the compiler can vectorise.
template <int half, class Real>
void fold(Real* sums) noexcept {
    for (int i = 0; i < half; ++i) sums[i] += sums[i + half];
    if constexpr (half > 1) fold<half / 2>(sums);
}

// Puts modes that have become quiet to rest, long before their samples are denormal floats, which cost many times as
// much. True where the whole row rests. In registers by hand: what the compiler made of 16 comparisons took as long as
// a quarter of the block.
bool rests(ModeRow& row) noexcept {
    using Mask = decltype(Lanes{} > Lanes{});
    Mask loud{};
    for (int m = 0; m < row_modes; m += register_lanes<double>) {
        const Lanes re = load(row.zeta_re + m), im = load(row.zeta_im + m);
        const Mask keep = re * re + im * im > load(row.quiet_sq + m);
        store(row.zeta_re + m, Lanes(Mask(re) & keep));
        store(row.zeta_im + m, Lanes(Mask(im) & keep));
        loud |= keep;
    }
    bool any = false;
    for (int i = 0; i < register_lanes<double>; ++i) any |= loud[i] != 0;
    return !any;
}

// Makes the loud rows heard, moves their ζ to the end and forgets those that rest by then. A batch of rows goes through
// all blocks before the next one comes, so that large banks are not read from memory for every block.
template <class Real>
void decay_freely(Ringing& ringing, int samples, Sums<Real, stretch_samples>& sums) noexcept {
    FreeRow<Real> batch[flight];
    size_t still_loud = 0;
    for (size_t begin = 0; begin < ringing.loud.size(); begin += flight) {
        const size_t count = std::min<size_t>(flight, ringing.loud.size() - begin);
        bool resting[flight] = {};
        for (int now = 0; now < samples; now += block_samples) {
            const int length = std::min(block_samples, samples - now);
            for (size_t i = 0; i < count; ++i) {
                const size_t r = size_t(ringing.loud[begin + i]);
                ModeRow& row = ringing.rows.modes[r];
                start_row(batch[i], row, row);
                advance(row, ringing.rows.contacts[r], length);
                resting[i] = rests(row);
            }
            decay_rows<Real, flight>(batch, int(count), length, sums.at + now);
        }
        for (size_t i = 0; i < count; ++i) {
            if (!resting[i]) ringing.loud[still_loud++] = ringing.loud[begin + i];
        }
    }
    ringing.loud.resize(still_loud);
}

// What the loud rows would sound like in this block with the weights at its end. Moves nothing.
template <class Real>
void decay_with_next(const Ringing& ringing, int samples, Sums<Real, stretch_samples>& sums) noexcept {
    FreeRow<Real> batch[flight];
    for (size_t begin = 0; begin < ringing.loud.size(); begin += flight) {
        const size_t count = std::min<size_t>(flight, ringing.loud.size() - begin);
        for (size_t i = 0; i < count; ++i) {
            const size_t r = size_t(ringing.loud[begin + i]);
            start_row(batch[i], ringing.rows.modes[r], ringing.next[r]);
        }
        decay_rows<Real, flight>(batch, int(count), samples, sums.at);
    }
}

void pass_pulses(Ringing& ringing, int samples) noexcept {
    for (Pulse& pulse : ringing.pulses) pulse.first -= samples;
    const auto over = [&](const Pulse& pulse) {
        const bool past = double(pulse.first) + pulse.offset + pulse.duration <= 0 && pulse.first < 0;
        if (past) ringing.free_slots.push_back(pulse.slot);  // within its capacity
        return past;
    };
    ringing.pulses.erase(std::remove_if(ringing.pulses.begin(), ringing.pulses.end(), over), ringing.pulses.end());
}

template <class Real, class Sums>
void add_sums(std::span<Real> out, Sums& sums) noexcept {
    for (size_t k = 0; k < out.size(); ++k) {
        fold<row_modes / 2>(sums.at[k]);
        out[k] += Real(sums.at[k][0]);
    }
}

}  // namespace

Ringing at_rest(const OscillatorBank& bank, const Eigen::VectorXcd& weights, int max_pulses, double quiet) {
    prepare_pulses();
    Ringing ringing;
    ringing.rows = mode_rows(bank, weights);
    ringing.quiet = quiet;
    const size_t rows = ringing.rows.modes.size();
    ringing.loud.reserve(rows);
    ringing.pulses.reserve(size_t(max_pulses));
    for (long slot = max_pulses - 1; slot >= 0; --slot) ringing.free_slots.push_back(slot);
    ringing.impulses = Eigen::ArrayXXd::Zero(long(rows) * row_modes, max_pulses);
    ringing.moments.resize(size_t(max_pulses) * block_samples);
    return ringing;
}

bool strike(Ringing& ringing, Pulse pulse, std::span<const double> impulse) noexcept {
    if (ringing.free_slots.empty()) return false;
    pulse.slot = ringing.free_slots.back();
    ringing.free_slots.pop_back();
    std::copy(impulse.begin(), impulse.end(), ringing.impulses.col(pulse.slot).data());
    for (size_t m = 0; m < impulse.size(); ++m) {
        const size_t row = m / row_modes, lane = m % row_modes;
        double& quiet_sq = ringing.rows.modes[row].quiet_sq[lane];
        const double kick = ringing.rows.contacts[row].largest_kick[lane] * impulse[m];
        quiet_sq = std::max(quiet_sq, square(ringing.quiet * kick));
    }
    ringing.pulses.push_back(pulse);
    return true;
}

int samples_at_once(const Ringing& ringing) noexcept {
    return ringing.pulses.empty() ? stretch_samples : block_samples;
}

// out += (1 − x) now + x next, x from 0 at the first sample to 1 at the first of the next block.
template <class Real>
void add_blend(std::span<Real> out, Sums<Real, stretch_samples>& now, Sums<Real, stretch_samples>& next) noexcept {
    for (size_t k = 0; k < out.size(); ++k) {
        fold<row_modes / 2>(now.at[k]);
        fold<row_modes / 2>(next.at[k]);
        const Real x = Real(k) / Real(block_samples);
        out[k] += now.at[k][0] + x * (next.at[k][0] - now.at[k][0]);
    }
}

template <class Real>
void render(Ringing& ringing, std::span<Real> out) noexcept {
    const int samples = int(out.size());
    if (!ringing.loud.empty() && !ringing.next.empty()) {
        Sums<Real, stretch_samples> now, next;
        decay_with_next(ringing, samples, next);
        decay_freely(ringing, samples, now);
        add_blend(out, now, next);
    } else if (!ringing.loud.empty()) {
        Sums<Real, stretch_samples> sums;
        decay_freely(ringing, samples, sums);
        add_sums(out, sums);
    }
    if (!ringing.pulses.empty()) {
        ContactSums sums;
        if (add_contacts(ringing, samples, sums)) add_sums(out, sums);
        pass_pulses(ringing, samples);
    }
}

template void render(Ringing&, std::span<float>) noexcept;
template void render(Ringing&, std::span<double>) noexcept;

void decay_unheard(Ringing& ringing, const Eigen::VectorXcd& lambda, double time) noexcept {
    for (long m = 0; m < lambda.size(); ++m) {
        ModeRow& row = ringing.rows.modes[size_t(m / row_modes)];
        const long lane = m % row_modes;
        const std::complex<double> zeta =
            std::complex<double>(row.zeta_re[lane], row.zeta_im[lane]) * std::exp(lambda[m] * time);
        row.zeta_re[lane] = zeta.real();
        row.zeta_im[lane] = zeta.imag();
    }
}

}  // namespace clangor::oscillator
