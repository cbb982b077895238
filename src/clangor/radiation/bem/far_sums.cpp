#include <clangor/radiation/bem/far_sums.hpp>
#include <clangor/radiation/bem/triangle_rules.hpp>
#include <clangor/radiation/bem/unit_phase.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::bem {
namespace {

using Complex = std::complex<double>;

constexpr long single_sum = 1024;  // sources summed in single precision; the sums of these in double

}  // namespace

void PointSources::mute(int element) {
    for (std::size_t i = 3 * static_cast<std::size_t>(element), end = i + 3; i < end; ++i)
        monopole_re[i] = monopole_im[i] = dipole_re[i] = dipole_im[i] = 0;
}

void PointSources::restore(int element, const PointSources& from) {
    for (std::size_t i = 3 * static_cast<std::size_t>(element), end = i + 3; i < end; ++i) {
        monopole_re[i] = from.monopole_re[i];
        monopole_im[i] = from.monopole_im[i];
        dipole_re[i] = from.dipole_re[i];
        dipole_im[i] = from.dipole_im[i];
    }
}

PointSources point_sources(const Elements& elements, const CornerValues& q, const CornerValues& p) {
    PointSources out;
    double smallest = elements.radius;
    for (std::size_t f = 0; f < elements.all.size(); ++f) {
        const Element& e = elements.all[f];
        smallest = std::min(smallest, std::sqrt(e.area));
        for (const RulePoint& rule : rule_of_degree_2()) {
            const Vec3 at = e.at(rule.at);
            const double w = rule.weight * e.area / (4 * pi);
            for (int c = 0; c < 3; ++c) {
                out.position[c].push_back(static_cast<float>(at[c]));
                out.normal[c].push_back(static_cast<float>(e.normal[c]));
            }
            Complex monopole = 0, dipole = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                monopole += w * rule.at[i] * q[f][i];
                if (!p.empty()) dipole += w * rule.at[i] * p[f][i];
            }
            out.monopole_re.push_back(static_cast<float>(monopole.real()));
            out.monopole_im.push_back(static_cast<float>(monopole.imag()));
            out.dipole_re.push_back(static_cast<float>(dipole.real()));
            out.dipole_im.push_back(static_cast<float>(dipole.imag()));
        }
    }
    out.nearest_sq = static_cast<float>(square(0.01 * smallest));
    return out;
}

Complex layers_of_gradient(const PointSources& sources, const Vec3& x, const Vec3& normal, double k, double s,
                           Complex a) {
    const float* y[3] = {sources.position[0].data(), sources.position[1].data(), sources.position[2].data()};
    const float* m_re = sources.monopole_re.data();
    const float* m_im = sources.monopole_im.data();
    const float x0 = static_cast<float>(x[0]), x1 = static_cast<float>(x[1]), x2 = static_cast<float>(x[2]);
    const float n0 = static_cast<float>(normal[0]), n1 = static_cast<float>(normal[1]),
                n2 = static_cast<float>(normal[2]);
    const float kf = static_cast<float>(k), sf = static_cast<float>(s), a_re = static_cast<float>(a.real()),
                a_im = static_cast<float>(a.imag()), nearest_sq = sources.nearest_sq;
    Complex sum = 0;
    for (long begin = 0; begin < sources.count(); begin += single_sum) {
        const long end = std::min(begin + single_sum, sources.count());
        float sum_re = 0, sum_im = 0;
#pragma omp simd reduction(+ : sum_re, sum_im)
        for (long i = begin; i < end; ++i) {
            const float dx = y[0][i] - x0, dy = y[1][i] - x1, dz = y[2][i] - x2;
            const float R_sq = std::max(fused(dx, dx, fused(dy, dy, dz * dz)), nearest_sq);
            const float R = std::sqrt(R_sq), inverse = 1.0f / R, z = kf * R;
            const Phase phase = unit_phase(z);
            const float re = phase.cosine * inverse, im = -phase.sine * inverse;
            // ∂G/∂n_x = (1 + iz) G n_x·(y−x)/R²
            const float t = fused(n0, dx, fused(n1, dy, n2 * dz)) * inverse * inverse;
            const float c_re = fused(t, fused(-a_im, z, a_re), sf), c_im = t * fused(a_re, z, a_im);
            const float g_re = fused(re, c_re, -im * c_im), g_im = fused(re, c_im, im * c_re);
            sum_re += fused(g_re, m_re[i], -g_im * m_im[i]);
            sum_im += fused(g_re, m_im[i], g_im * m_re[i]);
        }
        sum += Complex(static_cast<double>(sum_re), static_cast<double>(sum_im));
    }
    return sum;
}

namespace {

// With the phase of |x| split off:  R − |x| = (|y|² − 2x·y)/(R + |x|), which does not cancel.
template <bool split>
Complex pressure(const PointSources& sources, const Vec3& x, double k) {
    const float* y[3] = {sources.position[0].data(), sources.position[1].data(), sources.position[2].data()};
    const float* n[3] = {sources.normal[0].data(), sources.normal[1].data(), sources.normal[2].data()};
    const float* m_re = sources.monopole_re.data();
    const float* m_im = sources.monopole_im.data();
    const float* d_re = sources.dipole_re.data();
    const float* d_im = sources.dipole_im.data();
    const float x0 = static_cast<float>(x[0]), x1 = static_cast<float>(x[1]), x2 = static_cast<float>(x[2]);
    const float kf = static_cast<float>(k), away = static_cast<float>(x.norm()), nearest_sq = sources.nearest_sq;
    Complex sum = 0;
    for (long begin = 0; begin < sources.count(); begin += single_sum) {
        const long end = std::min(begin + single_sum, sources.count());
        float sum_re = 0, sum_im = 0;
#pragma omp simd reduction(+ : sum_re, sum_im)
        for (long i = begin; i < end; ++i) {
            const float dx = y[0][i] - x0, dy = y[1][i] - x1, dz = y[2][i] - x2;
            const float R_sq = std::max(fused(dx, dx, fused(dy, dy, dz * dz)), nearest_sq);
            const float R = std::sqrt(R_sq), inverse = 1.0f / R, z = kf * R;
            // |y|² − 2x·y = (y−x)·y − x·y
            const float longer = fused(dx - x0, y[0][i], fused(dy - x1, y[1][i], (dz - x2) * y[2][i])) / (R + away);
            const Phase phase = unit_phase(split ? kf * longer : z);
            const float re = phase.cosine * inverse, im = -phase.sine * inverse;
            // p ∂G/∂n_y − G q = −G [(1 + iz) p n_y·(y−x)/R² + q]
            const float slope = fused(n[0][i], dx, fused(n[1][i], dy, n[2][i] * dz)) * inverse * inverse;
            const float w_re = fused(slope, fused(-z, d_im[i], d_re[i]), m_re[i]);
            const float w_im = fused(slope, fused(z, d_re[i], d_im[i]), m_im[i]);
            sum_re -= fused(re, w_re, -im * w_im);
            sum_im -= fused(re, w_im, im * w_re);
        }
        sum += Complex(static_cast<double>(sum_re), static_cast<double>(sum_im));
    }
    return split ? sum * std::polar(1.0, -k * x.norm()) : sum;
}

}  // namespace

Complex pressure_sum(const PointSources& sources, const Vec3& x, double k, double radius) {
    return x.norm() > 2 * radius ? pressure<true>(sources, x, k) : pressure<false>(sources, x, k);
}

}  // namespace clangor::bem
