#include <clangor/geometry/geometry.hpp>

#include <geometry/made_surfaces.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

namespace tetrahedra_test {

using namespace clangor;
using namespace made_surfaces;

namespace {

double volume_of_tets(const TetMesh& mesh) {
    double volume = 0;
    for (int c = 0; c < mesh.cells.rows(); ++c) {
        const auto x = [&](int k) { return Vec3(mesh.nodes.row(mesh.cells(c, k))); };
        volume += (x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) / 6;
    }
    return volume;
}

/// Of every edge of every element, ascending.
std::vector<double> edge_lengths(const TetMesh& mesh) {
    std::vector<double> lengths;
    for (int c = 0; c < mesh.cells.rows(); ++c)
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < i; ++j)
                lengths.push_back((mesh.nodes.row(mesh.cells(c, i)) - mesh.nodes.row(mesh.cells(c, j))).norm());
    std::sort(lengths.begin(), lengths.end());
    return lengths;
}

int euler_characteristic(const Surface& closed) {
    return static_cast<int>(closed.vertices.rows()) - static_cast<int>(closed.faces.rows()) / 2;
}

Surface without_faces(const Surface& surface, int first, int count) {
    Surface rest = surface;
    const int after = static_cast<int>(surface.faces.rows()) - first - count;
    rest.faces.resize(surface.faces.rows() - count, 3);
    rest.faces.topRows(first) = surface.faces.topRows(first);
    rest.faces.bottomRows(after) = surface.faces.bottomRows(after);
    return rest;
}

std::string message_of(const Surface& surface, const TetOptions& options = {}) {
    try {
        tetrahedralize(surface, options);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a box keeps its volume, its edges and its corners") {
    const Surface box = surface_of(Box{{0.2, 0.02, 0.01}});
    const Tetrahedralization tets = tetrahedralize(box, {.edge_length = 0.02});
    // Nodes lie on the planes up to rounding, 1e-16 of the size in each.
    CHECK(volume_of_tets(tets.mesh) == clangor::test::Approx(0.2 * 0.02 * 0.01).epsilon(1e-12));
    CHECK(area_of(flat(skin_of(tets.mesh))) == clangor::test::Approx(area_of(box)).epsilon(1e-12));
    CHECK(tets.mesh.nodes.col(0).maxCoeff() == 0.1);
    CHECK_FALSE(tets.wrapped);
    CHECK(tets.messages.empty());
}

TEST_CASE("elements are well shaped, positive, and their boundary is of the surface's kind") {
    const std::pair<Shape, int> shapes[] = {
        // V − E + F is 2 − 2·(number of handles). Walls are thick, for a quick test.
        {Box{}, 2},
        {Sphere{}, 2},
        {Cylinder{.radius = 0.02, .height = 0.1, .inner_radius = 0.01}, 0},
        {Plate{.width = 0.1, .depth = 0.1, .thickness = 0.006}, 2},
        {Bowl{.thickness = 0.012}, 2},
        {Mug{.thickness = 0.006}, 0},
        {Bell{.thickness = 0.008}, 2},
        {TuningFork{}, 2},
    };
    for (const auto& [shape, euler] : shapes) {
        CAPTURE(shape.index());
        const Surface surface = surface_of(shape);
        const double length = (bounds_of(surface.vertices).diagonal()) / 5;
        const Tetrahedralization tets = tetrahedralize(surface, {.edge_length = length});
        CHECK(tets.min_dihedral_deg >= 10);
        const Surface boundary = flat(skin_of(tets.mesh));
        CHECK(topology_of(boundary).closed());
        CHECK(topology_of(boundary).pieces == 1);
        CHECK(euler_characteristic(boundary) == euler);
        for (int c = 0; c < tets.mesh.cells.rows(); ++c) {
            const auto x = [&](int k) { return Vec3(tets.mesh.nodes.row(tets.mesh.cells(c, k))); };
            REQUIRE((x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) > 0);
        }
    }
}

TEST_CASE("a void inside a body stays empty") {
    Surface hollow = surface_of(Box{{0.1, 0.1, 0.1}});
    Surface hole = surface_of(Box{{0.05, 0.05, 0.05}});
    hole.faces = hole.faces.rowwise().reverse().eval();
    const Tetrahedralization tets = tetrahedralize(joined(hollow, hole), {.edge_length = 0.05});
    CHECK(volume_of_tets(tets.mesh) == clangor::test::Approx(1e-3 - 0.125e-3).epsilon(1e-12));
    CHECK(topology_of(flat(skin_of(tets.mesh))).pieces == 2);
}

TEST_CASE("a wall takes one layer of elements longer than it is thick") {
    const Surface plate = surface_of(Plate{0.05, 0.05, 0.002});
    const Tetrahedralization tets = tetrahedralize(plate, {.edge_length = 0.006});
    // 50·50/(√3/4·6²) ideal triangles on either side, three tetrahedra between each pair: 480. Edges as short as the
    // wall would make it nine times as many.
    CHECK(tets.mesh.cells.rows() < 3 * 480);
    CHECK(volume_of_tets(tets.mesh) == clangor::test::Approx(5e-6).epsilon(1e-12));
}

TEST_CASE("edges are about as long as asked for, and shorter for a higher refinement") {
    const Surface box = surface_of(Box{});
    const Tetrahedralization coarse = tetrahedralize(box, {.edge_length = 0.03});
    CHECK(coarse.edge_length == 0.03);
    const std::vector<double> lengths = edge_lengths(coarse.mesh);  // as the header says
    CHECK(std::accumulate(lengths.begin(), lengths.end(), 0.0) / std::ssize(lengths) ==
          clangor::test::Approx(0.75 * 0.03).epsilon(0.2));
    CHECK(lengths[lengths.size() * 19 / 20] <= 1.25 * 0.03);
    const Tetrahedralization usual = tetrahedralize(box, {});
    const Tetrahedralization coarser = tetrahedralize(box, {.refinement = 0.5});
    CHECK(coarser.edge_length == clangor::test::Approx(2 * usual.edge_length));
    CHECK(8 * coarser.mesh.cells.rows() ==
          clangor::test::Approx(usual.mesh.cells.rows()).epsilon(0.5));  // N ∝ 1/ℓ³, roughly
}

TEST_CASE("the same surface gives the same bytes") {
    const Surface bowl = surface_of(Bowl{.thickness = 0.012});
    const TetMesh a = tetrahedralize(bowl, {.edge_length = 0.02}).mesh;
    const TetMesh b = tetrahedralize(bowl, {.edge_length = 0.02}).mesh;
    REQUIRE(a.nodes.rows() == b.nodes.rows());
    REQUIRE(a.cells.rows() == b.cells.rows());
    CHECK(std::memcmp(a.nodes.data(), b.nodes.data(), sizeof(double) * a.nodes.size()) == 0);
    CHECK(a.cells == b.cells);
}

TEST_CASE("a surface with a hole is wrapped, and the user is told") {
    const Surface whole = surface_of(Sphere{0.05});
    const Tetrahedralization tets = tetrahedralize(without_faces(whole, 0, 6), {.edge_length = 0.03});
    CHECK(tets.wrapped);
    REQUIRE(tets.messages.size() == 1);
    CHECK(mentions(tets.messages[0], "open edges"));
    CHECK(mentions(tets.messages[0], "wrapped"));
    // 4-node elements of 0.6 radii cut corners of a ball: 3/8·0.6² = 13 % at most.
    CHECK(volume_of_tets(tets.mesh) == clangor::test::Approx(4.0 / 3 * pi * cube(0.05)).epsilon(0.14));
    const Surface skin = flat(skin_of(quadratic(tets.mesh, whole)));
    CHECK(mass_properties(skin).volume == clangor::test::Approx(4.0 / 3 * pi * cube(0.05)).epsilon(0.05));
}

TEST_CASE("bodies that cut each other are filled as one, and the user is told how") {
    const Surface a = surface_of(Box{{0.1, 0.1, 0.1}});
    const Surface b = moved(a, {0.05, 0.03, 0.02});
    const Tetrahedralization tets = tetrahedralize(joined(a, b), {.refinement = 0.5});
    CHECK(mentions(tets.messages.at(0), "cuts"));
    CHECK(mentions(tets.messages.at(0), "lattice"));
    CHECK(volume_of_tets(tets.mesh) == clangor::test::Approx(2e-3 - 0.05 * 0.07 * 0.08).epsilon(0.04));
}

TEST_CASE("a box without its lid is five plates of the thickness that it is given") {
    const double wall = 0.006;  // of a cube of 0.1 m
    const Tetrahedralization tets =
        tetrahedralize(without_faces(surface_of(Box{}), 0, 2), {.refinement = 0.6, .thickness = wall});
    CHECK(mentions(tets.messages.at(0), "sheet"));
    CHECK(mentions(tets.messages.at(0), "6 mm thick"));
    // Four corners and four edges at the bottom, where plates meet, would count twice or be missing: 4 % at most.
    CHECK(volume_of_tets(tets.mesh) == clangor::test::Approx(5 * 0.01 * wall).epsilon(0.05));
}

TEST_CASE("what has no faces is refused") {
    CHECK(mentions(message_of(Surface{Points(0, 3), Triangles(0, 3)}), "no faces"));
}

TEST_CASE("more elements than memory bears are refused, naming a length that fits") {
    const Surface box = surface_of(Box{});
    const std::string message = message_of(box, {.edge_length = 1e-4});
    CHECK(mentions(message, "million"));
    CHECK(mentions(message, "edge length of"));
    CHECK(mentions(message_of(surface_of(Plate{2, 2, 0.0005}), {}), "thicken its walls"));
    CHECK(mentions(message_of(box, {.edge_length = -1}), "must be positive"));
}

TEST_CASE("meshing can be stopped") {
    struct Stop {};
    const Progress stop{[](std::string_view, double fraction) {
        if (fraction > 0.1) throw Stop{};
    }};
    CHECK_THROWS_AS(tetrahedralize(surface_of(Box{}), {}, stop), Stop);
}

TEST_CASE("self-intersection") {
    const Surface box = surface_of(Box{});
    CHECK_FALSE(self_intersects(box));
    CHECK_FALSE(self_intersects(surface_of(Mug{})));
    CHECK(self_intersects(joined(box, moved(box, {0.05, 0.03, 0.02}))));
    CHECK_FALSE(self_intersects(joined(box, moved(box, {0.2, 0, 0}))));
}

TEST_CASE("what filling a body takes is known before within a factor of 1.5, and nothing is said of an open one") {
    for (const Shape& shape : {Shape(Box{.size = {0.2, 0.03, 0.02}}), Shape(Bowl{.radius = 0.08})}) {
        const Surface surface = clean(surface_of(shape)).surface;
        const std::optional<TetEstimate> estimate = estimate_of(surface, {});
        REQUIRE(estimate);
        const double elements = static_cast<double>(tetrahedralize(surface, {}).mesh.cells.rows());
        CHECK(std::abs(std::log(estimate->elements / elements)) < std::log(1.5));
        CHECK(estimate->edge_length < estimate->body_size / 5);
    }
    Surface open = surface_of(Box{});
    open.faces.conservativeResize(open.faces.rows() - 1, 3);
    CHECK_FALSE(estimate_of(open, {}));
}

}  // namespace tetrahedra_test
