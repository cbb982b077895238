// CGAL's Delaunay refinement. This file alone includes Mesh_3, for what it takes to compile: 45 s and 3.3 GB.
#include <clangor/geometry/delaunay_mesher.hpp>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Mesh_complex_3_in_triangulation_3.h>
#include <CGAL/Mesh_criteria_3.h>
#include <CGAL/Mesh_triangulation_3.h>
#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Polyhedral_mesh_domain_with_features_3.h>
#include <CGAL/make_mesh_3.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace clangor::geometry {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Polyhedron = CGAL::Mesh_polyhedron_3<Kernel>::type;
using PlainDomain = CGAL::Polyhedral_mesh_domain_with_features_3<Kernel>;

/// CGAL starts from eight points that rays from the middle of the box hit. A slender ring is not found by so few: given
/// seeds, it starts from those.
struct Domain : PlainDomain {
    using PlainDomain::PlainDomain;
    using Seed = std::pair<Point_3, Index>;
    std::vector<Seed> seeds;
    const MesherOptions* options = nullptr;

    template <class... Arguments>
    Point_3 construct_point_on_curve(const Arguments&... arguments) const {
        options->ball_placed();
        return PlainDomain::construct_point_on_curve(arguments...);
    }
    template <class... Arguments>
    FT curve_segment_length(const Arguments&... arguments) const {
        options->line_measured();
        return PlainDomain::curve_segment_length(arguments...);
    }

    struct Construct_initial_points {
        const Domain& domain;
        template <class Output>
        Output operator()(Output out, int n = 8) const {
            if (!domain.seeds.empty()) return std::copy(domain.seeds.begin(), domain.seeds.end(), out);
            return domain.PlainDomain::construct_initial_points_object()(out, n);
        }
    };
    Construct_initial_points construct_initial_points_object() const { return {*this}; }
};
using Triangulation = CGAL::Mesh_triangulation_3<Domain, CGAL::Default, CGAL::Sequential_tag>::type;
using Complex = CGAL::Mesh_complex_3_in_triangulation_3<Triangulation, Domain::Corner_index, Domain::Curve_index>;
using Criteria = CGAL::Mesh_criteria_3<Triangulation>;

Polyhedron polyhedron_of(const Surface& surface) {
    std::vector<Kernel::Point_3> points;
    for (int i = 0; i < surface.vertices.rows(); ++i)
        points.emplace_back(surface.vertices(i, 0), surface.vertices(i, 1), surface.vertices(i, 2));
    std::vector<std::array<std::size_t, 3>> faces;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const auto corner = [&](int k) { return surface.faces(f, k); };
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

// Points in the middle of faces all over the surface, each with the patch that a short cut through the wall meets
// there.
std::vector<Domain::Seed> seeds_on(const Surface& surface, const Domain& domain) {
    constexpr int wanted = 400;
    std::vector<Domain::Seed> seeds;
    const int every = std::max(1, static_cast<int>(surface.faces.rows()) / wanted);
    for (int f = 0; f < surface.faces.rows(); f += every) {
        const auto corner = [&](int k) { return Vec3(surface.vertices.row(surface.faces(f, k)).transpose()); };
        const Vec3 middle = (corner(0) + corner(1) + corner(2)) / 3;
        const Vec3 cut =
            0.2 * (corner(1) - corner(0)).norm() * (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
        const auto point = [](const Vec3& p) { return Kernel::Point_3(p.x(), p.y(), p.z()); };
        const auto found =
            domain.construct_intersection_object()(Kernel::Segment_3(point(middle - cut), point(middle + cut)));
        if (std::get<2>(found) == 2) seeds.emplace_back(std::get<0>(found), std::get<1>(found));
    }
    return seeds;
}

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
    domain.options = &options;
    domain.detect_features(options.sharp_angle_deg);

    // CGAL bounds circumradii; in a regular element they are 0.58 (face) and 0.61 (cell) of the edge. Edges are then
    // 0.75 of the wanted length on average.
    const Criteria criteria(
        param::edge_size = Field{&options.edge_length, 1.0}, param::facet_size = Field{&options.edge_length, 0.6},
        param::cell_size = Field{&options.edge_length, 0.6}, param::facet_distance = Field{&options.deviation, 1.0},
        param::facet_angle = 25.0, param::cell_radius_edge_ratio = 2.0);
    // Slivers are left in. `improve` removes them in a tenth of the time that CGAL's perturber takes (bell: 0.5 s for
    // 11 s), and ends at larger angles, since it may also move and merge nodes of the boundary.
    const auto meshed = [&] {
        return CGAL::make_mesh_3<Complex>(domain, criteria, param::no_perturb(), param::no_exude());
    };
    CGAL::set_warning_handler([](const char*, const char*, const char*, int, const char*) {});  // nothing prints here
    const Complex complex = meshed();
    if (complex.number_of_cells_in_complex() > 0) return mesh_of(complex);
    domain.seeds = seeds_on(surface, domain);
    return mesh_of(meshed());
}

}  // namespace clangor::geometry
