// What contacts add to a block: exact at each sample, however long or short they are and wherever they start.
#include "registers.hpp"
#include "ringing.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clangor::oscillator {

namespace {

constexpr int lanes = register_lanes<double>;

struct ComplexLanes {
    Lanes re{}, im{};
};

Lanes everywhere(double value) noexcept { return Lanes{} + value; }

// Σ_n c_n μ_n, with even and odd terms apart so that two sums are under way at a time.
ComplexLanes kick(const ContactRow& contact, int lane, const Moments& mu) noexcept {
    ComplexLanes even, odd;
    for (size_t n = 0; n < moment_count; n += 2) {
        const Lanes mu_even = everywhere(mu[n]), mu_odd = everywhere(mu[n + 1]);
        even.re = fused(load(contact.kick_re[n] + lane), mu_even, even.re);
        even.im = fused(load(contact.kick_im[n] + lane), mu_even, even.im);
        odd.re = fused(load(contact.kick_re[n + 1] + lane), mu_odd, odd.re);
        odd.im = fused(load(contact.kick_im[n + 1] + lane), mu_odd, odd.im);
    }
    return {even.re + odd.re, even.im + odd.im};
}

// The forced part ρ of ζ, at rest when the block begins: ρ ← Eρ + J Σ_n c_n μ_n over each interval
// (docs/theory/oscillator.md, Eq. 13).
void force_lanes(Ringing& ringing, size_t r, int lane, int samples, int first, ContactSums& sums) noexcept {
    ModeRow& row = ringing.rows.modes[r];
    const ContactRow& contact = ringing.rows.contacts[r];
    const Lanes step_re = load(contact.step_re + lane), step_im = load(contact.step_im + lane);
    Lanes weight_re = load(row.weight_re + lane), weight_im = load(row.weight_im + lane);
    ComplexLanes turn;  // of the weight, a sample
    if (!ringing.next.empty()) {
        const Lanes part = everywhere(1.0 / block_samples);
        turn = {(load(ringing.next[r].weight_re + lane) - weight_re) * part,
                (load(ringing.next[r].weight_im + lane) - weight_im) * part};
        weight_re = fused(everywhere(first), turn.re, weight_re);
        weight_im = fused(everywhere(first), turn.im, weight_im);
    }
    ComplexLanes rho;
    for (int j = first; j < samples; ++j) {
        rho = {fused(step_re, rho.re, -(step_im * rho.im)), fused(step_re, rho.im, step_im * rho.re)};
        for (const Pulse& pulse : ringing.pulses) {
            if (j < pulse.begin || j >= pulse.end) continue;
            const ComplexLanes k = kick(contact, lane, ringing.moments[pulse.slot * block_samples + j]);
            const Lanes impulse = load(&ringing.impulses(long(r) * row_modes + lane, pulse.slot));
            rho = {fused(impulse, k.re, rho.re), fused(impulse, k.im, rho.im)};
        }
        if (j + 1 == samples) break;
        weight_re += turn.re;
        weight_im += turn.im;
        double* const sum = sums.at[j + 1] + lane;
        store(sum, load(sum) + fused(weight_re, rho.re, -(weight_im * rho.im)));
    }
    store(row.zeta_re + lane, load(row.zeta_re + lane) + rho.re);
    store(row.zeta_im + lane, load(row.zeta_im + lane) + rho.im);
}

// Which intervals of the block a pulse acts in, and its moments over them.
void meet_block(Ringing& ringing, Pulse& pulse, int samples) noexcept {
    const double last = std::ceil(double(pulse.first) + pulse.offset + pulse.duration);
    const long end = std::max(pulse.first + 1, long(std::min(last, double(samples))));
    pulse.begin = int(std::clamp(pulse.first, 0L, long(samples)));
    pulse.end = int(std::clamp(end, 0L, long(samples)));
    for (int j = pulse.begin; j < pulse.end; ++j) {
        const double start = double(pulse.first - j) + pulse.offset;
        ringing.moments[pulse.slot * block_samples + j] = pulse_moments(pulse.shape, start, pulse.duration);
    }
}

}  // namespace

bool add_contacts(Ringing& ringing, int samples, ContactSums& sums) noexcept {
    int first = samples;
    for (Pulse& pulse : ringing.pulses) {
        meet_block(ringing, pulse, samples);
        if (pulse.begin < pulse.end) first = std::min(first, pulse.begin);
    }
    if (first == samples) return false;
    for (size_t r = 0; r < ringing.rows.modes.size(); ++r) {
        for (int lane = 0; lane < row_modes; lane += lanes) force_lanes(ringing, r, lane, samples, first, sums);
    }
    // Which rows it left at rest is found out in the next block.
    ringing.loud.resize(ringing.rows.modes.size());  // within its capacity
    std::iota(ringing.loud.begin(), ringing.loud.end(), 0L);
    return true;
}

}  // namespace clangor::oscillator
