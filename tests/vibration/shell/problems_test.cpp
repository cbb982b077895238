#include "shell_meshes.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

#include <limits>

namespace shell_problems_test {

using namespace clangor;
using clangor::test::cylinder;
using clangor::test::Grid;
using clangor::test::of_thickness;
using clangor::test::spherical_cap;
using clangor::test::unit_square;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

std::string first_problem(const ThinShell& shell) {
    const std::vector<std::string> problems = problems_of(shell);
    return problems.empty() ? "" : problems.front();
}

bool says(const std::string& message, const std::string& part) {
    CAPTURE(message);
    CAPTURE(part);
    return message.find(part) != std::string::npos;
}

Surface square_with(const Eigen::RowVector3i& face) {
    Surface s = unit_square(2, Grid::OneDiagonal);
    s.faces.conservativeResize(s.faces.rows() + 1, 3);
    s.faces.bottomRows<1>() = face;
    return s;
}

}  // namespace

TEST_CASE("shell without fault: no problems, and assembling does not throw") {
    CHECK(problems_of(of_thickness(unit_square(3, Grid::Irregular), 0.01)).empty());
    CHECK(problems_of(of_thickness(spherical_cap(3, 0.1, 1), 0.002)).empty());
    CHECK(problems_of(of_thickness(cylinder(12, 3, 0.1, 0.1, Grid::Alternating), 0.001)).empty());
}

TEST_CASE("shell: thickness that is no thickness is named, with what to do") {
    const Surface plate = unit_square(2, Grid::OneDiagonal);
    CHECK(says(first_problem(of_thickness(plate, 0)), "must be positive, but is 0 m"));
    CHECK(says(first_problem(of_thickness(plate, -0.001)), "must be positive, but is -0.001 m"));
    CHECK(says(first_problem(of_thickness(plate, std::numeric_limits<double>::quiet_NaN())), "must be positive"));
    CHECK(says(first_problem(of_thickness(plate, 2)), "that is no thin shell; check the units, or make it a solid"));
    CHECK(says(first_problem(of_thickness(plate, 1e-8)), "less than 1e-7 of its extent"));
    CHECK(says(first_problem({plate, Eigen::VectorXd::Constant(5, 0.01)}), "has 5 thicknesses, but needs one for all"));
    Eigen::VectorXd thickness = Eigen::VectorXd::Constant(9, 0.01);
    thickness[4] = 0;
    CHECK(says(first_problem({plate, thickness}), "at vertex 5 must be positive"));
    CHECK_THROWS_AS(assemble(of_thickness(plate, 0), steel), Error);
    CHECK_THROWS_AS(ElasticShell(of_thickness(plate, 0), steel), Error);
}

TEST_CASE("shell: edges of three triangles, flipped neighbours and joints of a point are named") {
    // The diagonal of the first square, between vertices 1 and 5, gets a third wall.
    Surface winged = square_with({0, 4, 9});
    winged.vertices.conservativeResize(10, 3);
    winged.vertices.row(9) << 0.2, 0.2, 1;
    CHECK(says(first_problem(of_thickness(winged, 0.01)), "that between vertices 1 and 5 has 3 triangles"));

    Surface flipped = unit_square(2, Grid::OneDiagonal);
    flipped.faces.row(3).reverseInPlace();
    CHECK(says(first_problem(of_thickness(flipped, 0.01)), "are not wound alike"));
    CHECK(says(first_problem(of_thickness(flipped, 0.01)), "first triangles"));
    CHECK_THROWS_WITH_AS(assemble(of_thickness(flipped, 0.01), steel), doctest::Contains("orient the mesh"), Error);

    Surface bow = unit_square(2, Grid::OneDiagonal);
    bow.faces = Triangles(bow.faces({0, 1, 6, 7}, Eigen::all));  // squares that share the vertex in the middle
    bow.vertices = Points(bow.vertices({0, 1, 3, 4, 5, 7, 8}, Eigen::all));
    const int renumbered[] = {0, 1, -1, 2, 3, 4, -1, 5, 6};
    for (long k = 0; k < bow.faces.size(); ++k) bow.faces.data()[k] = renumbered[bow.faces.data()[k]];
    CHECK(says(first_problem(of_thickness(bow, 0.01)), "hangs together by the single vertex 4"));
}

TEST_CASE("shell: what is no triangle or no vertex is named") {
    CHECK(says(first_problem(of_thickness({Points(0, 3), Triangles(0, 3)}, 0.01)), "has no triangles"));
    CHECK(says(first_problem(of_thickness(square_with({0, 1, 9}), 0.01)), "names vertex 10, but there are only 9"));
    Surface line = unit_square(2, Grid::OneDiagonal);
    line.vertices.row(4) = line.vertices.row(0);
    CHECK(says(first_problem(of_thickness(line, 0.01)), "triangle 1 of the shell has no area"));
    Surface loose = unit_square(2, Grid::OneDiagonal);
    loose.vertices.conservativeResize(10, 3);
    loose.vertices.row(9) << 0.5, 0.5, 0.5;
    CHECK(says(first_problem(of_thickness(loose, 0.01)), "vertex 10 of the shell belongs to no triangle"));
    Surface nowhere = unit_square(2, Grid::OneDiagonal);
    nowhere.vertices(3, 1) = std::numeric_limits<double>::infinity();
    CHECK(says(first_problem(of_thickness(nowhere, 0.01)), "vertex 4 is at no finite place"));
}

TEST_CASE("shell in two pieces: the modes say so") {
    Surface both = unit_square(2, Grid::OneDiagonal);
    const Surface one = both;
    both.vertices.conservativeResize(18, 3);
    both.vertices.bottomRows(9) = one.vertices.rowwise() + Eigen::RowVector3d(2, 0, 0);
    both.faces.conservativeResize(16, 3);
    both.faces.bottomRows(8) = one.faces.array() + 9;
    CHECK_THROWS_AS(vibration_modes(assemble(of_thickness(both, 0.01), steel), {.max_hz = 1e3}), Error);
}

TEST_CASE("mesh too coarse for the frequency: the edge that bending waves need, six to a wavelength") {
    // ω = k²√(D/ρh): at 1 kHz waves of steel 2 mm thick are 0.1396 m long.
    const double wavelength = 2 * pi / std::sqrt(2 * pi * 1000 / (0.002 * std::sqrt(200e9 / (12 * 0.91 * 7800))));
    CHECK(longest_edge(steel, 0.002, 1000) == clangor::test::Approx(wavelength / 6).epsilon(1e-12));
    // Diagonals of the cells are as long as that edge.
    Surface plate = unit_square(4, Grid::OneDiagonal);
    plate.vertices *= longest_edge(steel, 0.002, 1000) * 4 / std::sqrt(2.0);
    const ThinShell shell = of_thickness(plate, 0.002);
    CHECK(resolved_hz(shell, steel) == clangor::test::Approx(1000).epsilon(1e-12));
    CHECK(resolution_problems(shell, steel, 999).empty());
    const std::vector<std::string> problems = resolution_problems(shell, steel, 4000);
    REQUIRE(problems.size() == 1);
    CHECK(says(problems[0], "follow bending waves up to 1000 Hz, but modes up to 4000 Hz are wanted"));
    CHECK(says(problems[0], "refine the mesh, or ask for lower modes"));
}

TEST_CASE("mesh too coarse for the curvature: chords of a thin cylinder are named") {
    const ThinShell coarse = of_thickness(cylinder(16, 4, 0.1, 0.1, Grid::OneDiagonal), 0.001);
    const std::vector<std::string> problems = resolution_problems(coarse, steel, 1);
    REQUIRE(problems.size() == 1);
    CHECK(says(problems[0], "too coarse for its curvature"));
    CHECK(resolution_problems(of_thickness(cylinder(64, 12, 0.1, 0.1, Grid::OneDiagonal), 0.001), steel, 1).empty());
}

}  // namespace shell_problems_test
