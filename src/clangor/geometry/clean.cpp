#include <clangor/geometry/orient.hpp>
#include <clangor/geometry/slivers.hpp>
#include <clangor/geometry/surface.hpp>
#include <clangor/geometry/weld.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>

namespace clangor {
namespace {

constexpr double weld_fraction = 1e-9;       // of the bounding box's diagonal
constexpr double furthest_coordinate = 1e9;  // [m]: beyond it a file is not in metres, and squares may overflow

void check(const Surface& surface) {
    const Points& x = surface.vertices;
    if (surface.faces.rows() > std::numeric_limits<int>::max() / 3) {
        throw Error("the surface has more than 715 million faces; simplify it");
    }
    for (int v = 0; v < x.rows(); ++v) {
        if (!x.row(v).allFinite()) {
            throw Error(fmt::format("vertex {} is at ({}, {}, {}), which is no place; export the mesh again", v + 1,
                                    x(v, 0), x(v, 1), x(v, 2)));
        }
        if (x.row(v).cwiseAbs().maxCoeff() > furthest_coordinate) {
            throw Error(
                fmt::format("vertex {} is at ({:g}, {:g}, {:g}), further than {:g} m from the origin; scale the "
                            "mesh to metres",
                            v + 1, x(v, 0), x(v, 1), x(v, 2), furthest_coordinate));
        }
    }
    for (int f = 0; f < surface.faces.rows(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const int v = surface.faces(f, k);
            if (v < 0 || v >= x.rows()) {
                throw Error(fmt::format("face {} names vertex {}, but there are only {}; export the mesh again", f + 1,
                                        v + 1, x.rows()));
            }
        }
    }
}

std::vector<char> used_vertices(const Surface& surface) {
    std::vector<char> used(surface.vertices.rows(), 0);
    for (int f = 0; f < surface.faces.rows(); ++f) {
        for (int k = 0; k < 3; ++k) used[surface.faces(f, k)] = 1;
    }
    return used;
}

Bounds bounds_of_used(const Points& points, const std::vector<char>& used) {
    const Vec3 huge = Vec3::Constant(std::numeric_limits<double>::max());
    Bounds bounds{huge, -huge};
    for (int v = 0; v < points.rows(); ++v) {
        if (!used[v]) continue;
        const Vec3 x = points.row(v);
        bounds = {bounds.low.cwiseMin(x), bounds.high.cwiseMax(x)};
    }
    return bounds;
}

Triangles renamed(const Triangles& faces, const std::vector<int>& names) {
    return faces.unaryExpr([&](int v) { return names[v]; });
}

Triangles kept(const Triangles& faces, const std::vector<char>& drop) {
    Triangles rest(std::count(drop.begin(), drop.end(), 0), 3);
    int next = 0;
    for (int f = 0; f < faces.rows(); ++f) {
        if (!drop[f]) rest.row(next++) = faces.row(f);
    }
    return rest;
}

std::vector<char> collapsed(const Triangles& faces) {
    std::vector<char> drop(faces.rows(), 0);
    for (int f = 0; f < faces.rows(); ++f) {
        drop[f] = faces(f, 0) == faces(f, 1) || faces(f, 1) == faces(f, 2) || faces(f, 2) == faces(f, 0);
    }
    return drop;
}

/// Marks faces whose three vertices an earlier face has, however wound. Faces are gathered by their lowest vertex.
std::vector<char> repeated(const Triangles& faces, int vertex_count) {
    const int count = static_cast<int>(faces.rows());
    const auto sorted = [&](int f) {
        std::array<int, 3> v{faces(f, 0), faces(f, 1), faces(f, 2)};
        std::sort(v.begin(), v.end());
        return v;
    };
    std::vector<int> start(vertex_count + 1, 0), by_lowest(count);
    for (int f = 0; f < count; ++f) ++start[faces.row(f).minCoeff() + 1];
    for (int v = 0; v < vertex_count; ++v) start[v + 1] += start[v];
    std::vector<int> next(start.begin(), start.end() - 1);
    for (int f = 0; f < count; ++f) by_lowest[next[faces.row(f).minCoeff()]++] = f;

    std::vector<char> drop(count, 0);
    for (int v = 0; v < vertex_count; ++v) {
        const auto first = by_lowest.begin() + start[v], last = by_lowest.begin() + start[v + 1];
        std::stable_sort(first, last, [&](int a, int b) { return sorted(a) < sorted(b); });
        for (auto f = first; f != last; ++f) drop[*f] = f != first && sorted(*f) == sorted(*(f - 1));
    }
    return drop;
}

/// Drops vertices that no face names.
Surface compacted(const Surface& surface) {
    const std::vector<char> used = used_vertices(surface);
    std::vector<int> names(surface.vertices.rows(), -1);
    Surface compact;
    compact.vertices.resize(std::count(used.begin(), used.end(), 1), 3);
    int next = 0;
    for (int v = 0; v < surface.vertices.rows(); ++v) {
        if (!used[v]) continue;
        compact.vertices.row(next) = surface.vertices.row(v);
        names[v] = next++;
    }
    compact.faces = renamed(surface.faces, names);
    return compact;
}

}  // namespace

Surface welded(const Surface& surface) {
    const Points& x = surface.vertices;
    if (x.rows() == 0 || !(x.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= furthest_coordinate)) return surface;
    const Bounds bounds = bounds_of(x);
    const std::vector<int> first =
        weld(x, std::vector<char>(x.rows(), 1), bounds.low, weld_fraction * bounds.diagonal());
    return compacted({x, renamed(surface.faces, first)});
}

CleanSurface clean(const Surface& surface) {
    check(surface);
    Repairs repairs;
    const int vertex_count = static_cast<int>(surface.vertices.rows());
    const std::vector<char> used = used_vertices(surface);
    const Bounds bounds = bounds_of_used(surface.vertices, used);
    const double tolerance = surface.faces.rows() > 0 ? weld_fraction * bounds.diagonal() : 0.0;

    Surface work;
    {
        const std::vector<int> first = weld(surface.vertices, used, bounds.low, tolerance);
        for (int v = 0; v < vertex_count; ++v) repairs.welded_vertices += used[v] && first[v] != v;
        work = {surface.vertices, renamed(surface.faces, first)};
    }
    const auto drop = [&](const std::vector<char>& doomed) {
        work.faces = kept(work.faces, doomed);
        return static_cast<int>(std::count(doomed.begin(), doomed.end(), 1));
    };
    repairs.degenerate_faces += drop(collapsed(work.faces));
    repairs.duplicate_faces += drop(repeated(work.faces, vertex_count));
    work = compacted(work);
    if (Unslivered cut = without_slivers(work, tolerance); cut.count > 0) {
        repairs.degenerate_faces += cut.count;
        work.faces = std::move(cut.faces);
        drop(cut.drop);
        work = compacted(work);
    }
    repairs.unused_vertices = vertex_count - repairs.welded_vertices - static_cast<int>(work.vertices.rows());

    Orientation orientation = orientation_of(work);
    repairs.flipped_faces = orientation.flipped_faces;
    repairs.inside_out_pieces = orientation.inside_out_pieces;
    work.faces = std::move(orientation.faces);
    return {std::move(work), repairs};
}

std::vector<std::string> Repairs::messages() const {
    std::vector<std::string> list;
    const auto say = [&](int count, const char* one, const char* many) {
        if (count == 1) list.push_back(one);
        if (count > 1) list.push_back(fmt::format(fmt::runtime(many), count));
    };
    say(welded_vertices, "welded 1 vertex to another at the same place",
        "welded {} vertices to others at the same place");
    say(unused_vertices, "dropped 1 vertex that no face uses", "dropped {} vertices that no face uses");
    say(degenerate_faces, "removed 1 face without area", "removed {} faces without area");
    say(duplicate_faces, "dropped 1 repeated face", "dropped {} repeated faces");
    say(flipped_faces, "flipped 1 face that was wound against its neighbours",
        "flipped {} faces that were wound against their neighbours");
    say(inside_out_pieces, "turned 1 closed piece that was inside out", "turned {} closed pieces that were inside out");
    if (merged_faces > 0)
        list.push_back(
            fmt::format("merged {} faces of an oversampled mesh into their neighbours, which moved it by at most "
                        "{:.2g} mm",
                        merged_faces, 1e3 * merged_by));
    return list;
}

}  // namespace clangor
