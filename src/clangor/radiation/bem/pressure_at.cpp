#include <clangor/radiation/bem/bem.hpp>
#include <clangor/radiation/bem/element_finder.hpp>
#include <clangor/radiation/bem/far_sums.hpp>
#include <clangor/radiation/bem/pair_integrals.hpp>

#include <fmt/core.h>

namespace clangor {

using namespace bem;

// p(x) = ∫ p ∂G/∂n_y dS − ∫ G q dS on closed bodies, ∫ μ ∂G/∂n_y dS on sheets
// (docs/theory/boundary-elements.md, Eq. 2 and 5).
Eigen::VectorXcd pressure_at(const BemSolution& solution, const Points& points) {
    using Complex = std::complex<double>;
    if (!points.allFinite()) throw Error("a point at which the pressure is wanted is not finite");
    const Surface& surface = solution.surface;
    const std::vector<int> no_nodes(surface.vertices.rows(), -1);
    const Elements elements = elements_of(surface, no_nodes, 0);
    CornerValues p(elements.all.size()), q(elements.all.size(), {0, 0, 0});
    for (std::size_t f = 0; f < q.size() && !solution.open; ++f)
        for (int i = 0; i < 3; ++i) q[f][i] = solution.gradient.corners(static_cast<long>(f), i);
    for (std::size_t f = 0; f < p.size(); ++f)
        for (int i = 0; i < 3; ++i) p[f][i] = solution.vertex_pressure[surface.faces(static_cast<long>(f), i)];
    const PointSources sources = point_sources(elements, q, p);
    const ElementFinder finder(elements);

    Eigen::VectorXcd pressure(points.rows());
    constexpr long group = 32;
    parallel_for((points.rows() + group - 1) / group, [&](long g) {
        PointSources audible = sources;
        for (long i = g * group; i < std::min((g + 1) * group, points.rows()); ++i) {
            const Vec3 x = points.row(i).transpose() - elements.origin;
            const std::vector<int> close = finder.close_to(x, 0.0);
            for (const int e : close) audible.mute(e);
            Complex sum = pressure_sum(audible, x, solution.wave_number, elements.radius);
            for (const int e : close) {
                const PointPotentials potentials = point_potentials(x, elements.all[e], solution.wave_number);
                for (std::size_t j = 0; j < 3; ++j)
                    sum += p[e][j] * potentials.double_layer[j] - q[e][j] * potentials.single_layer[j];
                audible.restore(e, sources);
            }
            pressure[i] = sum;
        }
    });
    return pressure;
}

}  // namespace clangor
