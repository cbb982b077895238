#include <clangor/validation/spectrogram.hpp>

#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <complex>

namespace clangor::validation {

LevelMap spectrogram(std::span<const double> samples, const SpectrogramOptions& options) {
    const RealFourier<double> fourier(options.window);
    const long columns = 1 + (std::ssize(samples) - options.window) / options.hop;
    const long bins = std::min(fourier.bins(), long(options.max_hz * double(options.window) / options.rate_hz) + 1);
    LevelMap map;
    map.db.resize(bins, columns);
    Eigen::VectorXd windowed(options.window);
    std::vector<std::complex<double>> spectrum(static_cast<size_t>(fourier.bins()));
    for (long c = 0; c < columns; ++c) {
        for (long s = 0; s < options.window; ++s)
            windowed[s] = samples[size_t(c * options.hop + s)] *
                          square(std::sin(pi * (double(s) + 0.5) / double(options.window)));
        fourier.forward({windowed.data(), size_t(options.window)}, spectrum);
        for (long b = 0; b < bins; ++b) map.db(b, c) = 10 * std::log10(std::norm(spectrum[size_t(b)]) + 1e-300);
        map.x.push_back((double(c * options.hop) + 0.5 * double(options.window)) / options.rate_hz);
    }
    for (long b = 0; b < bins; ++b) map.y.push_back(double(b) * options.rate_hz / double(options.window));
    map.db.array() -= map.db.maxCoeff();
    return map;
}

Eigen::VectorXd power_spectrum(const Eigen::VectorXd& samples) {
    const long count = samples.size();
    const RealFourier<double> fourier(count);
    Eigen::VectorXd windowed(count);
    for (long s = 0; s < count; ++s) windowed[s] = samples[s] * square(std::sin(pi * double(s) / double(count)));
    std::vector<std::complex<double>> spectrum(size_t(fourier.bins()));
    fourier.forward({windowed.data(), size_t(count)}, spectrum);
    return Eigen::Map<const Eigen::VectorXcd>(spectrum.data(), fourier.bins()).cwiseAbs2();
}

}  // namespace clangor::validation
