// From the surface that vibrates to the mesh that radiates.
#include <clangor/radiation/bem/bem.hpp>
#include <clangor/radiation/bem/rim_grading.hpp>

#include <Eigen/Cholesky>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace clangor {
namespace {

using remeshing::FacingQuery;

// Pieces of the given faces are at most this part of a new edge long. Which of them lie just across the border of a
// new face changes its flux by 1 % to 3 % (root mean square, on balls, bowls, bells and mugs), at random from face to
// face.
constexpr double piece_of_edge = 0.1;

constexpr double volume_error = 0.02;  // more than that is refused
constexpr double most_faces = 2e6;     // nobody solves for more

/// A small piece of a given face, flat and of one flux density.
struct FacePiece {
    Vec3 x = Vec3::Zero(), normal = Vec3::Zero();
    double area = 0;
    int face = -1;
    double part = 1;  ///< of the face
};

Vec3 vertex(const Surface& surface, int face, int k) { return surface.vertices.row(surface.faces(face, k)); }

// Of equilateral triangles, as many on as much surface.
double mean_edge(const Surface& mesh) {
    return std::sqrt(4 / std::sqrt(3.0) * area_of(mesh) / static_cast<double>(mesh.faces.rows()));
}

// Each face is halved across its longest side, and its halves again, until none is longer than `size`. Cutting all
// sides into as many parts instead makes eight million pieces of a bar of 12 faces.
std::vector<FacePiece> pieces_of(const Surface& surface, double size) {
    struct Triangle {
        Vec3 a, b, c;
        double part;
    };
    std::vector<FacePiece> pieces;
    std::vector<Triangle> stack;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        stack.push_back({vertex(surface, f, 0), vertex(surface, f, 1), vertex(surface, f, 2), 1});
        const Vec3 area = (stack[0].b - stack[0].a).cross(stack[0].c - stack[0].a) / 2;
        const Vec3 normal = area.norm() > 0 ? Vec3(area.normalized()) : Vec3(Vec3::Zero());
        while (!stack.empty()) {
            auto [a, b, c, part] = stack.back();
            stack.pop_back();
            while ((b - a).norm() < std::max((c - b).norm(), (a - c).norm()) * (1 - 1e-12))
                std::tie(a, b, c) = std::tuple<Vec3, Vec3, Vec3>(b, c, a);  // until a–b is the longest side
            if ((b - a).norm() <= size) {
                pieces.push_back({(a + b + c) / 3, normal, area.norm() * part, f, part});
                continue;
            }
            stack.push_back({(a + b) / 2, b, c, part / 2});
            stack.push_back({a, (a + b) / 2, c, part / 2});
        }
    }
    return pieces;
}

std::vector<ClosestPoint> targets_of(const std::vector<FacePiece>& pieces, const Surface& mesh) {
    const FacingQuery query(mesh);
    std::vector<ClosestPoint> targets(pieces.size());
    constexpr std::size_t block = 512;
    parallel_for(static_cast<long>((pieces.size() + block - 1) / block), [&](long b) {
        const std::size_t first = b * block;
        for (std::size_t i = first; i < std::min(first + block, pieces.size()); ++i)
            targets[i] = query(pieces[i].x, pieces[i].normal);
    });
    return targets;
}

// A mesh whose vertices lie on a sphere encloses too little. Each face should move by the mean distance e of its
// pieces along its normal; each vertex by the u that does this best for the faces around it: (Σ A nnᵀ) u = Σ A e n.
// Rims stay.
Surface laid_through(const Surface& mesh, const std::vector<FacePiece>& pieces) {
    const Points normals = remeshing::unit_normals(mesh);
    const std::vector<ClosestPoint> targets = targets_of(pieces, mesh);
    Eigen::VectorXd offset = Eigen::VectorXd::Zero(mesh.faces.rows()), area = offset;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const int f = targets[i].face;
        offset[f] += pieces[i].area * normals.row(f).dot((pieces[i].x - targets[i].point).transpose());
        area[f] += pieces[i].area;
    }
    offset = (area.array() > 0).select(offset.cwiseQuotient(area), 0);

    const std::size_t vertices = mesh.vertices.rows();
    std::vector<Mat3> matrix(vertices, Mat3::Zero());
    std::vector<Vec3> right(vertices, Vec3::Zero());
    std::vector<double> limit(vertices, 0);
    for (int f = 0; f < mesh.faces.rows(); ++f)
        for (const int v : mesh.faces.row(f)) {
            const Vec3 n = normals.row(f);
            matrix[v] += area[f] * n * n.transpose();
            right[v] += area[f] * offset[f] * n;
            limit[v] = std::max(limit[v], 2 * std::abs(offset[f]));
        }
    const remeshing::SurfaceNet net = remeshing::net_of(mesh);
    Surface moved = mesh;
    for (std::size_t i = 0; i < vertices; ++i) {
        if (net.rim[i] || !(matrix[i].trace() > 0)) continue;
        const Mat3 definite = matrix[i] + 1e-2 * matrix[i].trace() * Mat3::Identity();
        const Vec3 u = definite.ldlt().solve(right[i]);
        moved.vertices.row(static_cast<int>(i)) += u * std::min(1.0, limit[i] / std::max(u.norm(), 1e-300));
    }
    return moved;
}

bool as_good(const Surface& mesh, const Surface& given) {
    const bool closed = topology_of(given).closed();
    if (closed != topology_of(mesh).closed() || !mesh.vertices.allFinite()) return false;
    const double before = closed ? mass_properties(given).volume : area_of(given);
    const double after = closed ? mass_properties(mesh).volume : area_of(mesh);
    return std::abs(after - before) <= volume_error * std::abs(before) && !self_intersects(mesh);
}

// Stricter tolerances until the mesh is sound; a surface that is not sound itself is cut only.
Surface sound_mesh(const Surface& given, double edge_length) {
    if (self_intersects(given)) return remeshing::refined(given, edge_length);
    const std::vector<FacePiece> pieces = pieces_of(given, 2 * piece_of_edge * edge_length);
    for (const double strictness : {1.0, 2.0, 4.0}) {
        const remeshing::Original original = remeshing::original_of(given, edge_length, strictness);
        const Surface coarse = remeshing::remeshed(given, original, edge_length);
        Surface fitted = coarse;
        for (int pass = 0; pass < 2; ++pass) fitted = laid_through(fitted, pieces);
        const Surface graded = remeshing::graded_at_rims(fitted, original, edge_length);
        if (as_good(graded, given)) return graded;
        if (as_good(fitted, given)) return fitted;
        if (as_good(coarse, given)) return coarse;
    }
    return remeshing::refined(given, edge_length);
}

// Without faces that have no area. Which way the others look says which way their flux goes: whoever gave them has
// decided that.
Surface tidy(const Surface& surface) {
    CleanSurface cleaned = clean(surface);
    const bool turned = cleaned.repairs.flipped_faces > 0 || cleaned.repairs.inside_out_pieces > 0;
    return turned || cleaned.surface.faces.rows() == 0 ? surface : std::move(cleaned.surface);
}

void check(const Surface& surface, double edge_length) {
    if (surface.faces.rows() == 0) throw Error("a surface without faces radiates nothing; give one with faces");
    if (!surface.vertices.allFinite())
        throw Error("the surface has vertices that are not finite; clean the mesh before it radiates");
    if (!(edge_length > 0) || !std::isfinite(edge_length))
        throw Error(fmt::format("edges of {} m make no mesh; use a sixth of the wavelength or so", edge_length));
    const double faces = area_of(surface) / (std::sqrt(3.0) / 4 * square(edge_length));
    if (faces > most_faces)
        throw Error(
            fmt::format("edges of {:.3g} mm would cut a surface of {:.3g} m² into {:.1g} faces; use longer ones",
                        1e3 * edge_length, area_of(surface), faces));
}

// N_i at a point of a face: what is left of each height above the opposite side.
Vec3 barycentric(const Surface& mesh, const ClosestPoint& target) {
    const Vec3 a = vertex(mesh, target.face, 0), b = vertex(mesh, target.face, 1), c = vertex(mesh, target.face, 2);
    const Vec3 n = (b - a).cross(c - a), d = target.point - a;
    const double in_b = d.cross(c - a).dot(n) / n.squaredNorm(), in_c = (b - a).cross(d).dot(n) / n.squaredNorm();
    const Vec3 at = Vec3(1 - in_b - in_c, in_b, in_c).cwiseMax(0);
    return at / at.sum();
}

}  // namespace

RadiatingMesh radiating_mesh(const Surface& surface, double edge_length) {
    check(surface, edge_length);
    RadiatingMesh result{.surface = sound_mesh(tidy(surface), edge_length)};
    const std::vector<FacePiece> pieces = pieces_of(surface, piece_of_edge * mean_edge(result.surface));
    const std::vector<ClosestPoint> targets = targets_of(pieces, result.surface);
    std::vector<Eigen::Triplet<double>> shares;
    shares.reserve(3 * pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Vec3 at = barycentric(result.surface, targets[i]);
        for (int k = 0; k < 3; ++k)
            if (at[k] > 0) shares.emplace_back(3 * targets[i].face + k, pieces[i].face, at[k] * pieces[i].part);
    }
    result.shares.resize(3 * result.surface.faces.rows(), surface.faces.rows());
    result.shares.setFromTriplets(shares.begin(), shares.end());
    return result;
}

// M q = f on each face, with M = A/12 (1 + δ_ij), whose inverse is 3/A (4δ_ij − 1).
CornerGradient density_on(const RadiatingMesh& mesh, const Eigen::VectorXd& fluxes) {
    CLANGOR_ASSERT(fluxes.size() == mesh.shares.cols(), "one flux a given face");
    const Eigen::VectorXd loads = mesh.shares * fluxes;
    CornerGradient q{Eigen::MatrixX3cd(mesh.surface.faces.rows(), 3)};
    for (int f = 0; f < q.corners.rows(); ++f) {
        const Vec3 load = loads.segment<3>(3 * f), a = vertex(mesh.surface, f, 0);
        const double area = (vertex(mesh.surface, f, 1) - a).cross(vertex(mesh.surface, f, 2) - a).norm() / 2;
        q.corners.row(f) = (3 / area * (4 * load - Vec3::Constant(load.sum()))).cast<std::complex<double>>();
    }
    return q;
}

Eigen::VectorXd mean_on(const RadiatingMesh& mesh, const Eigen::VectorXd& fluxes) {
    return density_on(mesh, fluxes).corners.real().rowwise().mean();
}

}  // namespace clangor
