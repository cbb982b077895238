#include <clangor/radiation/bem/galerkin.hpp>
#include <clangor/radiation/bem/triangle_rules.hpp>
#include <clangor/radiation/bem/unit_phase.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::bem {
namespace {

constexpr long chunk = 128;  // elements at a time: what is written for them stays in the first-level cache

struct Coefficients {
    float k, double_layer, eta_k2_re, eta_k2_im, eta_re, eta_im;
};

Coefficients coefficients_of(const Equation& e) {
    const std::complex<double> eta_k2 = e.eta * e.k * e.k;
    return {static_cast<float>(e.k),           static_cast<float>(e.double_layer), static_cast<float>(eta_k2.real()),
            static_cast<float>(eta_k2.imag()), static_cast<float>(e.eta.real()),   static_cast<float>(e.eta.imag())};
}

// Kernels between the three points of one element and those of up to `chunk` others: with G = e^{−iz}/R, z = kR,
//     t = −d ∂G/∂n_y − ηk² (n_x·n_y) G = G [d (1 + iz) n_y·(y−x)/R² − ηk² (n_x·n_y)], g = the sum of G over all nine
struct Kernels {
    float t_re[3][3][chunk], t_im[3][3][chunk];  // [point of the one][point of the many]
    float g_re[chunk], g_im[chunk];
};

struct OneElement {
    float point[3][3], normal[3], curl[3][3], weight;
};

OneElement one_of(const Element& element) {
    OneElement one;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 point = element.at(rule_of_degree_2()[i].at);
        one.normal[i] = static_cast<float>(element.normal[static_cast<int>(i)]);
        for (int c = 0; c < 3; ++c) {
            one.point[i][c] = static_cast<float>(point[c]);
            one.curl[i][c] = static_cast<float>(element.curls[i][c]);
        }
    }
    one.weight = static_cast<float>(element.area / 3 / std::sqrt(4 * pi));
    return one;
}

template <bool many_are_y>
void fill(const Coefficients& c, const OneElement& one, const Patch& many, long begin, long count, Kernels& out) {
    const float* nx = many.normal[0].data() + begin;
    const float* ny = many.normal[1].data() + begin;
    const float* nz = many.normal[2].data() + begin;
    const float n0 = one.normal[0], n1 = one.normal[1], n2 = one.normal[2];
    std::fill_n(out.g_re, count, 0.0f);
    std::fill_n(out.g_im, count, 0.0f);
    for (int q = 0; q < 3; ++q)
        for (int p = 0; p < 3; ++p) {
            const float* mx = many.point[q][0].data() + begin;
            const float* my = many.point[q][1].data() + begin;
            const float* mz = many.point[q][2].data() + begin;
            const float px = one.point[p][0], py = one.point[p][1], pz = one.point[p][2];
            float* __restrict t_re = out.t_re[p][q];
            float* __restrict t_im = out.t_im[p][q];
            float* __restrict g_re = out.g_re;
            float* __restrict g_im = out.g_im;
#pragma omp simd
            for (long b = 0; b < count; ++b) {
                const float dx = mx[b] - px, dy = my[b] - py, dz = mz[b] - pz;
                const float R_sq = fused(dx, dx, fused(dy, dy, dz * dz));
                const float R = std::sqrt(R_sq), inverse = 1.0f / R, z = c.k * R;
                const Phase phase = unit_phase(z);
                const float re = phase.cosine * inverse, im = -phase.sine * inverse;
                // n_y·(y−x): if the one is y, both its normal and the direction turn round.
                const float height = many_are_y ? fused(nx[b], dx, fused(ny[b], dy, nz[b] * dz))
                                                : -fused(n0, dx, fused(n1, dy, n2 * dz));
                const float cosine = fused(nx[b], n0, fused(ny[b], n1, nz[b] * n2));
                const float slope = c.double_layer * height * inverse * inverse;
                const float u = fused(-c.eta_k2_re, cosine, slope), v = fused(-c.eta_k2_im, cosine, slope * z);
                t_re[b] = fused(re, u, -im * v);
                t_im[b] = fused(re, v, im * u);
                g_re[b] += re;
                g_im[b] += im;
            }
        }
}

// What corner i of the one has to do with the three corners of each of the many. N is 2/3 at the corner's own point and
// 1/6 at the two others, that is 1/6 + ½δ; curls are constant.
struct CornerRow {
    float re[3][chunk], im[3][chunk];
};

void contract(const Coefficients& c, const OneElement& one, int i, const Patch& many, long begin, long count,
              const Kernels& in, CornerRow& out) {
    const float* weight = many.weight.data() + begin;
    const float cx = one.curl[i][0], cy = one.curl[i][1], cz = one.curl[i][2];
    for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        const float* ux = many.curl[j][0].data() + begin;
        const float* uy = many.curl[j][1].data() + begin;
        const float* uz = many.curl[j][2].data() + begin;
        const auto at = [&](const float(&t)[3][3][chunk], long b) {
            constexpr float own = 2.0f / 3, other = 1.0f / 6;
            const float column_j = fused(own, t[i][j][b], other * (t[i1][j][b] + t[i2][j][b]));
            const float column_1 = fused(own, t[i][j1][b], other * (t[i1][j1][b] + t[i2][j1][b]));
            const float column_2 = fused(own, t[i][j2][b], other * (t[i1][j2][b] + t[i2][j2][b]));
            return fused(own, column_j, other * (column_1 + column_2));
        };
        float* __restrict re = out.re[j];
        float* __restrict im = out.im[j];
#pragma omp simd
        for (long b = 0; b < count; ++b) {
            const float curls = fused(cx, ux[b], fused(cy, uy[b], cz * uz[b]));
            const float g_re = curls * in.g_re[b], g_im = curls * in.g_im[b];
            const float w = one.weight * weight[b];
            re[b] = w * (at(in.t_re, b) + fused(c.eta_re, g_re, -c.eta_im * g_im));
            im[b] = w * (at(in.t_im, b) + fused(c.eta_re, g_im, c.eta_im * g_re));
        }
    }
}

// Places of the elements that are close to one, within the chunk.
std::vector<long> places_in(const std::vector<int>& close, const std::vector<int>& elements) {
    std::vector<long> places;
    auto from = elements.begin();
    for (const int e : close) {
        from = std::lower_bound(from, elements.end(), e);
        if (from == elements.end()) break;
        if (*from == e) places.push_back(from - elements.begin());
    }
    return places;
}

template <bool many_are_y>
Eigen::VectorXcf far_line(const Equation& equation, const Elements& elements, const std::vector<int>& around, int node,
                          const Patch& many) {
    const Coefficients c = coefficients_of(equation);
    Eigen::VectorXcf line = Eigen::VectorXcf::Zero(many.end - many.begin);
    Kernels kernels;
    CornerRow row, sum;
    for (long begin = 0; begin < many.count(); begin += chunk) {
        const long count = std::min(chunk, many.count() - begin);
        for (int j = 0; j < 3; ++j) {
            std::fill_n(sum.re[j], count, 0.0f);
            std::fill_n(sum.im[j], count, 0.0f);
        }
        for (const int index : around) {
            const Element& element = elements.all[index];
            const OneElement one = one_of(element);
            fill<many_are_y>(c, one, many, begin, count, kernels);
            const auto corner = std::find(element.nodes.begin(), element.nodes.end(), node) - element.nodes.begin();
            contract(c, one, static_cast<int>(corner), many, begin, count, kernels, row);
            for (int j = 0; j < 3; ++j)
                for (long b = 0; b < count; ++b) {
                    sum.re[j][b] += row.re[j][b];
                    sum.im[j][b] += row.im[j][b];
                }
        }
        for (int j = 0; j < 3; ++j)
            for (long b = 0; b < count; ++b) {
                const int at = many.column[j][begin + b];
                if (at >= 0) line[at] += std::complex<float>(sum.re[j][b], sum.im[j][b]);
            }
    }
    return line;
}

}  // namespace

BlockMatrix far_block(const Equation& equation, const Elements& elements, const Patch& x, const Patch& y,
                      const std::vector<std::vector<int>>& close) {
    const Coefficients c = coefficients_of(equation);
    BlockMatrix block = BlockMatrix::Zero(x.end - x.begin, y.end - y.begin);
    Kernels kernels;
    CornerRow row;
    for (std::size_t a = 0; a < x.element.size(); ++a) {
        const OneElement one = one_of(elements.all[x.element[a]]);
        const std::vector<long> left_out = places_in(close[x.element[a]], y.element);
        for (long begin = 0; begin < y.count(); begin += chunk) {
            const long count = std::min(chunk, y.count() - begin);
            fill<true>(c, one, y, begin, count, kernels);
            for (int i = 0; i < 3; ++i) {
                if (x.column[i][a] < 0) continue;
                contract(c, one, i, y, begin, count, kernels, row);
                for (const long place : left_out)
                    if (begin <= place && place < begin + count)
                        for (int j = 0; j < 3; ++j) row.re[j][place - begin] = row.im[j][place - begin] = 0;
                std::complex<float>* to = &block(x.column[i][a], 0);
                for (int j = 0; j < 3; ++j)
                    for (long b = 0; b < count; ++b) {
                        const int at = y.column[j][begin + b];
                        if (at >= 0) to[at] += std::complex<float>(row.re[j][b], row.im[j][b]);
                    }
            }
        }
    }
    return block;
}

Eigen::VectorXcf far_row(const Equation& equation, const Elements& elements, const std::vector<int>& around, int node,
                         const Patch& y) {
    return far_line<true>(equation, elements, around, node, y);
}
Eigen::VectorXcf far_column(const Equation& equation, const Elements& elements, const std::vector<int>& around,
                            int node, const Patch& x) {
    return far_line<false>(equation, elements, around, node, x);
}

}  // namespace clangor::bem
