// CGAL's Delaunay refinement. This file alone includes Mesh_3, for what it takes to compile: 45 s and 3.3 GB.
#include <clangor/geometry/delaunay_mesher.hpp>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Polyhedral_mesh_domain_with_features_3.h>
#include <CGAL/make_mesh_3.h>

#include <array>
#include <unordered_map>

namespace clangor::detail {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Polyhedron = CGAL::Mesh_polyhedron_3<Kernel>::type;
using Domain = CGAL::Polyhedral_mesh_domain_with_features_3<Kernel>;
using Triangulation = CGAL::Mesh_triangulation_3<Domain, CGAL::Default, CGAL::Sequential_tag>::type;
using Complex = CGAL::Mesh_complex_3_in_triangulation_3<Triangulation, Domain::Corner_index, Domain::Curve_index>;
using Criteria = CGAL::Mesh_criteria_3<Triangulation>;

Polyhedron polyhedron_of(const Surface& surface) {
    std::vector<Kernel::Point_3> points;
    for (int i = 0; i < surface.vertices.rows(); ++i)
        points.emplace_back(surface.vertices(i, 0), surface.vertices(i, 1), surface.vertices(i, 2));
    std::vector<std::array<std::size_t, 3>> faces;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const auto corner = [&](int k) { return static_cast<std::size_t>(surface.faces(f, k)); };
        faces.push_back({corner(0), corner(1), corner(2)});
    }
    Polyhedron polyhedron;
    CGAL::Polygon_mesh_processing::polygon_soup_to_polygon_mesh(points, faces, polyhedron);
    return polyhedron;
}

/// A length that varies in space, times a constant, as CGAL's criteria want it.
struct Field {
    using FT = Kernel::FT;
    using Point_3 = Kernel::Point_3;
    using Index = Domain::Index;

    const std::function<double(const Vec3&)>* length;
    double factor;

    FT operator()(const Point_3& p, int, const Index&) const { return factor * (*length)({p.x(), p.y(), p.z()}); }
};

FeaturedMesh mesh_of(const Complex& complex) {
    std::unordered_map<const void*, int> numbers;
    std::vector<Kernel::Point_3> points;
    FeaturedMesh result;
    Cells& cells = result.mesh.cells;
    cells.resize(static_cast<int>(complex.number_of_cells_in_complex()), 4);
    int row = 0;
    for (auto cell = complex.cells_in_complex_begin(); cell != complex.cells_in_complex_end(); ++cell, ++row) {
        for (int k = 0; k < 4; ++k) {
            const auto vertex = cell->vertex(k);
            const auto [it, is_new] = numbers.try_emplace(&*vertex, static_cast<int>(points.size()));
            cells(row, k) = it->second;
            if (!is_new) continue;
            points.push_back(vertex->point().point());
            result.freedom.push_back(static_cast<Freedom>(vertex->in_dimension()));
        }
    }
    for (auto edge = complex.edges_in_complex_begin(); edge != complex.edges_in_complex_end(); ++edge) {
        const auto a = numbers.find(&*edge->first->vertex(edge->second));
        const auto b = numbers.find(&*edge->first->vertex(edge->third));
        if (a != numbers.end() && b != numbers.end()) result.sharp_edges.push_back({a->second, b->second});
    }
    result.mesh.nodes.resize(static_cast<int>(points.size()), 3);
    for (std::size_t i = 0; i < points.size(); ++i)
        result.mesh.nodes.row(static_cast<int>(i)) << points[i].x(), points[i].y(), points[i].z();
    return result;
}

}  // namespace

FeaturedMesh delaunay_tetrahedra(const Surface& surface, const MesherOptions& options) {
    namespace param = CGAL::parameters;
    CGAL::Random random(0);  // the mesher's only randomness: where it looks for its first points
    Domain domain(polyhedron_of(surface), &random);
    domain.detect_features(options.sharp_angle_deg);

    // CGAL bounds circumradii; in a regular element they are 0.58 (face) and 0.61 (cell) of the edge. Edges are then
    // 0.75 of the wanted length on average.
    const Criteria criteria(
        param::edge_size = Field{&options.edge_length, 1.0}, param::facet_size = Field{&options.edge_length, 0.6},
        param::cell_size = Field{&options.edge_length, 0.6}, param::facet_distance = Field{&options.deviation, 1.0},
        param::facet_angle = 25.0, param::cell_radius_edge_ratio = 2.0);
    // Slivers are left in. `improve` removes them in a tenth of the time that CGAL's perturber takes (bell: 0.5 s for
    // 11 s), and ends at larger angles, since it may also move and merge nodes of the boundary.
    return mesh_of(CGAL::make_mesh_3<Complex>(domain, criteria, param::no_perturb(), param::no_exude()));
}

}  // namespace clangor::detail
