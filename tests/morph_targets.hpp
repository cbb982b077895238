// Reads what a .glb shows of a mesh that bends: tests of motion files.
#pragma once

#include <clangor/core/core.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clangor::testing {

class MorphedMesh {
public:
    MorphedMesh(std::vector<std::byte> glb, const std::string& node) : glb_(std::move(glb)) {
        std::uint32_t length = 0;
        std::memcpy(&length, glb_.data() + 12, 4);
        header = nlohmann::json::parse(std::string_view(reinterpret_cast<const char*>(glb_.data()) + 20, length));
        numbers_at_ = 28 + length;
        for (; header["nodes"][node_]["name"] != node; ++node_) {}
        const nlohmann::json& primitive =
            header["meshes"][header["nodes"][node_]["mesh"].get<size_t>()]["primitives"][0];
        base_ = {floats(primitive["attributes"]["POSITION"]), floats(primitive["attributes"]["NORMAL"])};
        if (primitive.contains("targets"))
            for (const nlohmann::json& target : primitive["targets"])
                targets_.push_back({floats(target["POSITION"]), floats(target["NORMAL"])});
    }

    size_t targets() const { return targets_.size(); }
    Points start() const { return as_points(base_.positions); }

    /// At the n-th key of the weights: places in the world, and normals.
    Points positions(size_t key) const {
        Points points = as_points(mixed(key, &Columns::positions));
        points.rowwise() += translation(key).transpose();
        return points;
    }
    Points normals(size_t key) const { return as_points(mixed(key, &Columns::normals)); }

    std::vector<float> weights() const { return output("weights"); }
    size_t keys() const { return targets_.empty() ? 1 : weights().size() / targets_.size(); }

    nlohmann::json header;

private:
    struct Columns {
        std::vector<float> positions, normals;
    };

    std::vector<float> floats(const nlohmann::json& accessor) const {
        const nlohmann::json& described = header["accessors"][accessor.get<size_t>()];
        const nlohmann::json& view = header["bufferViews"][described["bufferView"].get<size_t>()];
        const size_t width = described["type"] == "VEC3" ? 3 : described["type"] == "VEC4" ? 4 : 1;
        std::vector<float> values(width * described["count"].get<size_t>());
        std::memcpy(values.data(), glb_.data() + numbers_at_ + view["byteOffset"].get<size_t>(),
                    values.size() * sizeof(float));
        return values;
    }

    std::vector<float> output(const std::string& path, std::vector<float>* times = nullptr) const {
        if (!header.contains("animations")) return {};
        const nlohmann::json& animation = header["animations"][0];
        for (const nlohmann::json& channel : animation["channels"]) {
            if (channel["target"]["node"] != node_ || channel["target"]["path"] != path) continue;
            const nlohmann::json& sampler = animation["samplers"][channel["sampler"].get<size_t>()];
            if (times) *times = floats(sampler["input"]);
            return floats(sampler["output"]);
        }
        return {};
    }

    // Of the node, on straight lines between its keys.
    Vec3 translation(size_t key) const {
        std::vector<float> keys, times;
        if (const std::vector<float> weights = output("weights", &keys); weights.empty()) keys = {0};
        const std::vector<float> places = output("translation", &times);
        if (places.empty()) {
            const nlohmann::json& place = header["nodes"][node_]["translation"];
            return {place[0].get<double>(), place[1].get<double>(), place[2].get<double>()};
        }
        size_t behind = 1;
        while (behind + 1 < times.size() && times[behind] < keys[key]) ++behind;
        const double share = double(keys[key] - times[behind - 1]) / double(times[behind] - times[behind - 1]);
        Vec3 place;
        for (size_t c = 0; c < 3; ++c)
            place[long(c)] =
                (1 - share) * double(places[3 * (behind - 1) + c]) + share * double(places[3 * behind + c]);
        return place;
    }

    std::vector<float> mixed(size_t key, std::vector<float> Columns::*part) const {
        std::vector<float> sum = base_.*part;
        const std::vector<float> weight = weights();
        for (size_t t = 0; t < targets_.size(); ++t)
            for (size_t i = 0; i < sum.size(); ++i)
                sum[i] += weight[key * targets_.size() + t] * (targets_[t].*part)[i];
        return sum;
    }

    static Points as_points(const std::vector<float>& values) {
        Points points(long(values.size()) / 3, 3);
        for (long i = 0; i < points.size(); ++i) points.data()[i] = double(values[size_t(i)]);
        return points;
    }

    std::vector<std::byte> glb_;
    size_t numbers_at_ = 0;
    size_t node_ = 0;
    Columns base_;
    std::vector<Columns> targets_;
};

}  // namespace clangor::testing
