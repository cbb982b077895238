#include <clangor/io/mesh/mesh.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <temporary.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

namespace mesh_file_test {

using namespace clangor;
using io::MeshFormat;

namespace {

Surface parse(const std::string& text, MeshFormat format, const std::string& name = "cup") {
    return io::parse_mesh(std::as_bytes(std::span(text)), format, name);
}

std::string complaint(const std::string& text, MeshFormat format, const std::string& name) {
    try {
        parse(text, format, name);
    } catch (const Error& error) {
        CHECK(error.blame() == Blame::Input);
        return error.what();
    }
    return "no complaint";
}

template <class... T>
std::string raw(T... values) {
    std::string bytes;
    (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return bytes;
}

template <class T>
std::string big_endian(T value) {
    std::string bytes = raw(value);
    return {bytes.rbegin(), bytes.rend()};
}

/// The tetrahedron of the unit axes encloses 1/6 m³.
void check_tetrahedron(const Surface& surface) {
    CHECK(surface.faces.rows() == 4);
    const Surface cleaned = clean(surface).surface;
    CHECK(cleaned.vertices.rows() == 4);
    CHECK(topology_of(cleaned).closed());
    CHECK(mass_properties(surface).volume == clangor::test::Approx(1.0 / 6).epsilon(1e-14));
}

constexpr float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr int side[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
const std::string tetrahedron_obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string binary_stl(const std::string& note) {
    std::string file = note + std::string(80 - note.size(), ' ') + raw(std::uint32_t(4));
    for (const auto& face : side) {
        file += raw(0.0f, 0.0f, 0.0f);
        for (const int v : face) file += raw(corner[v][0], corner[v][1], corner[v][2]);
        file += raw(std::uint16_t(0));
    }
    return file;
}

std::string text_stl() {
    std::string file = "solid cup of tea\n";
    for (const auto& face : side) {
        file += " facet normal nan 0 0\n  outer loop\n";
        for (const int v : face) {
            file += "   VERTEX " + std::to_string(corner[v][0]) + " " + std::to_string(corner[v][1]) + " " +
                    std::to_string(corner[v][2]) + "e+00\n";
        }
        file += "  endloop\n endfacet\n";
    }
    return file + "endsolid cup of tea\n";
}

const std::string ply_header_rest =
    "comment made by hand\nelement vertex 4\nproperty double x\nproperty uchar red\nproperty float y\nproperty short "
    "z\n"
    "element edge 1\nproperty int vertex1\nproperty list uchar float weights\n"
    "element face 4\nproperty list uchar uint vertex_indices\nproperty float quality\nend_header\n";

template <class Write>
std::string binary_ply(const std::string& format, const Write& write) {
    std::string file = "ply\nformat " + format + " 1.0\n" + ply_header_rest;
    for (const auto& x : corner) {
        file += write(double(x[0])) + write(std::uint8_t(7)) + write(x[1]) + write(std::int16_t(x[2]));
    }
    file += write(std::int32_t(1)) + write(std::uint8_t(2)) + write(1.0f) + write(2.0f);
    for (const auto& face : side) {
        file += write(std::uint8_t(3));
        for (const int v : face) file += write(std::uint32_t(v));
        file += write(0.5f);
    }
    return file;
}

std::string base64(const std::string& bytes) {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        }
        for (int k = 3; k >= 0; --k) text += i + (3 - k) > bytes.size() ? '=' : digits[bits >> 6 * k & 63];
    }
    return text;
}

/// Twelve 16-bit indices, then four positions.
std::string gltf_buffer() {
    std::string buffer;
    for (const auto& face : side) {
        for (const int v : face) buffer += raw(std::uint16_t(v));
    }
    for (const auto& x : corner) buffer += raw(x[0], x[1], x[2]);
    return buffer;
}

std::string gltf_json(const std::string& buffer, const std::string& nodes) {
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + nodes +
           R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":1},"indices":0}]}],"accessors":[)"
           R"({"bufferView":0,"componentType":5123,"count":12,"type":"SCALAR"},)"
           R"({"bufferView":1,"componentType":5126,"count":4,"type":"VEC3"}],"bufferViews":[)"
           R"({"buffer":0,"byteLength":24},{"buffer":0,"byteOffset":24,"byteLength":48}],"buffers":[{)" +
           buffer + R"("byteLength":72}]})";
}

std::string data_uri() { return R"("uri":"data:application/octet-stream;base64,)" + base64(gltf_buffer()) + R"(",)"; }
const std::string plain_node = R"({"mesh":0})";

std::string glb(std::string json, const std::string& buffer) {
    while (json.size() % 4) json += ' ';
    return "glTF" + raw(std::uint32_t(2), std::uint32_t(28 + json.size() + buffer.size()), std::uint32_t(json.size())) +
           "JSON" + json + raw(std::uint32_t(buffer.size())) + std::string("BIN\0", 4) + buffer;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("every format gives the same tetrahedron") {
    check_tetrahedron(parse(tetrahedron_obj, MeshFormat::Obj));
    check_tetrahedron(parse(binary_stl("made by hand"), MeshFormat::Stl));
    check_tetrahedron(parse(binary_stl("solid, but binary all the same"), MeshFormat::Stl));
    check_tetrahedron(parse(text_stl(), MeshFormat::Stl));
    check_tetrahedron(parse(binary_ply("binary_little_endian", [](auto v) { return raw(v); }), MeshFormat::Ply));
    check_tetrahedron(parse(binary_ply("binary_big_endian", [](auto v) { return big_endian(v); }), MeshFormat::Ply));
    check_tetrahedron(parse(binary_ply("ascii", [](auto v) { return std::to_string(v) + "\n"; }), MeshFormat::Ply));
    check_tetrahedron(parse(gltf_json(data_uri(), plain_node), MeshFormat::Gltf));
    check_tetrahedron(parse(glb(gltf_json("", plain_node), gltf_buffer()), MeshFormat::Glb));
}

TEST_CASE("STL: the corners of its faces that lie at one place are one vertex, so that nothing is left to weld") {
    for (const std::string& text : {binary_stl(""), text_stl()}) {
        const Surface surface = parse(text, MeshFormat::Stl);
        CHECK(surface.vertices.rows() == 4);
        CHECK(clean(surface).repairs.welded_vertices == 0);
        CHECK(topology_of(surface).closed());
    }
    // Zero with a sign, and numbers that differ by rounding: 1e-12 of a body of 1 m.
    const Surface apart = parse(
        "solid a\n"
        "facet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n"
        "facet normal 0 0 0 outer loop vertex -0 1e-12 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet\n"
        "endsolid a\n",
        MeshFormat::Stl);
    CHECK(apart.vertices.rows() == 4);
    CHECK(clean(apart).repairs.welded_vertices == 0);
}

TEST_CASE("OBJ: slashes, negative indices, polygons, joined lines and everything that is about looks") {
    const std::string obj =
        "\xEF\xBB\xBF# a cube\r\nmtllib cup.mtl\r\no cup\r\n"
        "v -1 -1 -1 1.0\r\nv +1 -1 -1 0.5 0.5 0.5\r\nv 1 1e0 -1\r\nv -1 1 -1\r\nvt 0 0\r\nvn 0 0 1\r\n"
        "v -1 -1 1\r\nv 1 -1 1\r\nv 1 1 1\r\nv -1 1 1\r\nusemtl red\r\ng side\r\ns off\r\n"
        "f 1 4 3 2\r\nf 5/1 6/1 7/1 8/1\r\nf 1//1 2//1 \\\r\n 6//1 5//1 # joined\r\nf -5 -6 -2 -1\r\n"
        "f 1/1/1 5/1/1 8/1/1 4/1/1\r\nf 2 3 7 6\r\nl 1 2\r\np 1";
    const Surface cube = parse(obj, MeshFormat::Obj);
    CHECK(cube.vertices.rows() == 8);
    CHECK(cube.faces.rows() == 12);
    CHECK(topology_of(cube).open_edges == 0);
    CHECK(mass_properties(clean(cube).surface).volume == clangor::test::Approx(8.0));
}

TEST_CASE("glTF: nodes place their meshes, and a mirror keeps outward outward") {
    const std::string nodes =
        R"({"children":[2,1],"translation":[10,0,0]},{"mesh":0,"scale":[-2,2,2]},)"
        R"({"mesh":0,"rotation":[0,0,0.7071067811865476,0.7071067811865476],"translation":[0,5,0]},)"
        R"({"mesh":0})";  // the last is in no scene
    const Surface both = parse(gltf_json(data_uri(), nodes), MeshFormat::Gltf);
    CHECK(both.faces.rows() == 8);
    CHECK(mass_properties(both).volume == clangor::test::Approx(8.0 / 6 + 1.0 / 6).epsilon(1e-12));
    const Bounds bounds = bounds_of(both.vertices);
    CHECK((bounds.low - Vec3(8, 0, 0)).norm() < 1e-12);
    CHECK((bounds.high - Vec3(10, 6, 2)).norm() < 1e-12);
    const std::string matrix = R"({"mesh":0,"matrix":[3,0,0,0, 0,3,0,0, 0,0,3,0, 1,2,3,1]})";
    const Surface moved = parse(gltf_json(data_uri(), matrix), MeshFormat::Gltf);
    CHECK((bounds_of(moved.vertices).low - Vec3(1, 2, 3)).norm() < 1e-12);
    CHECK(mass_properties(moved).volume == clangor::test::Approx(27.0 / 6));
}

TEST_CASE("glTF: strips, fans, unindexed triangles and quantised positions") {
    const auto with_mode = [](const std::string& mode, const std::string& indices, int count) {
        std::string json = replaced(gltf_json(data_uri(), plain_node), "\"indices\":0", "\"mode\":" + mode + indices);
        return replaced(json, "\"count\":12", "\"count\":" + std::to_string(count));
    };
    CHECK(parse(with_mode("5", "", 12), MeshFormat::Gltf).faces.rows() == 2);
    CHECK(parse(with_mode("6", "", 12), MeshFormat::Gltf).faces.rows() == 2);
    CHECK(parse(with_mode("5", ",\"indices\":0", 12), MeshFormat::Gltf).faces.rows() == 10);
    CHECK(complaint(with_mode("4", "", 12), MeshFormat::Gltf, "cup.gltf") ==
          "cup.gltf: a primitive of triangles has 4 corners, not a multiple of three");
    // A strip's faces alternate, a fan's turn about the first corner.
    const Surface strip = parse(with_mode("5", "", 12), MeshFormat::Gltf);
    CHECK(strip.faces.row(0) == Eigen::RowVector3i(0, 1, 2));
    CHECK(strip.faces.row(1) == Eigen::RowVector3i(1, 3, 2));
    const Surface fan = parse(with_mode("6", "", 12), MeshFormat::Gltf);
    CHECK(fan.faces.row(1) == Eigen::RowVector3i(2, 3, 0));

    std::string buffer = gltf_buffer().substr(0, 24);
    for (const auto& x : corner) {
        for (int k = 0; k < 3; ++k) buffer += raw(static_cast<std::int16_t>(32767 * x[k]));
        buffer += raw(std::int16_t(0));
    }
    std::string json = gltf_json("", plain_node);
    json = replaced(json, R"("componentType":5126)", R"("normalized":true,"componentType":5122)");
    json = replaced(json, R"("byteLength":48)", R"("byteStride":8,"byteLength":32)");
    json = replaced(json, R"("byteLength":72)", R"("byteLength":56)");
    json = replaced(json, R"("version":"2.0"})", R"("version":"2.0"},"extensionsRequired":["KHR_mesh_quantization"])");
    check_tetrahedron(parse(glb(json, buffer), MeshFormat::Glb));
}

TEST_CASE("files are read from disk, and a glTF finds its buffer beside it") {
    const auto folder = testing::temporary("mesh_file_test");
    std::filesystem::create_directories(folder);
    const auto write = [&](const std::string& name, const std::string& content) {
        std::ofstream(folder / name, std::ios::binary) << content;
        return folder / name;
    };
    check_tetrahedron(io::read_mesh(write("cup.OBJ", tetrahedron_obj)));
    check_tetrahedron(io::read_mesh(write("cup.stl", text_stl())));
    check_tetrahedron(
        io::read_mesh(write("really_ply.obj", binary_ply("binary_little_endian", [](auto v) { return raw(v); }))));
    write("my cup.bin", gltf_buffer());
    check_tetrahedron(io::read_mesh(write("cup.gltf", gltf_json(R"("uri":"my%20cup.bin",)", plain_node))));

    write("shot.gltf", gltf_json(R"("uri":"my%20cup.bin",)", R"({"name":"Cup","mesh":0,"translation":[1,2,3]})"));
    check_tetrahedron(io::read_mesh(folder / "shot.gltf#Cup"));
    check_tetrahedron(io::read_mesh(write("odd#name.obj", tetrahedron_obj)));

    const std::string at = folder.string();
    CHECK_THROWS_WITH_AS(io::read_mesh(folder / "gone.gltf#Cup"),
                         (at + "/gone.gltf: there is no such file; check the path").c_str(), Error);
    CHECK_THROWS_WITH_AS(io::read_mesh(folder / "gone.obj"),
                         (at + "/gone.obj: there is no such file; check the path").c_str(), Error);
    CHECK_THROWS_WITH_AS(io::read_mesh(folder), (at + ": is a folder; name the mesh file in it").c_str(), Error);
    CHECK_THROWS_WITH_AS(io::read_mesh(write("empty.obj", "")),
                         (at + "/empty.obj: the file is empty; export the mesh again").c_str(), Error);
    CHECK_THROWS_WITH_AS(
        io::read_mesh(write("cup.blend", "BLENDER")),
        (at + "/cup.blend: is in no format that is known here; use .obj, .ply, .stl, .gltf or .glb").c_str(), Error);
    CHECK_THROWS_WITH_AS(io::read_mesh(write("lost.gltf", gltf_json(R"("uri":"lost.bin",)", plain_node))),
                         (at + "/lost.bin: there is no such file; check the path").c_str(), Error);
    std::filesystem::remove_all(folder);
}

TEST_CASE("OBJ errors name the line, what is wrong and what to do") {
    const auto obj = [](const std::string& text) { return complaint(text, MeshFormat::Obj, "cup.obj"); };
    CHECK(obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n") ==
          "cup.obj:4: face names vertex 9, but only 3 are defined before it");
    CHECK(obj("v 0 0 0\nf 1 -2 1\n") == "cup.obj:2: face names vertex -2, but only 1 are defined before it");
    CHECK(obj("v 0 0 0\n\nf 0 1 1\n") ==
          "cup.obj:3: face names vertex 0, but vertices are counted from 1; export the mesh again");
    CHECK(obj("v 0 0 0\nf 1 99999999999999999999 1\n") ==
          "cup.obj:2: \"99999999999999999999\" should be the number of a vertex");
    CHECK(obj("v 0 0\n") == "cup.obj:1: a vertex needs three numbers, but has \"\"; the file is truncated or damaged");
    CHECK(obj("v 0 0 nan\n") ==
          "cup.obj:1: the vertex has the coordinate nan, which is no place; export the mesh again");
    CHECK(obj("v 0 0 1e999\n") ==
          "cup.obj:1: the vertex has the coordinate 1e999, which is no place; export the mesh again");
    CHECK(obj("v 0 0 0\nf 1 1\n") == "cup.obj:2: face has 2 corners, but needs three; export the mesh again");
    CHECK(obj("v 0 0 0\nv 1 0 0\n") ==
          "cup.obj: has 2 vertices but no faces; export it as triangles or polygons, not as points or curves");
    CHECK(obj(std::string("v 0 0 0\n\0\xff", 10)) ==
          "cup.obj: has binary data at byte 8, so it is no OBJ file; export the mesh again");
    CHECK(parse("v 0 0 1e-999\nv 1 0 0\nv 0 1 0\nf 1 2 3", MeshFormat::Obj).vertices(0, 2) == 0.0);
}

TEST_CASE("STL errors") {
    const auto stl = [](const std::string& text) { return complaint(text, MeshFormat::Stl, "cup.stl"); };
    CHECK(stl(binary_stl("").substr(0, 200)) ==
          "cup.stl: promises 4 triangles, but holds 2; it is truncated or no STL file: export the mesh again");
    std::string huge = binary_stl("");
    huge.replace(80, 4, raw(std::uint32_t(0xFFFFFFFF)));
    CHECK(stl(huge) ==
          "cup.stl: promises 4294967295 triangles, but holds 4; it is truncated or no STL file: export the mesh again");
    std::string nan = binary_stl("");
    nan.replace(84 + 50 + 12, 4, raw(std::numeric_limits<float>::quiet_NaN()));
    CHECK(
        stl(nan) ==
        "cup.stl: triangle 2 has a coordinate that is not finite; it is damaged or no STL file: export the mesh again");
    CHECK(stl("\x01\x02garbage") == "cup.stl: is neither a text nor a binary STL file; export the mesh again");
    CHECK(stl(text_stl().substr(0, text_stl().find("VERTEX") + 16)) ==
          "cup.stl:4: the file ends where a number should be; it is truncated: export the mesh again");
    CHECK(stl(replaced(text_stl(), "endsolid cup of tea", "")) ==
          "cup.stl:31: the file ends before \"endsolid\"; it is truncated: export the mesh again");
    CHECK(stl(replaced(text_stl(), "outer", "inner")) ==
          "cup.stl:3: \"inner\" should be \"outer\"; export the mesh again");
    CHECK(stl("solid nothing\nendsolid\n") ==
          "cup.stl: has 0 vertices but no faces; export it as triangles or polygons, not as points or curves");
}

TEST_CASE("PLY errors") {
    const auto ply = [](const std::string& text) { return complaint(text, MeshFormat::Ply, "cup.ply"); };
    const std::string good = binary_ply("binary_little_endian", [](auto v) { return raw(v); });
    CHECK(ply("plyometric") == "cup.ply: does not start with \"ply\", so it is no PLY file; export the mesh again");
    CHECK(ply("ply\nformat ascii 1.0\n") ==
          "cup.ply: the header has no \"end_header\"; the file is truncated: export the mesh again");
    CHECK(ply(replaced(good, "vertex 4", "vertex 99999999999")) ==
          "cup.ply: promises 99999999999 of \"vertex\", but has room for 9 at most; it is truncated or damaged: "
          "export the mesh again");
    CHECK(ply(replaced(good, "vertex 4", "vertex 99999999999999999999")) ==
          "cup.ply:4: \"99999999999999999999\" should be how many of \"vertex\" there are");
    CHECK(ply(good.substr(0, good.size() - 3)) ==
          "cup.ply: ends in the middle of its numbers; it is truncated: export the mesh again");
    CHECK(ply(replaced(good, "short z", "short w")) ==
          "cup.ply: its vertices have no property \"z\"; export the mesh again");
    CHECK(ply(replaced(good, "short z", "quad z")) == "cup.ply:8: \"quad\" is no PLY type; export the mesh again");
    const std::string text =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_index\nend_header\n";
    CHECK(ply(text + "0 0 0\n1 0 0\n0 1 inf\n3 0 1 2\n") ==
          "cup.ply:12: inf is not a finite number; export the mesh again");
    CHECK(ply(text + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n") ==
          "cup.ply: a face names vertex 3, but only 3 are there, counted from 0; export the mesh again");
    CHECK(ply(text + "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n") ==
          "cup.ply:13: a face names vertex -1, but vertices are counted from 0");
    CHECK(ply(text + "0 0 0\n1 0 0\n0 1 0\n2 0 1\n") == "cup.ply:13: face 1 has 2 corners, but needs three");
    CHECK(ply(text + "0 0 0\n1 0 0\n0 1 0\n200 0 1 2\n") ==
          "cup.ply:13: promises a list of 200 numbers, but has room for 4 at most; it is truncated or damaged: "
          "export the mesh again");
}

TEST_CASE("glTF errors") {
    const std::string good = gltf_json(data_uri(), plain_node);
    const auto gltf = [](const std::string& text) { return complaint(text, MeshFormat::Gltf, "cup.gltf"); };
    CHECK(gltf("{\"asset\"") == "cup.gltf: is not valid JSON (line 1, column 9); export it again");
    CHECK(gltf(std::string(100000, '[')) ==
          "cup.gltf: its JSON is nested more than 64 deep; it is damaged: export it again");
    CHECK(gltf("{}") == "cup.gltf: is not glTF 2.0 (asset.version should be \"2.0\"); export it as glTF 2.0");
    CHECK(gltf(gltf_json(data_uri(), R"({"mesh":0,"children":[0]})")) ==
          "cup.gltf: nodes[0] is reached twice, but nodes must form a tree; export it again");
    CHECK(gltf(gltf_json(data_uri(), R"({"mesh":7})")) ==
          "cup.gltf: something refers to meshes[7], but there are 1; export it again");
    CHECK(gltf(replaced(good, "\"count\":4", "\"count\":2147483647")) ==
          "cup.gltf: accessors[1] promises 2147483647 entries, which its 48 bytes do not hold; export it again");
    CHECK(gltf(replaced(good, "\"byteLength\":48", "\"byteLength\":4000")) ==
          "cup.gltf: bufferViews[1] reaches beyond its buffer of 72 bytes; export it again");
    CHECK(gltf(replaced(good, "\"byteLength\":72", "\"byteLength\":73")) ==
          "cup.gltf: buffers[0] promises 73 bytes, but has 72; it is truncated: export it again");
    CHECK(gltf(replaced(good, "\"count\":4", "\"count\":3")) ==
          "cup.gltf: a triangle names vertex 3, but only 3 are there, counted from 0; export it again");
    CHECK(gltf(replaced(good, "\"count\":4", "\"sparse\":{},\"count\":4")) ==
          "cup.gltf: accessors[1] is sparse, which is not read here; export it in full");
    CHECK(gltf(replaced(good, "\"indices\":0", R"("extensions":{"KHR_draco_mesh_compression":{}})")) ==
          "cup.gltf: is compressed with Draco, which is not read here; export it without compression");
    CHECK(gltf(replaced(good, "\"byteLength\":48", R"("extensions":{"EXT_meshopt_compression":{}},"byteLength":48)")) ==
          "cup.gltf: is compressed with meshopt, which is not read here; export it without compression");
    CHECK(gltf(replaced(good, "\"scene\":0", R"("extensionsRequired":["EXT_mesh_gpu_instancing"])")) ==
          "cup.gltf: needs the extension \"EXT_mesh_gpu_instancing\", which is not read here; export it without "
          "compression or extensions");
    CHECK(gltf(gltf_json(R"("uri":"cup.bin",)", plain_node)) ==
          "cup.gltf: keeps its numbers in cup.bin, which cannot be found from here; export it as .glb");
    CHECK(gltf(gltf_json(R"("uri":"https://cups/cup.bin",)", plain_node)) ==
          "cup.gltf: a buffer is at \"https://cups/cup.bin\", but only files beside the glTF are read; export it as "
          ".glb");

    const std::string binary = glb(gltf_json("", plain_node), gltf_buffer());
    const auto broken_glb = [&](std::size_t size) {
        return complaint(binary.substr(0, size), MeshFormat::Glb, "cup.glb");
    };
    CHECK(broken_glb(15) == "cup.glb: does not start as a .glb file does; it is truncated or damaged: export it again");
    CHECK(broken_glb(100) == "cup.glb: is truncated in the chunk at byte 12; export it again");
    CHECK(broken_glb(binary.size() - 1).find("is truncated in the chunk") != std::string::npos);
}

}  // namespace mesh_file_test
