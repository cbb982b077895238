// Any bytes as motion from another program: the readers must give poses or events, or a clangor::Error.
#include <clangor/io/motion/collision_file.hpp>
#include <clangor/io/motion/flow_file.hpp>
#include <clangor/io/motion/impact_file.hpp>
#include <clangor/io/motion/trajectory_file.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace clangor;

// What the type promises must hold, whatever was read.
void check(const Trajectory& path) {
    if (path.times.size() < 1 || !path.times.allFinite() || !path.positions.allFinite()) std::abort();
    for (long i = 0; i < path.times.size(); ++i) {
        if (i > 0 && path.times[i] <= path.times[i - 1]) std::abort();
        if (std::abs(path.rotations.row(i).norm() - 1) > 1e-6) std::abort();
    }
}

void check(const std::vector<ImportedImpact>& events) {
    for (const ImportedImpact& event : events) {
        if (!std::isfinite(event.time) || !event.point.allFinite() || event.object.empty()) std::abort();
        if (event.normal && !(std::abs(event.normal->norm() - 1) < 1e-6)) std::abort();
    }
}

void check(const io::CollisionList& list) {
    if (!list.radii.empty() && list.radii.size() != list.encounters.size()) std::abort();
    for (const Encounter& encounter : list.encounters) {
        if (!std::isfinite(encounter.time) || !encounter.point.allFinite() || !(encounter.speed > 0)) std::abort();
        if (!(std::abs(encounter.normal.norm() - 1) < 1e-6) || !encounter.friction.allFinite()) std::abort();
        if (encounter.kind < 0 || std::size_t(encounter.kind) >= list.kinds.size()) std::abort();
    }
}

void check(const std::vector<io::FlowFrame>& frames, bool of_cells) {
    if (frames.size() < 2) std::abort();
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const io::FlowFrame& frame = frames[i];
        if (i > 0 && frame.time <= frames[i - 1].time) std::abort();
        if (frame.positions.rows() < 1 || frame.velocities.rows() != frame.positions.rows()) std::abort();
        if (!frame.positions.allFinite() || !frame.velocities.allFinite()) std::abort();
        if (!of_cells) continue;
        if (frame.fills.size() != frame.positions.rows() || !(frame.fills.minCoeff() >= 0)) std::abort();
    }
}

std::string floats(const std::vector<float>& values) {
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::string word(std::size_t value) {
    const std::uint32_t word32 = static_cast<std::uint32_t>(value);
    return {reinterpret_cast<const char*>(&word32), 4};
}

// A child with a path, a spline of turns and a constant scale, under a parent that steps.
std::string glb_seed() {
    const std::string numbers = floats({0, 1, /**/ 0, 0, 0, 1, 0, 0, /**/ 0, 0, 0, 0, 0,      0, 0, 1, 0, 0, 0, 0, /**/
                                        0, 0, 0,      0, 0, 0, 1, 1, 0,      0, 0, 0, /**/ 1, 1, 1, 1, 1, 1});
    std::string json =
        R"({"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1],"scale":[2,2,2]},{"name":"b"},)"
        R"({"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,3,0,0,1]}],"animations":[{"channels":[)"
        R"({"sampler":0,"target":{"node":0,"path":"translation"}},{"sampler":1,"target":{"node":1,"path":"rotation"}},)"
        R"({"sampler":2,"target":{"node":1,"path":"scale"}},{"sampler":3,"target":{"node":1,"path":"translation"}}],)"
        R"("samplers":[{"input":0,"output":1,"interpolation":"STEP"},)"
        R"({"input":0,"output":2,"interpolation":"CUBICSPLINE"},)"
        R"({"input":0,"output":3},{"input":0,"output":1,"interpolation":"LINEAR"}]}],"accessors":[)"
        R"({"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},)"
        R"({"bufferView":0,"byteOffset":8,"componentType":5126,"count":2,"type":"VEC3"},)"
        R"({"bufferView":0,"byteOffset":32,"componentType":5126,"count":6,"type":"VEC4"},)"
        R"({"bufferView":0,"byteOffset":128,"componentType":5126,"count":2,"type":"VEC3"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":152}],"buffers":[{"byteLength":152}]})";
    json.append((4 - json.size() % 4) % 4, ' ');
    return "glTF" + word(2) + word(28 + json.size() + numbers.size()) + word(json.size()) + "JSON" + json +
           word(numbers.size()) + std::string("BIN\0", 4) + numbers;
}

// Four frames of a bake by Blender, one of them left out.
std::string bake_seed() {
    const std::string numbers = floats({1 / 24.f, 2 / 24.f, 4 / 24.f, 5 / 24.f, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 1, 0});
    std::string json =
        R"({"asset":{"version":"2.0","generator":"Khronos glTF Blender I/O v3.4.50"},"nodes":[{"name":"b"}],)"
        R"("animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],)"
        R"("samplers":[{"input":0,"output":1,"interpolation":"LINEAR"}]}],"accessors":[)"
        R"({"bufferView":0,"componentType":5126,"count":4,"type":"SCALAR"},)"
        R"({"bufferView":0,"byteOffset":16,"componentType":5126,"count":4,"type":"VEC3"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":64}],"buffers":[{"byteLength":64}]})";
    json.append((4 - json.size() % 4) % 4, ' ');
    return "glTF" + word(2) + word(28 + json.size() + numbers.size()) + word(json.size()) + "JSON" + json +
           word(numbers.size()) + std::string("BIN\0", 4) + numbers;
}

}  // namespace

/// The first byte says which reader; each construct stands here once.
std::vector<std::string> fuzz_seeds() {
    const auto seed = [](int reader, const std::string& text) { return static_cast<char>(reader) + text; };
    return {
        seed(0,
             "\xEF\xBB\xBF# fps: 24\n# unit: cm\n# up: z\n# start: "
             "1\nframe;x;y;z;qx;qy;qz;qw\n1;0;0;0;0;0;0;1\n2;1;0;0;0;0;1;1\n"),
        seed(0, "time[ms],x[mm],y,z,rx,ry,rz,_n\r\n0,1,2,3,90,0,0,\"a\"\"b, c\"\r\n\r\n500,4,5,6,0,-9e1,0,\r\n"),
        seed(0, "t\ttx\tty\ttz\n0\t0\t0\t0\n"),
        seed(1,
             "# up: "
             "z\ntime,object,other,x,y,z,jx,jy,jz,nx,ny,nz,speed,frame\n0.5,cup,floor,1,2,3,4,5,6,0,-2,0,1.5,body\n"),
        seed(1, "# fps: 25\nframe;object;x;y;z;impulse;space\n50;\"c;u\";100;200;300;0.2;world\n"),
        seed(2,
             "{\"unit\": \"cm\", \"up\": \"z\", \"fps\": 25}\n{\"frame\": 5, \"object\": \"a\", \"point\": [1, 2, 3], "
             "\"impulse\": [1, 2, 3], \"normal\": [0, 1, 0], \"speed\": 2, \"space\": \"body\"}\n"
             "{\"time\": 5, \"object\": \"a\", \"other\": \"b\", \"point\": [1, 2, 3], \"impulse\": 1}\n"),
        seed(3, glb_seed()),
        seed(4, glb_seed()),
        seed(3, bake_seed()),
        seed(5,
             "# unit: mm\ntime[ms],x,y,z,nx,ny,nz,speed,jx,jy,jz,first,second,radius_1,radius_2\n"
             "500,10,20,30,0,2,0,1.5,1,2,0,glass,bowl,1,\n"),
        seed(5, "# fps: 25\n# up: z\nframe;x;y;z;nx;ny;nz;normal_speed\n50;1;2;3;0;0;1;2\n"),
        seed(6, "# fps: 25\n# up: z\nframe;x;y;z;vx;vy;vz\n0;1;2;3;0;0;1\n0;1;2;4;0;0;1\n1;1;2;3;0;0;1\n"),
        seed(7,
             "# unit: cm\ntime[ms],x,y,z,fill,vx,vy,vz,deviation\n0,1,2,3,0.1,0,0,1,5\n0,1,3,3,0.2,0,0,1,5\n"
             "40,1,2,3,0.5,0,0,1,0\n"),
    };
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        switch (data[0] % 8) {
            case 0:
                check(io::parse_trajectory(text, "fuzz"));
                break;
            case 1:
                check(io::parse_impact_table(text, "fuzz"));
                break;
            case 2:
                check(io::parse_impact_lines(text, "fuzz"));
                break;
            case 5:
                check(io::parse_collision_table(text, "fuzz"));
                break;
            case 6:
                check(io::parse_particles(text, "fuzz"), false);
                break;
            case 7: {
                const io::FlowGrid grid = io::parse_grid(text, "fuzz");
                if (!(grid.edge > 0) || !grid.corner.allFinite()) std::abort();
                check(grid.frames, true);
                break;
            }
            case 3:
                check(io::parse_node_motion(std::as_bytes(std::span(text)), "fuzz", "b").path);
                break;
            default:
                check(io::parse_node_motion(std::as_bytes(std::span(text)), "fuzz", "", "a").path);
                break;
        }
    } catch (const Error&) {
        // what wrong input is answered with
    }
    return 0;
}
