// Keyframes of a glTF animation, and what is between them  (glTF 2.0, appendix C).
#include <clangor/io/motion/gltf_motion.hpp>

#include <clangor/io/file/file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::io::gltf {
namespace {

constexpr double longest = 7200;  // twice the longest scene [s]

Channel::Between between_of(const Document& document, const Json& sampler) {
    const Json* const stated = member(sampler, "interpolation");
    if (!stated) return Channel::Between::Linear;
    const std::string name = stated->is_string() ? stated->get<std::string>() : "";
    if (name == "LINEAR") return Channel::Between::Linear;
    if (name == "STEP") return Channel::Between::Step;
    if (name == "CUBICSPLINE") return Channel::Between::Cubic;
    fail(document.name, "an animation is interpolated by \"{}\"; use LINEAR, STEP or CUBICSPLINE", printable(name));
}

std::vector<double> read_times(const Document& document, const Accessor& input) {
    if (input.count == 0) fail(document.name, "an animation has no keyframes; export it again");
    std::vector<double> times(input.count);
    for (std::size_t i = 0; i < times.size(); ++i) {
        times[i] = input.value(i, 0);
        if (!(times[i] >= 0 && times[i] <= longest)) {
            fail(document.name, "a keyframe is at {} s, but should be in [0, {}] s; shorten the animation", times[i],
                 longest);
        }
        if (i > 0 && times[i] <= times[i - 1]) {
            fail(document.name, "the times of an animation do not ascend: {} s follows {} s; export it again", times[i],
                 times[i - 1]);
        }
    }
    return times;
}

Eigen::Quaterniond quaternion_of(const Eigen::VectorXd& xyzw) { return {xyzw[3], xyzw[0], xyzw[1], xyzw[2]}; }

Eigen::VectorXd blend(const Channel& channel, Eigen::Index i, double x, double step, bool turns) {
    const auto value = [&](Eigen::Index k) { return Eigen::VectorXd(channel.values.row(k).transpose()); };
    switch (channel.between) {
        case Channel::Between::Step:
            return value(i);
        case Channel::Between::Linear:
            if (turns)
                return quaternion_of(value(i)).normalized().slerp(x, quaternion_of(value(i + 1)).normalized()).coeffs();
            return (1 - x) * value(i) + x * value(i + 1);
        case Channel::Between::Cubic:
            break;
    }
    // Hermite's cubic on the values v and tangents b (out of i) and a (into i+1):
    //     (2x³−3x²+1) vᵢ + h(x³−2x²+x) bᵢ + (3x²−2x³) vᵢ₊₁ + h(x³−x²) aᵢ₊₁
    return (2 * x * x * x - 3 * x * x + 1) * value(3 * i + 1) + step * (x * x * x - 2 * x * x + x) * value(3 * i + 2) +
           (3 * x * x - 2 * x * x * x) * value(3 * i + 4) + step * (x * x * x - x * x) * value(3 * i + 3);
}

}  // namespace

Channel read_channel(const Document& document, Buffers& buffers, const Json& sampler, int components) {
    const auto input = whole(document, sampler, "input", 1u << 31);
    const auto output = whole(document, sampler, "output", 1u << 31);
    if (!input || !output) fail(document.name, "an animation lacks its input or output; export it again");
    Channel channel;
    channel.between = between_of(document, sampler);
    channel.times = read_times(document, buffers.accessor(*input, "SCALAR"));
    const Accessor values = buffers.accessor(*output, components == 4 ? "VEC4" : "VEC3");
    const std::size_t rows = channel.times.size() * (channel.between == Channel::Between::Cubic ? 3 : 1);
    if (values.count != rows) {
        fail(document.name, "an animation has {} keyframes, but {} values; export it again", channel.times.size(),
             values.count);
    }
    channel.values.resize(static_cast<Eigen::Index>(rows), components);
    for (std::size_t i = 0; i < rows; ++i) {
        for (int c = 0; c < components; ++c) {
            const double x = values.value(i, c);
            if (!(std::abs(x) <= 1e9)) fail(document.name, "an animation holds the value {}; export it again", x);
            channel.values(static_cast<Eigen::Index>(i), c) = x;
        }
    }
    return channel;
}

Eigen::VectorXd value_at(const Channel& channel, double time, bool turns) {
    const bool cubic = channel.between == Channel::Between::Cubic;
    const auto held = [&](std::size_t i) {
        const auto row = static_cast<Eigen::Index>(cubic ? 3 * i + 1 : i);
        return Eigen::VectorXd(channel.values.row(row).transpose());
    };
    const auto after = std::ranges::upper_bound(channel.times, time);
    if (after == channel.times.begin()) return held(0);
    if (after == channel.times.end()) return held(channel.times.size() - 1);
    const std::size_t i = after - channel.times.begin() - 1;
    const double step = channel.times[i + 1] - channel.times[i];
    return blend(channel, static_cast<Eigen::Index>(i), (time - channel.times[i]) / step, step, turns);
}

}  // namespace clangor::io::gltf
