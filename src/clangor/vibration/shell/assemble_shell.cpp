// Stiffness and mass of a shell, from those of its triangles.
#include <clangor/vibration/shell/shell_element.hpp>

#include <fmt/format.h>

#include <limits>

namespace clangor {
namespace {

long row_of(const ShellElement& element, int local, long vertices) {
    const int within = local % 6;
    return (within < 3 ? 0 : 3 * vertices) + 3L * element.corners[local / 6] + within % 3;
}

SparseMatrix assembled(const std::vector<ShellElement>& elements, long vertices,
                       ShellBlock (*block_of)(const ShellElement&)) {
    // Blocks are made in parallel; their entries are summed in the order of the triangles.
    constexpr long entries = 18L * 18;
    std::vector<Eigen::Triplet<double>> triplets(entries * elements.size());
    parallel_for(std::ssize(elements), [&](long f) {
        const ShellBlock block = block_of(elements[f]);
        for (int b = 0; b < 18; ++b)
            for (int a = 0; a < 18; ++a)
                triplets[entries * f + 18 * b + a] = {int(row_of(elements[f], a, vertices)),
                                                      int(row_of(elements[f], b, vertices)),
                                                      (block(a, b) + block(b, a)) / 2};
    });
    SparseMatrix matrix(6 * vertices, 6 * vertices);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return matrix;
}

// Translations, then rotations about the mean, scaled to similar size.
Eigen::MatrixXd rigid_motions(const Points& vertices) {
    const long n = vertices.rows();
    const Vec3 centre = vertices.colwise().mean();
    const double size = std::sqrt((vertices.rowwise() - centre.transpose()).rowwise().squaredNorm().mean());
    Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(6 * n, 6);
    for (long i = 0; i < n; ++i)
        for (int d = 0; d < 3; ++d) {
            const Vec3 r = (vertices.row(i).transpose() - centre) / size;
            motions(3 * i + d, d) = 1;
            motions.block<3, 1>(3 * i, 3 + d) = Vec3::Unit(d).cross(r);
            motions(3 * n + 3 * i + d, 3 + d) = 1 / size;
        }
    return motions;
}

}  // namespace

StiffnessMass assemble(const ThinShell& shell, const Material& material) {
    const std::vector<ShellElement> elements = shell_elements(shell, material);
    const long vertices = shell.middle.vertices.rows();
    // 7 neighbours per vertex with itself, 36 entries each, in 32-bit indices.
    if (vertices > std::numeric_limits<int>::max() / (8 * 36))
        throw Error(fmt::format("the shell has {} vertices, too many for one body; use longer edges", vertices));
    return {assembled(elements, vertices, stiffness_of), assembled(elements, vertices, mass_of),
            rigid_motions(shell.middle.vertices)};
}

}  // namespace clangor
