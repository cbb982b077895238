#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/motion/collision_file.hpp>

namespace collision_file_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

io::CollisionList table(const std::string& text) { return io::parse_collision_table(text, "pour.csv"); }

std::string error_of(const std::string& text) {
    try {
        table(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

const std::string head = "time,x,y,z,nx,ny,nz,speed\n";

}  // namespace

TEST_CASE("every column of a table of collisions reaches its field") {
    const io::CollisionList list = table(
        "# unit: mm\ntime[ms],x,y,z,nx,ny,nz,speed [m/s],jx,jy,jz,first,second,radius_1,radius_2\n"
        "500,10,20,30,0,2,0,1.5,1,2,0,glass,glass,1,1.5\n"
        "700,10,20,30,0,0,-3,0.5,0,0,-1,glass,bowl,1,\n"
        "800,10,20,30,0,0,-3,0.5,0,0,-1,glass,glass,1,1\n");
    REQUIRE(list.encounters.size() == 3);
    CHECK(list.encounters[0].time == Approx(0.5).epsilon(1e-12));
    CHECK((list.encounters[0].point - Vec3(0.01, 0.02, 0.03)).norm() < 1e-15);
    CHECK(list.encounters[0].normal == Vec3(0, 1, 0));
    CHECK(list.encounters[0].speed == 1.5);
    CHECK((list.encounters[0].friction - Vec3(0.5, 0, 0)).norm() < 1e-15);  // half of what it receives along y
    CHECK(list.encounters[1].normal == Vec3(0, 0, -1));
    CHECK(list.encounters[1].friction.norm() < 1e-15);
    REQUIRE(list.kinds.size() == 2);
    CHECK(list.kinds[std::size_t(list.encounters[1].kind)] == std::array<std::string, 2>{"glass", "bowl"});
    CHECK(list.encounters[2].kind == list.encounters[0].kind);
    CHECK(list.radii[0] == std::array{0.001f, 0.0015f});
    CHECK(list.radii[1] == std::array{0.001f, 0.0f});
}

TEST_CASE("what need not be there: names, radii, impulses; times may be frames, and z up") {
    const io::CollisionList list = table("# fps: 25\n# up: z\nframe;x;y;z;nx;ny;nz;normal_speed\n50;1;2;3;0;0;1;2\n");
    REQUIRE(list.encounters.size() == 1);
    CHECK(list.encounters[0].time == 2);
    CHECK((list.encounters[0].point - Vec3(1, 3, -2)).norm() < 1e-15);
    CHECK((list.encounters[0].normal - Vec3(0, 1, 0)).norm() < 1e-15);
    CHECK(list.radii.empty());
    CHECK(list.kinds == std::vector<std::array<std::string, 2>>{{"", ""}});
    CHECK(table(head).encounters.empty());
}

TEST_CASE("a damaged list of collisions says where, what and what to do") {
    CHECK(error_of("time,x,y,z,nx,ny,speed\n") == "pour.csv:1: the column \"nz\" is missing");
    CHECK(error_of("x,y,z,nx,ny,nz,speed\n") == "pour.csv:1: the column \"time\" is missing, and so is \"frame\"");
    CHECK(error_of("time,frame,x,y,z,nx,ny,nz,speed\n") ==
          "pour.csv:1: time and frame are both there; leave one of them out");
    CHECK(error_of(head + "0,1,2,3,0,0,0,1\n") ==
          "pour.csv:2: the normal is zero; it points from the second of the two into the first");
    CHECK(error_of(head + "0,1,2,3,0,1,0,1\n0,1,2,3,0,1,0,-1\n") ==
          "pour.csv:3: the speed of approach must be positive, but is -1 m/s");
    CHECK(error_of(head + "1e300,1,2,3,0,1,0,1\n") == "pour.csv:2: the time 1e+300 s is too far away");
    CHECK(error_of(head + "0,1,2e9,3,0,1,0,1\n") == "pour.csv:2: the place is 2000000000 m away; is the unit right?");
    CHECK(error_of(head + "0,1,2,3,0,1,0,1e6\n") == "pour.csv:2: the speed 1000000 m/s is none of grains");
    CHECK(error_of(head + "0,1,2,3,0,1,0\n") == "pour.csv:2: has 7 cells, but there are 8 columns");
    CHECK(error_of(head + "0,1,2,3,0,1,0,fast\n") == "pour.csv:2: speed should be a number, but is \"fast\"");
    CHECK(error_of("time,x,y,z,nx,ny,nz,speed,jx,jy,jz\n0,1,2,3,0,1,0,1,0,-1,0\n") ==
          "pour.csv:2: the impulse pulls; it is what the first receives, and the normal points into the first");
    CHECK(error_of("time,x,y,z,nx,ny,nz,speed,radius_1,radius_2\n0,1,2,3,0,1,0,1,-1,\n") ==
          "pour.csv:2: radius_1 must be positive, but is -1 m; leave it empty for what is no ball");
    std::string grains = "time,x,y,z,nx,ny,nz,speed,first,second\n";
    for (int i = 0; i < 1002; ++i) grains += "0,1,2,3,0,1,0,1,grain " + std::to_string(i) + ",bowl\n";
    CHECK(error_of(grains) ==
          "pour.csv:1002: more than 1000 kinds of things meet; first and second name materials, not single grains");
    CHECK_THROWS_WITH_AS(io::read_collision_table("pour.xml"), doctest::Contains("use .csv, .tsv, .txt or .h5"), Error);
}

}  // namespace collision_file_test
