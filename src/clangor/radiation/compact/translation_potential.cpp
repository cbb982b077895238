#include <clangor/radiation/compact/translation_potential.hpp>

#include <clangor/radiation/compact/coarse_basis.hpp>
#include <clangor/radiation/compact/midpoint_refinement.hpp>
#include <clangor/radiation/compact/triangle_potentials.hpp>

#include <Eigen/LU>

namespace clangor::compact {
namespace {

struct FlatFace {
    std::array<int, 3> nodes;
    std::array<Vec3, 3> corners;
    Vec3 centroid, normal;
    double area, near_sq;  ///< the closed forms are used up to this squared distance
};

// Beyond six edge lengths, one point a triangle errs by less than (1/6)²/24 ≈ 0.1 % of that triangle's share.
constexpr double near_edges = 6.0;

std::vector<FlatFace> flat_faces(const Surface& surface) {
    std::vector<FlatFace> faces;
    faces.reserve(surface.faces.rows());
    for (const auto& row : surface.faces.rowwise()) {
        FlatFace face;
        double edge_sq = 0;
        for (int i = 0; i < 3; ++i) {
            face.nodes[i] = row[i];
            face.corners[i] = surface.vertices.row(row[i]);
        }
        for (int i = 0; i < 3; ++i)
            edge_sq = std::max(edge_sq, (face.corners[(i + 1) % 3] - face.corners[i]).squaredNorm());
        const Vec3 twice_area = (face.corners[1] - face.corners[0]).cross(face.corners[2] - face.corners[0]);
        face.area = 0.5 * twice_area.norm();
        if (face.area <= 0) continue;
        face.normal = twice_area / (2.0 * face.area);
        face.centroid = (face.corners[0] + face.corners[1] + face.corners[2]) / 3.0;
        face.near_sq = square(near_edges) * edge_sq;
        faces.push_back(face);
    }
    return faces;
}

TrianglePotentials potentials_of(const FlatFace& face, const Vec3& x) {
    const Vec3 d = face.centroid - x;
    const double r_sq = d.squaredNorm();
    if (r_sq < face.near_sq)
        return triangle_potentials({face.corners[0] - x, face.corners[1] - x, face.corners[2] - x}, face.normal);
    const double inverse = face.area / (std::sqrt(r_sq) * r_sq);
    const double third = d.dot(face.normal) * inverse / 3.0;
    return {inverse * r_sq, {third, third, third}};
}

struct Row {
    Eigen::VectorXd matrix;
    Vec3 right_side;
};

// Collocation at vertex x of   (1 − Ω/4π) χ(x) + (1/4π) Σ_v W_v χ_v = −(1/4π) Σ_f n_f ∫_f 1/r dS,   Ω = Σ W
// (docs/theory/compact-radiation.md, Eq. 8). Taking the free term from the row sum keeps constants exact and needs no
// special case at edges and corners.
Row collocate(int vertex, const Surface& surface, const std::vector<FlatFace>& faces, const CoarseBasis& basis) {
    const Vec3 x = surface.vertices.row(vertex);
    std::vector<double> W(surface.vertices.rows(), 0.0);
    Row row{Eigen::VectorXd::Zero(basis.centres.size()), Vec3::Zero()};
    double omega = 0;
    for (const FlatFace& face : faces) {
        const TrianglePotentials potentials = potentials_of(face, x);
        row.right_side -= face.normal * (potentials.single_layer / (4 * pi));
        for (int i = 0; i < 3; ++i) {
            W[face.nodes[i]] += potentials.double_layer[i] / (4 * pi);
            omega += potentials.double_layer[i];
        }
    }
    W[vertex] += 1.0 - omega / (4 * pi);
    for (std::size_t v = 0; v < W.size(); ++v)
        for (const auto& [centre, weight] : basis.weights[v]) row.matrix[centre] += W[v] * weight;
    return row;
}

Points solved_potential(const Surface& surface, int max_unknowns) {
    const std::vector<FlatFace> faces = flat_faces(surface);
    const CoarseBasis basis = coarse_basis(surface, max_unknowns);
    const long unknowns = static_cast<long>(basis.centres.size());

    Eigen::MatrixXd A(unknowns, unknowns);
    Eigen::MatrixXd b(unknowns, 3);
    parallel_for(unknowns, [&](long i) {
        const Row row = collocate(basis.centres[i], surface, faces, basis);
        A.row(i) = row.matrix;
        b.row(i) = row.right_side;
    });

    Eigen::MatrixXd coarse;
    // Inside a parallel loop Eigen multiplies with one thread, and so in the same order on any number of threads.
    parallel_for(1, [&](long) { coarse = Eigen::PartialPivLU<Eigen::Ref<Eigen::MatrixXd>>(A).solve(b); });
    if (!coarse.allFinite())
        throw Error(
            "the flow around the body could not be solved for: its surface is not closed, or folded onto itself. "
            "Check the mesh.",
            Blame::Work);

    Points chi = Points::Zero(surface.vertices.rows(), 3);
    for (long v = 0; v < chi.rows(); ++v)
        for (const auto& [centre, weight] : basis.weights[v]) chi.row(v) += weight * coarse.row(centre);
    return chi;
}

}  // namespace

// Coarse surfaces are solved on a finer copy: the broadside dipole of a thin square plate of 386 vertices is then 14 %
// low, and 28 % without.
Points translation_potential(const Surface& surface, int max_unknowns) {
    Surface fine = surface;
    while (4 * fine.vertices.rows() <= max_unknowns) fine = midpoint_refined(fine);
    return solved_potential(fine, max_unknowns).topRows(surface.vertices.rows());
}

}  // namespace clangor::compact
