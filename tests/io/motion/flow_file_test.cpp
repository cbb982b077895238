#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/motion/flow_file.hpp>

namespace flow_file_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

template <class Read>
std::string error_of(const Read& read, const std::string& text) {
    try {
        (void)read(text, "pour.csv");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

const std::string particles = "time,x,y,z,vx,vy,vz\n", cells = "time,x,y,z,fill,vx,vy,vz\n";

}  // namespace

TEST_CASE("particles come frame by frame, in our units and axes") {
    const std::vector<io::FlowFrame> frames = io::parse_particles(
        "# fps: 25\n# unit: cm\n# up: z\nframe,x,y,z,vx,vy,vz\n5,1,2,3,0,0,-100\n5,4,5,6,100,0,0\n6,1,2,-1,0,0,-100\n",
        "pour.csv");
    REQUIRE(frames.size() == 2);
    CHECK(frames[0].time == Approx(0.2).epsilon(1e-12));
    REQUIRE(frames[0].positions.rows() == 2);
    CHECK((Vec3(frames[0].positions.row(0)) - Vec3(0.01, 0.03, -0.02)).norm() < 1e-15);
    CHECK((Vec3(frames[0].velocities.row(0)) - Vec3(0, -1, 0)).norm() < 1e-15);
    CHECK(frames[1].positions.rows() == 1);
    CHECK(frames[0].fills.size() == 0);
}

TEST_CASE("cells of a grid tell how large they are, wherever the grid begins") {
    const io::FlowGrid grid = io::parse_grid(
        "time,x,y,z,fill,vx,vy,vz,deviation\n0,0.305,1,0,0.5,0,0,0,0.1\n0,0.345,1,0,0.25,0,-1,0,0.2\n"
        "0.04,0.325,1.02,0,0.5,0,0,0,0.1\n",
        "pour.csv");
    CHECK(grid.edge == Approx(0.02).epsilon(1e-12));
    CHECK((grid.corner - Vec3(0.295, 0.99, -0.01)).norm() < 1e-12);
    REQUIRE(grid.frames.size() == 2);
    CHECK(grid.frames[0].fills[1] == 0.25);
    CHECK(grid.frames[0].deviations[1] == 0.2);
}

TEST_CASE("a damaged animation of grains says where, what and what to do") {
    const auto of_particles = [](const std::string& text) { return error_of(io::parse_particles, text); };
    const auto of_cells = [](const std::string& text) { return error_of(io::parse_grid, text); };
    CHECK(of_particles("time,x,y,z,vx,vy\n") == "pour.csv:1: the column \"vz\" is missing");
    CHECK(of_particles("x,y,z,vx,vy,vz\n") == "pour.csv:1: give one of the columns \"time\" and \"frame\"");
    CHECK(of_particles("time,frame,x,y,z,vx,vy,vz\n") ==
          "pour.csv:1: give one of the columns \"time\" and \"frame\", not both");
    CHECK(of_particles(particles) == "pour.csv: holds no row; a flow needs two frames at least");
    CHECK(of_particles(particles + "0,1,1,1,0,0,0\n") ==
          "pour.csv: holds a single frame; a flow needs two frames at least");
    CHECK(of_particles(particles + "1,1,1,1,0,0,0\n0,1,1,1,0,0,0\n") ==
          "pour.csv:3: time goes back from 1 s to 0 s; sort the rows by time");
    CHECK(of_particles(particles + "0,1,1,1,0,1e6,0\n") == "pour.csv:2: the speed 1000000 m/s is none of grains");
    CHECK(of_particles(particles + "0,1,1,1e8,0,0,0\n") ==
          "pour.csv:2: the place is 100000000 m away; is the unit right?");
    CHECK(of_particles(particles + "0,1,1,nan,0,0,0\n").starts_with("pour.csv:2: "));
    CHECK(of_cells(particles) == "pour.csv:1: the column \"fill\" is missing");
    CHECK(of_cells(cells + "0,1,1,1,1.5,0,0,0\n") ==
          "pour.csv:2: the fill is the part of a cell that is grains, from 0 to 1, but is 1.5");
    CHECK(of_cells(cells + "0,1,1,1,0.5,0,0,0\n1,1,1,1,0.5,0,0,0\n") ==
          "pour.csv: holds a single cell; how large it is shows only beside another one");
    CHECK(of_cells(cells + "0,1,1,1,0.5,0,0,0\n0,2,1,1,0.5,0,0,0\n0,3.5,1,1,0.5,0,0,0\n1,1,1,1,0.5,0,0,0\n") ==
          "pour.csv: cells are no cubes of one grid: the nearest are 1 m apart, but x = 3.5 m is 2.5 m from another "
          "one");
}

}  // namespace flow_file_test
