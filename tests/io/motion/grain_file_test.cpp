#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/motion/grain_file.hpp>

namespace grain_file_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

std::string error_of(const std::string& text) {
    try {
        io::parse_grains(text, "beads.csv");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("a table of places is grains, in its units and axes, with what it does not say taken from elsewhere") {
    const std::vector<Grain> plain =
        io::parse_grains("x,y,z\n1,2,3\n4,5,6\n", "beads.csv", {.radius = 0.002, .kind = 1});
    REQUIRE(plain.size() == 2);
    CHECK(plain[1].position == Vec3(4, 5, 6));
    CHECK(plain[1].radius == 0.002);
    CHECK(plain[1].kind == 1);
    const std::vector<Grain> turned =
        io::parse_grains("# unit: mm\n# up: z\nx,y,z,d,kind,vx,vy,vz\n1,2,3,4,2,5,6,7\n", "beads.csv");
    REQUIRE(turned.size() == 1);
    CHECK((turned[0].position - Vec3(0.001, 0.003, -0.002)).norm() < 1e-15);
    CHECK((turned[0].velocity - Vec3(0.005, 0.007, -0.006)).norm() < 1e-15);
    CHECK(turned[0].radius == Approx(0.002).epsilon(1e-12));
    CHECK(turned[0].kind == 2);
}

TEST_CASE("tables that give no grains are refused with file, line and what to do") {
    CHECK(error_of("x,y,z\n").find("beads.csv: holds no row below its column names; write one for each grain") == 0);
    CHECK(error_of("x,y,z,radius\n1,2,3,0\n").find("beads.csv:2: the radius must be positive, but is 0 m") == 0);
    CHECK(error_of("x,y,z,kind\n1,2,3,0.5\n").find("beads.csv:2: the kind must be a whole number") == 0);
    CHECK(error_of("x,y,z,r,d\n1,2,3,1,2\n").find("beads.csv:1: sizes are there twice") == 0);
    CHECK(error_of("x,y\n1,2\n") != "none");
    CHECK(error_of("x,y,z\n1,2,nan\n") != "none");
}

}  // namespace grain_file_test
