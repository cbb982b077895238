#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/motion/impact_file.hpp>
#include <temporary.hpp>

#include <filesystem>
#include <fstream>

namespace impact_file_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

std::vector<ImportedImpact> table(const std::string& text) { return io::parse_impact_table(text, "hits.csv"); }
std::vector<ImportedImpact> lines(const std::string& text) { return io::parse_impact_lines(text, "hits.jsonl"); }

template <class Parser>
std::string error_of(const Parser& parser, const std::string& text) {
    try {
        parser(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}
std::string table_error(const std::string& text) { return error_of(table, text); }
std::string lines_error(const std::string& text) { return error_of(lines, text); }

}  // namespace

TEST_CASE("every column of a table of impacts reaches its field") {
    const auto events = table(
        "time,object,other,x,y,z,jx,jy,jz,nx,ny,nz,speed,frame\n"
        "0.5,cup,floor,1,2,3,4,5,6,0,-2,0,1.5,body\n"
        "0.7,\"cup, big\",,1,2,3,4,5,6,,,,,\n");
    REQUIRE(events.size() == 2);
    CHECK(events[0].time == 0.5);
    CHECK(events[0].object == "cup");
    CHECK(events[0].other == "floor");
    CHECK(events[0].point == Vec3(1, 2, 3));
    CHECK(events[0].impulse == Vec3(4, 5, 6));
    CHECK(events[0].normal == Vec3(0, -1, 0));
    CHECK(events[0].approach_speed == 1.5);
    CHECK(events[0].in_body_frame);
    CHECK_FALSE(events[0].magnitude);
    CHECK(events[0].where == "hits.csv:2");
    CHECK(events[1].object == "cup, big");
    CHECK(events[1].other.empty());
    CHECK_FALSE(events[1].normal);
    CHECK_FALSE(events[1].approach_speed);
    CHECK_FALSE(events[1].in_body_frame);
}

TEST_CASE("the impulse may be a magnitude, times may be frames, and units are stated as for trajectories") {
    const auto events = table(
        "# unit: cm\n# up: z\n# fps: 25\nframe;object;x;y;z;impulse;nx;ny;nz;speed;space\n"
        "50;cup;100;200;300;0.2;0;0;1;50;body\n");
    REQUIRE(events.size() == 1);
    CHECK(events[0].time == 2);
    CHECK(events[0].point == Vec3(1, 3, -2));
    CHECK(events[0].magnitude == 0.2);  // N·s whatever the unit of length
    CHECK(events[0].normal == Vec3(0, 1, 0));
    CHECK(events[0].approach_speed == 0.5);
    CHECK(events[0].in_body_frame);
    CHECK(table("time[ms],object,x[mm],y,z,impulse[N·s],speed[mm/s]\n5,a,10,0,0,1,7\n")[0].approach_speed ==
          Approx(0.007));
}

TEST_CASE("JSON lines hold the same as a table") {
    const auto events = lines(
        "{\"time\": 0.5, \"object\": \"cup\", \"other\": \"floor\", \"point\": [1, 2, 3], \"impulse\": [4, 5, 6], "
        "\"normal\": [0, -2, 0], \"speed\": 1.5, \"frame\": \"body\"}\r\n"
        "\n"
        "{\"time\": 0.7, \"object\": \"cup\", \"point\": [1, 2, 3], \"impulse\": 2, \"_solver\": \"mine\"}");
    REQUIRE(events.size() == 2);
    CHECK(events[0].time == 0.5);
    CHECK(events[0].other == "floor");
    CHECK(events[0].point == Vec3(1, 2, 3));
    CHECK(events[0].impulse == Vec3(4, 5, 6));
    CHECK(events[0].normal == Vec3(0, -1, 0));
    CHECK(events[0].approach_speed == 1.5);
    CHECK(events[0].in_body_frame);
    CHECK(events[1].magnitude == 2);
    CHECK(events[1].where == "hits.jsonl:3");
    for (const char* header : {"{\"unit\": \"cm\", \"up\": \"z\", \"fps\": 25, \"start\": 1}\n",
                               "# unit: cm\n# up: z\n# fps: 25\n# start: 1\n"}) {
        const auto scaled = lines(std::string(header) +
                                  "{\"frame\": 51, \"object\": \"a\", \"point\": [100, 200, 300], \"impulse\": [1, "
                                  "2, 3], \"space\": \"world\"}");
        REQUIRE(scaled.size() == 1);
        CHECK(scaled[0].time == 2);
        CHECK(scaled[0].point == Vec3(1, 3, -2));
        CHECK(scaled[0].impulse == Vec3(1, 3, -2));
    }
    CHECK(lines("").empty());
}

TEST_CASE("errors in tables of impacts name the line and what to do") {
    CHECK(table_error("object,x,y,z,impulse\n") == "hits.csv:1: the column \"time\" is missing, and so is \"frame\"");
    CHECK(table_error("time,x,y,z,impulse\n") == "hits.csv:1: the column \"object\" is missing");
    CHECK(table_error("time,object,x,y,z\n") ==
          "hits.csv:1: the impulse is missing; give jx, jy and jz, or its magnitude as impulse");
    CHECK(table_error("time,object,x,y,z,jx,jy\n") == "hits.csv:1: the column \"jz\" is missing");
    CHECK(table_error("time,frame,space,object,x,y,z,impulse\n") ==
          "hits.csv:1: time and frame are both there; leave one of them out");
    CHECK(table_error("time,object,x,y,z,impulse\n0,,0,0,0,1\n") == "hits.csv:2: object is empty; name what is hit");
    CHECK(table_error("time,object,x,y,z,impulse\n0,a,0,0,0,\n") ==
          "hits.csv:2: the impulse is missing; without it nothing sounds");
    CHECK(table_error("time,object,x,y,z,impulse\n0,a,0,0,0,-1\n") ==
          "hits.csv:2: the magnitude of the impulse must not be negative, but is -1 N·s");
    CHECK(table_error("time,object,x,y,z,impulse,jx,jy,jz\n0,a,0,0,0,1,1,1,1\n") ==
          "hits.csv:2: the impulse is there twice, as a vector and as a magnitude; leave one of them out");
    CHECK(table_error("time,object,x,y,z,jx,jy,jz\n0,a,0,0,0,1,,1\n") == "hits.csv:2: jy is empty; write a number");
    CHECK(table_error("time,object,x,y,z,impulse,nx,ny,nz\n0,a,0,0,0,1,0,0,0\n") ==
          "hits.csv:2: the normal is zero; leave it out, and it is taken from the mesh");
    CHECK(table_error("time,object,x,y,z,impulse,speed\n0,a,0,0,0,1,-2\n") ==
          "hits.csv:2: the approach speed must not be negative, but is -2 m/s");
    CHECK(table_error("time,object,x,y,z,impulse,frame\n0,a,0,0,0,1,local\n") ==
          "hits.csv:2: frame should be world or body, but is \"local\"");
    CHECK(table_error("time,object,x,y,z,impulse\n0,a,inf,0,0,1\n") ==
          "hits.csv:2: x is inf, which is not finite; export the motion again");
    CHECK(table_error("time,objct,x,y,z,impulse\n") ==
          "hits.csv:1: unknown column \"objct\"; did you mean \"object\"?");
}

TEST_CASE("errors in JSON lines name the line and what to do") {
    const auto with = [](const char* more) {
        return std::string(R"({"time": 0, "object": "a", "point": [0, 0, 0]})").insert(45, more);
    };
    CHECK(lines_error(with(", \"impulse\": 1")) == "none");
    CHECK(lines_error(with("")) == "hits.jsonl:1: the impulse is missing; without it nothing sounds");
    CHECK(lines_error(with(", \"impuls\": 1")) == "hits.jsonl:1: unknown key \"impuls\"; did you mean \"impulse\"?");
    CHECK(lines_error(with(", \"impulse\": [1, 2]")) == "hits.jsonl:1: impulse must be three numbers [x, y, z]");
    CHECK(lines_error(with(", \"impulse\": [1, 2, \"3\"]")) ==
          "hits.jsonl:1: impulse must be a number, but is a string");
    CHECK(lines_error(with(", \"impulse\": 1, \"other\": 3")) ==
          "hits.jsonl:1: other must be a string, but is a number");
    CHECK(lines_error(with(", \"impulse\": 1, \"frame\": 3")) ==
          "hits.jsonl:1: time and frame are both there; leave one of them out");
    CHECK(lines_error(with(", \"impulse\": 1, \"frame\": \"local\"")) ==
          "hits.jsonl:1: frame should be world or body, but is \"local\"");
    CHECK(lines_error(R"({"object": "a", "point": [0, 0, 0], "impulse": 1})") == "hits.jsonl:1: \"time\" is missing");
    CHECK(lines_error(R"({"time": 0, "object": "a", "impulse": 1})") == "hits.jsonl:1: \"point\" is missing");
    CHECK(lines_error("\n[1]") == "hits.jsonl:2: each line must be an object, but this is an array");
    CHECK(lines_error("\n{\"a\": 1,}").starts_with("hits.jsonl:2:"));
    CHECK(lines_error(R"({"units": "cm", "axis": "z"})") ==
          "hits.jsonl:1: unknown key \"axis\"; units are stated with unit, time, fps, start and up");
    CHECK(lines_error(R"({"frame": 1, "object": "a", "point": [0, 0, 0], "impulse": 1})") ==
          "hits.jsonl:1: frames are counted, but the frame rate is not stated; put a line \"# fps: 24\" before the "
          "first");
}

TEST_CASE("impact files are known by their endings") {
    const std::filesystem::path folder = testing::temporary("impact_test");
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "a.csv") << "time,object,x,y,z,impulse\n0,a,0,0,0,1\n";
    std::ofstream(folder / "a.ndjson") << R"({"time": 0, "object": "b", "point": [0, 0, 0], "impulse": 1})";
    CHECK(io::read_impacts(folder / "a.csv").at(0).object == "a");
    CHECK(io::read_impacts(folder / "a.ndjson").at(0).object == "b");
    CHECK_THROWS_WITH_AS(io::read_impacts(folder / "a.xml"),
                         ((folder / "a.xml").string() +
                          ": is no list of impacts that is known here; use .csv, .tsv, .txt, .jsonl or .ndjson")
                             .c_str(),
                         Error);
    std::filesystem::remove_all(folder);
}

}  // namespace impact_file_test
