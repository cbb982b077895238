// CGAL's alpha wrapping. This file alone includes it, for its compile time.
#include <clangor/geometry/wrap.hpp>

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/alpha_wrap_3.h>

#include <array>

namespace clangor::geometry {

Surface wrap(const Surface& surface, const WrapOptions& options) {
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
    std::vector<Kernel::Point_3> points;
    for (int v = 0; v < surface.vertices.rows(); ++v)
        points.emplace_back(surface.vertices(v, 0), surface.vertices(v, 1), surface.vertices(v, 2));
    std::vector<std::array<int, 3>> faces;
    for (int f = 0; f < surface.faces.rows(); ++f)
        faces.push_back({surface.faces(f, 0), surface.faces(f, 1), surface.faces(f, 2)});

    Mesh wrapped;
    CGAL::alpha_wrap_3(points, faces, options.gap, options.offset, wrapped);

    Surface result;
    result.vertices.resize(static_cast<int>(wrapped.number_of_vertices()), 3);
    std::vector<int> number(wrapped.number_of_vertices() + wrapped.number_of_removed_vertices());
    int row = 0;
    for (const auto vertex : wrapped.vertices()) {
        const Kernel::Point_3& p = wrapped.point(vertex);
        result.vertices.row(row) << p.x(), p.y(), p.z();
        number[vertex.idx()] = row++;
    }
    result.faces.resize(static_cast<int>(wrapped.number_of_faces()), 3);
    row = 0;
    for (const auto face : wrapped.faces()) {
        int k = 0;
        for (const auto vertex : wrapped.vertices_around_face(wrapped.halfedge(face)))
            result.faces(row, k++) = number[vertex.idx()];
        ++row;
    }
    return result;
}

}  // namespace clangor::geometry
