// A .gltf under construction, for tests.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace clangor::test {

/// Its numbers stand in one buffer, as base64 text.
struct GltfBuilder {
    std::string bytes, views, accessors, samplers, channels, meshes;
    int count = 0, sampler_count = 0;

    int numbers(const std::vector<float>& values, int components) {
        const std::size_t at = bytes.size(), size = values.size() * sizeof(float);
        bytes.append(reinterpret_cast<const char*>(values.data()), size);
        views += fmt::format("{}{{\"buffer\":0,\"byteOffset\":{},\"byteLength\":{}}}", count ? "," : "", at, size);
        accessors += fmt::format("{}{{\"bufferView\":{},\"componentType\":5126,\"count\":{},\"type\":\"{}\"}}",
                                 count ? "," : "", count, values.size() / static_cast<std::size_t>(components),
                                 components == 1   ? "SCALAR"
                                 : components == 3 ? "VEC3"
                                                   : "VEC4");
        return count++;
    }

    void animate(int node, const std::string& path, const std::vector<float>& times, const std::vector<float>& values,
                 const std::string& between = "LINEAR") {
        const int input = numbers(times, 1), output = numbers(values, path == "rotation" ? 4 : 3);
        samplers += fmt::format("{}{{\"input\":{},\"output\":{},\"interpolation\":\"{}\"}}", sampler_count ? "," : "",
                                input, output, between);
        channels += fmt::format("{}{{\"sampler\":{},\"target\":{{\"node\":{},\"path\":\"{}\"}}}}",
                                sampler_count ? "," : "", sampler_count, node, path);
        ++sampler_count;
    }

    /// The next mesh: the tetrahedron of the unit axes, 1/6 m³.
    void add_tetrahedron() {
        constexpr float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        std::vector<float> positions;
        for (const int v : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3})
            positions.insert(positions.end(), corner[v], corner[v] + 3);
        meshes += fmt::format("{}{{\"primitives\":[{{\"attributes\":{{\"POSITION\":{}}}}}]}}",
                              meshes.empty() ? "" : ",", numbers(positions, 3));
    }

    std::string gltf(const std::string& nodes, const std::string& generator = "by hand") const {
        constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::string text;
        for (std::size_t i = 0; i < bytes.size(); i += 3) {
            const auto byte = [&](std::size_t k) {
                return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u;
            };
            const unsigned bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
            for (const int shift : {18, 12, 6, 0}) text += digits[bits >> shift & 63];
        }
        return fmt::format(R"({{"asset":{{"version":"2.0","generator":"{}"}},"nodes":[{}],"meshes":[{}],)"
                           R"("bufferViews":[{}],"accessors":[{}],)"
                           R"("animations":[{{"channels":[{}],"samplers":[{}]}}],)"
                           R"("buffers":[{{"byteLength":{},"uri":"data:;base64,{}"}}]}})",
                           generator, nodes, meshes, views, accessors, channels, samplers, bytes.size(), text);
    }
};

}  // namespace clangor::test
