// Oscillators against q(t) = (J/ω_d) e^{−ξωt} sin ω_d t.
#include <clangor/validation/cases.hpp>

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <algorithm>
#include <array>
#include <complex>

namespace clangor::validation {

Case oscillator_case(const Progress&) {
    Case result{.name = "oscillator",
                .title = "One oscillator struck between samples, 10 s at 48 kHz, decaying by 60 dB in 20 s",
                .source = "closed form of the damped oscillator"};
    Curve fast{"fast bank", {}, {}}, reference{"double", {}, {}};
    const double rate = 48000, start = 0.123 / rate;
    for (const double hz : {20.0, 47.0, 110.0, 440.0, 1000.0, 4186.0, 10000.0, 16000.0, 20000.0}) {
        const double omega = 2 * pi * hz, decay = std::log(1000.0) / 20, xi = decay / omega,
                     omega_d = omega * std::sqrt(1 - square(xi));
        const OscillatorBank bank{Eigen::VectorXd::Constant(1, omega), Eigen::VectorXd::Constant(1, xi), rate};
        const std::array<ModalImpulse, 1> strike{
            {{start, 0, PulseShape::Hertz, Eigen::VectorXd::Constant(1, omega_d)}}};
        const Eigen::VectorXcd weight = Eigen::VectorXcd::Constant(1, {0, -1});
        const long samples = 480000;
        const std::vector<float> quick = ring(bank, strike, weight, samples);
        const std::vector<double> exact = ring_reference(bank, strike, weight, samples);
        double worst_quick = 0, worst_exact = 0;
        for (long k = 1; k < samples; ++k) {
            const long double t =
                static_cast<long double>(k) / static_cast<long double>(rate) - static_cast<long double>(start);
            const double q = double(std::exp(-static_cast<long double>(decay) * t) *
                                    std::sin(static_cast<long double>(omega_d) * t));
            worst_quick = std::max(worst_quick, std::abs(double(quick[k]) - q));
            worst_exact = std::max(worst_exact, std::abs(exact[k] - q));
        }
        fast.x.push_back(hz);
        fast.y.push_back(worst_quick);
        reference.x.push_back(hz);
        reference.y.push_back(worst_exact);
    }
    result.bounds.push_back(
        {"fast bank, worst of 20 Hz to 20 kHz", *std::max_element(fast.y.begin(), fast.y.end()), 1e-4, false});
    result.bounds.push_back(
        {"double, worst of 20 Hz to 20 kHz", *std::max_element(reference.y.begin(), reference.y.end()), 1e-11, false});
    result.plots = {{.x_label = "frequency [Hz]",
                     .y_label = "largest error / peak",
                     .log_x = true,
                     .log_y = true,
                     .curves = {fast, reference}}};
    return result;
}

}  // namespace clangor::validation
