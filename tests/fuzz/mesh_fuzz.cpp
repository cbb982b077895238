// Any bytes as a mesh file: the readers must give a surface or a clangor::Error, and nothing else.
#include <clangor/geometry/geometry.hpp>
#include <clangor/io/mesh/mesh.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using clangor::io::MeshFormat;
constexpr MeshFormat formats[] = {MeshFormat::Obj, MeshFormat::Ply, MeshFormat::Stl, MeshFormat::Gltf, MeshFormat::Glb};

template <class... T>
std::string raw(T... values) {
    std::string bytes;
    (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return bytes;
}

std::string stl_seed() {
    std::string file(80, ' ');
    file += raw(std::uint32_t(2));
    for (int f = 0; f < 2; ++f) {
        file += raw(0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, float(f), 0.f, float(1 - f), 1.f, 0.f, std::uint16_t(0));
    }
    return file;
}

const std::string ply_header =
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty list uchar short tags\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n";

std::string binary_ply_seed(bool little) {
    const auto ordered = [&](auto value) {
        const std::string bytes = raw(value);
        return little ? bytes : std::string(bytes.rbegin(), bytes.rend());
    };
    std::string file = std::string("ply\nformat binary_") + (little ? "little" : "big") + "_endian 1.0\n" + ply_header;
    for (int v = 0; v < 3; ++v) {
        for (const float x : {float(v == 1), float(v == 2), 0.f}) file += ordered(x);
        file += raw(std::uint8_t(1)) + ordered(std::int16_t(5));
    }
    file += raw(std::uint8_t(3));
    for (int v = 0; v < 3; ++v) file += ordered(std::int32_t(v));
    return file;
}

std::string gltf_json(const std::string& uri) {
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)"
           R"({"name":"a","children":[1],"scale":[1,2,3]},)"
           R"({"name":"b","mesh":0,"rotation":[0,0,0,1],"translation":[1,0,0]}],)"
           R"("meshes":[{"primitives":[{"attributes":{"POSITION":1},)"
           R"("indices":0,"mode":4}]}],"accessors":[{"bufferView":0,"componentType":5121,"count":6,"type":"SCALAR"},)"
           R"({"bufferView":1,"byteOffset":0,"componentType":5126,"count":3,"type":"VEC3"}],)"
           R"("bufferViews":[{"buffer":0,)"
           R"("byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":36,"byteStride":12}],"buffers":[{)" +
           uri + R"("byteLength":44}]})";
}

std::string glb_seed() {
    std::string json = gltf_json("");
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const std::string numbers = std::string("\0\1\2\2\1\0\0\0", 8) + raw(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f);
    return "glTF" + raw(std::uint32_t(2), std::uint32_t(28 + json.size() + 44), std::uint32_t(json.size())) + "JSON" +
           json + raw(std::uint32_t(44)) + std::string("BIN\0", 4) + numbers;
}

}  // namespace

/// Valid files to mutate, one of each kind.
std::vector<std::string> fuzz_seeds() {
    const std::string numbers = "AAECAgEAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwAAAAA=";
    const auto seed = [](int format, const std::string& file) {
        return std::string(1, static_cast<char>(format)) + file;
    };
    return {
        seed(0, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/1 4/1\nf -4//1 -1//1 \\\n -2//1\nf 2 3 4 1\n"),
        seed(1, "ply\nformat ascii 1.0\n" + ply_header + "0 0 0 1 5\n1 0 0 0\n0 1 0 2 1 2\n3 0 1 2\n"),
        seed(1, binary_ply_seed(true)),
        seed(1, binary_ply_seed(false)),
        seed(2, stl_seed()),
        seed(
            2,
            "solid cup\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 0\nendloop\nendfacet\n"
            "endsolid\n"),
        seed(3, gltf_json("\"uri\":\"data:;base64," + numbers + "\",")),
        seed(4, glb_seed()),
        seed(9, glb_seed()),  // one node
    };
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
    try {
        const std::string node = data[0] >= std::size(formats) && data[0] < 128 ? "a" : "";
        const clangor::Surface surface =
            clangor::io::parse_mesh(bytes, formats[data[0] % std::size(formats)], "fuzz", node);
        const clangor::CleanSurface cleaned = clangor::clean(surface);
        clangor::topology_of(cleaned.surface);
        clangor::mass_properties(cleaned.surface);
    } catch (const clangor::Error&) {}
    return 0;
}
