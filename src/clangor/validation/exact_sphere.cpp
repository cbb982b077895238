#include <clangor/validation/exact_sphere.hpp>

#include <utility>

namespace clangor::validation {

// h_0 = i e^{−iz}/z, h_1 = (i + 1/…): upwards by h_{n+1} = (2n+1)/z h_n − h_{n−1}, which is stable for outgoing waves.
Hankel hankel(int n, double z) {
    using Complex = std::complex<double>;
    const Complex wave = std::polar(1.0, -z);
    Complex before = wave / z;                 // h_{−1} = j_{−1} − i y_{−1} = cos z/z − i sin z/z
    Complex value = Complex(0, 1) * wave / z;  // h_0
    for (int m = 0; m < n; ++m) before = std::exchange(value, (2.0 * m + 1) / z * value - before);
    return {value, before - (n + 1) / z * value};
}

double legendre(int n, double x) {
    double before = 0, value = 1;
    for (int m = 0; m < n; ++m) before = std::exchange(value, ((2 * m + 1) * x * value - m * before) / (m + 1));
    return value;
}

std::complex<double> sphere_pressure(int n, double a, double r, double omega, const Air& air) {
    const double k = omega / air.speed_of_sound;
    return air.density * air.speed_of_sound * omega * hankel(n, k * r).value / hankel(n, k * a).slope;
}

}  // namespace clangor::validation
