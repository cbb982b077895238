// What a baked model can be asked, and how it grows with its body.
#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/spherical/spherical.hpp>
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

namespace clangor {

std::size_t AccelerationNoise::bytes() const {
    std::size_t total = 0;
    for (const NoiseField& field : fields)
        total += sizeof(float) * field.pressure.size() + sizeof(int) * field.harmonics.size();
    return total;
}

int AccelerationNoise::degree() const {
    int largest = -1;
    for (const NoiseField& field : fields) {
        if (field.harmonics.size() > 0) largest = std::max(largest, field.harmonics.maxCoeff());
    }
    return largest < 0 ? -1 : static_cast<int>(std::sqrt(static_cast<double>(largest)));
}

// p′(x, t) = s p(x/s, t/s) solves the wave equation about the larger body, and ∂p′/∂n = ∂p/∂n there: the same
// accelerations, stretched in time. A unit of spin moves the larger body's surface s times as fast.
AccelerationNoise scaled(const AccelerationNoise& noise, double scale) {
    CLANGOR_ASSERT(scale > 0, "a body stays a body");
    AccelerationNoise larger = noise;
    larger.centre *= scale;
    larger.radius *= scale;
    larger.reference_radius *= scale;
    larger.pulse_scale *= scale;
    larger.sample_step *= scale;
    for (std::size_t motion = 0; motion < larger.fields.size(); ++motion) {
        larger.fields[motion].start *= scale;
        larger.fields[motion].pressure *= static_cast<float>(motion < 3 ? scale : square(scale));
    }
    return larger;
}

bool in_near_field(const AccelerationNoise& noise, const Vec3& listener) {
    return (listener - noise.centre).norm() < noise.reference_radius;
}

std::vector<double> pulse_pressure(const AccelerationNoise& noise, int motion, const Vec3& listener, double start,
                                   double step, long count) {
    std::vector<double> out(count);
    const NoiseField& field = noise.fields.at(motion);
    if (field.pressure.size() == 0) return out;
    const Vec3 arm = listener - noise.centre;
    const double r = std::max(arm.norm(), noise.reference_radius), c = noise.air.speed_of_sound;
    const Vec3 direction = arm.norm() > 0 ? Vec3(arm.normalized()) : Vec3::UnitZ();
    const Eigen::VectorXd Y = spherical_harmonics(noise.frame.transpose() * direction, noise.degree());
    // On its way a wave of degree l trails behind by some reference_radius/c: as much room again keeps it from wrapping
    // around.
    const double room =
        2.0 * static_cast<double>(field.pressure.rows()) + 20 * noise.reference_radius / (c * noise.sample_step);
    const RealFourier<double> fourier(power_of_two(room));
    std::vector<double> samples(fourier.size());
    std::vector<std::complex<double>> spectrum(fourier.bins()), sum(spectrum.size());
    const double omega_step = 2 * pi / (static_cast<double>(fourier.size()) * noise.sample_step);
    for (int l = 0; l <= noise.degree(); ++l) {
        Eigen::VectorXd b = Eigen::VectorXd::Zero(field.pressure.rows());
        for (long j = 0; j < field.harmonics.size(); ++j) {
            const int harmonic = field.harmonics[j];
            if (harmonic >= l * l && harmonic < (l + 1) * (l + 1))
                b += Y[harmonic] * field.pressure.col(j).cast<double>();
        }
        std::fill(samples.begin(), samples.end(), 0.0);
        std::copy(b.data(), b.data() + b.size(), samples.begin());
        fourier.forward(samples, spectrum);
        for (std::size_t j = 0; j < spectrum.size(); ++j) {
            const double k = std::max(static_cast<double>(j), 1e-3) * omega_step / c;
            sum[j] += spectrum[j] * outgoing_ratios(l, k * r, k * noise.reference_radius).back();
        }
    }
    for (long i = 0; i < count; ++i) {  // the trigonometric polynomial at any time
        const double t = start + step * static_cast<double>(i) - r / c - field.start;
        if (t < 0 || t > (static_cast<double>(fourier.size()) - 1) * noise.sample_step) continue;
        double value = sum[0].real();
        for (std::size_t j = 1; j < sum.size() - 1; ++j)
            value += 2 * (sum[j] * std::polar(1.0, omega_step * static_cast<double>(j) * t)).real();
        out[i] = value / static_cast<double>(fourier.size());
    }
    return out;
}

}  // namespace clangor
