#include <doctest/doctest.h>
#include <approx.hpp>
#include <clangor/io/motion/trajectory_file.hpp>
#include <temporary.hpp>

#include <fstream>

namespace trajectory_file_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

Trajectory table(const std::string& text) { return io::parse_trajectory(text, "cup.csv"); }

std::string error_of(const std::string& text) {
    try {
        table(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

Eigen::Quaterniond rotation(const Trajectory& path, long row) {
    const auto q = path.rotations.row(row);
    return {q[3], q[0], q[1], q[2]};
}

bool same(const Vec3& a, const Vec3& b) { return (a - b).norm() < 1e-12; }

}  // namespace

TEST_CASE("a table of times and places is a trajectory that does not turn") {
    const Trajectory path = table("time,x,y,z\n0,1,2,3\n0.5,4,5,6\n");
    REQUIRE(path.times.size() == 2);
    CHECK(path.times[1] == 0.5);
    CHECK(same(path.positions.row(1).transpose(), {4, 5, 6}));
    CHECK(same(rotation(path, 1) * Vec3(1, 2, 3), {1, 2, 3}));
}

TEST_CASE("columns come in any order and case, with any separator, quotes, BOM, blank lines and Windows line ends") {
    const Trajectory plain = table("time,x,y,z\n0,1,2,3\n0.5,4,5,6\n");
    for (const char* text :
         {"Z;Y;X;T\n3;2;1;0\n6;5;4;0.5\n", "time\tx\ty\tz\n0\t1\t2\t3\n0.5\t4\t5\t6",
          "\xEF\xBB\xBF# made by hand\r\n\r\n\"time\", \"X\" ,y,z,\r\n0,1,2,3,\r\n\r\n# half way\r\n+0.5, 4,5e0,6\r\n",
          "_note,time,tx,ty,tz\nhello,0,1,2,3\n\"a, b \"\"c\"\"\",0.5,4,5,6\n"}) {
        INFO(text);
        const Trajectory path = table(text);
        CHECK(path.times == plain.times);
        CHECK(path.positions == plain.positions);
    }
}

TEST_CASE("units stand in comments or behind the names of columns") {
    const Vec3 metres(0.01, 0.02, 0.03);
    const Trajectory cm = table("# unit: cm\n# time: ms\ntime,x,y,z\n500,1,2,3\n");
    CHECK(cm.times[0] == 0.5);
    CHECK(same(cm.positions.row(0).transpose(), metres));
    const Trajectory columns = table("time[ms],x[mm],y (cm),z [m]\n500,10,2,0.03\n");
    CHECK(columns.times[0] == 0.5);
    CHECK(same(columns.positions.row(0).transpose(), metres));
    const Trajectory frames = table("# fps = 24\n# start: 1\nframe,x,y,z\n1,0,0,0\n13,0,0,0\n");
    CHECK(frames.times[0] == 0);
    CHECK(frames.times[1] == 0.5);
    CHECK(table("# fps: 29.97\nframe,x,y,z\n2997,0,0,0\n").times[0] == Approx(100));
}

TEST_CASE("Euler angles are those of a scene's rotation_deg") {
    const Eigen::Quaterniond turn = rotation(table("t,x,y,z,rx,ry,rz\n0,0,0,0,90,90,90\n"), 0);
    const Mat3 expected = (Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()) * Eigen::AngleAxisd(pi / 2, Vec3::UnitY()) *
                           Eigen::AngleAxisd(pi / 2, Vec3::UnitX()))
                              .toRotationMatrix();
    CHECK((turn.toRotationMatrix() - expected).norm() < 1e-12);
    const Eigen::Quaterniond radians = rotation(table("t,x,y,z,rx[rad],ry,rz\n0,0,0,0,1.5707963267948966,90,90\n"), 0);
    CHECK(radians.angularDistance(turn) < 1e-7);
}

TEST_CASE("quaternions are made unit and agree in sign with their neighbours") {
    const Trajectory path = table("t,x,y,z,qw,qx,qy,qz\n0,0,0,0,2,0,0,0\n1,0,0,0,-1,-0.1,0,0\n");
    CHECK(path.rotations.row(0) == Eigen::RowVector4d(0, 0, 0, 1));
    CHECK(path.rotations.row(1).norm() == Approx(1).epsilon(1e-14));
    CHECK(path.rotations(1, 3) > 0);
    CHECK(path.rotations(1, 0) > 0);
}

TEST_CASE("with z up, the world and the body's own axes are turned alike") {
    // C: (x, y, z) → (x, z, −y). A point b of the z-up body is at C b of the y-up one, so that R' C b = C R b.
    const std::string row = "0,1,2,3,0.1,-0.2,0.3,0.9\n";
    const Trajectory z_up = table("# up: z\ntime,x,y,z,qx,qy,qz,qw\n" + row);
    const Trajectory raw = table("time,x,y,z,qx,qy,qz,qw\n" + row);
    const auto turned = [](const Vec3& v) { return Vec3(v.x(), v.z(), -v.y()); };
    CHECK(same(z_up.positions.row(0).transpose(), {1, 3, -2}));
    const Vec3 b(0.3, -0.5, 0.7);
    CHECK(same(rotation(z_up, 0) * turned(b), turned(rotation(raw, 0) * b)));
    // A turn about z, Blender's up, is one about y, ours.
    const Eigen::Quaterniond about_up = rotation(table("# up: z\nt,x,y,z,rx,ry,rz\n0,0,0,0,0,0,30\n"), 0);
    CHECK(same(about_up * Vec3::UnitX(), {std::cos(pi / 6), 0, -std::sin(pi / 6)}));
}

TEST_CASE("errors in tables name the line and what to do") {
    CHECK(error_of("") == "cup.csv: holds no line of column names; write one, such as time,x,y,z");
    CHECK(error_of("# unit: m\n\n") == "cup.csv: holds no line of column names; write one, such as time,x,y,z");
    CHECK(error_of("0,1,2,3\n") ==
          "cup.csv:1: a line of column names should stand before the numbers, such as time,x,y,z");
    CHECK(error_of("time,x,y,z\n") == "cup.csv: holds no row below its column names; export the motion again");
    CHECK(error_of("time,x,y\n0,0,0\n") == "cup.csv:1: the column \"z\" is missing");
    CHECK(error_of("x,y,z\n0,0,0\n") == "cup.csv:1: the column \"time\" is missing, and so is \"frame\"");
    CHECK(error_of("time,x,y,z,qx,qy,qz\n") == "cup.csv:1: the column \"qw\" is missing");
    CHECK(error_of("time,x,y,z,qx,qy,qz,qw,rx,ry,rz\n") ==
          "cup.csv:1: rotations are there twice, as qx…qw and as rx…rz; leave one of them out");
    CHECK(error_of("timme,x,y,z\n") == "cup.csv:1: unknown column \"timme\"; did you mean \"time\"?");
    CHECK(error_of("time,x,y,z,velocity\n") ==
          "cup.csv:1: unknown column \"velocity\"; known: time, frame, x, y, z, qx, qy, qz, qw, rx, ry, rz; put an "
          "underscore before the name to have it skipped");
    CHECK(error_of("time,x,y,z,X\n") == "cup.csv:1: the column \"x\" is there twice");
    CHECK(error_of("frame,x,y,z\n1,0,0,0\n") ==
          "cup.csv:2: frames are counted, but the frame rate is not stated; put a line \"# fps: 24\" before the first");
    CHECK(error_of("time,x,y,z\n0,0,0\n") == "cup.csv:2: has 3 cells, but there are 4 columns");
    CHECK(error_of("time,x,y,z\n0,0,0,0,7\n") == "cup.csv:2: has 5 cells, but there are 4 columns");
    CHECK(error_of("time,x,y,z\n0,0,,0\n") == "cup.csv:2: y is empty; write a number");
    CHECK(error_of("time,x,y,z\n0,0,up,0\n") == "cup.csv:2: y should be a number, but is \"up\"");
    CHECK(error_of("time;x;y;z\n0,5;0;0;0\n") ==
          "cup.csv:2: time should be a number, but is \"0,5\"; write a point instead of the decimal comma");
    CHECK(error_of("time,x,y,z\n0,0,nan,0\n") == "cup.csv:2: y is nan, which is not finite; export the motion again");
    CHECK(error_of("time,x,y,z\n0,0,1e7,0\n") == "cup.csv:2: y is 10000000 m, which is too far away; check the unit");
    CHECK(error_of("time,x,y,z\n0,0,0,0\n\n0,1,0,0\n") ==
          "cup.csv:4: the time 0 s is that of the row before; leave one of them out");
    CHECK(error_of("time,x,y,z\n1,0,0,0\n0.5,1,0,0\n") ==
          "cup.csv:3: times must ascend, but 0.5 s follows 1 s; sort the rows");
    CHECK(error_of("time,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,0\n") ==
          "cup.csv:2: the quaternion has the length 0, which is no rotation; its length should be 1");
    CHECK(error_of("# unit: yards\ntime,x,y,z\n") ==
          "cup.csv:1: unknown unit \"yards\"; write one of m, cm, mm, km, in");
    CHECK(error_of("time[h],x,y,z\n").starts_with("cup.csv:1: unknown unit \"h\"; write one of s, ms, us"));
    CHECK(error_of("time,x,y,z,qx[m],qy,qz,qw\n") == "cup.csv:1: \"m\" is a unit of what has none; leave it out");
    CHECK(error_of("# fps: many\ntime,x,y,z\n") == "cup.csv:1: fps should be a number, but is \"many\"");
    CHECK(error_of("# fps: 0\ntime,x,y,z\n") == "cup.csv:1: fps must be in (0, 1000000], but is 0");
    CHECK(error_of("# up: x\ntime,x,y,z\n") == "cup.csv:1: up should be y or z, but is \"x\"");
}

TEST_CASE("trajectory files are known by their endings") {
    const std::filesystem::path folder = testing::temporary("trajectory_test");
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "cup.csv") << "time,x,y,z\n0,1,2,3\n";
    std::ofstream(folder / "cup.abc") << "x";
    CHECK(io::read_trajectory(folder / "cup.csv").path.positions(0, 2) == 3);
    const auto said = [&](const char* name) -> std::string {
        try {
            io::read_trajectory(folder / name);
        } catch (const Error& error) {
            return std::string(error.what()).substr(folder.string().size() + 1);
        }
        return "none";
    };
    CHECK(said("cup.abc") == "cup.abc: is no trajectory that is known here; use .csv, .tsv, .txt, .gltf or .glb");
    CHECK(said("cup.csv#Cup") == "cup.csv: is a table, which has no part \"Cup\"; leave out what follows the #");
    CHECK(said("none.csv") == "none.csv: cannot be opened: No such file or directory");
    std::filesystem::remove_all(folder);
}

}  // namespace trajectory_file_test
