// Weights and banks that change while the modes ring.
#include "ringing.hpp"

#include <algorithm>
#include <complex>

namespace clangor::oscillator {

namespace {

// `row` is a ModeRow or a WeightRow. The slope is w(1 − E*).
template <class Row>
void put_weight(Row& row, const ContactRow& contact, long lane, std::complex<double> weight) {
    const std::complex<double> step(contact.step_re[lane], contact.step_im[lane]);
    const std::complex<double> slope = weight * (1.0 - std::conj(step));
    row.weight_re[lane] = weight.real();
    row.weight_im[lane] = weight.imag();
    row.slope_re[lane] = slope.real();
    row.slope_im[lane] = slope.imag();
}

template <class Row>
void put_weights(std::vector<Row>& rows, const ModeRows& modes, const Eigen::VectorXcd& weights) {
    for (long m = 0; m < weights.size(); ++m) {
        const size_t r = size_t(m / row_modes);
        put_weight(rows[r], modes.contacts[r], m % row_modes, weights[m]);
    }
}

}  // namespace

void hold_weights(Ringing& ringing, const Eigen::VectorXcd& weights) {
    put_weights(ringing.rows.modes, ringing.rows, weights);
    ringing.next.clear();
}

void move_weights(Ringing& ringing, const Eigen::VectorXcd& begin, const Eigen::VectorXcd& end) {
    put_weights(ringing.rows.modes, ringing.rows, begin);
    ringing.next.resize(ringing.rows.modes.size());
    put_weights(ringing.next, ringing.rows, end);
}

void change_bank(Ringing& ringing, const ModeRows& bank) {
    ModeRows rows = bank;
    for (size_t r = 0; r < rows.modes.size(); ++r) {
        const ModeRow& before = ringing.rows.modes[r];
        std::copy_n(before.zeta_re, row_modes, rows.modes[r].zeta_re);
        std::copy_n(before.zeta_im, row_modes, rows.modes[r].zeta_im);
        std::copy_n(before.quiet_sq, row_modes, rows.modes[r].quiet_sq);
    }
    ringing.rows = std::move(rows);
    ringing.next.clear();
}

}  // namespace clangor::oscillator
